//! Connections of this machine alone, each on a thread of its own, and no more than a few.

use std::io::BufReader;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use vortice_core::{Error, Result};

use crate::answer::Answer;
use crate::guard::Guard;
use crate::request::{PATIENCE, Request, Unread};

/// Connections at the same time: two pages take twelve at most.
const MOST: usize = 16;

/// Answers requests that the guard lets pass.
pub(crate) type Answers = dyn Fn(&Request) -> Answer + Send + Sync;

/// A server that listens until it is dropped.
pub(crate) struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
}

struct Shared {
    guard: Guard,
    answers: Box<Answers>,
    open: AtomicUsize,
    is_over: AtomicBool,
}

/// A port of the loopback that is taken, and the token of who may knock there.
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
}

impl Door {
    /// Takes a port, or a free one.
    ///
    /// # Errors
    /// If it cannot be had, or the system has no random bits.
    pub fn at(port: Option<u16>) -> Result<Self> {
        let guard = Guard::new()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
        let listener = listener.map_err(|error| cannot(&error))?;
        let address = listener.local_addr().map_err(|error| cannot(&error))?;
        Ok(Self { listener, address, guard })
    }

    /// The address to open, with its token: who has it may watch and steer.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.guard.token())
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

fn cannot(error: &std::io::Error) -> Error {
    Error::Command {
        argument: "--watch".into(),
        problem: format!("no port of 127.0.0.1 can be listened at: {error}"),
        remedy: "give another port, `--watch=8000`, or none".into(),
    }
}

impl Server {
    /// Answers at a door.
    ///
    /// # Errors
    /// If no thread can be made.
    pub(crate) fn listen(door: Door, answers: Box<Answers>) -> Result<Self> {
        let Door { listener, address, guard } = door;
        let (open, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = Arc::new(Shared { guard, answers, open, is_over });
        let of_thread = shared.clone();
        let accept = move || {
            for stream in listener.incoming() {
                if of_thread.is_over.load(Ordering::SeqCst) {
                    return;
                }
                if let Ok(stream) = stream {
                    Shared::take(&of_thread, stream);
                }
            }
        };
        let thread = std::thread::Builder::new().name("vortice page".into()).spawn(accept);
        thread.map_err(|error| cannot(&error))?;
        Ok(Self { shared, address })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // It waits for a connection: this is the last.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    /// Serves a connection on a thread of its own, if there is one.
    fn take(this: &Arc<Self>, stream: TcpStream) {
        let shared = this.clone();
        if shared.open.fetch_add(1, Ordering::SeqCst) >= MOST {
            shared.open.fetch_sub(1, Ordering::SeqCst);
            let _ = stream.set_write_timeout(Some(PATIENCE));
            let _ = Answer::refusal(503).send(&stream, true);
            return;
        }
        let serve = move || {
            shared.serve(stream);
            shared.open.fetch_sub(1, Ordering::SeqCst);
        };
        if std::thread::Builder::new().name("vortice page".into()).spawn(serve).is_err() {
            this.open.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Answers until the other side goes or is refused.
    fn serve(&self, stream: TcpStream) {
        let timed = stream
            .set_read_timeout(Some(PATIENCE))
            .and_then(|()| stream.set_write_timeout(Some(PATIENCE)))
            .and_then(|()| stream.set_nodelay(true))
            .and_then(|()| stream.try_clone());
        let Ok(reading) = timed else { return };
        let mut reading = BufReader::new(reading);
        while !self.is_over.load(Ordering::SeqCst) {
            let (answer, last) = match Request::read(&mut reading) {
                Ok(request) => match self.guard.refuses(&request) {
                    Some(status) => (Answer::refusal(status), true),
                    None => ((self.answers)(&request), false),
                },
                Err(Unread::Refused(status)) => (Answer::refusal(status), true),
                Err(Unread::Gone) => return,
            };
            let last = last || answer.status != 200;
            if answer.send(&stream, last).is_err() || last {
                return;
            }
        }
    }
}
