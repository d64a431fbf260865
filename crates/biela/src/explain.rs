//! Explanations of failures. Every kind of failure has a keyword and a section of that name on the page "Why did it stop?" of the book.
//!
//! The keyword is the anchor of the section's heading, so `stopped.md#WORD` of the book and `biela explain WORD` have the same content. The texts here are the
//! prose of that page; the tests of the documentation keep both files equal.

use biela_core::analysis::{AssembleError, LinearizeError, RunFailure, StaticsError};
use biela_core::integrators::IntegrationError;
use biela_core::methods::MethodError;
use biela_record::RecordError;

use crate::{LinearError, RunError};

/// The prose of the page: one heading `## …` per reason, in the order of the list below.
const PAGE: &str = include_str!("explain.md");

/// Former and short keywords, which `biela explain` accepts, too.
const FORMER: &[(&str, Reason)] = &[
    ("velocities-contradict", Reason::Velocities),
    ("too-large-for-the-memory", Reason::TooLarge),
    ("a-freedom-is-not-driven", Reason::NotDriven),
    ("the-step-shrank", Reason::StepTooSmall),
    ("a-dead-centre", Reason::DeadCentre),
    ("cannot-be-closed", Reason::Drifted),
    ("two-motions-for-one-freedom", Reason::Contradiction),
    ("the-mechanism-jams", Reason::Jammed),
    ("not-a-finite-number", Reason::NotFinite),
    ("folders", Reason::Folder),
    ("the-deadline-came", Reason::Deadline),
    ("is-it-right", Reason::Doubt),
    ("friction-sticks", Reason::NoContactModes),
    ("painleve", Reason::Painleve),
    ("penetration", Reason::Penetration),
    ("contact", Reason::Contact),
    ("friction", Reason::Friction),
    ("accumulation", Reason::Accumulation),
    ("restitution", Reason::Restitution),
];

/// Generates the enumeration of reasons and their list from one line per reason.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)*) => {
        /// A kind of failure or warning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reason { $($(#[$doc])* $name,)* }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            /// The keyword: the argument of `biela explain`.
            pub const fn word(self) -> &'static str {
                match self { $(Reason::$name => $word,)* }
            }
        }
    };
}

reasons! {
    /// The model file is invalid.
    BadModel => "errors-in-the-file",
    /// The position equations have no solution near the start.
    Positions => "cannot-assemble",
    /// An initial value that must be kept cannot be satisfied.
    Kept => "cannot-keep",
    /// The velocity constraints are inconsistent.
    Velocities => "inconsistent-velocities",
    /// Absolute coordinates require the inertia of every body.
    NeedsTree => "joint-coordinates-are-needed",
    /// Joint coordinates do not support beams.
    NeedsAbsolute => "absolute-coordinates-are-needed",
    /// The model has no bodies.
    Empty => "no-bodies",
    /// The equations exceed the memory limit.
    TooLarge => "not-enough-memory",
    /// A kinematic analysis with a degree of freedom that is not driven.
    NotDriven => "undriven-degree-of-freedom",
    /// No equilibrium was found: the forces remain unbalanced.
    NoEquilibrium => "no-equilibrium",
    /// The step size fell below its minimum.
    StepTooSmall => "step-size-too-small",
    /// The steps are too long to count the turns of an angle.
    TurnsLost => "turns-are-lost",
    /// The friction of a contact has no solution with finite forces.
    Painleve => "painleve-paradox",
    /// No consistent set of open, sticking and slipping contacts exists.
    NoContactModes => "no-consistent-contact-modes",
    /// Surfaces penetrate each other at the start.
    Penetration => "initial-penetration",
    /// Hertz's law gives no stiffness where a contact closes.
    NoStiffness => "no-contact-stiffness",
    /// A driver cannot be followed beyond a dead centre.
    DeadCentre => "dead-centre",
    /// A state could not be projected onto the constraints.
    Drifted => "projection-failed",
    /// A redundant constraint became inconsistent.
    Contradiction => "inconsistent-redundant-constraints",
    /// The friction problem has no solution (jamming).
    Jammed => "jamming",
    /// A value is NaN or infinite.
    NotFinite => "nan-or-infinity",
    /// An integrator for mechanical systems was applied to another system.
    NeedsSystem => "for-mechanical-systems-only",
    /// The linear model does not exist.
    NotLinear => "no-linear-model",
    /// The results could not be written completely.
    Writing => "cannot-write",
    /// The results folder cannot be used.
    Folder => "results-folder",
    /// A run cannot be resumed from a checkpoint.
    Resume => "cannot-resume",
    /// The user interrupted the run.
    Interrupted => "interrupted",
    /// The time limit of a run has passed.
    Deadline => "deadline-passed",
    /// A requirement failed.
    Requirement => "a-requirement-failed",
    /// The figures of a finished run indicate an error.
    Doubt => "doubtful-results",
    /// The laws of contacts and their failures.
    Contact => "contacts",
    /// The friction of a contact or a joint.
    Friction => "friction-in-stick-and-slip",
    /// Infinitely many impacts in a finite time.
    Accumulation => "accumulation-of-impacts",
    /// The coefficient of restitution.
    Restitution => "coefficient-of-restitution",
}

