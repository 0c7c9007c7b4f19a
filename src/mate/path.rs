//! Repetitions: the path from the root to the current position, and a table of disproofs that hold on one path only.
//!
//! Repeating positions never mates. So a position that returns to one of the path, with the same hand or less, counts
//! as disproved, but only there: on another path the same position may well be a mate (the graph-history interaction,
//! Kishimoto and Mueller 2004). Each disproof therefore carries the depth of the earliest position of the path it
//! relies on. Once that depth is not above the position itself the disproof holds everywhere; until then it is kept
//! under the signature of the whole path.

use super::proof_number::{Len, NEVER, PnValue};
use crate::memory::{ComingRow, ZeroedRow};
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
    slots: ZeroedRow<[u64; 2]>,
    /// All slots that there may be, whose memory is being fetched.
    coming: Option<ComingRow<2>>,
    /// How many those are.
    most: usize,
    /// How often something was stored, while there are few slots.
    stored: usize,
    /// Changes the keys with every search, so that older disproofs are not found.
    salt: u64,
}

/// Slots of a new table, for easy problems, and after how many disproofs all memory is asked for.
const FIRST_SLOTS: usize = 1 << 16;
const FEW: usize = FIRST_SLOTS / 16;

impl PathTable {
    /// A table that never needs more than about `bytes`, and little while it holds few disproofs.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<[u64; 2]>()).max(256);
        let mut slots = ZeroedRow::new_or_small(most.min(FIRST_SLOTS), 256);
        std::hint::black_box(&mut *slots).fill([0; 2]);
        Self {
            slots,
            coming: None,
            most,
            stored: 0,
            salt: 1,
        }
    }

    /// Forgets everything; the table is as new.
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
        if self.slots.len() < self.most {
            self.grow();
        }
    }

    /// Moves to all slots once there are enough disproofs and their memory is there.
    #[cold]
    fn grow(&mut self) {
        self.stored += 1;
        if self.stored < FEW {
            return;
        }
        let Some(coming) = self.coming.take_if(|coming| coming.is_there()) else {
            if self.coming.is_none() {
                self.coming = ComingRow::start_if_there_is_room(self.most);
                if self.coming.is_none() {
                    self.most = self.slots.len();
                }
            }
            return;
        };
        let Some(slots) = coming.take() else {
            self.most = self.slots.len();
            return;
        };
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old.iter().filter(|slot| **slot != [0; 2]) {
            let i = scale_down(slot[0], self.slots.len());
            self.slots[i] = *slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_moves_to_larger_memory() {
        let mut table = PathTable::new(16 << 20);
        let value = PnValue {
            since: 3,
            ..PnValue::disproof(Len::UNBOUNDED, Hand::EMPTY)
        };
        let signature = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let is_known = |table: &PathTable, i: usize| table.look_up(signature(i), Len::UNBOUNDED);
        (0..FEW).for_each(|i| table.store(signature(i), &value));
        assert_eq!(table.slots.len(), FIRST_SLOTS);
        let known = (0..FEW).filter(|&i| is_known(&table, i).is_some()).count();
        while table
            .coming
            .as_ref()
            .is_some_and(|coming| !coming.is_there())
        {
            std::thread::yield_now();
        }
        table.store(signature(0), &value);
        assert_eq!(table.slots.len(), table.most);
        assert_eq!(
            (0..FEW).filter(|&i| is_known(&table, i).is_some()).count(),
            known
        );
        assert!(known > FEW * 9 / 10, "{known}");
    }
}
