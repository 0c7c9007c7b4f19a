//! x86-64: SSE4.1, AVX2, AVX-512 and AVX-512 with VNNI.

use core::arch::x86_64::*;

use super::layout::{Network, Scratch, Transform};
use super::vector::{SET_BITS, Simd};
use super::{CpuPath, Kernels, Rows, kernels};

/// The kernels of `path` if this CPU has what they need; `None` also for paths of other CPU families.
pub(super) fn kernels(path: CpuPath) -> Option<&'static Kernels> {
    let sse = is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("popcnt");
    let avx2 = sse
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl");
    let vnni = avx512 && is_x86_feature_detected!("avx512vnni");
    match path {
        CpuPath::Sse41 => sse.then_some(&SSE41),
        CpuPath::Avx2 => avx2.then_some(&AVX2),
        CpuPath::Avx512 => avx512.then_some(&AVX512),
        CpuPath::Avx512Vnni => vnni.then_some(&AVX512_VNNI),
        CpuPath::Scalar | CpuPath::Neon => None,
    }
}

/// Makes a table of kernels: the generic bodies compiled with the named CPU features.
macro_rules! table {
    ($name:ident, $path:expr, $features:literal, $token:expr) => {
        static $name: Kernels = {
            #[target_feature(enable = $features)]
            fn update(acc: &mut [i16], source: &[i16], rows: Rows<'_>) {
                // SAFETY: the caller, `Kernels::update`, checked lengths and row numbers.
                unsafe { kernels::update($token, acc.as_mut_ptr(), source.as_ptr(), rows) }
            }
            #[target_feature(enable = $features)]
            fn apply(acc: &mut [i16], rows: Rows<'_>) {
                let acc = acc.as_mut_ptr();
                // SAFETY: the caller, `Kernels::apply`, checked lengths and row numbers.
                unsafe { kernels::update($token, acc, acc, rows) }
            }
            #[target_feature(enable = $features)]
            fn transform(kind: Transform, acc: &[i16], to: &mut [u8]) {
                kernels::transform($token, kind, acc, to)
            }
            #[target_feature(enable = $features)]
            fn network(network: &Network, input: &[u8], scratch: &mut Scratch) -> i32 {
                kernels::run($token, network, input, scratch)
            }
            Kernels {
                path: $path,
                update,
                apply,
                transform,
                network,
            }
        };
    };
}

table!(SSE41, CpuPath::Sse41, "sse4.1,ssse3,popcnt", Sse41(()));
table!(
    AVX2,
    CpuPath::Avx2,
    "avx2,bmi1,bmi2,popcnt",
    Avx2::<false>(())
);
table!(
    AVX512,
    CpuPath::Avx512,
    "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,popcnt",
    Avx512::<false>(())
);
table!(
    AVX512_VNNI,
    CpuPath::Avx512Vnni,
    "avx512f,avx512bw,avx512vl,avx512vnni,avx2,bmi1,bmi2,popcnt",
    Avx512::<true>(())
);

/// Calls intrinsics that touch no memory.
macro_rules! op {
    ($call:expr) => {
        // SAFETY: tokens are used only in the tables above, so the CPU has the instructions.
        unsafe { $call }
    };
}

/// 128-bit registers; needs SSE4.1, SSSE3 and POPCNT.
#[derive(Clone, Copy)]
struct Sse41(());

/// 256-bit registers; needs AVX2 and BMI, and with `VNNI` also AVX-512 VL and VNNI.
#[derive(Clone, Copy)]
struct Avx2<const VNNI: bool>(());

/// 512-bit registers; needs AVX-512 F, BW and VL, and with `VNNI` that too.
#[derive(Clone, Copy)]
struct Avx512<const VNNI: bool>(());

