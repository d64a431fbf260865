//! The server against a friendly page and against everyone else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod frames;
mod guards;
mod limits;
mod live;
mod page;
mod support;
