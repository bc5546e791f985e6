//! Which kernels this process has launched, and how they fill a multiprocessor.

use std::sync::Mutex;

use serde::Serialize;
use vortice_core::lock;

/// A kernel as it was launched for the first time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Launched {
    /// Its name.
    pub kernel: String,
    /// The program that it is of.
    pub program: String,
    /// Threads of a block in x, y and z.
    pub threads: [u32; 3],
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's memory for what has no register.
    pub spilled: u32,
    /// Share of a multiprocessor's threads that can be at work at the same time.
    pub occupancy: f64,
}

static ALL: Mutex<Vec<Launched>> = Mutex::new(Vec::new());

/// All kernels that CUDA has launched in this process, each as it was launched for the first time.
pub fn launched() -> Vec<Launched> {
    lock(&ALL).clone()
}

/// Notes a kernel.
pub(super) fn note(kernel: Launched) {
    lock(&ALL).push(kernel);
}
