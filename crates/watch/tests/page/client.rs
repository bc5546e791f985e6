//! A page without a browser: requests over a connection, and what comes back.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use vortice_core::{Case, Every, Monitor};
use vortice_post::references::Reference;
use vortice_study::{Session, open_case};
use vortice_watch::{Course, Door, Watch, Watched};

/// A cavity that goes on for as long as it is watched.
pub fn endless(method: &str, cells: usize, more: &[&str]) -> Case {
    let mut sets = vec![format!("grid.cells=[{cells},{cells},1]"), format!("run.method={method}")];
    sets.extend(
        ["run.until=steady", "run.steady=1e-14", "run.max-steps=100000000"].map(String::from),
    );
    sets.extend(more.iter().map(ToString::to_string));
    open_case("cavity", &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// A reply: its number, its head, its body.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.head))
    }

    /// The words and the bytes of an image.
    pub fn image(&self) -> (Value, &[u8]) {
        let length = u32::from_le_bytes(self.body[..4].try_into().expect("four bytes")) as usize;
        let words = serde_json::from_slice(&self.body[4..4 + length]).expect("words");
        (words, &self.body[4 + length..])
    }
}

/// A page of some address.
#[derive(Clone)]
pub struct Client {
    pub host: String,
    pub token: String,
}

impl Client {
    /// From the address that a person opens.
    pub fn at(address: &str) -> Self {
        let rest = address.strip_prefix("http://").expect("an address");
        let (host, token) = rest.split_once("/?token=").expect("a token");
        Self { host: host.into(), token: token.into() }
    }

    /// Sends bytes as they are; nothing if the server closes without a word.
    pub fn raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        reply(&all)
    }

    /// Sends a request whose lines are given, and reads until the server closes.
    pub fn send(&self, method: &str, path: &str, lines: &[&str], body: &str) -> Option<Reply> {
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\n{lines}Content-Length: {length}\r\n\r\n");
        let mut stream = TcpStream::connect(&self.host).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let _ = stream.write_all(format!("{head}{body}").as_bytes());
        read_one(&mut stream)
    }

    /// As a page of our own does.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        let host = format!("Host: {}", self.host);
        let token = format!("Authorization: Bearer {}", self.token);
        self.send(method, path, &[&host, &token], body)
            .unwrap_or_else(|| panic!("no reply to {path}"))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, "")
    }

    pub fn order(&self, body: &str) -> Value {
        self.ask("POST", "/command", body).json()
    }

    /// Where the run is.
    pub fn moment(&self) -> Value {
        self.get("/image").image().0
    }
}

/// One reply of a connection that may stay open.
fn read_one(stream: &mut TcpStream) -> Option<Reply> {
    let (mut all, mut part) = (Vec::new(), [0; 65536]);
    loop {
        if let Some(reply) = reply(&all) {
            return Some(reply);
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return reply(&all),
            Ok(n) => all.extend(&part[..n]),
        }
    }
}

/// The reply that bytes begin with, once all of it is there.
fn reply(all: &[u8]) -> Option<Reply> {
    let end = all.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
    let length: usize = length.parse().ok()?;
    (all.len() >= end + length).then(|| Reply {
        status,
        head,
        body: all[end..end + length].to_vec(),
    })
}

/// Serves a case while `look` looks at it, then stops it.
pub fn watched<T>(
    case: Case,
    more: impl Monitor + 'static,
    look: impl FnOnce(&Client) -> T,
) -> (Watched, T) {
    let references = Reference::of(&case).unwrap_or_else(|error| panic!("{error}"));
    let (course, door) = (Course::default(), Door::at(None).expect("a port"));
    let (steps, client) = (course.clone(), Client::at(&door.address()));
    let session = Session::begin(case, 1, |simulation, _| {
        Ok(simulation.watch(Every::Steps(1), steps).watch(Every::Steps(1), more))
    });
    let session = Arc::new(session.unwrap_or_else(|error| panic!("{error}")));
    let watch = Watch::open(door, session, &references, course).expect("a page");
    std::thread::scope(|scope| {
        let run = scope.spawn(|| watch.drive(|| false));
        let looked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| look(&client)));
        if run.is_finished() {
            assert!(looked.is_ok(), "the run was over");
        } else {
            client.order("{\"stop\":true}");
        }
        let outcome = run.join().expect("no panic").unwrap_or_else(|error| panic!("{error}"));
        (outcome, looked.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Waits until something holds.
pub fn until(what_for: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{what_for} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}
