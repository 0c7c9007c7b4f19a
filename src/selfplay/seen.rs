//! Removal of duplicates: the set of positions that a run has written, of which it forgets some.

use crate::data::Psv;
use crate::shogi::scale_down;

/// Odd multipliers that mix the words of a packed position: the golden ratio, and one of MurmurHash3.
const MIX: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xff51_afd7_ed55_8ccd];

/// A hash set of limited size. Each position has one slot, where it replaces what was there: the set forgets, but its
/// contents depend only on the order of insertions. Two positions with the same 64-bit key count as one.
pub(super) struct Seen {
    keys: Vec<u64>,
}

impl Seen {
    /// A set with `places` slots of 8 bytes each.
    pub fn new(places: usize) -> Self {
        Self {
            keys: vec![0; places],
        }
    }

    /// Adds the position of a record. Returns whether it was not there. The move number does not matter.
    pub fn insert(&mut self, record: &Psv) -> bool {
        let key = key(record);
        let place = scale_down(key, self.keys.len());
        std::mem::replace(&mut self.keys[place], key) != key
    }
}

fn key(record: &Psv) -> u64 {
    let (words, _) = record.packed().as_chunks();
    let [first, second] = MIX;
    words.iter().fold(0, |key: u64, word| {
        let mixed = (key ^ u64::from_le_bytes(*word)).wrapping_mul(first);
        (mixed ^ mixed >> 32).wrapping_mul(second)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::shogi::Position;

    /// The positions after each first move.
    fn positions() -> Vec<Psv> {
        let start = Position::startpos();
        let after = |mv| {
            let mut position = start.clone();
            position.do_move(mv);
            let label = Label {
                score: 0,
                best: None,
                ply: 2,
                outcome: None,
            };
            Psv::of(&position, label).unwrap()
        };
        start.legal_moves().iter().map(|&mv| after(mv)).collect()
    }

    #[test]
    fn positions_are_new_once() {
        let mut seen = Seen::new(1 << 16);
        for mut record in positions() {
            assert!(seen.insert(&record));
            record.label.ply += 2;
            assert!(!seen.insert(&record));
        }
        assert!(positions().iter().all(|record| !seen.insert(record)));
    }

    #[test]
    fn a_small_set_forgets_but_never_takes_one_for_another() {
        let mut seen = Seen::new(1);
        for record in positions() {
            assert!(seen.insert(&record));
            assert!(!seen.insert(&record));
        }
    }
}
