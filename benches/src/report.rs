//! Measurements, as a table or as one JSON object per line.

use std::process::ExitCode;

use serde::Serialize;

/// One measurement, compared with one peer.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct BenchmarkRow {
    /// Group and case.
    pub(crate) name: String,
    /// Our processor time.
    pub(crate) ours_s: Option<f64>,
    /// The name of the peer.
    pub(crate) peer: Option<String>,
    /// The peer's processor time.
    pub(crate) peer_s: Option<f64>,
    /// Our time over the peer's: below one we are faster.
    pub(crate) ratio: Option<f64>,
    /// The error of our result, as the group defines it.
    pub(crate) error: Option<f64>,
    /// The error of the peer's result, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_error: Option<f64>,
    /// Peak memory, MB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peak_mb: Option<f64>,
}

impl BenchmarkRow {
    /// Our time and error in a case.
    pub(crate) fn ours(name: impl Into<String>, seconds: f64, error: Option<f64>) -> Self {
        BenchmarkRow {
            name: name.into(),
            ours_s: Some(seconds),
            error,
            ..BenchmarkRow::default()
        }
    }

    /// The same, compared with a peer.
    pub(crate) fn beside(&self, peer: impl Into<String>, seconds: f64) -> Self {
        BenchmarkRow {
            peer: Some(peer.into()),
            peer_s: Some(seconds),
            ratio: self.ours_s.map(|ours| ours / seconds),
            ..self.clone()
        }
    }
}

/// Prints rows immediately and collects the requirements that are not met.
#[derive(Debug)]
pub(crate) struct BenchmarkReport {
    json: bool,
    missed: Vec<String>,
}

impl BenchmarkReport {
    /// A report; a table starts with its heading.
    pub(crate) fn new(json: bool) -> Self {
        if !json {
            println!(
                "{:<24} {:>10}  {:<26} {:>10} {:>7} {:>9} {:>10} {:>8}",
                "name", "ours, s", "peer", "peer, s", "ratio", "error", "peer error", "peak [MB]"
            );
        }
        BenchmarkReport {
            json,
            missed: Vec::new(),
        }
    }

    /// Prints a row.
    pub(crate) fn row(&self, row: &BenchmarkRow) -> Result<(), serde_json::Error> {
        if self.json {
            println!("{}", serde_json::to_string(row)?);
            return Ok(());
        }
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let seconds = |value: Option<f64>| match value {
            Some(value) if value < 1e-3 => format!("{:.2} µs", 1e6 * value),
            _ => number(value, 4),
        };
        let small =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.1e}"));
        println!(
            "{:<24} {:>10}  {:<26} {:>10} {:>7} {:>9} {:>10} {:>8}",
            row.name,
            seconds(row.ours_s),
            row.peer.as_deref().unwrap_or("-"),
            seconds(row.peer_s),
            number(row.ratio, 3),
            small(row.error),
            small(row.peer_error),
            number(row.peak_mb, 1)
        );
        Ok(())
    }

    /// Records a requirement that must be `met`.
    pub(crate) fn require(&mut self, met: bool, requirement: impl Into<String>) {
        if !met {
            self.missed.push(requirement.into());
        }
    }

    /// Lists the requirements that are not met, and fails if there are any.
    pub(crate) fn finish(&self) -> ExitCode {
        for requirement in &self.missed {
            eprintln!("missed: {requirement}");
        }
        if self.missed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BenchmarkRow;

    #[test]
    fn half_the_time_of_a_peer_is_a_ratio_of_one_half() {
        let row = BenchmarkRow::ours("case", 1.0, None).beside("peer", 2.0);
        let text = serde_json::to_string(&row).unwrap();
        let fields =
            r#"{"name":"case","ours_s":1.0,"peer":"peer","peer_s":2.0,"ratio":0.5,"error":null}"#;
        assert_eq!(text, fields);
    }
}
