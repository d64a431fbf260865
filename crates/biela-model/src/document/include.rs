//! A model in several files: `include = ["parts.toml"]`.
//!
//! Paths are relative to the including file and stay inside the folder of the main file. A file that is included twice is read once. In the merged tree the
//! elements of the included files come first:
//!
//! - lists of tables (`[[body]]`) are concatenated, included files first;
//! - tables (`[parameters]`) are merged key by key, and a duplicate key is an error; in `[study]` and `[output]`, which concern the whole model, the including
//!   file has priority;
//! - other top-level keys (`name`, `gravity`) of the including file have priority; two included files must agree.

use super::load::Loader;
use super::read::{DocumentField, TableReader};
use super::tree::{Table, TableEntry, Value, ValueKind, are_tables};
use super::{Document, DocumentLimits, parse_source, start_of};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span, escaped, shown};

/// Loads a model with all files that it includes.
///
/// ```
/// use biela_model::document::{DocumentLimits, MemoryLoader, load};
///
/// let loader = MemoryLoader::new([
///     ("arm.toml", "include = [\"parts/links.toml\"]\nname = \"arm\"\n[[body]]\nname = \"hand\"\n"),
///     ("parts/links.toml", "name = \"links\"\n[[body]]\nname = \"forearm\"\n"),
/// ]);
/// let document = load("arm.toml", &loader, &DocumentLimits::default());
/// assert!(document.diagnostics.is_empty());
/// assert_eq!(document.root.get("name").unwrap().value.as_str(), Some("arm"));
/// ```
pub fn load(main: &str, loader: &dyn Loader, limits: &DocumentLimits) -> Document {
    let mut session = Session {
        loader,
        limits: *limits,
        sources: Sources::new(),
        diagnostics: Diagnostics::new(),
        loaded: Vec::new(),
        open: Vec::new(),
    };
    let mut root = match loader.load(main) {
        Ok(text) => session.file(main, &text),
        Err(error) => {
            session.diagnostics.push(Diagnostic::error(
                "cannot-read",
                format!("cannot read {}: {error}", escaped(main)),
            ));
            Table::empty(start_of(session.sources.add(main, "")))
        }
    };
    session.open.push(main.to_owned());
    session.components(&mut root);
    session.open.clear();
    let mut designs = Vec::new();
    for (file, span) in design_files(&root) {
        // the includes of this file are independent of those of the main file
        session.loaded.clear();
        if let Some(mut design) = session.included(main, &file, span) {
            session.open.push(file);
            session.components(&mut design);
            session.open.clear();
            designs.push((span, design));
        }
    }
    Document {
        root,
        sources: session.sources,
        diagnostics: session.diagnostics,
        designs,
    }
}

/// The files in `model = { file = "…" }` of controllers, with their source spans.
fn design_files(root: &Table) -> Vec<(String, Span)> {
    let controllers = match root.get("controller").map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(items)) => items.as_slice(),
        _ => &[],
    };
    let file = |controller: &Value| {
        let model = &controller.as_table()?.get("model")?.value;
        let file = &model.as_table()?.get("file")?.value;
        Some((file.as_str()?.to_owned(), file.span))
    };
    controllers.iter().filter_map(file).collect()
}

struct Session<'l> {
    loader: &'l dyn Loader,
    /// The remaining number of values decreases as files are read.
    limits: DocumentLimits,
    sources: Sources,
    diagnostics: Diagnostics,
    loaded: Vec<String>,
    /// The files whose includes are being read, the main one first.
    open: Vec<String>,
}

