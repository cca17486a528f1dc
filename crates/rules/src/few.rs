//! A short list of small items that is copied as one block of memory.

use std::ops::{Deref, DerefMut};

/// Up to `N` items, stored in place.
#[derive(Clone, Copy)]
pub struct Few<T, const N: usize> {
    items: [T; N],
    count: u8,
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// Creates an empty list; `filler` fills the unused places.
    pub const fn new(filler: T) -> Few<T, N> {
        Few { items: [filler; N], count: 0 }
    }

    /// Appends an item.
    ///
    /// # Panics
    /// If the list is full.
    pub fn push(&mut self, item: T) {
        self.items[self.count as usize] = item;
        self.count += 1;
    }

    /// Whether the list is full.
    pub fn is_full(&self) -> bool {
        self.count as usize == N
    }

    /// Removes all items.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Keeps the items for which `wanted` returns true.
    pub fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        let all = *self;
        self.clear();
        all.iter().filter(|item| wanted(item)).for_each(|item| self.push(*item));
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.count as usize]
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.count as usize]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Few<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Few<T, N> {}

impl<T: std::fmt::Debug, const N: usize> std::fmt::Debug for Few<T, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
