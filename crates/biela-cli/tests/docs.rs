//! The documentation is executed: models are assembled, commands run and their output compared, links and paths followed.
//!
//! In the README and the pages of `docs/src`:
//!
//! | block | what happens |
//! | --- | --- |
//! | `toml` with `format = 1` | a whole model: must be read without a warning, and assemble |
//! | `toml,fragment` | a part: as above, together with the last `<!-- preamble … -->` of its page |
//! | `toml,file=NAME` | is written to the page's folder too; without `format = 1` that is all |
//! | `xml,file=NAME`, `csv,file=NAME` | is written to the page's folder |
//! | `toml,fails` | a model that must not be read or not assemble |
//! | `console` | `$ biela …` runs in the page's folder and must print the shown output; `$ echo $?` prints its exit code |
//! | `python` | runs in the page's folder when `BIELA_PYTHON` names a Python with pyarrow, pandas and polars |
//! | `python,package` | uses the package `biela`: `cargo xtask python` runs it |
//!
//! Rust of a page is included from the programs of `examples/rust`, which `tests/examples.rs` runs.
//!
//! A picture that a page shows from `images` and that one of its commands draws under the same name (or as `plot.svg` in a folder of that name) must
//! be what is drawn.
//!
//! In shown output a line `…` matches any lines, a word `…` any words. Wall-clock times match each other, as do numbers at the level of rounding.
//! `UPDATE_GOLDEN=1` rewrites the reference pages and the images, and shown output without `…`.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "docs/compare.rs"]
mod compare;
#[path = "docs/elements.rs"]
mod elements;
#[path = "docs/gallery.rs"]
mod gallery;
#[path = "docs/images.rs"]
mod images;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use biela::core::analysis::assemble;
use common::Place;
use compare::same_lines;

/// Longest time that a documented command may take.
const PATIENCE: Duration = Duration::from_mins(2);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn updates() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// A page of the documentation.
struct Page {
    /// From the root of the repository.
    name: String,
    lines: Vec<String>,
}

/// A fenced block.
struct Block {
    language: String,
    marks: Vec<String>,
    /// Its lines in the page, fences not among them.
    lines: Range<usize>,
    text: String,
    /// The text that completes a fragment.
    preamble: Option<String>,
}

impl Page {
    fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        Page {
            name: name.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut preamble = None;
        let mut at = 0;
        let until = |from: usize, end: &str| {
            let found = (from..self.lines.len()).find(|&k| self.lines[k].trim_end() == end);
            found.unwrap_or_else(|| panic!("{}:{from}: no closing {end}", self.name))
        };
        while at < self.lines.len() {
            let line = &self.lines[at];
            if line.trim_end() == "<!-- preamble" {
                let end = until(at + 1, "-->");
                preamble = Some(self.lines[at + 1..end].join("\n") + "\n");
                at = end;
            } else if let Some(info) = line.strip_prefix("```") {
                let end = until(at + 1, "```");
                let mut words = info.split(',').map(|word| word.trim().to_owned());
                blocks.push(Block {
                    language: words.next().unwrap_or_default(),
                    marks: words.collect(),
                    lines: at + 1..end,
                    text: self.lines[at + 1..end].join("\n") + "\n",
                    preamble: preamble.clone(),
                });
                at = end;
            }
            at += 1;
        }
        blocks
    }
}

impl Block {
    fn has(&self, mark: &str) -> bool {
        self.marks.iter().any(|known| known == mark)
    }

    fn file(&self) -> Option<&str> {
        self.marks
            .iter()
            .find_map(|mark| mark.strip_prefix("file="))
    }

    /// Whether it has commands or a program to run.
    fn is_played(&self) -> bool {
        matches!(self.language.as_str(), "console" | "python")
    }

    fn is_whole_model(&self) -> bool {
        self.text.lines().any(|line| line.starts_with("format = 1"))
    }
}

/// Markdown files below a folder, from the root of the repository, in order.
fn markdown_below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(root().join(folder)).unwrap();
    for entry in entries {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            found.extend(markdown_below(&name));
        } else if Path::new(&name).extension().is_some_and(|e| e == "md") {
            found.push(name);
        }
    }
    found.sort();
    found
}

fn documentation() -> Vec<Page> {
    let mut names = vec!["README.md".to_owned()];
    names.extend(markdown_below("docs/src"));
    names.iter().map(|name| Page::read(name)).collect()
}

