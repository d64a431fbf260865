//! Signals of the whole system: energies, momenta and the state of the run.

use super::body::kinetic_energy;
use super::quantities::quantities;
use super::table::ChannelList;
use super::{Evaluation, Instant};
use crate::flexible::{Beam, BeamMotion};
use crate::math::Vec3;
use crate::math::rotation::{apply_transposed, cross, dot};
use crate::model::{Model, Signal};
use crate::system::{EvaluationContext, armature, first_contact_work, num_works, row_acts, spin};
use crate::unilateral::{Mode, unilaterals};

quantities! {
    /// Energies of the whole system.
    EnergyQuantity, at: &Evaluation<'_> {
        Kinetic "kinetic" "J" Velocity "kinetic energy" = kinetic(at),
        Potential "potential" "J" Position "potential energy: gravity and springs" = gravity(at) + elastic(at),
        Gravity "gravity" "J" Position "potential energy of gravity, or of centrifugal forces where the ground spins, zero at the ground's origin" = gravity(at),
        Elastic "elastic" "J" Position "potential energy of springs" = elastic(at),
        Total "total" "J" Velocity "kinetic and potential energy" = total(at),
        Impacts "impacts" "J" Run "work of impacts since the start, negative: the energy that they dissipate" = at.at_instant(|i| i.work.get(impact_work(at.context.model)).copied().unwrap_or(0.0)),
        Work "work" "J" Run "work of forces without potential and of drivers since the start" = at.at_instant(work),
        Balance "balance" "J" Run "total energy less the work since the start less the energy at the start: what the integrator adds or, by numerical damping, takes" = at.at_instant(|i| total(at) - work(i) - i.start_energy),
    }
}

/// The work of all integrals of work.
fn work(instant: &Instant<'_>) -> f64 {
    let works = num_works(instant.system.model());
    instant.work.iter().take(works).sum()
}

fn total(at: &Evaluation<'_>) -> f64 {
    kinetic(at) + (gravity(at) + elastic(at))
}

/// The beams with nodal coordinates and their motions.
fn beams<'a>(at: &Evaluation<'a>) -> impl Iterator<Item = (&'a Beam, &'a BeamMotion)> + Clone {
    let context = at.context;
    context.model.beams.iter().zip(&context.kinematics.beams)
}

fn kinetic(at: &Evaluation<'_>) -> f64 {
    let context = &at.context;
    let bodies = 0..context.model.bodies.len();
    bodies.map(|b| kinetic_energy(context, b)).sum::<f64>()
        + armature::kinetic_energy(context)
        + beams(at).map(|(b, m)| b.kinetic_energy(m)).sum::<f64>()
}

fn gravity(at: &Evaluation<'_>) -> f64 {
    let (model, kinematics) = (at.context.model, at.context.kinematics);
    let bodies = model.bodies.iter().zip(&kinematics.bodies);
    let rigid = bodies.map(|(body, motion)| -body.mass.mass * dot(&model.gravity, &motion.r));
    let flexible = beams(at).map(|(b, m)| -dot(&model.gravity, &b.sum(&m.e)));
    let turning = if model.spin == 0.0 {
        0.0
    } else {
        spin::potential(model, kinematics)
    };
    rigid.sum::<f64>() + flexible.sum::<f64>() + turning
}

/// The energy of compliant contacts.
pub(crate) fn contact_energy(context: &EvaluationContext<'_>) -> f64 {
    let (model, kinematics) = (context.model, context.kinematics);
    if !kinematics.inputs.complies() {
        return 0.0;
    }
    let (mut sum, mut index) = (0.0, 0);
    for element in &model.contacts {
        for point in 0..element.num_points() {
            let memory = kinematics.inputs.contact(index);
            index += 1;
            if memory.mode != Mode::Open {
                let (joint, k) = element.candidate(point);
                let rel = &kinematics.joints[joint.0].rel;
                let gap = element.pair.point(k, &rel.R, &rel.p).gap;
                sum += element.law.compliance.energy(&memory.touch, -gap);
            }
        }
    }
    sum
}

fn elastic(at: &Evaluation<'_>) -> f64 {
    let forces = at.context.model.forces.iter();
    let springs = forces.map(|f| f.force.potential(&at.context));
    springs.sum::<f64>()
        + contact_energy(&at.context)
        + beams(at).map(|(b, m)| b.strain_energy(m)).sum::<f64>()
}

