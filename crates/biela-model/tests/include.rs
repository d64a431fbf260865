//! Models in several files.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use biela_model::diagnostic::ReportStyle;
use biela_model::document::{
    DiskLoader, Document, DocumentLimits, LoadError, Loader, MemoryLoader, TableReader, ValueKind,
    load,
};

fn read(files: &[(&str, &str)]) -> Document {
    let loader = MemoryLoader::new(files.iter().copied());
    load(files[0].0, &loader, &DocumentLimits::default())
}

fn report(document: &Document) -> String {
    document
        .diagnostics
        .render(&document.sources, ReportStyle::Plain)
}

fn codes(document: &Document) -> Vec<&'static str> {
    let sorted = document.diagnostics.sorted();
    sorted.iter().map(|diagnostic| diagnostic.code).collect()
}

/// The names of the tables under a key.
fn names(document: &Document, key: &str) -> Vec<String> {
    let root = TableReader::new(&document.root, "model", &[], &document.diagnostics);
    let tables = root.get(key).array_of_tables();
    tables
        .iter()
        .map(|table| {
            table
                .get("name")
                .unwrap()
                .value
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

#[test]
fn lists_join_included_first_and_tables_join_by_key() {
    let document = read(&[
        (
            "arm.toml",
            "include = [\"parts/a.toml\", \"b.toml\"]\nname = \"arm\"\n[parameters]\nm = 1\n[[body]]\nname = \"hand\"\n",
        ),
        (
            "parts/a.toml",
            "include = [\"../c.toml\"]\nname = \"a\"\ngravity = [0, 0]\n[parameters]\na = 1\n[[body]]\nname = \"a\"\n",
        ),
        ("b.toml", "[parameters]\nb = 2\n[[body]]\nname = \"b\"\n"),
        (
            "c.toml",
            "[[body]]\nname = \"c\"\n[[joint]]\nname = \"j\"\n",
        ),
    ]);
    assert_eq!(report(&document), "");
    assert_eq!(names(&document, "body"), ["c", "a", "b", "hand"]);
    assert_eq!(names(&document, "joint"), ["j"]);
    let root = &document.root;
    assert_eq!(root.get("name").unwrap().value.as_str(), Some("arm"));
    assert!(root.get("include").is_none());
    let gravity = root.get("gravity").unwrap().value.span;
    assert_eq!(
        document.sources.locate(gravity).unwrap(),
        "parts/a.toml:3:11"
    );
    let parameters = root.get("parameters").unwrap().value.as_table().unwrap();
    assert_eq!(parameters.len(), 3);
    assert_eq!(
        document.sources.locate(parameters.span).unwrap(),
        "arm.toml:3:1"
    );
}

#[test]
fn a_key_in_two_files_shows_both_locations() {
    let document = read(&[
        ("arm.toml", "include = [\"p.toml\"]\n[parameters]\nk = 1\n"),
        ("p.toml", "[parameters]\nx = 1\nk = 2\n"),
    ]);
    assert_eq!(
        report(&document),
        "\
error[duplicate-key]: key `k` is given in two files
 --> arm.toml:3:1
  |
3 | k = 1
  | ^ given here
 ::: p.toml:3:1
  |
3 | k = 2
  | - and in an included file

1 error; nothing was run
"
    );
}

#[test]
fn included_files_must_agree_unless_the_main_file_decides() {
    let included = [
        ("a.toml", "space = \"planar\"\nformat = 1\n"),
        ("b.toml", "space = \"spatial\"\nformat = 1\n"),
    ];
    let silent = read(&[
        ("m.toml", "include = [\"a.toml\", \"b.toml\"]\n"),
        included[0],
        included[1],
    ]);
    assert_eq!(codes(&silent), ["include-conflict"]);
    let decided = read(&[
        (
            "m.toml",
            "include = [\"a.toml\", \"b.toml\"]\nspace = \"spatial\"\n",
        ),
        included[0],
        included[1],
    ]);
    assert_eq!(report(&decided), "");
    assert_eq!(
        decided.root.get("space").unwrap().value.as_str(),
        Some("spatial")
    );
}

#[test]
fn different_types_under_one_key_are_an_error() {
    let document = read(&[
        ("m.toml", "include = [\"a.toml\"]\n[[body]]\nname = \"x\"\n"),
        ("a.toml", "[body]\nname = \"x\"\n"),
    ]);
    assert_eq!(codes(&document), ["include-conflict"]);
    let document = read(&[
        ("m.toml", "include = [\"a.toml\"]\nbody = 3\n"),
        ("a.toml", "[[body]]\nname = \"x\"\n"),
    ]);
    assert_eq!(codes(&document), ["include-conflict"]);
}

#[test]
fn cycles_are_found_and_shared_files_are_read_once() {
    let cycle = read(&[
        ("a.toml", "include = [\"b.toml\"]\n"),
        ("b.toml", "x = 1\ninclude = [\"a.toml\"]\n"),
    ]);
    assert_eq!(
        report(&cycle),
        "\
error[include-cycle]: `a.toml` includes itself
 --> b.toml:2:12
  |
2 | include = [\"a.toml\"]
  |            ^^^^^^^^ a.toml → b.toml → a.toml

1 error; nothing was run
"
    );
    let shared = read(&[
        ("m.toml", "include = [\"a.toml\", \"b.toml\"]\n"),
        ("a.toml", "include = [\"c.toml\"]\n"),
        ("b.toml", "include = [\"./c.toml\"]\n"),
        ("c.toml", "[[body]]\nname = \"c\"\n"),
    ]);
    assert_eq!(report(&shared), "");
    assert_eq!(names(&shared, "body"), ["c"]);
}

#[test]
fn bad_paths_and_missing_files_are_reported_together_with_their_locations() {
    let document = read(&[(
        "m.toml",
        "include = [\"/etc/x.toml\", \"../x.toml\", \"a\\\\b.toml\", \"gone.toml\", 3]\n",
    )]);
    assert_eq!(
        codes(&document),
        [
            "include-path",
            "include-path",
            "include-path",
            "include-read",
            "wrong-type"
        ]
    );
    let report = report(&document);
    assert!(report.contains("leaves the folder of the main file"));
    assert!(report.contains("cannot include `gone.toml`"));
    assert!(report.contains("there is no such file"));
}

#[test]
fn nesting_and_number_of_included_files_are_limited() {
    let chain = |length: usize| {
        let files = (0..length).map(|n| {
            let include = format!("include = [\"{}.toml\"]\n", n + 1);
            (format!("{n}.toml"), include)
        });
        let last = (format!("{length}.toml"), "x = 1\n".to_owned());
        load(
            "0.toml",
            &MemoryLoader::new(files.chain([last])),
            &DocumentLimits::default(),
        )
    };
    let eight = chain(8);
    assert_eq!(report(&eight), "");
    assert!(eight.root.get("x").is_some());
    assert_eq!(codes(&chain(9)), ["include-depth"]);

    let loader = MemoryLoader::new([
        ("m.toml", "include = [\"a.toml\", \"b.toml\"]\n"),
        ("a.toml", ""),
        ("b.toml", ""),
    ]);
    let limits = DocumentLimits {
        files: 2,
        ..DocumentLimits::default()
    };
    assert_eq!(codes(&load("m.toml", &loader, &limits)), ["include-count"]);
}

#[test]
fn the_limit_on_values_counts_all_files() {
    let numbers = format!("x = [{}]\n", "1,".repeat(60));
    let main = format!("include = [\"a.toml\"]\n{}", numbers.replace('x', "y"));
    let loader = MemoryLoader::new([("m.toml", main), ("a.toml", numbers)]);
    let limits = |values| DocumentLimits {
        values,
        ..DocumentLimits::default()
    };
    assert_eq!(codes(&load("m.toml", &loader, &limits(124))), [""; 0]);
    assert_eq!(
        codes(&load("m.toml", &loader, &limits(123))),
        ["too-many-values"]
    );
}

#[test]
fn errors_in_an_included_file_point_into_it() {
    let document = read(&[
        ("m.toml", "include = [\"p/a.toml\"]\n"),
        ("p/a.toml", "ok = 1\nmass = 3 kg\n"),
    ]);
    assert!(report(&document).contains("--> p/a.toml:2:8"));
}

#[test]
fn an_unreadable_main_file_is_an_error_without_a_location() {
    let document = load(
        "gone.toml",
        &MemoryLoader::default(),
        &DocumentLimits::default(),
    );
    assert_eq!(
        report(&document),
        "error[cannot-read]: cannot read gone.toml: there is no such file\n\n1 error; nothing was run\n"
    );
    assert!(document.root.is_empty());
}

#[test]
fn the_disk_loader_stays_in_its_folder_and_in_its_limits() {
    let folder = std::env::temp_dir().join(format!("biela-include-{}", std::process::id()));
    let inside = folder.join("model");
    std::fs::create_dir_all(inside.join("parts")).unwrap();
    std::fs::write(folder.join("secret.toml"), "x = 1\n").unwrap();
    std::fs::write(inside.join("m.toml"), "include = [\"parts/a.toml\"]\n").unwrap();
    std::fs::write(inside.join("parts/a.toml"), "a = 1\n").unwrap();
    std::fs::write(inside.join("binary.toml"), b"a = \xff").unwrap();
    std::fs::write(inside.join("large.toml"), "#".repeat(65)).unwrap();
    let limits = DocumentLimits {
        bytes: 64,
        ..DocumentLimits::default()
    };
    let (loader, name) = DiskLoader::for_model(&inside.join("m.toml"), &limits).unwrap();
    let document = load(&name, &loader, &limits);
    assert_eq!(report(&document), "");
    assert!(matches!(
        document.root.get("a").unwrap().value.kind,
        ValueKind::Integer(1)
    ));
    assert_eq!(loader.load("gone.toml"), Err(LoadError::NotFound));
    assert_eq!(loader.load("parts"), Err(LoadError::NotAFile));
    assert_eq!(loader.load("../secret.toml"), Err(LoadError::Outside));
    assert_eq!(
        loader.load("large.toml"),
        Err(LoadError::TooLarge { limit: 64 })
    );
    assert_eq!(
        loader.load("binary.toml"),
        Err(LoadError::NotText { offset: 4 })
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("secret.toml"), inside.join("link.toml")).unwrap();
        assert_eq!(loader.load("link.toml"), Err(LoadError::Outside));
    }
    std::fs::remove_dir_all(folder).unwrap();
}
