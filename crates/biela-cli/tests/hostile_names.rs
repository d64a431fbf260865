//! Names and texts of strangers: in a terminal, a comment, a cell or an attribute they stay the text that they are, and no file outside of the output folder
//! changes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use biela::model::Overrides;
use biela::model::diagnostic::{ReportStyle, escaped};
use common::{Done, Place};
use serde_json::{Value, json};

/// Texts that mean something to a terminal, a shell, a language, a page, a spreadsheet or a file system.
const PAYLOADS: [&str; 50] = [
    "*/ int main(){} /*",
    "\"\"\"; import os; os.system('touch pwned') #",
    "'''",
    "#define main",
    "\\",
    "??/",
    "*\\",
    "//",
    "${7*7}",
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "| touch pwned",
    "&& touch pwned",
    "\\input{/etc/passwd}",
    "\\write18{touch pwned}",
    "\\end{document}",
    "^^5cinput",
    "%",
    "$$ x $$",
    "=cmd|'/C calc'!A0",
    "@SUM(1+1)",
    "+1+1",
    "-1+1",
    ",\",\"",
    "../../pwned",
    "/etc/passwd",
    "..",
    "a/b\\c:d",
    "CON",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onload=\"alert(1)",
    "<!--",
    "]]>",
    "&lt;&#x3c;&",
    "{0} {} %s %n",
    "\u{1b}[2J",
    "\u{1b}]0;pwned\u{7}",
    "\u{9b}31m",
    "\u{202e}txt.exe",
    "\u{2066}\u{2069}",
    "\u{0}",
    "\u{8}\u{8}\u{8}",
    "\u{200b}\u{feff}",
    "\u{2028}pwned()",
    "\u{e0001}\u{e007f}",
    "שלום مرحبا 你好 👩‍🚀 é",
    "NaN",
];

/// The places of a payload within a text.
const WRAPPINGS: [[&str; 2]; 6] = [
    ["", ""],
    ["a", ""],
    ["", " b"],
    ["x\n", ""],
    ["x\r", ""],
    ["-", "\u{1b}[0m"],
];

/// The 300 texts.
fn texts() -> impl Iterator<Item = String> {
    let around = |payload: &'static str| {
        WRAPPINGS.map(|[before, after]| format!("{before}{payload}{after}"))
    };
    PAYLOADS.into_iter().flat_map(around)
}

/// A string as TOML writes it, every other character escaped.
fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        ' '..='~' if !"\"\\".contains(c) => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

const MODEL: &str = r#"
space = "planar"
gravity = [0, -9.81]
[parameters]
l = 0.5
m = 1
[[body]]
name = "rod"
mass = "m"
inertia = 0.1
com = ["l", 0]
points = { tip = ["2*l", 0] }
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "rod"]
[robot]
tool = "rod.tip"
[study]
duration = 0.02
output_step = 0.01
[output]
signals = ["pin.angle"]
[[measure]]
name = "last"
of = "pin.angle"
[sweep]
plan = "grid"
vary.l = { values = [0.4, 0.5] }
[optimize]
minimize = "last"
vary.l = { from = 0.4, to = 0.5 }
[fit]
data = "measured.csv"
vary.m = { from = 0.5, to = 2 }
"#;

/// A folder with a model of this name and description, beside a folder of the user.
fn project(name: &str, description: &str) -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("home/results")).unwrap();
    std::fs::create_dir(place.path("work")).unwrap();
    place.write("home/thesis.toml", "the user's\n");
    let (name, description) = (quoted(name), quoted(description));
    let head = format!("format = 1\nname = {name}\ndescription = {description}\n");
    place.write("work/model.toml", &(head + MODEL));
    place.write(
        "work/measured.csv",
        "time,pin.angle\n0,0\n0.01,0\n0.02,0.001\n",
    );
    place
}

/// Every file below a folder but for those in the output folders, with its contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("work/results") && !path.ends_with("work/out") {
                    walk(&path, found);
                }
            } else {
                let bytes = std::fs::read(&path).unwrap();
                let _ = found.insert(path, bytes);
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, &mut found);
    found
}

