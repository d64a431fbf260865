//! The observer that measures a run.

use std::ops::ControlFlow;

use biela_core::analysis::Observer;
use biela_core::keep::{Keep, Words};
use biela_core::model::{Event, Law, MAX_INPUTS};
use biela_core::system::Instant;
use biela_model::lower::{MeasureKind, Measures, Take};

/// The accumulated data for the measure of one formula.
#[derive(Clone, Debug)]
struct MeasureAccumulator {
    /// The last time and value.
    last: Option<(f64, f64)>,
    first: f64,
    least: (f64, f64),
    greatest: (f64, f64),
    /// Integrals over time of the value and of its square.
    integrals: [f64; 2],
    began: f64,
    /// The value at the requested time.
    at: f64,
}

impl MeasureAccumulator {
    fn new() -> Self {
        Self {
            last: None,
            first: f64::NAN,
            least: (f64::NAN, f64::NAN),
            greatest: (f64::NAN, f64::NAN),
            integrals: [0.0; 2],
            began: f64::NAN,
            at: f64::NAN,
        }
    }

    fn see(&mut self, time: f64, value: f64, take: Take) {
        if let Take::At(wanted) = take {
            if time == wanted {
                self.at = value;
            } else if let Some((before, old)) = self.last
                && before < wanted
                && wanted < time
            {
                let share = (wanted - before) / (time - before);
                self.at = old + share * (value - old);
            }
        }
        match self.last {
            None => {
                (self.first, self.began) = (value, time);
                (self.least, self.greatest) = ((value, time), (value, time));
            }
            Some((before, old)) => {
                let step = time - before;
                self.integrals[0] += 0.5 * step * (old + value);
                // the square of a linear function, integrated exactly
                self.integrals[1] += step * (old * old + old * value + value * value) / 3.0;
                if value < self.least.0 {
                    self.least = (value, time);
                }
                if value > self.greatest.0 {
                    self.greatest = (value, time);
                }
            }
        }
        self.last = Some((time, value));
    }

    fn result(&self, take: Take) -> f64 {
        let Some((end, last)) = self.last else {
            return f64::NAN;
        };
        let span = end - self.began;
        match take {
            Take::Final => last,
            Take::Initial => self.first,
            Take::At(_) => self.at,
            Take::Min => self.least.0,
            Take::Max => self.greatest.0,
            Take::Range => self.greatest.0 - self.least.0,
            // the mean over a single instant is its value
            Take::Mean if span == 0.0 => last,
            Take::Rms if span == 0.0 => last.abs(),
            Take::Mean => self.integrals[0] / span,
            Take::Rms => (self.integrals[1] / span).max(0.0).sqrt(),
            Take::Integral => self.integrals[0],
            Take::TimeOfMin => self.least.1,
            Take::TimeOfMax => self.greatest.1,
        }
    }
}

impl Keep for MeasureAccumulator {
    fn keep(&mut self, words: &mut Words) {
        self.last.keep(words);
        self.first.keep(words);
        self.least.keep(words);
        self.greatest.keep(words);
        self.integrals.keep(words);
        self.began.keep(words);
        self.at.keep(words);
    }
}

/// Accumulates the measures of a run.
#[derive(Clone, Debug)]
pub struct Taking {
    measures: Measures,
    taken: Vec<MeasureAccumulator>,
    /// Of each measure of an event: how often the event has occurred, and the time of the requested occurrence. A list of all events would grow with the run.
    events: Vec<(usize, f64)>,
}

impl Taking {
    /// Prepares the measurement of a run from its start.
    pub fn new(measures: Measures) -> Self {
        Self {
            taken: vec![MeasureAccumulator::new(); measures.list.len()],
            events: vec![(0, f64::NAN); measures.list.len()],
            measures,
        }
    }

    /// Counts an event, and notes its time if a measure wants this occurrence.
    fn note_event(&mut self, name: &str, time: f64) {
        for (measure, (count, when)) in self.measures.list.iter().zip(&mut self.events) {
            let MeasureKind::Event(wanted, which) = &measure.kind else {
                continue;
            };
            if wanted == name {
                if count == which {
                    *when = time;
                }
                *count += 1;
            }
        }
    }

