//! Prints output times of a run on stdout in the format of another program.

use std::ops::ControlFlow;

use biela::core::analysis::{Observer, Progress, Study};
use biela::core::model::Model;
use biela::core::system::Instant;
use biela::sismul::{Angles, SismulListing, SismulTree, UnconnectedBody};

use crate::terminal;

/// The format of `--print`: the echo and blocks A to M of SISMUL.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum PrintFormat {
    Sismul,
}

/// The range of printed angles: −180° to 180°, or −90° to 270° as in SISMUL.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum AngleRange {
    #[value(name = "180")]
    Signed,
    #[value(name = "270")]
    Sismul,
}

impl From<AngleRange> for Angles {
    fn from(range: AngleRange) -> Self {
        match range {
            AngleRange::Signed => Angles::Signed,
            AngleRange::Sismul => Angles::Sismul,
        }
    }
}

/// Prints the echo once and the blocks at every output time.
pub(super) struct SismulPrinter {
    page: SismulListing,
    study: Study,
    steps: u64,
    first_step: f64,
    echoed: bool,
    /// Set while stdout accepts text.
    open: bool,
}

impl SismulPrinter {
    pub(super) fn new(
        form: PrintFormat,
        range: AngleRange,
        model: &Model,
        study: &Study,
    ) -> Result<Self, UnconnectedBody> {
        let PrintFormat::Sismul = form;
        Ok(SismulPrinter {
            page: SismulListing::new(model, SismulTree::of(model)?, range.into()),
            study: study.clone(),
            steps: 0,
            first_step: 0.0,
            echoed: false,
            open: true,
        })
    }
}

impl Observer for SismulPrinter {
    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.steps == 0 {
            self.first_step = progress.step;
        }
        self.steps += 1;
        ControlFlow::Continue(())
    }

    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        if !self.open {
            return ControlFlow::Continue(());
        }
        let mut text = String::new();
        if !self.echoed {
            self.echoed = true;
            text = self.page.echo(instant, &self.study);
        }
        text += &self.page.print(instant, self.steps, self.first_step);
        // a closed pipe does not end the run
        self.open = terminal::data(&text).is_ok();
        ControlFlow::Continue(())
    }
}
