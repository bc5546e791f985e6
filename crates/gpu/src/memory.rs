//! Memory of a device.

use std::sync::Arc;

use crate::driver::Address;
use crate::stream::Stream;

/// Bytes of a device's memory, given back when dropped.
pub(crate) struct Memory {
    pub(crate) stream: Arc<Stream>,
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
    pub(crate) fn is_on(&self, stream: &Arc<Stream>) -> bool {
        Arc::ptr_eq(&self.stream, stream)
    }
}
