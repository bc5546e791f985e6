//! A field that a device may still be sending.

use crate::error::Result;
use crate::field::Field;

/// A field of some moment, to be received when it is wanted, by any thread: the run that it is of goes on meanwhile.
pub struct FieldLater(Box<dyn FnOnce() -> Result<Field> + Send>);

impl FieldLater {
    /// What `receive` waits for and returns.
    pub fn new(receive: impl FnOnce() -> Result<Field> + Send + 'static) -> Self {
        Self(Box::new(receive))
    }

    /// The same with another change at the end.
    #[must_use]
    pub fn then(self, change: impl FnOnce(Field) -> Field + Send + 'static) -> Self {
        Self::new(move || self.receive().map(change))
    }

    /// Waits for it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn receive(self) -> Result<Field> {
        (self.0)()
    }
}

impl From<Field> for FieldLater {
    fn from(field: Field) -> Self {
        Self::new(|| Ok(field))
    }
}

impl std::fmt::Debug for FieldLater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a field that may be on its way")
    }
}
