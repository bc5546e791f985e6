//! Where a rank computes.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use vortice_core::Result;

use crate::stream::Stream;

/// Where a rank computes; ranks tell each other theirs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct RankLocation {
    /// The GPU's own number, different for all GPUs in the world; zero for a processor.
    pub(crate) device: [u8; 16],
    machine: [u8; 16],
    program: u64,
}

impl RankLocation {
    /// This rank's.
    ///
    /// # Errors
    /// If the GPU does not tell its number.
    pub(crate) fn of(stream: Option<&Stream>) -> Result<Self> {
        let device = stream.map_or(Ok([0; 16]), |stream| stream.driver.identity())?;
        Ok(Self { device, machine: machine(), program: program() })
    }

    pub(crate) fn has_gpu(&self) -> bool {
        self.device != [0; 16]
    }

    pub(crate) fn shares_gpu(&self, other: &Self) -> bool {
        self.has_gpu() && self.device == other.device
    }

    pub(crate) fn shares_machine(&self, other: &Self) -> bool {
        self.machine == other.machine
    }

    pub(crate) fn shares_program(&self, other: &Self) -> bool {
        self.shares_machine(other) && self.program == other.program
    }
}

/// What tells machines apart: Linux draws a number at each start.
fn machine() -> [u8; 16] {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    std::array::from_fn(|place| {
        let pair = digits.get(2 * place..2 * place + 2);
        let number = pair.and_then(|pair| std::str::from_utf8(pair).ok());
        number.and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0)
    })
}

/// What tells processes apart, also those in containers that count from 1 each.
fn program() -> u64 {
    static DRAWN: OnceLock<u64> = OnceLock::new();
    *DRAWN.get_or_init(|| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u32(std::process::id());
        hasher.finish()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_knows_its_own_seat() {
        let one = RankLocation::of(None).expect("a processor");
        assert_eq!(one, RankLocation::of(None).expect("a processor"));
        assert!(one.shares_program(&one) && !one.has_gpu() && !one.shares_gpu(&one));
        let other = RankLocation { program: one.program ^ 1, ..one };
        assert!(other.shares_machine(&one) && !other.shares_program(&one));
        if std::path::Path::new("/proc/sys/kernel/random/boot_id").exists() {
            assert_ne!(one.machine, [0; 16]);
        }
    }
}
