//! Memory for large arrays: in pieces of 2 MiB in place of 4 KiB, where the kernel may; and what is given back is kept for
//! the next array of its size. Slab after slab of a large flow needs arrays of the same few sizes, and to be given fresh
//! pages for each took a third of the time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::mm::{Advice, madvise};

/// Bytes of a large page.
const PAGE: usize = 2 << 20;

/// Bytes of the smallest and of the largest array that is kept.
const KEPT: [usize; 2] = [4 * PAGE, 256 << 20];

/// How many arrays are kept at most: several of each rank.
const SPARES: usize = 32;

/// Bytes that are kept at most, all together.
const ALL_KEPT: usize = 512 << 20;

/// Exit code of a program that the system gives no memory.
const NO_MEMORY: i32 = 3;

/// A number in decimal digits, which take the end of a text.
fn decimal(number: usize, text: &mut [u8; 20]) -> &[u8] {
    let (mut rest, mut first) = (number, text.len());
    while first > 0 && (rest > 0 || first == text.len()) {
        first -= 1;
        text[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    &text[first..]
}

/// The system's memory, in large pages for arrays of several of them.
pub(crate) struct LargePages;

/// Arrays that were given back, those that came first before the others: where they are and how many bytes they have.
struct Spare([(usize, usize); SPARES]);

static SPARE: Mutex<Spare> = Mutex::new(Spare([(0, 0); SPARES]));

impl Spare {
    fn lock() -> MutexGuard<'static, Self> {
        SPARE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an array is one that is kept.
    fn suits(layout: Layout) -> bool {
        (KEPT[0]..=KEPT[1]).contains(&layout.size()) && layout.align() <= 16
    }

    /// Gives up the one that has been kept for longest; nothing if there is none.
    fn give_up(&mut self) -> (*mut u8, usize) {
        let first = self.0.iter_mut().find(|(at, _)| *at != 0);
        let (at, bytes) = first.map_or((0, 0), std::mem::take);
        (at as *mut u8, bytes)
    }

    /// One that is large enough, and not much larger; null if there is none.
    fn take(&mut self, bytes: usize) -> *mut u8 {
        let fits = |&&mut (_, has): &&mut (usize, usize)| has >= bytes && has <= bytes + bytes / 4;
        let found = self.0.iter_mut().filter(fits).min_by_key(|(_, has)| *has);
        found.map_or(null_mut(), |spare| std::mem::take(&mut spare.0) as *mut u8)
    }

    /// Keeps an array, if there is room, or returns it.
    fn put(&mut self, at: *mut u8, bytes: usize) -> *mut u8 {
        let kept = self.0.iter().filter(|(at, _)| *at != 0).map(|(_, has)| has);
        if kept.clone().count() == SPARES || kept.sum::<usize>() + bytes > ALL_KEPT {
            return at;
        }
        // The others keep their order.
        let mut end = 0;
        for place in 0..SPARES {
            if self.0[place].0 != 0 {
                self.0.swap(place, end);
                end += 1;
            }
        }
        self.0[end] = (at as usize, bytes);
        null_mut()
    }
}

/// Heaps that threads share at most, each of which keeps some of what was given back.
#[cfg(target_env = "gnu")]
const HEAPS: i32 = 4;

/// Lets all threads share a few heaps: with one for each, what sixteen threads had given back was half of the memory of a run.
#[cfg(target_env = "gnu")]
#[allow(unsafe_code)]
pub(crate) fn share_heaps() {
    // SAFETY: it sets a number of the system's memory; that it may refuse does no harm.
    let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, HEAPS) };
}

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

    /// Ends the program as other failures of the machine do where there is no memory: what has been written stays as it is.
    fn expect(at: *mut u8, bytes: usize) {
        if at.is_null() {
            // Nothing here may ask for memory.
            let mut text = [0; 20];
            let digits = decimal(bytes, &mut text);
            let words: [&[u8]; 3] = [
                b"error: the system gives no memory for an array of ",
                digits,
                b" bytes\n  help: take fewer cells, or run.precision = \"f32\"; go on from the last checkpoint with --restart\n",
            ];
            for words in words {
                let _ = rustix::io::write(rustix::stdio::stderr(), words);
            }
            signal_hook::low_level::exit(NO_MEMORY);
        }
    }

    /// An array that was given back; null if there is none. Then as much is given up of those that have been kept for
    /// longest: what one stage of a run leaves does not add up with what the next one needs.
    #[allow(unsafe_code)]
    fn spare(layout: Layout) -> *mut u8 {
        if !Spare::suits(layout) {
            return null_mut();
        }
        let spare = Spare::lock().take(layout.size());
        let mut given_up = 0;
        while spare.is_null() && given_up < layout.size() {
            let (at, bytes) = Spare::lock().give_up();
            if at.is_null() {
                break;
            }
            given_up += bytes;
            // SAFETY: it came from the system, and its owner gave it back; the system asks for no size.
            unsafe { System.dealloc(at, layout) }
        }
        spare
    }
}

// SAFETY: all memory is the system's, which frees an array without asking for its size; what is kept is given to one
// owner, and has as many bytes as it asks for.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let spare = Self::spare(layout);
        if !spare.is_null() {
            return spare;
        }
        // SAFETY: as the caller promises.
        let at = unsafe { System.alloc(layout) };
        Self::expect(at, layout.size());
        Self::advise(at, layout.size());
        at
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let spare = Self::spare(layout);
        if !spare.is_null() {
            // SAFETY: it has so many bytes.
            unsafe { spare.write_bytes(0, layout.size()) };
            return spare;
        }
        // SAFETY: as the caller promises.
        let at = unsafe { System.alloc_zeroed(layout) };
        Self::expect(at, layout.size());
        Self::advise(at, layout.size());
        at
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        let at = unsafe { System.realloc(at, layout, bytes) };
        Self::expect(at, bytes);
        Self::advise(at, bytes);
        at
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let at = if Spare::suits(layout) { Spare::lock().put(at, layout.size()) } else { at };
        if !at.is_null() {
            // SAFETY: as the caller promises, or as the one who gave the other array back did; the system asks for no
            // size.
            unsafe { System.dealloc(at, layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_without_asking_for_memory() {
        for (number, digits) in
            [(0, "0"), (7, "7"), (1_250, "1250"), (usize::MAX, "18446744073709551615")]
        {
            assert_eq!(decimal(number, &mut [0; 20]), digits.as_bytes());
        }
    }

    #[test]
    fn arrays_come_back_once_and_the_oldest_are_given_up_first() {
        let (mut spare, at) = (Spare([(0, 0); SPARES]), |n: usize| (n << 24) as *mut u8);
        assert!(spare.take(10).is_null(), "there is none");
        for n in 1..=SPARES {
            assert!(spare.put(at(n), 100 * n).is_null(), "there is room");
        }
        assert_eq!(spare.put(at(40), 7000), at(40), "there is no room");
        assert_eq!(spare.give_up(), (at(1), 100));
        assert_eq!(spare.take(390), at(4), "the smallest that is large enough");
        assert!(spare.take(390).is_null(), "only once, and none that is much larger");
        assert_eq!(spare.take(600), at(6));
        assert_eq!(spare.put(at(42), ALL_KEPT), at(42), "too much");
        assert!(spare.put(at(43), 10).is_null());
        let order: Vec<_> =
            std::iter::from_fn(|| Some(spare.give_up()).filter(|(at, _)| !at.is_null())).collect();
        assert_eq!(
            (order[0].0, order[1].0, order.last().map(|one| one.0)),
            (at(2), at(3), Some(at(43)))
        );
    }
}
