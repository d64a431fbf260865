//! Dimensions and units: every number inside the program is in SI units; a unit in the text defines the conversion.
//!
//! A unit is a factor and a dimension. The dimension consists of the exponents of length, mass, time, current and temperature. An angle is a ratio of lengths
//! and therefore dimensionless: `rad` is 1, `deg` is π/180 and `rev` is 2π. `Hz` is 1/s, as in the SI; use `rev/s` or `rpm` for a rotational speed.
//!
//! ```text
//! unit   = factor { ("*" | "/") factor }      N*m/rad, kg*m^2, m/s^2, 1/s
//! factor = name [ "^" ["-"] digits ] | "(" unit ")"
//! ```
//!
//! `·`, `²` and `³` are read as `*`, `^2` and `^3`.

mod dimension;

use std::f64::consts::PI;
use std::fmt;
use std::ops::Range;

pub use dimension::Dimension;

use crate::suggest::did_you_mean;

/// The maximum nesting of brackets in a unit.
const MAX_DEPTH: usize = 16;

/// A unit: its factor to SI units, and its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The number of SI units in one of this unit.
    pub factor: f64,
    /// Its dimension.
    pub dimension: Dimension,
}

/// An error in a unit.
#[derive(Clone, PartialEq, Eq)]
pub struct UnitError {
    /// The range in bytes of the text.
    pub span: Range<usize>,
    /// The problem.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

biela_core::readable_errors!(UnitError);

const INCH: f64 = 0.0254;
const POUND: f64 = 0.453_592_37;
const GRAVITY: f64 = 9.806_65;

/// Every unit by name. Factors are exact by definition or correctly rounded.
const UNITS: &[(&str, f64, Dimension)] = &[
    ("m", 1.0, Dimension::LENGTH),
    ("mm", 1e-3, Dimension::LENGTH),
    ("cm", 1e-2, Dimension::LENGTH),
    ("km", 1e3, Dimension::LENGTH),
    ("um", 1e-6, Dimension::LENGTH),
    ("nm", 1e-9, Dimension::LENGTH),
    ("in", INCH, Dimension::LENGTH),
    ("ft", 0.3048, Dimension::LENGTH),
    ("kg", 1.0, Dimension::MASS),
    ("g", 1e-3, Dimension::MASS),
    ("mg", 1e-6, Dimension::MASS),
    ("t", 1e3, Dimension::MASS),
    ("lb", POUND, Dimension::MASS),
    ("s", 1.0, Dimension::TIME),
    ("ms", 1e-3, Dimension::TIME),
    ("us", 1e-6, Dimension::TIME),
    ("min", 60.0, Dimension::TIME),
    ("h", 3600.0, Dimension::TIME),
    ("rad", 1.0, Dimension::NONE),
    ("mrad", 1e-3, Dimension::NONE),
    ("deg", PI / 180.0, Dimension::NONE),
    ("rev", 2.0 * PI, Dimension::NONE),
    ("%", 1e-2, Dimension::NONE),
    ("rpm", PI / 30.0, Dimension::RATE),
    ("Hz", 1.0, Dimension::RATE),
    ("kHz", 1e3, Dimension::RATE),
    ("g0", GRAVITY, Dimension::ACCELERATION),
    ("N", 1.0, Dimension::FORCE),
    ("mN", 1e-3, Dimension::FORCE),
    ("kN", 1e3, Dimension::FORCE),
    ("MN", 1e6, Dimension::FORCE),
    ("lbf", POUND * GRAVITY, Dimension::FORCE),
    ("kgf", GRAVITY, Dimension::FORCE),
    ("J", 1.0, Dimension::TORQUE),
    ("mJ", 1e-3, Dimension::TORQUE),
    ("kJ", 1e3, Dimension::TORQUE),
    ("MJ", 1e6, Dimension::TORQUE),
    ("W", 1.0, Dimension::POWER),
    ("mW", 1e-3, Dimension::POWER),
    ("kW", 1e3, Dimension::POWER),
    ("MW", 1e6, Dimension::POWER),
    ("Pa", 1.0, Dimension::PRESSURE),
    ("kPa", 1e3, Dimension::PRESSURE),
    ("MPa", 1e6, Dimension::PRESSURE),
    ("GPa", 1e9, Dimension::PRESSURE),
    ("bar", 1e5, Dimension::PRESSURE),
    ("psi", POUND * GRAVITY / (INCH * INCH), Dimension::PRESSURE),
    ("A", 1.0, Dimension::CURRENT),
    ("mA", 1e-3, Dimension::CURRENT),
    ("V", 1.0, Dimension::VOLTAGE),
    ("mV", 1e-3, Dimension::VOLTAGE),
    ("kV", 1e3, Dimension::VOLTAGE),
    ("ohm", 1.0, Dimension::RESISTANCE),
    ("mohm", 1e-3, Dimension::RESISTANCE),
    ("kohm", 1e3, Dimension::RESISTANCE),
    ("H", 1.0, Dimension::INDUCTANCE),
    ("mH", 1e-3, Dimension::INDUCTANCE),
    ("uH", 1e-6, Dimension::INDUCTANCE),
    ("F", 1.0, Dimension::CAPACITANCE),
    ("uF", 1e-6, Dimension::CAPACITANCE),
    ("K", 1.0, Dimension::TEMPERATURE),
];

/// Symbols that are read as a unit of the table.
const SIGNS: &[(&str, &str)] = &[
    ("°", "deg"),
    ("Ω", "ohm"),
    ("Ω", "ohm"),
    ("µm", "um"),
    ("μm", "um"),
    ("µs", "us"),
    ("μs", "us"),
];

/// Common words, and the corresponding unit.
const WORDS: &[(&str, &str)] = &[
    ("metre", "m"),
    ("meter", "m"),
    ("inch", "in"),
    ("inches", "in"),
    ("foot", "ft"),
    ("feet", "ft"),
    ("kilogram", "kg"),
    ("gram", "g"),
    ("tonne", "t"),
    ("ton", "t"),
    ("lbs", "lb"),
    ("pound", "lb"),
    ("sec", "s"),
    ("second", "s"),
    ("minute", "min"),
    ("hr", "h"),
    ("hour", "h"),
    ("degree", "deg"),
    ("radian", "rad"),
    ("turn", "rev"),
    ("hertz", "Hz"),
    ("newton", "N"),
    ("joule", "J"),
    ("watt", "W"),
    ("pascal", "Pa"),
    ("ampere", "A"),
    ("amp", "A"),
    ("volt", "V"),
    ("kelvin", "K"),
];

/// All unit names, in the order of the reference: lengths first.
pub fn unit_names() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|(name, ..)| *name)
}

