//! Copies to and from the device through memory that the device reaches by itself.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::sys;
use rayon::prelude::*;
use vortice_core::Result;

use super::error::check;
use super::event::Event;
use super::session::Session;
use crate::driver::{Address, Mailbox};

/// Bytes of each half of the staging memory.
const HALF: usize = 2 << 20;
/// Bytes of the landing memory at first, and the most that it grows to.
const LANDING: [usize; 2] = [64 << 10, 16 << 20];
/// Bytes that a thread takes from there at a time.
const SHARE: usize = 1 << 20;
/// Uploads begin at multiples of this.
const ALIGNMENT: usize = 64;

/// Host memory that is never paged out.
struct Pinned {
    session: Arc<Session>,
    at: *mut c_void,
    bytes: usize,
}

// SAFETY: it owns the memory, which is the same for all threads of the process.
#[allow(unsafe_code)]
unsafe impl Send for Pinned {}

impl Pinned {
    #[allow(unsafe_code)]
    fn new(session: &Arc<Session>, bytes: usize) -> Result<Self> {
        session.enter()?;
        let mut at = std::ptr::null_mut();
        // SAFETY: a pointer is written to a local.
        check(unsafe { sys::cuMemHostAlloc(&mut at, bytes, 0) }, "allocating pinned host memory")?;
        // SAFETY: so many bytes have just been allocated; they are initialised for Rust.
        unsafe { std::ptr::write_bytes(at.cast::<u8>(), 0, bytes) };
        Ok(Self { session: Arc::clone(session), at, bytes })
    }

    /// The bytes. No copy of the device may be using them.
    #[allow(unsafe_code)]
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: they are allocated, initialised and borrowed through `self` alone.
        unsafe { std::slice::from_raw_parts_mut(self.at.cast(), self.bytes) }
    }
}

impl Drop for Pinned {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // The device may still be copying.
        if self.session.enter().and_then(|()| self.session.wait()).is_ok() {
            // SAFETY: it was allocated once and is not used again.
            let _ = unsafe { sys::cuMemFreeHost(self.at) };
        }
    }
}

/// Where uploads wait for the device, so that the caller need not. One half is filled while the
/// device reads the other.
pub(super) struct Staging {
    halves: [Half; 2],
    current: usize,
}

struct Half {
    pinned: Pinned,
    used: usize,
    /// Reached when the device has read all of it.
    read: Option<Event>,
}

impl Staging {
    pub(super) fn new(session: &Arc<Session>) -> Result<Self> {
        let half = || Ok(Half { pinned: Pinned::new(session, HALF)?, used: 0, read: None });
        Ok(Self { halves: [half()?, half()?], current: 0 })
    }

    /// Copies bytes to the device, behind all work before.
    pub(super) fn upload(&mut self, to: Address, bytes: &[u8]) -> Result<()> {
        let mut to = to;
        for piece in bytes.chunks(HALF) {
            if self.halves[self.current].used + piece.len() > HALF {
                self.turn()?;
            }
            self.halves[self.current].upload(to, piece)?;
            to += piece.len() as Address;
        }
        Ok(())
    }

    /// Goes on in the other half, once the device has read it.
    fn turn(&mut self) -> Result<()> {
        let full = &mut self.halves[self.current];
        full.read = Some(Event::record(&full.pinned.session)?);
        self.current = 1 - self.current;
        let next = &mut self.halves[self.current];
        next.used = 0;
        next.read.take().map_or(Ok(()), |read| read.wait())
    }
}

impl Half {
    #[allow(unsafe_code)]
    fn upload(&mut self, to: Address, piece: &[u8]) -> Result<()> {
        let from = self.used;
        self.used = (from + piece.len()).next_multiple_of(ALIGNMENT);
        // SAFETY: the piece fits behind what is used, which the device does not read at present.
        // No slice of the whole half is made, because the device may be reading what comes before.
        let code = unsafe {
            let place = self.pinned.at.cast::<u8>().add(from);
            std::ptr::copy_nonoverlapping(piece.as_ptr(), place, piece.len());
            let stream = self.pinned.session.stream();
            sys::cuMemcpyHtoDAsync_v2(to, place.cast(), piece.len(), stream)
        };
        check(code, "copying to the GPU")
    }
}

/// Where downloads arrive: copies to pageable memory take longer to begin, and one thread alone would make
/// the pages of a large array.
pub(super) struct Landing {
    pinned: Pinned,
    /// What arrives while the other is emptied; made for the first array that is larger than they are.
    second: Option<Pinned>,
}

