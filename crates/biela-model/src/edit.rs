//! Changes of a model file that keep what its writer wrote: comments, order and layout.
//!
//! A [`Change`] names an element by its table and name, as the file does. What it becomes is text again, read by the same
//! [`crate::load`] as any other: a change can be wrong, and then says so at its line and column.

use std::ops::Range;

use toml_edit::{
    Array, ArrayOfTables, Document, DocumentMut, Formatted, InlineTable, Item, RawString, Table,
    TableLike, Value,
};

mod mentions;

use mentions::{each_string, renamed, without_mentions};

/// An element of a model file: `[[body]]` with its name, or a table such as `[study]`, which has none.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// The table: `body`, `joint`, `parameters`; empty for the keys before the first table.
    pub table: String,
    /// Its name, where there are several of it.
    pub name: Option<String>,
}

impl Element {
    /// The keys of the file itself, before its first table.
    pub fn own() -> Self {
        Element {
            table: String::new(),
            name: None,
        }
    }
}

/// A change of a model file; as JSON, `do` says which.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Change {
    /// Gives a key of an element a value; dots in the key lead into inline tables.
    Set {
        /// The element.
        element: Element,
        /// The key: `mass`, `points.tip`.
        key: String,
        /// The value as one would write it, with or without quotes: `1.5`, `30 deg`, `[0, "2 m"]`.
        value: String,
    },
    /// Takes a key of an element away.
    Unset {
        /// The element.
        element: Element,
        /// The key.
        key: String,
    },
    /// Adds an element behind the last of its table.
    Add {
        /// The table.
        table: String,
        /// Keys and values, in order.
        entries: Vec<(String, String)>,
    },
    /// Takes an element away.
    Remove {
        /// The element.
        element: Element,
    },
    /// Gives an element another name, wherever the file speaks of it.
    Rename {
        /// The element.
        element: Element,
        /// The new name.
        name: String,
    },
}

/// Why a change cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError(String);

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditError {}

fn fault<T>(text: impl Into<String>) -> Result<T, EditError> {
    Err(EditError(text.into()))
}

/// An element as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Which it is.
    pub element: Element,
    /// Its keys and values as they are written, in order.
    pub entries: Vec<(String, String)>,
}

impl Written {
    /// The value of a key as it is written.
    pub fn get(&self, key: &str) -> Option<&str> {
        let mut entries = self.entries.iter();
        entries
            .find(|entry| entry.0 == key)
            .map(|entry| entry.1.as_str())
    }
}

/// All elements of a file, in its order.
pub fn elements(text: &str) -> Result<Vec<Written>, EditError> {
    let Ok(document) = Document::parse(text) else {
        return fault(MISTAKE);
    };
    let written = |table: &str, name: Option<&str>, content: &dyn TableLike| Written {
        element: Element {
            table: table.to_owned(),
            name: name.map(str::to_owned),
        },
        entries: content
            .iter()
            .filter_map(|(key, item)| Some((key.to_owned(), as_written(text, item)?)))
            .collect(),
    };
    let plain = |item: &Item| item.is_value() && !item.is_table_like();
    let own = document.iter().filter(|(_, item)| plain(item));
    let own = own.filter_map(|(key, item)| Some((key.to_owned(), as_written(text, item)?)));
    let mut list = vec![Written {
        element: Element::own(),
        entries: own.collect(),
    }];
    for (key, item) in document.iter() {
        match item {
            Item::ArrayOfTables(tables) => {
                let tables = tables.iter();
                list.extend(tables.map(|table| written(key, name_of(table), table)));
            }
            item => list.extend(item.as_table_like().map(|table| written(key, None, table))),
        }
    }
    Ok(list)
}

fn as_written(text: &str, item: &Item) -> Option<String> {
    Some(text.get(item.as_value()?.span()?)?.to_owned())
}

/// What a change does to the elements of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Effect {
    /// Elements that are no longer there.
    pub gone: Vec<Element>,
    /// Keys whose values are others, or that came or went, of elements that stay.
    pub changed: Vec<(Element, String)>,
}

