//! An answer, with what a browser must know not to do more than it should.

use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value, json};
use vortice_core::Error;

/// What is sent back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    kind: &'static str,
    /// What scripts and styles may come from; nothing may if it is empty.
    policy: String,
    body: Vec<u8>,
}

impl Answer {
    /// A page whose scripts and styles carry a word that is made for it alone.
    pub(crate) fn page(text: String, nonce: &str) -> Self {
        let policy = format!(
            "; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data: blob:"
        );
        Self { status: 200, kind: "text/html; charset=utf-8", policy, body: text.into_bytes() }
    }

    pub(crate) fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, kind: "application/octet-stream", policy: String::new(), body }
    }

    pub(crate) fn json(value: &Value) -> Self {
        let body = value.to_string().into_bytes();
        Self { status: 200, kind: "application/json", policy: String::new(), body }
    }

    /// What a page is told of an error: it is an answer like others, since a browser would complain of it elsewhere.
    pub(crate) fn refused(error: &Error) -> Self {
        Self::json(&json!({ "refused": told(error) }))
    }

    pub(crate) fn refusal(status: u16) -> Self {
        let body = format!("{status} {}\n", words(status)).into_bytes();
        Self { status, kind: "text/plain; charset=utf-8", policy: String::new(), body }
    }

    /// Sends it; `last` if the connection is closed behind it.
    pub(crate) fn send(&self, mut to: &TcpStream, last: bool) -> std::io::Result<()> {
        let Self { status, kind, policy, body } = self;
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: {}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'{policy}\r\n\r\n",
            words(*status),
            body.len(),
            if last { "close" } else { "keep-alive" },
        );
        let all = [head.as_bytes(), body].concat();
        to.write_all(&all).and_then(|()| to.flush())
    }
}

fn words(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Refused",
    }
}

/// An error in words.
pub(crate) fn told(error: &Error) -> Value {
    json!({ "problem": error.to_string(), "remedy": error.remedy() })
}
