//! The stream to a page: changes as JSON messages, and the few messages that a page may send.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::Value;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::request::HttpRequest;
use super::response::{HttpResponse, HttpStatus};
use super::{CounterGuard, Shared, limits};

/// Interval at which messages of a page are read and changes are sent.
const PACE: Duration = Duration::from_millis(25);
/// A page that accepts no data for this time is disconnected.
const PATIENCE: Duration = Duration::from_secs(5);
/// Interval of the pings to a page.
const PING: Duration = Duration::from_secs(20);

/// A listening page.
pub(super) struct LivePage {
    /// The last change that was sent.
    told: u64,
    _counted: CounterGuard,
}

/// Performs the WebSocket handshake; `since` in the query is the last change that the page knows.
pub(super) fn handshake(
    request: &HttpRequest,
    shared: &Arc<Shared>,
) -> Result<(HttpResponse, LivePage), HttpStatus> {
    if request.method != "GET" {
        return Err(HttpStatus::Method);
    }
    shared.token.comes_with(request, true)?;
    let says = |name: &str, word: &str| -> Result<bool, HttpStatus> {
        let value = request.header(name)?.unwrap_or_default();
        Ok(value
            .split(',')
            .any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    let key = request.header("sec-websocket-key")?.unwrap_or_default();
    let right = says("upgrade", "websocket")?
        && says("connection", "upgrade")?
        && request.header("sec-websocket-version")? == Some("13")
        && key.len() == 24
        && request.body.is_empty();
    if !right {
        return Err(HttpStatus::Bad);
    }
    let told = request.number("since")?.unwrap_or(0);
    let counted = CounterGuard::new(shared, |s| &s.listeners);
    if counted.before >= limits::LISTENERS {
        return Err(HttpStatus::Busy);
    }
    let mut response = HttpResponse::of(HttpStatus::Switching);
    response.accept = Some(derive_accept_key(key.as_bytes()));
    let page = LivePage {
        told,
        _counted: counted,
    };
    Ok((response, page))
}

/// Sends changes to the page until either side ends.
pub(super) fn talk(stream: TcpStream, shared: &Shared, page: &LivePage) {
    let mut told = page.told;
    let set = stream
        .set_read_timeout(Some(PACE))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
    if set.is_err() {
        return;
    }
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits::MESSAGE))
        .max_frame_size(Some(limits::MESSAGE));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let mut asked = Instant::now();
    while !shared.ends.load(Ordering::Relaxed) {
        let (change, messages) = shared.show.news(told, Duration::ZERO);
        told = change;
        for message in messages {
            if socket.send(Message::text(message.to_string())).is_err() {
                return;
            }
        }
        if asked.elapsed() > PING {
            asked = Instant::now();
            if socket.send(Message::Ping(Vec::new().into())).is_err() {
                return;
            }
        }
        match socket.read() {
            Ok(Message::Text(text)) => hear(text.as_str(), shared),
            Ok(Message::Close(_)) => {
                let _ = socket.flush();
                return;
            }
            Ok(_) => {}
            Err(Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
    let _ = socket.send(Message::text(r#"{"type":"ended"}"#));
    let _ = socket.close(None);
    let _ = socket.flush();
}

/// Handles a message of a page; unknown messages are ignored.
fn hear(text: &str, shared: &Shared) {
    let Ok(message) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if message["type"] == "stop" {
        shared.backend.stop();
    }
}