/// Returns the unit with this name, without powers or products.
pub fn unit_named(name: &str) -> Option<Unit> {
    let name = SIGNS
        .iter()
        .find(|(sign, _)| *sign == name)
        .map_or(name, |(_, unit)| unit);
    let (_, factor, dimension) = UNITS.iter().find(|(known, ..)| *known == name)?;
    Some(Unit {
        factor: *factor,
        dimension: *dimension,
    })
}

/// Advice for an unknown unit.
pub fn unit_help(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    if let Some((_, unit)) = WORDS
        .iter()
        .find(|(word, _)| *word == lower || *word == singular)
    {
        return Some(format!("write `{unit}`"));
    }
    let joined = |at: usize| {
        let (left, right) = name.split_at_checked(at)?;
        (unit_named(left).is_some() && unit_named(right).is_some())
            .then(|| format!("{left}*{right}"))
    };
    if let Some(product) = (1..name.len().min(8)).rev().find_map(joined) {
        return Some(format!("a product of units is written `{product}`"));
    }
    did_you_mean(name, unit_names()).map(|unit| format!("did you mean `{unit}`?"))
}

impl Unit {
    /// One, the unit of plain numbers.
    pub const ONE: Self = Self {
        factor: 1.0,
        dimension: Dimension::NONE,
    };

    /// Parses a unit expression, which must be the whole text.
    ///
    /// ```
    /// use biela_model::units::{Dimension, Unit};
    ///
    /// let unit = Unit::parse("kN/mm").unwrap();
    /// assert_eq!((unit.factor, unit.dimension), (1e6, Dimension::STIFFNESS));
    ///
    /// let wrong = Unit::parse("N*mn").unwrap_err();
    /// assert_eq!((wrong.span, wrong.help.as_deref()), (2..4, Some("did you mean `mN`?")));
    /// ```
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let mut reader = UnitParser {
            text,
            at: 0,
            depth: 0,
        };
        let unit = reader.product()?;
        match reader.peek() {
            None => Ok(unit),
            Some(_) => Err(reader.error_here("expected `*`, `/` or `^`")),
        }
    }

    /// Converts an amount in this unit to SI units. `12 mm` is the same number as `0.012`: if the factor is the reciprocal of an integer, a division rounds
    /// only once.
    pub fn to_si(self, amount: f64) -> f64 {
        let divisor = self.factor.recip();
        if self.factor < 1.0 && divisor.fract() == 0.0 {
            amount / divisor
        } else {
            amount * self.factor
        }
    }

    /// This unit raised to an integer power; `None` if the result is out of range.
    pub fn power(self, exponent: i32) -> Option<Self> {
        let unit = Self {
            factor: self.factor.powi(exponent),
            dimension: self.dimension.power(exponent, 1)?,
        };
        (unit.factor.is_finite() && unit.factor > 0.0).then_some(unit)
    }
}