/// Nothing that a terminal would act on, or that cannot be seen.
#[track_caller]
fn check_printed(done: &Done, words: &[&str], name: &str) {
    for text in [&done.out, &done.err] {
        for line in text.split(['\n', '\t']) {
            assert_eq!(escaped(line), *line, "{words:?} of {name:?}");
        }
    }
}

/// Runs a command in the folder of the model; all that it prints is text, and it changes nothing but its output folders.
#[track_caller]
fn tried(place: &Place, words: &[&str], name: &str) -> Done {
    let before = files(&place.path(""));
    let mut command = place.command(words);
    let output = command.current_dir(place.path("work")).output().unwrap();
    let done = common::done(output);
    check_printed(&done, words, name);
    let after = files(&place.path(""));
    assert_eq!(before, after, "{words:?} of {name:?}");
    done
}

/// The lines of generated code that are no comments.
fn code(text: &str, comment: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_start);
    let is_code = |line: &&str| !line.starts_with(comment);
    lines.filter(is_code).map(str::to_owned).collect()
}

/// Every command that prints or writes names of a model.
const COMMANDS: &[&[&str]] = &[
    &["check", "model.toml"],
    &["info", "model.toml"],
    &["info", "model.toml", "--signals"],
    &["run", "model.toml", "--csv", "--plot", "--out", "out/run"],
    &["run", "model.toml"],
    &["run", "model.toml", "--print", "sismul"],
    &["info", "out/run"],
    &["plot", "out/run"],
    &["plot", "out/run", "--out", "out/plot.svg"],
    &["export", "out/run", "out/page.html"],
    &[
        "export",
        "model.toml",
        "out/pose.png",
        "--width",
        "64",
        "--height",
        "48",
    ],
    &[
        "compare",
        "model.toml",
        "--methods",
        "augmented",
        "--integrators",
        "rk4",
    ],
    &[
        "sweep",
        "model.toml",
        "--csv",
        "--plot",
        "--out",
        "out/sweep",
    ],
    &["sensitivity", "model.toml"],
    &["optimize", "model.toml", "--method", "local"],
    &["fit", "model.toml"],
    &["linearize", "model.toml", "--out", "out/linear"],
    &["linearize", "model.toml", "--sweep", "l=0.4:0.5:2"],
    &["robot", "fk", "model.toml"],
    &["robot", "coefficients", "model.toml"],
];

/// Commands whose output on stdout is JSON.
const AS_JSON: &[&[&str]] = &[
    &["check", "model.toml", "--json"],
    &["info", "model.toml", "--json"],
    &["run", "model.toml", "--json", "--out", "out/again"],
    &["linearize", "model.toml", "--json"],
    &["info", "out/run", "--json"],
];

/// The languages of `derive`, with the mark of their comments.
const LANGUAGES: [(&str, &str); 4] = [("python", "#"), ("c", "//"), ("rust", "//"), ("latex", "%")];

/// A picture has no scripts, no other pictures, no comments and no handlers.
fn check_picture(svg: &str, which: &str) {
    let parsed = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{which}: {error}"));
    for node in parsed.descendants() {
        assert!(!node.is_comment() && !node.is_pi(), "{which}");
        let element = node.tag_name().name();
        assert!(
            !["script", "img", "image", "a"].contains(&element),
            "{which}"
        );
        let mut attributes = node.attributes();
        assert!(!attributes.any(|a| a.name().starts_with("on")), "{which}");
    }
}

