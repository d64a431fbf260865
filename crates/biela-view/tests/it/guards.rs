//! Who is let in.

use biela_view::server::limits;

use crate::support::Place;

/// Status of a request for the page and for the session with this `Host` and these further headers.
fn statuses(place: &Place, host: &str, more: &str) -> [u16; 2] {
    ["/", "/api/session"].map(|path| {
        let text = format!(
            "GET {path} HTTP/1.1\r\n{host}Authorization: Bearer {}\r\n{more}\r\n",
            place.token
        );
        place
            .send(text.as_bytes())
            .map_or(0, |answer| answer.status)
    })
}

#[test]
fn only_the_address_of_the_server_is_accepted_as_host() {
    let place = Place::new();
    let address = place.host();
    let port = place.server.address().port();
    let host = |value: &str| format!("Host: {value}\r\n");
    for good in [address.clone(), format!("localhost:{port}")] {
        assert_eq!(statuses(&place, &host(&good), ""), [200, 200], "{good}");
    }
    let bad = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("evil.example@127.0.0.1:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        format!("127.0.0.1:{port}.evil.example"),
        format!("localhost.evil.example:{port}"),
        format!("evil.localhost:{port}"),
        format!("LOCALHOST.:{port}"),
        format!("localhost.:{port}"),
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1:0{port}"),
        format!("127.0.0.1:{port}:{port}"),
        format!("127.0.0.2:{port}"),
        format!("127.1:{port}"),
        format!("0.0.0.0:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f000001:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("192.0.2.1:{port}"),
        format!("http://127.0.0.1:{port}"),
        format!("127.0.0.1:{port}/"),
        format!("127.0.0.1 :{port}"),
        format!("127.0.0.1:{port},evil.example"),
        format!("127.0.0.1:{port} evil.example"),
        "*".to_owned(),
        "null".to_owned(),
        String::new(),
        format!(":{port}"),
        format!("rebind.network:{port}"),
    ];
    for value in &bad {
        let answers = statuses(&place, &host(value), "");
        assert!(
            answers.iter().all(|s| *s == 403 || *s == 400),
            "{value}: {answers:?}"
        );
    }
    assert_eq!(statuses(&place, "", ""), [400, 400], "no host");
    let twice = format!("Host: {address}\r\nHost: {address}\r\n");
    assert_eq!(statuses(&place, &twice, ""), [400, 400]);
    let other = format!("Host: {address}\r\nHost: evil.example\r\n");
    assert_eq!(statuses(&place, &other, ""), [400, 400]);
    assert!(bad.len() + 5 >= 35);
}

#[test]
fn requests_of_other_origins_are_rejected() {
    let place = Place::new();
    let address = place.host();
    let port = place.server.address().port();
    let host = format!("Host: {address}\r\n");
    let good = format!("Origin: http://{address}\r\n");
    assert_eq!(statuses(&place, &host, &good), [200, 200]);
    let bad = [
        "null".to_owned(),
        "*".to_owned(),
        String::new(),
        "http://evil.example".to_owned(),
        "https://evil.example".to_owned(),
        format!("http://evil.example:{port}"),
        format!("https://{address}"),
        format!("ws://{address}"),
        format!("http://{address}/"),
        format!("http://{address}.evil.example"),
        format!("http://evil.example/{address}"),
        format!("http://evil.example?http://{address}"),
        format!("http://user@{address}"),
        "http://127.0.0.1".to_owned(),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://localhost:{port}"),
        format!("HTTP://{address}"),
        format!("http://{address} http://evil.example"),
        "file://".to_owned(),
        "chrome-extension://abcdefgh".to_owned(),
    ];
    for origin in &bad {
        let answers = statuses(&place, &host, &format!("Origin: {origin}\r\n"));
        assert_eq!(answers, [403, 403], "{origin}");
    }
    let twice = format!("{good}Origin: http://evil.example\r\n");
    assert_eq!(statuses(&place, &host, &twice), [400, 400]);
    for site in ["cross-site", "same-site", "", "none, same-origin"] {
        let answers = statuses(&place, &host, &format!("Sec-Fetch-Site: {site}\r\n"));
        assert_eq!(answers, [403, 403], "{site}");
    }
    // a link to the page may be followed, into a window of its own
    let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: ";
    assert_eq!(
        statuses(&place, &host, &format!("{link}document\r\n")),
        [200, 403]
    );
    for inside in ["iframe", "frame", "object", "embed", "script", "empty"] {
        let answers = statuses(&place, &host, &format!("{link}{inside}\r\n"));
        assert_eq!(answers, [403, 403], "{inside}");
    }
    for site in ["same-origin", "none"] {
        let answers = statuses(&place, &host, &format!("Sec-Fetch-Site: {site}\r\n"));
        assert_eq!(answers, [200, 200], "{site}");
    }
}

#[test]
fn only_the_page_is_served_without_the_token() {
    let place = Place::new();
    let paths = [
        "/api/session",
        "/api/runs/0/frames?from=0&count=1",
        "/api/runs/0/signals?names=x",
        "/api/modes",
        "/api/meshes/0",
        "/api/nothing",
    ];
    let long = "a".repeat(5000);
    let wrong = "0".repeat(32);
    let tokens = [
        String::new(),
        "Authorization: Bearer \r\n".to_owned(),
        format!("Authorization: Bearer {wrong}\r\n"),
        format!("Authorization: Bearer {long}\r\n"),
        format!("Authorization: Basic {}\r\n", place.token),
        format!("Authorization: bearer{}\r\n", place.token),
        format!("Authorization: {}\r\n", place.token),
        format!("Authorization: Bearer {}0\r\n", place.token),
        format!("Authorization: Bearer {}\r\n", &place.token[1..]),
        format!("Cookie: token={}\r\n", place.token),
    ];
    for path in paths {
        for token in &tokens {
            let text = format!(
                "GET {path} HTTP/1.1\r\nHost: {}\r\n{token}\r\n",
                place.host()
            );
            let answer = place.send(text.as_bytes()).unwrap();
            assert_eq!(answer.status, 401, "{path} {token}");
            let said = String::from_utf8_lossy(&answer.body).into_owned();
            assert!(!said.contains(&place.token) && !answer.head.contains(&place.token));
        }
        // a token in an address would end up in histories and logs
        let with = format!(
            "{path}{}token={}",
            if path.contains('?') { '&' } else { '?' },
            place.token
        );
        let text = format!("GET {with} HTTP/1.1\r\nHost: {}\r\n\r\n", place.host());
        assert_eq!(place.send(text.as_bytes()).unwrap().status, 401, "{path}");
    }
    assert!(place.is_well());
}

#[test]
fn requests_that_change_state_need_the_origin_of_the_page() {
    let place = Place::new();
    let body = r#"{"parameters":{"k":1.5}}"#;
    let length = format!("Content-Length: {}\r\n", body.len());
    let origin = format!("Origin: http://{}\r\n{length}", place.host());
    assert_eq!(place.request("POST", "/api/run", &length, body).status, 403);
    let answer = place.request("POST", "/api/run", &origin, body);
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (200, &br#"{"id":7}"#[..])
    );
    let unknown = r#"{"parameters":{"q":1.5}}"#;
    let answer = place.request("POST", "/api/run", &origin, unknown);
    assert_eq!(answer.status, 422);
    assert_eq!(answer.body, b"there is no such parameter\n");
    for broken in [
        r#"{"parameters":{"k":1.5]}"#,
        r#"{"parameters":[1,2,3,4]}"#,
        r#"{"parametres":{"k":1.5}}"#,
    ] {
        assert_eq!(broken.len(), body.len(), "{broken}");
        assert_eq!(
            place.request("POST", "/api/run", &origin, broken).status,
            400,
            "{broken}"
        );
    }
    for (method, path, status) in [
        ("GET", "/api/run", 405),
        ("PUT", "/api/run", 405),
        ("POST", "/api/session", 405),
        ("POST", "/", 405),
        ("DELETE", "/api/session", 405),
        ("OPTIONS", "/", 405),
        ("TRACE", "/", 405),
        ("CONNECT", "/", 405),
        ("BREW", "/api/modes", 405),
    ] {
        let only_origin = format!("Origin: http://{}\r\n", place.host());
        let answer = place.request(method, path, &only_origin, "");
        assert_eq!(answer.status, status, "{method} {path}");
        assert!(
            !answer.head.to_lowercase().contains("access-control"),
            "no other origin is ever let in"
        );
    }
}

#[test]
fn only_the_page_of_the_server_changes_its_model() {
    let place = Place::new();
    let post = |path: &str, more: &str, body: &str| {
        let length = format!("{more}Content-Length: {}\r\n", body.len());
        place.request("POST", path, &length, body)
    };
    let own = format!("Origin: http://{}\r\n", place.host());
    let answer = post("/api/desk/echo", &own, r#"{"a":[1]}"#);
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (200, &br#"{"a":[1]}"#[..])
    );
    let answer = post("/api/desk/edit", &own, "{}");
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (422, &b"there is no such element\n"[..])
    );
    for origin in [
        "",
        "Origin: null\r\n",
        "Origin: http://evil.example\r\n",
        "Origin: file://\r\n",
    ] {
        assert_eq!(post("/api/desk/echo", origin, "{}").status, 403, "{origin}");
    }
    let cross = format!("{own}Sec-Fetch-Site: cross-site\r\n");
    assert_eq!(post("/api/desk/echo", &cross, "{}").status, 403);
    for body in [
        "",
        "[]",
        "null",
        "1",
        "{",
        "{}{}",
        "\u{0}",
        r#"{"a":"\ud800"}"#,
    ] {
        assert_eq!(post("/api/desk/echo", &own, body).status, 400, "{body:?}");
    }
    let deep = format!("{}{}", r#"{"a":"#.repeat(5000), "}".repeat(5000));
    assert_eq!(post("/api/desk/echo", &own, &deep).status, 400);
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(limits::BODY));
    assert_eq!(post("/api/desk/echo", &own, &long).status, 413);
    for path in [
        "/api/desk",
        "/api/desk/",
        "/api/desk/nothing",
        "/api/desk/echo/",
        "/api/desk/echo/x",
        "/api/desk//echo",
        "/api/desk/../session",
        "/api/desk/%65cho",
        "/api/desk/Echo",
    ] {
        assert_eq!(post(path, &own, "{}").status, 404, "{path}");
    }
    for method in ["GET", "PUT", "DELETE", "PATCH", "HEAD"] {
        let answer = place.request(method, "/api/desk/echo", &own, "");
        assert_eq!(answer.status, 405, "{method}");
    }
    let bare = format!(
        "POST /api/desk/echo HTTP/1.1\r\nHost: {}\r\n{own}Content-Length: 2\r\n\r\n{{}}",
        place.host()
    );
    assert_eq!(place.send(bare.as_bytes()).unwrap().status, 401, "no token");
    assert!(place.is_well());
}

#[test]
fn the_socket_listens_on_the_loopback_interface_only() {
    let place = Place::new();
    assert!(place.server.address().ip().is_loopback());
    assert_ne!(place.server.address().port(), 0);
    // the sockets of this process as listed by the system, if available
    let port = format!("{:04X}", place.server.address().port());
    if let Ok(table) = std::fs::read_to_string("/proc/net/tcp") {
        let ours = table
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1));
        let ours: Vec<&str> = ours
            .filter(|local| local.ends_with(&format!(":{port}")))
            .collect();
        assert!(!ours.is_empty());
        assert!(
            ours.iter().all(|local| local.starts_with("0100007F")),
            "{ours:?}"
        );
    }
    if let Ok(table) = std::fs::read_to_string("/proc/net/tcp6") {
        assert!(
            !table
                .lines()
                .any(|line| line.contains(&format!(":{port} 0000")))
        );
    }
}
