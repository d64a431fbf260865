//! XML with source spans: elements and attributes, numbers in them, and a report of unused content.
//!
//! A reader requests attributes and children of elements by name, and each request is recorded. In the end [`File::report_unused`] lists everything that was
//! never requested, so that nothing is ignored silently.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span, Spanned, shown};

/// The maximum number of bytes of a file.
pub(crate) const MOST_BYTES: usize = 20_000_000;
/// The maximum number of elements, texts and comments.
const MOST_NODES: u32 = 1_000_000;
/// The maximum nesting of elements.
const DEEPEST: usize = 500;
/// The maximum number of lines listed in a message.
const MOST_LINES: usize = 6;

/// Returns the text with a declaration `<?xml …?>` replaced by blanks if only space and comments precede it.
///
/// The standard requires the declaration to be first; the readers of robots do not, and it contains nothing relevant here. The text keeps its length, so that
/// source spans remain valid.
pub(crate) fn without_late_declaration(text: &str) -> Cow<'_, str> {
    let Some(start) = text.find("<?xml").filter(|start| *start > 0) else {
        return Cow::Borrowed(text);
    };
    let mut before = text[..start].trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = before.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else {
            break;
        };
        before = after.trim_start();
    }
    let length = text[start..].find("?>").map(|end| end + 2);
    let named = text[start + 5..].starts_with(|c: char| c.is_whitespace());
    let Some(length) = length.filter(|_| before.is_empty() && named) else {
        return Cow::Borrowed(text);
    };
    let end = start + length;
    let blanks: String = text[start..end]
        .bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect();
    Cow::Owned([&text[..start], &blanks, &text[end..]].concat())
}

/// An XML file.
pub(crate) struct File<'x> {
    document: Document<'x>,
    source: SourceId,
    diagnostics: &'x Diagnostics,
    asked: RefCell<Asked>,
}

/// The requested content: elements and texts by their node, attributes by their first byte.
#[derive(Default)]
struct Asked {
    nodes: BTreeSet<u32>,
    attributes: BTreeSet<usize>,
}

impl<'x> File<'x> {
    /// Parses the text of a source; invalid XML is reported.
    pub(crate) fn parse(
        text: &'x str,
        source: SourceId,
        diagnostics: &'x Diagnostics,
    ) -> Option<Self> {
        let report = |message: String, place: Span, help: Option<&str>| {
            let error = Diagnostic::error("xml", message).at(place, "");
            diagnostics.push(error.maybe_help(help.map(str::to_owned)));
        };
        if text.len() > MOST_BYTES {
            let message = format!("the file has more than {MOST_BYTES} bytes");
            report(message, Span::new(source, 0..0), None);
            return None;
        }
        let options = ParsingOptions {
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document = match Document::parse_with_options(text, options) {
            Ok(document) => document,
            Err(error) => {
                let (message, at, help) = explained(&error, text);
                report(message, Span::new(source, at..at), help);
                return None;
            }
        };
        if let Some(node) = too_deep(&document) {
            let message = format!("elements are nested more than {DEEPEST} levels deep");
            report(message, tag(&node, source), None);
            return None;
        }
        Some(File {
            document,
            source,
            diagnostics,
            asked: RefCell::default(),
        })
    }

    /// The root element.
    pub(crate) fn root(&self) -> XmlElement<'_> {
        let root = XmlElement {
            node: self.document.root_element(),
            file: self,
        };
        root.used()
    }

    /// Warns of every kind of element, attribute and text that was not requested, with number and lines.
    pub(crate) fn report_unused(&self) {
        for (kind, places) in self.unused() {
            let mut message = format!("{kind} is not used");
            if places.len() > 1 {
                let rows = places.iter().map(|place| self.row(place));
                let _ = write!(message, " ({} times: {})", places.len(), lines(rows));
            }
            let warning = Diagnostic::warning("not-used", message);
            self.diagnostics.push(warning.at(places[0], ""));
        }
    }

