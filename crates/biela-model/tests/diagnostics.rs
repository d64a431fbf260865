//! The rendered form of diagnostics, letter by letter.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use biela_model::diagnostic::{Diagnostic, Diagnostics, MOST_SHOWN, ReportStyle, Sources, Span};

/// The report of one error that marks the first `marked` in `text`.
fn report(text: &str, marked: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("m.toml", text);
    let start = text.find(marked).unwrap();
    let diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::error("test", "wrong").at(Span::new(file, start..start + marked.len()), "here"),
    );
    diagnostics.render(&sources, ReportStyle::Plain)
}

/// The source line and the marks below it.
fn snippet(text: &str, marked: &str) -> (String, String) {
    let report = report(text, marked);
    let mut lines = report.lines().skip(3).map(str::to_owned);
    (lines.next().unwrap(), lines.next().unwrap())
}

#[test]
fn a_report_is_sorted_by_file_and_position_and_without_duplicates() {
    let mut sources = Sources::new();
    let main = sources.add("arm.toml", "a = 1\nb = 2\n");
    let parts = sources.add("parts.toml", "c = 3\n");
    let diagnostics = Diagnostics::new();
    let in_parts = Diagnostic::warning("w", "third").at(Span::new(parts, 0..1), "");
    diagnostics.push(in_parts.clone());
    diagnostics.push(
        Diagnostic::error("e", "second")
            .at(Span::new(main, 6..7), "here")
            .also(Span::new(main, 0..1), "and here")
            .also(Span::new(parts, 4..5), "and there"),
    );
    diagnostics.push(Diagnostic::error("e", "first").at(Span::new(main, 4..5), ""));
    diagnostics.push(Diagnostic::error("no-place", "before all").help("read the manual"));
    diagnostics.push(in_parts);
    assert_eq!(
        diagnostics.render(&sources, ReportStyle::Plain),
        "\
error[no-place]: before all
  = help: read the manual

error[e]: first
 --> arm.toml:1:5
  |
1 | a = 1
  |     ^

error[e]: second
 --> arm.toml:2:1
  |
1 | a = 1
  | - and here
2 | b = 2
  | ^ here
 ::: parts.toml:1:5
  |
1 | c = 3
  |     - and there

warning[w]: third
 --> parts.toml:1:1
  |
1 | c = 3
  | ^

3 errors, 1 warning; nothing was run
"
    );
}

#[test]
fn the_gutter_is_as_wide_as_the_largest_line_number() {
    let text = "\n".repeat(40) + "axis = [0, 0, 0]\n";
    assert_eq!(
        report(&text, "[0, 0, 0]"),
        "\
error[test]: wrong
  --> m.toml:41:8
   |
41 | axis = [0, 0, 0]
   |        ^^^^^^^^^ here

1 error; nothing was run
"
    );
}

#[test]
fn wide_and_combining_characters_keep_the_marks_in_line() {
    let (line, marks) = snippet("名前 = 世界\n", "世界");
    assert_eq!(line, "1 | 名前 = 世界");
    assert_eq!(marks, "  |        ^^^^ here");
    assert!(report("名前 = 世界\n", "世界").contains("m.toml:1:6"));
    let (_, marks) = snippet("e\u{301} = x", "x");
    assert_eq!(marks, "  |     ^ here");
    assert!(report("e\u{301} = x", "x").contains("m.toml:1:6"));
}

#[test]
fn tabs_are_one_column_in_locations_and_four_on_the_screen() {
    let (line, marks) = snippet("\tx = 1", "1");
    assert_eq!(line, "1 |     x = 1");
    assert_eq!(marks, "  |         ^ here");
    assert!(report("\tx = 1", "1").contains("m.toml:1:6"));
}

#[test]
fn crlf_does_not_change_the_report() {
    let report = report("a = 1\r\nb = 2\r\n", "2");
    assert!(!report.contains('\r') && !report.contains("\\r"));
    assert!(report.contains("m.toml:2:5\n  |\n2 | b = 2\n  |     ^ here\n"));
}

#[test]
fn control_and_direction_characters_are_escaped_everywhere() {
    let (line, marks) = snippet("a\u{1b}[31m\u{202e} = 1", "= 1");
    assert_eq!(line, "1 | a\\u{1b}[31m\\u{202e} = 1");
    assert_eq!(marks, format!("  | {}^^^ here", " ".repeat(20)));
    let mut sources = Sources::new();
    let file = sources.add("a\u{1b}b.toml", "x");
    let diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::error("e", "m\u{1b}m\nm")
            .at(Span::new(file, 0..1), "l\u{9b}l")
            .help("h\rh"),
    );
    let report = diagnostics.render(&sources, ReportStyle::Plain);
    assert!(report.chars().all(|c| c == '\n' || !c.is_control()));
    assert_eq!(report.lines().count(), 9);
}

