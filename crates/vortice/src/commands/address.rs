//! Where a page is, for a person who opens it.

use vortice_watch::Door;

use crate::say;

/// Tells the address of a page, and how it is reached from the other end of a connection by `ssh`.
pub(super) fn tell(verb: &str, door: &Door) {
    let (address, port) = (door.address(), door.port());
    let tunnel = match std::env::var("SSH_CONNECTION") {
        Ok(connection) => {
            let host = host(&connection);
            format!("; on your own machine first: ssh -N -L {port}:127.0.0.1:{port} {host}")
        }
        Err(_) => String::new(),
    };
    say::remark(&format!("{verb} at {address}{tunnel}"));
}

/// The user and this machine, as `ssh` is told them: a connection is the address and port of both ends.
fn host(connection: &str) -> String {
    let user = std::env::var("USER").map(|user| format!("{user}@")).unwrap_or_default();
    let address = connection.split_whitespace().nth(2).unwrap_or("HOST");
    format!("{user}{address}")
}