    /// Every kind of element, attribute and text that was not requested, with its spans.
    pub(crate) fn unused(&self) -> BTreeMap<Unused, Vec<Span>> {
        let asked = self.asked.borrow();
        let mut kinds: BTreeMap<Unused, Vec<Span>> = BTreeMap::new();
        let mut add = |form, name: &str, owner: &str, place: Span| {
            let kind = Unused {
                owner: owner.to_owned(),
                form,
                name: name.to_owned(),
            };
            kinds.entry(kind).or_default().push(place);
        };
        for node in self.document.descendants() {
            let known = |node: &Node<'_, '_>| asked.nodes.contains(&node.id().get());
            let owner = node.parent_element();
            let owner_name = owner.map_or("the file", |owner| owner.tag_name().name());
            if known(&node) {
                for attribute in node.attributes() {
                    if !asked.attributes.contains(&attribute.range().start) {
                        let (name, owner) = (attribute.name(), node.tag_name().name());
                        let place = Span::new(self.source, attribute.range_qname());
                        add(ContentForm::Attribute, name, owner, place);
                    }
                }
            } else if !owner.as_ref().is_none_or(known) {
                // its parent element is reported
            } else if node.is_element() {
                let name = node.tag_name().name();
                add(
                    ContentForm::Element,
                    name,
                    owner_name,
                    tag(&node, self.source),
                );
            } else if node.is_text() && !node.text().unwrap_or_default().trim().is_empty() {
                let start = node.range().start;
                let lead = node.text().map_or(0, |t| t.len() - t.trim_start().len());
                let place = Span::new(self.source, start + lead..start + lead + 1);
                add(ContentForm::Text, "", owner_name, place);
            }
        }
        kinds
    }

    /// The line of a span.
    pub(crate) fn row(&self, place: &Span) -> u32 {
        self.document.text_pos_at(place.start as usize).row
    }

    /// Returns `true` if a span is in this file.
    pub(crate) fn holds(&self, place: &Span) -> bool {
        place.source == self.source
    }
}

/// A kind of content that was not requested.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unused {
    /// The element that contains it.
    pub(crate) owner: String,
    /// Its form.
    pub(crate) form: ContentForm,
    /// Its name; empty for a text.
    pub(crate) name: String,
}

/// The forms of content in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ContentForm {
    Attribute,
    Element,
    Text,
}

impl std::fmt::Display for Unused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let owner = bare(&self.owner);
        match self.form {
            ContentForm::Attribute => write!(f, "{} of <{owner}>", shown(&self.name)),
            ContentForm::Element => write!(f, "<{}> in <{owner}>", bare(&self.name)),
            ContentForm::Text => write!(f, "text in <{owner}>"),
        }
    }
}

/// The first lines of a list, as text.
pub(crate) fn lines(rows: impl ExactSizeIterator<Item = u32>) -> String {
    let more = match rows.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let word = if rows.len() == 1 { "line" } else { "lines" };
    let rows: Vec<String> = rows.take(MOST_LINES).map(|row| row.to_string()).collect();
    format!("{word} {}{more}", rows.join(", "))
}

/// A name for a message, without characters that are unsafe for a terminal.
fn bare(name: &str) -> String {
    shown(name).trim_matches('`').to_owned()
}

/// The first element beyond the maximum nesting.
fn too_deep<'a>(document: &'a Document<'_>) -> Option<Node<'a, 'a>> {
    let mut depths = BTreeMap::new();
    document
        .descendants()
        .filter(Node::is_element)
        .find(|node| {
            let below = node
                .parent()
                .and_then(|parent| depths.get(&parent.id().get()));
            let depth = below.map_or(1, |below| below + 1);
            let _ = depths.insert(node.id().get(), depth);
            depth > DEEPEST
        })
}

/// The span of `<name`.
fn tag(node: &Node<'_, '_>, source: SourceId) -> Span {
    let all = node.range();
    let text = node.document().input_text().get(all.clone());
    let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '>');
    let length = text.and_then(|text| text.find(ends)).unwrap_or(0);
    Span::new(source, all.start..all.start + length)
}

