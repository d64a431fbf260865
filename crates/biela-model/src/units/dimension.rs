//! Physical dimensions.

use std::fmt;

/// Exponents are stored in twelfths, so that square, cube and fourth roots stay exact.
const TWELFTHS: i16 = 12;
/// The exponents of length, mass, time, current and temperature of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dimension {
    twelfths: [i16; 5],
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $name:ident = [$l:literal, $m:literal, $t:literal, $i:literal, $k:literal];)*) => {
        impl Dimension {$(
            $(#[$doc])*
            pub const $name: Self = Self::new($l, $m, $t, $i, $k);
        )*}
    };
}

dimensions! {
    /// A plain number, a ratio or an angle.
    NONE = [0, 0, 0, 0, 0];
    /// m.
    LENGTH = [1, 0, 0, 0, 0];
    /// m².
    AREA = [2, 0, 0, 0, 0];
    /// m³.
    VOLUME = [3, 0, 0, 0, 0];
    /// m⁴.
    SECOND_MOMENT_OF_AREA = [4, 0, 0, 0, 0];
    /// kg.
    MASS = [0, 1, 0, 0, 0];
    /// kg m².
    INERTIA = [2, 1, 0, 0, 0];
    /// kg/m³.
    DENSITY = [-3, 1, 0, 0, 0];
    /// kg/m.
    MASS_PER_LENGTH = [-1, 1, 0, 0, 0];
    /// s.
    TIME = [0, 0, 1, 0, 0];
    /// 1/s: frequency and angular velocity.
    RATE = [0, 0, -1, 0, 0];
    /// 1/s²: angular acceleration.
    ANGULAR_ACCELERATION = [0, 0, -2, 0, 0];
    /// m/s.
    VELOCITY = [1, 0, -1, 0, 0];
    /// m/s².
    ACCELERATION = [1, 0, -2, 0, 0];
    /// N.
    FORCE = [1, 1, -2, 0, 0];
    /// N m: torque and energy.
    TORQUE = [2, 1, -2, 0, 0];
    /// W.
    POWER = [2, 1, -3, 0, 0];
    /// Pa.
    PRESSURE = [-1, 1, -2, 0, 0];
    /// N/m.
    STIFFNESS = [0, 1, -2, 0, 0];
    /// N s/m.
    DAMPING = [0, 1, -1, 0, 0];
    /// N m s: rotational damping and angular momentum.
    ROTATIONAL_DAMPING = [2, 1, -1, 0, 0];
    /// kg m/s.
    MOMENTUM = [1, 1, -1, 0, 0];
    /// N m².
    BENDING_STIFFNESS = [3, 1, -2, 0, 0];
    /// Pa s.
    VISCOSITY = [-1, 1, -1, 0, 0];
    /// A.
    CURRENT = [0, 0, 0, 1, 0];
    /// A s.
    CHARGE = [0, 0, 1, 1, 0];
    /// V.
    VOLTAGE = [2, 1, -3, -1, 0];
    /// Ω.
    RESISTANCE = [2, 1, -3, -2, 0];
    /// H.
    INDUCTANCE = [2, 1, -2, -2, 0];
    /// F.
    CAPACITANCE = [-2, -1, 4, 2, 0];
    /// N m/A, the same as V s/rad.
    TORQUE_CONSTANT = [2, 1, -2, -1, 0];
    /// K.
    TEMPERATURE = [0, 0, 0, 0, 1];
}

/// The named dimensions: their names, and the units in which they are printed.
const NAMED: &[(Dimension, &str, &str)] = &[
    (Dimension::NONE, "a plain number or angle", ""),
    (Dimension::LENGTH, "a length", "m"),
    (Dimension::AREA, "an area", "m^2"),
    (Dimension::VOLUME, "a volume", "m^3"),
    (
        Dimension::SECOND_MOMENT_OF_AREA,
        "a second moment of area",
        "m^4",
    ),
    (Dimension::MASS, "a mass", "kg"),
    (Dimension::INERTIA, "a moment of inertia", "kg*m^2"),
    (Dimension::DENSITY, "a density", "kg/m^3"),
    (Dimension::MASS_PER_LENGTH, "a mass per length", "kg/m"),
    (Dimension::TIME, "a time", "s"),
    (Dimension::RATE, "a frequency or angular velocity", "1/s"),
    (
        Dimension::ANGULAR_ACCELERATION,
        "an angular acceleration",
        "1/s^2",
    ),
    (Dimension::VELOCITY, "a velocity", "m/s"),
    (Dimension::ACCELERATION, "an acceleration", "m/s^2"),
    (Dimension::FORCE, "a force", "N"),
    (Dimension::TORQUE, "a torque or energy", "N*m"),
    (Dimension::POWER, "a power", "W"),
    (Dimension::PRESSURE, "a pressure", "Pa"),
    (Dimension::STIFFNESS, "a stiffness", "N/m"),
    (Dimension::DAMPING, "a damping", "N*s/m"),
    (
        Dimension::ROTATIONAL_DAMPING,
        "a rotational damping or angular momentum",
        "N*m*s",
    ),
    (Dimension::MOMENTUM, "a momentum", "kg*m/s"),
    (Dimension::BENDING_STIFFNESS, "a bending stiffness", "N*m^2"),
    (Dimension::VISCOSITY, "a viscosity", "Pa*s"),
    (Dimension::CURRENT, "a current", "A"),
    (Dimension::CHARGE, "a charge", "A*s"),
    (Dimension::VOLTAGE, "a voltage", "V"),
    (Dimension::RESISTANCE, "a resistance", "ohm"),
    (Dimension::INDUCTANCE, "an inductance", "H"),
    (Dimension::CAPACITANCE, "a capacitance", "F"),
    (Dimension::TORQUE_CONSTANT, "a torque constant", "N*m/A"),
    (Dimension::TEMPERATURE, "a temperature", "K"),
];

