//! Late move reductions (LMR): late moves are first searched with less depth. The base is a product of logarithms of
//! depth and move number; adjustments depend on what else is known of node and move. All in 1024ths of a ply. The
//! logarithms are computed in integers at compile time, so that every machine searches the same tree.
//!
//! The terms are those of Stockfish and YaneuraOu 9.70, with numbers tuned for Hien.

use super::state::{MoveInfo, NodeState};
use crate::score::Value;
use crate::search::params;

/// Size of the table: greater depths and move numbers count as the last.
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

impl NodeState {
    /// The reduction of a move by depth, number and kind, as a first estimate for pruning.
    pub fn lmr_base(&self, info: &MoveInfo, depth: i32, count: usize) -> i32 {
        let mut reduction = lmr_table(depth, count) + params::lmr_offset();
        if !self.improving {
            reduction += params::lmr_not_improving();
        }
        if self.tt_pv {
            reduction -= params::lmr_pv();
        }
        if info.gives_check {
            reduction -= params::lmr_check();
        }
        if info.captured.is_some() {
            reduction -= params::lmr_capture();
        }
        reduction
    }

    /// Adjustments, to be added to [`lmr_base`](Self::lmr_base) once the move is to be searched. `cutoffs` is the
    /// number of beta cutoffs so far in the children of this node and its siblings.
    pub fn lmr_adjust(&self, info: &MoveInfo, alpha: Value, cutoffs: u32) -> i32 {
        let mut reduction = -params::lmr_uncertainty() * self.correction
            - info.history * 1024 / params::lmr_history();
        if self.cut_node {
            reduction += params::lmr_cut_node();
            if self.tt_move.is_none() {
                reduction += params::lmr_no_tt_move();
            }
        }
        if self.tt_capture {
            reduction += params::lmr_tt_capture();
        }
        if self.tt_pv {
            if self.tt.value.is_some_and(|(value, _)| value > alpha) {
                reduction -= params::lmr_tt_above();
            }
            if self.tt.depth >= self.depth {
                reduction -= params::lmr_tt_deep();
            }
        }
        if cutoffs as i32 >= params::lmr_cutoffs_count() {
            reduction += params::lmr_cutoffs();
        }
        if Some(info.mv) == self.tt_move {
            reduction -= params::lmr_tt_move();
        }
        reduction
    }
}

/// Base reduction by depth and move number.
#[inline]
fn lmr_table(depth: i32, count: usize) -> i32 {
    let depth = LOGARITHMS[(depth.max(0) as usize).min(SIZE - 1)];
    let count = LOGARITHMS[count.min(SIZE - 1)];
    depth * count / 1024 * 100 / params::lmr_divisor()
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
                assert!(lmr_table(depth + 1, count) >= lmr_table(depth, count));
                assert!(lmr_table(depth, count + 1) >= lmr_table(depth, count));
            }
        }
        assert_eq!(lmr_table(1, 50), 0);
        assert_eq!(lmr_table(300, 1000), lmr_table(255, 255));
    }
}
