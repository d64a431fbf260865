//! Numbers, vectors and directions in the keys of a model.

use std::cell::Cell;

use biela_core::element::Origin;
use biela_core::math::{Pose, Vec3};
use biela_core::model::Space;

use super::components::placement::Placements;
use super::formula::{Formula, Reads, WrittenFormula, compile};
use super::parameters::Constants;
use super::series::FileTexts;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::document::{DocumentField, Table, ValueKind};
use crate::units::{Dimension, Unit};

/// The common data of the lowering.
pub(super) struct Context<'t> {
    pub(super) diagnostics: &'t Diagnostics,
    pub(super) sources: &'t Sources,
    /// Other files that the model names.
    pub(super) files: &'t FileTexts,
    /// The space of the model, guessed if the file does not define it.
    pub(super) space: Space,
    /// Set if the file defines the space; otherwise nothing that depends on it is reported.
    pub(super) space_known: bool,
    pub(super) constants: Constants,
    /// The design models of controllers, each with the span of the `file` that names it.
    pub(super) designs: &'t [(Span, Table)],
    /// The poses of the instances of components.
    pub(super) placements: Placements<'t>,
    /// The frame of the body that is being read, in the design position.
    pub(super) frame: Cell<Option<Pose>>,
}

/// The dimension of a unit in the lists of the language; `None` if any is accepted.
pub(super) fn dimension_of(unit: &str) -> Option<Dimension> {
    match unit {
        "" => None,
        "1" => Some(Dimension::NONE),
        _ => Unit::parse(unit).ok().map(|unit| unit.dimension),
    }
}

/// The number of hertz of a text that is a quantity in hertz or kilohertz.
pub(super) fn in_hertz(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim_end().parse::<f64>().ok();
    let text = text.trim();
    let kilo = text.strip_suffix("kHz").and_then(number);
    let kilo = kilo.map(|number| 1e3 * number);
    kilo.or_else(|| text.strip_suffix("Hz").and_then(number))
}

/// How numbers of a unit are written, for help.
fn number_help(unit: &str) -> String {
    let example = match unit {
        "m" => "\"12 mm\"",
        "rad" => "\"30 deg\"",
        "s" => "\"5 ms\"",
        "" | "1" => "\"2*k\"",
        _ => {
            return format!(
                "write a number in {unit}, a quantity such as \"1.5 {unit}\", or a formula of parameters"
            );
        }
    };
    format!("write a number, or {example}, or a formula of parameters")
}

impl<'t> Context<'t> {
    /// The source location of an element, for later messages about it.
    pub(super) fn origin(&self, span: Span) -> Origin {
        let Some(source) = self.sources.get(span.source) else {
            return Origin::default();
        };
        let place = source.position(span.start);
        Origin::new(source.name(), place.line, place.column)
    }

    /// Reports an error at a location.
    pub(super) fn error(
        &self,
        code: &'static str,
        message: impl Into<String>,
        (span, label): (Span, &str),
        help: Option<String>,
    ) {
        self.diagnostics.push(
            Diagnostic::error(code, message)
                .at(span, label)
                .maybe_help(help),
        );
    }

    /// Reports a warning at a location.
    pub(super) fn warning(
        &self,
        code: &'static str,
        message: impl Into<String>,
        (span, label): (Span, &str),
        help: &str,
    ) {
        let warning = Diagnostic::warning(code, message).at(span, label);
        self.diagnostics.push(warning.help(help));
    }

