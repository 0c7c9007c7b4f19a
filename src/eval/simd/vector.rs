//! The vector abstraction: one register type per instruction set, and the few operations the kernels are written in.
//!
//! A value of an implementing type is a token: it exists only where the instruction set was detected, so its
//! arithmetic is safe to call. Every method becomes one or a few instructions; all are forced inline so that they
//! merge into the kernel, which alone is compiled for the instruction set.

/// One vector instruction set. Lanes are in memory order in every operation, whatever the hardware's packing does.
pub(super) trait Simd: Copy {
    /// A vector register.
    type Reg: Copy;
    /// A set with registers for at most eight 32-bit numbers, for layers with eight outputs.
    type Narrow: Simd;
    /// Bytes of a register: 16, 32 or 64.
    const BYTES: usize;

    /// The narrower set, present wherever this one is.
    fn narrow(self) -> Self::Narrow;

    /// Reads a register from `from`.
    ///
    /// # Safety
    /// `BYTES` bytes are readable there. No alignment is needed.
    unsafe fn load<T>(self, from: *const T) -> Self::Reg;

    /// Writes a register to `to`.
    ///
    /// # Safety
    /// `BYTES` bytes are writable there. No alignment is needed.
    unsafe fn store<T>(self, to: *mut T, value: Self::Reg);

    /// All lanes zero.
    fn zero(self) -> Self::Reg;
    /// The same 16-bit number in all lanes.
    fn splat16(self, value: i16) -> Self::Reg;
    /// The same 32-bit number in all lanes.
    fn splat32(self, value: i32) -> Self::Reg;

    /// Sum of 16-bit lanes, wrapping.
    fn add16(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Difference of 16-bit lanes, wrapping.
    fn sub16(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Smaller of signed 16-bit lanes.
    fn min16(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Larger of signed 16-bit lanes.
    fn max16(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Upper halves of the 32-bit products of signed 16-bit lanes.
    fn mulhi16(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// 16-bit lanes shifted left.
    fn shl16<const N: i32>(self, a: Self::Reg) -> Self::Reg;
    /// 16-bit lanes shifted right, keeping the sign.
    fn shr16<const N: i32>(self, a: Self::Reg) -> Self::Reg;
    /// Larger of signed 8-bit lanes.
    fn max8(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Sum of 32-bit lanes, wrapping.
    fn add32(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;

    /// 32-bit lanes of `a`, then of `b`, as 16-bit numbers with saturation.
    fn pack32(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// 16-bit lanes of `a`, then of `b`, as signed 8-bit numbers with saturation.
    fn pack16(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;

    /// `sum + input . weights`: in each 32-bit lane the products of four bytes are added, wrapping. The bytes of
    /// `input` are 0..=127, those of `weights` signed.
    fn dot(self, sum: Self::Reg, input: Self::Reg, weights: Self::Reg) -> Self::Reg;
    /// Sum of all 32-bit lanes, wrapping.
    fn sum32(self, a: Self::Reg) -> i32;

    /// Looks at 16 blocks of 4 bytes and writes the numbers (`base` for the first) of those that are not all zero.
    /// Returns how many there are.
    ///
    /// # Safety
    /// 64 bytes are readable at `input` and 16 numbers writable at `to`, whatever the result.
    unsafe fn nonzero_blocks(self, input: *const u8, base: u16, to: *mut u16) -> usize;
}

/// For each set of eight flags the numbers of those set, lowest first, then zeros: turns a comparison mask into a
/// list without branches.
pub(super) static SET_BITS: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};
