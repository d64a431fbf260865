//! The meaning of names in a component: its own, its ports, the ground, and the index of an array.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::definitions::{Definition, OwnNames};
use crate::diagnostic::{Span, shown};
use crate::lower::names::{RESERVED, nearest};

/// The position of an instance in its array.
#[derive(Clone)]
pub(super) struct ArrayPosition<'a> {
    pub(super) name: &'a str,
    pub(super) index: i64,
    pub(super) count: i64,
}

impl ArrayPosition<'_> {
    /// The index and the number of instances.
    pub(super) fn numbers(&self) -> Option<(usize, usize)> {
        Some((
            usize::try_from(self.index).ok()?,
            usize::try_from(self.count).ok()?,
        ))
    }
}

/// What a port is connected to.
#[derive(Clone)]
pub(super) struct PortBinding {
    /// The reference or formula, with path names.
    pub(super) text: String,
    /// Where it is written.
    pub(super) span: Span,
    pub(super) is_formula: bool,
}

/// The meaning of a name.
pub(super) enum Meaning {
    /// It stays as it is.
    Same,
    /// A name with its path.
    Path(String),
    /// A formula: that of a signal port, or a number.
    Formula(String),
    /// The whole reference is the binding of a port.
    Binding(PortBinding),
    /// A port whose binding is invalid, which was reported.
    Broken,
}

/// An unknown or unsuitable name: the code, the message and advice.
pub(super) struct NameProblem {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: String,
}

/// The names that are visible in a component, or in the model.
pub(super) struct Scope<'a> {
    /// `None` in the model, whose own names stay as they are.
    component: Option<&'a Definition<'a>>,
    names: &'a OwnNames<'a>,
    path: &'a str,
    number: u32,
    ports: Rc<BTreeMap<&'a str, Option<PortBinding>>>,
    /// Set if the instance or one that contains it has a placement.
    is_placed: bool,
    array: Option<ArrayPosition<'a>>,
    needs_frame: Cell<bool>,
}

impl<'a> Scope<'a> {
    pub(super) fn of_model(names: &'a OwnNames<'a>) -> Self {
        Self {
            component: None,
            names,
            path: "",
            number: 0,
            ports: Rc::default(),
            is_placed: false,
            array: None,
            needs_frame: Cell::new(false),
        }
    }

