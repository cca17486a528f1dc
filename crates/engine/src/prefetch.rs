//! Prefetches memory, so that it is in the cache when it is read.
//!
//! The only module that may use `unsafe`: the intrinsic takes a pointer. It never dereferences it, and here it comes
//! from a reference.

#![allow(unsafe_code)]

/// Prefetches the cache line of a value.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE, and a prefetch has no visible effect, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