quantities! {
    /// Quantities of the run.
    SolverQuantity, at: &Evaluation<'_> {
        // residuals are computed with the accelerations
        PositionError "position_error" "1" Acceleration "largest residual of the position equations" = at.at_instant(|i| largest(i, &i.workspace.phi)),
        VelocityError "velocity_error" "1" Acceleration "largest residual of the velocity equations" = at.at_instant(|i| largest(i, &i.workspace.rate)),
        AccelerationError "acceleration_error" "1" Acceleration "largest residual of the acceleration equations" = at.at_instant(acceleration_error),
        Step "step" "s" Run "step size of the integrator" = at.at_instant(|i| i.step),
        Load "load" "1" Position "load factor: fraction of weight and loads that acts; one except in statics with load steps" = at.context.kinematics.inputs.load_share,
        MomentumX "momentum_x" "kg*m/s" Velocity "linear momentum along x" = momentum(at, 0),
        MomentumY "momentum_y" "kg*m/s" Velocity "linear momentum along y" = momentum(at, 1),
        MomentumZ "momentum_z" "kg*m/s" Velocity "linear momentum along z" = momentum(at, 2),
        AngularX "angular_momentum_x" "kg*m^2/s" Velocity "angular momentum about the ground's origin along x" = angular_momentum(at, 0),
        AngularY "angular_momentum_y" "kg*m^2/s" Velocity "angular momentum about the ground's origin along y" = angular_momentum(at, 1),
        AngularZ "angular_momentum_z" "kg*m^2/s" Velocity "angular momentum about the ground's origin along z" = angular_momentum(at, 2),
    }
}

/// The work integral of impacts, behind those of the contacts.
fn impact_work(model: &Model) -> usize {
    first_contact_work(model) + model.contacts.len()
}

/// The largest magnitude of the values of rows that act.
fn largest(instant: &Instant<'_>, values: &[f64]) -> f64 {
    let inputs = &instant.workspace.kinematics.inputs;
    let acts = |row: &usize| row_acts(instant.system, *row, inputs);
    let rows = (0..values.len()).filter(acts);
    rows.fold(0.0, |m: f64, row| m.max(values[row].abs()))
}

fn acceleration_error(instant: &Instant<'_>) -> f64 {
    let (pattern, ws) = (instant.system.jacobian_pattern(), instant.workspace);
    let residual = |i| pattern.row_times(i, &ws.jacobian, instant.rates) - ws.gamma[i];
    let acts = |row: &usize| row_acts(instant.system, *row, &ws.kinematics.inputs);
    let rows = (0..ws.gamma.len()).filter(acts);
    rows.fold(0.0, |m: f64, i| m.max(f64::abs(residual(i))))
}

fn momentum(at: &Evaluation<'_>, axis: usize) -> f64 {
    let context = &at.context;
    let bodies = context.kinematics.bodies.iter().zip(&context.model.bodies);
    let rigid = bodies.map(|(motion, body)| body.mass.mass * motion.v[axis]);
    let flexible = beams(at).map(|(beam, motion)| beam.sum(&motion.rates)[axis]);
    rigid.sum::<f64>() + flexible.sum::<f64>()
}

fn angular_momentum(at: &Evaluation<'_>, axis: usize) -> f64 {
    let context = &at.context;
    let bodies = context.kinematics.bodies.iter().zip(&context.model.bodies);
    let rigid = bodies.map(|(motion, body)| {
        let w = apply_transposed(&motion.R, &motion.w);
        let spin: Vec3<f64> = motion.R * (body.mass.inertia * w);
        (cross(&motion.r, &motion.v) * body.mass.mass + spin)[axis]
    });
    let flexible = beams(at).map(|(beam, motion)| beam.angular_momentum(motion)[axis]);
    rigid.sum::<f64>() + flexible.sum::<f64>()
}

/// Adds the energies and the quantities of the run.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    // without unilateral constraints nothing collides
    let collides = !unilaterals(channels.model).is_empty();
    let energies = EnergyQuantity::ALL.iter();
    let energies = energies.filter(|q| collides || **q != EnergyQuantity::Impacts);
    channels.add_all("energy", energies, str::to_owned, Signal::Energy);
    channels.add_all("system", SolverQuantity::ALL, str::to_owned, Signal::Solver);
}
