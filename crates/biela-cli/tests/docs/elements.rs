//! A page of theory for every element, method and integrator, from the doc comment of its own file and the tables of the reference.

use std::fmt::Write as _;
use std::fs;

use biela::core::control::laws::LAWS;
use biela::core::control::trajectories::TRAJECTORIES;
use biela::core::element::Info;
use biela::core::flexible::ELEMENTS;
use biela::core::forces::FORCES;
use biela::core::integrators::INTEGRATORS;
use biela::core::joints::JOINTS;
use biela::core::methods::METHODS;
use biela::model::reference;

use super::{assert_none, root, updates};

/// Elements of one kind: a page about their common properties, and a page each.
struct Family {
    /// The page of all, and with a dash the beginning of the names of the others.
    word: &'static str,
    title: &'static str,
    /// Files whose module comments describe the common properties.
    shared: &'static [&'static str],
    /// Page of the reference with a section each.
    reference: &'static str,
    members: Vec<Member>,
}

struct Member {
    name: String,
    summary: String,
    /// The file that describes it, and its doc comment.
    file: String,
    text: String,
}

/// The part of the book.
const PART: &str = "# Elements, methods, integrators\n\n";
/// The source of a core module.
const CORE: &str = "crates/biela-core/src";

fn source(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The comment at the head of a file, or before the type of that name.
fn comment(text: &str, of: Option<&str>) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mark = if of.is_some() { "///" } else { "//!" };
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(mark) {
            lines.push(rest.strip_prefix(' ').unwrap_or(rest));
        } else if of.map_or(!lines.is_empty(), |name| declares(line, name)) {
            break;
        } else if !line.starts_with("#[") {
            lines.clear();
        }
    }
    book_text(&lines.join("\n"))
}

fn declares(line: &str, name: &str) -> bool {
    let rest = ["pub struct ", "pub type "]
        .iter()
        .find_map(|start| line.strip_prefix(start));
    rest.is_some_and(|rest| {
        rest.strip_prefix(name)
            .is_some_and(|end| !end.starts_with(char::is_alphanumeric))
    })
}

/// Links between items of the program become their names: the book has no such pages.
fn book_text(text: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let line = if fenced {
            line.to_owned()
        } else {
            unlinked(line)
        };
        let _ = writeln!(out, "{line}");
    }
    out.trim().to_owned()
}

fn unlinked(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('[') {
        let Some(length) = rest[start..].find(']') else {
            break;
        };
        let inside = &rest[start + 1..start + length];
        let after = &rest[start + length + 1..];
        out += &rest[..start];
        let target = after
            .strip_prefix('(')
            .and_then(|target| target.split_once(')'));
        rest = match target {
            Some((target, after)) if !target.contains("://") => {
                out += inside;
                after
            }
            None if inside.starts_with('`') => {
                let path = inside.trim_matches('`');
                let _ = write!(out, "`{}`", path.rsplit("::").next().unwrap_or(path));
                after
            }
            _ => {
                let _ = write!(out, "[{inside}]");
                after
            }
        };
    }
    out + rest
}

/// `module::Name` of every line of a list such as `joints! { … }`.
fn listed(folder: &str, list: &str) -> Vec<(String, String)> {
    let text = source(&format!("{CORE}/{folder}/mod.rs"));
    let block = text.split(&format!("\n{list}! {{\n")).nth(1).unwrap();
    let lines = block.split("\n}").next().unwrap().lines();
    lines
        .filter_map(|line| line.trim().trim_end_matches(',').split_once("::"))
        .map(|(module, name)| (module.to_owned(), name.to_owned()))
        .collect()
}

/// The members of a list, described by the doc comments of their files: of the file, or else of the type.
fn described(folder: &str, list: &str, infos: &[Info]) -> Vec<Member> {
    let lines = listed(folder, list);
    assert_eq!(lines.len(), infos.len(), "{list}!");
    let member = |((module, name), info): (&(String, String), &Info)| {
        let file = format!("{CORE}/{folder}/{module}.rs");
        let text = source(&file);
        let head = comment(&text, None);
        let head = if text.starts_with("//!") {
            head
        } else {
            comment(&text, Some(name))
        };
        Member {
            name: info.name.to_owned(),
            summary: info.summary.to_owned(),
            file,
            text: head,
        }
    };
    lines.iter().zip(infos).map(member).collect()
}

/// A member that a whole file is about.
fn of_file(name: &str, summary: &str, file: &str) -> Member {
    Member {
        name: name.to_owned(),
        summary: summary.to_owned(),
        file: file.to_owned(),
        text: comment(&source(file), None),
    }
}

fn beams() -> Vec<Member> {
    let file = |name: &str| format!("{CORE}/flexible/{}.rs", name.replace('-', "_"));
    let kinds = ELEMENTS.iter().map(|kind| kind.info());
    let mut members: Vec<Member> = kinds
        .map(|info| of_file(info.name, info.summary, &file(info.name)))
        .collect();
    let exact = "stretch, shear, torsion and bending about two axes, constant in each element";
    members.push(of_file(
        "exact",
        exact,
        &format!("{CORE}/flexible/exact/mod.rs"),
    ));
    members
}

