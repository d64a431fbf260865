//! Limits of requests.

use std::time::Duration;

/// Bytes of the request line.
pub const LINE: usize = 8 << 10;
/// Bytes of request line and headers.
pub const HEAD: usize = 16 << 10;
/// Headers.
pub const HEADERS: usize = 64;
/// Bytes of a body.
pub const BODY: usize = 64 << 10;
/// Time to receive a whole request.
pub const REQUEST: Duration = Duration::from_secs(5);
/// Time to send a whole response.
pub const ANSWER: Duration = Duration::from_secs(30);
/// Time for a client to close its side after the response.
pub const LINGER: Duration = Duration::from_millis(500);
/// A response that takes longer may be closed in favour of a new connection.
pub const SLOW_ANSWER: Duration = Duration::from_secs(1);
/// Concurrent connections; at the limit, idle ones are closed in favour of new ones.
pub const CONNECTIONS: usize = 64;
/// Concurrent listening pages.
pub const LISTENERS: usize = 16;
/// Bytes of a message from a listening page.
pub const MESSAGE: usize = 64 << 10;
/// Bytes of frames in one response.
pub const FRAMES: u64 = 4 << 20;
/// Signals in one response.
pub const SIGNALS: usize = 64;
/// Points of each signal in one response.
pub const POINTS: usize = 20_000;
/// Stack size of the thread of a connection.
pub(super) const STACK: usize = 1 << 20;