    /// Compiles a number, quantity or formula with the given inputs and the required dimension.
    pub(super) fn formula(
        &self,
        field: &DocumentField<'t>,
        reads: Reads<'_>,
        wanted: Option<Dimension>,
    ) -> Option<Formula> {
        let value = field.value()?;
        let number;
        let written = match &value.kind {
            ValueKind::String(text) => WrittenFormula {
                text,
                span: value.span,
                quoted: true,
            },
            ValueKind::Integer(_) | ValueKind::Float(_) => {
                number = format!("{:e}", field.number()?.value);
                WrittenFormula {
                    text: &number,
                    span: value.span,
                    quoted: false,
                }
            }
            _ => {
                let help = match reads {
                    Reads::Nothing => {
                        "write a number, a quantity such as \"12 mm\", or a formula of parameters"
                    }
                    Reads::Time => "write a formula of time such as \"0.1*sin(2*t)\"",
                    Reads::Signals(..) | Reads::Local(_) => {
                        "write a number, a quantity, or a formula such as \"-200*crank.omega\""
                    }
                };
                field.wrong_kind("a number or a formula", Some(help.to_owned()));
                return None;
            }
        };
        let what = field.what();
        let formula = compile(
            &written,
            &what,
            &self.constants,
            reads,
            wanted,
            self.diagnostics,
        )?;
        if let (true, Some(number)) = (written.quoted, formula.program.constant()) {
            self.constants.remember(written.text, number);
        }
        Some(formula)
    }

    /// A number known before the run, in SI units.
    pub(super) fn number(&self, field: &DocumentField<'t>, unit: &str) -> Option<f64> {
        self.number_of(field, unit, dimension_of(unit))
    }

    /// A number with a given dimension; the unit is for messages.
    pub(super) fn number_of(
        &self,
        field: &DocumentField<'t>,
        unit: &str,
        wanted: Option<Dimension>,
    ) -> Option<f64> {
        let value = field.value()?;
        match &value.kind {
            ValueKind::Integer(_) | ValueKind::Float(_) => Some(field.number()?.value),
            ValueKind::String(text) => {
                if unit == "rad/s" {
                    self.refuse_hertz(field, text)?;
                }
                let formula = self.formula(field, Reads::Nothing, wanted)?;
                let number = formula.program.constant();
                if number.is_none() {
                    let label = "depends on time";
                    let help = "use numbers, parameters and tables only".to_owned();
                    field.error("not-constant", "must be constant", label, Some(help));
                }
                number
            }
            _ => {
                field.wrong_kind("a number", Some(number_help(unit)));
                None
            }
        }
    }

    /// Refuses a frequency where an angular velocity is wanted: 1 Hz is 1/s, and a body that turns once per second has 2π rad/s.
    fn refuse_hertz(&self, field: &DocumentField<'t>, text: &str) -> Option<()> {
        let text = text.trim();
        let (label, help) = if let Some(hertz) = in_hertz(text) {
            (
                "1 Hz is one cycle per second, not 1 rad/s".to_owned(),
                format!(
                    "for turns per second write \"{hertz} rev/s\"; for radians per second \"{hertz} rad/s\""
                ),
            )
        } else if self.constants.is_in_hertz(text) {
            (
                format!("`{text}` is given in hertz, cycles per second"),
                format!("write \"2*pi*{text}\", or give `{text}` in rev/s or rad/s"),
            )
        } else {
            return Some(());
        };
        let problem = "is an angular velocity; a frequency is given";
        field.error("frequency", problem, &label, Some(help));
        None
    }

    /// A number greater than zero.
    pub(super) fn positive(&self, field: &DocumentField<'t>, unit: &str) -> Option<f64> {
        let number = self.number(field, unit)?;
        if number > 0.0 {
            return Some(number);
        }
        let label = match unit {
            "" | "1" => format!("this is {number}"),
            _ => format!("this is {number} {unit}"),
        };
        field.error("not-positive", "must be greater than zero", &label, None);
        None
    }

    /// An angle; a large bare number is probably meant in degrees.
    pub(super) fn angle(&self, field: &DocumentField<'t>) -> Option<f64> {
        let angle = self.number(field, "rad")?;
        let bare = match &field.value()?.kind {
            ValueKind::Integer(_) | ValueKind::Float(_) => true,
            ValueKind::String(text) => text.trim().parse::<f64>().is_ok(),
            _ => false,
        };
        if bare
            && angle.abs() > std::f64::consts::TAU
            && let Some(span) = field.span()
        {
            self.warning(
                "angle-in-radians",
                format!("{} is {angle} rad, more than a full turn", field.what()),
                (span, "a bare angle is in radians"),
                &format!("for degrees write \"{angle} deg\"; for radians write \"{angle} rad\""),
            );
        }
        Some(angle)
    }

