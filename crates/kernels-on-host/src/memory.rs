//! The device's memory: separate blocks of the exact sizes, so that AddressSanitizer sees a kernel
//! that leaves one.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use vortice_core::{Error, Result};
use vortice_gpu::Address;

/// What memory holds before the first write: not-a-number in both precisions, and as an integer large
/// enough to lead astray; the same as in `shim/launch.h`.
const POISON: [u8; 4] = 0x7ff4_c5c5_u32.to_ne_bytes();

/// As cudaMalloc aligns.
const ALIGNMENT: usize = 256;

/// All blocks that are allocated, by address, with their sizes in bytes.
#[derive(Default)]
pub(crate) struct Memory {
    blocks: BTreeMap<Address, usize>,
}

/// Where the blocks of all devices of this process begin: a kernel may be given those of others.
static ALL: Mutex<BTreeSet<Address>> = Mutex::new(BTreeSet::new());

fn all() -> MutexGuard<'static, BTreeSet<Address>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a block of any device begins there.
pub(crate) fn begins_somewhere(at: Address) -> bool {
    all().contains(&at)
}

#[allow(unsafe_code)]
impl Memory {
    /// A new block: zeros, or poison.
    pub(crate) fn allocate(&mut self, bytes: usize, poisoned: bool) -> Result<Address> {
        let block = layout(bytes).map(|layout| {
            // SAFETY: the layout is not of size zero.
            unsafe { alloc(layout) }
        });
        let block = block.filter(|block| !block.is_null()).ok_or_else(|| Error::Device {
            problem: format!("the host has no memory for {bytes} bytes"),
            remedy: "use a smaller grid".into(),
        })?;
        // SAFETY: the block has this many bytes.
        let content = unsafe {
            block.write_bytes(0, bytes);
            std::slice::from_raw_parts_mut(block, bytes)
        };
        if poisoned {
            content.iter_mut().zip(POISON.iter().cycle()).for_each(|(to, byte)| *to = *byte);
        }
        let at = block as Address;
        self.blocks.insert(at, bytes);
        all().insert(at);
        Ok(at)
    }

    /// Gives a block back.
    ///
    /// # Panics
    /// If there is none at this address.
    pub(crate) fn release(&mut self, at: Address) {
        let bytes = self.blocks.remove(&at);
        let bytes = bytes.unwrap_or_else(|| panic!("nothing was allocated at {at:#x}"));
        all().remove(&at);
        let layout = layout(bytes).expect("was allocated with it");
        // SAFETY: allocated in `allocate` with this layout, and not released before.
        unsafe { dealloc(at as *mut u8, layout) }
    }

    /// Bytes that are allocated.
    pub(crate) fn used(&self) -> usize {
        self.blocks.values().sum()
    }

    /// Copies bytes into a block.
    pub(crate) fn write(&mut self, to: Address, bytes: &[u8]) -> Result<()> {
        self.expect(to, bytes.len())?;
        // SAFETY: the place lies in a block; no slice of it lives here.
        unsafe { std::ptr::copy(bytes.as_ptr(), to as *mut u8, bytes.len()) }
        Ok(())
    }

    /// Copies bytes out of a block.
    pub(crate) fn read(&self, from: Address, bytes: &mut [u8]) -> Result<()> {
        self.expect(from, bytes.len())?;
        // SAFETY: as in `write`.
        unsafe { std::ptr::copy(from as *const u8, bytes.as_mut_ptr(), bytes.len()) }
        Ok(())
    }

    /// Copies bytes between places that do not overlap.
    pub(crate) fn copy(&mut self, from: Address, to: Address, bytes: usize) -> Result<()> {
        self.expect(from, bytes)?;
        self.expect(to, bytes)?;
        if from.abs_diff(to) < bytes as Address {
            return Err(Error::Device {
                problem: format!("a copy of {bytes} bytes from {from:#x} overlaps with {to:#x}"),
                remedy: "copy through another array".into(),
            });
        }
        // SAFETY: both places lie in blocks and do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) }
        Ok(())
    }

    /// Sets bytes to zero.
    pub(crate) fn clear(&mut self, at: Address, bytes: usize) -> Result<()> {
        self.expect(at, bytes)?;
        // SAFETY: the place lies in a block.
        unsafe { std::ptr::write_bytes(at as *mut u8, 0, bytes) }
        Ok(())
    }
}

impl Memory {
    /// Refuses a place that does not lie in one block.
    pub(crate) fn expect(&self, at: Address, bytes: usize) -> Result<()> {
        let block = self.blocks.range(..=at).next_back();
        let fits = |(&first, &size): (&Address, &usize)| {
            (at - first).checked_add(bytes as Address).is_some_and(|end| end <= size as Address)
        };
        if block.is_some_and(fits) {
            return Ok(());
        }
        Err(Error::Device {
            problem: format!("{bytes} bytes at {at:#x} are not in memory that is allocated"),
            remedy: "keep an array alive until the work that uses it is done".into(),
        })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        while let Some((&at, _)) = self.blocks.first_key_value() {
            self.release(at);
        }
    }
}

/// At least one byte, so that each block has an address of its own.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()
}
