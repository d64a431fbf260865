//! Elements with the defaults of their classes.
//!
//! A missing attribute comes from the nearest class that has it: the class of the element, otherwise that of the nearest body or frame with a `childclass`,
//! otherwise the main one. Each class inherits from the class that contains it.

use std::collections::BTreeMap;

use super::files::MjcfFiles;
use crate::diagnostic::{Span, Spanned, shown};
use crate::import::xml::XmlElement;
use crate::suggest::did_you_mean;

/// The maximum nesting of classes and bodies, including included files.
pub(super) const DEEPEST: usize = 500;
/// The keywords of a switch.
const SWITCH: &[&str] = &["false", "true", "auto", "disable", "enable"];

/// The default classes; the main one comes first.
pub(super) struct Classes<'x> {
    list: Vec<Class<'x>>,
    names: BTreeMap<&'x str, usize>,
}

struct Class<'x> {
    parent: Option<usize>,
    elements: Vec<XmlElement<'x>>,
}

impl<'x> Classes<'x> {
    /// Reads all sections of defaults.
    pub(super) fn read(files: &MjcfFiles<'x>, root: XmlElement<'x>) -> Self {
        let main = Class {
            parent: None,
            elements: Vec::new(),
        };
        let mut classes = Classes {
            list: vec![main],
            names: BTreeMap::new(),
        };
        for section in files.each(root, "default") {
            if let Some(name) = section.attribute("class") {
                let _ = classes.names.insert(name.value, 0);
            }
            classes.fill(0, section, files, 0);
        }
        let _ = classes.names.entry("main").or_insert(0);
        classes
    }

    fn fill(&mut self, class: usize, section: XmlElement<'x>, files: &MjcfFiles<'x>, depth: usize) {
        if depth > DEEPEST {
            let message = format!("classes are nested more than {DEEPEST} levels deep");
            section.error("too-deep", message, (section.span(), ""), "");
            return;
        }
        for child in files.children(section) {
            if child.name() != "default" {
                self.list[class].elements.push(child);
                continue;
            }
            let Some(name) = child.used().required("class", "class=\"arm\"") else {
                continue;
            };
            if self.names.contains_key(name.value) {
                let message = format!("class {} is defined twice", shown(name.value));
                child.error("class-twice", message, (name.span, ""), "");
                continue;
            }
            let _ = self.names.insert(name.value, self.list.len());
            self.list.push(Class {
                parent: Some(class),
                elements: Vec::new(),
            });
            self.fill(self.list.len() - 1, child, files, depth + 1);
        }
    }

    /// The class that an attribute names; an unknown one is reported.
    pub(super) fn find(&self, element: XmlElement<'x>, attribute: &str) -> Option<usize> {
        let name = element.attribute(attribute)?;
        let found = self.names.get(name.value).copied();
        if found.is_none() {
            let message = format!(
                "{}: there is no class {}",
                element.what(),
                shown(name.value)
            );
            let close = did_you_mean(name.value, self.names.keys().copied());
            let help = close
                .map(|c| format!("did you mean `{c}`?"))
                .unwrap_or_default();
            element.error("unknown-class", message, (name.span, ""), &help);
        }
        found
    }

    /// An element with the defaults for elements of these kinds; `inherited` is the class if it names none.
    pub(super) fn part(
        &self,
        element: XmlElement<'x>,
        kinds: &[&str],
        inherited: Option<usize>,
    ) -> MjcfElement<'x> {
        let mut class = self.find(element, "class").or(inherited).or(Some(0));
        let mut defaults = Vec::new();
        while let Some(at) = class {
            let elements = self.list[at].elements.iter().rev();
            defaults.extend(elements.filter(|e| kinds.contains(&e.name())).copied());
            class = self.list[at].parent;
        }
        let _ = element.used().attribute("name");
        for default in &defaults {
            let _ = default.used();
        }
        MjcfElement { element, defaults }
    }
}

/// An element with its defaults, nearest first.
#[derive(Clone)]
pub(super) struct MjcfElement<'x> {
    pub(super) element: XmlElement<'x>,
    defaults: Vec<XmlElement<'x>>,
}

impl<'x> MjcfElement<'x> {
    /// An element without defaults.
    pub(super) fn plain(element: XmlElement<'x>) -> Self {
        let _ = element.attribute("name");
        MjcfElement {
            element: element.used(),
            defaults: Vec::new(),
        }
    }

    /// The element that defines an attribute.
    fn owner(&self, name: &str) -> Option<XmlElement<'x>> {
        let all = std::iter::once(&self.element).chain(&self.defaults);
        // reads all of them, so that overridden defaults are not reported as unused
        let mut owners = all.filter(|e| e.attribute(name).is_some()).copied();
        let first = owners.next();
        let _ = owners.count();
        first
    }

    pub(super) fn attribute(&self, name: &str) -> Option<Spanned<&'x str>> {
        self.owner(name)?.attribute(name)
    }

    pub(super) fn numbers(&self, name: &str) -> Option<Spanned<Vec<f64>>> {
        self.owner(name)?.numbers(name)
    }

    pub(super) fn vector<const N: usize>(&self, name: &str) -> Option<Spanned<[f64; N]>> {
        self.owner(name)?.vector(name)
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.owner(name)?.number(name).map(|x| x.value)
    }

    /// A number that must not be negative; zero if absent.
    pub(super) fn at_least_zero(&self, name: &str) -> f64 {
        let Some(found) = self.owner(name).and_then(|owner| owner.number(name)) else {
            return 0.0;
        };
        if found.value < 0.0 {
            let message = format!("{}: {} is negative", self.what(), shown(name));
            self.error("negative", message, found.span, "");
        }
        found.value.max(0.0)
    }

    /// One of these keywords; any other is reported.
    pub(super) fn word(&self, name: &str, words: &[&'static str]) -> Option<&'static str> {
        let found = self.attribute(name)?;
        let word = words.iter().find(|word| **word == found.value).copied();
        if word.is_none() {
            let value = shown(found.value);
            let message = format!("{}: unknown {name} {value}", self.what());
            let close = did_you_mean(found.value, words.iter().copied());
            let help = match close {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("choose one of {}", words.join(", ")),
            };
            self.error("unknown-word", message, found.span, &help);
        }
        word
    }

    /// A switch: true, false, or `None` for MuJoCo's automatic choice.
    pub(super) fn switch(&self, name: &str) -> Option<bool> {
        match self.word(name, SWITCH)? {
            "true" | "enable" => Some(true),
            "false" | "disable" => Some(false),
            _ => None,
        }
    }

    pub(super) fn what(&self) -> String {
        self.element.what()
    }

    pub(super) fn error(&self, code: &'static str, message: String, span: Span, help: &str) {
        self.element.error(code, message, (span, ""), help);
    }

    pub(super) fn span(&self) -> Span {
        self.element.span()
    }
}
