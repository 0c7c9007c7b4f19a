//! Arrays that begin on a cache line, and on a large page when they are large.
//!
//! Written by hand, since every kernel call goes through these arrays many times: seen as numbers by `bytemuck`, a
//! `Vec` of aligned lines takes about eight instructions more per access.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

use crate::memory::{self, LARGE_PAGE};

/// Bytes of a cache line and of the widest register.
const LINE: usize = 64;

/// Number types whose every bit pattern is a value, zero included, and which own nothing.
pub trait Plain: Copy + Default + Send + Sync + 'static + sealed::Sealed {}

mod sealed {
    /// Keeps [`super::Plain`] to the types listed in this file.
    pub trait Sealed {}
}

macro_rules! plain {
    ($($t:ty),*) => { $(impl sealed::Sealed for $t {} impl Plain for $t {})* };
}
plain!(i8, u8, i16, u16, i32, u32, i64, f32);

/// A fixed-size array on the heap, aligned to 64 bytes.
pub struct Aligned<T: Plain> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: an `Aligned` owns its memory alone, and `Plain` types may go to other threads.
unsafe impl<T: Plain> Send for Aligned<T> {}
// SAFETY: shared access only reads.
unsafe impl<T: Plain> Sync for Aligned<T> {}

impl<T: Plain> Aligned<T> {
    /// An array of `len` zeros. Aborts when memory is exhausted, as `Vec` does.
    pub fn zeroed(len: usize) -> Self {
        let Some(layout) = Self::layout(len) else {
            return Self {
                start: NonNull::dangling(),
                len: 0,
            };
        };
        // SAFETY: the layout is not empty.
        let raw = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(raw.cast::<T>()) else {
            handle_alloc_error(layout)
        };
        if layout.size() >= LARGE_PAGE {
            // SAFETY: the block just allocated has room for `len` values, which need not be initialised.
            let block =
                unsafe { slice::from_raw_parts_mut(start.as_ptr().cast::<MaybeUninit<T>>(), len) };
            // Rows of a net are read in random order, and with small pages nearly every row costs a page-table walk.
            memory::prefer_large_pages(block);
        }
        // SAFETY: the block just allocated has room for `len` values, and zero bytes are a value.
        unsafe { start.as_ptr().write_bytes(0, len) };
        Self { start, len }
    }

    /// A copy of `values`.
    pub fn from_slice(values: &[T]) -> Self {
        let mut copy = Self::zeroed(values.len());
        copy.copy_from_slice(values);
        copy
    }

    /// The memory block of an array of `len` values; `None` when it needs none.
    fn layout(len: usize) -> Option<Layout> {
        let bytes = len
            .checked_mul(size_of::<T>())
            .expect("array size fits in memory");
        let align = if bytes >= LARGE_PAGE {
            LARGE_PAGE
        } else {
            LINE
        };
        let layout = Layout::from_size_align(bytes, align).expect("array size fits in memory");
        (bytes > 0).then_some(layout)
    }
}

impl<T: Plain> Drop for Aligned<T> {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: allocated by `zeroed` with the same length and so the same layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) }
        }
    }
}

impl<T: Plain> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` initialised values (or dangles with length 0).
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Plain> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `&mut self` makes the access exclusive.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Plain> Default for Aligned<T> {
    fn default() -> Self {
        Self::zeroed(0)
    }
}

impl<T: Plain> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl<T: Plain> std::fmt::Debug for Aligned<T> {
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
            assert!(len == 0 || array.as_ptr().addr().is_multiple_of(LINE));
            assert!(array.iter().all(|&value| value == 0));
            let copy = array.clone();
            array.fill(-3);
            assert!(copy.iter().all(|&value| value == 0));
            assert_eq!(Aligned::from_slice(&array)[..], array[..]);
        }
        assert!(
            Aligned::<u8>::zeroed(LARGE_PAGE)
                .as_ptr()
                .addr()
                .is_multiple_of(LARGE_PAGE)
        );
    }
}