#[track_caller]
fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n\n"));
}

/// Reads and assembles a model; returns the errors and warnings.
fn trouble_with(path: &Path) -> Option<String> {
    let job = match biela::load(path) {
        Ok(job) => job,
        Err(error) => return Some(error.to_string()),
    };
    if !job.report.diagnostics.is_empty() {
        let style = biela::model::diagnostic::ReportStyle::Plain;
        return Some(job.report.render(style));
    }
    let formulation = job.study_or_start().formulation;
    assemble(job.model, formulation)
        .err()
        .map(|e| e.to_string())
}

#[test]
fn every_model_in_the_documentation_can_be_assembled() {
    let mut problems = Vec::new();
    let mut models = 0;
    for page in documentation() {
        let place = Place::new();
        let blocks = page.blocks();
        let models_and_files = |b: &&Block| b.language == "toml" || b.file().is_some();
        for block in blocks.iter().filter(models_and_files) {
            if let Some(file) = block.file() {
                write_file(&place, file, &block.text);
                if !block.is_whole_model() {
                    continue;
                }
            }
            models += 1;
            let at = format!("{}:{}", page.name, block.lines.start + 1);
            let text = match (block.has("fragment"), &block.preamble) {
                (true, Some(preamble)) => {
                    place.write("preamble.toml", preamble);
                    format!("include = [\"preamble.toml\"]\n{}", block.text)
                }
                (false, _) if block.is_whole_model() => block.text.clone(),
                _ => {
                    problems.push(format!(
                        "{at}: neither a whole model nor a fragment with a preamble"
                    ));
                    continue;
                }
            };
            place.write("model.toml", &text);
            match (trouble_with(&place.path("model.toml")), block.has("fails")) {
                (Some(trouble), false) => problems.push(format!("{at}:\n{trouble}")),
                (None, true) => problems.push(format!("{at}: marked `fails` but all is well")),
                _ => {}
            }
        }
    }
    assert_none(&problems);
    assert!(models > 20, "only {models} models found");
}

fn write_file(place: &Place, name: &str, text: &str) {
    let path = place.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Copies a folder of the repository; results that somebody made there are left out.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_file() {
            let _ = fs::copy(entry.path(), target).unwrap();
        } else if entry.file_name() != "results" {
            copy_folder(&entry.path(), &target);
        }
    }
}

/// Words of a command line; quotes keep words together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a line reports progress, which a run does every few seconds of the clock.
fn is_progress(line: &str) -> bool {
    let after = line.trim_start().split_once("%  t ");
    after.is_some_and(|(percent, _)| percent.chars().all(|c| c.is_ascii_digit()))
}

/// The output of a command but for its progress, stdout and stderr interleaved, and its exit code.
fn execute(mut command: Command, place: &Place) -> (String, i32) {
    let path = place.path(".printed");
    let file = File::create(&path).unwrap();
    let mut child = command
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .spawn()
        .unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let printed = fs::read_to_string(&path).unwrap();
    assert!(!printed.contains("panicked"), "{printed}");
    let lines = printed.split_inclusive('\n');
    let printed = lines.filter(|line| !is_progress(line)).collect();
    (printed, status.code().unwrap_or(-1))
}

/// Runs the commands of a block; returns the correct block and its errors.
fn play(block: &Block, place: &Place) -> (String, Vec<String>) {
    let (mut now, mut problems) = (String::new(), Vec::new());
    let lines: Vec<&str> = block.text.lines().collect();
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&k| lines[k].starts_with("$ "))
        .collect();
    let mut code = 0;
    for (n, &start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(lines.len());
        let (line, shown) = (lines[start], &lines[start + 1..end]);
        let command = line.trim_start_matches("$ ");
        let arguments = ["biela ", "cargo run --release -- "]
            .iter()
            .find_map(|start| command.strip_prefix(start));
        let printed = if command == "echo $?" {
            format!("{}\n", std::mem::take(&mut code))
        } else if let Some(arguments) = arguments {
            let arguments = words(arguments);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let (printed, found) = execute(place.command(&arguments), place);
            code = found;
            let told = starts
                .get(n + 1)
                .is_some_and(|&next| lines[next] == "$ echo $?");
            if code != 0 && !told {
                problems.push(format!("{line}\nexits with {code}\n{printed}"));
            }
            printed
        } else {
            problems.push(format!(
                "{line}\nis not a command of biela; use another kind of block"
            ));
            continue;
        };
        let printed: Vec<&str> = printed.lines().collect();
        let same = same_lines(shown, &printed);
        let keep = same || shown.contains(&"…");
        if !same && (keep || !updates()) {
            problems.push(format!("{line}\nprints\n{}", printed.join("\n")));
        }
        let after = if keep { shown } else { &printed[..] };
        let _ = writeln!(now, "{line}");
        for line in after {
            let _ = writeln!(now, "{line}");
        }
    }
    (now, problems)
}

