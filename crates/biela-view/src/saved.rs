//! A page without a server: the viewer with the motion and the signals of runs in one file.
//!
//! The data are in elements that browsers do not execute; the page reads them instead of requesting a server. A Content-Security-Policy with hashes allows only
//! the viewer's own script, for any names in the data.

use std::fmt::Write;
use std::sync::Arc;

use data_encoding::BASE64;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::Scene;

const SCRIPT: &str = include_str!("../web/dist/assets/biela.js");
const STYLE: &str = include_str!("../web/dist/assets/biela.css");

/// The data of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedRun {
    /// Its number in the session.
    pub id: usize,
    /// The scene of the run, if it differs from that of the session.
    pub scene: Option<Arc<Scene>>,
    /// All its frames, as in a motion file without its header.
    pub frames: Vec<u8>,
    /// `u32` rows, `u32` signals, `f64` times, then for each signal its `f32` values; all little-endian.
    pub signals: Vec<u8>,
}

/// Returns the page of a session with its runs, and with meshes by their numbers.
pub fn saved_page(session: &Value, runs: &[SavedRun], meshes: &[(usize, Vec<u8>)]) -> String {
    // an end tag inside a script would end it; in JavaScript and JSON the escaped form is equivalent
    let script = SCRIPT
        .replace("</script", "<\\/script")
        .replace("<!--", "\\x3c!--");
    let style = STYLE.replace("</style", "<\\/style");
    let title = session["title"].as_str().unwrap_or("biela");
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src '{}'; \
         img-src data: blob:; base-uri 'none'; form-action 'none'\">\n<title>{}</title>\n<style>{style}</style>\n",
        hash(&script),
        hash(&style),
        escaped(title),
    );
    let mut data = |id: String, data: &Value| {
        let data = data.to_string().replace('<', "\\u003c");
        let _ = writeln!(
            page,
            "<script type=\"application/json\" id=\"biela-{id}\">{data}</script>"
        );
    };
    data("session".to_owned(), session);
    for run in runs {
        if let Some(scene) = &run.scene {
            data(format!("scene-{}", run.id), &json!(scene.as_ref()));
        }
    }
    let of_runs = runs.iter().flat_map(|run| {
        [
            ("frames", run.id, &run.frames),
            ("signals", run.id, &run.signals),
        ]
    });
    let of_meshes = meshes
        .iter()
        .map(|(number, bytes)| ("mesh", *number, bytes));
    for (name, number, bytes) in of_runs.chain(of_meshes) {
        let _ = writeln!(
            page,
            "<script type=\"application/octet-stream\" id=\"biela-{name}-{number}\">{}</script>",
            BASE64.encode(bytes)
        );
    }
    let _ = write!(
        page,
        "</head>\n<body>\n<noscript>The viewer needs JavaScript. Enable it for this page.</noscript>\n\
         <div id=\"app\"></div>\n<script type=\"module\">{script}</script>\n</body>\n</html>\n"
    );
    page
}

/// The hash of a text in the form of a Content-Security-Policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text between the tag with this beginning and its end.
    fn inside<'p>(page: &'p str, tag: &str, end: &str) -> &'p str {
        let after = page.split_once(tag).unwrap().1.split_once('>').unwrap().1;
        after.split_once(end).unwrap().0
    }

    #[test]
    fn the_data_are_recovered_for_any_names() {
        let evil = "</script><script>alert(1)</script><!--\u{2028}\"'&";
        let session = json!({ "title": evil, "scene": { "name": evil } });
        let run = SavedRun {
            id: 3,
            scene: None,
            frames: (0..=255).collect(),
            signals: vec![1, 2, 3],
        };
        let page = saved_page(&session, &[run], &[(2, vec![9])]);
        let read: Value =
            serde_json::from_str(inside(&page, "id=\"biela-session\"", "</script>")).unwrap();
        assert_eq!(read, session);
        let frames = BASE64.decode(inside(&page, "id=\"biela-frames-3\"", "</script>").as_bytes());
        assert_eq!(frames.unwrap(), (0..=255).collect::<Vec<u8>>());
        let signals = inside(&page, "id=\"biela-signals-3\"", "</script>");
        assert_eq!(signals, "AQID");
        assert_eq!(inside(&page, "id=\"biela-mesh-2\"", "</script>"), "CQ==");
        // the script tags are those of the page: session, three of data, the viewer
        assert_eq!(page.matches("</script").count(), 5);
        assert_eq!(page.matches("<!--").count(), 0);
        assert!(!inside(&page, "<title", "</title>").contains('<'));
    }

    #[test]
    fn the_policy_allows_only_the_script_of_the_viewer() {
        let page = saved_page(&json!({ "title": "x" }), &[], &[]);
        let policy = page
            .split_once("content=\"default-src")
            .unwrap()
            .1
            .split_once('"')
            .unwrap()
            .0;
        let script = inside(&page, "<script type=\"module\"", "</script>");
        let style = inside(&page, "<style", "</style>");
        assert!(policy.contains(&format!("script-src '{}'", hash(script))));
        assert!(policy.contains(&format!("style-src '{}'", hash(style))));
        assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'));
        assert!(
            !page.contains(" src=\"") && !page.contains(" href=\""),
            "one file"
        );
    }
}
