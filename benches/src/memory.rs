//! The peak memory of the process while a spatial chain of 1000 bars falls.

use biela_core::model::Space;

use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, chain, models};

const BARS: usize = 1000;
/// MB of 10⁶ bytes.
const LIMIT: f64 = 200.0;

/// One run in a separate process, because the recorded peak never decreases.
pub(crate) fn run(report: &mut BenchmarkReport) -> Result<(), Error> {
    let space = Space::Spatial;
    let (seconds, _) = models::simulate(chain::model(space, BARS)?, &chain::study(space))?;
    let peak = peak_mb()?;
    let name = format!("memory/spatial/{BARS}");
    report.require(
        peak < LIMIT,
        format!("{name}: {peak:.1} MB, must be below {LIMIT} MB"),
    );
    report.row(&BenchmarkRow {
        peak_mb: Some(peak),
        ..BenchmarkRow::ours(name, seconds, None)
    })?;
    Ok(())
}

/// `VmHWM`, which Linux reports in units of 1024 bytes.
fn peak_mb() -> Result<f64, Error> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| {
        format!("cannot read the peak memory from /proc/self/status, which needs Linux: {e}")
    })?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let text = line.ok_or("no VmHWM in /proc/self/status")?;
    let kilobytes: f64 = text.trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes * 1024.0 / 1e6)
}