/// Parses a unit expression character by character.
struct UnitParser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl UnitParser<'_> {
    fn product(&mut self) -> Result<Unit, UnitError> {
        let start = self.at;
        let mut unit = match self.peek() {
            Some('1') => self.one()?,
            _ => self.factor()?,
        };
        while let Some(sign) = self.peek().filter(|c| matches!(c, '*' | '·' | '/')) {
            self.skip(sign);
            let next = self.factor()?;
            let (factor, dimension) = if sign == '/' {
                (
                    unit.factor / next.factor,
                    unit.dimension.over(next.dimension),
                )
            } else {
                (
                    unit.factor * next.factor,
                    unit.dimension.times(next.dimension),
                )
            };
            unit = match dimension {
                Some(dimension) if factor.is_finite() && factor > 0.0 => Unit { factor, dimension },
                _ => return Err(out_of_range(start..self.at)),
            };
        }
        Ok(unit)
    }

    /// The `1` of `1/s`.
    fn one(&mut self) -> Result<Unit, UnitError> {
        self.skip('1');
        if self.peek() == Some('/') {
            return Ok(Unit::ONE);
        }
        Err(self.error_here("`1` begins a unit only as in `1/s`"))
    }

    fn factor(&mut self) -> Result<Unit, UnitError> {
        let first = self.peek();
        let start = self.at;
        let unit = match first {
            Some('(') => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(self.error_here("too many nested parentheses in the unit"));
                }
                self.skip('(');
                let inner = self.product()?;
                if self.peek() != Some(')') {
                    return Err(self.error_here("a closing `)` is missing here"));
                }
                self.skip(')');
                self.depth -= 1;
                inner
            }
            Some(c) if is_unit_start(c) => self.name()?,
            _ => return Err(self.error_here("a unit is missing here")),
        };
        let Some(exponent) = self.exponent()? else {
            return Ok(unit);
        };
        unit.power(exponent)
            .ok_or_else(|| out_of_range(start..self.at))
    }

    fn name(&mut self) -> Result<Unit, UnitError> {
        let rest = &self.text[self.at..];
        let length = unit_name_length(rest);
        let (name, span) = (&rest[..length], self.at..self.at + length);
        self.at += length;
        unit_named(name).ok_or_else(|| unknown_unit(name, span))
    }

    fn exponent(&mut self) -> Result<Option<i32>, UnitError> {
        let raised = match self.peek() {
            Some(sign @ '²') => (sign, 2),
            Some(sign @ '³') => (sign, 3),
            Some('^') => {
                self.skip('^');
                let _ = self.peek();
                let rest = &self.text[self.at..];
                let sign = usize::from(rest.starts_with('-'));
                let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
                let Ok(exponent) = rest[..sign + digits].parse() else {
                    return Err(self.error_here("the exponent of a unit must be an integer"));
                };
                self.at += sign + digits;
                return Ok(Some(exponent));
            }
            _ => return Ok(None),
        };
        self.skip(raised.0);
        Ok(Some(raised.1))
    }

    /// Skips spaces and returns the next character.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, seen: char) {
        self.at += seen.len_utf8();
    }

    fn error_here(&self, message: &str) -> UnitError {
        let width = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        UnitError {
            span: self.at..self.at + width,
            message: message.to_owned(),
            help: None,
        }
    }
}

fn out_of_range(span: Range<usize>) -> UnitError {
    UnitError {
        span,
        message: "the factor of the unit overflows or underflows".to_owned(),
        help: None,
    }
}

/// The error for an unknown unit name.
pub(crate) fn unknown_unit(name: &str, span: Range<usize>) -> UnitError {
    UnitError {
        span,
        message: format!("unknown unit `{name}`"),
        help: unit_help(name),
    }
}

/// Returns `true` if a unit name can start with this character.
pub(crate) fn is_unit_start(c: char) -> bool {
    matches!(c, '%' | '°') || c.is_alphabetic() || c == '_'
}

/// The length in bytes of the unit name at the start of the text, which [`is_unit_start`] has accepted.
pub(crate) fn unit_name_length(text: &str) -> usize {
    if let Some(sign) = text.chars().next().filter(|c| matches!(c, '%' | '°')) {
        return sign.len_utf8();
    }
    // `²` and `³` are numeric in Unicode but powers here.
    let inside = |c: char| (c.is_alphanumeric() || c == '_') && !matches!(c, '²' | '³');
    text.find(|c| !inside(c)).unwrap_or(text.len())
}
