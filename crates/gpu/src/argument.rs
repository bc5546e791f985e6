//! What a kernel is launched with.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::Arc;

use bytemuck::Pod;

use crate::driver::Address;
use crate::memory::Memory;

/// One argument of a launch, under the name that the kernel gives it.
#[derive(Clone)]
pub struct Argument<'a> {
    pub(crate) name: &'static str,
    /// Bytes of one element of an array, or of the value.
    pub(crate) size: usize,
    pub(crate) kind: Kind<'a>,
}

/// What an argument is.
#[derive(Clone)]
pub(crate) enum Kind<'a> {
    /// An array; the kernel gets its address.
    Array { at: Address, memory: &'a Arc<Memory>, written: bool },
    /// An array in the memory of another device, which is written.
    Elsewhere { at: Address },
    /// A number or structure; the kernel gets a copy.
    Value { at: *const c_void, borrowed: PhantomData<&'a c_void> },
}

/// A number or structure as the parameter `const T name` of a kernel.
pub fn value<'a, T: Pod>(name: &'static str, value: &'a T) -> Argument<'a> {
    let at = std::ptr::from_ref(value).cast();
    Argument { name, size: size_of::<T>(), kind: Kind::Value { at, borrowed: PhantomData } }
}

impl<'a> Argument<'a> {
    /// An array in the memory of another device.
    pub(crate) fn elsewhere<T>(name: &'static str, at: Address) -> Self {
        Self { name, size: size_of::<T>(), kind: Kind::Elsewhere { at } }
    }

    /// An array that begins there, within this memory.
    pub(crate) fn array<T>(
        name: &'static str,
        (at, memory): (Address, &'a Arc<Memory>),
        written: bool,
    ) -> Self {
        Self { name, size: size_of::<T>(), kind: Kind::Array { at, memory, written } }
    }

    /// Where the driver finds the value or address.
    pub(crate) fn pointer(&self) -> *const c_void {
        match &self.kind {
            Kind::Array { at, .. } | Kind::Elsewhere { at } => std::ptr::from_ref(at).cast(),
            Kind::Value { at, .. } => *at,
        }
    }

    /// The memory of an array.
    pub(crate) fn memory(&self) -> Option<&Arc<Memory>> {
        match &self.kind {
            Kind::Array { memory, .. } => Some(memory),
            Kind::Elsewhere { .. } | Kind::Value { .. } => None,
        }
    }
}