impl Reason {
    /// Returns the reason with this keyword, or with this former keyword.
    ///
    /// ```
    /// use biela::explain::Reason;
    /// let reason = Reason::of_word("step-size-too-small").unwrap();
    /// assert!(reason.text().contains("tolerance"));
    /// ```
    pub fn of_word(word: &str) -> Option<Reason> {
        Self::ALL
            .iter()
            .copied()
            .find(|reason| reason.word() == word)
            .or_else(|| {
                let former = FORMER.iter().find(|(former, _)| *former == word);
                former.map(|(_, reason)| *reason)
            })
    }

    /// The section of the page, including its heading.
    pub fn text(self) -> &'static str {
        sections()
            .find(|section| heading(section) == Some(self.word().to_owned()))
            .unwrap_or_default()
    }

    /// The exit code and the meaning: the first two sentences of the section, after the message that it may start with.
    pub fn summary(self) -> String {
        let mut paragraphs = self.text().split("\n\n").skip(1);
        let prose = paragraphs.find(|paragraph| !paragraph.starts_with('>'));
        let prose = prose.unwrap_or_default().split_whitespace();
        let prose = prose.collect::<Vec<_>>().join(" ");
        let meaning = prose.split(" **Cure").next().unwrap_or_default();
        let end = meaning.match_indices(". ").nth(1);
        end.map_or(meaning, |(at, _)| &meaning[..=at]).to_owned()
    }
}

fn sections() -> impl Iterator<Item = &'static str> {
    let starts = PAGE.match_indices("## ").map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    let ends = starts.clone().into_iter().skip(1).chain([PAGE.len()]);
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| PAGE[start..end].trim_end())
}

/// The anchor of a section's heading, as the book generates it.
fn heading(section: &str) -> Option<String> {
    let line = section.lines().next()?.strip_prefix("## ")?;
    let kept = line
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    let dashed = kept.map(|c| if c == ' ' { '-' } else { c });
    Some(dashed.collect::<String>().to_lowercase())
}

impl From<&RunFailure> for Reason {
    fn from(failure: &RunFailure) -> Self {
        match failure.dead_centre {
            Some(_) => Reason::DeadCentre,
            None => Reason::from(&failure.cause),
        }
    }
}

