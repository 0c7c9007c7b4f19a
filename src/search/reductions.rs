//! How much less deeply late moves are searched: first by depth and number of the move, a product of logarithms, then
//! by what else is known of node and move. All in 1024ths of a ply. The logarithms are computed in integers at compile
//! time, so that every machine searches the same tree.

use super::node::{Candidate, Situation};
use super::params;
use crate::score::Value;

/// Depths and move numbers beyond this count as this.
const SIZE: usize = 256;

/// 1024 ln(i).
static LOGARITHMS: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let mut i = 1;
    while i < SIZE {
        table[i] = ln_1024(i as u64);
        i += 1;
    }
    table
};

/// 1024 times the natural logarithm of `n`, rounded. The binary logarithm is found bit by bit: squaring a number
/// doubles its logarithm.
const fn ln_1024(n: u64) -> i32 {
    const FRACTION: u32 = 24;
    const ONE: u64 = 1 << 31;
    /// 1024 ln(2), with 24 fractional bits.
    const LN_2: u64 = 11_908_177_887;
    let whole = n.ilog2();
    // n / 2^whole in [1, 2), with 31 fractional bits.
    let mut x = (n << 31) >> whole;
    let mut log = whole as u64;
    let mut bit = 0;
    while bit < FRACTION {
        x = (x * x) >> 31;
        log <<= 1;
        if x >= 2 * ONE {
            x >>= 1;
            log |= 1;
        }
        bit += 1;
    }
    (((log >> 4) * (LN_2 >> 4) + (1 << 39)) >> 40) as i32
}

impl Situation {
    /// A first estimate for a move, to judge with by which depth it would be searched.
    pub(super) fn rough_reduction(&self, candidate: &Candidate, depth: i32, count: usize) -> i32 {
        let mut reduction = reduction(depth, count) + params::reduction_base();
        if !self.improving {
            reduction += params::reduction_not_improving();
        }
        if self.pv {
            reduction -= params::reduction_pv();
        }
        if candidate.gives_check {
            reduction -= params::reduction_check();
        }
        if candidate.victim.is_some() {
            reduction -= params::reduction_capture();
        }
        reduction
    }

    /// What to add to it once the move is to be searched. `cutoffs`: how many of the moves searched before it (and
    /// near relatives) were refuted.
    pub(super) fn further_reduction(
        &self,
        candidate: &Candidate,
        alpha: Value,
        cutoffs: u32,
    ) -> i32 {
        let mut reduction = -params::reduction_uncertainty() * self.correction
            - candidate.history * 1024 / params::reduction_history();
        if self.cut_node {
            reduction += params::reduction_cut_node();
            if self.table_move.is_none() {
                reduction += params::reduction_no_table_move();
            }
        }
        if self.table_capture {
            reduction += params::reduction_table_capture();
        }
        if self.pv {
            if self.known.value.is_some_and(|(value, _)| value > alpha) {
                reduction -= params::reduction_table_above();
            }
            if self.known.depth >= self.depth {
                reduction -= params::reduction_table_deep();
            }
        }
        if cutoffs > 2 {
            reduction += params::reduction_cutoffs();
        }
        if Some(candidate.mv) == self.table_move {
            reduction -= params::reduction_table_move();
        }
        reduction
    }
}

/// By how much the search of any late move is reduced.
#[inline]
fn reduction(depth: i32, count: usize) -> i32 {
    let depth = LOGARITHMS[(depth.max(0) as usize).min(SIZE - 1)];
    let count = LOGARITHMS[count.min(SIZE - 1)];
    depth * count / 1024 * 100 / params::reduction_divisor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_logarithms_are_right() {
        for (i, &log) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = 1024.0 * (i as f64).ln();
            assert!((f64::from(log) - exact).abs() < 0.6, "{i}: {log}, {exact}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        for depth in 1..60 {
            for count in 1..200 {
                assert!(reduction(depth + 1, count) >= reduction(depth, count));
                assert!(reduction(depth, count + 1) >= reduction(depth, count));
            }
        }
        assert_eq!(reduction(1, 50), 0);
        assert_eq!(reduction(300, 1000), reduction(255, 255));
    }
}
