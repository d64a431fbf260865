use super::prose::{ProseLanguage, words};
use super::{Counts, Finding, counts, findings, grown, read_counts, read_list, shrunk};

/// Invented phrases, so that this file does not contain real ones.
const LIST: &str = "
# a comment
zorp|zorps => blip
zorp of state => accepted
blue zorp => azure
wug* => tern
";

/// Line, column and phrase of each finding.
fn found(text: &str, language: ProseLanguage) -> Vec<(usize, usize, String)> {
    let found = findings(&words(text, language), &read_list(LIST).unwrap());
    let place = |at: Finding| (at.line, at.column, at.phrase);
    found.into_iter().map(place).collect()
}

fn at(line: usize, column: usize, phrase: &str) -> (usize, usize, String) {
    (line, column, phrase.to_owned())
}

#[test]
fn a_phrase_is_found_with_line_column_and_replacement() {
    let found = findings(
        &words("One.\nTwo é Zorps.", ProseLanguage::Markdown),
        &read_list(LIST).unwrap(),
    );
    let expected = Finding {
        line: 2,
        column: 7,
        phrase: "Zorps".to_owned(),
        replacement: "blip".to_owned(),
    };
    assert_eq!(found, [expected]);
}

#[test]
fn only_whole_words_match() {
    let text = "zorping un-zorp zorp_count wugs wug snug";
    let expected = [at(1, 28, "wugs"), at(1, 33, "wug")];
    assert_eq!(found(text, ProseLanguage::Markdown), expected);
}

#[test]
fn the_longest_phrase_counts_and_an_accepted_one_hides_its_words() {
    let text = "a blue zorp, the zorp of state";
    assert_eq!(
        found(text, ProseLanguage::Markdown),
        [at(1, 3, "blue zorp")]
    );
}

#[test]
fn a_phrase_continues_over_a_line_break_but_not_over_punctuation_or_a_paragraph() {
    let expected = [at(1, 1, "blue zorp")];
    assert_eq!(found("blue\nzorp", ProseLanguage::Markdown), expected);
    let expected = [at(1, 7, "zorp")];
    assert_eq!(found("blue, zorp", ProseLanguage::Markdown), expected);
    let expected = [at(3, 1, "zorp")];
    assert_eq!(found("blue\n\nzorp", ProseLanguage::Markdown), expected);
}

#[test]
fn markdown_is_read_without_code_comments_and_link_targets() {
    let text = "\
`zorp` and ``a ` zorp`` and [text](zorp.md)
```console
zorp
```
~~~
zorp
~~~
<!-- zorp
zorp -->
**blue** [zorp](x.md)
";
    let expected = [at(10, 3, "blue zorp")];
    assert_eq!(found(text, ProseLanguage::Markdown), expected);
}

#[test]
fn rust_is_read_in_comments_and_strings_only() {
    let text = r##"
/// A blue
/// zorp.
fn zorp<'a>(c: char) -> &'a str {
    let q = '"'; // zorp
    let e = '\''; /* zorp */
    let key = "zorp";
    let placeholder = "is {zorp} here";
    let raw = r#"a "quoted" zorp"#;
    "no \"zorp\" and blue \
     zorp"
}
"##;
    let expected = [
        at(2, 7, "blue zorp"),
        at(5, 21, "zorp"),
        at(6, 22, "zorp"),
        at(9, 29, "zorp"),
        at(10, 11, "zorp"),
        at(10, 22, "blue zorp"),
    ];
    assert_eq!(found(text, ProseLanguage::Rust), expected);
}

#[test]
fn a_blank_line_of_a_comment_separates_paragraphs() {
    let text = "/// blue\n///\n/// zorp";
    assert_eq!(found(text, ProseLanguage::Rust), [at(3, 5, "zorp")]);
}

