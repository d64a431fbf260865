//! The prose of a file: Markdown without code, comments, and string literals of several words.

/// How a file separates prose from code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ProseLanguage {
    Markdown,
    Rust,
    TypeScript,
    /// Python and TOML: the same comments and strings.
    Hash,
}

/// A word of prose.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProseWord {
    pub(super) text: String,
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
    /// Whether only white space or a line break separates it from the word before.
    pub(super) follows: bool,
}

impl ProseLanguage {
    /// The language of a file, by the ending of its name.
    pub(super) fn of(file: &str) -> Option<Self> {
        let (_, ending) = file.rsplit_once('.')?;
        match ending {
            "md" => Some(ProseLanguage::Markdown),
            "rs" => Some(ProseLanguage::Rust),
            "ts" => Some(ProseLanguage::TypeScript),
            "py" | "toml" => Some(ProseLanguage::Hash),
            _ => None,
        }
    }

    fn line_comment(self) -> &'static str {
        if self == ProseLanguage::Hash {
            "#"
        } else {
            "//"
        }
    }

    fn is_quote(self, c: char) -> bool {
        match self {
            // an apostrophe of Rust is a lifetime or a single character
            ProseLanguage::Rust => c == '"',
            ProseLanguage::TypeScript => matches!(c, '"' | '\'' | '`'),
            ProseLanguage::Hash => matches!(c, '"' | '\''),
            ProseLanguage::Markdown => false,
        }
    }
}

/// The words of the prose of a file, in order.
pub(super) fn words(text: &str, language: ProseLanguage) -> Vec<ProseWord> {
    let source: Vec<char> = text.chars().collect();
    let mask = if language == ProseLanguage::Markdown {
        markdown(text)
    } else {
        CodeScan::new(&source, language).mask()
    };
    split(&source, &mask)
}

/// What a character is to the reader of prose.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CharacterRole {
    Prose,
    /// White space, or a mark at the beginning of a line, that does not interrupt a phrase.
    Gap,
    /// Code, which interrupts a phrase.
    Code,
}

/// Splits the prose of a text into words.
fn split(source: &[char], mask: &[CharacterRole]) -> Vec<ProseWord> {
    let mut words: Vec<ProseWord> = Vec::new();
    let (mut line, mut column) = (1, 0);
    let (mut open, mut follows) = (false, false);
    for (k, (&c, &part)) in source.iter().zip(mask).enumerate() {
        column += 1;
        if part == CharacterRole::Prose && is_part_of_word(source, mask, k) {
            match words.last_mut() {
                Some(word) if open => word.text.push(c),
                _ => words.push(ProseWord {
                    text: c.to_string(),
                    line,
                    column,
                    follows,
                }),
            }
            (open, follows) = (true, true);
        } else {
            open = false;
            follows &=
                part != CharacterRole::Code && (part == CharacterRole::Gap || c.is_whitespace());
        }
        if c == '\n' {
            (line, column) = (line + 1, 0);
        }
    }
    words
}

/// Letters, digits and underscores, and hyphens and apostrophes between them.
fn is_part_of_word(source: &[char], mask: &[CharacterRole], k: usize) -> bool {
    let is_letter = |at: Option<usize>| {
        at.is_some_and(|at| {
            let c = source.get(at);
            c.is_some_and(|c| c.is_alphanumeric() || *c == '_') && mask[at] == CharacterRole::Prose
        })
    };
    let joins = matches!(source[k], '-' | '\'' | '’');
    is_letter(Some(k)) || joins && is_letter(k.checked_sub(1)) && is_letter(Some(k + 1))
}

