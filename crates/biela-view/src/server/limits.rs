//! What a request may take.

use std::time::Duration;

/// Bytes of the request line.
pub const LINE: usize = 8 << 10;
/// Bytes of request line and headers.
pub const HEAD: usize = 16 << 10;
/// Headers.
pub const HEADERS: usize = 64;
/// Bytes of a body.
pub const BODY: usize = 64 << 10;
/// Time for a whole request to come in.
pub const REQUEST: Duration = Duration::from_secs(5);
/// Time for a whole answer to be taken.
pub const ANSWER: Duration = Duration::from_secs(30);
/// Time in which an answered client may close its side.
pub const LINGER: Duration = Duration::from_millis(500);
/// An answer that takes longer gives way to a new connection when all are taken.
pub const SLOW_ANSWER: Duration = Duration::from_secs(1);
/// Connections at a time; when all are taken, idle ones give way.
pub const CONNECTIONS: usize = 64;
/// Pages that listen at a time.
pub const LISTENERS: usize = 16;
/// Bytes of a message from a page that listens.
pub const MESSAGE: usize = 64 << 10;
/// Bytes of frames in one answer.
pub const FRAMES: u64 = 4 << 20;
/// Signals in one answer.
pub const SIGNALS: usize = 64;
/// Points of each signal in one answer.
pub const POINTS: usize = 20_000;
/// Stack of the thread of a connection.
pub(super) const STACK: usize = 1 << 20;