/// The XML error as text, its location, and advice.
fn explained(error: &Error, text: &str) -> (String, usize, Option<&'static str>) {
    let end = text.trim_end().len();
    let at = |error: &Error| {
        let position = error.pos();
        let start = text
            .split_inclusive('\n')
            .take(position.row as usize - 1)
            .map(str::len)
            .sum::<usize>();
        let line = text.get(start..).unwrap_or_default();
        let columns = line.chars().take(position.col as usize - 1);
        start + columns.map(char::len_utf8).sum::<usize>()
    };
    let told = |message: String, help| (message, at(error), help);
    match error {
        Error::NoRootNode => ("there is no element in this file".to_owned(), end, None),
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => (
            "the file ends inside an element".to_owned(),
            end,
            Some("the file may be truncated; the last line must close the root element"),
        ),
        Error::DtdDetected => (
            "document type declarations are not supported".to_owned(),
            text.find("<!DOCTYPE").unwrap_or(0),
            Some("replace its entities by their text, and remove it"),
        ),
        Error::NodesLimitReached
        | Error::AttributesLimitReached
        | Error::NamespacesLimitReached => (
            format!("the file has more than {MOST_NODES} elements"),
            end,
            None,
        ),
        Error::UnexpectedCloseTag(expected, found, _) => told(
            format!("</{}> does not match <{}>", bare(found), bare(expected)),
            Some("close elements in the reverse order of their opening"),
        ),
        Error::UnknownNamespace(prefix, _) => told(
            format!("the prefix {} is not declared", shown(prefix)),
            Some("add xmlns:prefix=\"…\" to the first element, or drop the prefix"),
        ),
        Error::DuplicatedAttribute(name, _) => {
            told(format!("attribute {} is given twice", shown(name)), None)
        }
        Error::UnknownEntityReference(name, _) => told(
            format!("unknown entity &{};", bare(name)),
            Some("the known ones are &amp; &lt; &gt; &quot; &apos; and &#number;"),
        ),
        Error::MalformedEntityReference(_) => {
            told("unescaped &".to_owned(), Some("write &amp; instead"))
        }
        Error::InvalidAttributeValue(_) => told(
            "an attribute value cannot contain <".to_owned(),
            Some("write &lt; instead; a quotation mark may be missing before it"),
        ),
        Error::UnexpectedDeclaration(_) => told(
            "<?xml …?> must be the first thing in the file".to_owned(),
            Some("remove everything before it"),
        ),
        other => {
            // the parser appends the location, which is shown separately
            let message = other.to_string();
            let message = message.split(" at ").next().unwrap_or_default();
            told(format!("invalid XML: {}", bare(message)), None)
        }
    }
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(crate) struct XmlElement<'x> {
    node: Node<'x, 'x>,
    file: &'x File<'x>,
}

