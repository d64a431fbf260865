//! Requests that exceed a limit of size, number or time, and malformed requests.

use std::io::Write;
use std::time::{Duration, Instant};

use biela_view::server::limits;

use crate::live;
use crate::support::{Place, read};

#[test]
fn each_limit_holds_and_the_largest_request_within_it_is_served() {
    let place = Place::new();
    let line = |length: usize| format!("/?{}", "a".repeat(length));
    // method, blanks, version and line end are part of the line
    let around = "GET  HTTP/1.1\r".len() + 2;
    assert_eq!(place.get(&line(limits::LINE - around)).status, 200);
    assert_eq!(place.get(&line(limits::LINE + 1 - around)).status, 414);
    assert_eq!(place.get(&line(limits::LINE * 4)).status, 414);

    // Host and Authorization are there already
    let headers = |count: usize| -> String {
        (2..count).fold(String::new(), |all, i| all + &format!("X-{i}: y\r\n"))
    };
    assert_eq!(
        place
            .request("GET", "/", &headers(limits::HEADERS), "")
            .status,
        200
    );
    assert_eq!(
        place
            .request("GET", "/", &headers(limits::HEADERS + 1), "")
            .status,
        431
    );
    assert_eq!(place.request("GET", "/", &headers(2000), "").status, 431);

    let base = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: \r\n\r\n", place.host());
    let head =
        |length: usize| base.replace("X: ", &format!("X: {}", "b".repeat(length - base.len())));
    let status = |text: &str| place.send(text.as_bytes()).unwrap().status;
    assert_eq!(status(&head(limits::HEAD)), 200);
    assert_eq!(status(&head(limits::HEAD + 1)), 431);
    assert_eq!(status(&head(limits::HEAD * 40)), 431);

    let post = |length: usize| {
        let body = format!("{{\"parameters\":{{\"k\":1}}}}{}", " ".repeat(length - 22));
        let headers = format!(
            "Origin: http://{}\r\nContent-Length: {length}\r\n",
            place.host()
        );
        place.request("POST", "/api/run", &headers, &body).status
    };
    assert_eq!(post(limits::BODY), 200);
    assert_eq!(post(limits::BODY + 1), 413);
    assert!(place.is_well());
}

#[test]
fn an_invalid_content_length_is_rejected() {
    let place = Place::new();
    let origin = format!("Origin: http://{}\r\n", place.host());
    for (length, status) in [
        ("99999999999999999999999999", 413),
        ("18446744073709551615", 413),
        ("65537", 413),
        ("-1", 400),
        ("+4", 400),
        ("0x10", 400),
        ("1 ", 400),
        ("1, 1", 400),
        ("", 400),
        ("five", 400),
    ] {
        let headers = format!("{origin}Content-Length: {length}\r\n");
        let answer = place.request("POST", "/api/run", &headers, "{}");
        assert_eq!(answer.status, status, "{length:?}");
    }
    let twice = format!("{origin}Content-Length: 2\r\nContent-Length: 2\r\n");
    assert_eq!(place.request("POST", "/api/run", &twice, "{}").status, 400);
    let chunked = format!("{origin}Transfer-Encoding: chunked\r\n");
    assert_eq!(
        place
            .request("POST", "/api/run", &chunked, "2\r\n{}\r\n0\r\n\r\n")
            .status,
        411
    );
    let both = format!("{chunked}Content-Length: 2\r\n");
    assert_eq!(place.request("POST", "/api/run", &both, "{}").status, 411);
    // a second request hidden behind the first is not read
    let hidden = format!(
        "GET /api/session HTTP/1.1\r\nHost: {}\r\n\r\n",
        place.host()
    );
    assert_eq!(place.request("GET", "/", "", &hidden).status, 400);
}

