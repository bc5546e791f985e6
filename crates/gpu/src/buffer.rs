//! Arrays in a device's memory.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;
use vortice_core::{Result, zeros};

use crate::argument::Argument;
use crate::driver::Address;
use crate::memory::Memory;
use crate::stream::Stream;

/// An array in a device's memory, freed when it and the graphs that use it are dropped.
pub struct Buffer<T> {
    memory: Arc<Memory>,
    /// Where it is.
    at: Address,
    len: usize,
    holds: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    pub(crate) fn zeros(stream: &Arc<Stream>, len: usize) -> Result<Self> {
        let at = match len.saturating_mul(size_of::<T>()) {
            0 => 0,
            bytes => {
                stream.not_captured("an allocation")?;
                stream.driver.allocate(bytes)?
            }
        };
        let memory = Arc::new(Memory { stream: Arc::clone(stream), at });
        Ok(Self { memory, at, len, holds: PhantomData })
    }

    /// Some of its values as an array of their own, in the same memory: what is written to one of the
    /// two, the other has.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn part(&self, places: Range<usize>) -> Self {
        let (at, len) = (self.place(places.start, places.len()), places.len());
        Self { memory: Arc::clone(&self.memory), at, len, holds: PhantomData }
    }

    /// Where it is; it lives as long as the graph that is being captured.
    pub(crate) fn kept(&self) -> Address {
        self.stream().keep(|kept| kept.push(self.memory.clone()));
        self.at
    }

    /// Where it is.
    pub(crate) fn address(&self) -> Address {
        self.at
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Copies all values to the device; `values` may change as soon as this returns.
    ///
    /// # Panics
    /// If `values` has another length.
    pub fn write(&mut self, values: &[T]) -> Result<()> {
        assert_eq!(values.len(), self.len, "values for an array of another length");
        self.write_at(0, values)
    }

    /// Copies values to the device, to the places from `first` on.
    ///
    /// # Panics
    /// If they go beyond the end.
    pub fn write_at(&mut self, first: usize, values: &[T]) -> Result<()> {
        let at = self.place(first, values.len());
        self.stream().not_captured("an upload")?;
        if size_of_val(values) == 0 {
            return Ok(());
        }
        self.stream().driver.upload(at, bytemuck::cast_slice(values))
    }

    /// Waits for all work before and copies the first values from the device, as many as `values`
    /// has places.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn read(&self, values: &mut [T]) -> Result<()> {
        self.read_at(0, values)
    }

    /// The same with the values from `first` on.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn read_at(&self, first: usize, values: &mut [T]) -> Result<()> {
        let at = self.place(first, values.len());
        self.stream().not_captured("a download")?;
        if size_of_val(values) == 0 {
            return Ok(());
        }
        self.stream().driver.download(at, bytemuck::cast_slice_mut(values))
    }

    /// Waits for all work before and copies all values from the device.
    ///
    /// # Errors
    /// As [`Buffer::read`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); self.len];
        self.read(&mut values)?;
        Ok(values)
    }

    /// Copies all values of another array on the device. Can be captured.
    ///
    /// # Panics
    /// If the other array has another length or lies on another device.
    pub fn copy_from(&mut self, other: &Self) -> Result<()> {
        assert_eq!(other.len, self.len, "a copy of an array of another length");
        assert!(other.is_on(self.stream()), "a copy from another device");
        if self.at == 0 {
            return Ok(());
        }
        self.stream().keep(|kept| kept.extend([self, other].map(|one| one.memory.clone() as _)));
        self.stream().driver.copy(other.at, self.at, self.bytes())
    }

    /// Sets all values to zero. Can be captured.
    pub fn clear(&mut self) -> Result<()> {
        if self.at == 0 {
            return Ok(());
        }
        self.stream().keep(|kept| kept.push(self.memory.clone()));
        self.stream().driver.clear(self.at, self.bytes())
    }

    /// This array as the parameter `const T* name` of a kernel.
    pub fn input(&self, name: &'static str) -> Argument<'_> {
        Argument::array::<T>(name, (self.at, &self.memory), false)
    }

    /// This array as the parameter `T* name` of a kernel.
    pub fn output(&mut self, name: &'static str) -> Argument<'_> {
        Argument::array::<T>(name, (self.at, &self.memory), true)
    }

    fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    fn stream(&self) -> &Arc<Stream> {
        &self.memory.stream
    }

    fn is_on(&self, stream: &Arc<Stream>) -> bool {
        self.memory.is_on(stream)
    }

    /// Where the values from `first` on lie; there are `count` of them.
    pub(crate) fn place(&self, first: usize, count: usize) -> Address {
        let fits = first.checked_add(count).is_some_and(|end| end <= self.len);
        assert!(fits, "values {first} to {first} + {count} of an array of {}", self.len);
        self.at + (first * size_of::<T>()) as Address
    }
}

impl<T: Pod + Default + Send> Buffer<T> {
    /// Waits for all work before and copies the values at some places from the device, for which all threads make room.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn slice_to_vec(&self, places: Range<usize>) -> Result<Vec<T>> {
        let mut values = zeros(places.len());
        self.read_at(places.start, &mut values)?;
        Ok(values)
    }
}

impl<T> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer of {} values at {:#x}", self.len, self.at)
    }
}
