//! Responses.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Switching = 101,
    Ok = 200,
    Bad = 400,
    NoToken = 401,
    Forbidden = 403,
    NotFound = 404,
    Method = 405,
    Timeout = 408,
    LengthRequired = 411,
    BodyTooLarge = 413,
    LineTooLong = 414,
    Cannot = 422,
    HeadTooLarge = 431,
    Internal = 500,
    Busy = 503,
    Version = 505,
}

impl Status {
    fn words(self) -> &'static str {
        match self {
            Status::Switching => "Switching Protocols",
            Status::Ok => "OK",
            Status::Bad => "Bad Request",
            Status::NoToken => "Unauthorized",
            Status::Forbidden => "Forbidden",
            Status::NotFound => "Not Found",
            Status::Method => "Method Not Allowed",
            Status::Timeout => "Request Timeout",
            Status::LengthRequired => "Length Required",
            Status::BodyTooLarge => "Content Too Large",
            Status::LineTooLong => "URI Too Long",
            Status::Cannot => "Unprocessable Content",
            Status::HeadTooLarge => "Request Header Fields Too Large",
            Status::Internal => "Internal Server Error",
            Status::Busy => "Service Unavailable",
            Status::Version => "HTTP Version Not Supported",
        }
    }
}

/// Headers of every response. Scripts, styles and connections only from the server itself; nothing inline, nothing framed.
pub(super) const HEADERS: &[(&str, &str)] = &[
    (
        "Content-Security-Policy",
        "default-src 'self'; connect-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];

/// A response.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: Status,
    media: &'static str,
    body: Cow<'static, [u8]>,
    /// The key that accepts a WebSocket.
    pub(super) accept: Option<String>,
}

impl Response {
    /// A response that consists of a status.
    pub(super) fn of(status: Status) -> Self {
        Self::text(status, status.words())
    }

    pub(super) fn text(status: Status, text: &str) -> Self {
        Self {
            status,
            media: "text/plain; charset=utf-8",
            body: Cow::Owned(format!("{text}\n").into_bytes()),
            accept: None,
        }
    }

    pub(super) fn new(media: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self {
            status: Status::Ok,
            media,
            body: body.into(),
            accept: None,
        }
    }

    pub(super) fn json(value: &serde_json::Value) -> Self {
        Self::new("application/json", value.to_string().into_bytes())
    }

    pub(super) fn binary(bytes: Vec<u8>) -> Self {
        Self::new("application/octet-stream", bytes)
    }

    /// Sends the response before a deadline; `head_only` omits the body.
    pub(super) fn send(
        self,
        stream: &TcpStream,
        deadline: Instant,
        head_only: bool,
    ) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(1024 + self.body.len());
        write!(
            bytes,
            "HTTP/1.1 {} {}\r\n",
            self.status as u16,
            self.status.words()
        )?;
        for (name, value) in HEADERS {
            write!(bytes, "{name}: {value}\r\n")?;
        }
        if let Some(key) = &self.accept {
            write!(
                bytes,
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: {key}\r\n\r\n"
            )?;
        } else {
            if self.status == Status::NoToken {
                write!(bytes, "WWW-Authenticate: Bearer\r\n")?;
            }
            write!(
                bytes,
                "Connection: close\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
                self.media,
                self.body.len()
            )?;
            if !head_only {
                bytes.extend_from_slice(&self.body);
            }
        }
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(1) {
                return Err(ErrorKind::TimedOut.into());
            }
            stream.set_write_timeout(Some(left))?;
            match (&*stream).write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(n) => rest = &rest[n..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