impl Simd for Sse41 {
    type Reg = __m128i;
    type Narrow = Self;
    const BYTES: usize = 16;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }
    #[inline(always)]
    unsafe fn load<T>(self, from: *const T) -> __m128i {
        // SAFETY: the caller's promise.
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T, value: __m128i) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storeu_si128(to.cast(), value) }
    }
    #[inline(always)]
    fn zero(self) -> __m128i {
        op!(_mm_setzero_si128())
    }
    #[inline(always)]
    fn splat16(self, value: i16) -> __m128i {
        op!(_mm_set1_epi16(value))
    }
    #[inline(always)]
    fn splat32(self, value: i32) -> __m128i {
        op!(_mm_set1_epi32(value))
    }
    #[inline(always)]
    fn add16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_add_epi16(a, b))
    }
    #[inline(always)]
    fn sub16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_sub_epi16(a, b))
    }
    #[inline(always)]
    fn min16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_min_epi16(a, b))
    }
    #[inline(always)]
    fn max16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_max_epi16(a, b))
    }
    #[inline(always)]
    fn mulhi16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_mulhi_epi16(a, b))
    }
    #[inline(always)]
    fn shl16<const N: i32>(self, a: __m128i) -> __m128i {
        op!(_mm_slli_epi16::<N>(a))
    }
    #[inline(always)]
    fn shr16<const N: i32>(self, a: __m128i) -> __m128i {
        op!(_mm_srai_epi16::<N>(a))
    }
    #[inline(always)]
    fn max8(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_max_epi8(a, b))
    }
    #[inline(always)]
    fn add32(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_add_epi32(a, b))
    }
    #[inline(always)]
    fn pack32(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_packs_epi32(a, b))
    }
    #[inline(always)]
    fn pack16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_packs_epi16(a, b))
    }
    #[inline(always)]
    fn dot(self, sum: __m128i, input: __m128i, weights: __m128i) -> __m128i {
        // Two products of 127 * 128 fit in 16 bits, so the saturating addition does not saturate.
        op!(_mm_add_epi32(
            sum,
            _mm_madd_epi16(_mm_maddubs_epi16(input, weights), _mm_set1_epi16(1))
        ))
    }
    #[inline(always)]
    fn sum32(self, a: __m128i) -> i32 {
        op!({
            let pairs = _mm_add_epi32(a, _mm_shuffle_epi32::<0b01_00_11_10>(a));
            _mm_cvtsi128_si32(_mm_add_epi32(
                pairs,
                _mm_shuffle_epi32::<0b10_11_00_01>(pairs),
            ))
        })
    }
    #[inline(always)]
    unsafe fn nonzero_blocks(self, input: *const u8, base: u16, to: *mut u16) -> usize {
        // SAFETY: the caller's promise about the input.
        let zeros = |i: usize| unsafe {
            _mm_cmpeq_epi32(self.load(input.add(16 * i)), _mm_setzero_si128())
        };
        let eight = |i: usize| {
            let packed = op!(_mm_packs_epi32(zeros(i), zeros(i + 1)));
            op!(!_mm_movemask_epi8(_mm_packs_epi16(packed, packed))) as u8
        };
        // SAFETY: the caller's promise about the list.
        unsafe { list_eights([eight(0), eight(2)], base, to) }
    }
}

/// Writes the numbers of the set bits of two masks, `base` for the first bit; returns how many there are.
///
/// # Safety
/// 16 numbers are writable at `to`.
#[inline(always)]
unsafe fn list_eights(masks: [u8; 2], base: u16, to: *mut u16) -> usize {
    let mut count = 0;
    for (i, mask) in masks.into_iter().enumerate() {
        // SAFETY: at most eight numbers were counted before the second group of eight.
        unsafe {
            let bits = _mm_loadu_si128(SET_BITS[usize::from(mask)].as_ptr().cast());
            let numbers = _mm_add_epi16(bits, _mm_set1_epi16((base + 8 * i as u16) as i16));
            _mm_storeu_si128(to.add(count).cast(), numbers);
        }
        count += mask.count_ones() as usize;
    }
    count
}

impl<const VNNI: bool> Simd for Avx2<VNNI> {
    type Reg = __m256i;
    type Narrow = Self;
    const BYTES: usize = 32;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }
    #[inline(always)]
    unsafe fn load<T>(self, from: *const T) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T, value: __m256i) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), value) }
    }
    #[inline(always)]
    fn zero(self) -> __m256i {
        op!(_mm256_setzero_si256())
    }
    #[inline(always)]
    fn splat16(self, value: i16) -> __m256i {
        op!(_mm256_set1_epi16(value))
    }
    #[inline(always)]
    fn splat32(self, value: i32) -> __m256i {
        op!(_mm256_set1_epi32(value))
    }
    #[inline(always)]
    fn add16(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_add_epi16(a, b))
    }
    #[inline(always)]
    fn sub16(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_sub_epi16(a, b))
    }
    #[inline(always)]
    fn min16(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_min_epi16(a, b))
    }
    #[inline(always)]
    fn max16(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_max_epi16(a, b))
    }
    #[inline(always)]
    fn mulhi16(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_mulhi_epi16(a, b))
    }
    #[inline(always)]
    fn shl16<const N: i32>(self, a: __m256i) -> __m256i {
        op!(_mm256_slli_epi16::<N>(a))
    }
    #[inline(always)]
    fn shr16<const N: i32>(self, a: __m256i) -> __m256i {
        op!(_mm256_srai_epi16::<N>(a))
    }
    #[inline(always)]
    fn max8(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_max_epi8(a, b))
    }
    #[inline(always)]
    fn add32(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn pack32(self, a: __m256i, b: __m256i) -> __m256i {
        // The instruction packs each half by itself.
        op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(
            _mm256_packs_epi32(a, b)
        ))
    }
    #[inline(always)]
    fn pack16(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(
            _mm256_packs_epi16(a, b)
        ))
    }
    #[inline(always)]
    fn dot(self, sum: __m256i, input: __m256i, weights: __m256i) -> __m256i {
        if VNNI {
            op!(_mm256_dpbusd_epi32(sum, input, weights))
        } else {
            op!(_mm256_add_epi32(
                sum,
                _mm256_madd_epi16(_mm256_maddubs_epi16(input, weights), _mm256_set1_epi16(1))
            ))
        }
    }
    #[inline(always)]
    fn sum32(self, a: __m256i) -> i32 {
        Sse41(()).sum32(op!(_mm_add_epi32(
            _mm256_castsi256_si128(a),
            _mm256_extracti128_si256::<1>(a)
        )))
    }
    #[inline(always)]
    unsafe fn nonzero_blocks(self, input: *const u8, base: u16, to: *mut u16) -> usize {
        let eight = |i: usize| {
            // SAFETY: the caller's promise about the input.
            let blocks = unsafe { self.load(input.add(32 * i)) };
            let zeros = op!(_mm256_cmpeq_epi32(blocks, _mm256_setzero_si256()));
            !op!(_mm256_movemask_ps(_mm256_castsi256_ps(zeros))) as u8
        };
        // SAFETY: the caller's promise about the list.
        unsafe { list_eights([eight(0), eight(1)], base, to) }
    }
}

