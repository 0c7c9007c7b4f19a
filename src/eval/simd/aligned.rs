//! Arrays that begin on a cache line, in large pages when they are large.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

use crate::memory::{self, LARGE_PAGE};

/// A cache line, as wide as the widest register: 64 bytes.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// An array of numbers on the heap, of fixed length, aligned to 64 bytes, or to a large page if it fills one.
pub struct Aligned<T> {
    /// The array's lines, behind those that were skipped to align it.
    lines: Vec<Line>,
    skipped: usize,
    len: usize,
    numbers: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// An array of `len` zeros.
    ///
    /// # Panics
    /// If `len` numbers exceed the address space. Aborts when memory is exhausted, as `Vec` does.
    pub fn zeroed(len: usize) -> Self {
        let bytes = len
            .checked_mul(size_of::<T>())
            .expect("an array fits in memory");
        let count = bytes.div_ceil(size_of::<Line>());
        let (mut lines, mut skipped) = (Vec::new(), 0);
        if bytes < LARGE_PAGE {
            lines.reserve_exact(count);
        } else {
            // Rows of a net are read in random order, and with small pages nearly every row costs a page-table walk.
            lines.reserve_exact(count + LARGE_PAGE / size_of::<Line>());
            let unused = lines.spare_capacity_mut();
            skipped = unused.as_ptr().align_offset(LARGE_PAGE);
            memory::prefer_large_pages(&mut unused[skipped..]);
        }
        lines.resize(skipped + count, Line::zeroed());
        Self {
            lines,
            skipped,
            len,
            numbers: PhantomData,
        }
    }

    /// A copy of `values`.
    pub fn from_slice(values: &[T]) -> Self {
        let mut copy = Self::zeroed(values.len());
        copy.copy_from_slice(values);
        copy
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines[self.skipped..])[..self.len]
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines[self.skipped..])[..self.len]
    }
}

impl<T: Pod> Default for Aligned<T> {
    fn default() -> Self {
        Self::zeroed(0)
    }
}

impl<T: Pod> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl<T> std::fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}; {}]", std::any::type_name::<T>(), self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_aligned_zeroed_and_independent() {
        const MANY: usize = if cfg!(miri) { 1 << 13 } else { 1 << 21 };
        for len in [0, 1, 31, 4096, MANY] {
            let mut array = Aligned::<i16>::zeroed(len);
            assert_eq!(array.len(), len);
            assert!(len == 0 || array.as_ptr().addr().is_multiple_of(size_of::<Line>()));
            assert!(array.iter().all(|&value| value == 0));
            let copy = array.clone();
            array.fill(-3);
            assert!(copy.iter().all(|&value| value == 0));
            assert_eq!(Aligned::from_slice(&array)[..], array[..]);
        }
        let large = Aligned::<u8>::zeroed(LARGE_PAGE);
        assert!(large.as_ptr().addr().is_multiple_of(LARGE_PAGE));
    }
}
