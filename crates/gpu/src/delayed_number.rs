//! What a device tells now and then without being waited for.

use bytemuck::Pod;
use vortice_core::Result;

use crate::buffer::Buffer;
use crate::driver::Mailbox;
use crate::gpu::Gpu;

/// One number of a device, as it was some time ago: it travels while the device works on.
pub struct DelayedNumber<T> {
    number: Buffer<T>,
    mailbox: Option<Box<dyn Mailbox>>,
    is_sent: bool,
    latest: T,
}

impl<T: Pod> DelayedNumber<T> {
    /// Of a number that is zero.
    pub fn new(gpu: &Gpu) -> Result<Self> {
        let mut number = gpu.zeros(1)?;
        number.clear()?;
        let mailbox = gpu.stream.driver.mailbox(size_of::<T>())?;
        Ok(Self { number, mailbox, is_sent: false, latest: T::zeroed() })
    }

    /// The number on the device, for kernels.
    pub fn number(&mut self) -> &mut Buffer<T> {
        &mut self.number
    }

    /// Receives what was sent last, for which it waits, and sends the number as it is after all work so
    /// far. A device that cannot send is waited for.
    pub fn exchange(&mut self) -> Result<()> {
        self.receive()?;
        match &mut self.mailbox {
            Some(mailbox) => {
                mailbox.send(self.number.kept())?;
                self.is_sent = true;
                Ok(())
            }
            None => self.number.read(std::slice::from_mut(&mut self.latest)),
        }
    }

    /// The number as it was when it was sent before last.
    pub fn latest(&self) -> T {
        self.latest
    }

    /// The number is zero again, and nothing is on its way.
    pub fn clear(&mut self) -> Result<()> {
        self.receive()?;
        self.latest = T::zeroed();
        self.number.clear()
    }

    fn receive(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.is_sent) {
            return Ok(());
        }
        let bytes = bytemuck::bytes_of_mut(&mut self.latest);
        self.mailbox.as_mut().map_or(Ok(()), |mailbox| mailbox.receive(bytes))
    }
}
