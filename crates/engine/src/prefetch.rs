//! Memory asked for ahead of time, so that it has come when it is read.
//!
//! The one module that may be `unsafe`: the intrinsic takes a pointer. It never reads through it, and here the pointer is a reference.

#![allow(unsafe_code)]

/// Asks for the cache line of a value.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE belongs to every x86-64 processor, and a prefetch has no effect that a program could see, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