/// How one text of a file differs from another, element by element.
pub fn effect(before: &str, after: &str) -> Result<Effect, EditError> {
    let after = elements(after)?;
    let mut effect = Effect::default();
    for old in elements(before)? {
        let Some(new) = after.iter().find(|new| new.element == old.element) else {
            effect.gone.push(old.element);
            continue;
        };
        let keys = old.entries.iter().chain(&new.entries);
        let mut keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
        keys.retain(|key| old.get(key) != new.get(key));
        keys.sort_unstable();
        keys.dedup();
        let change = |key: &str| (old.element.clone(), key.to_owned());
        effect.changed.extend(keys.into_iter().map(change));
    }
    Ok(effect)
}

const MISTAKE: &str = "the file has a mistake in its TOML; put it right first";

/// The text after some changes, made one after the other.
pub fn edit(text: &str, changes: &[Change]) -> Result<String, EditError> {
    let mut document: DocumentMut = match text.parse() {
        Ok(document) => document,
        Err(_) => return fault(MISTAKE),
    };
    for change in changes {
        apply(&mut document, change)?;
    }
    Ok(document.to_string())
}

/// The text without an element and without all that speaks of it; `unknown` gives the places of names in a text that mean nothing.
pub fn remove(
    text: &str,
    element: &Element,
    unknown: &dyn Fn(&str) -> Vec<Range<usize>>,
) -> Result<String, EditError> {
    let before = unknown(text).len();
    let change = Change::Remove {
        element: element.clone(),
    };
    let mut text = edit(text, &[change])?;
    loop {
        let places = unknown(&text);
        if places.len() <= before {
            return Ok(text);
        }
        let without = without_mentions(&text, &places)?;
        if without == text {
            // what speaks of it stands where it must not be taken away
            return Ok(text);
        }
        text = without;
    }
}

fn apply(document: &mut DocumentMut, change: &Change) -> Result<(), EditError> {
    match change {
        Change::Set {
            element,
            key,
            value,
        } => {
            let is_single = element.name.is_none() && !element.table.is_empty();
            if is_single && !document.contains_key(&element.table) {
                let mut table = Table::new();
                table.decor_mut().set_prefix("\n");
                let _ = document.insert(&element.table, Item::Table(table));
            }
            set(find(document, element)?, key, read(value))
        }
        Change::Unset { element, key } => {
            let (path, last) = split(key)?;
            let mut table = find(document, element)?;
            for part in path {
                table = inner(table, part)?;
            }
            match table.remove(last) {
                Some(_) => Ok(()),
                None => fault(format!("there is no key `{key}` to take away")),
            }
        }
        Change::Add { table, entries } => {
            let mut new = Table::new();
            for (key, value) in entries {
                set(&mut new, key, read(value))?;
            }
            new.decor_mut().set_prefix("\n");
            let item = document
                .entry(table)
                .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
            match item.as_array_of_tables_mut() {
                Some(list) => {
                    list.push(new);
                    Ok(())
                }
                None => fault(format!("`{table}` is no list of tables in this file")),
            }
        }
        Change::Remove { element } => {
            let name = element.name.as_deref();
            let Some(name) = name else {
                return match document.remove(&element.table) {
                    Some(_) => Ok(()),
                    None => missing(element),
                };
            };
            let list = document.get_mut(&element.table);
            let list = list.and_then(Item::as_array_of_tables_mut);
            let Some(list) = list else {
                return missing(element);
            };
            let Some(at) = list.iter().position(|table| name_of(table) == Some(name)) else {
                return missing(element);
            };
            let _ = list.remove(at);
            if list.is_empty() {
                let _ = document.remove(&element.table);
            }
            Ok(())
        }
        Change::Rename { element, name } => {
            let Some(old) = element.name.clone() else {
                return fault("a table without a name cannot be renamed");
            };
            if find(document, element)?.get("name").is_none() {
                return missing(element);
            }
            for (_, item) in document.iter_mut().filter(|(_, item)| !item.is_value()) {
                each_string(item, &mut |text| renamed(text, &old, name));
            }
            Ok(())
        }
    }
}

