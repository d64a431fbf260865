//! Names of elements, and references to them: bodies, points, joints and coordinates.

use std::collections::BTreeMap;
use std::ops::Range;

use biela_core::joints::Coordinate;
use biela_core::math::Pose;
use biela_core::model::{
    AnyBeam, BeamIndex, BodyIndex, JointIndex, MarkerIndex, MaterialIndex, Model,
};

use super::beams::{Centreline, check_coordinate};
use super::contacts::BodyMaterials;
use super::hard_points::AXES;
use super::reader::SectionReader;
use super::values::Context;
use crate::diagnostic::{Diagnostic, Span, Spanned, shown};
use crate::document::{DocumentField, ValueKind};
use crate::expr;
use crate::suggest::did_you_mean;

/// The maximum number of candidates in a message.
const MOST_LISTED: usize = 12;

/// Names with a fixed meaning in references and signals.
pub(crate) const RESERVED: &[&str] = &["ground", "energy", "system", "t", "time"];

/// Returns `true` if a text has the form of a name.
pub(crate) fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    starts_well
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// The problem of a name; names that can stand alone in formulas must not be reserved by the language.
pub(super) fn name_problem(name: &str, in_formulas: bool) -> Option<String> {
    if !is_name(name) {
        return Some(
            "a name begins with a letter and contains only letters, digits, `_` and `-`".to_owned(),
        );
    }
    if in_formulas && expr::is_reserved(name) {
        return Some(format!(
            "`{name}` is reserved in formulas; choose another name"
        ));
    }
    if !in_formulas && RESERVED.contains(&name) {
        return Some(format!("`{name}` is reserved; choose another name"));
    }
    None
}

/// The families of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementFamily {
    Body,
    Beam,
    ExactBeam,
    Joint,
    Chain,
    Coupler,
    Material,
    Contact,
    Trajectory,
    Driver,
    Force,
    Input,
    Sensor,
    Controller,
    Event,
    Measure,
}

impl ElementFamily {
    /// The name of the family with its article.
    fn a_word(self) -> String {
        match self {
            Self::Event => "an event".to_owned(),
            Self::Input => "an input".to_owned(),
            Self::ExactBeam => "an exact beam".to_owned(),
            _ => format!("a {}", self.word()),
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Beam => "beam",
            Self::ExactBeam => "exact beam",
            Self::Joint => "joint",
            Self::Chain => "chain",
            Self::Coupler => "coupler",
            Self::Material => "material",
            Self::Contact => "contact",
            Self::Trajectory => "trajectory",
            Self::Driver => "driver",
            Self::Force => "force",
            Self::Input => "input",
            Self::Sensor => "sensor",
            Self::Controller => "controller",
            Self::Event => "event",
            Self::Measure => "measure",
        }
    }
}

/// An element by name.
struct NamedElement {
    family: ElementFamily,
    span: Span,
    /// Index in the model's list; `None` if the element is invalid, which was reported.
    index: Option<usize>,
}

/// The named points and frames of a body or the ground.
#[derive(Default)]
pub(super) struct Points {
    own: usize,
    named: BTreeMap<String, (MarkerIndex, Span)>,
}

impl Points {
    /// Creates the points of an element whose own frame is this marker.
    pub(super) fn new(own: MarkerIndex) -> Self {
        Self {
            own: own.0,
            named: BTreeMap::new(),
        }
    }

    /// The source span of a point with this name.
    pub(super) fn place(&self, name: &str) -> Option<Span> {
        self.named.get(name).map(|(_, span)| *span)
    }

    pub(super) fn add(&mut self, name: &str, marker: MarkerIndex, span: Span) {
        let _ = self.named.insert(name.to_owned(), (marker, span));
    }
}

/// Every element and point by name.
#[derive(Default)]
pub(super) struct NameIndex {
    elements: BTreeMap<String, NamedElement>,
    /// One entry per body, in the order of the model.
    pub(super) bodies: Vec<Points>,
    /// The stations of each beam, in the order of the model.
    pub(super) beams: Vec<Points>,
    /// The stations of each geometrically exact beam.
    pub(super) exact_beams: Vec<Points>,
    pub(super) ground: Points,
    /// The frames of the bodies in the design position, in the ground frame.
    pub(super) design: BTreeMap<BodyIndex, Pose>,
    /// The centrelines of the beams, for contacts.
    pub(super) centrelines: BTreeMap<String, Centreline>,
    /// The materials of the shapes of bodies.
    pub(super) materials: BTreeMap<BodyIndex, BodyMaterials>,
}

/// The placeholder name of an element whose own name is invalid.
const NAMELESS: &str = "?";

