//! Who may look: those who know the token, from a page of our own, on this machine.

use std::fs::File;
use std::io::Read;

use vortice_core::{Error, Result};

use crate::request::Request;

/// Bytes of a token: 128 bits.
const BYTES: usize = 16;

/// The token of a server, and what it refuses.
pub(crate) struct Guard {
    token: String,
}

impl Guard {
    /// With a token of its own, which the system's source of randomness gives.
    pub(crate) fn new() -> Result<Self> {
        let mut secret = [0_u8; BYTES];
        let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut secret));
        read.map_err(|error| {
            Error::file("/dev/urandom", error, "watch the run where the system has random bits")
        })?;
        Ok(Self { token: secret.iter().map(|byte| format!("{byte:02x}")).collect() })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The number that a request is refused with, if it is. A name that leads here though it is another's (DNS rebinding)
    /// has a foreign host; a page of another has a foreign origin.
    pub(crate) fn refuses(&self, request: &Request) -> Option<u16> {
        let host = request.host.as_deref().unwrap_or_default();
        let own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        if !is_here(host) || !request.origin.as_deref().is_none_or(own) {
            return Some(403);
        }
        let knows = request.token().is_some_and(|token| is_same(token, &self.token));
        (!knows).then_some(401)
    }
}

/// Whether a host is this machine, at any port: a tunnel may have another one at its other end.
fn is_here(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "80"));
    matches!(name, "127.0.0.1" | "localhost") && port.parse::<u16>().is_ok()
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_here() {
        for here in ["127.0.0.1:8080", "localhost:1", "localhost"] {
            assert!(is_here(here), "{here}");
        }
        for other in ["", "evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1]:80"] {
            assert!(!is_here(other), "{other}");
        }
        assert!(!is_here("localhost:x") && !is_here("localhost:1:2"));
    }

    #[test]
    fn tokens_are_compared_as_a_whole() {
        let guard = Guard::new().unwrap_or_else(|error| panic!("{error}"));
        let token = guard.token();
        assert_eq!(token.len(), 2 * BYTES);
        assert!(is_same(token, token) && !is_same(token, &token[1..]) && !is_same(token, ""));
        assert_ne!(token, Guard::new().unwrap_or_else(|error| panic!("{error}")).token());
    }
}
