//! Repetitions: the path from the root to the current position, and a table of disproofs that hold on one path only.
//!
//! Going round in circles never mates. So a position that returns to one of the path, with the same hand or less,
//! counts as disproved, but only there: on another path the same position may well be a mate (the graph-history
//! interaction, Kishimoto and Mueller 2004). Each disproof therefore carries the depth of the earliest position of
//! the path it relies on. Once that depth is not above the position itself the disproof holds everywhere; until
//! then it is kept under the signature of the whole path.

use super::proof_number::{Len, NEVER, PnValue};
use crate::shogi::{Hand, scale_down};

/// Size of the filter that tells most boards that are not on the path.
const FILTER: usize = 4096;

/// The positions from the root on.
pub(super) struct SearchPath {
    steps: Vec<Step>,
    /// The depth of the first position.
    first: usize,
    filter: Box<[u16; FILTER]>,
}

struct Step {
    board: u64,
    hand: Hand,
    /// Signature of the path up to this position.
    signature: u64,
}

impl SearchPath {
    pub fn new() -> Self {
        Self {
            steps: Vec::new(),
            first: 0,
            filter: Box::new([0; FILTER]),
        }
    }

    /// Begins a new path with the position at depth `first`.
    pub fn start(&mut self, first: usize) {
        while !self.steps.is_empty() {
            self.pop();
        }
        self.first = first;
    }

    pub fn push(&mut self, board: u64, hand: Hand) {
        let signature = self.signature_with(board, hand);
        self.filter[board as usize % FILTER] += 1;
        self.steps.push(Step {
            board,
            hand,
            signature,
        });
    }

    pub fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.filter[step.board as usize % FILTER] -= 1;
        }
    }

    /// The signature of the path to the current position and on to another one.
    #[inline]
    pub fn signature_with(&self, board: u64, hand: Hand) -> u64 {
        let before = self.steps.last().map_or(0, |step| step.signature);
        let key = board ^ u64::from(hand.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (before ^ key)
            .wrapping_mul(0xff51_afd7_ed55_8ccd)
            .rotate_left(29)
    }

    /// The signature of the path to the current position.
    pub fn signature(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.signature)
    }

    /// The depth of the latest position with the same board in which the attacker held as much or more.
    #[inline]
    pub fn earlier(&self, board: u64, hand: Hand) -> Option<usize> {
        if self.filter[board as usize % FILTER] == 0 {
            return None;
        }
        self.steps
            .iter()
            .rposition(|step| step.board == board && step.hand.contains(hand))
            .map(|i| self.first + i)
    }
}

/// Disproofs that hold on one path only. An old one may get lost: it costs time, not truth.
pub(super) struct PathTable {
    slots: Vec<[u64; 2]>,
    /// Changes the signatures of every run.
    salt: u64,
}

impl PathTable {
    pub fn new(bytes: usize) -> Self {
        Self {
            slots: vec![[0; 2]; (bytes / size_of::<[u64; 2]>()).max(256)],
            salt: 1,
        }
    }

    /// Forgets everything, and is as new.
    pub fn reset(&mut self) {
        self.slots.fill([0; 2]);
        self.salt = 1;
    }

    pub fn clear(&mut self) {
        self.salt = self.salt.wrapping_mul(0x5851_f42d_4c95_7f2d) | 1;
    }

    fn place(&self, signature: u64) -> (u64, usize) {
        let key = signature ^ self.salt;
        (key, scale_down(key, self.slots.len()))
    }

    pub fn look_up(&self, signature: u64, len: Len) -> Option<PnValue> {
        let (key, i) = self.place(signature);
        let [stored, data] = self.slots[i];
        let found = Len::unpack((data >> 32) as u16)?;
        let since = (data >> 48) as u16;
        (stored == key && found >= len).then(|| PnValue {
            since,
            ..PnValue::disproof(found, Hand::from_bits(data as u32))
        })
    }

    pub fn store(&mut self, signature: u64, value: &PnValue) {
        debug_assert!(value.dn == 0 && value.since != NEVER);
        let (key, i) = self.place(signature);
        let data = u64::from(value.hand.bits())
            | u64::from(Len::pack(Some(value.len))) << 32
            | u64::from(value.since) << 48;
        self.slots[i] = [key, data];
    }
}