fn missing<T>(element: &Element) -> Result<T, EditError> {
    match &element.name {
        Some(name) => fault(format!("this file has no {} `{name}`", element.table)),
        None => fault(format!("this file has no [{}]", element.table)),
    }
}

fn name_of(table: &Table) -> Option<&str> {
    table.get("name")?.as_str()
}

fn find<'d>(
    document: &'d mut DocumentMut,
    element: &Element,
) -> Result<&'d mut dyn TableLike, EditError> {
    if *element == Element::own() {
        return Ok(document.as_table_mut());
    }
    let Some(item) = document.get_mut(&element.table) else {
        return missing(element);
    };
    let Some(name) = element.name.as_deref() else {
        return match item.as_table_like_mut() {
            Some(table) => Ok(table),
            None => missing(element),
        };
    };
    let list = item.as_array_of_tables_mut();
    let mut tables = list.into_iter().flat_map(ArrayOfTables::iter_mut);
    match tables.find(|table| name_of(table) == Some(name)) {
        Some(table) => Ok(table),
        None => missing(element),
    }
}

/// A value as its writer means it: TOML where it is, a list where it has the brackets of one, else a string.
fn read(text: &str) -> Value {
    let text = text.trim();
    if let Ok(value) = text.parse() {
        return value;
    }
    match list(text, 0) {
        Some(array) => Value::Array(array),
        None => Value::String(Formatted::new(text.to_owned())),
    }
}

/// Lists in lists go no deeper.
const MOST_DEEP: usize = 8;

/// `[L, 20 mm]`, whose entries may stand without quotes.
fn list(text: &str, depth: usize) -> Option<Array> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    if depth > MOST_DEEP || inside.contains(['"', '\'', '#', '\n']) {
        return None;
    }
    let mut open = 0_i32;
    let apart = |c: char| {
        open += i32::from("[({".contains(c)) - i32::from("])}".contains(c));
        c == ',' && open == 0
    };
    let entries = inside.split(apart).map(str::trim);
    let entry = |text: &str| {
        let plain = || Value::String(Formatted::new(text.to_owned()));
        let value: Option<Value> = text.parse().ok();
        value
            .or_else(|| Some(Value::Array(list(text, depth + 1)?)))
            .unwrap_or_else(plain)
    };
    let mut array = Array::new();
    for text in entries.filter(|text| !text.is_empty()) {
        array.push(entry(text));
    }
    Some(array)
}

/// The tables on the way to a key, and the key itself.
fn split(key: &str) -> Result<(Vec<&str>, &str), EditError> {
    let mut parts: Vec<&str> = key.split('.').collect();
    match parts.pop() {
        Some(last) if !last.is_empty() && parts.iter().all(|part| !part.is_empty()) => {
            Ok((parts, last))
        }
        _ => fault(format!("`{key}` is no key")),
    }
}

fn inner<'t>(table: &'t mut dyn TableLike, key: &str) -> Result<&'t mut dyn TableLike, EditError> {
    match table.get_mut(key).and_then(Item::as_table_like_mut) {
        Some(table) => Ok(table),
        None => fault(format!("there is no table `{key}`")),
    }
}

