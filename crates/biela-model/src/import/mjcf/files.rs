//! The files of a model: the main one and its included files.

use std::collections::BTreeMap;

use super::AssetFolder;
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Sources, shown};
use crate::import::xml::{File, XmlElement, without_late_declaration};

/// The maximum number of files.
const MOST_FILES: usize = 100;

/// A text before its elements are parsed.
pub(super) struct MjcfText {
    text: String,
    source: SourceId,
    /// The file of each `<include>`, by its byte offset.
    includes: BTreeMap<u32, usize>,
}

/// Loads the main text and all files that it includes. A file may be included only once, so there are no cycles.
pub(super) fn load(
    name: &str,
    text: &str,
    folder: &dyn AssetFolder,
    sources: &mut Sources,
    diagnostics: &Diagnostics,
) -> Vec<MjcfText> {
    let source = sources.add(name, text);
    let first = MjcfText {
        text: without_late_declaration(text).into_owned(),
        source,
        includes: BTreeMap::new(),
    };
    let mut files = vec![first];
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut next = 0;
    while next < files.len() {
        let mut wanted = Vec::new();
        if let Some(file) = File::parse(&files[next].text, files[next].source, diagnostics) {
            collect(file.root(), &mut |include| {
                let path = include.required("file", "file=\"parts.xml\"");
                wanted.extend(path.map(|p| (p.map(str::to_owned), include.span().start)));
            });
        }
        for (path, at) in wanted {
            let refuse = |message: String, help: &str| {
                let error = Diagnostic::error("include", message).at(path.span, "");
                diagnostics.push(error.maybe_help((!help.is_empty()).then(|| help.to_owned())));
            };
            if names.contains_key(&path.value) {
                let message = format!("{} is included twice", shown(&path.value));
                refuse(message, "a file can be included once only");
                continue;
            }
            if files.len() >= MOST_FILES {
                refuse(format!("more than {MOST_FILES} files"), "");
                continue;
            }
            let read = folder.read(&path.value).and_then(|bytes| {
                String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
            });
            match read {
                Ok(text) => {
                    let number = files.len();
                    let _ = files[next].includes.insert(at, number);
                    let _ = names.insert(path.value.clone(), number);
                    let source = sources.add(&path.value, text.as_str());
                    files.push(MjcfText {
                        text: without_late_declaration(&text).into_owned(),
                        source,
                        includes: BTreeMap::new(),
                    });
                }
                Err(reason) => refuse(
                    format!("cannot read {}: {reason}", shown(&path.value)),
                    "paths of includes are relative to the folder of the main file",
                ),
            }
        }
        next += 1;
    }
    files
}

fn collect<'x>(element: XmlElement<'x>, found: &mut impl FnMut(XmlElement<'x>)) {
    for child in element.children() {
        if child.name() == "include" {
            found(child);
        } else {
            collect(child, found);
        }
    }
}

/// All parsed files.
pub(super) struct MjcfFiles<'x> {
    loaded: &'x [MjcfText],
    files: &'x [File<'x>],
}

impl<'x> MjcfFiles<'x> {
    /// Parses loaded texts; `None` if one of them is not XML.
    pub(super) fn parse(
        loaded: &'x [MjcfText],
        diagnostics: &'x Diagnostics,
    ) -> Option<Vec<File<'x>>> {
        let parse = |file: &'x MjcfText| File::parse(&file.text, file.source, diagnostics);
        loaded.iter().map(parse).collect()
    }

    pub(super) fn new(loaded: &'x [MjcfText], files: &'x [File<'x>]) -> Self {
        MjcfFiles { loaded, files }
    }

    /// The root element of the main file.
    pub(super) fn root(&self) -> Option<XmlElement<'x>> {
        self.files.first().map(File::root)
    }

    /// The child elements, with those of included files in place of `<include>`.
    pub(super) fn children(&self, element: XmlElement<'x>) -> Vec<XmlElement<'x>> {
        let mut all = Vec::new();
        for child in element.children() {
            if child.name() == "include" {
                let _ = child.used().attribute("file");
                let span = child.span();
                let file = self.loaded.iter().find(|f| f.source == span.source);
                let file = file.and_then(|f| f.includes.get(&span.start));
                if let Some(file) = file {
                    all.extend(self.children(self.files[*file].root()));
                }
            } else {
                all.push(child);
            }
        }
        all
    }

    /// The child elements of this name.
    pub(super) fn each(&self, element: XmlElement<'x>, name: &str) -> Vec<XmlElement<'x>> {
        let mut children = self.children(element);
        children.retain(|child| child.name() == name);
        children.into_iter().map(XmlElement::used).collect()
    }

    pub(super) fn all(&self) -> &'x [File<'x>] {
        self.files
    }
}
