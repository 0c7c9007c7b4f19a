//! Results of solved nodes: the length, the proof or disproof hand, and the path they depend on.

use super::dfpn::Search;
use super::expand::Child;
use super::hands;
use super::proof_number::{Len, NEVER, PnValue};

impl Search<'_> {
    /// The proof of a node by its children.
    pub(super) fn proof(&self, children: &[Child], attacks: bool) -> PnValue {
        if attacks {
            let best = children
                .iter()
                .filter(|child| child.is_active && child.value.pn == 0)
                .min_by_key(|child| child.value.len)
                .expect("a check mates");
            let hand = hands::before_attack(&self.position, best.mv, best.value.hand);
            return PnValue::proof(best.value.len.longer(), hand);
        }
        let len = children.iter().map(|child| child.value.len).max();
        let needed = hands::monopoly(&self.position);
        let hand = children
            .iter()
            .fold(needed, |hand, child| hand.union(child.value.hand));
        PnValue::proof(len.map_or(Len::ZERO, Len::longer), hand)
    }

    /// The disproof of a node at `depth` by its children.
    pub(super) fn disproof(&self, children: &[Child], attacks: bool, depth: usize) -> PnValue {
        let mut value = if attacks {
            self.no_check_mates(children)
        } else {
            self.answer_refutes(children)
        };
        // A loop that comes back to this very position relies on nothing before it.
        if usize::from(value.since) >= depth {
            value.since = NEVER;
        }
        value
    }

    fn no_check_mates(&self, children: &[Child]) -> PnValue {
        let len = children.iter().map(|child| child.value.len).min();
        let since = children.iter().map(|child| child.value.since).min();
        let most = hands::same_checks(&self.position);
        let hand = children.iter().fold(most, |hand, child| {
            hands::limit_by_attack(&self.position, child.mv, child.value.hand, hand)
        });
        PnValue {
            since: since.unwrap_or(NEVER),
            ..PnValue::disproof(len.map_or(Len::UNBOUNDED, Len::longer), hand)
        }
    }

    fn answer_refutes(&self, children: &[Child]) -> PnValue {
        let best = children
            .iter()
            .filter(|child| child.is_active && child.value.dn == 0)
            .max_by_key(|child| (child.value.since, child.value.len))
            .expect("an answer refutes");
        let hand = hands::limit_by_defence(&self.position, best.mv, best.value.hand);
        PnValue {
            since: best.value.since,
            ..PnValue::disproof(best.value.len.longer(), hand)
        }
    }
}
