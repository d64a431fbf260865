//! Rows of a run that go to a results folder.

use std::ops::ControlFlow;

use biela_core::analysis::Observer;
use biela_core::system::Instant;
use biela_record::{RecordError, Writer};

/// Writes the rows of a session to a results folder. A row that cannot be written ends the run.
#[derive(Debug)]
pub struct RowRecorder {
    /// The writer of the folder.
    pub writer: Writer,
    /// The reason why a row could not be written.
    pub problem: Option<RecordError>,
}

impl RowRecorder {
    /// Creates the recorder with the writer of a new or resumed folder.
    pub fn new(writer: Writer) -> Self {
        Self {
            writer,
            problem: None,
        }
    }
}

impl Observer for RowRecorder {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        match self.writer.push(instant.time(), instant.row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(problem) => {
                self.problem = Some(problem);
                ControlFlow::Break(())
            }
        }
    }
}
