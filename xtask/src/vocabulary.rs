//! The words of the field: rejects paraphrases of established terms in documents, comments and messages.
//!
//! `xtask/vocabulary.txt` lists the phrases, `xtask/vocabulary-allowed.txt` the number of them that each file still contains. A number may only fall.

mod prose;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prose::{ProseLanguage, ProseWord};

const LIST: &str = "xtask/vocabulary.txt";
const ALLOWED: &str = "xtask/vocabulary-allowed.txt";
const UPDATE: &str = "cargo xtask vocabulary --update";
const RESET: &str = "cargo xtask vocabulary --reset";

/// The tracked files that contain prose.
const FILES: [&str; 6] = [
    "*.md",
    "*.rs",
    "*.ts",
    "*.py",
    "examples/*.toml",
    "validation/*.toml",
];

/// A word of a phrase: any of its spellings, in lower case. A `*` at the end of a spelling stands for any ending.
struct PhraseWord(Vec<String>);

/// A phrase of the list.
struct PhraseEntry {
    slots: Vec<PhraseWord>,
    /// The terms to write instead; `None` if the phrase is correct.
    replacement: Option<String>,
}

/// A rejected phrase in a file.
#[derive(Debug, PartialEq)]
struct Finding {
    line: usize,
    column: usize,
    phrase: String,
    replacement: String,
}

/// The number of rejected phrases per file; files without any are absent.
type Counts = BTreeMap<String, usize>;

/// Fails if a file contains more listed phrases than it may, or fewer than are recorded for it.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let found = scan(root)?;
    let allowed = read_counts(&read(root, ALLOWED)?)?;
    let problems = grown(&found, &allowed) + &shrunk(&found, &allowed);
    if problems.is_empty() {
        let total: usize = allowed.values().sum();
        eprintln!("vocabulary: {total} phrases remain to be replaced");
        return Ok(());
    }
    Err(format!("vocabulary\n{problems}"))
}

/// Lowers the recorded numbers to those of the present files; fails if a file has more than before.
pub(crate) fn update(root: &Path) -> Result<(), String> {
    let found = scan(root)?;
    let allowed = read_counts(&read(root, ALLOWED)?)?;
    let problems = grown(&found, &allowed);
    if problems.is_empty() {
        write_counts(root, &counts(&found))
    } else {
        Err(format!("vocabulary\n{problems}"))
    }
}

/// Records the present numbers, whatever they are.
pub(crate) fn reset(root: &Path) -> Result<(), String> {
    write_counts(root, &counts(&scan(root)?))
}

/// The rejected phrases of every tracked file with prose.
fn scan(root: &Path) -> Result<BTreeMap<String, Vec<Finding>>, String> {
    let entries = read_list(&read(root, LIST)?)?;
    let mut found = BTreeMap::new();
    for file in crate::tracked(&FILES)? {
        let (Some(language), true) = (ProseLanguage::of(&file), root.join(&file).is_file()) else {
            continue;
        };
        let words = prose::words(&read(root, &file)?, language);
        let findings = findings(&words, &entries);
        if !findings.is_empty() {
            let _ = found.insert(file, findings);
        }
    }
    Ok(found)
}

/// The rejected phrases among words, the longest one where several begin at the same word.
fn findings(words: &[ProseWord], entries: &[PhraseEntry]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let matching = entries.iter().filter(|entry| entry.begins(&words[at..]));
        let Some(entry) = matching.max_by_key(|entry| entry.slots.len()) else {
            at += 1;
            continue;
        };
        let phrase = &words[at..at + entry.slots.len()];
        if let Some(replacement) = &entry.replacement {
            let texts: Vec<&str> = phrase.iter().map(|word| word.text.as_str()).collect();
            found.push(Finding {
                line: phrase[0].line,
                column: phrase[0].column,
                phrase: texts.join(" "),
                replacement: replacement.clone(),
            });
        }
        at += phrase.len();
    }
    found
}

impl PhraseWord {
    fn fits(&self, word: &str) -> bool {
        let fits = |spelling: &String| {
            let stem = spelling.strip_suffix('*');
            stem.map_or(spelling == word, |stem| word.starts_with(stem))
        };
        self.0.iter().any(fits)
    }
}

