//! A small picture of every example, made by the program itself, and the table of them in the book.

use std::fmt::Write as _;
use std::fs;

use super::{Page, assert_none, images, root, updates};
use crate::common::Place;

/// The marks around the table in the page of the gallery.
const BEGIN: &str = "<!-- pictures of all examples, written by the tests -->\n\n";
const END: &str = "\n<!-- end of pictures -->\n";
/// Pictures in a row of the table.
const COLUMNS: usize = 3;

/// Name, folder and description of every example, from the table in their folder.
fn examples() -> Vec<(String, String, String)> {
    let page = Page::read("examples/README.md");
    let rows = page.lines.iter().filter_map(|line| {
        let (name, rest) = line.strip_prefix("| [")?.split_once("](")?;
        let (link, rest) = rest.split_once(") | ")?;
        let folder = link.strip_suffix("/README.md")?;
        let what = rest.split(" | ").next()?;
        Some((name.to_owned(), folder.to_owned(), what.to_owned()))
    });
    rows.collect()
}

fn table(examples: &[(String, String, String)]) -> String {
    let mut text = format!("{}|\n{}|\n", "| ".repeat(COLUMNS), "| --- ".repeat(COLUMNS));
    for row in examples.chunks(COLUMNS) {
        for (name, folder, what) in row {
            let _ = write!(
                text,
                "| ![{what}](images/gallery/{name}.png) [{name}](../../examples/{folder}/README.md): {what} "
            );
        }
        text += &"| ".repeat(COLUMNS - row.len());
        text += "|\n";
    }
    text
}

/// The options of the line in an example's page that draws its picture.
fn options(name: &str, folder: &str) -> Vec<String> {
    let page = Page::read(&format!("examples/{folder}/README.md"));
    let command = format!("biela export results/{name} picture.png");
    let mut lines = page.lines.iter().filter_map(|l| l.strip_prefix(&command));
    let line = lines
        .next()
        .unwrap_or_else(|| panic!("{folder}: no `{command}`"));
    assert!(
        page.lines.iter().any(|line| line.starts_with("![")
            && line.ends_with(&format!("](../../../docs/src/images/gallery/{name}.png)"))),
        "{folder}: its page does not show its picture"
    );
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_gallery_shows_an_image_of_every_example() {
    let examples = examples();
    assert!(
        examples.len() > 50,
        "only {} examples found",
        examples.len()
    );
    let place = Place::new();
    let mut problems = Vec::new();
    for (name, folder, _) in &examples {
        let model = root().join("examples").join(folder).join("model.toml");
        let (results, file) = (format!("results/{name}"), format!("{name}.png"));
        let model = model.to_str().unwrap();
        let _ = place
            .run(&["run", model, "--quiet", "--out", &results])
            .exits(0);
        let options = options(name, folder);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let small = ["--width", "300", "--height", "190"];
        let _ = place
            .run(&[&["export", &results, &file], &options[..], &small].concat())
            .exits(0);
        let stored = root().join("docs/src/images/gallery").join(&file);
        problems.extend(images::compare(
            &stored,
            &place.path(&file),
            "docs/src/gallery.md",
        ));
    }
    let path = root().join("docs/src/gallery.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let now = format!("{before}{BEGIN}{}{END}{after}", table(&examples));
    if updates() {
        fs::write(&path, &now).unwrap();
    } else if now != page {
        problems.push(
            "docs/src/gallery.md is out of date: UPDATE_GOLDEN=1 cargo test -p biela-cli --test docs"
                .to_owned(),
        );
    }
    assert_none(&problems);
}