#[test]
fn typescript_is_read_in_comments_and_strings_only() {
    let text = "\
const zorp = /'/;
const a = 'a zorp', b = \"a zorp\", c = `a ${zorp} zorp`; // zorp
";
    let expected = [
        at(2, 14, "zorp"),
        at(2, 28, "zorp"),
        at(2, 50, "zorp"),
        at(2, 60, "zorp"),
    ];
    assert_eq!(found(text, ProseLanguage::TypeScript), expected);
}

#[test]
fn python_and_toml_are_read_in_comments_and_strings_only() {
    let text = "\
zorp = 'key'  # zorp
\"\"\"A
zorp 'of' state.\"\"\"
";
    let expected = [at(1, 17, "zorp"), at(3, 1, "zorp")];
    assert_eq!(found(text, ProseLanguage::Hash), expected);
}

#[test]
fn a_text_that_ends_within_a_literal_is_read_to_its_end() {
    for text in [
        "\"",
        "\"a zorp",
        "\"a zorp\\",
        "r#\"a zorp",
        "/* zorp",
        "'",
        "'\\",
        "\"a {zorp",
    ] {
        let count = found(text, ProseLanguage::Rust).len();
        assert_eq!(
            count,
            usize::from(text.contains("zorp") && !text.contains('{')),
            "{text}"
        );
    }
}

#[test]
fn more_phrases_than_allowed_are_listed_and_fewer_require_an_update() {
    let entries = read_list(LIST).unwrap();
    let file = |text| findings(&words(text, ProseLanguage::Markdown), &entries);
    let found = [
        ("same.md".to_owned(), file("zorp")),
        ("more.md".to_owned(), file("zorp\nzorp")),
        ("new.md".to_owned(), file("wug")),
        ("less.md".to_owned(), file("zorp")),
    ];
    let found = found.into_iter().collect();
    let allowed = read_counts("same.md 1\nmore.md 1\nless.md 2\ngone.md 3\n").unwrap();
    let more = grown(&found, &allowed);
    let lines: Vec<&str> = more.lines().collect();
    let expected = [
        "more.md:1:1: `zorp`: write: blip",
        "more.md:2:1: `zorp`: write: blip",
        "more.md: phrases of xtask/vocabulary.txt: 2; allowed by xtask/vocabulary-allowed.txt: 1",
        "new.md:1:1: `wug`: write: tern",
        "new.md: phrases of xtask/vocabulary.txt: 1; allowed by xtask/vocabulary-allowed.txt: 0",
    ];
    assert_eq!(lines, expected);
    let fewer = shrunk(&found, &allowed);
    let lines: Vec<&str> = fewer.lines().collect();
    let expected = [
        "gone.md: listed phrases: 0, recorded: 3; lower it with `cargo xtask vocabulary --update`",
        "less.md: listed phrases: 1, recorded: 2; lower it with `cargo xtask vocabulary --update`",
    ];
    assert_eq!(lines, expected);
    let now = counts(&found);
    assert!(grown(&found, &now).is_empty() && shrunk(&found, &now).is_empty());
}

#[test]
fn malformed_lists_are_rejected_with_their_line() {
    for text in ["\nzorp", "\n=> blip", "\nzorp =>"] {
        let message = read_list(text).err().unwrap();
        assert!(message.starts_with("xtask/vocabulary.txt:2:"), "{message}");
    }
    for text in ["\na.md", "\na.md x", "\na.md 0", "a.md 1\na.md 1"] {
        let message = read_counts(text).err().unwrap();
        assert!(
            message.starts_with("xtask/vocabulary-allowed.txt:2:"),
            "{message}"
        );
    }
    assert_eq!(read_counts("# none\n"), Ok(Counts::new()));
}

#[test]
fn the_list_of_the_repository_can_be_read() {
    let entries = read_list(include_str!("../../vocabulary.txt")).unwrap();
    assert!(entries.iter().any(|entry| entry.replacement.is_none()));
    assert!(read_counts(include_str!("../../vocabulary-allowed.txt")).is_ok());
}
