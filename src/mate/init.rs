//! Initial proof and disproof numbers of positions never visited before (as in df-pn+). Some positions are decided at
//! once.

use super::dfpn::Search;
use super::hands;
use super::proof_number::{Len, PnValue};
use crate::shogi::{Move, MoveList, Promotions};

impl Search<'_> {
    /// For the position after a check: the number of answers, all drops counting as one, and one more if more pieces
    /// can take the checking piece than protect it.
    pub(super) fn init_defence(&mut self, check: Move, len: Len) -> PnValue {
        self.position.do_move(check);
        let value = self.value_of_defence(check, len);
        self.position.undo_move();
        value
    }

    fn value_of_defence(&self, check: Move, len: Len) -> PnValue {
        let position = &self.position;
        let mut answers = MoveList::new();
        position.evasions(&mut answers, Promotions::Sensible);
        if answers.is_empty() && position.count_legal() == 0 {
            return PnValue::proof(Len::ZERO, hands::monopoly(position));
        }
        if len == Len::ZERO {
            return PnValue::disproof(Len::ZERO, hands::total(position));
        }
        let drops = answers.iter().filter(|mv| mv.is_drop()).count();
        let different = answers.len() - drops + drops.min(1);
        let defender = position.side_to_move();
        let occupied = position.occupied();
        let attackers_on = |color| position.attackers_of(check.to(), color, occupied).count();
        let is_sacrifice = attackers_on(defender) > attackers_on(!defender);
        PnValue::open(different.max(1) as u32 + u32::from(is_sacrifice), 1)
    }

    /// For the position after an answer: both numbers are one if there is a check; without one it is disproved.
    pub(super) fn init_attack(&mut self, answer: Move) -> PnValue {
        self.position.do_move(answer);
        let mut checks = MoveList::new();
        self.position.checks(&mut checks, Promotions::All);
        let value = if checks.is_empty() {
            PnValue::disproof(Len::UNBOUNDED, hands::same_checks(&self.position))
        } else {
            PnValue::open(1, 1)
        };
        self.position.undo_move();
        value
    }
}
