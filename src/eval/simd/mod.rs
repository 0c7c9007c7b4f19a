//! SIMD kernels for net inference: one set per kind of CPU, chosen at run time.
//!
//! [`Kernels::best`] looks at the CPU; [`Kernels::of`] asks for a certain [`CpuPath`]. All paths give the same numbers,
//! bit for bit: `scalar` defines them, `kernels` holds the vector versions, written once in the operations of
//! `vector`, which `x86` and `arm` provide. Knows arrays and layers, not nets, features or positions.
//!
//! `unsafe` is allowed in this folder, for vector instructions, unchecked reads inside kernels whose arguments were
//! checked, and aligned memory. Elsewhere only `memory.rs`, and a marker for it in `search/tt.rs`, use it.
#![allow(unsafe_code)]

use std::fmt;
use std::str::FromStr;

mod aligned;
#[cfg(target_arch = "aarch64")]
mod arm;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod kernels;
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "only the vector kernels use all of it")
)]
mod layout;
mod scalar;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use aligned::{Aligned, Plain};
pub use layout::{Activation, Affine, Network, Product, Scratch, Transform, WeightTable};

/// A set of kernels, named by the CPU features it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuPath {
    /// No special instructions.
    Scalar,
    /// x86-64 with SSSE3, SSE4.1 and POPCNT (2008).
    Sse41,
    /// x86-64 with AVX2, BMI1 and BMI2 (2013).
    Avx2,
    /// x86-64 with AVX-512 F, BW and VL.
    Avx512,
    /// AVX-512 with VNNI, the byte dot product.
    Avx512Vnni,
    /// 64-bit Arm.
    Neon,
}

impl CpuPath {
    /// All paths, on any CPU family, slowest first.
    pub const ALL: [Self; 6] = [
        Self::Scalar,
        Self::Sse41,
        Self::Avx2,
        Self::Avx512,
        Self::Avx512Vnni,
        Self::Neon,
    ];

    /// The name used in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse41 => "sse41",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Avx512Vnni => "avx512vnni",
            Self::Neon => "neon",
        }
    }

    /// The paths this CPU can take, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(|&path| Kernels::of(path).is_some())
    }
}

impl fmt::Display for CpuPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no [`CpuPath`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no CPU path is called '{0}'")]
pub struct ParseCpuPathError(String);

impl FromStr for CpuPath {
    type Err = ParseCpuPathError;

    fn from_str(text: &str) -> Result<Self, ParseCpuPathError> {
        let found = Self::ALL
            .into_iter()
            .find(|path| path.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| ParseCpuPathError(text.to_owned()))
    }
}

/// Rows of a table to add to and to subtract from an accumulator.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The table they belong to.
    pub table: &'a WeightTable,
    /// Numbers of the rows to add, each as often as it occurs.
    pub add: &'a [u32],
    /// Numbers of the rows to subtract.
    pub sub: &'a [u32],
}

impl Rows<'_> {
    /// Panics unless the kernels may run: the accumulator fits the rows, and all rows are inside the table.
    #[inline]
    fn check(&self, accumulator: usize) {
        assert_eq!(self.table.width(), accumulator, "accumulator and rows fit");
        let largest = |rows: &[u32]| rows.iter().fold(0, |largest, &row| row.max(largest));
        let largest = largest(self.add).max(largest(self.sub));
        assert!(
            (largest as usize) < self.table.rows(),
            "rows are inside the table"
        );
    }
}

/// The kernels of one path. Get them from [`Kernels::best`] or [`Kernels::of`], which hand out only what the CPU can
/// run.
pub struct Kernels {
    path: CpuPath,
    update: unsafe fn(&mut [i16], &[i16], Rows<'_>),
    apply: unsafe fn(&mut [i16], Rows<'_>),
    transform: unsafe fn(Transform, &[i16], &mut [u8]),
    network: unsafe fn(&Network, &[u8], &mut Scratch) -> i32,
}

impl Kernels {
    /// The fastest kernels of this CPU.
    pub fn best() -> &'static Self {
        CpuPath::ALL
            .into_iter()
            .rev()
            .find_map(Self::of)
            .unwrap_or(&scalar::KERNELS)
    }

    /// The kernels of a path, if this CPU can run them.
    pub fn of(path: CpuPath) -> Option<&'static Self> {
        if path == CpuPath::Scalar {
            return Some(&scalar::KERNELS);
        }
        #[cfg(target_arch = "x86_64")]
        return x86::kernels(path);
        #[cfg(target_arch = "aarch64")]
        return arm::kernels(path);
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        None
    }

    /// Which path these kernels are.
    #[inline]
    pub const fn path(&self) -> CpuPath {
        self.path
    }

    /// `acc = source + added rows - subtracted rows`, wrapping.
    ///
    /// # Panics
    /// If lengths or row numbers do not fit the table.
    #[inline]
    pub fn update(&self, acc: &mut [i16], source: &[i16], rows: Rows<'_>) {
        assert_eq!(acc.len(), source.len());
        rows.check(acc.len());
        // SAFETY: lengths and rows were checked, and the CPU can run these kernels since they were handed out.
        unsafe { (self.update)(acc, source, rows) }
    }

    /// The same in place: `acc += added rows - subtracted rows`, wrapping.
    ///
    /// # Panics
    /// As for [`Kernels::update`].
    #[inline]
    pub fn apply(&self, acc: &mut [i16], rows: Rows<'_>) {
        rows.check(acc.len());
        // SAFETY: as above.
        unsafe { (self.apply)(acc, rows) }
    }

    /// Turns one side's accumulator into input bytes of the first affine layer.
    ///
    /// # Panics
    /// Unless `to` has [`Transform::outputs`] bytes, a multiple of 64.
    #[inline]
    pub fn transform(&self, kind: Transform, acc: &[i16], to: &mut [u8]) {
        assert!(to.len() == kind.outputs(acc.len()) && to.len().is_multiple_of(64));
        // SAFETY: as above.
        unsafe { (self.transform)(kind, acc, to) }
    }

    /// The output of the layers for input bytes of 0..=127.
    ///
    /// # Panics
    /// If the input or the scratch room does not belong to the network.
    #[inline]
    pub fn network(&self, network: &Network, input: &[u8], scratch: &mut Scratch) -> i32 {
        assert!(scratch.fits(network) && input.len() == network.inputs());
        // SAFETY: as above.
        unsafe { (self.network)(network, input, scratch) }
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernels({})", self.path)
    }
}
