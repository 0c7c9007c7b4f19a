//! Sixteen numbers at a time, in the registers of each kind of CPU. All operations are those of IEEE 754, number by
//! number, so the kind does not change any result.

/// Sixteen numbers in memory, on one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Pack([f32; Pack::LEN]);

impl Pack {
    /// Numbers of a pack.
    pub const LEN: usize = 16;

    /// The packs of an array.
    ///
    /// # Panics
    ///
    /// Unless it begins on a cache line and holds a whole number of packs.
    #[inline(always)]
    pub fn all(numbers: &[f32]) -> &[Self] {
        // SAFETY: a pack is an array of numbers, and any bits are numbers.
        let (head, packs, tail) = unsafe { numbers.align_to() };
        assert!(head.is_empty() && tail.is_empty(), "whole, aligned packs");
        packs
    }

    /// The same for writing.
    #[inline(always)]
    pub fn all_mut(numbers: &mut [f32]) -> &mut [Self] {
        // SAFETY: as above.
        let (head, packs, tail) = unsafe { numbers.align_to_mut() };
        assert!(head.is_empty() && tail.is_empty(), "whole, aligned packs");
        packs
    }
}

/// A pack in registers. Values of an implementing type are made only in code compiled for its instructions and
/// reached where the CPU has them.
pub(super) trait Vector: Copy {
    fn load(from: &Pack) -> Self;
    fn store(self, to: &mut Pack);
    fn splat(number: f32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    /// The nearest whole numbers, of two the even one.
    fn round(self) -> Self;
    fn clamp(self, least: Self, most: Self) -> Self;
    /// These numbers where `value` lies between 0 and 1, zero elsewhere.
    fn where_open(self, value: Self) -> Self;
}

impl Pack {
    #[inline(always)]
    fn map(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Vector for Pack {
    #[inline(always)]
    fn load(from: &Pack) -> Self {
        *from
    }

    #[inline(always)]
    fn store(self, to: &mut Pack) {
        *to = self;
    }

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self([number; Self::LEN])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.map(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.map(other, |a, b| a / b)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(self, |a, _| a.sqrt())
    }

    #[inline(always)]
    fn round(self) -> Self {
        self.map(self, |a, _| a.round_ties_even())
    }

    #[inline(always)]
    fn clamp(self, least: Self, most: Self) -> Self {
        self.map(least, f32::max).map(most, f32::min)
    }

    #[inline(always)]
    fn where_open(self, value: Self) -> Self {
        self.map(
            value,
            |a, value| if value > 0.0 && value < 1.0 { a } else { 0.0 },
        )
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::*;

    use super::{Pack, Vector};

    /// Two registers of AVX2.
    #[derive(Clone, Copy)]
    pub struct Avx2([__m256; 2]);

    /// One register of AVX-512.
    #[derive(Clone, Copy)]
    pub struct Avx512(__m512);

    /// Calls an intrinsic. The reason why that is safe is the same for all.
    macro_rules! cpu {
        ($($call:tt)*) => {
            // SAFETY: values of this type exist only where the CPU has the instructions, see `Vector`; memory is read
            // and written through references to whole, aligned packs.
            unsafe { $($call)* }
        };
    }

    impl Vector for Avx2 {
        #[inline(always)]
        fn load(from: &Pack) -> Self {
            let from = from.0.as_ptr();
            cpu!(Self([_mm256_load_ps(from), _mm256_load_ps(from.add(8))]))
        }

        #[inline(always)]
        fn store(self, to: &mut Pack) {
            let to = to.0.as_mut_ptr();
            cpu! {
                _mm256_store_ps(to, self.0[0]);
                _mm256_store_ps(to.add(8), self.0[1]);
            }
        }

        #[inline(always)]
        fn splat(number: f32) -> Self {
            cpu!(Self([_mm256_set1_ps(number); 2]))
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            cpu!(Self([
                _mm256_add_ps(self.0[0], other.0[0]),
                _mm256_add_ps(self.0[1], other.0[1])
            ]))
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            cpu!(Self([
                _mm256_sub_ps(self.0[0], other.0[0]),
                _mm256_sub_ps(self.0[1], other.0[1])
            ]))
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            cpu!(Self([
                _mm256_mul_ps(self.0[0], other.0[0]),
                _mm256_mul_ps(self.0[1], other.0[1])
            ]))
        }

        #[inline(always)]
        fn div(self, other: Self) -> Self {
            cpu!(Self([
                _mm256_div_ps(self.0[0], other.0[0]),
                _mm256_div_ps(self.0[1], other.0[1])
            ]))
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            cpu!(Self(self.0.map(|half| _mm256_sqrt_ps(half))))
        }

        #[inline(always)]
        fn round(self) -> Self {
            const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
            cpu!(Self(self.0.map(|half| _mm256_round_ps::<NEAREST>(half))))
        }

        #[inline(always)]
        fn clamp(self, least: Self, most: Self) -> Self {
            let half = |i: usize| {
                cpu!(_mm256_min_ps(
                    _mm256_max_ps(self.0[i], least.0[i]),
                    most.0[i]
                ))
            };
            Self([half(0), half(1)])
        }

        #[inline(always)]
        fn where_open(self, value: Self) -> Self {
            let half = |i: usize| {
                cpu! {
                    let above = _mm256_cmp_ps::<_CMP_GT_OQ>(value.0[i], _mm256_setzero_ps());
                    let below = _mm256_cmp_ps::<_CMP_LT_OQ>(value.0[i], _mm256_set1_ps(1.0));
                    _mm256_and_ps(self.0[i], _mm256_and_ps(above, below))
                }
            };
            Self([half(0), half(1)])
        }
    }

    impl Vector for Avx512 {
        #[inline(always)]
        fn load(from: &Pack) -> Self {
            cpu!(Self(_mm512_load_ps(from.0.as_ptr())))
        }

        #[inline(always)]
        fn store(self, to: &mut Pack) {
            cpu!(_mm512_store_ps(to.0.as_mut_ptr(), self.0))
        }

        #[inline(always)]
        fn splat(number: f32) -> Self {
            cpu!(Self(_mm512_set1_ps(number)))
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            cpu!(Self(_mm512_add_ps(self.0, other.0)))
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            cpu!(Self(_mm512_sub_ps(self.0, other.0)))
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            cpu!(Self(_mm512_mul_ps(self.0, other.0)))
        }

        #[inline(always)]
        fn div(self, other: Self) -> Self {
            cpu!(Self(_mm512_div_ps(self.0, other.0)))
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            cpu!(Self(_mm512_sqrt_ps(self.0)))
        }

        #[inline(always)]
        fn round(self) -> Self {
            const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
            cpu!(Self(_mm512_roundscale_ps::<NEAREST>(self.0)))
        }

        #[inline(always)]
        fn clamp(self, least: Self, most: Self) -> Self {
            cpu!(Self(_mm512_min_ps(_mm512_max_ps(self.0, least.0), most.0)))
        }

        #[inline(always)]
        fn where_open(self, value: Self) -> Self {
            cpu! {
                let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(value.0, _mm512_setzero_ps());
                let below = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(value.0, _mm512_set1_ps(1.0));
                Self(_mm512_maskz_mov_ps(above & below, self.0))
            }
        }
    }
}