fn set(mut table: &mut dyn TableLike, key: &str, mut value: Value) -> Result<(), EditError> {
    let (path, last) = split(key)?;
    let is_inside = !path.is_empty();
    for part in path {
        if table.get(part).is_none() {
            let _ = table.insert(part, Item::Value(Value::InlineTable(InlineTable::new())));
        }
        table = inner(table, part)?;
    }
    if let Some(old) = table.get(last).and_then(Item::as_value) {
        // a comment behind the old value stays behind the new one
        *value.decor_mut() = old.decor().clone();
    }
    if let Some(item) = table.get_mut(last) {
        *item = Item::Value(value);
        return Ok(());
    }
    // the blank before the closing brace goes behind the new value
    let before = is_inside.then(|| table.iter_mut().last()).flatten();
    if let Some(before) = before.and_then(|(_, item)| item.as_value_mut()) {
        let decor = before.decor_mut();
        let blank = decor.suffix().and_then(RawString::as_str).unwrap_or("");
        if !blank.is_empty() && blank.trim().is_empty() {
            value.decor_mut().set_suffix(blank.to_owned());
            decor.set_suffix("");
        }
    }
    let _ = table.insert(last, Item::Value(value));
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = r#"# a pendulum
format = 1
name = "pendulum"
space = "planar"
gravity = [0, -9.81] # down

[parameters]
L = "1 m"    # length of the rod

# the rod
[[body]]
name = "rod"
mass = "2 kg"   # weighed
inertia = 0.1
points = { tip = ["L", 0] }

[[body]]
name = "bob"
mass = 1
inertia = 0.01

[[joint]]
name = "pin"      # a good one
type = "revolute"
between = ["ground", "rod"]

[[joint]]
name = "hold"
type = "weld"
between = ["rod.tip", "bob"]

[study]
duration = 1

[output]
signals = ["pin.angle", "bob.x", "rod.angle"]
plot = [["bob.x", "rod.x"], ["bob.y"], ["pin.angle"]]
"#;

    fn element(table: &str, name: &str) -> Element {
        Element {
            table: table.to_owned(),
            name: (!name.is_empty()).then(|| name.to_owned()),
        }
    }

    fn set(table: &str, name: &str, key: &str, value: &str) -> Change {
        Change::Set {
            element: element(table, name),
            key: key.to_owned(),
            value: value.to_owned(),
        }
    }

    /// Places of unknown names, as reading the model finds them.
    fn unknown(text: &str) -> Vec<Range<usize>> {
        let loaded = crate::parse("model.toml", text, &crate::Overrides::default());
        let list = loaded.diagnostics.sorted();
        let list = list.iter().filter(|d| d.code.starts_with("unknown"));
        list.filter_map(|d| d.primary.as_ref())
            .map(|label| label.span.start as usize..label.span.end as usize)
            .collect()
    }

    #[test]
    fn a_value_changes_and_nothing_else_does() {
        let text = edit(TEXT, &[set("body", "rod", "mass", "2.5 kg")]).unwrap();
        assert_eq!(text, TEXT.replace("\"2 kg\"", "\"2.5 kg\""));
        let text = edit(TEXT, &[set("parameters", "", "L", "0.7")]).unwrap();
        assert_eq!(text, TEXT.replace("\"1 m\"", "0.7"));
        let text = edit(TEXT, &[set("body", "rod", "points.tip", "[0, \"L/2\"]")]).unwrap();
        assert_eq!(text, TEXT.replace("[\"L\", 0]", "[0, \"L/2\"]"));
        let text = edit(TEXT, &[set("body", "rod", "points.mid", "[0, 1]")]).unwrap();
        let points = "{ tip = [\"L\", 0], mid = [0, 1] }";
        assert_eq!(text, TEXT.replace("{ tip = [\"L\", 0] }", points));
        let text = edit(TEXT, &[set("body", "bob", "points.mid", "[0, 1]")]).unwrap();
        assert!(text.contains("\npoints = { mid = [0, 1] }\n"), "{text}");
        let text = edit(TEXT, &[set("ground", "", "points", "{ hook = [0, 1] }")]).unwrap();
        assert_eq!(
            text,
            format!("{TEXT}\n[ground]\npoints = {{ hook = [0, 1] }}\n")
        );
        let text = edit(TEXT, &[set("joint", "pin", "type", "spherical")]).unwrap();
        assert_eq!(text, TEXT.replace("\"revolute\"", "\"spherical\""));
    }

    #[test]
    fn entries_of_lists_need_no_quotes() {
        for (typed, written) in [
            ("[L, 0]", "[\"L\", 0]"),
            (
                "[20 mm, max(L, 2), -1.5]",
                "[\"20 mm\", \"max(L, 2)\", -1.5]",
            ),
            ("[[a.x, b.y], [c.z]]", "[[\"a.x\", \"b.y\"], [\"c.z\"]]"),
            ("[1, 2]", "[1, 2]"),
            ("[\"L\", 0]", "[\"L\", 0]"),
            ("2*L", "\"2*L\""),
            ("[]", "[]"),
            ("[a", "\"[a\""),
        ] {
            assert_eq!(read(typed).to_string().trim(), written);
        }
        let deep = format!("{}a{}", "[".repeat(5000), "]".repeat(5000));
        let _ = read(&deep);
    }

    #[test]
    fn keys_come_and_go() {
        let added = edit(TEXT, &[set("body", "bob", "com", "[0, \"1 mm\"]")]).unwrap();
        assert_eq!(
            added,
            TEXT.replace("inertia = 0.01\n", "inertia = 0.01\ncom = [0, \"1 mm\"]\n")
        );
        let change = Change::Unset {
            element: element("body", "bob"),
            key: "com".to_owned(),
        };
        assert_eq!(edit(&added, &[change]).unwrap(), TEXT);
    }

    #[test]
    fn an_added_element_stands_behind_the_others_of_its_table() {
        let entries = [("name", "ball"), ("mass", "3 kg"), ("inertia", "0.2")];
        let entries = entries.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
        let change = Change::Add {
            table: "body".to_owned(),
            entries,
        };
        let text = edit(TEXT, &[change]).unwrap();
        let new = "\n[[body]]\nname = \"ball\"\nmass = \"3 kg\"\ninertia = 0.2\n";
        let before = "inertia = 0.01\n";
        assert_eq!(text, TEXT.replace(before, &format!("{before}{new}")));
        let change = Change::Add {
            table: "sensor".to_owned(),
            entries: vec![
                ("name".to_owned(), "height".to_owned()),
                ("value".to_owned(), "bob.y".to_owned()),
            ],
        };
        let text = edit(TEXT, &[change]).unwrap();
        assert!(
            text.ends_with("\n[[sensor]]\nname = \"height\"\nvalue = \"bob.y\"\n"),
            "{text}"
        );
    }

    #[test]
    fn what_speaks_of_a_removed_body_goes_with_it() {
        let text = remove(TEXT, &element("body", "bob"), &unknown).unwrap();
        assert!(!text.contains("bob") && !text.contains("hold"), "{text}");
        assert!(text.contains("# the rod") && text.contains("# a good one"));
        assert!(
            text.contains("signals = [\"pin.angle\", \"rod.angle\"]"),
            "{text}"
        );
        assert!(
            text.contains("plot = [[\"rod.x\"], [\"pin.angle\"]]"),
            "{text}"
        );
        assert!(unknown(&text).is_empty());
    }

    #[test]
    fn a_new_name_is_used_everywhere_and_only_for_the_element() {
        let change = Change::Rename {
            element: element("body", "rod"),
            name: "arm".to_owned(),
        };
        let text = edit(TEXT, &[change]).unwrap();
        assert!(text.contains("between = [\"ground\", \"arm\"]"));
        assert!(text.contains("[\"arm.tip\", \"bob\"]") && text.contains("\"arm.angle\""));
        assert!(text.contains("# the rod") && unknown(&text).is_empty());
        for (text, expected) in [
            ("rod.x + rods.y", Some("arm.x + rods.y")),
            ("2*rod.angle-my.rod", Some("2*arm.angle-my.rod")),
            ("rodrod", None),
            ("rod", Some("arm")),
        ] {
            assert_eq!(renamed(text, "rod", "arm").as_deref(), expected);
        }
    }

    #[test]
    fn a_new_name_leaves_words_of_the_language_and_prose_alone() {
        let text = "name = \"bar\"\ndescription = \"a bar on a pin\"\n\n[[body]]\nname = \"bar\"\nshapes = [{ type = \"bar\", radius = 1 }]\n\n[output]\nsignals = [\"bar.x\"]\n";
        let change = Change::Rename {
            element: element("body", "bar"),
            name: "arm".to_owned(),
        };
        let expected = text
            .replace("[[body]]\nname = \"bar\"", "[[body]]\nname = \"arm\"")
            .replace("bar.x", "arm.x");
        assert_eq!(edit(text, &[change]).unwrap(), expected);
    }

    #[test]
    fn the_keys_of_the_file_itself_change_like_others() {
        let text = edit(TEXT, &[set("", "", "gravity", "[0, \"-1.62 m/s^2\"]")]).unwrap();
        assert_eq!(text, TEXT.replace("[0, -9.81]", "[0, \"-1.62 m/s^2\"]"));
        let text = edit(TEXT, &[set("", "", "description", "swings")]).unwrap();
        let before = "gravity = [0, -9.81] # down\n";
        assert_eq!(
            text,
            TEXT.replace(before, &format!("{before}description = \"swings\"\n"))
        );
        let own = elements(&text).unwrap().swap_remove(0);
        assert_eq!(own.element, Element::own());
        assert_eq!(own.get("description"), Some("\"swings\""));
        assert_eq!(own.get("parameters"), None);
    }

    #[test]
    fn an_effect_names_what_goes_and_what_changes() {
        let after = remove(TEXT, &element("body", "bob"), &unknown).unwrap();
        let effect = effect(TEXT, &after).unwrap();
        assert_eq!(
            effect.gone,
            [element("body", "bob"), element("joint", "hold")]
        );
        let changed: Vec<&str> = effect.changed.iter().map(|(_, key)| key.as_str()).collect();
        assert_eq!(changed, ["plot", "signals"]);
        assert_eq!(super::effect(TEXT, TEXT).unwrap(), Effect::default());
    }

    #[test]
    fn a_change_of_what_is_not_there_says_so() {
        let cases = [
            (
                set("body", "rodd", "mass", "1"),
                "this file has no body `rodd`",
            ),
            (
                Change::Unset {
                    element: element("robot", ""),
                    key: "tool".to_owned(),
                },
                "this file has no [robot]",
            ),
            (set("body", "rod", "a..b", "1"), "`a..b` is no key"),
            (
                Change::Remove {
                    element: element("force", "push"),
                },
                "this file has no force `push`",
            ),
        ];
        for (change, expected) in cases {
            assert_eq!(edit(TEXT, &[change]).unwrap_err().to_string(), expected);
        }
        assert!(edit("a = [", &[]).is_err());
    }

    #[test]
    fn elements_are_listed_as_they_are_written() {
        let list = elements(TEXT).unwrap();
        let names: Vec<&str> = list
            .iter()
            .filter_map(|w| w.element.name.as_deref())
            .collect();
        assert_eq!(names, ["rod", "bob", "pin", "hold"]);
        let rod = list
            .iter()
            .find(|w| w.element == element("body", "rod"))
            .unwrap();
        assert_eq!(rod.get("mass"), Some("\"2 kg\""));
        assert_eq!(rod.get("points"), Some("{ tip = [\"L\", 0] }"));
    }

    #[test]
    fn changes_are_read_from_json() {
        let json = r#"{"do": "set", "element": {"table": "body", "name": "rod"}, "key": "mass", "value": "1"}"#;
        let change: Change = serde_json::from_str(json).unwrap();
        assert_eq!(change, set("body", "rod", "mass", "1"));
        let json = r#"{"do": "add", "table": "body", "entries": [["name", "x"]]}"#;
        assert!(serde_json::from_str::<Change>(json).is_ok());
        assert!(serde_json::from_str::<Change>(r#"{"do": "destroy"}"#).is_err());
    }

    #[test]
    fn the_last_element_takes_its_list_along() {
        let names = ["pin", "hold"];
        let changes = names.map(|name| Change::Remove {
            element: element("joint", name),
        });
        let text = edit(TEXT, &changes).unwrap();
        assert!(!text.contains("[[joint]]") && text.contains("[[body]]"));
    }
}
