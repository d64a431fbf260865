//! Pendulums of two to ten cylinders swing for 100 s at tolerance 1e-7, as in table 7.1 of G. O. de C. Pacheco, *Análise
//! Computacional de Sistemas Multicorpos*, ITA, 2006; its times are of an Athlon XP 2000.

use biela_core::analysis::Choice;
use biela_core::element::{Arguments, FieldValue};
use biela_core::model::Space;

use crate::models::{self, BenchmarkBar};
use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

const PEERS: [&str; 3] = ["Pacheco 2006", "ADAMS ABAM 2006", "ADAMS GSTIFF-SI2 2006"];

/// Bodies, and processor time of each peer, s.
const TABLE: [(usize, [f64; 3]); 9] = [
    (2, [6.25, 12.87, 9.07]),
    (3, [10.0, 18.76, 15.71]),
    (4, [15.7, 27.87, 24.48]),
    (5, [21.32, 37.50, 37.85]),
    (6, [29.60, 47.49, 52.31]),
    (7, [38.55, 60.14, 67.93]),
    (8, [46.81, 73.68, 89.67]),
    (9, [57.02, 88.21, 119.19]),
    (10, [68.36, 105.50, 152.33]),
];

/// Ours by Adams-Bashforth-Moulton with projection. The motion is chaotic, so the error is that of the energy: its largest
/// balance over the largest energy exchanged.
pub(crate) fn run(report: &mut BenchmarkReport) -> Result<(), Error> {
    let space = Space::Spatial;
    let cylinder = BenchmarkBar::cylinder(1.0, 0.025, 7801.0);
    let integrator = Choice {
        kind: "abm".to_owned(),
        arguments: Arguments::new(space).with("tolerance", FieldValue::Number(1e-7)),
    };
    let study = models::study(100.0, 0.1, "projection", integrator);
    for (bodies, published) in TABLE {
        let (seconds, outcome) = clock::median(|| {
            models::simulate(models::chain(space, bodies, &cylinder, 9.80665)?, &study)
        })?;
        let statistics = outcome.statistics;
        let error = statistics.worst_energy / statistics.energy_scale;
        let ours = BenchmarkRow::ours(format!("pendulum/{bodies}"), seconds, Some(error));
        for (peer, time) in PEERS.iter().zip(published) {
            report.row(&ours.beside(*peer, time))?;
        }
    }
    Ok(())
}
