//! The stream to a page.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use biela_view::server::limits;
use serde_json::Value;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

use crate::support::{Place, scene};

const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

/// Asks for the stream; the head of the answer and the connection.
fn ask(place: &Place, target: &str, headers: &str) -> (String, TcpStream) {
    let mut stream = place.connect();
    let text = format!(
        "GET {target} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n",
        place.host()
    );
    stream.write_all(text.as_bytes()).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
        head.push(byte[0]);
    }
    (String::from_utf8(head).unwrap(), stream)
}

fn good_headers(place: &Place) -> String {
    format!(
        "Origin: http://{}\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: {KEY}\r\n",
        place.host()
    )
}

pub(crate) fn open(place: &Place, since: u64) -> WebSocket<TcpStream> {
    let target = format!("/api/live?token={}&since={since}", place.token);
    let (head, stream) = ask(place, &target, &good_headers(place));
    assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
    // the answer of RFC 6455 to its sample key
    assert!(
        head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        "{head}"
    );
    WebSocket::from_raw_socket(stream, Role::Client, None)
}

pub(crate) fn next(socket: &mut WebSocket<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return serde_json::from_str(text.as_str()).unwrap();
        }
    }
}

pub(crate) fn change(place: &Place) -> u64 {
    let session: Value = serde_json::from_slice(&place.get("/api/session").body).unwrap();
    session["change"].as_u64().unwrap()
}

#[test]
fn a_page_receives_changes() {
    let place = Place::new();
    let mut socket = open(&place, change(&place));
    place.show.update_run(0, |run| run.frames = 123);
    let message = next(&mut socket);
    assert_eq!(
        (&message["type"], &message["run"]["frames"]),
        (&"run".into(), &123.into())
    );
    let mut other = scene();
    other.name = "other".to_owned();
    place
        .show
        .set_scene(other, Some("text".to_owned()), Vec::new());
    let message = next(&mut socket);
    assert_eq!(
        (&message["type"], &message["scene"]["name"]),
        (&"scene".into(), &"other".into())
    );
    assert_eq!(next(&mut socket)["type"], "diagnostics");
    assert!(place.server.is_watched());
    socket.close(None).unwrap();
    while socket.read().is_ok() {}
    let until = Instant::now() + Duration::from_secs(10);
    while place.server.is_watched() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!place.server.is_watched());
}

#[test]
fn removed_runs_are_reported_and_their_numbers_are_not_reused() {
    let place = Place::new();
    let mut socket = open(&place, change(&place));
    place.show.remove_run(0);
    let message = next(&mut socket);
    assert_eq!(
        (&message["type"], &message["id"]),
        (&"removed".into(), &0.into())
    );
    assert_eq!(place.get("/api/runs/0/frames").status, 404);
    let id = place.show.add_run(
        crate::support::run(),
        std::sync::Arc::new(crate::support::Numbers),
    );
    assert_eq!((id, next(&mut socket)["run"]["id"].as_u64()), (1, Some(1)));
    let mut larger = scene();
    larger.bodies.push(larger.bodies[1].clone());
    (larger.frame_size, larger.pose) = (21, vec![0.0; 21]);
    place.show.set_scene(larger, None, Vec::new());
    let kinds: Vec<Value> = (0..3).map(|_| next(&mut socket)["type"].clone()).collect();
    assert_eq!(
        kinds,
        ["scene", "diagnostics", "removed"],
        "frames of another size do not fit"
    );
}

#[test]
fn a_new_page_receives_the_whole_state() {
    let place = Place::new();
    let mut socket = open(&place, 0);
    let kinds: Vec<Value> = (0..3).map(|_| next(&mut socket)["type"].clone()).collect();
    assert_eq!(kinds, ["scene", "diagnostics", "run"]);
}

#[test]
fn a_page_that_does_not_read_delays_no_others() {
    let place = Place::new();
    let _deaf = open(&place, 0);
    let begun = Instant::now();
    for frame in 0..50_000 {
        place.show.update_run(0, |run| run.frames = frame);
    }
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    let mut socket = open(&place, 0);
    let last = loop {
        let message = next(&mut socket);
        if message["type"] == "run" {
            break message["run"]["frames"].as_u64().unwrap();
        }
    };
    assert_eq!(last, 49_999);
}

#[test]
fn the_end_of_the_server_is_reported() {
    let place = Place::new();
    let mut socket = open(&place, change(&place));
    drop(place);
    assert_eq!(next(&mut socket)["type"], "ended");
}

