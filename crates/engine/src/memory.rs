//! The memory of the transposition table, zeroed. On Linux it asks for huge pages of two megabytes: with small pages
//! nearly every access would miss the TLB.

use std::sync::atomic::AtomicU64;

pub(crate) use platform::Memory;

/// The key XOR the data, and the data.
pub(crate) type Slot = [AtomicU64; 2];

/// Entries that share a cache line. All zeros means no entry.
pub(crate) type Cluster = [Slot; 4];

#[cfg(target_os = "linux")]
mod platform {
    use super::Cluster;
    use memmap2::{Advice, MmapMut};
    use self_cell::{MutBorrow, self_cell};
    use std::io;
    use zerocopy::FromBytes;

    type Clusters<'a> = &'a [Cluster];

    self_cell! {
        pub struct Memory {
            owner: MutBorrow<MmapMut>,
            #[covariant]
            dependent: Clusters,
        }
    }

    impl Memory {
        /// Allocates `count` clusters of zeros.
        ///
        /// # Errors
        /// If the memory cannot be allocated.
        pub fn zeroed(count: usize) -> io::Result<Memory> {
            let map = MmapMut::map_anon(count * size_of::<Cluster>())?;
            // If the kernel refuses, the pages are small and everything else works as before.
            let _ = map.advise(Advice::HugePage);
            Ok(Memory::new(MutBorrow::new(map), |map| {
                <[Cluster]>::mut_from_bytes(map.borrow_mut()).expect("a page is aligned, and holds whole clusters")
            }))
        }

        /// The clusters.
        #[inline]
        pub fn clusters(&self) -> &[Cluster] {
            self.borrow_dependent()
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use super::Cluster;
    use std::io;
    use zerocopy::FromZeros;

    pub struct Memory(Vec<Cluster>);

    impl Memory {
        /// Allocates `count` clusters of zeros.
        ///
        /// # Errors
        /// If the memory cannot be allocated.
        pub fn zeroed(count: usize) -> io::Result<Memory> {
            Cluster::new_vec_zeroed(count).map(Memory).map_err(|_| io::ErrorKind::OutOfMemory.into())
        }

        /// The clusters.
        #[inline]
        pub fn clusters(&self) -> &[Cluster] {
            &self.0
        }
    }
}