    /// The definitions of the measures.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// The measures; NaN if the event of a measure never occurred.
    pub fn values(&self) -> Vec<f64> {
        let measure = |(k, taken): (usize, &MeasureAccumulator)| match &self.measures.list[k].kind {
            MeasureKind::Taken { take, .. } => taken.result(*take),
            MeasureKind::Event(..) => self.events[k].1,
            MeasureKind::Formula(_) => f64::NAN,
        };
        let mut values: Vec<f64> = self.taken.iter().enumerate().map(measure).collect();
        for &k in &self.measures.order {
            if let MeasureKind::Formula(program) = &self.measures.list[k].kind {
                values[k] = program.eval(0.0, &values);
            }
        }
        values
    }
}

impl Keep for Taking {
    fn keep(&mut self, words: &mut Words) {
        self.taken.keep(words);
        self.events.keep(words);
    }
}

fn value(law: &Law, instant: &Instant<'_>) -> f64 {
    match law {
        Law::Constant(value) => *value,
        Law::Function { inputs, function } => {
            let mut values = [0.0; MAX_INPUTS];
            for (value, signal) in values.iter_mut().zip(inputs.iter()) {
                *value = instant.signal(*signal);
            }
            function.value(instant.context().time(), &values[..inputs.len()])
        }
    }
}

impl Observer for Taking {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let time = instant.time();
        for (measure, taken) in self.measures.list.iter().zip(&mut self.taken) {
            if let MeasureKind::Taken { law, take, window } = &measure.kind
                && (window.0..=window.1).contains(&time)
            {
                taken.see(time, value(law, instant), *take);
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        self.note_event(&event.name, instant.time());
    }
}

#[cfg(test)]
mod tests {
    use biela_model::lower::Measure;

    use super::*;

    /// Evaluates `take` for f at these times.
    fn take(take: Take, times: &[f64], f: impl Fn(f64) -> f64) -> f64 {
        let mut taken = MeasureAccumulator::new();
        for &time in times {
            taken.see(time, f(time), take);
        }
        taken.result(take)
    }

    #[test]
    fn measures_of_a_linear_signal_are_exact() {
        let times = [0.0, 0.5, 2.0];
        let line = |t: f64| 3.0 - 2.0 * t;
        let of = |what| take(what, &times, line);
        assert_eq!(of(Take::Final), -1.0);
        assert_eq!(of(Take::Initial), 3.0);
        assert_eq!(of(Take::At(1.0)), 1.0);
        assert_eq!(of(Take::At(0.5)), 2.0);
        assert!(of(Take::At(5.0)).is_nan());
        assert_eq!(
            (of(Take::Min), of(Take::Max), of(Take::Range)),
            (-1.0, 3.0, 4.0)
        );
        assert_eq!((of(Take::TimeOfMin), of(Take::TimeOfMax)), (2.0, 0.0));
        assert_eq!((of(Take::Integral), of(Take::Mean)), (2.0, 1.0));
        // ∫ (3 - 2t)² dt from 0 to 2 is 14/3
        assert!((of(Take::Rms) - (7.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn measures_of_a_million_events_need_the_memory_of_one() {
        let measure = |which| Measure {
            name: format!("m{which}"),
            kind: MeasureKind::Event("hit".to_owned(), which),
            unit: "s".to_owned(),
        };
        let measures = Measures {
            list: vec![measure(0), measure(7), measure(999_999), measure(1_000_000)],
            order: Vec::new(),
        };
        let mut taking = Taking::new(measures);
        taking.note_event("hit", 0.0);
        let one = Words::of(&mut taking).len();
        for k in 1..1_000_000_u32 {
            taking.note_event("hit", f64::from(k));
            taking.note_event("other", 0.5);
        }
        assert_eq!(Words::of(&mut taking).len(), one);
        let values = taking.values();
        assert_eq!(values[..3], [0.0, 7.0, 999_999.0]);
        assert!(values[3].is_nan());
    }

    #[test]
    fn a_measure_without_rows_has_no_value_and_one_row_is_its_own_mean() {
        assert!(take(Take::Final, &[], |_| 1.0).is_nan());
        assert_eq!(take(Take::Mean, &[1.0], |_| 4.0), 4.0);
        assert_eq!(take(Take::Rms, &[1.0], |_| -4.0), 4.0);
    }
}