fn run_python(block: &Block, place: &Place) -> Vec<String> {
    let Some(python) = std::env::var_os("BIELA_PYTHON") else {
        return Vec::new();
    };
    let mut command = Command::new(python);
    let _ = command
        .args(["-c", &block.text])
        .current_dir(place.path(""));
    match execute(command, place) {
        (_, 0) => Vec::new(),
        (printed, code) => vec![format!("{}exits with {code}\n{printed}", block.text)],
    }
}

/// Plays a page in a folder of its own, from top to bottom.
fn play_page(mut page: Page) -> Vec<String> {
    let (place, mut problems) = (Place::new(), Vec::new());
    for folder in ["examples", "validation"] {
        let mut blocks = page.blocks().into_iter();
        if blocks.any(|block| block.is_played() && block.text.contains(folder)) {
            copy_folder(&root().join(folder), &place.path(folder));
        }
    }
    let mut rewritten = Vec::new();
    for block in page.blocks() {
        let found = match block.language.as_str() {
            "toml" | "xml" | "csv" => {
                if let Some(file) = block.file() {
                    write_file(&place, file, &block.text);
                }
                continue;
            }
            "console" => {
                let (now, found) = play(&block, &place);
                if now != block.text {
                    rewritten.push((block.lines.clone(), now));
                }
                found
            }
            "python" if block.marks.iter().any(|mark| mark == "package") => continue,
            "python" => run_python(&block, &place),
            _ => continue,
        };
        let at = format!("{}:{}", page.name, block.lines.start + 1);
        problems.extend(found.iter().map(|problem| format!("{at}: {problem}")));
    }
    problems.extend(images::keep(&page, &place));
    if updates() && !rewritten.is_empty() {
        for (lines, now) in rewritten.into_iter().rev() {
            let now = now.lines().map(str::to_owned);
            let _ = page.lines.splice(lines, now).count();
        }
        fs::write(root().join(&page.name), page.lines.join("\n") + "\n").unwrap();
    }
    problems
}

#[test]
fn every_command_in_the_documentation_prints_the_shown_output() {
    let pages = documentation();
    let problems: Vec<String> = std::thread::scope(|scope| {
        let players: Vec<_> = pages
            .into_iter()
            .map(|page| scope.spawn(move || play_page(page)))
            .collect();
        players
            .into_iter()
            .flat_map(|player| player.join().unwrap())
            .collect()
    });
    assert_none(&problems);
}

/// Compares a generated page with the stored one.
fn generated(name: &str, text: &str, problems: &mut Vec<String>) {
    let path = root().join("docs/src/reference").join(name);
    if updates() {
        fs::write(&path, text).unwrap();
    }
    if fs::read_to_string(&path).unwrap_or_default() != text {
        problems.push(format!(
            "docs/src/reference/{name} is out of date: UPDATE_GOLDEN=1 cargo test -p biela-cli --test docs"
        ));
    }
}

#[test]
fn the_reference_pages_are_the_output_of_the_command() {
    let place = Place::new();
    let mut problems = Vec::new();
    for (name, text) in biela::model::reference::pages() {
        let (first, rest) = name.split_at(1);
        let printed = place.run(&["reference", name]).exits(0).out;
        assert_eq!(printed, text);
        let text = text.replace("\n### ", "\n## ");
        let text = text
            .strip_prefix("### ")
            .map_or(text.clone(), |rest| format!("## {rest}"));
        let page = format!(
            "# {}{rest}\n\n*As `biela reference {name}` prints it.*\n\n{}\n",
            first.to_uppercase(),
            text.trim_end()
        );
        generated(&format!("{name}.md"), &page, &mut problems);
    }
    assert_none(&problems);
}