#[test]
fn a_very_long_line_is_truncated_around_the_span() {
    let text = format!(
        "x = [{}, bad, {}]",
        "1, ".repeat(3_000_000),
        "2, ".repeat(9_000)
    );
    let (line, marks) = snippet(&text, "bad");
    assert_eq!(line.chars().count(), 4 + 1 + 40 + 80 + 1);
    let column = marks.find('^').unwrap();
    let under: String = line.chars().skip(column).take(3).collect();
    assert_eq!(under, "bad");
    assert!(report(&text, "bad").contains("m.toml:1:9000008"));
}

#[test]
fn a_span_over_lines_is_marked_at_both_ends() {
    assert_eq!(
        report("a = [\n  1,\n  2,\n  3 ]\nb = 1\n", "[\n  1,\n  2,\n  3 ]"),
        "\
error[test]: wrong
 --> m.toml:1:5
  |
1 | a = [
  |     ^
...
4 |   3 ]
  |   ^^^ here

1 error; nothing was run
"
    );
}

#[test]
fn the_end_of_the_file_can_be_marked() {
    let mut sources = Sources::new();
    for (text, place, line, marks) in [
        ("", "1:1", "1 |", "  | ^"),
        ("a = ", "1:5", "1 | a =", "  |     ^"),
        ("a\n", "2:1", "2 |", "  | ^"),
    ] {
        let file = sources.add("m.toml", text);
        let diagnostics = Diagnostics::new();
        let end = text.len();
        diagnostics.push(Diagnostic::error("e", "m").at(Span::new(file, end..end + 7), ""));
        let report = diagnostics.render(&sources, ReportStyle::Plain);
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[1], format!(" --> m.toml:{place}"));
        assert_eq!(&lines[3..5], [line, marks]);
    }
}

#[test]
fn colour_adds_only_escape_sequences() {
    let mut sources = Sources::new();
    let file = sources.add("m.toml", "a = 1\n");
    let diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::warning("w", "odd")
            .at(Span::new(file, 4..5), "here")
            .help("try 2"),
    );
    let plain = diagnostics.render(&sources, ReportStyle::Plain);
    let colour = diagnostics.render(&sources, ReportStyle::Colour);
    assert!(colour.contains("\x1b[1;33m"));
    let mut stripped = String::new();
    for (index, piece) in colour.split("\x1b[").enumerate() {
        stripped += if index == 0 {
            piece
        } else {
            piece.split_once('m').unwrap().1
        };
    }
    assert_eq!(stripped, plain);
}

#[test]
fn many_diagnostics_are_truncated_and_counted_with_errors_first() {
    let mut sources = Sources::new();
    let text = "x\n".repeat(1000);
    let file = sources.add("m.toml", text);
    let diagnostics = Diagnostics::new();
    for line in 0..500 {
        let span = Span::new(file, 2 * line..2 * line + 1);
        diagnostics.push(Diagnostic::warning("w", "odd").at(span, ""));
    }
    for line in 0..150 {
        let span = Span::new(file, 2 * line..2 * line + 1);
        diagnostics.push(Diagnostic::error("e", "bad").at(span, ""));
    }
    let shown = diagnostics.sorted();
    assert_eq!(shown.len(), MOST_SHOWN);
    assert_eq!(shown.iter().filter(|d| d.code == "e").count(), 150);
    let report = diagnostics.render(&sources, ReportStyle::Plain);
    assert!(
        report.ends_with("\n(450 more not shown)\n150 errors, 500 warnings; nothing was run\n")
    );
}

#[test]
fn json_has_the_locations_and_the_texts() {
    let mut sources = Sources::new();
    let file = sources.add("m.toml", "ä = 1\nb = [\n]\n");
    let diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::error("e", "bad")
            .at(Span::new(file, 11..14), "here")
            .also(Span::new(file, 0..2), "there")
            .help("try"),
    );
    assert_eq!(
        diagnostics.to_json(&sources),
        serde_json::json!({
            "errors": 1, "warnings": 0, "left_out": 0,
            "diagnostics": [{
                "severity": "error", "code": "e", "message": "bad", "help": "try",
                "file": "m.toml", "line": 2, "column": 5, "end": { "line": 3, "column": 2 }, "label": "here",
                "secondary": [{
                    "file": "m.toml", "line": 1, "column": 1, "end": { "line": 1, "column": 2 }, "label": "there",
                }],
            }],
        })
    );
}

#[test]
fn no_diagnostics_are_an_empty_report_and_warnings_do_not_stop_the_run() {
    let sources = Sources::new();
    let diagnostics = Diagnostics::new();
    assert_eq!(diagnostics.render(&sources, ReportStyle::Plain), "");
    assert_eq!(diagnostics.summary(), "no problems found");
    diagnostics.push(Diagnostic::warning("w", "odd"));
    assert!(!diagnostics.has_errors());
    assert_eq!(
        diagnostics.render(&sources, ReportStyle::Plain),
        "warning[w]: odd\n\n1 warning\n"
    );
}