impl Session<'_> {
    /// Parses a text and its included files into one table.
    fn file(&mut self, path: &str, text: &str) -> Table {
        self.loaded.push(path.to_owned());
        let (mut table, values) = parse_source(
            path,
            text,
            &self.limits,
            &mut self.sources,
            &self.diagnostics,
        );
        self.limits.values = self.limits.values.saturating_sub(values);
        let includes = self.includes(&table);
        let _ = table.entries.remove("include");

        self.open.push(path.to_owned());
        let mut merged = Table::empty(table.span);
        for (include, span) in includes {
            if let Some(included) = self.included(path, &include, span) {
                self.join(&mut merged, included, Some(&table));
            }
        }
        let _ = self.open.pop();
        self.join(&mut merged, table, None);
        merged
    }

    /// Replaces components that name a file by its contents.
    fn components(&mut self, table: &mut Table) {
        let Some(at) = table.entries.position("component") else {
            return;
        };
        let ValueKind::Table(components) = &mut table.entries.list[at].value.kind else {
            return;
        };
        for component in &mut components.entries.list {
            let ValueKind::Table(contents) = &mut component.value.kind else {
                continue;
            };
            let Some((written, span)) = contents
                .get("file")
                .and_then(|file| Some((file.value.as_str()?.to_owned(), file.value.span)))
            else {
                self.components(contents);
                continue;
            };
            if let Some(other) = contents.iter().find(|entry| entry.key != "file") {
                let message = format!(
                    "component {} has a file and own keys",
                    shown(&component.key)
                );
                self.diagnostics.push(
                    Diagnostic::error("conflict", message)
                        .at(other.key_span, "")
                        .also(span, "the file")
                        .help("move the keys into the file"),
                );
                continue;
            }
            let from = self.sources.get(span.source);
            let from = from.map_or(String::new(), |from| from.name().to_owned());
            // a file can be the source of several components
            let loaded = std::mem::take(&mut self.loaded);
            let read = self.included(&from, &written, span);
            self.loaded = loaded;
            if let Some(mut read) = read {
                if let Ok(path) = resolve(&from, &written) {
                    self.open.push(path);
                    self.components(&mut read);
                    let _ = self.open.pop();
                }
                *contents = read;
            }
        }
    }

    /// The paths of the `include` key as written.
    fn includes(&self, table: &Table) -> Vec<(String, Span)> {
        let reader = TableReader::new(table, "model", &[], &self.diagnostics);
        let paths = reader.get("include").array();
        let paths = paths.map_or(Vec::new(), |paths| paths.value);
        paths
            .iter()
            .filter_map(DocumentField::string)
            .map(|path| (path.value.to_owned(), path.span))
            .collect()
    }

    fn included(&mut self, from: &str, written: &str, span: Span) -> Option<Table> {
        let refuse = |code, message: String, label: &str, help: Option<&str>| {
            self.diagnostics.push(
                Diagnostic::error(code, message)
                    .at(span, label)
                    .maybe_help(help.map(str::to_owned)),
            );
        };
        let path = match resolve(from, written) {
            Ok(path) => path,
            Err((label, help)) => {
                let message = format!("cannot include {}", shown(written));
                refuse("include-path", message, label, Some(help));
                return None;
            }
        };
        if let Some(at) = self.open.iter().position(|open| *open == path) {
            let chain: Vec<String> = self.open[at..].iter().map(|file| escaped(file)).collect();
            let message = format!("{} includes itself", shown(&path));
            let label = format!("{} → {}", chain.join(" → "), escaped(&path));
            refuse("include-cycle", message, &label, None);
            return None;
        }
        if self.loaded.contains(&path) {
            return None;
        }
        if self.open.len() > self.limits.include_depth {
            let most = self.limits.include_depth;
            let message = format!("includes are nested more than {most} levels deep");
            refuse("include-depth", message, "one level too many", None);
            return None;
        }
        if self.sources.len() >= self.limits.files {
            let message = format!("the model has more than {} files", self.limits.files);
            refuse("include-count", message, "this file is not read", None);
            return None;
        }
        match self.loader.load(&path) {
            Ok(text) => Some(self.file(&path, &text)),
            Err(error) => {
                let message = format!("cannot include {}", shown(&path));
                let help = "paths are relative to the including file";
                refuse("include-read", message, &error.to_string(), Some(help));
                None
            }
        }
    }

    /// Adds the entries of `incoming`. An included table is passed with its includer, whose plain keys have priority in the end. The including file itself is
    /// last and has no includer.
    fn join(&self, merged: &mut Table, incoming: Table, includer: Option<&Table>) {
        for entry in incoming.entries.list {
            let Some(at) = merged.entries.position(&entry.key) else {
                merged.entries.push(entry);
                continue;
            };
            let existing = &mut merged.entries.list[at];
            match (&mut existing.value.kind, entry.value.kind) {
                (ValueKind::Invalid, kind) => existing.value.kind = kind,
                (_, ValueKind::Invalid) => {}
                (ValueKind::Array(first), ValueKind::Array(more))
                    if are_tables(first) && are_tables(&more) =>
                {
                    first.extend(more);
                }
                (ValueKind::Table(first), ValueKind::Table(more)) => {
                    if includer.is_none() {
                        first.span = more.span;
                        existing.value.span = entry.value.span;
                    }
                    let over = OF_THE_WHOLE.contains(&entry.key.as_str());
                    let outer =
                        includer.and_then(|table| match &table.get(&entry.key)?.value.kind {
                            ValueKind::Table(own) => Some(own),
                            _ => None,
                        });
                    self.join_keys(first, more, over.then_some((includer.is_none(), outer)));
                }
                (_, kind) => {
                    let value = Value {
                        span: entry.value.span,
                        kind,
                    };
                    let entry = TableEntry { value, ..entry };
                    self.join_plain(existing, entry, includer);
                }
            }
        }
    }

    /// Merges two tables of the same name. For tables in which the including file has priority: whether `more` is its table, otherwise its table, if it has
    /// one.
    fn join_keys(
        &self,
        first: &mut Table,
        more: Table,
        overriding: Option<(bool, Option<&Table>)>,
    ) {
        for entry in more.entries.list {
            let settled = |key: &str| {
                overriding.is_some_and(|(_, own)| own.is_some_and(|own| own.get(key).is_some()))
            };
            match first.get(&entry.key) {
                None => first.entries.push(entry),
                Some(_) if matches!(overriding, Some((true, _))) => first.put(entry),
                // the including file has priority
                Some(_) if settled(&entry.key) => {}
                Some(earlier) => self.diagnostics.push(
                    Diagnostic::error(
                        "duplicate-key",
                        format!("key {} is given in two files", shown(&entry.key)),
                    )
                    .at(entry.key_span, "given here")
                    .also(earlier.key_span, "and in an included file"),
                ),
            }
        }
    }

    /// Resolves two values that cannot be merged.
    fn join_plain(&self, existing: &mut TableEntry, entry: TableEntry, includer: Option<&Table>) {
        let same_shape = shape(&existing.value) == shape(&entry.value);
        let message = if !same_shape {
            format!("{} has different types in two files", shown(&entry.key))
        } else if includer.is_none() {
            *existing = entry;
            return;
        } else if includer.is_some_and(|table| table.get(&entry.key).is_some())
            || existing.value.same(&entry.value)
        {
            return;
        } else {
            format!(
                "two included files give different values of {}",
                shown(&entry.key)
            )
        };
        let first = format!("this is {}", existing.value.kind_name());
        let second = format!("this is {}", entry.value.kind_name());
        let (first, second) = if same_shape {
            ("one value".to_owned(), "another value".to_owned())
        } else {
            (first, second)
        };
        self.diagnostics.push(
            Diagnostic::error("include-conflict", message)
                .at(entry.value.span, second)
                .also(existing.value.span, first)
                .maybe_help(same_shape.then(|| "set it in the including file".to_owned())),
        );
    }
}

