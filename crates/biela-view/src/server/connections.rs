//! The open connections, and which of them gives way when there are too many.
//!
//! A client that connects and says nothing, or says it slowly, must not keep the page waiting: when all places are taken, the connection that has waited longest
//! for its request is closed for the new one. A page sends its request at once, so that its connection waits for no more than a moment.

use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::limits;

/// What a connection does now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its request is not whole yet.
    Request,
    /// It takes an answer.
    Answer,
    /// A page that listens; there is a limit of its own for these.
    Live,
}

struct Open {
    number: u64,
    stream: TcpStream,
    phase: Phase,
    since: Instant,
}

impl Open {
    /// Whether a new connection may take its place.
    fn gives_way(&self) -> bool {
        match self.phase {
            Phase::Request => true,
            Phase::Answer => self.since.elapsed() > limits::SLOW_ANSWER,
            Phase::Live => false,
        }
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<Vec<Open>>,
    /// Threads, those of closed connections that are about to end included.
    threads: AtomicUsize,
    next: AtomicU64,
}

impl Connections {
    fn list(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection; none where all are taken by connections that are at work.
    pub(super) fn enter(connections: &Arc<Self>, stream: &TcpStream) -> Option<Place> {
        let mut list = connections.list();
        if connections.threads.load(Ordering::SeqCst) >= 2 * limits::CONNECTIONS {
            return None;
        }
        let stream = stream.try_clone().ok()?;
        if list.len() >= limits::CONNECTIONS {
            let idle = list.iter().enumerate().filter(|(_, open)| open.gives_way());
            let is_answered = |open: &Open| open.phase == Phase::Answer;
            let (at, _) = idle.min_by_key(|(_, open)| (is_answered(open), open.since))?;
            // wakes its thread, which then ends
            let _ = list.remove(at).stream.shutdown(Shutdown::Both);
        }
        let number = connections.next.fetch_add(1, Ordering::SeqCst);
        list.push(Open {
            number,
            stream,
            phase: Phase::Request,
            since: Instant::now(),
        });
        let _ = connections.threads.fetch_add(1, Ordering::SeqCst);
        drop(list);
        Some(Place {
            connections: Arc::clone(connections),
            number,
        })
    }
}

/// The place of a connection; free again when it is dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
}

impl Place {
    /// The connection goes on to its next phase.
    pub(super) fn goes_on(&self, phase: Phase) {
        let mut list = self.connections.list();
        if let Some(open) = list.iter_mut().find(|open| open.number == self.number) {
            (open.phase, open.since) = (phase, Instant::now());
        }
    }
}

impl Drop for Place {
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

    /// A connection of a client to itself, as far as places go.
    fn stream() -> TcpStream {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        TcpStream::connect(listener.local_addr().unwrap()).unwrap()
    }

    #[test]
    fn a_slow_answer_gives_way_and_a_prompt_one_does_not() {
        let connections = Arc::new(Connections::default());
        let stream = stream();
        let places: Vec<Place> = (0..limits::CONNECTIONS)
            .map(|_| Connections::enter(&connections, &stream).unwrap())
            .collect();
        for place in &places {
            place.goes_on(Phase::Answer);
        }
        assert!(Connections::enter(&connections, &stream).is_none());
        places[0].goes_on(Phase::Live);
        std::thread::sleep(limits::SLOW_ANSWER + Duration::from_millis(10));
        let _new = Connections::enter(&connections, &stream).unwrap();
        let numbers: Vec<u64> = connections.list().iter().map(|open| open.number).collect();
        // the page that listens stays, the slowest answer is gone
        assert_eq!(numbers[..2], [0, 2]);
    }

    #[test]
    fn threads_of_closed_connections_are_bounded() {
        let connections = Arc::new(Connections::default());
        let stream = stream();
        let places: Vec<Place> = (0..3 * limits::CONNECTIONS)
            .filter_map(|_| Connections::enter(&connections, &stream))
            .collect();
        assert_eq!(places.len(), 2 * limits::CONNECTIONS);
        assert_eq!(connections.list().len(), limits::CONNECTIONS);
        drop(places);
        assert_eq!(connections.threads.load(Ordering::SeqCst), 0);
        assert!(connections.list().is_empty());
    }
}