impl Landing {
    pub(super) fn new(session: &Arc<Session>) -> Result<Self> {
        Ok(Self { pinned: Pinned::new(session, LANDING[0])?, second: None })
    }

    /// Waits for all work before and copies bytes from the device; the threads of the pool that this is called
    /// in share what is large.
    pub(super) fn download(&mut self, from: Address, bytes: &mut [u8]) -> Result<()> {
        let session = Arc::clone(&self.pinned.session);
        let most = bytes.len().min(LANDING[1]);
        if most > self.pinned.bytes {
            self.pinned = Pinned::new(&session, most.next_power_of_two())?;
        }
        if bytes.len() > LANDING[1] {
            let copied = self.download_in_pieces(&session, from, bytes);
            // Waits also after an error: nothing may arrive later.
            return copied.and(session.wait());
        }
        let landed = &mut self.pinned.bytes()[..bytes.len()];
        fetch(&session, from, landed)?;
        take(landed, bytes);
        Ok(())
    }

    /// One piece arrives while the one before it is taken away.
    fn download_in_pieces(
        &mut self,
        session: &Arc<Session>,
        from: Address,
        bytes: &mut [u8],
    ) -> Result<()> {
        let second = match self.second.take() {
            Some(second) => second,
            None => Pinned::new(session, LANDING[1])?,
        };
        let halves = [&mut self.pinned, self.second.insert(second)];
        let size = |piece: usize| bytes.len().saturating_sub(piece * LANDING[1]).min(LANDING[1]);
        let pieces = bytes.len().div_ceil(LANDING[1]);
        let lengths: Vec<usize> = (0..pieces).map(size).collect();
        let place = |piece: usize| from + (piece * LANDING[1]) as Address;
        let mut coming = Some(halves[0].receive(place(0), lengths[0])?);
        for (piece, to) in bytes.chunks_mut(LANDING[1]).enumerate() {
            let (next, arriving) = (piece + 1, coming.take());
            if next < pieces {
                coming = Some(halves[next % 2].receive(place(next), lengths[next])?);
            }
            arriving.map_or(Ok(()), |arriving| arriving.wait())?;
            let landed = &halves[piece % 2].bytes()[..to.len()];
            take(landed, to);
        }
        Ok(())
    }
}

/// Copies what has landed.
fn take(landed: &[u8], to: &mut [u8]) {
    let pieces = to.par_chunks_mut(SHARE).zip(landed.par_chunks(SHARE));
    pieces.for_each(|(to, landed)| to.copy_from_slice(landed));
}

impl Pinned {
    /// Has the device copy so many bytes to here, behind all work before; tells when they are there.
    #[allow(unsafe_code)]
    fn receive(&mut self, from: Address, bytes: usize) -> Result<Event> {
        assert!(bytes <= self.bytes, "more bytes than there is room for");
        // SAFETY: the pinned memory has room for them and lives until the stream has been waited for; the host
        // does not look at it before the event that follows.
        let code =
            unsafe { sys::cuMemcpyDtoHAsync_v2(self.at, from, bytes, self.session.stream()) };
        check(code, "copying from the GPU")?;
        Event::record(&self.session)
    }
}

/// Where a few bytes arrive while the host goes on.
pub(super) struct PinnedMailbox {
    pinned: Pinned,
    /// Reached when the bytes sent last are there.
    arrived: Option<Event>,
}

impl PinnedMailbox {
    pub(super) fn new(session: &Arc<Session>, bytes: usize) -> Result<Self> {
        Ok(Self { pinned: Pinned::new(session, bytes)?, arrived: None })
    }
}

impl Mailbox for PinnedMailbox {
    fn send(&mut self, from: Address) -> Result<()> {
        self.pinned.session.enter()?;
        self.arrived = Some(self.pinned.receive(from, self.pinned.bytes)?);
        Ok(())
    }

    fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.pinned.session.enter()?;
        self.arrived.take().map_or(Ok(()), |arrived| arrived.wait())?;
        bytes.copy_from_slice(&self.pinned.bytes()[..bytes.len()]);
        Ok(())
    }
}

#[allow(unsafe_code)]
fn fetch(session: &Session, from: Address, bytes: &mut [u8]) -> Result<()> {
    let to = bytes.as_mut_ptr().cast();
    // SAFETY: `bytes` is borrowed until the stream has been waited for, below.
    let code = unsafe { sys::cuMemcpyDtoHAsync_v2(to, from, bytes.len(), session.stream()) };
    let begun = check(code, "copying from the GPU");
    // Waits also after an error: nothing may arrive later.
    let waited = session.wait();
    begun.and(waited)
}