fn families() -> Vec<Family> {
    let coupler = "crates/biela-model/src/lower/couplers.rs";
    let driver = "crates/biela-core/src/model/motion.rs";
    vec![
        Family {
            word: "joint",
            title: "Joints",
            shared: &["joints/mod.rs", "joints/row.rs"],
            reference: "joints",
            members: described("joints", "joints", JOINTS),
        },
        Family {
            word: "force",
            title: "Forces",
            shared: &["forces/mod.rs", "forces/measured_coordinate.rs"],
            reference: "forces",
            members: described("forces", "forces", FORCES),
        },
        Family {
            word: "motion",
            title: "Couplers and drivers",
            shared: &[],
            reference: "",
            members: vec![
                of_file(
                    "coupler",
                    "a linear relation between joint coordinates",
                    coupler,
                ),
                of_file("driver", "a prescribed motion", driver),
            ],
        },
        Family {
            word: "beam",
            title: "Beam elements",
            shared: &["flexible/mod.rs", "flexible/hermite.rs"],
            reference: "",
            members: beams(),
        },
        Family {
            word: "trajectory",
            title: "Trajectories",
            shared: &[
                "control/trajectories/pieces.rs",
                "control/trajectories/follow.rs",
            ],
            reference: "trajectories",
            members: described("control/trajectories", "trajectories", TRAJECTORIES),
        },
        Family {
            word: "law",
            title: "Control laws",
            shared: &["control/laws/mod.rs"],
            reference: "laws",
            members: described("control/laws", "laws", LAWS),
        },
        Family {
            word: "method",
            title: "Solution methods",
            shared: &["methods/mod.rs", "methods/friction.rs", "methods/mass.rs"],
            reference: "methods",
            members: described("methods", "methods", METHODS),
        },
        Family {
            word: "integrator",
            title: "Integrators",
            shared: &[
                "integrators/mod.rs",
                "integrators/adams.rs",
                "integrators/newmark.rs",
            ],
            reference: "integrators",
            members: described("integrators", "integrators", INTEGRATORS),
        },
    ]
}

impl Family {
    fn page(&self) -> String {
        format!(
            "theory/elements/{}s.md",
            self.word.replace("trajectory", "trajectorie")
        )
    }

    fn page_of(&self, member: &Member) -> String {
        format!("theory/elements/{}-{}.md", self.word, member.name)
    }

    /// The common properties, and a table of the elements.
    fn text(&self) -> String {
        let mut shared = self.shared.iter().map(|file| {
            let file = format!("{CORE}/{file}");
            format!("{}\n", comment(&source(&file), None))
        });
        let mut text = format!("# {}\n\n", self.title);
        if let Some(first) = shared.next() {
            let _ = writeln!(text, "{first}");
        }
        text += "| | |\n| --- | --- |\n";
        for member in &self.members {
            let link = format!("{}-{}.md", self.word, member.name);
            let _ = writeln!(text, "| [`{}`]({link}) | {} |", member.name, member.summary);
        }
        for more in shared {
            let _ = write!(text, "\n---\n\n{more}");
        }
        text
    }

    /// The page of one of them.
    fn text_of(&self, member: &Member) -> String {
        let mut text = format!("# `{}`\n\n{}\n", member.name, member.text);
        let page = reference::page(self.reference).unwrap_or_default();
        let heading = format!("### `{}`\n\n", member.name);
        if let Some(section) = page.split(&heading).nth(1) {
            let section = section.split("\n### ").next().unwrap().trim();
            let _ = write!(text, "\n## In a model file\n\n{section}\n");
        } else {
            let page = if self.word == "beam" {
                "beam"
            } else {
                &member.name
            };
            let link = format!("../../reference/{page}s.md");
            let _ = write!(text, "\n## In a model file\n\n[All keys]({link}).\n");
        }
        let _ = write!(
            text,
            "\n---\n\n*Shared by all of its kind: [{}]({}). This page is the comment of `{}`.*\n",
            self.title.to_lowercase(),
            self.page().rsplit('/').next().unwrap(),
            member.file
        );
        text
    }
}

/// Updates a page, or the list in the summary; reports if it was out of date.
fn keep(path: &str, text: &str, problems: &mut Vec<String>) {
    let file = root().join("docs/src").join(path);
    if updates() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    if fs::read_to_string(&file).unwrap_or_default() != text {
        problems.push(format!(
            "docs/src/{path} is out of date: UPDATE_GOLDEN=1 cargo test -p biela-cli --test docs"
        ));
    }
}

#[test]
fn every_element_has_a_page_generated_from_its_comment() {
    let mut problems = Vec::new();
    let mut lines = String::new();
    let mut pages = Vec::new();
    for family in families() {
        let _ = writeln!(lines, "- [{}]({})", family.title, family.page());
        pages.push((family.page(), family.text()));
        for member in &family.members {
            if !member.text.contains('`') && !member.text.contains('=') {
                problems.push(format!("{}: no equation in its comment", member.file));
            }
            let page = family.page_of(member);
            let _ = writeln!(lines, "  - [`{}`]({page})", member.name);
            pages.push((page, family.text_of(member)));
        }
    }
    for (path, text) in &pages {
        keep(path, text, &mut problems);
    }
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    let (before, rest) = summary.split_once(PART).unwrap();
    let after = rest.find("\n# ").map_or("", |at| &rest[at..]);
    keep(
        "SUMMARY.md",
        &format!("{before}{PART}{lines}{after}"),
        &mut problems,
    );
    let known: Vec<&String> = pages.iter().map(|(path, _)| path).collect();
    for name in super::markdown_below("docs/src/theory/elements") {
        if !known.contains(&&name["docs/src/".len()..].to_owned()) {
            problems.push(format!("{name} is about nothing that there is: remove it"));
        }
    }
    assert_none(&problems);
}

#[test]
fn links_to_items_of_the_code_become_names() {
    for (comment, text) in [
        ("as by [`super::Projection`].", "as by `Projection`."),
        ("[`factor`](Coulomb::factor) and", "`factor` and"),
        ("the [screw](screw) d", "the screw d"),
        ("`−½ [φ]`, [a](https://a.b)", "`−½ [φ]`, [a](https://a.b)"),
    ] {
        assert_eq!(unlinked(comment), text);
    }
}
