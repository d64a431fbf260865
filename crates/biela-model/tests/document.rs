//! Reading text to a tree, and the tree to typed values.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use biela_model::diagnostic::ReportStyle;
use biela_model::document::{
    Document, DocumentField, DocumentLimits, TableReader, ValueKind, parse,
};

fn read(text: &str) -> Document {
    parse("m.toml", text, &DocumentLimits::default())
}

fn report(document: &Document) -> String {
    document
        .diagnostics
        .render(&document.sources, ReportStyle::Plain)
}

/// `line:column code` of every diagnostic.
fn places(document: &Document) -> Vec<String> {
    let place = |span| {
        document
            .sources
            .locate(span)
            .unwrap()
            .replace("m.toml:", "")
    };
    document
        .diagnostics
        .sorted()
        .iter()
        .map(|d| {
            format!(
                "{} {}",
                d.primary.as_ref().map_or(String::new(), |l| place(l.span)),
                d.code
            )
        })
        .collect()
}

#[test]
fn all_syntax_errors_are_reported_at_once() {
    let document = read("mass = 3 kg\nname = crank\naxis = [1 0 0]\nx =\n[body\ny = 1\n");
    assert_eq!(
        report(&document),
        "\
error[syntax]: string values must be quoted
 --> m.toml:1:8
  |
1 | mass = 3 kg
  |        ^^^^ not a number, true, false or a quoted string
  |
  = help: put names, expressions and values with units in quotes: length = \"12 mm\"

error[syntax]: string values must be quoted
 --> m.toml:2:8
  |
2 | name = crank
  |        ^^^^^ not a number, true, false or a quoted string
  |
  = help: put names, expressions and values with units in quotes: length = \"12 mm\"

error[syntax]: missing comma between numbers
 --> m.toml:3:9
  |
3 | axis = [1 0 0]
  |         ^^^^^ read as one value
  |
  = help: put commas between the numbers: [1, 0, 0]

error[syntax]: missing value
 --> m.toml:4:4
  |
4 | x =
  |    ^
  |
  = help: a line is key = value, a [table] header or a # comment

error[syntax]: unclosed table
 --> m.toml:5:6
  |
5 | [body
  |      ^ expected `]`
  |
  = help: a table header is [name], alone on its line

5 errors; nothing was run
"
    );
}

#[test]
fn unreadable_values_are_reported_once_and_then_skipped() {
    let document = read("mass = 3 kg\nname = \"a\"\n");
    let root = TableReader::new(&document.root, "body", &[], &document.diagnostics);
    assert!(root.require("mass", "mass = 1").number().is_none());
    assert!(root.get("name").string().is_some());
    root.finish();
    assert_eq!(places(&document), ["1:8 syntax"]);
}

#[test]
fn an_unclosed_bracket_is_one_error_with_the_location_of_the_opening() {
    let document = read("h = [1, 2\n[z]\nq = 1\nr = 2\n");
    assert_eq!(
        report(&document),
        "\
error[syntax]: missing comma between array elements
 --> m.toml:2:1
  |
1 | h = [1, 2
  |     - opened here
2 | [z]
  | ^^ expected `,`
  |
  = help: put commas between the elements and close the array with ]

1 error; nothing was run
"
    );
}

#[test]
fn duplicate_keys_show_both_locations() {
    let document = read("[a]\nx = 1\ny = { x = 2 }\nx = 3\n[b]\n[a]\n");
    assert_eq!(
        report(&document),
        "\
error[duplicate-key]: key `x` is given twice
 --> m.toml:4:1
  |
2 | x = 1
  | - first given here
...
4 | x = 3
  | ^ given again here

error[duplicate-key]: key `a` is given twice
 --> m.toml:6:2
  |
1 | [a]
  |  - first given here
...
6 | [a]
  |  ^ given again here

2 errors; nothing was run
"
    );
}

#[test]
fn tables_may_be_written_in_any_valid_form() {
    let text = "
a.b.c = 1
a.b.d = 2
[t.u.v]
x = 1
[t]
y = 2
[[e]]
n = 1
[e.sub]
m = 2
[[e]]
n = 3
[[e.list]]
k = 4
[f]
g.h = 1
[f.g2]
z = { p.q = 1, p.r = 2 }
[a.z]
";
    let document = read(text);
    assert_eq!(report(&document), "");
    let keys: Vec<&str> = document.root.iter().map(|e| e.key.as_str()).collect();
    assert_eq!(keys, ["a", "t", "e", "f"], "the order of the file");
    let ValueKind::Array(elements) = &document.root.get("e").unwrap().value.kind else {
        panic!("an array of tables");
    };
    assert_eq!(elements.len(), 2);
    let second = elements[1].as_table().unwrap();
    assert_eq!(document.sources.locate(second.span).unwrap(), "m.toml:12:1");
    assert!(second.get("list").is_some() && second.get("sub").is_none());
}

#[test]
fn tables_may_not_be_reopened() {
    for (text, place) in [
        ("a = 1\na.b = 2\n", "2:1"),
        ("a = 1\n[a]\n", "2:2"),
        ("a.b = 1\n[a]\n", "2:2"),
        ("a = {}\n[a.b]\n", "2:2"),
        ("a = {}\na.b = 1\n", "2:1"),
        ("a = []\n[[a]]\n", "2:3"),
        ("a = [{}]\n[a.b]\n", "2:2"),
        ("[a]\n[[a]]\n", "2:3"),
        ("[[a]]\n[a]\n", "2:2"),
        ("[a.b]\n[a]\nb.c = 1\n", "3:1"),
        ("[[a.b]]\n[a]\nb.c.d = 1\n", "3:1"),
        ("x = { a = 1, a.b = 2 }\n", "1:14"),
        ("x = { a = { }, a.b = 2 }\n", "1:16"),
    ] {
        let document = read(text);
        assert_eq!(
            places(&document),
            [format!("{place} duplicate-key")],
            "{text}"
        );
    }
}

#[test]
fn numbers_keep_their_value() {
    let document = read(
        "a = 1_000\nb = 0xff\nc = -0.5e-3\nd = 0b101\ne = +7\nf = 9223372036854775807\ng = 1_0.5\n",
    );
    let root = TableReader::new(&document.root, "model", &[], &document.diagnostics);
    for (key, value) in [
        ("a", 1000.0),
        ("b", 255.0),
        ("c", -0.5e-3),
        ("d", 5.0),
        ("e", 7.0),
        ("g", 10.5),
    ] {
        assert_eq!(root.get(key).number().unwrap().value, value, "{key}");
    }
    assert_eq!(root.get("f").integer().unwrap().value, i64::MAX);
    root.finish();
    assert_eq!(report(&document), "");
}

#[test]
fn numbers_out_of_range_nan_and_infinity_are_rejected() {
    let document = read("a = 9223372036854775808\nb = 1e999\nc = nan\nd = -inf\n");
    let root = TableReader::new(&document.root, "model", &[], &document.diagnostics);
    for key in ["a", "b", "c", "d"] {
        assert!(root.get(key).number().is_none());
    }
    root.finish();
    assert_eq!(
        places(&document),
        [
            "1:5 number-range",
            "2:5 number-range",
            "3:5 not-finite",
            "4:5 not-finite"
        ]
    );
}

#[test]
fn wrong_types_name_the_key_the_element_and_both_types() {
    let document = read(
        "[[body]]\nname = \"crank\"\nmass = \"heavy\"\ncom = [0, true, 0]\nfixed = 1\npoints = 3\n[joint]\n",
    );
    let root = TableReader::new(&document.root, "model", &[], &document.diagnostics);
    let bodies = root.get("body").array_of_tables();
    let body = TableReader::new(bodies[0], "body", &["name"], &document.diagnostics);
    assert_eq!(body.what(), "body `crank`");
    assert!(body.get("mass").number().is_none());
    let com = body.get("com").fixed_array::<3>().unwrap().value;
    assert_eq!(com.iter().filter_map(DocumentField::number).count(), 2);
    assert!(body.get("com").fixed_array::<2>().is_none());
    assert!(body.get("fixed").bool().is_none());
    assert!(body.get("points").table().is_none());
    body.finish();
    assert!(root.get("joint").array_of_tables().is_empty());
    root.finish();
    assert_eq!(
        report(&document),
        "\
error[wrong-type]: `mass` of body `crank` must be a number
 --> m.toml:3:8
  |
3 | mass = \"heavy\"
  |        ^^^^^^^ this is a string

error[wrong-length]: `com` of body `crank` must have 2 elements
 --> m.toml:4:7
  |
4 | com = [0, true, 0]
  |       ^^^^^^^^^^^^ has 3

error[wrong-type]: element 2 of `com` of body `crank` must be a number
 --> m.toml:4:11
  |
4 | com = [0, true, 0]
  |           ^^^^ this is a boolean

error[wrong-type]: `fixed` of body `crank` must be true or false
 --> m.toml:5:9
  |
5 | fixed = 1
  |         ^ this is an integer
  |
  = help: write true or false, without quotes

error[wrong-type]: `points` of body `crank` must be a table
 --> m.toml:6:10
  |
6 | points = 3
  |          ^ this is an integer
  |
  = help: write { key = value, … } or a [header] of its own

error[wrong-type]: `joint` of model must be a list of tables
 --> m.toml:7:1
  |
7 | [joint]
  | ^^^^^^^ this is a table
  |
  = help: write the header in double brackets: [[…]]

6 errors; nothing was run
"
    );
}

#[test]
fn missing_keys_are_reported_at_the_header_with_an_example() {
    let document = read("[[body]]\nmass = 1\n");
    let root = TableReader::new(&document.root, "model", &["body"], &document.diagnostics);
    assert!(!root.require("format", "format = 1").is_present());
    for body in root.get("body").array_of_tables() {
        let body = TableReader::new(body, "body", &["mass"], &document.diagnostics);
        assert!(body.require("name", "name = \"crank\"").string().is_none());
        body.finish();
    }
    root.finish();
    let report = report(&document);
    assert_eq!(places(&document), ["1:1 missing-key", "1:1 missing-key"]);
    assert!(report.contains("model has no `format`"));
    assert!(report.contains("1 | [[body]]\n  | ^^^^^^^^ `name` is required here\n"));
    assert!(report.contains("= help: add it, for example: name = \"crank\""));
}

#[test]
fn unknown_keys_get_the_nearest_known_one_or_the_list() {
    let document = read("mas = 1\nzzzzzz = 2\n\"we\\u001bird\" = 3\nmass = 4\n");
    let root = TableReader::new(
        &document.root,
        "body",
        &["mass", "inertia"],
        &document.diagnostics,
    );
    let _ = root.get("com");
    root.finish();
    let report = report(&document);
    assert_eq!(
        places(&document),
        ["1:1 unknown-key", "2:1 unknown-key", "3:1 unknown-key"]
    );
    assert!(report.contains("did you mean `mass`?"));
    assert!(report.contains("known keys are `com`, `inertia`, `mass`"));
    assert!(!report.contains('\u{1b}') && report.contains("`we\\u{1b}ird`"));
}

#[test]
fn free_keys_are_all_read_with_their_spans() {
    let document = read("[parameters]\nl1 = 1\n\"größe\" = \"2 mm\"\n");
    let root = TableReader::new(&document.root, "model", &[], &document.diagnostics);
    let table = root.get("parameters").table().unwrap().value;
    let parameters = TableReader::new(table, "parameters", &[], &document.diagnostics);
    let fields = parameters.fields();
    assert_eq!(fields[0].0.value, "l1");
    assert_eq!(fields[1].0.value, "größe");
    assert_eq!(
        document
            .sources
            .locate(fields[1].1.span().unwrap())
            .unwrap(),
        "m.toml:3:11"
    );
    parameters.finish();
    root.finish();
    assert_eq!(report(&document), "");
}

#[test]
fn a_byte_order_mark_and_crlf_do_not_move_the_columns() {
    let document = read("\u{feff}a = 1\r\nb = x\r\n");
    assert_eq!(places(&document), ["2:5 syntax"]);
    assert!(document.root.get("a").is_some());
}

#[test]
fn limits_are_enforced_with_a_location() {
    let small = DocumentLimits {
        bytes: 200,
        depth: 4,
        values: 10,
        ..DocumentLimits::default()
    };
    for (text, place) in [
        ("a = [[[[1]]]]\n", "1:9 too-deep"),
        ("a = [[[[]]]]\nb = 1\n", ""),
        ("[a.b.c.d.e]\n", "1:1 too-deep"),
        ("[a.b]\nc.d = { e = 1 }\n", "2:13 too-deep"),
        (
            "a = [0,1,2,3,4,5,6,7,8,9]\nb = 1\nc = [1]\n",
            "1:24 too-many-values",
        ),
    ] {
        let document = parse("m.toml", text, &small);
        assert_eq!(places(&document).join(" "), place, "{text}");
    }
    let document = parse("m.toml", &"#".repeat(201), &small);
    assert_eq!(places(&document), [" file-too-large"]);
}

#[test]
fn very_large_documents_neither_overflow_the_stack_nor_take_long() {
    let deep_array = format!("a = {}", "[".repeat(1_000_000));
    let deep_table = format!("a = {}", "{a=".repeat(1_000_000));
    let broken_key = format!("= {}", "[{a=".repeat(1_000_000));
    let dotted = format!("{}z = 1", "a.".repeat(1_000_000));
    let header = format!("[{}z]", "a.".repeat(1_000_000));
    let lines: Vec<String> = (0..300_000).map(|k| format!("k{k}=1")).collect();
    let many_keys = lines.join("\n");
    let same_key = "k=1\n".repeat(300_000);
    for text in [deep_array, deep_table, broken_key, dotted, header, same_key] {
        assert!(read(&text).diagnostics.has_errors());
    }
    let many = read(&many_keys);
    assert_eq!(report(&many), "");
    let reader = TableReader::new(&many.root, "model", &["mass"], &many.diagnostics);
    reader.finish();
    assert_eq!(many.diagnostics.errors(), 300_000);
}
