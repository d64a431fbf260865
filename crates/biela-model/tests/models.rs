//! Whole models: good ones come out as written, bad ones give the messages in the files beside them.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use biela_model::diagnostic::ReportStyle;
use biela_model::{Loaded, Overrides, load};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn models(name: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    paths.sort();
    paths
}

/// The report with file names as seen from the folder of the models.
fn report(loaded: &Loaded, name: &str) -> String {
    let text = loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain);
    text.replace(&format!("{}/", folder(name).display()), "")
}

#[test]
fn good_models_load_without_diagnostics() {
    let paths = models("good");
    assert!(paths.len() >= 3);
    for path in paths {
        let loaded = load(&path, &Overrides::default());
        assert_eq!(report(&loaded, "good"), "", "{}", path.display());
        assert!(loaded.model.is_some());
    }
}

#[test]
fn bad_models_give_the_golden_reports() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let paths = models("bad");
    assert!(paths.len() >= 40);
    let mut wrong = Vec::new();
    let mut with_several = 0;
    for path in paths {
        let loaded = load(&path, &Overrides::default());
        assert_eq!(loaded.model.is_none(), loaded.diagnostics.has_errors());
        with_several += usize::from(loaded.diagnostics.errors() > 1);
        let report = report(&loaded, "bad");
        let golden = path.with_extension("txt");
        if update {
            fs::write(&golden, &report).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != report {
            wrong.push(format!("{}\n{report}", path.display()));
        }
    }
    assert!(with_several >= 12, "{with_several}");
    assert!(
        wrong.is_empty(),
        "UPDATE_GOLDEN=1 rewrites\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_error_names_its_line_and_column() {
    for path in models("bad") {
        let loaded = load(&path, &Overrides::default());
        for diagnostic in loaded.diagnostics.sorted() {
            let place = diagnostic.primary.as_ref().unwrap();
            assert!(
                loaded.sources.locate(place.span).is_some(),
                "{}",
                path.display()
            );
        }
    }
}