/// A link as its text alone.
fn without_targets(line: &str) -> String {
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let opened = text.rfind('[').unwrap();
        let _ = text.remove(opened);
        text += part.split_once(')').unwrap().1;
    }
    text
}

#[test]
fn explanations_are_the_prose_of_the_page() {
    let page = Page::read("docs/src/stopped.md");
    let lines = prose(&page);
    let sections = lines
        .iter()
        .skip_while(|(_, line)| !line.starts_with("## "));
    let mut text = String::new();
    for (_, line) in sections {
        let line = without_targets(line);
        if !(line.is_empty() && text.ends_with("\n\n")) {
            let _ = writeln!(text, "{line}");
        }
    }
    let path = root().join("crates/biela/src/explain.md");
    if updates() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(
        fs::read_to_string(path).unwrap_or_default(),
        text,
        "UPDATE_GOLDEN=1 cargo test -p biela-cli --test docs"
    );
}

#[test]
fn the_page_of_commands_is_their_help() {
    let place = Place::new();
    let help = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        let _ = command.arg("--help");
        execute(command, &place).0
    };
    let all = help(&[]);
    let listed = all.split("Commands:\n").nth(1).unwrap();
    let listed = listed.split("\n\n").next().unwrap().lines();
    let commands: Vec<&str> = listed
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"run"), "{all}");
    let mut page = "# Commands\n\n*As `--help` prints it.*\n\n".to_owned();
    for command in [""].iter().chain(&commands) {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let title = format!("biela {command}");
        let text = help(&arguments);
        let _ = write!(
            page,
            "## `{}`\n\n```text\n{}\n```\n\n",
            title.trim(),
            text.trim_end()
        );
    }
    let mut problems = Vec::new();
    let readme = Page::read("README.md").lines.join("\n");
    for command in &commands {
        if !readme.contains(&format!("`biela {command}")) {
            problems.push(format!("README.md does not name `biela {command}`"));
        }
    }
    generated(
        "commands.md",
        &format!("{}\n", page.trim_end()),
        &mut problems,
    );
    assert_none(&problems);
}

/// Markdown outside of fenced blocks.
fn prose(page: &Page) -> Vec<(usize, &str)> {
    let blocks = page.blocks();
    let inside = |k: usize| {
        blocks
            .iter()
            .any(|b| (b.lines.start - 1..=b.lines.end).contains(&k))
    };
    let lines = page.lines.iter().enumerate();
    lines
        .filter(|(k, _)| !inside(*k))
        .map(|(k, line)| (k + 1, line.as_str()))
        .collect()
}

/// The anchor that a heading gets in the book and on the web.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn has_anchor(page: &Page, wanted: &str) -> bool {
    let lines = prose(page);
    let mut headings = lines.iter().filter(|(_, line)| line.starts_with('#'));
    headings.any(|(_, line)| anchor(line) == wanted)
}

/// Targets of the links and pictures of a line.
fn links(line: &str) -> Vec<&str> {
    let after = line.split("](").skip(1);
    after.filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_relative_link_has_a_target() {
    let mut names: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == "md"))
        .collect();
    names.sort();
    for folder in ["docs/src", "examples", "validation"] {
        names.extend(markdown_below(folder));
    }
    let (mut problems, mut count) = (Vec::new(), 0);
    for name in names {
        let page = Page::read(&name);
        let folder = Path::new(&name).parent().unwrap();
        for (line, text) in prose(&page) {
            for link in links(text).into_iter().filter(|link| !link.contains("://")) {
                count += 1;
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = if path.is_empty() {
                    PathBuf::from(&name)
                } else {
                    folder.join(path)
                };
                let whole = root().join(&target);
                let found = whole.exists()
                    && (anchor.is_empty()
                        || has_anchor(&Page::read(target.to_str().unwrap()), anchor));
                if !found {
                    problems.push(format!("{name}:{line}: nothing at {link}"));
                }
            }
        }
    }
    assert_none(&problems);
    assert!(count > 60, "only {count} links found");
}