impl<'x> XmlElement<'x> {
    /// Its name, without a prefix.
    pub(crate) fn name(self) -> &'x str {
        self.node.tag_name().name()
    }

    /// The span of `<name`.
    pub(crate) fn span(self) -> Span {
        tag(&self.node, self.file.source)
    }

    /// The name in messages: <joint> `elbow`.
    pub(crate) fn what(self) -> String {
        let tag = bare(self.name());
        match self.node.attribute("name") {
            Some(name) => format!("<{tag}> {}", shown(name)),
            None => match self
                .node
                .ancestors()
                .find_map(|owner| owner.attribute("name"))
            {
                Some(owner) => format!("<{tag}> of {}", shown(owner)),
                None => format!("<{tag}>"),
            },
        }
    }

    /// Returns `true` if it belongs to this namespace, as `<xacro:macro>` to `xacro`.
    pub(crate) fn is_in(self, word: &str) -> bool {
        let namespace = self.node.tag_name().namespace();
        namespace.is_some_and(|uri| uri.ends_with(word))
    }

    /// Marks it as requested.
    pub(crate) fn used(self) -> Self {
        let _ = self
            .file
            .asked
            .borrow_mut()
            .nodes
            .insert(self.node.id().get());
        self
    }

    /// Marks all of its content as requested, because it is reported otherwise.
    pub(crate) fn all_used(self) {
        let mut asked = self.file.asked.borrow_mut();
        for node in self.node.descendants() {
            let _ = asked.nodes.insert(node.id().get());
            let attributes = node.attributes().map(|a| a.range().start);
            asked.attributes.extend(attributes);
        }
    }

    /// All child elements, without marking them as requested.
    pub(crate) fn children(self) -> impl Iterator<Item = XmlElement<'x>> {
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| XmlElement { node, ..self })
    }

    /// The child elements of this name.
    pub(crate) fn each(self, name: &str) -> impl Iterator<Item = XmlElement<'x>> {
        let named = self.children().filter(move |child| child.name() == name);
        named.map(XmlElement::used)
    }

    /// The first child element of this name; further ones stay unused.
    pub(crate) fn first(self, name: &str) -> Option<XmlElement<'x>> {
        let first = self.children().find(|child| child.name() == name);
        first.map(XmlElement::used)
    }

    /// The text content without surrounding space.
    pub(crate) fn content(self) -> Option<Spanned<&'x str>> {
        let node = self.node.children().find(Node::is_text)?;
        let text = node.text()?;
        let _ = self.file.asked.borrow_mut().nodes.insert(node.id().get());
        let (start, lead) = (node.range().start, text.len() - text.trim_start().len());
        let value = text.trim();
        let span = Span::new(self.file.source, start + lead..start + lead + value.len());
        (!value.is_empty()).then_some(Spanned { value, span })
    }

    /// An attribute, if present.
    pub(crate) fn attribute(self, name: &str) -> Option<Spanned<&'x str>> {
        let attribute = self.node.attribute_node(name)?;
        let mut asked = self.file.asked.borrow_mut();
        let _ = asked.attributes.insert(attribute.range().start);
        Some(Spanned {
            value: attribute.value(),
            span: Span::new(self.file.source, attribute.range_value()),
        })
    }

    /// A required attribute; `example` shows one.
    pub(crate) fn required(self, name: &str, example: &str) -> Option<Spanned<&'x str>> {
        let found = self.attribute(name);
        if found.is_none() {
            let message = format!("{} has no {}", self.what(), shown(name));
            self.error("missing-attribute", message, (self.span(), ""), example);
        }
        found
    }

    /// The numbers of an attribute; values that are not finite numbers are reported.
    pub(crate) fn numbers(self, name: &str) -> Option<Spanned<Vec<f64>>> {
        let text = self.attribute(name)?;
        let numbers = self.parsed(&shown(name), text, f64::is_finite)?;
        Some(text.map(|_| numbers))
    }

    /// The number of an attribute, which may be infinite.
    pub(crate) fn unbounded(self, name: &str) -> Option<Spanned<f64>> {
        let text = self.attribute(name)?;
        let numbers = self.parsed(&shown(name), text, |x| !x.is_nan())?;
        if let [x] = numbers[..] {
            return Some(text.map(|_| x));
        }
        let message = format!("{}: {} must be one number", self.what(), shown(name));
        self.error("wrong-count", message, (text.span, ""), "");
        None
    }

    /// The numbers of an attribute that must have `N` of them.
    pub(crate) fn vector<const N: usize>(self, name: &str) -> Option<Spanned<[f64; N]>> {
        let numbers = self.numbers(name)?;
        let count = numbers.value.len();
        let vector = <[f64; N]>::try_from(numbers.value);
        if vector.is_err() {
            let wanted = match N {
                1 => "one number".to_owned(),
                _ => format!("{N} numbers"),
            };
            let message = format!("{}: {} must have {wanted}", self.what(), shown(name));
            let label = format!("has {count}");
            self.error("wrong-count", message, (numbers.span, &label), "");
        }
        Some(Spanned {
            value: vector.ok()?,
            span: numbers.span,
        })
    }

    /// The number of an attribute.
    pub(crate) fn number(self, name: &str) -> Option<Spanned<f64>> {
        self.vector::<1>(name).map(|found| found.map(|[x]| x))
    }

    /// The number in the text content.
    pub(crate) fn content_number(self) -> Option<Spanned<f64>> {
        let text = self.content()?;
        if let [x] = self.parsed("the text", text, f64::is_finite)?[..] {
            return Some(text.map(|_| x));
        }
        let message = format!("{} must have one number", self.what());
        self.error("wrong-count", message, (text.span, ""), "");
        None
    }

    fn parsed(
        self,
        what: &str,
        text: Spanned<&str>,
        allowed: impl Fn(f64) -> bool,
    ) -> Option<Vec<f64>> {
        let mut numbers = Vec::new();
        let mut whole = true;
        for word in text.value.split_whitespace() {
            match word.parse::<f64>() {
                Ok(x) if allowed(x) => numbers.push(x),
                parsed => {
                    let offset = word.as_ptr() as usize - text.value.as_ptr() as usize;
                    // entities change the length of the text
                    let span = if text.span.len() == text.value.len() {
                        let start = text.span.start as usize + offset;
                        Span::new(text.span.source, start..start + word.len())
                    } else {
                        text.span
                    };
                    let problem = if parsed.is_ok() {
                        "must be finite"
                    } else {
                        "must be a number"
                    };
                    let message = format!("{}: {what} {problem}", self.what());
                    self.error("bad-number", message, (span, ""), "");
                    whole = false;
                }
            }
        }
        whole.then_some(numbers)
    }

    /// Reports an error; an empty help is omitted.
    pub(crate) fn error(
        self,
        code: &'static str,
        message: String,
        (span, label): (Span, &str),
        help: &str,
    ) {
        let error = Diagnostic::error(code, message).at(span, label);
        self.push(error, help);
    }

    /// Reports a warning; an empty help is omitted.
    pub(crate) fn warning(
        self,
        code: &'static str,
        message: String,
        (span, label): (Span, &str),
        help: &str,
    ) {
        let warning = Diagnostic::warning(code, message).at(span, label);
        self.push(warning, help);
    }

    fn push(self, diagnostic: Diagnostic, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.file.diagnostics.push(diagnostic.maybe_help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{ReportStyle, Sources};

    /// The report when `read` reads the text.
    fn said(text: &str, read: impl FnOnce(XmlElement<'_>)) -> String {
        let mut sources = Sources::new();
        let source = sources.add("a.xml", text);
        let diagnostics = Diagnostics::new();
        if let Some(file) = File::parse(text, source, &diagnostics) {
            read(file.root());
            file.report_unused();
        }
        let report = diagnostics.render(&sources, ReportStyle::Plain);
        let heads = report.lines().filter(|line| {
            line.starts_with("error") || line.starts_with("warning") || line.contains("-->")
        });
        heads.map(|line| line.trim().to_owned() + "\n").collect()
    }

    #[test]
    fn an_xml_declaration_after_space_or_comments_is_skipped_and_locations_are_unchanged() {
        for before in [
            "\n",
            "  \n\n",
            "<!-- made\nby hand -->\n",
            "\u{feff}\n<!-- a --><!-- b -->",
        ] {
            let text =
                format!("{before}<?xml version='1.0'\n encoding='utf-8'?>\n<r><b c='x'/></r>");
            let blanked = without_late_declaration(&text);
            assert_eq!(blanked.len(), text.len());
            assert_eq!(blanked.find("<r>"), text.find("<r>"));
            let report = said(&blanked, |root| {
                let _ = root.first("b").unwrap().number("c");
            });
            assert!(report.starts_with("error[bad-number]"), "{report}");
        }
        // in any other location it is kept, and rejected
        for text in [
            "<?xml version='1.0'?><r/>",
            "<r/><?xml version='1.0'?>",
            "words <?xml version='1.0'?><r/>",
            "<!-- <?xml version='1.0'?> --><r/>",
            " <?xml-stylesheet a='1'?><r/>",
            " <?xml version='1.0'",
        ] {
            assert_eq!(without_late_declaration(text), text);
        }
    }

    #[test]
    fn every_type_of_unread_element_is_reported_once_with_its_lines() {
        let text = "<r a='1'>\n <b c='2' d='3'/>\n <b d='4'/>\n <g><b/></g>\n words\n</r>";
        let report = said(text, |root| {
            for b in root.each("b") {
                assert!(b.number("c").is_none_or(|c| c.value == 2.0));
            }
        });
        assert_eq!(
            report,
            "warning[not-used]: `a` of <r> is not used\n--> a.xml:1:4\n\
             warning[not-used]: `d` of <b> is not used (2 times: lines 2, 3)\n--> a.xml:2:11\n\
             warning[not-used]: <g> in <r> is not used\n--> a.xml:4:2\n\
             warning[not-used]: text in <r> is not used\n--> a.xml:5:2\n"
        );
    }

    #[test]
    fn numbers_must_be_finite_and_of_the_required_count_and_the_wrong_one_is_marked() {
        let report = said("<r v='1 2' w='1 nan 2x' x=' 1e3 '/>", |root| {
            assert!(root.vector::<3>("v").is_none() && root.vector::<3>("w").is_none());
            assert_eq!(root.number("x").map(|x| x.value), Some(1000.0));
        });
        assert_eq!(
            report,
            "error[wrong-count]: <r>: `v` must have 3 numbers\n--> a.xml:1:7\n\
             error[bad-number]: <r>: `w` must be finite\n--> a.xml:1:17\n\
             error[bad-number]: <r>: `w` must be a number\n--> a.xml:1:21\n"
        );
    }

    #[test]
    fn invalid_xml_is_rejected_with_its_location() {
        for (text, expected) in [
            ("", "there is no element in this file\n--> a.xml:1:1"),
            ("<r>\n<a>\n</r>", "</r> does not match <a>\n--> a.xml:3:1"),
            (
                "<r>\n<a/>\n",
                "the file ends inside an element\n--> a.xml:2:5",
            ),
            (
                "<r a='1' a='2'/>",
                "attribute `a` is given twice\n--> a.xml:1:10",
            ),
            ("<r>é<a b=&/></r>", "invalid XML: expected a quote"),
            ("<r>\u{1}</r>", "invalid XML"),
            (
                "<!DOCTYPE r []><r/>",
                "document type declarations are not supported\n--> a.xml:1:1",
            ),
            ("<p:r/>", "the prefix `p` is not declared\n--> a.xml:1:2"),
        ] {
            let report = said(text, |_| {});
            assert!(report.contains(expected), "{text}: {report}");
        }
        let deep = "<a>".repeat(600) + &"</a>".repeat(600);
        assert!(said(&deep, |_| {}).contains("nested more than 500 levels deep"));
    }
}
