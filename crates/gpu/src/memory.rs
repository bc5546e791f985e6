//! Memory of a device.

use std::rc::Rc;

use crate::driver::Address;
use crate::stream::Stream;

/// Bytes of a device's memory, given back when dropped.
pub(crate) struct Memory {
    pub(crate) stream: Rc<Stream>,
    pub(crate) at: Address,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.at != 0 {
            self.stream.driver.release(self.at);
        }
    }
}

impl Memory {
    pub(crate) fn at(&self) -> Address {
        self.at
    }

    pub(crate) fn is_on(&self, stream: &Rc<Stream>) -> bool {
        Rc::ptr_eq(&self.stream, stream)
    }
}