/// Marks fenced blocks, comments, code spans and targets of links as code.
fn markdown(text: &str) -> Vec<CharacterRole> {
    let mut mask = Vec::with_capacity(text.len());
    let mut fence: Option<String> = None;
    let mut comment = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let marks: String = trimmed
            .chars()
            .take_while(|c| matches!(c, '`' | '~'))
            .collect();
        let closes = |open: &String| trimmed == marks && marks.starts_with(open.as_str());
        let length = line.chars().count();
        if let Some(open) = &fence {
            if closes(open) {
                fence = None;
            }
            mask.extend(vec![CharacterRole::Code; length]);
        } else if comment || trimmed.starts_with("<!--") {
            comment = !trimmed.ends_with("-->");
            mask.extend(vec![CharacterRole::Code; length]);
        } else if marks.len() >= 3 {
            fence = Some(marks);
            mask.extend(vec![CharacterRole::Code; length]);
        } else if trimmed.is_empty() {
            // a paragraph ends
            mask.extend(vec![CharacterRole::Code; length]);
        } else {
            let line: Vec<char> = line.chars().collect();
            mask.extend(spans(&line));
        }
    }
    mask
}

/// Marks code spans and targets of links in a piece of prose; marks of emphasis, quotation and headings are gaps.
fn spans(text: &[char]) -> Vec<CharacterRole> {
    let mut mask = vec![CharacterRole::Prose; text.len()];
    let mut k = 0;
    while k < text.len() {
        let end = match text[k] {
            '`' => {
                let ticks = text[k..].iter().take_while(|c| **c == '`').count();
                let closing =
                    (k + ticks..text.len()).find(|&at| text[at..].starts_with(&text[k..k + ticks]));
                closing.map(|at| at + ticks)
            }
            ']' if text.get(k + 1) == Some(&'(') => {
                let closing = (k + 1..text.len()).find(|&at| text[at] == ')');
                closing.map(|at| at + 1)
            }
            _ => None,
        };
        if let Some(end) = end {
            mask[k..end].fill(CharacterRole::Code);
            k = end;
        } else {
            if matches!(text[k], '*' | '>' | '[') {
                mask[k] = CharacterRole::Gap;
            }
            k += 1;
        }
    }
    mask
}

/// A scan over a program's text.
struct CodeScan<'a> {
    source: &'a [char],
    language: ProseLanguage,
    mask: Vec<CharacterRole>,
    at: usize,
}

impl<'a> CodeScan<'a> {
    fn new(source: &'a [char], language: ProseLanguage) -> Self {
        CodeScan {
            source,
            language,
            mask: vec![CharacterRole::Code; source.len()],
            at: 0,
        }
    }

    fn mask(mut self) -> Vec<CharacterRole> {
        while self.at < self.source.len() {
            let c = self.source[self.at];
            if self.starts(self.language.line_comment()) {
                self.line_comment();
            } else if self.language != ProseLanguage::Hash && self.starts("/*") {
                self.block_comment();
            } else if self.language == ProseLanguage::Rust && self.raw_hashes().is_some() {
                self.raw_string();
            } else if self.language == ProseLanguage::Rust && c == '\'' {
                self.character();
            } else if self.language.is_quote(c) {
                self.string(c);
            } else {
                self.at += 1;
            }
        }
        self.mask
    }

    fn starts(&self, with: &str) -> bool {
        self.has_at(self.at, with)
    }

    /// Whether a mark stands at a position.
    fn has_at(&self, at: usize, mark: &str) -> bool {
        let mark: Vec<char> = mark.chars().collect();
        self.source[at..].starts_with(&mark)
    }

    /// The position of the next occurrence of a mark, or the end of the text.
    fn find(&self, from: usize, mark: &str) -> usize {
        let mark: Vec<char> = mark.chars().collect();
        let positions = from.min(self.source.len())..self.source.len();
        let mut positions = positions.filter(|&k| self.source[k..].starts_with(&mark));
        positions.next().unwrap_or(self.source.len())
    }

    /// Marks a comment up to the end of its line. Lines of comments below each other are one text, except for blank ones.
    fn line_comment(&mut self) {
        let end = self.find(self.at, "\n");
        let leader = |c: &char| matches!(c, '/' | '!' | '#');
        let begin = self.at
            + self.source[self.at..end]
                .iter()
                .take_while(|c| leader(c))
                .count();
        let is_blank = self.source[begin..end].iter().all(|c| c.is_whitespace());
        if is_blank {
            self.at = end;
            return;
        }
        // where the line above is a comment too, only white space and the leader stand between the two texts
        let last = (0..self.at)
            .rev()
            .find(|&k| self.mask[k] != CharacterRole::Code || !self.source[k].is_whitespace());
        if let Some(last) = last
            && self.mask[last] != CharacterRole::Code
        {
            self.mask[last + 1..begin].fill(CharacterRole::Gap);
        }
        self.prose(begin, end);
        self.at = end;
    }