impl NameIndex {
    /// Reads and declares the name of an element, usually its key `name`; an invalid name is reported.
    pub(super) fn declare<'t>(
        &mut self,
        reader: &SectionReader<'t>,
        key: &'static str,
        family: ElementFamily,
        context: &Context<'t>,
    ) -> String {
        let word = family.word();
        let field = reader.require(key, &format!("{key} = \"{word}1\""));
        let Some(name) = field.string() else {
            return NAMELESS.to_owned();
        };
        let in_formulas = matches!(family, ElementFamily::Sensor | ElementFamily::Measure);
        let local = context.sources.local(name);
        let reserved = name_problem(local, false);
        if let Some(help) = reserved.or_else(|| name_problem(local, in_formulas)) {
            let message = format!("{} cannot be called {}", family.a_word(), shown(name.value));
            context.error("bad-name", message, (name.span, ""), Some(help));
            return NAMELESS.to_owned();
        }
        let earlier = self
            .elements
            .get(name.value)
            .map(|named| (named.family.a_word(), named.span));
        let constant = context.constants.place(name.value).filter(|_| in_formulas);
        let constant = constant.map(|(kind, span)| (format!("a {kind}"), span));
        let point = context
            .constants
            .place(&format!("{}.{}", name.value, AXES[0]));
        let constant = constant.or(point.map(|(_, span)| ("a hard point".to_owned(), span)));
        if let Some((other, first)) = earlier.or(constant) {
            let message = format!("the name {} is used twice", shown(name.value));
            context.diagnostics.push(
                Diagnostic::error("duplicate-name", message)
                    .at(name.span, format!("{} here", family.a_word()))
                    .also(first, format!("{other} here"))
                    .help("names of elements must be unique"),
            );
            return NAMELESS.to_owned();
        }
        let named = NamedElement {
            family,
            span: name.span,
            index: None,
        };
        let _ = self.elements.insert(name.value.to_owned(), named);
        name.value.to_owned()
    }

    /// Declares an element whose name was generated; returns `false` if the name exists.
    pub(super) fn generate(
        &mut self,
        name: &str,
        family: ElementFamily,
        span: Span,
        index: usize,
    ) -> bool {
        let index = Some(index);
        let element = NamedElement {
            family,
            span,
            index,
        };
        self.elements.insert(name.to_owned(), element).is_none()
    }

    /// Sets the index of an element in the model's list, once it is added.
    pub(super) fn settle(&mut self, name: &str, index: usize) {
        if let Some(named) = self.elements.get_mut(name) {
            named.index = Some(index);
        }
    }

    /// Returns whether the element of this name is invalid; `None` if there is none.
    pub(super) fn is_broken(&self, name: &str) -> Option<bool> {
        self.elements.get(name).map(|named| named.index.is_none())
    }

    /// The family of the element with this name.
    pub(super) fn family(&self, name: &str) -> Option<ElementFamily> {
        self.elements.get(name).map(|named| named.family)
    }

    /// Splits a path into the name of an element, which may itself be a path, and the rest: `left.rod.tip` into `left.rod` and `tip`.
    pub(super) fn split<'p>(&self, path: &'p str) -> (&'p str, Option<&'p str>) {
        if let Some(rest) = path.strip_prefix("ground.") {
            return (&path[.."ground".len()], Some(rest));
        }
        let ends = std::iter::once(path.len()).chain(path.rmatch_indices('.').map(|(at, _)| at));
        let mut owners = ends.clone().map(|end| (&path[..end], path.get(end + 1..)));
        let known = owners.find(|(owner, _)| self.elements.contains_key(*owner));
        if let Some(known) = known {
            return known;
        }
        // the name after the path of an instance is that of an element
        let mut owners = ends.map(|end| (&path[..end], path.get(end + 1..)));
        let inside = owners.find(|(owner, _)| match owner.rsplit_once('.') {
            Some((instance, _)) => self.is_path(instance),
            None => true,
        });
        inside.unwrap_or((path, None))
    }

    /// Returns `true` if there are elements whose names begin with this path.
    fn is_path(&self, path: &str) -> bool {
        let below = format!("{path}.");
        let mut from = self.elements.range(below.clone()..);
        from.next()
            .is_some_and(|(name, _)| name.starts_with(&below))
    }

    /// All names of a family.
    pub(super) fn of(&self, family: ElementFamily) -> impl Iterator<Item = &str> + Clone {
        let all = self.elements.iter();
        all.filter(move |(_, named)| named.family == family)
            .map(|(name, _)| name.as_str())
    }

    /// All names of elements with signals: a chain has only those of its links and joints, a material has none, and a measure is not a function of time.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> + Clone {
        let all = self.elements.iter();
        all.filter(|(_, named)| {
            !matches!(
                named.family,
                ElementFamily::Chain | ElementFamily::Material | ElementFamily::Measure
            )
        })
        .map(|(name, _)| name.as_str())
    }

    /// Whether a marker is the frame of the ground, or that of this instance of a component.
    pub(super) fn is_ground_frame(&self, marker: MarkerIndex, instance: Option<&str>) -> bool {
        let named = instance.and_then(|path| self.ground.named.get(path));
        marker == MarkerIndex::GROUND || named.is_some_and(|(frame, _)| *frame == marker)
    }

    /// Returns the index of an element of a family; reports an unknown name. Also `None` if the element is invalid.
    pub(super) fn element(
        &self,
        family: ElementFamily,
        name: Spanned<&str>,
        what: &str,
        context: &Context<'_>,
    ) -> Option<usize> {
        let word = family.word();
        match self.elements.get(name.value) {
            Some(named) if named.family == family => named.index,
            Some(named) => {
                let other = named.family.word();
                let message = format!("{what}: {} is a {other}, not a {word}", shown(name.value));
                context.diagnostics.push(
                    Diagnostic::error("wrong-reference", message)
                        .at(name.span, format!("a {word} is required here"))
                        .also(named.span, format!("this is the {other}")),
                );
                None
            }
            None => {
                let grounded = (family == ElementFamily::Body).then_some("ground");
                let candidates = || self.of(family).chain(grounded);
                let none = format!("the model has no {word}");
                let help = if context.diagnostics.is_crowded() {
                    none
                } else {
                    nearest(name.value, candidates(), &none)
                };
                let message = format!("{what}: there is no {word} {}", shown(name.value));
                let label = format!("unknown {word}");
                context.error("unknown-name", message, (name.span, &label), Some(help));
                None
            }
        }
    }

    /// `ground`, `body`, `body.point` or `ground.point`.
    pub(super) fn endpoint<'t>(
        &self,
        field: &DocumentField<'t>,
        context: &Context<'t>,
    ) -> Option<MarkerIndex> {
        let text = field.string()?;
        self.marker(text, 0..text.value.len(), &field.what(), context)
    }

    /// Parses an endpoint from a part of a text.
    pub(super) fn marker(
        &self,
        text: Spanned<&str>,
        range: Range<usize>,
        what: &str,
        context: &Context<'_>,
    ) -> Option<MarkerIndex> {
        let part = &text.value[range.clone()];
        let (body, point) = self.split(part);
        let at = |from: usize, length: usize| {
            text.inside(range.start + from..range.start + from + length)
        };
        let points = if body == "ground" {
            &self.ground
        } else {
            let name = Spanned {
                value: body,
                span: at(0, body.len()),
            };
            match self.elements.get(body) {
                Some(beam) if beam.family == ElementFamily::Beam => &self.beams[beam.index?],
                Some(beam) if beam.family == ElementFamily::ExactBeam => {
                    &self.exact_beams[beam.index?]
                }
                _ => &self.bodies[self.element(ElementFamily::Body, name, what, context)?],
            }
        };
        let flexible = [Some(ElementFamily::Beam), Some(ElementFamily::ExactBeam)];
        if point.is_none() && flexible.contains(&self.family(body)) {
            let message = format!("{what}: beam `{body}` is flexible; a point on it is required");
            let words = points.named.keys().map(|point| format!("{body}.{point}"));
            let help = format!("name one of its points: {}", listed(words));
            context.error("which-point", message, (at(0, body.len()), ""), Some(help));
            return None;
        }
        let Some(point) = point else {
            return Some(MarkerIndex(points.own));
        };
        if let Some((marker, _)) = points.named.get(point) {
            return Some(*marker);
        }
        let owner = match self.family(body) {
            Some(family) => format!("{} `{body}`", family.word()),
            None => "the ground".to_owned(),
        };
        let help = if points.named.is_empty() || context.diagnostics.is_crowded() {
            let name = if is_name(point) { point } else { "A" };
            format!("give {owner} points = {{ {name} = […] }}")
        } else {
            nearest(point, points.named.keys().map(String::as_str), "")
        };
        let message = format!("{what}: {owner} has no point {}", shown(point));
        let label = "unknown point or frame";
        context.error(
            "unknown-name",
            message,
            (at(body.len() + 1, point.len()), label),
            Some(help),
        );
        None
    }

    /// Two endpoints.
    pub(super) fn endpoints<'t>(
        &self,
        field: &DocumentField<'t>,
        context: &Context<'t>,
    ) -> Option<[MarkerIndex; 2]> {
        let Some(ValueKind::Array(_)) = field.value().map(|value| &value.kind) else {
            let help = "name both sides: [\"ground\", \"body1.A\"]".to_owned();
            field.wrong_kind("a list of two points", Some(help));
            return None;
        };
        let [first, second] = field.fixed_array::<2>()?.value;
        let (first, second) = (
            self.endpoint(&first, context),
            self.endpoint(&second, context),
        );
        Some([first?, second?])
    }

    /// A beam of either family; a rigid one is a body.
    pub(super) fn beam<'t>(
        &self,
        field: &DocumentField<'t>,
        context: &Context<'t>,
    ) -> Option<AnyBeam> {
        let text = field.string()?;
        let named = self.elements.get(text.value);
        if let Some(exact) = named.filter(|named| named.family == ElementFamily::ExactBeam) {
            return exact.index.map(AnyBeam::Exact);
        }
        let index = self.element(ElementFamily::Beam, text, &field.what(), context);
        index.map(|index| AnyBeam::Nodal(BeamIndex(index)))
    }

    /// A beam and a point or frame of another element.
    pub(super) fn beam_and_endpoint<'t>(
        &self,
        field: &DocumentField<'t>,
        context: &Context<'t>,
    ) -> Option<(BeamIndex, MarkerIndex)> {
        let Some(ValueKind::Array(_)) = field.value().map(|value| &value.kind) else {
            let help = "name both: [\"beam1\", \"body1.A\"]".to_owned();
            field.wrong_kind("a list of a beam and a point", Some(help));
            return None;
        };
        let [first, second] = field.fixed_array::<2>()?.value;
        let point = self.endpoint(&second, context);
        let beam = self.element(ElementFamily::Beam, first.string()?, &first.what(), context);
        Some((BeamIndex(beam?), point?))
    }

    /// A material.
    pub(super) fn material<'t>(
        &self,
        field: &DocumentField<'t>,
        context: &Context<'t>,
    ) -> Option<MaterialIndex> {
        let text = field.string()?;
        self.element(ElementFamily::Material, text, &field.what(), context)
            .map(MaterialIndex)
    }

    /// A joint.
    pub(super) fn joint<'t>(
        &self,
        field: &DocumentField<'t>,
        context: &Context<'t>,
    ) -> Option<JointIndex> {
        let text = field.string()?;
        self.element(ElementFamily::Joint, text, &field.what(), context)
            .map(JointIndex)
    }

    /// `joint` or `joint.coordinate`.
    pub(super) fn coordinate<'t>(
        &self,
        field: &DocumentField<'t>,
        model: &Model,
        context: &Context<'t>,
    ) -> Option<(JointIndex, usize, Coordinate)> {
        let text = field.string()?;
        let (name, coordinate) = self.split(text.value);
        let what = field.what();
        let joint = Spanned {
            value: name,
            span: text.inside(0..name.len()),
        };
        let joint = self.element(ElementFamily::Joint, joint, &what, context)?;
        let coordinates = model.joints[joint].joint.coordinates(model.space);
        let words = || coordinates.iter().map(|coordinate| coordinate.name);
        let found = match coordinate {
            Some(wanted) => words().position(|word| word == wanted),
            None if coordinates.len() == 1 => Some(0),
            None => {
                let problem = format!(
                    "{what}: joint `{name}` has {} coordinates",
                    coordinates.len()
                );
                let help = match coordinates {
                    [] => "a joint without coordinates cannot be used here; name another joint"
                        .to_owned(),
                    _ => format!(
                        "choose one of {}",
                        listed(words().map(|word| format!("{name}.{word}")))
                    ),
                };
                context.error("which-coordinate", problem, (text.span, ""), Some(help));
                return None;
            }
        };
        if let Some(k) = found {
            check_coordinate(field, model, (JointIndex(joint), k));
            return Some((JointIndex(joint), k, coordinates[k]));
        }
        let wanted = coordinate.unwrap_or_default();
        let place = text.inside(name.len() + 1..text.value.len());
        let message = format!("{what}: joint `{name}` has no coordinate {}", shown(wanted));
        let help = nearest(wanted, words(), "this joint has no coordinates");
        context.error(
            "unknown-name",
            message,
            (place, "unknown coordinate"),
            Some(help),
        );
        None
    }
}

/// The most similar candidate, or all of them, or a text if there is none.
pub(super) fn nearest<'n>(
    word: &str,
    candidates: impl Iterator<Item = &'n str> + Clone,
    none: &str,
) -> String {
    if let Some(near) = did_you_mean(word, candidates.clone()) {
        return format!("did you mean `{near}`?");
    }
    let list = listed(candidates.clone().map(str::to_owned));
    match candidates.count() {
        0 => none.to_owned(),
        1 => format!("the only known name is {list}"),
        _ => format!("known names are {list}"),
    }
}

/// Words in backquotes, separated by commas.
pub(super) fn listed(words: impl Iterator<Item = String>) -> String {
    let mut words: Vec<String> = words
        .take(MOST_LISTED + 1)
        .map(|word| format!("`{word}`"))
        .collect();
    if words.len() > MOST_LISTED {
        words.truncate(MOST_LISTED);
        words.push("…".to_owned());
    }
    words.join(", ")
}