#[test]
fn every_path_named_for_contributors_exists() {
    let (mut problems, mut count) = (Vec::new(), 0);
    for name in ["ARCHITECTURE.md", "TESTING.md", "CONTRIBUTING.md"] {
        let page = Page::read(name);
        for (line, text) in prose(&page) {
            for span in text.split('`').skip(1).step_by(2) {
                let is_path = |c: char| c.is_alphanumeric() || "/._-<>".contains(c);
                // a path to be made by the reader, or made by the tests
                let made = span.contains("your_") || span.starts_with("target/");
                if !span.contains('/') || !span.chars().all(is_path) || made {
                    continue;
                }
                count += 1;
                // `<case>` stands for any folder
                let fixed = span.split('<').next().unwrap_or(span);
                if !root().join(fixed).exists() {
                    problems.push(format!("{name}:{line}: no {span}"));
                }
            }
        }
    }
    assert_none(&problems);
    assert!(count > 20, "only {count} paths found");
}

#[test]
fn every_test_that_holds_a_correction_exists() {
    let page = Page::read("docs/src/errata.md");
    let named: Vec<&str> = prose(&page)
        .iter()
        .flat_map(|(_, line)| line.split('`').skip(1).step_by(2))
        .filter(|span| span.matches('_').count() > 2)
        .collect();
    assert!(named.len() > 20, "only {} tests found", named.len());
    let sources = rust_below("crates").join("\n");
    let missing = |name: &&&str| !sources.contains(&format!("fn {name}("));
    let missing: Vec<&&str> = named.iter().filter(missing).collect();
    assert!(missing.is_empty(), "no test {missing:?}");
}

/// The texts of all sources below a folder.
fn rust_below(folder: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            texts.extend(rust_below(&name));
        } else if Path::new(&name).extension().is_some_and(|e| e == "rs") {
            texts.push(fs::read_to_string(entry.path()).unwrap());
        }
    }
    texts
}

#[test]
fn every_included_part_of_a_program_exists() {
    let mut count = 0;
    for page in documentation() {
        let folder = Path::new(&page.name).parent().unwrap().to_owned();
        for line in &page.lines {
            let Some(rest) = line.trim().strip_prefix("{{#include ") else {
                continue;
            };
            count += 1;
            let (path, part) = rest.trim_end_matches("}}").split_once(':').unwrap();
            let text = fs::read_to_string(root().join(&folder).join(path));
            let text = text.unwrap_or_else(|error| panic!("{}: {path}: {error}", page.name));
            for mark in ["ANCHOR", "ANCHOR_END"] {
                let mark = format!("// {mark}: {part}\n");
                assert!(text.contains(&mark), "{}: no {part} in {path}", page.name);
            }
        }
    }
    assert!(count > 10, "only {count} parts found");
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = Page::read("docs/src/SUMMARY.md");
    let mut listed: Vec<String> = prose(&summary)
        .iter()
        .flat_map(|(_, line)| links(line))
        .map(|link| format!("docs/src/{link}"))
        .collect();
    listed.push("docs/src/SUMMARY.md".to_owned());
    listed.sort();
    assert_eq!(listed, markdown_below("docs/src"));
    let book = fs::read_to_string(root().join("docs/book.toml")).unwrap();
    assert!(book.contains("src = \"src\""), "{book}");
}

#[test]
fn the_pages_of_examples_and_cases_list_all_of_them() {
    let mut problems = Vec::new();
    for (folder, file, name) in [
        ("examples", "README.md", "docs/src/gallery.md"),
        ("validation", "SOURCE.md", "docs/src/validation.md"),
    ] {
        let page = Page::read(name).lines.join("\n");
        for found in markdown_below(folder) {
            let one = found.ends_with(file) && found != format!("{folder}/README.md");
            if one && !page.contains(&format!("(../../{found})")) {
                problems.push(format!("{name} does not link to {found}"));
            }
        }
        // tests that are named must be there
        for span in page.split('`').skip(1).step_by(2) {
            let is_test =
                span.contains('_') && span.chars().all(|c| c == '_' || c.is_alphanumeric());
            let files = [
                "biela-cli/tests/validation.rs",
                "biela/tests/validation_s0.rs",
                "biela/tests/validation_s1.rs",
                "biela/tests/exact_beams.rs",
                "biela/tests/validation_s4.rs",
                "biela/tests/validation_li.rs",
                "biela-cli/tests/linearize/bicycle.rs",
            ];
            let tests =
                files.map(|file| fs::read_to_string(root().join("crates").join(file)).unwrap());
            if is_test && !tests.iter().any(|text| text.contains(span)) {
                problems.push(format!("{name}: there is no test {span}"));
            }
        }
    }
    assert_none(&problems);
}