    /// The scope of an instance in this one.
    pub(super) fn inside<'b>(
        &self,
        component: &'b Definition<'b>,
        (path, number): (&'b str, u32),
        ports: BTreeMap<&'b str, Option<PortBinding>>,
        is_placed: bool,
    ) -> Scope<'b> {
        Scope {
            component: Some(component),
            names: &component.names,
            path,
            number,
            ports: Rc::new(ports),
            is_placed: is_placed || self.is_placed,
            array: None,
            needs_frame: Cell::new(false),
        }
    }

    /// The same scope for the keys of an instance, which can use the index of its array.
    pub(super) fn with_array<'b>(&'b self, array: Option<ArrayPosition<'b>>) -> Scope<'b> {
        Scope {
            component: self.component,
            names: self.names,
            path: self.path,
            number: self.number,
            ports: Rc::clone(&self.ports),
            is_placed: self.is_placed,
            array,
            needs_frame: Cell::new(false),
        }
    }

    pub(super) fn names(&self) -> &OwnNames<'a> {
        self.names
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The library in which components are looked up.
    pub(super) fn library(&self) -> usize {
        self.component.map_or(0, |component| component.library)
    }

    /// A span of the text of the component, in this instance.
    pub(super) fn span(&self, span: Span) -> Span {
        span.in_instance(self.number)
    }

    /// Whether a reference needs the frame of the instance on the ground.
    pub(super) fn needs_frame(&self) -> bool {
        self.needs_frame.get()
    }

    /// Records that a reference needs this frame.
    pub(super) fn need_frame(&self) {
        self.needs_frame.set(true);
    }

    /// The path of a name that this scope declares.
    pub(super) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// The meaning of a reference or of a name in a formula.
    pub(super) fn meaning(&self, name: &str, in_formula: bool) -> Result<Meaning, NameProblem> {
        let (head, rest) = match name.split_once('.') {
            Some((head, rest)) => (head, Some(rest)),
            None => (name, None),
        };
        if let Some(array) = &self.array {
            match (head, rest, in_formula) {
                ("index", None, true) => return Ok(Meaning::Formula(format!("({})", array.index))),
                ("count", None, true) => return Ok(Meaning::Formula(format!("({})", array.count))),
                ("previous" | "next", Some(rest), _) => {
                    return self.neighbour(array, head, rest).map(Meaning::Path);
                }
                _ => {}
            }
        }
        let Some(component) = self.component else {
            return match self.names.heads(head) {
                Some(Err(array)) => Err(outside(head, array)),
                _ => Ok(Meaning::Same),
            };
        };
        if in_formula && rest.is_none() && self.names.parameters.contains_key(name) {
            component.mention(name);
            return Ok(Meaning::Path(self.path_of(name)));
        }
        if self.names.elements.contains_key(head) {
            return Ok(Meaning::Path(self.path_of(name)));
        }
        match self.names.heads(head) {
            Some(Ok(_)) => return Ok(Meaning::Path(self.path_of(name))),
            Some(Err(array)) => return Err(outside(head, array)),
            None => {}
        }
        if let Some(binding) = self.ports.get(head) {
            component.mention(head);
            return port(head, rest, binding.as_ref(), in_formula);
        }
        if head == "ground" {
            return self.ground(name, rest);
        }
        if in_formula && RESERVED.contains(&head) {
            return Ok(Meaning::Same);
        }
        Err(NameProblem {
            code: "unknown-name",
            message: format!("{} has no name {}", component.what(), shown(head)),
            help: nearest(
                head,
                self.names.all().chain(["ground"]),
                "a component can refer to its own elements, its ports and the ground",
            ),
        })
    }

    /// The meaning of the name of a function or of a material: one of the component, or of the model.
    pub(super) fn shared(&self, name: &str) -> Meaning {
        let is_own = self.names.tables.contains(name) || self.names.elements.contains_key(name);
        if self.component.is_some() && is_own {
            return Meaning::Path(self.path_of(name));
        }
        Meaning::Same
    }

    fn neighbour(
        &self,
        array: &ArrayPosition<'_>,
        word: &str,
        rest: &str,
    ) -> Result<String, NameProblem> {
        let (index, end) = match word {
            "previous" => (array.index - 1, "first"),
            _ => (array.index + 1, "last"),
        };
        if (0..array.count).contains(&index) {
            return Ok(self.path_of(&format!("{}{index}.{rest}", array.name)));
        }
        Err(NameProblem {
            code: "no-neighbour",
            message: format!("instance {}{} has no {word} one", array.name, array.index),
            help: format!(
                "connect the {end} instance to another element: {end} = {{ … = \"ground\" }}"
            ),
        })
    }

    fn ground(&self, name: &str, rest: Option<&str>) -> Result<Meaning, NameProblem> {
        let Some(rest) = rest else {
            if !self.is_placed {
                return Ok(Meaning::Same);
            }
            self.need_frame();
            return Ok(Meaning::Path(format!("{name}.{}", self.path)));
        };
        let point = rest.split('.').next().unwrap_or(rest);
        if self.names.ground.contains(point) {
            return Ok(Meaning::Path(format!("ground.{}.{rest}", self.path)));
        }
        let what = self.component.map_or(String::new(), Definition::what);
        Err(NameProblem {
            code: "unknown-name",
            message: format!("the ground of {what} has no point {}", shown(point)),
            help: nearest(
                point,
                self.names.ground.iter().copied(),
                "add it to `ground` of the component, or connect a port to a point of the model",
            ),
        })
    }
}

/// The meaning of a name that begins with a port.
fn port(
    head: &str,
    rest: Option<&str>,
    binding: Option<&PortBinding>,
    in_formula: bool,
) -> Result<Meaning, NameProblem> {
    let Some(binding) = binding else {
        return Ok(Meaning::Broken);
    };
    match (rest, binding.is_formula, in_formula) {
        (None, true, true) => Ok(Meaning::Formula(format!("({})", binding.text))),
        (None, false, false) => Ok(Meaning::Binding(binding.clone())),
        (_, true, _) => Err(NameProblem {
            code: "wrong-reference",
            message: format!("port {} is a signal", shown(head)),
            help:
                "a signal can be used in formulas only; for a point write ports = { … = \"frame\" }"
                    .to_owned(),
        }),
        (rest, false, _) => {
            let rest = rest.map_or(String::new(), |rest| format!(".{rest}"));
            Ok(Meaning::Path(format!("{}{rest}", binding.text)))
        }
    }
}

/// An array without an index, or with one that is too large.
fn outside(head: &str, (name, count): (&str, i64)) -> NameProblem {
    let message = if head == name {
        format!("{} is an array of {count} instances", shown(name))
    } else {
        format!("array {} has no instance {}", shown(name), shown(head))
    };
    NameProblem {
        code: "index-outside",
        message,
        help: format!("its instances are `{name}0` to `{name}{}`", count - 1),
    }
}
