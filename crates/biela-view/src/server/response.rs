//! Responses.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HttpStatus {
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

impl HttpStatus {
    fn words(self) -> &'static str {
        match self {
            HttpStatus::Switching => "Switching Protocols",
            HttpStatus::Ok => "OK",
            HttpStatus::Bad => "Bad Request",
            HttpStatus::NoToken => "Unauthorized",
            HttpStatus::Forbidden => "Forbidden",
            HttpStatus::NotFound => "Not Found",
            HttpStatus::Method => "Method Not Allowed",
            HttpStatus::Timeout => "Request Timeout",
            HttpStatus::LengthRequired => "Length Required",
            HttpStatus::BodyTooLarge => "Content Too Large",
            HttpStatus::LineTooLong => "URI Too Long",
            HttpStatus::Cannot => "Unprocessable Content",
            HttpStatus::HeadTooLarge => "Request Header Fields Too Large",
            HttpStatus::Internal => "Internal Server Error",
            HttpStatus::Busy => "Service Unavailable",
            HttpStatus::Version => "HTTP Version Not Supported",
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
pub(super) struct HttpResponse {
    pub(super) status: HttpStatus,
    media: &'static str,
    body: Cow<'static, [u8]>,
    /// The key that accepts a WebSocket.
    pub(super) accept: Option<String>,
}

impl HttpResponse {
    /// A response that consists of a status.
    pub(super) fn of(status: HttpStatus) -> Self {
        Self::text(status, status.words())
    }

    pub(super) fn text(status: HttpStatus, text: &str) -> Self {
        Self {
            status,
            media: "text/plain; charset=utf-8",
            body: Cow::Owned(format!("{text}\n").into_bytes()),
            accept: None,
        }
    }

    pub(super) fn new(media: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self {
            status: HttpStatus::Ok,
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
            if self.status == HttpStatus::NoToken {
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