impl Dimension {
    /// The dimension with these integer exponents of length, mass, time, current and temperature.
    pub const fn new(length: i8, mass: i8, time: i8, current: i8, temperature: i8) -> Self {
        const fn widen(exponent: i8) -> i16 {
            exponent as i16 * TWELFTHS
        }
        Self {
            twelfths: [
                widen(length),
                widen(mass),
                widen(time),
                widen(current),
                widen(temperature),
            ],
        }
    }

    /// Returns `true` for a plain number or an angle.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The dimension of a product; `None` if an exponent is out of range.
    pub fn times(self, other: Self) -> Option<Self> {
        self.combine(other, i16::checked_add)
    }

    /// The dimension of a quotient; `None` if an exponent is out of range.
    pub fn over(self, other: Self) -> Option<Self> {
        self.combine(other, i16::checked_sub)
    }

    /// The dimension of a power `numerator/denominator`; `None` if an exponent is not a multiple of 1/12 or is out of range.
    ///
    /// ```
    /// use biela_model::units::Dimension;
    ///
    /// let stiffness_over_mass = Dimension::STIFFNESS.over(Dimension::MASS);
    /// assert_eq!(stiffness_over_mass.and_then(|d| d.power(1, 2)), Some(Dimension::RATE));
    /// ```
    pub fn power(self, numerator: i32, denominator: i32) -> Option<Self> {
        let mut twelfths = self.twelfths;
        for exponent in &mut twelfths {
            let scaled = i32::from(*exponent).checked_mul(numerator)?;
            if scaled.checked_rem(denominator)? != 0 {
                return None;
            }
            *exponent = i16::try_from(scaled / denominator).ok()?;
        }
        Some(Self { twelfths })
    }

    /// The SI unit of this dimension as text for a column header: `N*m`, `m/s^2`, empty for a plain number.
    ///
    /// The text parses as a unit of this dimension if the exponents are integers.
    pub fn si_unit(self) -> String {
        const BASE: [&str; 5] = ["m", "kg", "s", "A", "K"];
        // mass first, as is customary in engineering
        const ORDER: [usize; 5] = [1, 0, 2, 3, 4];
        if let Some((_, _, unit)) = NAMED.iter().find(|(named, ..)| *named == self) {
            return (*unit).to_owned();
        }
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for axis in ORDER {
            let exponent = self.twelfths[axis];
            if exponent != 0 {
                let side = if exponent > 0 { &mut above } else { &mut below };
                side.push(format!(
                    "{}{}",
                    BASE[axis],
                    power_text(exponent.unsigned_abs())
                ));
            }
        }
        let numerator = if above.is_empty() {
            "1".to_owned()
        } else {
            above.join("*")
        };
        match below.as_slice() {
            [] => numerator,
            [one] => format!("{numerator}/{one}"),
            several => format!("{numerator}/({})", several.join("*")),
        }
    }

    /// The name of the dimension with its unit: `a length (m)`.
    pub fn describe(self) -> String {
        match NAMED.iter().find(|(named, ..)| *named == self) {
            Some((_, words, "")) => (*words).to_owned(),
            Some((_, words, unit)) => format!("{words} ({unit})"),
            None => format!("a quantity in {}", self.si_unit()),
        }
    }

    /// The dimension as a predicate: `is a length (m)`, `has unit kg*m`.
    pub fn predicate(self) -> String {
        if NAMED.iter().any(|(named, ..)| *named == self) {
            format!("is {}", self.describe())
        } else {
            format!("has unit {}", self.si_unit())
        }
    }

    fn combine(self, other: Self, rule: impl Fn(i16, i16) -> Option<i16>) -> Option<Self> {
        let mut twelfths = [0; 5];
        for (axis, exponent) in twelfths.iter_mut().enumerate() {
            *exponent = rule(self.twelfths[axis], other.twelfths[axis])?;
        }
        Some(Self { twelfths })
    }
}

/// The SI unit, and `1` for a plain number.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            f.pad("1")
        } else {
            f.pad(&self.si_unit())
        }
    }
}

fn power_text(twelfths: u16) -> String {
    let whole = TWELFTHS.unsigned_abs();
    let divisor = (1..=whole)
        .rev()
        .find(|d| whole.is_multiple_of(*d) && twelfths.is_multiple_of(*d))
        .unwrap_or(1);
    match (twelfths / divisor, whole / divisor) {
        (1, 1) => String::new(),
        (numerator, 1) => format!("^{numerator}"),
        (numerator, denominator) => format!("^({numerator}/{denominator})"),
    }
}
