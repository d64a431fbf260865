//! Requests, read within the limits.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::limits;
use super::response::HttpStatus;

/// A complete request.
#[derive(Debug, Default)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    /// The path before the question mark, not decoded.
    pub(super) path: String,
    /// The query after the question mark.
    query: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl HttpRequest {
    /// Reads a request; `None` if the client disconnected or sent nothing.
    pub(super) fn read(stream: &TcpStream) -> Result<Option<Self>, HttpStatus> {
        let mut input = Timed {
            stream,
            deadline: Instant::now() + limits::REQUEST,
        };
        let mut bytes = Vec::with_capacity(2048);
        let (mut request, head) = loop {
            if let Some((request, head)) = Self::parse(&bytes)? {
                break (request, head);
            }
            if bytes.len() >= limits::HEAD {
                return Err(HttpStatus::HeadTooLarge);
            }
            let room = limits::HEAD - bytes.len();
            if input.take(&mut bytes, room)? == 0 {
                return if bytes.is_empty() {
                    Ok(None)
                } else {
                    Err(HttpStatus::Bad)
                };
            }
        };
        let mut body = bytes.split_off(head);
        let length = request.body_length()?;
        if body.len() > length {
            return Err(HttpStatus::Bad);
        }
        while body.len() < length {
            let room = length - body.len();
            if input.take(&mut body, room)? == 0 {
                return Err(HttpStatus::Bad);
            }
        }
        request.body = body;
        Ok(Some(request))
    }

    /// Parses a complete request; `None` if the head is incomplete.
    pub(super) fn whole(bytes: &[u8]) -> Result<Option<Self>, HttpStatus> {
        let Some((mut request, head)) = Self::parse(&bytes[..bytes.len().min(limits::HEAD)])?
        else {
            return Ok(None);
        };
        let body = &bytes[head..];
        if body.len() != request.body_length()? {
            return Err(HttpStatus::Bad);
        }
        request.body = body.to_vec();
        Ok(Some(request))
    }

    /// Returns the request and the length of its head, if complete.
    fn parse(bytes: &[u8]) -> Result<Option<(Self, usize)>, HttpStatus> {
        let line_end = bytes.iter().position(|b| *b == b'\n');
        if line_end.unwrap_or(bytes.len()) > limits::LINE {
            return Err(HttpStatus::LineTooLong);
        }
        let mut headers = [httparse::EMPTY_HEADER; limits::HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let head = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(head)) => head,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(HttpStatus::HeadTooLarge),
            Err(_) => return Err(HttpStatus::Bad),
        };
        if parsed.version != Some(1) {
            return Err(HttpStatus::Version);
        }
        let target = parsed.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let text = |header: &httparse::Header<'_>| {
            let value = std::str::from_utf8(header.value).map_err(|_| HttpStatus::Bad)?;
            Ok((header.name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let request = HttpRequest {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: parsed.headers.iter().map(text).collect::<Result<_, _>>()?,
            body: Vec::new(),
        };
        Ok(Some((request, head)))
    }

    fn body_length(&self) -> Result<usize, HttpStatus> {
        if self.headers("transfer-encoding").next().is_some() {
            return Err(HttpStatus::LengthRequired);
        }
        let Some(text) = self.header("content-length")? else {
            return Ok(0);
        };
        // other parsers would treat a sign or a blank differently
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(HttpStatus::Bad);
        }
        match text.parse::<usize>() {
            Ok(length) if length <= limits::BODY => Ok(length),
            _ => Err(HttpStatus::BodyTooLarge),
        }
    }

    fn headers<'r, 'n>(&'r self, name: &'n str) -> impl Iterator<Item = &'r str> + use<'r, 'n> {
        let named = self.headers.iter().filter(move |(n, _)| n == name);
        named.map(|(_, value)| value.as_str())
    }

    /// A header that may occur once.
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, HttpStatus> {
        let mut found = self.headers(name);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(HttpStatus::Bad),
            (value, None) => Ok(value),
        }
    }

    /// A decoded value of the query; an invalid one is treated as absent.
    pub(super) fn query(&self, name: &str) -> Option<String> {
        let pairs = self
            .query
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        let mut found = pairs.filter(|(key, _)| *key == name);
        decoded(found.next()?.1)
    }

    /// A number of the query; `None` if absent, an error if invalid.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, HttpStatus> {
        let read = |text: String| text.parse().map_err(|_| HttpStatus::Bad);
        self.query(name).map(read).transpose()
    }
}

/// Decodes `%41` and `+`; `None` if the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                (digit()? * 16 + digit()?) as u8
            }
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A stream with a deadline for all of its data.
struct Timed<'s> {
    stream: &'s TcpStream,
    deadline: Instant,
}

impl Timed<'_> {
    /// Appends at most `room` bytes; 0 at the end.
    fn take(&mut self, bytes: &mut Vec<u8>, room: usize) -> Result<usize, HttpStatus> {
        let mut buffer = [0; 4096];
        let room = room.min(buffer.len());
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(1) {
                return Err(HttpStatus::Timeout);
            }
            if self.stream.set_read_timeout(Some(left)).is_err() {
                return Ok(0);
            }
            match self.stream.read(&mut buffer[..room]) {
                Ok(n) => {
                    bytes.extend_from_slice(&buffer[..n]);
                    return Ok(n);
                }
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Err(HttpStatus::Timeout),
                    _ => return Ok(0),
                },
            }
        }
    }
}