    fn block_comment(&mut self) {
        let end = self.find(self.at + 2, "*/");
        self.prose(self.at + 2, end);
        self.at = (end + 2).min(self.source.len());
    }

    /// The number of `#` of a raw string that begins here.
    fn raw_hashes(&self) -> Option<usize> {
        let before = self.at.checked_sub(1).map(|k| self.source[k]);
        let is_name = before.is_some_and(|c| c != 'b' && (c.is_alphanumeric() || c == '_'));
        let rest = self.source[self.at..].strip_prefix(&['r'])?;
        let hashes = rest.iter().take_while(|c| **c == '#').count();
        (!is_name && rest.get(hashes) == Some(&'"')).then_some(hashes)
    }

    fn raw_string(&mut self) {
        let hashes = self.raw_hashes().unwrap_or(0);
        let begin = self.at + hashes + 2;
        let closing = format!("\"{}", "#".repeat(hashes));
        let end = self.find(begin, &closing);
        self.literal(begin, end);
        self.at = (end + closing.len()).min(self.source.len());
    }

    /// Passes over a character literal or the apostrophe of a lifetime.
    fn character(&mut self) {
        let next = |k: usize| self.source.get(self.at + k);
        self.at += match (next(1), next(2)) {
            (Some('\\'), _) => self.find(self.at + 3, "'") - self.at + 1,
            (_, Some('\'')) => 3,
            _ => 1,
        };
    }

    fn string(&mut self, quote: char) {
        let triple = quote.to_string().repeat(3);
        let is_triple = self.language == ProseLanguage::Hash && self.starts(&triple);
        let closing = if is_triple { triple } else { quote.to_string() };
        let begin = self.at + closing.len();
        // a string that ends with its line limits the damage of a quote that opens none, as in a regular expression
        let is_one_line = !is_triple && quote != '`' && self.language != ProseLanguage::Rust;
        let mut end = begin;
        while end < self.source.len() {
            let ends = self.has_at(end, &closing) || is_one_line && self.source[end] == '\n';
            if ends {
                break;
            }
            end += if self.source[end] == '\\' { 2 } else { 1 };
        }
        let end = end.min(self.source.len());
        self.literal(begin.min(end), end);
        self.at = (end + closing.len()).min(self.source.len());
    }

    /// Marks a string literal as prose if it has several words: a single one is a key or a name. Placeholders and escapes are code.
    fn literal(&mut self, begin: usize, end: usize) {
        if !self.source[begin..end].iter().any(|c| c.is_whitespace()) {
            return;
        }
        self.prose(begin, end);
        let opening = match self.language {
            ProseLanguage::TypeScript => "${",
            _ => "{",
        };
        let mut k = begin;
        while k < end {
            if self.source[k] == '\\' {
                self.escape(k, end);
                k += 2;
            } else if self.has_at(k, opening) {
                let closing = self.find(k, "}").min(end - 1);
                self.mask[k..=closing].fill(CharacterRole::Code);
                k = closing + 1;
            } else {
                k += 1;
            }
        }
    }

    /// Marks an escape: a line break in the source is a gap, others interrupt a phrase.
    fn escape(&mut self, k: usize, end: usize) {
        let is_break = self.source.get(k + 1) == Some(&'\n');
        let part = if is_break {
            CharacterRole::Gap
        } else {
            CharacterRole::Code
        };
        self.mask[k..end.min(k + 2)].fill(part);
    }

    fn prose(&mut self, begin: usize, end: usize) {
        let marks = spans(&self.source[begin..end]);
        self.mask[begin..end].copy_from_slice(&marks);
    }
}
