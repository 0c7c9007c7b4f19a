//! How much less deeply late moves are searched, by depth and number of the move: a product of logarithms.
//! Computed in integers at compile time, so that every machine searches the same tree.

use super::params;

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

/// By how much the search of a late move is reduced, in 1024ths of a ply.
#[inline]
pub(super) fn reduction(depth: i32, count: usize) -> i32 {
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
