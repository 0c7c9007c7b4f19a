//! 64-bit Arm: NEON, which every such CPU has.

use core::arch::aarch64::*;

use super::layout::{Network, Scratch, Transform};
use super::vector::{SET_BITS, Simd};
use super::{CpuPath, Kernels, Rows, kernels};

/// The kernels of `path`; `None` for paths of other CPU families.
pub(super) fn kernels(path: CpuPath) -> Option<&'static Kernels> {
    (path == CpuPath::Neon && std::arch::is_aarch64_feature_detected!("neon")).then_some(&NEON)
}

static NEON: Kernels = {
    #[target_feature(enable = "neon")]
    fn update(acc: &mut [i16], source: &[i16], rows: Rows<'_>) {
        // SAFETY: the caller, `Kernels::update`, checked lengths and row numbers.
        unsafe { kernels::update(Neon(()), acc.as_mut_ptr(), source.as_ptr(), rows) }
    }
    #[target_feature(enable = "neon")]
    fn apply(acc: &mut [i16], rows: Rows<'_>) {
        let acc = acc.as_mut_ptr();
        // SAFETY: the caller, `Kernels::apply`, checked lengths and row numbers.
        unsafe { kernels::update(Neon(()), acc, acc, rows) }
    }
    #[target_feature(enable = "neon")]
    fn transform(kind: Transform, acc: &[i16], to: &mut [u8]) {
        kernels::transform(Neon(()), kind, acc, to)
    }
    #[target_feature(enable = "neon")]
    fn network(network: &Network, input: &[u8], scratch: &mut Scratch) -> i32 {
        kernels::run(Neon(()), network, input, scratch)
    }
    Kernels {
        path: CpuPath::Neon,
        update,
        apply,
        transform,
        network,
    }
};

/// Calls intrinsics that touch no memory.
macro_rules! op {
    ($call:expr) => {
        // SAFETY: the token is used only in the table above, so the CPU has the instructions.
        unsafe { $call }
    };
}

/// 128-bit registers.
#[derive(Clone, Copy)]
struct Neon(());

/// The register as bytes, 16-bit or 32-bit numbers.
macro_rules! view {
    (s8 $a:expr) => {
        vreinterpretq_s8_s32($a)
    };
    (s16 $a:expr) => {
        vreinterpretq_s16_s32($a)
    };
}

impl Simd for Neon {
    type Reg = int32x4_t;
    type Narrow = Self;
    const BYTES: usize = 16;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }
    #[inline(always)]
    unsafe fn load<T>(self, from: *const T) -> int32x4_t {
        // SAFETY: the caller's promise; byte loads need no alignment.
        unsafe { vreinterpretq_s32_u8(vld1q_u8(from.cast())) }
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T, value: int32x4_t) {
        // SAFETY: the caller's promise; byte stores need no alignment.
        unsafe { vst1q_u8(to.cast(), vreinterpretq_u8_s32(value)) }
    }
    #[inline(always)]
    fn zero(self) -> int32x4_t {
        op!(vdupq_n_s32(0))
    }
    #[inline(always)]
    fn splat16(self, value: i16) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vdupq_n_s16(value)))
    }
    #[inline(always)]
    fn splat32(self, value: i32) -> int32x4_t {
        op!(vdupq_n_s32(value))
    }
    #[inline(always)]
    fn add16(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vaddq_s16(view!(s16 a), view!(s16 b))))
    }
    #[inline(always)]
    fn sub16(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vsubq_s16(view!(s16 a), view!(s16 b))))
    }
    #[inline(always)]
    fn min16(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vminq_s16(view!(s16 a), view!(s16 b))))
    }
    #[inline(always)]
    fn max16(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vmaxq_s16(view!(s16 a), view!(s16 b))))
    }
    #[inline(always)]
    fn mulhi16(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!({
            let (a, b) = (view!(s16 a), view!(s16 b));
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            let high = vmull_high_s16(a, b);
            vreinterpretq_s32_s16(vshrn_high_n_s32::<16>(vshrn_n_s32::<16>(low), high))
        })
    }
    #[inline(always)]
    fn shl16<const N: i32>(self, a: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vshlq_n_s16::<N>(view!(s16 a))))
    }
    #[inline(always)]
    fn shr16<const N: i32>(self, a: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vshrq_n_s16::<N>(view!(s16 a))))
    }
    #[inline(always)]
    fn max8(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s8(vmaxq_s8(view!(s8 a), view!(s8 b))))
    }
    #[inline(always)]
    fn add32(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vaddq_s32(a, b))
    }
    #[inline(always)]
    fn pack32(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s16(vqmovn_high_s32(vqmovn_s32(a), b)))
    }
    #[inline(always)]
    fn pack16(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        op!(vreinterpretq_s32_s8(vqmovn_high_s16(
            vqmovn_s16(view!(s16 a)),
            view!(s16 b)
        )))
    }
    #[inline(always)]
    fn dot(self, sum: int32x4_t, input: int32x4_t, weights: int32x4_t) -> int32x4_t {
        op!({
            // Input bytes are at most 127, so they may be read as signed; two products fit in 16 bits.
            let (x, w) = (view!(s8 input), view!(s8 weights));
            let low = vmull_s8(vget_low_s8(x), vget_low_s8(w));
            let high = vmull_high_s8(x, w);
            vpadalq_s16(sum, vpaddq_s16(low, high))
        })
    }
    #[inline(always)]
    fn sum32(self, a: int32x4_t) -> i32 {
        op!(vaddvq_s32(a))
    }
    #[inline(always)]
    unsafe fn nonzero_blocks(self, input: *const u8, base: u16, to: *mut u16) -> usize {
        let mut count = 0;
        for i in 0..2 {
            // SAFETY: the caller's promise: 64 bytes of input, and room for eight numbers behind those of the
            // first eight blocks.
            unsafe {
                let flags = |at: usize| {
                    let blocks = vld1q_u32(input.add(at).cast());
                    vmovn_u32(vtstq_u32(blocks, blocks))
                };
                let eight = vcombine_u16(flags(32 * i), flags(32 * i + 16));
                let weights = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
                let mask = vaddvq_u16(vandq_u16(eight, weights));
                let bits = vld1q_u16(SET_BITS[usize::from(mask)].as_ptr());
                vst1q_u16(
                    to.add(count),
                    vaddq_u16(bits, vdupq_n_u16(base + 8 * i as u16)),
                );
                count += mask.count_ones() as usize;
            }
        }
        count
    }
}
