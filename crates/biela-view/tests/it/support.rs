//! A server with a small scene and a run in memory, and a client that can be as rude as it likes.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use biela_view::scene::{BoundingBox, Scene, SceneBody, SceneSpace};
use biela_view::{
    Backend, Refusal, RunData, RunState, Server, ServerSettings, SessionRun, SessionSignal, Show,
    Times, ViewerMode,
};
use serde_json::{Map, Value};

/// A name that would do harm if anything took it for markup, a header or a path.
pub(crate) const EVIL: &str = "</script><img src=x onerror=alert(1)>\r\nX: y/../\"\u{0}";

/// Frames of ground and one body at rest, and a signal `x` = 2 t.
pub(crate) struct Numbers;

impl RunData for Numbers {
    fn frames(&self, from: u64, count: u64, every: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let all = (from..100).step_by(every as usize);
        for frame in all.take(count as usize) {
            bytes.extend((frame as f64 * 0.1).to_le_bytes());
            for _ in 0..14 {
                bytes.extend((frame as f32).to_le_bytes());
            }
        }
        Ok(bytes)
    }

    fn signal(
        &self,
        name: &str,
        _times: (f64, f64),
        each: &mut dyn FnMut(&[f64], &[f64]),
    ) -> io::Result<bool> {
        if name != "x" {
            return Ok(false);
        }
        for i in 0..100 {
            let t = f64::from(i) * 0.1;
            each(&[t], &[2.0 * t]);
        }
        Ok(true)
    }
}

/// Runs only with a parameter `k`.
struct Actions;

impl Backend for Actions {
    fn run(&self, parameters: &Map<String, Value>) -> Result<usize, Refusal> {
        match parameters.get("k").and_then(Value::as_f64) {
            Some(_) => Ok(7),
            None => Err(Refusal::Cannot("there is no such parameter".to_owned())),
        }
    }

    fn desk(&self, action: &str, request: &Value) -> Result<Value, Refusal> {
        match action {
            "echo" => Ok(request.clone()),
            "edit" => Err(Refusal::Cannot("there is no such element".to_owned())),
            _ => Err(Refusal::NotHere),
        }
    }
}

pub(crate) fn scene() -> Scene {
    let body = |name: &str| SceneBody {
        name: name.to_owned(),
        mass: 1.0,
        center: [0.0; 3],
        inertia: [0.0; 6],
        parent: None,
        station_of: None,
        shapes: Vec::new(),
        markers: Vec::new(),
    };
    Scene {
        name: EVIL.to_owned(),
        description: String::new(),
        space: SceneSpace::Planar,
        gravity: [0.0; 3],
        bounds: BoundingBox {
            min: [0.0; 3],
            max: [1.0; 3],
        },
        bodies: vec![body("ground"), body(EVIL)],
        joints: Vec::new(),
        forces: Vec::new(),
        beams: Vec::new(),
        arrows: Vec::new(),
        contacts: Vec::new(),
        parameters: Vec::new(),
        frame_size: 14,
        pose: vec![0.0; 14],
        freedom: 3,
        mobility: String::new(),
    }
}

pub(crate) fn run() -> SessionRun {
    SessionRun {
        id: 0,
        name: "run".to_owned(),
        frames: 100,
        times: Times {
            first: 0.0,
            last: 9.9,
            step: Some(0.1),
            end: None,
        },
        state: RunState::Finished,
        message: String::new(),
        events: Vec::new(),
        signals: vec![SessionSignal {
            name: "x".to_owned(),
            unit: "m".to_owned(),
            text: String::new(),
        }],
        plots: Vec::new(),
        parameters: Map::new(),
        summary: Map::new(),
    }
}

/// A server on show.
pub(crate) struct Place {
    pub(crate) server: Server,
    pub(crate) show: Arc<Show>,
    pub(crate) token: String,
}

/// An answer, taken apart.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let show = Arc::new(Show::new(ViewerMode::Model, EVIL));
        show.set_scene(scene(), None, Vec::new());
        let _ = show.add_run(run(), Arc::new(Numbers));
        let server = Server::start(
            ServerSettings::default(),
            Arc::clone(&show),
            Arc::new(Actions),
        );
        let server = server.unwrap();
        let token = server.url().split_once("token=").unwrap().1.to_owned();
        Self {
            server,
            show,
            token,
        }
    }

    pub(crate) fn host(&self) -> String {
        self.server.address().to_string()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.server.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
            .set_write_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Sends bytes and reads the response; `None` if the server closed the connection.
    pub(crate) fn send(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // the server may answer and close before it has read everything
        let _ = stream.write_all(bytes);
        read(&mut stream)
    }

    /// A request with a good `Host` and token, and more headers.
    pub(crate) fn request(&self, method: &str, target: &str, headers: &str, body: &str) -> Answer {
        let text = format!(
            "{method} {target} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n{headers}\r\n{body}",
            self.host(),
            self.token
        );
        self.send(text.as_bytes()).unwrap()
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.request("GET", target, "", "")
    }

    /// Whether the server still does its work.
    pub(crate) fn is_well(&self) -> bool {
        self.get("/api/session").status == 200
    }
}

pub(crate) fn read(stream: &mut TcpStream) -> Option<Answer> {
    let mut bytes = Vec::new();
    // a connection that was reset after the answer still gave the answer
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        status,
        head,
        body: bytes[end + 4..].to_vec(),
    })
}