/// Takes a name through every command; a name that is refused is refused by the first with its location.
fn through_every_command(name: &str, plain: &BTreeMap<&str, Vec<String>>) {
    let place = project(name, name);
    let check = tried(&place, COMMANDS[0], name);
    if check.code != 0 {
        let check = check.exits(3);
        let reasons = ["invisible-character", "bad-name"];
        let is_refused = reasons.iter().any(|reason| check.err.contains(reason));
        assert!(is_refused, "{name:?}: {}", check.err);
        return;
    }
    std::fs::create_dir(place.path("work/out")).unwrap();
    for words in COMMANDS {
        let done = tried(&place, words, name);
        assert_eq!(done.code, 0, "{words:?} of {name:?}: {}", done.err);
    }
    for words in AS_JSON {
        let printed = tried(&place, words, name).exits(0).json();
        let model = printed.get("model").unwrap_or(&printed);
        let found = model.get("name").or_else(|| printed.get("name"));
        let found = found.and_then(Value::as_str);
        assert!(
            found.is_none_or(|found| found == name),
            "{words:?}: {found:?}"
        );
    }
    for (language, comment) in LANGUAGES {
        let words = ["derive", "model.toml", "--to", language];
        let text = tried(&place, &words, name).exits(0).out;
        assert_eq!(
            code(&text, comment),
            plain[language],
            "{language} of {name:?}"
        );
        // neither a backslash nor its trigraph at the end of a comment goes on with it
        let mut comments = text
            .lines()
            .filter(|line| line.trim_start().starts_with(comment));
        let goes_on = comments.find(|line| line.ends_with('\\') || line.ends_with("??/"));
        assert_eq!(goes_on, None, "{language} of {name:?}");
    }
    for picture in ["out/run/plot.svg", "out/plot.svg", "out/sweep/plot.svg"] {
        let text = place.text(&format!("work/{picture}"));
        check_picture(&text, &format!("{picture} of {name:?}"));
    }
    let page = place.text("work/out/page.html");
    assert!(!page.contains("<script>alert"), "{name:?}");
    assert!(!page.contains("<img src=x"), "{name:?}");
    let row = place.text("work/out/sweep/table.csv");
    assert!(
        !row.lines().any(|line| line.starts_with(['=', '+', '@'])),
        "{name:?}"
    );
}

/// What `derive` writes beside its comments for a model with a plain name.
fn plain_code() -> BTreeMap<&'static str, Vec<String>> {
    let place = project("plain", "plain");
    let derived = |(language, comment): (&'static str, &str)| {
        let words = ["derive", "model.toml", "--to", language];
        let text = tried(&place, &words, "plain").exits(0).out;
        (language, code(&text, comment))
    };
    LANGUAGES.into_iter().map(derived).collect()
}

/// Every `step`-th text, so that each payload or each wrapping is met; two threads share them.
fn each_text(step: usize, work: impl Fn(&str) + Sync) {
    let chosen: Vec<String> = texts().step_by(step).collect();
    std::thread::scope(|scope| {
        for part in chosen.chunks(chosen.len().div_ceil(2)) {
            let work = &work;
            let _ = scope.spawn(move || part.iter().for_each(|text| work(text)));
        }
    });
}

#[test]
fn hostile_names_stay_text_in_every_command() {
    let plain = plain_code();
    each_text(43, |name| through_every_command(name, &plain));
}

#[test]
#[ignore = "a minute or two"]
fn three_hundred_hostile_names_stay_text_in_every_command() {
    assert_eq!(texts().count(), 300);
    let plain = plain_code();
    each_text(1, |name| through_every_command(name, &plain));
}

/// Every name and text of the model language in turn is one of the hostile ones.
#[test]
fn messages_about_hostile_names_are_safe_to_print() {
    let plain = format!("format = 1\nname = \"plain\"\n{MODEL}");
    let named = [
        "\"rod\"",
        "\"pin\"",
        "\"last\"",
        "\"revolute\"",
        "\"planar\"",
        "\"ground\"",
        "\"m\"",
        "\"pin.angle\"",
        "\"measured.csv\"",
        "\"grid\"",
    ];
    for text in texts() {
        let hostile = quoted(&text);
        let keys = [
            ("tip =", format!("{hostile} =")),
            ("l = 0.5", format!("{hostile} = 0.5")),
            ("duration =", format!("{hostile} =")),
        ];
        let values = named.map(|word| (word, hostile.clone()));
        for (word, new) in values.into_iter().chain(keys) {
            let model = plain.replacen(word, &new, 1);
            assert_ne!(model, plain, "{word}");
            let loaded = biela::model::parse("model.toml", &model, &Overrides::default());
            let printed = loaded
                .diagnostics
                .render(&loaded.sources, ReportStyle::Plain);
            for line in printed.split(['\n', '\t']) {
                assert_eq!(escaped(line), *line, "{word} is {text:?}");
            }
        }
    }
}