#[test]
fn only_a_page_of_the_server_with_the_token_may_listen() {
    let place = Place::new();
    let good = good_headers(&place);
    let target = format!("/api/live?token={}", place.token);
    let status = |target: &str, headers: &str| ask(&place, target, headers).0[9..12].to_owned();
    assert_eq!(status(&target, &good), "101");
    assert_eq!(status("/api/live", &good), "401");
    assert_eq!(status("/api/live?token=", &good), "401");
    assert_eq!(
        status(&format!("/api/live?token={}", "0".repeat(32)), &good),
        "401"
    );
    let origin = format!("Origin: http://{}\r\n", place.host());
    assert_eq!(status(&target, &good.replace(&origin, "")), "403");
    assert_eq!(
        status(
            &target,
            &good.replace(&origin, "Origin: http://evil.example\r\n")
        ),
        "403"
    );
    assert_eq!(
        status(&target, &good.replace(&origin, "Origin: null\r\n")),
        "403"
    );
    for (part, other) in [
        ("Upgrade: websocket\r\n", ""),
        ("Upgrade: websocket", "Upgrade: h2c"),
        ("keep-alive, Upgrade", "keep-alive"),
        ("Version: 13", "Version: 8"),
        (KEY, "short"),
        (KEY, ""),
    ] {
        assert_eq!(
            status(&target, &good.replace(part, other)),
            "400",
            "{part} {other}"
        );
    }
    assert_eq!(status(&format!("{target}&since=-1"), &good), "400");
}

#[test]
fn invalid_frames_close_only_their_own_connection() {
    let place = Place::new();
    let big = (limits::MESSAGE as u32 + 1).to_be_bytes();
    let frames: Vec<Vec<u8>> = vec![
        // not masked, though from a client
        vec![0x81, 0x02, b'h', b'i'],
        // reserved bits
        vec![0xf1, 0x80, 0, 0, 0, 0],
        // unknown kinds of frames
        vec![0x83, 0x80, 0, 0, 0, 0],
        vec![0x8b, 0x80, 0, 0, 0, 0],
        // a ping in parts, and one that is too long
        vec![0x09, 0x80, 0, 0, 0, 0],
        [&[0x89, 0xfe, 0, 126, 0, 0, 0, 0][..], &[0; 126]].concat(),
        // a part of nothing
        vec![0x80, 0x80, 0, 0, 0, 0],
        // text that is none
        vec![0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
        // too long, longer than memory, and negative
        [&[0x81, 0xff, 0, 0, 0, 0][..], &big, &[0; 4]].concat(),
        vec![
            0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
        ],
        vec![
            0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
        ],
        // a close that says too little
        vec![0x88, 0x81, 0, 0, 0, 0, 3],
        vec![0; 1000],
        vec![0xff; 1000],
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
    ];
    for frame in &frames {
        let target = format!("/api/live?token={}", place.token);
        let (head, mut stream) = ask(&place, &target, &good_headers(&place));
        assert!(head.starts_with("HTTP/1.1 101 "));
        let _ = stream.write_all(frame);
        let mut rest = Vec::new();
        // ends, with or without a word
        let ended = stream.read_to_end(&mut rest);
        let timed_out = ended.is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock);
        assert!(!timed_out, "{frame:x?}");
    }
    assert!(place.is_well());
}

#[test]
fn unknown_messages_are_ignored() {
    let place = Place::new();
    let mut socket = open(&place, change(&place));
    let deep = "[".repeat(30_000);
    for text in [
        "",
        "{}",
        "[]",
        "null",
        "{\"type\":7}",
        "{\"type\":\"format\"}",
        "{\"type\":\"stop\"",
        &deep,
    ] {
        socket.send(Message::text(text.to_owned())).unwrap();
    }
    socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    place.show.update_run(0, |run| run.frames = 5);
    assert_eq!(next(&mut socket)["run"]["frames"], 5);
}

#[test]
fn pages_above_the_limit_are_rejected() {
    let place = Place::new();
    let held: Vec<_> = (0..limits::LISTENERS).map(|_| open(&place, 0)).collect();
    let target = format!("/api/live?token={}", place.token);
    let (head, _) = ask(&place, &target, &good_headers(&place));
    assert!(head.starts_with("HTTP/1.1 503 "), "{head}");
    assert!(place.is_well());
    drop(held);
}
