//! Arrays that a device sends while it works on.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use bytemuck::Pod;
use vortice_core::{Result, lock, zeros};

use crate::buffer::Buffer;
use crate::driver::Mailbox;
use crate::gpu::Gpu;

/// Mailboxes that nothing is on its way to, and how many bytes they take.
type Free = Arc<Mutex<Vec<(usize, Box<dyn Mailbox>)>>>;

/// Sends arrays of a device, to be received when they are wanted.
pub struct Sender {
    gpu: Gpu,
    free: Free,
}

impl Sender {
    /// Of the arrays of a device.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), free: Arc::default() }
    }

    /// Has the device copy the values at these places of arrays, behind all work so far; nothing of a device that cannot.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn send<T: Pod>(&self, pieces: &[(&Buffer<T>, Range<usize>)]) -> Result<Option<Sent<T>>> {
        let stream = &self.gpu.stream;
        stream.not_captured("a download")?;
        let mut sent = Sent { mailboxes: Vec::new(), free: self.free.clone(), holds: PhantomData };
        for (buffer, places) in pieces {
            let bytes = places.len() * size_of::<T>();
            let known = {
                let mut free = lock(&self.free);
                let place = free.iter().position(|(size, _)| *size == bytes);
                place.map(|place| free.swap_remove(place).1)
            };
            let mailbox = match known {
                Some(mailbox) => Some(mailbox),
                None => stream.driver.mailbox(bytes)?,
            };
            let Some(mut mailbox) = mailbox else { return Ok(None) };
            mailbox.send(buffer.place(places.start, places.len()))?;
            sent.mailboxes.push((bytes, mailbox));
        }
        Ok(Some(sent))
    }
}

/// Arrays on their way from a device.
pub struct Sent<T> {
    mailboxes: Vec<(usize, Box<dyn Mailbox>)>,
    free: Free,
    holds: PhantomData<fn() -> T>,
}

impl<T: Pod + Default + Send> Sent<T> {
    /// Waits for them.
    pub fn receive(self) -> Result<Vec<Vec<T>>> {
        let Self { mailboxes, free, .. } = self;
        let receive = |(bytes, mut mailbox): (usize, Box<dyn Mailbox>)| {
            let mut values = zeros(bytes / size_of::<T>());
            mailbox.receive(bytemuck::cast_slice_mut(&mut values))?;
            lock(&free).push((bytes, mailbox));
            Ok(values)
        };
        mailboxes.into_iter().map(receive).collect()
    }
}