    /// A list of quantities; every invalid one is reported.
    pub(super) fn numbers(&self, field: &DocumentField<'t>, unit: &str) -> Option<Vec<f64>> {
        let items = field.array()?.value;
        let numbers: Vec<Option<f64>> = items.iter().map(|item| self.number(item, unit)).collect();
        numbers.into_iter().collect()
    }

    /// Exactly `N` quantities.
    pub(super) fn tuple<const N: usize>(
        &self,
        field: &DocumentField<'t>,
        unit: &str,
    ) -> Option<[f64; N]> {
        let items = field.fixed_array::<N>()?.value;
        let numbers = items.map(|item| self.number(&item, unit));
        let mut all = [0.0; N];
        for (number, read) in all.iter_mut().zip(numbers) {
            *number = read?;
        }
        Some(all)
    }

    /// Two quantities in a planar model, three in a spatial one.
    pub(super) fn vector(&self, field: &DocumentField<'t>, unit: &str) -> Option<Vec3<f64>> {
        self.components(field, unit, false)
    }

    /// An angular velocity: one number in a planar model, three in a spatial one.
    pub(super) fn angular_velocity(&self, field: &DocumentField<'t>) -> Option<Vec3<f64>> {
        match self.space {
            Space::Planar => {
                let omega = self.number(field, "rad/s");
                omega.map(|omega| Vec3::new(0.0, 0.0, omega))
            }
            Space::Spatial => self.vector(field, "rad/s"),
        }
    }

    /// Three quantities; in a planar model two are accepted.
    pub(super) fn spatial_vector(
        &self,
        field: &DocumentField<'t>,
        unit: &str,
    ) -> Option<Vec3<f64>> {
        self.components(field, unit, true)
    }

    fn components(
        &self,
        field: &DocumentField<'t>,
        unit: &str,
        three_will_do: bool,
    ) -> Option<Vec3<f64>> {
        let items = field.array()?.value;
        let numbers: Vec<Option<f64>> = items.iter().map(|item| self.number(item, unit)).collect();
        if !self.fits(numbers.len(), three_will_do) {
            let problem = self.wanted_components();
            field.error(
                "wrong-length",
                problem,
                &format!("has {}", numbers.len()),
                None,
            );
            return None;
        }
        let mut vector = Vec3::zeros();
        for (component, number) in vector.iter_mut().zip(numbers) {
            *component = number?;
        }
        Some(vector)
    }

    /// The number of components of a vector in this space, for messages.
    pub(super) fn wanted_components(&self) -> &'static str {
        match (self.space_known, self.space) {
            (false, _) => "must have 2 elements in a planar model, 3 in a spatial one",
            (true, Space::Planar) => "must have 2 elements, x and y, in a planar model",
            (true, Space::Spatial) => "must have 3 elements, x, y and z, in a spatial model",
        }
    }

    /// Returns `true` if this number of components forms a vector in this space.
    pub(super) fn fits(&self, count: usize, three_will_do: bool) -> bool {
        match (self.space_known, self.space) {
            (false, _) => count == 2 || count == 3,
            (true, Space::Planar) => count == 2 || (three_will_do && count == 3),
            (true, Space::Spatial) => count == 3,
        }
    }

    /// A direction; in a planar model two components are accepted.
    pub(super) fn direction(&self, field: &DocumentField<'t>) -> Option<Vec3<f64>> {
        let vector = self.spatial_vector(field, "")?;
        let length = vector.norm();
        if length > 0.0 && length.is_finite() {
            return Some(vector / length);
        }
        let label = if length == 0.0 {
            "a direction must not be the zero vector"
        } else {
            "its length overflows"
        };
        let problem = if length == 0.0 {
            "has length 0"
        } else {
            "has infinite length"
        };
        field.error(
            "no-direction",
            problem,
            label,
            Some("for the x axis write [1, 0, 0]".to_owned()),
        );
        None
    }
}
