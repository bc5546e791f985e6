//! Large pages for large arrays: the kernel makes memory in pieces of 2 MiB in place of 4 KiB, where it may.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;

use rustix::mm::{Advice, madvise};

/// Bytes of a large page.
const PAGE: usize = 2 << 20;

/// The system's memory, in large pages for arrays of several of them.
pub(crate) struct LargePages;

impl LargePages {
    /// Asks for large pages wherever they fit into fresh memory.
    #[allow(unsafe_code)]
    fn advise(at: *mut u8, bytes: usize) {
        if bytes < 4 * PAGE || at.is_null() {
            return;
        }
        let before = at.align_offset(PAGE);
        let whole = (bytes - before) / PAGE * PAGE;
        // SAFETY: these pages are inside what was just allocated; the advice changes no byte of them. That it is
        // not taken everywhere is no fault.
        let _ = unsafe { madvise(at.add(before).cast::<c_void>(), whole, Advice::LinuxHugepage) };
    }
}

// SAFETY: all memory is the system's.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let at = unsafe { System.alloc(layout) };
        Self::advise(at, layout.size());
        at
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let at = unsafe { System.alloc_zeroed(layout) };
        Self::advise(at, layout.size());
        at
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        let at = unsafe { System.realloc(at, layout, bytes) };
        Self::advise(at, bytes);
        at
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}
