//! Decimation of long histories: minimum and maximum in each of a number of time intervals.

/// The values in a time interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    /// Time of its first value.
    pub time: f64,
    /// Least value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

/// Accumulates values in the order of time and keeps at most a given number of buckets; few values are kept exactly.
#[derive(Clone, Debug)]
pub struct Decimator {
    from: f64,
    to: f64,
    points: usize,
    /// Set while values are kept exactly, until there are too many.
    exact: bool,
    buckets: Vec<Bucket>,
    /// The interval of the last bucket.
    last: usize,
}

impl Decimator {
    /// Creates a decimator for values between two times, with at most `points` buckets.
    pub fn new(from: f64, to: f64, points: usize) -> Self {
        Self {
            from,
            to,
            points: points.max(1),
            exact: true,
            buckets: Vec::new(),
            last: 0,
        }
    }

    /// Adds a value; values outside the time interval are ignored.
    pub fn push(&mut self, time: f64, value: f64) {
        if !(time >= self.from && time <= self.to) {
            return;
        }
        let bucket = Bucket {
            time,
            min: value,
            max: value,
        };
        if self.exact {
            if self.buckets.len() < self.points {
                self.buckets.push(bucket);
                return;
            }
            self.exact = false;
            for exact in std::mem::take(&mut self.buckets) {
                self.sort_in(exact);
            }
        }
        self.sort_in(bucket);
    }

    fn sort_in(&mut self, value: Bucket) {
        let share = (value.time - self.from) / (self.to - self.from);
        let span = ((share * self.points as f64) as usize).min(self.points - 1);
        match self.buckets.last_mut() {
            Some(bucket) if span <= self.last => {
                // NaN appears as a gap of the whole bucket only if it contains nothing else
                bucket.min = bucket.min.min(value.min);
                bucket.max = bucket.max.max(value.max);
            }
            _ => {
                self.buckets.push(value);
                self.last = span;
            }
        }
    }

    /// The buckets.
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl Iterator<Item = f64>, rows: usize, points: usize) -> Decimator {
        let mut decimator = Decimator::new(0.0, (rows - 1) as f64, points);
        for (i, value) in values.take(rows).enumerate() {
            decimator.push(i as f64, value);
        }
        decimator
    }

    #[test]
    fn few_values_are_not_decimated() {
        let kept = of([3.0, -1.0, 2.0].into_iter(), 3, 3);
        let values: Vec<_> = kept
            .buckets()
            .iter()
            .map(|b| (b.time, b.min, b.max))
            .collect();
        assert_eq!(
            values,
            [(0.0, 3.0, 3.0), (1.0, -1.0, -1.0), (2.0, 2.0, 2.0)]
        );
    }

    #[test]
    fn a_single_peak_in_a_million_values_survives() {
        let rows = 1_000_000;
        let peak = |i: usize| {
            if i == 654_321 {
                5.0
            } else {
                (i % 7) as f64 / 7.0
            }
        };
        let kept = of((0..rows).map(peak), rows, 800);
        assert_eq!(kept.buckets().len(), 800);
        let top = kept.buckets().iter().map(|b| b.max).fold(0.0, f64::max);
        assert_eq!(top, 5.0);
        let at = kept.buckets().iter().find(|b| b.max == 5.0).unwrap();
        assert!((at.time - 654_321.0).abs() <= 1250.0);
        assert!(kept.buckets().is_sorted_by(|a, b| a.time < b.time));
    }

    #[test]
    fn every_value_lies_within_its_interval() {
        let value = |i: usize| ((i * 7919) % 1000) as f64;
        let rows = 10_007;
        let kept = of((0..rows).map(value), rows, 100);
        let buckets = kept.buckets();
        assert!(buckets.len() <= 100);
        for i in 0..rows {
            let after = buckets.partition_point(|b| b.time <= i as f64);
            let b = buckets[after - 1];
            assert!(b.min <= value(i) && value(i) <= b.max);
        }
    }

    #[test]
    fn values_outside_the_span_and_empty_spans_are_ignored() {
        let mut kept = Decimator::new(1.0, 1.0, 1);
        for (t, x) in [
            (0.0, 9.0),
            (1.0, 2.0),
            (1.0, f64::NAN),
            (1.0, 4.0),
            (2.0, 9.0),
            (f64::NAN, 1.0),
        ] {
            kept.push(t, x);
        }
        assert_eq!(kept.buckets().len(), 1);
        assert_eq!((kept.buckets()[0].min, kept.buckets()[0].max), (2.0, 4.0));
    }
}
