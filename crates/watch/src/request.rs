//! A request as it comes over a connection, with limits on all that it may be.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of the lines before a body.
const HEAD: usize = 8 << 10;

/// Lines of them.
const LINES: usize = 48;

/// Bytes of a body.
const BODY: usize = 4 << 10;

/// How long a request may take to come, and how long a connection may lie idle.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// What is asked.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without its query.
    pub(crate) path: String,
    query: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    authorization: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// The connection was closed, or nothing came for too long.
    Gone,
    /// It is answered by this number.
    Refused(u16),
}

impl Request {
    /// The next request of a connection.
    pub(crate) fn read(from: &mut BufReader<TcpStream>) -> Result<Self, Unread> {
        let head = head(from)?;
        let mut headers = [httparse::EMPTY_HEADER; LINES];
        let mut parsed = httparse::Request::new(&mut headers);
        let complete = parsed.parse(&head).is_ok_and(|status| status.is_complete());
        let (Some(method), Some(target), true) = (parsed.method, parsed.path, complete) else {
            return Err(Unread::Refused(400));
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..Self::default()
        };
        let mut length = 0;
        for header in parsed.headers.iter() {
            let value = std::str::from_utf8(header.value).map_err(|_| Unread::Refused(400))?;
            let place = match header.name.to_ascii_lowercase().as_str() {
                "host" => &mut request.host,
                "origin" => &mut request.origin,
                "authorization" => &mut request.authorization,
                "content-length" => {
                    length = value.parse().map_err(|_| Unread::Refused(400))?;
                    continue;
                }
                "transfer-encoding" => return Err(Unread::Refused(411)),
                _ => continue,
            };
            if place.replace(value.to_owned()).is_some() {
                return Err(Unread::Refused(400));
            }
        }
        if length > BODY {
            return Err(Unread::Refused(413));
        }
        request.body = vec![0; length];
        from.read_exact(&mut request.body).map_err(|_| Unread::Gone)?;
        Ok(request)
    }

    /// A word of the query; what a page of ours asks for needs no escapes.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The same as a number that is one.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.asked(name)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The token that it brings: in a line of its head, or in the address that a person opens.
    pub(crate) fn token(&self) -> Option<&str> {
        let in_head = self.authorization.as_deref().and_then(|text| text.strip_prefix("Bearer "));
        in_head.or_else(|| self.asked("token").filter(|_| self.path == "/"))
    }
}

/// The lines up to the first empty one.
fn head(from: &mut BufReader<TcpStream>) -> Result<Vec<u8>, Unread> {
    let (mut head, begun) = (Vec::new(), Instant::now());
    loop {
        let left = (HEAD + 1).saturating_sub(head.len()) as u64;
        match from.by_ref().take(left).read_until(b'\n', &mut head) {
            Ok(0) | Err(_) => return Err(Unread::Gone),
            Ok(_) if head.len() > HEAD => return Err(Unread::Refused(431)),
            Ok(_) if begun.elapsed() > PATIENCE => return Err(Unread::Refused(408)),
            Ok(_) if head.ends_with(b"\r\n\r\n") || head == b"\r\n" => return Ok(head),
            Ok(_) => {}
        }
    }
}
