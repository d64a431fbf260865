//! Links of the built book: each must lead to an existing page and anchor.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Redirects links that leave the book to the files of the repository, which mdBook treats as pages of the book. Fails with all broken links of the pages below
/// the folder.
pub(crate) fn settle(folder: &Path) -> Result<(), String> {
    let mut pages = BTreeMap::new();
    read_pages(folder, &mut pages)?;
    for (path, text) in &mut pages {
        let leaving: Vec<String> = attributes(text, "href")
            .filter(|link| !target(path, link).starts_with(folder))
            .filter_map(|link| link.strip_prefix("../")?.strip_suffix(".html"))
            .map(str::to_owned)
            .collect();
        for link in &leaving {
            *text = text.replace(&format!("{link}.html\""), &format!("{link}.md\""));
        }
        if !leaving.is_empty() {
            std::fs::write(path, &*text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    check(folder, &pages)
}

fn check(folder: &Path, pages: &BTreeMap<PathBuf, String>) -> Result<(), String> {
    let mut lost = Vec::new();
    for (path, text) in pages {
        // the print page contains copies whose links are valid in their original location
        if path.file_name().is_some_and(|name| name == "print.html") {
            continue;
        }
        for link in attributes(text, "href").chain(attributes(text, "src")) {
            if !leads_somewhere(path, link, pages) {
                let page = path.strip_prefix(folder).unwrap_or(path);
                lost.push(format!("{}: {link}", page.display()));
            }
        }
    }
    lost.sort();
    lost.dedup();
    if lost.is_empty() {
        Ok(())
    } else {
        Err(format!("broken links:\n  {}", lost.join("\n  ")))
    }
}

fn read_pages(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result<(), String> {
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.is_dir() {
            read_pages(&path, pages)?;
        } else if path.extension().is_some_and(|end| end == "html") {
            let text = std::fs::read_to_string(&path).map_err(told)?;
            let _ = pages.insert(path, text);
        }
    }
    Ok(())
}

/// The values of an attribute in the text of a page.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let opening = format!(" {name}=\"");
    let starts: Vec<usize> = text.match_indices(&opening).map(|(at, _)| at).collect();
    let skip = opening.len();
    starts.into_iter().filter_map(move |at| {
        let rest = &text[at + skip..];
        rest.split_once('"').map(|(value, _)| value)
    })
}

fn leads_somewhere(from: &Path, link: &str, pages: &BTreeMap<PathBuf, String>) -> bool {
    let outside = ["http://", "https://", "mailto:", "data:"];
    if outside.iter().any(|start| link.starts_with(start)) {
        return true;
    }
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        from.to_path_buf()
    } else {
        target(from, file)
    };
    let page = if target.is_dir() {
        target.join("index.html")
    } else {
        target
    };
    match pages.get(&page) {
        Some(text) => place.is_empty() || text.contains(&format!("id=\"{place}\"")),
        None => place.is_empty() && page.exists(),
    }
}

/// The normalized file path of a link, without `.` and `..`.
fn target(from: &Path, file: &str) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in from.with_file_name("").join(file).components() {
        match part {
            Component::ParentDir => {
                let _ = plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