impl From<&IntegrationError> for Reason {
    fn from(error: &IntegrationError) -> Self {
        match error {
            IntegrationError::Method(error) => error.into(),
            IntegrationError::NeedsSystem { .. } => Reason::NeedsSystem,
            IntegrationError::NotDriven { .. } => Reason::NotDriven,
            IntegrationError::Painleve { .. } => Reason::Painleve,
            IntegrationError::NoContactModes { .. } => Reason::NoContactModes,
            IntegrationError::Penetration { .. } => Reason::Penetration,
            IntegrationError::NoStiffness { .. } => Reason::NoStiffness,
            IntegrationError::TurnsLost { .. } => Reason::TurnsLost,
            IntegrationError::StepTooSmall { .. } => Reason::StepTooSmall,
        }
    }
}

impl From<&MethodError> for Reason {
    fn from(error: &MethodError) -> Self {
        match error {
            MethodError::NotFinite(_) => Reason::NotFinite,
            MethodError::Jammed { .. } => Reason::Jammed,
            MethodError::Contradiction { .. } => Reason::Contradiction,
            MethodError::Drifted { .. } => Reason::Drifted,
        }
    }
}

impl From<&AssembleError> for Reason {
    fn from(error: &AssembleError) -> Self {
        match error {
            AssembleError::Positions { .. } => Reason::Positions,
            AssembleError::Velocities { .. } => Reason::Velocities,
            AssembleError::Kept { .. } => Reason::Kept,
            AssembleError::Penetrations { .. } => Reason::Penetration,
            AssembleError::NeedsTree { .. } => Reason::NeedsTree,
            AssembleError::NeedsAbsolute { .. } => Reason::NeedsAbsolute,
            AssembleError::Empty => Reason::Empty,
            _ => Reason::BadModel,
        }
    }
}

impl From<&StaticsError> for Reason {
    fn from(error: &StaticsError) -> Self {
        match error {
            StaticsError::NoEquilibrium { .. } => Reason::NoEquilibrium,
            StaticsError::NotFinite(_) => Reason::NotFinite,
            StaticsError::Velocities(error) => error.into(),
        }
    }
}

/// The error message of one of many runs, with the keyword for its explanation.
pub fn told(error: impl std::fmt::Display, reason: impl Into<Reason>) -> String {
    format!("{error} (more: biela explain {})", reason.into().word())
}

impl From<&RunError> for Reason {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::Assemble(error) => error.into(),
            RunError::Study(_) => Reason::BadModel,
            RunError::Statics(error) => error.into(),
            RunError::TooLarge { .. } | RunError::TableTooLarge { .. } => Reason::TooLarge,
        }
    }
}

impl From<&LinearError> for Reason {
    fn from(error: &LinearError) -> Self {
        match error {
            LinearError::Start(error) => error.into(),
            LinearError::Study(_) => Reason::BadModel,
            LinearError::Statics(error) => error.into(),
            LinearError::Run(error) => error.into(),
            LinearError::Linearize(LinearizeError::Method(error)) => error.into(),
            LinearError::Ended { .. } | LinearError::Linearize(_) | LinearError::Spectrum(_) => {
                Reason::NotLinear
            }
        }
    }
}

impl From<&RecordError> for Reason {
    fn from(error: &RecordError) -> Self {
        match error {
            error if error.is_of_writing() => Reason::Writing,
            RecordError::NothingToResume { .. }
            | RecordError::NoCheckpoint { .. }
            | RecordError::Checkpoint { .. }
            | RecordError::Damaged { .. }
            | RecordError::OtherRun { .. } => Reason::Resume,
            _ => Reason::Folder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_section_and_every_section_a_reason() {
        let sections: Vec<String> = sections().filter_map(heading).collect();
        let words: Vec<&str> = Reason::ALL.iter().map(|reason| reason.word()).collect();
        assert_eq!(sections, words);
        for reason in Reason::ALL {
            assert!(!reason.summary().is_empty(), "{reason:?}");
            assert_eq!(Reason::of_word(reason.word()), Some(*reason));
        }
        for (word, reason) in FORMER {
            assert_eq!(Reason::of_word(word), Some(*reason));
        }
    }
}