/// A results folder that a stranger made, with this text in the place of each of its own.
fn in_results(text: &str) {
    let place = project("plain", "plain");
    std::fs::create_dir(place.path("work/out")).unwrap();
    let run = ["run", "model.toml", "--out", "out/run"];
    let _ = tried(&place, &run, "plain").exits(0);
    let good = place.text("work/out/run/manifest.json");
    for word in ["\"plain\"", "\"pin.angle\"", "\"rad\"", "\"finished\""] {
        let hostile = json!(text).to_string();
        place.write("work/out/run/manifest.json", &good.replace(word, &hostile));
        for words in [
            &["info", "out/run"][..],
            &["info", "out/run", "--json"],
            &["plot", "out/run"],
            &["plot", "out/run", "pin.angle"],
            &["export", "out/run", "out/page.html"],
        ] {
            let _ = tried(&place, words, text);
        }
    }
}

#[test]
fn results_with_hostile_texts_are_shown_as_text() {
    each_text(31, in_results);
}

#[test]
#[ignore = "a minute or two"]
fn results_with_three_hundred_hostile_texts_are_shown_as_text() {
    each_text(1, in_results);
}

/// Words on the command line, which may come from the name of a file that a stranger chose.
fn on_the_command_line(text: &str) {
    if text.contains('\0') || text.starts_with('-') {
        return;
    }
    let place = project("plain", "plain");
    for words in [
        &["explain", text][..],
        &["check", text],
        &["info", text],
        &["derive", "model.toml", "--set", text],
        &["run", "model.toml", "--set", &format!("l={text}")],
        &["linearize", "model.toml", "--outputs", text],
        &[text],
        &["run", "model.toml", &format!("--{text}")],
        &["run", "model.toml", "--method", text],
        &["sweep", "model.toml", "--threads", text],
    ] {
        let done = tried(&place, words, text);
        let is_formula = words.last() == Some(&"l=+1+1");
        assert_eq!(done.code == 0, is_formula, "{words:?}");
    }
}

#[test]
fn hostile_words_on_the_command_line_are_shown_as_text() {
    each_text(13, on_the_command_line);
}

#[test]
#[ignore = "a minute or two"]
fn three_hundred_hostile_words_on_the_command_line_are_shown_as_text() {
    each_text(1, on_the_command_line);
}

/// Robots of other programs, whose names may be anything.
#[test]
fn hostile_names_of_imported_robots_stay_text() {
    let place = project("plain", "plain");
    std::fs::create_dir(place.path("work/out")).unwrap();
    for text in texts().step_by(5) {
        let mut attribute = String::new();
        for c in text.chars().filter(|c| !c.is_control()) {
            let _ = write!(attribute, "&#{};", u32::from(c));
        }
        let robot = format!(
            "<robot name=\"{attribute}\"><link name=\"base\"/><link name=\"{attribute}l\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
             <joint name=\"{attribute}j\" type=\"continuous\"><parent link=\"base\"/><child link=\"{attribute}l\"/></joint></robot>"
        );
        place.write("work/robot.urdf", &robot);
        let done = tried(&place, &["import", "urdf", "robot.urdf"], &text);
        if done.code == 0 {
            place.write("work/out/model.toml", &done.out);
            let _ = tried(&place, &["check", "out/model.toml"], &text).exits(0);
        }
    }
}

#[test]
fn written_tables_can_be_read() {
    let place = project("=1+1", "plain");
    std::fs::create_dir(place.path("work/out")).unwrap();
    let run = ["run", "model.toml", "--csv", "--out", "out/run"];
    let _ = tried(&place, &run, "=1+1").exits(0);
    let table = place.text("work/out/run/data.csv");
    assert!(table.starts_with("time,pin.angle\n"), "{table}");
    assert!(
        table.contains(",-"),
        "negative numbers stay numbers: {table}"
    );
    assert!(!table.contains('\''), "{table}");
    place.write("work/measured.csv", &table);
    let _ = tried(&place, &["fit", "model.toml"], "=1+1").exits(0);
}