#[test]
fn malformed_requests_are_rejected_or_dropped() {
    let place = Place::new();
    let host = place.host();
    let long = vec![0xff; 100_000];
    let texts: Vec<Vec<u8>> = vec![
        b"\r\n\r\n\r\n\r\n".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET /\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        format!("GET / HTTP/1.0\r\nHost: {host}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/2.0\r\nHost: {host}\r\n\r\n").into_bytes(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        format!("GET  / HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost : {host}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\n Host: {host}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX\u{0}: a\r\n\r\n").into_bytes(),
        format!("GET /\u{0} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes(),
        [
            format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: ").as_bytes(),
            &[0xff, 0xfe],
            b"\r\n\r\n",
        ]
        .concat(),
        // the beginning of a TLS connection
        vec![0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3],
        long,
        vec![0; 100],
        b"\n".repeat(1000),
    ];
    for text in &texts {
        let status = place.send(text).map_or(0, |answer| answer.status);
        let shown = String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned();
        assert!(
            [0, 400, 408, 414, 431, 505].contains(&status),
            "{shown:?}: {status}"
        );
    }
    // a client that hangs up in the middle
    for cut in [1, 5, 16, 30] {
        let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let mut stream = place.connect();
        stream.write_all(&text.as_bytes()[..cut]).unwrap();
        drop(stream);
    }
    assert!(place.is_well());
}

#[test]
fn random_bytes_do_not_stop_the_server() {
    let place = Place::new();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let good = format!(
        "GET /api/session HTTP/1.1\r\nHost: {}\r\n\r\n",
        place.host()
    )
    .into_bytes();
    for _ in 0..200 {
        let mut text = good.clone();
        for _ in 0..=next() % 4 {
            let at = next() as usize % text.len();
            text[at] = next() as u8;
        }
        // with the end of a head the server need not wait for more
        text.extend(b"\r\n\r\n");
        let told = place.send(&text).is_some_and(|answer| {
            let body = String::from_utf8_lossy(&answer.body).into_owned();
            body.contains("scene")
        });
        assert!(!told, "{:?}", String::from_utf8_lossy(&text));
    }
    assert!(place.is_well());
}

#[test]
fn slow_clients_are_dropped_and_delay_no_others() {
    let place = Place::new();
    let begun = Instant::now();
    let mut slow: Vec<_> = (0..20).map(|_| place.connect()).collect();
    for (k, stream) in slow.iter_mut().enumerate() {
        // some say nothing, some begin a head, some a body
        let text = match k % 3 {
            0 => String::new(),
            1 => "GET / HTTP/1.1\r\nHost".to_owned(),
            _ => format!(
                "POST /api/run HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 50\r\n\r\n{{",
                place.host()
            ),
        };
        stream.write_all(text.as_bytes()).unwrap();
    }
    // one more byte now and then does not buy more time
    while begun.elapsed() < limits::REQUEST.checked_sub(Duration::from_secs(1)).unwrap() {
        assert!(place.is_well());
        for stream in &mut slow {
            let _ = stream.write_all(b"a");
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    for mut stream in slow {
        let status = read(&mut stream).map_or(408, |answer| answer.status);
        assert!([408, 400].contains(&status), "{status}");
    }
    let waited = begun.elapsed();
    assert!(
        waited < limits::REQUEST + Duration::from_secs(10),
        "{waited:?}"
    );
    assert!(place.is_well());
}

/// Requests the page and data that need the token; both must be prompt.
#[track_caller]
fn check_prompt(place: &Place, among: &str) {
    for target in ["/", "/api/session"] {
        let asked = Instant::now();
        let answer = place.get(target);
        let waited = asked.elapsed();
        assert_eq!(answer.status, 200, "{target} among {among}");
        // far less than the time that an idle connection may take
        assert!(
            waited < limits::REQUEST / 2,
            "{target} among {among}: {waited:?}"
        );
    }
}

#[test]
fn idle_connections_do_not_block_the_page() {
    let place = Place::new();
    let mut idle = Vec::new();
    for round in 0..8 {
        for k in 0..limits::CONNECTIONS / 2 {
            let mut stream = place.connect();
            if k % 2 == 1 {
                // may have given way already
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost");
            }
            idle.push(stream);
        }
        check_prompt(&place, &format!("{} connections", idle.len()));
        if round == 7 {
            let is_closed = |stream: &mut std::net::TcpStream| {
                stream
                    .set_read_timeout(Some(Duration::from_millis(1)))
                    .unwrap();
                let read = std::io::Read::read(stream, &mut [0; 16]);
                !read.is_err_and(|error| {
                    use std::io::ErrorKind::{TimedOut, WouldBlock};
                    matches!(error.kind(), TimedOut | WouldBlock)
                })
            };
            // the first ones were closed, the last ones may still send their requests
            assert!(idle.iter_mut().take(limits::CONNECTIONS).all(is_closed));
            assert!(!is_closed(idle.last_mut().unwrap()));
        }
    }
}

#[test]
fn connections_of_open_pages_are_not_closed_for_new_ones() {
    let place = Place::new();
    let mut page = live::open(&place, live::change(&place));
    let _idle: Vec<_> = (0..2 * limits::CONNECTIONS)
        .map(|_| place.connect())
        .collect();
    check_prompt(&place, "idle connections");
    assert!(place.server.is_watched());
    place.show.update_run(0, |run| run.frames = 123);
    assert_eq!(live::next(&mut page)["run"]["frames"], 123);
}

#[test]
fn a_stopped_server_releases_its_port() {
    let place = Place::new();
    let address = place.server.address();
    drop(place);
    assert!(std::net::TcpStream::connect(address).is_err());
}