/// Tables that concern the whole model, in which the including file has priority key by key.
const OF_THE_WHOLE: [&str; 2] = ["study", "output"];

/// The way in which a top-level value is merged.
#[derive(PartialEq)]
enum MergeRule {
    Table,
    ListOfTables,
    Plain,
}

fn shape(value: &Value) -> MergeRule {
    match &value.kind {
        ValueKind::Table(_) => MergeRule::Table,
        ValueKind::Array(items) if !items.is_empty() && are_tables(items) => {
            MergeRule::ListOfTables
        }
        _ => MergeRule::Plain,
    }
}

/// The path of an included file relative to the main file's folder, or the error and advice.
fn resolve(from: &str, written: &str) -> Result<String, (&'static str, &'static str)> {
    let relative = "write a path relative to this file, such as \"parts/arm.toml\"";
    if written.is_empty() {
        return Err(("an empty path", relative));
    }
    if written.contains('\\') {
        return Err((
            "has a backslash",
            "use forward slashes; they work on every system",
        ));
    }
    if written.starts_with('/') || written.contains(':') {
        return Err(("not a relative path", relative));
    }
    if written.contains(char::is_control) {
        return Err(("has a control character", relative));
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Err((
                        "leaves the folder of the main file",
                        "keep included files in the folder of the main file or below it",
                    ));
                }
            }
            name => parts.push(name),
        }
    }
    if parts.is_empty() || written.ends_with('/') {
        return Err(("names a folder", relative));
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn included_paths_stay_inside_the_folder() {
        for (from, written, path) in [
            ("a.toml", "b.toml", "b.toml"),
            ("a.toml", "./x//b.toml", "x/b.toml"),
            ("x/a.toml", "b.toml", "x/b.toml"),
            ("x/a.toml", "../b.toml", "b.toml"),
            ("x/y/a.toml", "../../b.toml", "b.toml"),
        ] {
            assert_eq!(
                resolve(from, written).as_deref(),
                Ok(path),
                "{from} {written}"
            );
        }
        for (from, written) in [
            ("a.toml", "../b.toml"),
            ("x/a.toml", "../../b.toml"),
            ("a.toml", "x/../../b.toml"),
            ("a.toml", "/etc/passwd"),
            ("a.toml", "C:/b.toml"),
            ("a.toml", "x\\b.toml"),
            ("a.toml", ""),
            ("a.toml", "."),
            ("a.toml", "x/"),
            ("a.toml", "b\0.toml"),
        ] {
            assert!(resolve(from, written).is_err(), "{from} {written}");
        }
    }
}
