//! The server against a friendly page and against everyone else.

mod frames;
mod guards;
mod limits;
mod live;
mod page;
mod support;