impl<const VNNI: bool> Simd for Avx512<VNNI> {
    type Reg = __m512i;
    type Narrow = Avx2<VNNI>;
    const BYTES: usize = 64;

    #[inline(always)]
    fn narrow(self) -> Avx2<VNNI> {
        Avx2(())
    }
    #[inline(always)]
    unsafe fn load<T>(self, from: *const T) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T, value: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), value) }
    }
    #[inline(always)]
    fn zero(self) -> __m512i {
        op!(_mm512_setzero_si512())
    }
    #[inline(always)]
    fn splat16(self, value: i16) -> __m512i {
        op!(_mm512_set1_epi16(value))
    }
    #[inline(always)]
    fn splat32(self, value: i32) -> __m512i {
        op!(_mm512_set1_epi32(value))
    }
    #[inline(always)]
    fn add16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi16(a, b))
    }
    #[inline(always)]
    fn sub16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_sub_epi16(a, b))
    }
    #[inline(always)]
    fn min16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_min_epi16(a, b))
    }
    #[inline(always)]
    fn max16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_max_epi16(a, b))
    }
    #[inline(always)]
    fn mulhi16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_mulhi_epi16(a, b))
    }
    #[inline(always)]
    fn shl16<const N: i32>(self, a: __m512i) -> __m512i {
        op!(_mm512_sll_epi16(a, _mm_cvtsi32_si128(N)))
    }
    #[inline(always)]
    fn shr16<const N: i32>(self, a: __m512i) -> __m512i {
        op!(_mm512_sra_epi16(a, _mm_cvtsi32_si128(N)))
    }
    #[inline(always)]
    fn max8(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_max_epi8(a, b))
    }
    #[inline(always)]
    fn add32(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn pack32(self, a: __m512i, b: __m512i) -> __m512i {
        in_order(op!(_mm512_packs_epi32(a, b)))
    }
    #[inline(always)]
    fn pack16(self, a: __m512i, b: __m512i) -> __m512i {
        in_order(op!(_mm512_packs_epi16(a, b)))
    }
    #[inline(always)]
    fn dot(self, sum: __m512i, input: __m512i, weights: __m512i) -> __m512i {
        if VNNI {
            op!(_mm512_dpbusd_epi32(sum, input, weights))
        } else {
            op!(_mm512_add_epi32(
                sum,
                _mm512_madd_epi16(_mm512_maddubs_epi16(input, weights), _mm512_set1_epi16(1))
            ))
        }
    }
    #[inline(always)]
    fn sum32(self, a: __m512i) -> i32 {
        op!(_mm512_reduce_add_epi32(a))
    }
    #[inline(always)]
    unsafe fn nonzero_blocks(self, input: *const u8, base: u16, to: *mut u16) -> usize {
        // SAFETY: the caller's promise about input and list.
        unsafe {
            let mask = _mm512_cmpneq_epi32_mask(self.load(input), _mm512_setzero_si512());
            let first = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let numbers = _mm512_add_epi32(first, _mm512_set1_epi32(i32::from(base)));
            let chosen = _mm512_maskz_compress_epi32(mask, numbers);
            _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(chosen));
            mask.count_ones() as usize
        }
    }
}

/// Undoes the interleaving of a 512-bit pack, which packs each quarter by itself.
#[inline(always)]
fn in_order(packed: __m512i) -> __m512i {
    op!(_mm512_permutexvar_epi64(
        _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
        packed
    ))
}