impl PhraseEntry {
    /// Whether the words begin with this phrase.
    fn begins(&self, words: &[ProseWord]) -> bool {
        words.len() >= self.slots.len()
            && self
                .slots
                .iter()
                .zip(words)
                .enumerate()
                .all(|(k, (slot, word))| {
                    slot.fits(&word.text.to_lowercase()) && (k == 0 || word.follows)
                })
    }
}

/// Reads the list of phrases.
fn read_list(text: &str) -> Result<Vec<PhraseEntry>, String> {
    let mut entries = Vec::new();
    for (number, line) in content(text) {
        let wrong = || format!("{LIST}:{number}: expected `phrase => replacement`");
        let (phrase, replacement) = line.split_once("=>").ok_or_else(wrong)?;
        let slot = |word: &str| PhraseWord(word.split('|').map(str::to_lowercase).collect());
        let slots: Vec<PhraseWord> = phrase.split_whitespace().map(slot).collect();
        let replacement = replacement.trim();
        if slots.is_empty() || replacement.is_empty() {
            return Err(wrong());
        }
        let replacement = (replacement != "accepted").then(|| replacement.to_owned());
        entries.push(PhraseEntry { slots, replacement });
    }
    Ok(entries)
}

/// Reads the recorded numbers: a path and a number per line.
fn read_counts(text: &str) -> Result<Counts, String> {
    let mut counts = Counts::new();
    for (number, line) in content(text) {
        let wrong = || format!("{ALLOWED}:{number}: expected a path and a positive number");
        let (path, count) = line.rsplit_once(' ').ok_or_else(wrong)?;
        let count = count.parse().map_err(|_| wrong())?;
        if count == 0 || counts.insert(path.trim().to_owned(), count).is_some() {
            return Err(wrong());
        }
    }
    Ok(counts)
}

/// The lines that are neither blank nor a comment, with their numbers.
fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.map(|(k, line)| (k + 1, line));
    lines.filter(|(_, line)| !(line.is_empty() || line.starts_with('#')))
}

/// Lists the phrases of every file that has more of them than it may.
fn grown(found: &BTreeMap<String, Vec<Finding>>, allowed: &Counts) -> String {
    let mut text = String::new();
    for (file, findings) in found {
        let limit = allowed.get(file).copied().unwrap_or(0);
        if findings.len() <= limit {
            continue;
        }
        for at in findings {
            let Finding {
                line,
                column,
                phrase,
                replacement,
            } = at;
            let _ = writeln!(
                text,
                "{file}:{line}:{column}: `{phrase}`: write: {replacement}"
            );
        }
        let count = findings.len();
        let _ = writeln!(
            text,
            "{file}: phrases of {LIST}: {count}; allowed by {ALLOWED}: {limit}"
        );
    }
    text
}

/// Names the files that have fewer phrases than are recorded for them.
fn shrunk(found: &BTreeMap<String, Vec<Finding>>, allowed: &Counts) -> String {
    let mut text = String::new();
    for (file, limit) in allowed {
        let count = found.get(file).map_or(0, Vec::len);
        if count < *limit {
            let _ = writeln!(
                text,
                "{file}: listed phrases: {count}, recorded: {limit}; lower it with `{UPDATE}`"
            );
        }
    }
    text
}

fn counts(found: &BTreeMap<String, Vec<Finding>>) -> Counts {
    let count = |(file, findings): (&String, &Vec<Finding>)| (file.clone(), findings.len());
    found.iter().map(count).collect()
}

fn write_counts(root: &Path, counts: &Counts) -> Result<(), String> {
    let total: usize = counts.values().sum();
    let mut text = format!(
        "# Phrases of {LIST} that files still contain. Numbers may only fall: `{UPDATE}` lowers them.\n\
         # `{RESET}` records the present ones after a phrase was added to the list or a file was renamed.\n"
    );
    for (file, count) in counts {
        let _ = writeln!(text, "{file} {count}");
    }
    fs::write(root.join(ALLOWED), text).map_err(|e| format!("{ALLOWED}: {e}"))?;
    eprintln!("wrote {ALLOWED}: {total} phrases in {} files", counts.len());
    Ok(())
}

fn read(root: &Path, file: &str) -> Result<String, String> {
    fs::read_to_string(root.join(file)).map_err(|e| format!("{file}: {e}"))
}

#[cfg(test)]
mod tests;
