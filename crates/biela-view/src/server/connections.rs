//! The open connections, and the choice of the one to close at the limit.
//!
//! A client that sends nothing, or sends slowly, must not block the page: at the limit, the connection that has waited longest
//! for its request is closed in favour of the new one. A page sends its request immediately, so its connection hardly waits.

use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::limits;

/// What a connection does now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionPhase {
    /// Its request is not whole yet.
    Request,
    /// It takes an answer.
    Answer,
    /// A page that listens; there is a limit of its own for these.
    Live,
}

struct OpenConnection {
    number: u64,
    stream: TcpStream,
    phase: ConnectionPhase,
    since: Instant,
}

impl OpenConnection {
    /// Whether a new connection may take its place.
    fn gives_way(&self) -> bool {
        match self.phase {
            ConnectionPhase::Request => true,
            ConnectionPhase::Answer => self.since.elapsed() > limits::SLOW_ANSWER,
            ConnectionPhase::Live => false,
        }
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<Vec<OpenConnection>>,
    /// Threads, those of closed connections that are about to end included.
    threads: AtomicUsize,
    next: AtomicU64,
}

impl Connections {
    fn list(&self) -> MutexGuard<'_, Vec<OpenConnection>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection; none where all are taken by connections that are at work.
    pub(super) fn enter(connections: &Arc<Self>, stream: &TcpStream) -> Option<ConnectionPermit> {
        let mut list = connections.list();
        if connections.threads.load(Ordering::SeqCst) >= 2 * limits::CONNECTIONS {
            return None;
        }
        let stream = stream.try_clone().ok()?;
        if list.len() >= limits::CONNECTIONS {
            let idle = list.iter().enumerate().filter(|(_, open)| open.gives_way());
            let is_answered = |open: &OpenConnection| open.phase == ConnectionPhase::Answer;
            let (at, _) = idle.min_by_key(|(_, open)| (is_answered(open), open.since))?;
            // wakes its thread, which then ends
            let _ = list.remove(at).stream.shutdown(Shutdown::Both);
        }
        let number = connections.next.fetch_add(1, Ordering::SeqCst);
        list.push(OpenConnection {
            number,
            stream,
            phase: ConnectionPhase::Request,
            since: Instant::now(),
        });
        let _ = connections.threads.fetch_add(1, Ordering::SeqCst);
        drop(list);
        Some(ConnectionPermit {
            connections: Arc::clone(connections),
            number,
        })
    }
}

/// The place of a connection; free again when it is dropped.
pub(super) struct ConnectionPermit {
    connections: Arc<Connections>,
    number: u64,
}

impl ConnectionPermit {
    /// Moves the connection to its next phase.
    pub(super) fn goes_on(&self, phase: ConnectionPhase) {
        let mut list = self.connections.list();
        if let Some(open) = list.iter_mut().find(|open| open.number == self.number) {
            (open.phase, open.since) = (phase, Instant::now());
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.connections
            .list()
            .retain(|open| open.number != self.number);
        let _ = self.connections.threads.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;

    /// An open connection.
    fn stream() -> TcpStream {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        TcpStream::connect(listener.local_addr().unwrap()).unwrap()
    }

    #[test]
    fn a_new_connection_replaces_a_slow_response_but_not_a_prompt_one() {
        let connections = Arc::new(Connections::default());
        let stream = stream();
        let places: Vec<ConnectionPermit> = (0..limits::CONNECTIONS)
            .map(|_| Connections::enter(&connections, &stream).unwrap())
            .collect();
        for place in &places {
            place.goes_on(ConnectionPhase::Answer);
        }
        assert!(Connections::enter(&connections, &stream).is_none());
        places[0].goes_on(ConnectionPhase::Live);
        std::thread::sleep(limits::SLOW_ANSWER + Duration::from_millis(10));
        let _new = Connections::enter(&connections, &stream).unwrap();
        let numbers: Vec<u64> = connections.list().iter().map(|open| open.number).collect();
        // the listening page stays, the slowest response is closed
        assert_eq!(numbers[..2], [0, 2]);
    }

    #[test]
    fn threads_of_closed_connections_are_bounded() {
        let connections = Arc::new(Connections::default());
        let stream = stream();
        let places: Vec<ConnectionPermit> = (0..3 * limits::CONNECTIONS)
            .filter_map(|_| Connections::enter(&connections, &stream))
            .collect();
        assert_eq!(places.len(), 2 * limits::CONNECTIONS);
        assert_eq!(connections.list().len(), limits::CONNECTIONS);
        drop(places);
        assert_eq!(connections.threads.load(Ordering::SeqCst), 0);
        assert!(connections.list().is_empty());
    }
}
