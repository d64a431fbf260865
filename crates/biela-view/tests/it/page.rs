//! The resources of a page; other paths do not exist.

use crate::support::{EVIL, Place};

#[test]
fn the_page_is_served_with_its_security_headers() {
    let place = Place::new();
    let files = [
        ("/", "text/html"),
        ("/assets/biela.js", "text/javascript"),
        ("/assets/biela.css", "text/css"),
        ("/favicon.svg", "image/svg+xml"),
    ];
    for (path, media) in files {
        let text = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", place.host());
        let answer = place.send(text.as_bytes()).unwrap();
        assert_eq!(answer.status, 200, "{path}");
        assert!(
            answer.head.contains(&format!("Content-Type: {media}")),
            "{path}"
        );
        assert!(!answer.body.is_empty());
        let text = format!("HEAD {path} HTTP/1.1\r\nHost: {}\r\n\r\n", place.host());
        let head = place.send(text.as_bytes()).unwrap();
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.head, answer.head);
    }
    for answer in [
        place.get("/"),
        place.get("/api/session"),
        place.get("/nothing"),
    ] {
        for guard in [
            "Content-Security-Policy: default-src 'self'; connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff",
            "X-Frame-Options: DENY",
            "Referrer-Policy: no-referrer",
            "Cache-Control: no-store",
            "Cross-Origin-Resource-Policy: same-origin",
        ] {
            assert!(answer.head.contains(guard), "{guard}");
        }
        assert!(!answer.head.contains("unsafe-inline") && !answer.head.contains("unsafe-eval"));
    }
}

#[test]
fn the_page_complies_with_its_security_policy() {
    let place = Place::new();
    let page = String::from_utf8(place.get("/").body).unwrap();
    let lower = page.to_lowercase();
    assert!(
        !lower.contains("<style") && !lower.contains(" style="),
        "no style inline"
    );
    for script in lower.split("<script").skip(1) {
        let (tag, rest) = script.split_once('>').unwrap();
        assert!(tag.contains("src=\"./assets/"), "{tag}");
        assert!(
            rest.trim_start().starts_with("</script"),
            "no script inline"
        );
    }
    for part in lower.split(['"', '\'']).filter(|part| part.contains("//")) {
        assert!(
            !part.starts_with("http") && !part.starts_with("//"),
            "{part}"
        );
    }
    for handler in [" onload=", " onclick=", " onerror=", "=\"javascript:"] {
        assert!(!lower.contains(handler), "{handler}");
    }
}

#[test]
fn names_are_never_markup() {
    let place = Place::new();
    let answer = place.get("/api/session");
    assert!(answer.head.contains("Content-Type: application/json"));
    let session: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(session["scene"]["bodies"][1]["name"], EVIL);
    assert_eq!(session["title"], EVIL);
    assert!(!answer.body.contains(&b'\n') && !answer.body.contains(&0));
    assert_eq!(session["runs"][0]["signals"][0]["name"], "x");
    assert!(!String::from_utf8_lossy(&place.get("/").body).contains("onerror=alert"));
}

/// Ways that have led out of some server's folder.
fn traversals() -> Vec<String> {
    let targets = [
        "etc/passwd",
        "etc/shadow",
        "proc/self/environ",
        "proc/self/maps",
        "windows/win.ini",
        "root/.ssh/id_rsa",
        "Cargo.toml",
        "model.toml",
    ];
    let ups = [
        "../",
        "..\\",
        "%2e%2e/",
        "%2e%2e%2f",
        "..%2f",
        "..%5c",
        "%2e%2e%5c",
        "..%252f",
        "%252e%252e%252f",
        "..%c0%af",
        "..%c1%9c",
        "%c0%ae%c0%ae/",
        "....//",
        "....\\/",
        "..;/",
        "..%00/",
        "..%0d%0a/",
        ".%2e/",
        "%2e./",
        "..%u2215",
        "/../",
        "/./",
        "//",
        "..%ef%bc%8f",
    ];
    let mut paths = Vec::new();
    for up in ups {
        for (k, target) in targets.iter().enumerate() {
            let climb = up.repeat(1 + k);
            paths.push(format!("/{climb}{target}"));
            paths.push(format!("/assets/{climb}{target}"));
        }
    }
    let more = [
        "/etc/passwd",
        "//etc/passwd",
        "///etc/passwd",
        "/assets",
        "/assets/",
        "/assets/.",
        "/assets/..",
        "/assets//biela.js",
        "/assets/biela.js/",
        "/assets/biela.js%00.txt",
        "/assets/./biela.js",
        "/ASSETS/biela.js",
        "/assets/biela.js.map",
        "/index.html",
        "/.git/config",
        "/.env",
        "/src/lib.rs",
        "/api",
        "/api/",
        "/api//session",
        "/api/./session",
        "/api/session/",
        "/api/session/x",
        "/api/../index.html",
        "/api/runs",
        "/api/runs/",
        "/api/runs/0",
        "/api/runs/0/",
        "/api/runs/0/frames/",
        "/api/runs/0/frames/0",
        "/api/runs/-1/frames",
        "/api/runs/+0/frames",
        "/api/runs/1/frames",
        "/api/runs/99999999999999999999999/frames",
        "/api/runs/0x0/frames",
        "/api/runs/../session",
        "/api/runs/%30/frames",
        "/api/meshes/../../etc/passwd",
        "/api/meshes/0",
        "/api/meshes/%2e%2e",
        "/api/meshes/etc%2fpasswd",
        "/api/meshes/0/../1",
        "/%",
        "/%zz",
        "/~root",
        "/;",
        "/file:///etc/passwd",
    ];
    paths.extend(more.map(str::to_owned));
    paths
}

#[test]
fn no_path_reads_a_file() {
    let place = Place::new();
    let paths = traversals();
    assert!(paths.len() >= 400, "{}", paths.len());
    for path in &paths {
        let answer = place.get(path);
        assert!(
            [400, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        let said = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(
            !said.contains("root:") && !said.contains("[workspace]"),
            "{path}"
        );
        assert!(
            answer.body.len() < 40,
            "nothing of the request comes back: {said}"
        );
    }
    // absolute and other forms of targets
    for target in [
        "http://127.0.0.1/",
        "http://evil.example/",
        "*",
        "api/session",
        "evil.example:443",
    ] {
        let answer = place.get(target);
        assert!(
            [400, 404].contains(&answer.status),
            "{target}: {}",
            answer.status
        );
    }
    assert!(place.is_well());
}
