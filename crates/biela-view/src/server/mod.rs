//! A web server for one page on one machine.
//!
//! It is deliberately small: HTTP/1.1 with one request per connection, one thread per connection, heads parsed by `httparse` and WebSocket frames by
//! `tungstenite`, which are widely used and tested. Missing features cannot be attacked: no files, no redirects, no compression, no pipelining, no chunked
//! bodies.
//!
//! Checks of every request:
//!
//! * the socket is on the loopback interface unless the user asked for another;
//! * `Host` must be the address of the connection (or `localhost`), so that a foreign name that resolves to
//!   this machine (DNS rebinding) is rejected;
//! * `Origin` and `Sec-Fetch-Site`, if a browser sends them, must be those of the page;
//! * everything except the page itself needs a random token of 128 bits;
//! * request line, head, body, time and number of connections are bounded ([`limits`]); at the limit of connections, idle ones are closed;
//! * the page may connect to this server only (Content-Security-Policy).

mod connections;
mod guard;
mod live;
mod request;
mod response;
mod routes;

pub mod limits;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::{Backend, Show};
use connections::{ConnectionPermit, ConnectionPhase, Connections};
use guard::ServerToken;
use request::HttpRequest;
use response::{HttpResponse, HttpStatus};

/// The address and port of a server.
#[derive(Clone, Copy, Debug)]
pub struct ServerSettings {
    /// The address; loopback unless other machines are to see the page.
    pub bind: IpAddr,
    /// The port; 0 selects a free one.
    pub port: u16,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
        }
    }
}

/// Parses and checks a request that arrived at an address. Returns the status code with which it is rejected, or its method and path; `None` if its head is
/// incomplete. Tokens are checked later.
pub fn examine(bytes: &[u8], here: SocketAddr) -> Result<Option<(String, String)>, u16> {
    let number = |status: HttpStatus| status as u16;
    let Some(request) = HttpRequest::whole(bytes).map_err(number)? else {
        return Ok(None);
    };
    guard::check(&request, here).map_err(number)?;
    let _: Option<u64> = request.number("from").map_err(number)?;
    Ok(Some((request.method, request.path)))
}

/// The shared state of all connections.
struct Shared {
    show: Arc<Show>,
    backend: Arc<dyn Backend>,
    token: ServerToken,
    /// Set when the server ends.
    ends: AtomicBool,
    connections: Arc<Connections>,
    /// Pages that listen now.
    listeners: AtomicUsize,
}

/// A running server; it stops on drop.
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Starts to answer requests in the background.
    pub fn start(
        settings: ServerSettings,
        show: Arc<Show>,
        backend: Arc<dyn Backend>,
    ) -> io::Result<Self> {
        let token = ServerToken::random()?;
        let listener = TcpListener::bind((settings.bind, settings.port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            show,
            backend,
            token,
            ends: AtomicBool::new(false),
            connections: Arc::default(),
            listeners: AtomicUsize::new(0),
        });
        let for_thread = Arc::clone(&shared);
        let accepting = thread::Builder::new()
            .name("biela-view".into())
            .spawn(move || accept(&listener, &for_thread))?;
        Ok(Self {
            shared,
            address,
            accepting: Some(accepting),
        })
    }

    /// The address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL for a browser on this machine, with the token.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => match ip {
                IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
            },
            ip => ip,
        };
        let reached = SocketAddr::new(ip, self.address.port());
        format!("http://{reached}/?token={}", self.shared.token.text())
    }

    /// Returns `true` if a page is listening.
    pub fn is_watched(&self) -> bool {
        self.shared.listeners.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own.set_ip(match own.ip() {
                IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
            });
        }
        // wakes the accepting thread; if that fails, it ends with the process
        if TcpStream::connect_timeout(&own, Duration::from_secs(1)).is_ok()
            && let Some(accepting) = self.accepting.take()
        {
            let _ = accepting.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.ends.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else {
            // out of file handles: wait for other connections to end
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        let Some(place) = Connections::enter(&shared.connections, &stream) else {
            refuse(&stream);
            continue;
        };
        let shared = Arc::clone(shared);
        // without a thread the connection is dropped, which the page sees as a failed request
        let _ = thread::Builder::new()
            .name("biela-view connection".into())
            .stack_size(limits::STACK)
            .spawn(move || serve(stream, &shared, &place));
    }
}

/// Increments a counter while it lives.
struct CounterGuard {
    shared: Arc<Shared>,
    which: fn(&Shared) -> &AtomicUsize,
    /// The previous value of the counter.
    before: usize,
}

impl CounterGuard {
    fn new(shared: &Arc<Shared>, which: fn(&Shared) -> &AtomicUsize) -> Self {
        Self {
            before: which(shared).fetch_add(1, Ordering::SeqCst),
            shared: Arc::clone(shared),
            which,
        }
    }
}

impl Drop for CounterGuard {
    fn drop(&mut self) {
        let _ = (self.which)(&self.shared).fetch_sub(1, Ordering::SeqCst);
    }
}

/// Rejects a connection beyond the limit immediately, without reading.
fn refuse(stream: &TcpStream) {
    let deadline = Instant::now() + Duration::from_millis(100);
    let _ = HttpResponse::of(HttpStatus::Busy).send(stream, deadline, false);
    let _ = stream.shutdown(Shutdown::Both);
}

fn serve(stream: TcpStream, shared: &Arc<Shared>, place: &ConnectionPermit) {
    let _ = stream.set_nodelay(true);
    let Ok(here) = stream.local_addr() else {
        return;
    };
    let head_only;
    let request = HttpRequest::read(&stream);
    place.goes_on(ConnectionPhase::Answer);
    let response = match request {
        Ok(None) => return,
        Err(status) => {
            head_only = false;
            HttpResponse::of(status)
        }
        Ok(Some(request)) => {
            head_only = request.method == "HEAD";
            match guard::check(&request, here) {
                Err(status) => HttpResponse::of(status),
                Ok(()) if request.path == "/api/live" => match live::handshake(&request, shared) {
                    Ok((response, page)) => {
                        let deadline = Instant::now() + limits::ANSWER;
                        if response.send(&stream, deadline, false).is_ok() {
                            place.goes_on(ConnectionPhase::Live);
                            live::talk(stream, shared, &page);
                        }
                        return;
                    }
                    Err(status) => HttpResponse::of(status),
                },
                Ok(()) => routes::answer(&request, shared),
            }
        }
    };
    let sent = response.send(&stream, Instant::now() + limits::ANSWER, head_only);
    if sent.is_ok() {
        linger(&stream);
    }
}

/// Reads some of the pending input, so that closing does not discard the response.
fn linger(stream: &TcpStream) {
    use std::io::Read;
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(limits::LINGER));
    let mut waste = [0; 4096];
    let until = Instant::now() + limits::LINGER;
    let mut left = limits::HEAD + limits::BODY;
    while Instant::now() < until && left > 0 {
        match (&*stream).read(&mut waste) {
            Ok(0) | Err(_) => return,
            Ok(n) => left = left.saturating_sub(n),
        }
    }
}
