//! The mistakes of a model or a study, all of them at once.

use crate::element::{ArgumentError, Origin};

/// A mistake in an element of a model or in a study.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    /// The element: "joint `pin`".
    pub element: String,
    /// Its source location.
    pub origin: Origin,
    /// The invalid field; empty if the fault concerns the element as a whole.
    pub field: &'static str,
    /// The error, and the remedy.
    pub message: String,
}

impl Fault {
    /// The fault of a field of an element.
    pub(crate) fn new(element: String, error: ArgumentError) -> Self {
        Fault {
            element,
            origin: Origin::default(),
            field: error.field,
            message: error.message,
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.element)?;
        if self.origin.0.is_some() {
            write!(f, " ({})", self.origin)?;
        }
        if !self.field.is_empty() {
            write!(f, ", `{}`", self.field)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// All mistakes that were found, one per line when displayed.
#[derive(Clone, PartialEq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// An error with these faults, if there are any.
    pub(crate) fn of(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Faults(faults))
        }
    }

    /// The faults, at least one, in the order of the elements.
    pub fn list(&self) -> &[Fault] {
        &self.0
    }
}

impl std::fmt::Display for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (k, fault) in self.0.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

crate::readable_errors!(Faults);
