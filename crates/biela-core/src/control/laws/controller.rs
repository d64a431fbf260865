//! A control law as a sampled controller of the model: measurement, reference motion and commanded generalized forces.
//!
//! ```text
//! measured = true value + noise, rounded to the quantum        t_k = offset + k period
//! rate     = measured, or (q_k − q_(k−1)) / period             zero at the first sample
//! ```
//!
//! Noise is normally distributed. It is a function of seed, sample, joint and kind only, so that a run can be repeated, stopped and resumed.

use std::sync::{Arc, Mutex, PoisonError};

use super::{ControlLaw, ControlSample, ReferencePoint};
use crate::control::Trajectory;
use crate::element::Origin;
use crate::math::Random;
use crate::model::{
    ControllerElement, ControllerInput, ControllerOutput, JointIndex, JointQuantity, Law, Model,
    SampledLaw, Signal, rounded,
};

/// The reference motion of all joints of a robot.
#[derive(Clone, Debug)]
pub struct ReferenceMotion {
    /// A trajectory, and the index of the robot's joint for each of its joints.
    pub trajectory: Option<(Arc<dyn Trajectory>, Vec<usize>)>,
    /// Rest positions of the joints that it does not move.
    pub rest: Vec<f64>,
}

impl ReferenceMotion {
    /// Rest at a configuration.
    pub fn rest(rest: Vec<f64>) -> Self {
        ReferenceMotion {
            trajectory: None,
            rest,
        }
    }

    /// Computes the reference at a time; the buffer has one entry per joint of the trajectory.
    fn at(&self, time: f64, buffer: &mut ReferencePoint, out: &mut ReferencePoint) {
        out.q.copy_from_slice(&self.rest);
        out.v.fill(0.0);
        out.a.fill(0.0);
        let Some((trajectory, joints)) = &self.trajectory else {
            return;
        };
        trajectory.at(time, &mut buffer.q, &mut buffer.v, &mut buffer.a);
        for (k, &joint) in joints.iter().enumerate() {
            out.q[joint] = buffer.q[k];
            out.v[joint] = buffer.v[k];
            out.a[joint] = buffer.a[k];
        }
    }

    /// Returns storage for a point of the trajectory.
    fn buffer(&self) -> ReferencePoint {
        let count = self
            .trajectory
            .as_ref()
            .map_or(0, |(_, joints)| joints.len());
        ReferencePoint::new(count)
    }

    /// Returns the reference at a time, newly allocated.
    pub fn point(&self, time: f64) -> ReferencePoint {
        let mut out = ReferencePoint::new(self.rest.len());
        self.at(time, &mut self.buffer(), &mut out);
        out
    }
}

/// Measurement model of positions and velocities, one value per joint of the robot.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurementModel {
    /// Standard deviation of measured positions.
    pub position_noise: Vec<f64>,
    /// Standard deviation of measured velocities.
    pub rate_noise: Vec<f64>,
    /// Seed of the noise.
    pub seed: u64,
    /// Quantization step of measured positions; zero for none.
    pub position_quantum: Vec<f64>,
    /// Quantization step of measured velocities; zero for none.
    pub rate_quantum: Vec<f64>,
    /// Whether velocities are backward differences of measured positions and not measured themselves.
    pub difference: bool,
}

impl MeasurementModel {
    /// Exact positions and velocities.
    pub fn exact(joints: usize) -> Self {
        let none = || vec![0.0; joints];
        MeasurementModel {
            position_noise: none(),
            rate_noise: none(),
            seed: 0,
            position_quantum: none(),
            rate_quantum: none(),
            difference: false,
        }
    }

    fn position(&self, sample: u64, joint: usize, value: f64) -> f64 {
        let noise = self.noise(sample, 2 * joint as u64, self.position_noise[joint]);
        rounded(value + noise, step(self.position_quantum[joint]))
    }

    fn rate(&self, sample: u64, joint: usize, value: f64) -> f64 {
        let noise = self.noise(sample, 2 * joint as u64 + 1, self.rate_noise[joint]);
        rounded(value + noise, step(self.rate_quantum[joint]))
    }

    /// Normally distributed noise by the Box–Muller transform in polar form.
    fn noise(&self, sample: u64, channel: u64, deviation: f64) -> f64 {
        if deviation == 0.0 {
            return 0.0;
        }
        let mut random = Random::new(self.seed);
        for part in [sample, channel] {
            random = Random::new(random.bits() ^ part);
        }
        loop {
            let [x, y] = random.array::<2>(1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return deviation * x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }
}

fn step(quantum: f64) -> Option<f64> {
    (quantum > 0.0).then_some(quantum)
}

/// Connection of a law to the joints of a model.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// Name of the controller.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The joints of the model, in the order of the robot's joints.
    pub joints: Vec<JointIndex>,
    /// Whether it drives each of them.
    pub driven: Vec<bool>,
    /// Time between samples.
    pub period: f64,
    /// Time of the first sample.
    pub offset: f64,
    /// Time from a sample until its generalized forces take effect.
    pub delay: f64,
    /// The reference motion.
    pub motion: ReferenceMotion,
    /// The measurement model.
    pub measuring: MeasurementModel,
    /// Quantization step of the generalized forces, one per joint; zero for none.
    pub effort_quantum: Vec<f64>,
    /// Largest magnitude of the generalized force, one per joint; infinite for none.
    pub saturation: Vec<f64>,
}

/// A control law as a sampled controller. Its states are those of the law, followed by the last measured positions if velocities are
/// differences. Its outputs are one generalized force per driven joint, followed by the estimates of the law.
#[derive(Debug)]
pub struct LawController {
    period: f64,
    offset: f64,
    driven: Vec<usize>,
    motion: ReferenceMotion,
    measuring: MeasurementModel,
    saturation: Vec<f64>,
    /// Number of states of the law.
    remembered: usize,
    /// The law, and buffers. Between samples the buffers hold only the reference at the next sample, which depends on the sample only.
    desk: Mutex<ControllerBuffers>,
}

#[derive(Debug)]
struct ControllerBuffers {
    law: Box<dyn ControlLaw>,
    q: Vec<f64>,
    v: Vec<f64>,
    now: ReferencePoint,
    next: ReferencePoint,
    /// Index of the sample to which `next` belongs.
    number: f64,
    buffer: ReferencePoint,
    efforts: Vec<f64>,
    lost: Vec<f64>,
}

impl ControllerBuffers {
    fn split(
        &mut self,
    ) -> (
        &mut dyn ControlLaw,
        ControlSample<'_>,
        &mut [f64],
        &mut [f64],
    ) {
        let sample = ControlSample {
            q: &self.q,
            v: &self.v,
            now: &self.now,
            next: &self.next,
        };
        (self.law.as_mut(), sample, &mut self.efforts, &mut self.lost)
    }
}

impl LawController {
    /// Builds the controller of a model from a law.
    pub fn element(model: &Model, wiring: Wiring, law: Box<dyn ControlLaw>) -> ControllerElement {
        let Wiring {
            name,
            origin,
            joints,
            driven,
            period,
            offset,
            delay,
            motion,
            measuring,
            effort_quantum,
            saturation,
        } = wiring;
        let n = joints.len();
        let quantities: &[JointQuantity] = if measuring.difference {
            &[JointQuantity::Value(0)]
        } else {
            &[JointQuantity::Value(0), JointQuantity::Rate(0)]
        };
        let read = quantities
            .iter()
            .flat_map(|quantity| joints.iter().map(|joint| Signal::Joint(*joint, *quantity)));
        let inputs = read.map(|signal| ControllerInput {
            law: Law::signal(signal),
            quantum: None,
        });
        let inputs = inputs.collect();
        let driven: Vec<usize> = (0..n).filter(|&i| driven[i]).collect();
        let effort = |&i: &usize| {
            let joint = &model.joints[joints[i].0];
            let coordinates = joint.joint.coordinates(model.space);
            let angle = coordinates.first().is_some_and(|c| c.angular);
            let most = saturation[i];
            ControllerOutput {
                name: joint.name.clone(),
                unit: if angle { "N*m" } else { "N" }.to_owned(),
                initial: 0.0,
                quantum: step(effort_quantum[i]),
                saturation: most.is_finite().then_some([-most, most]),
            }
        };
        let mut outputs: Vec<ControllerOutput> = driven.iter().map(effort).collect();
        let mut states = law.start();
        let remembered = states.len();
        let estimates = law.estimates();
        let mut values = vec![0.0; estimates.len()];
        law.estimate(&states, &mut values);
        outputs.extend(
            estimates
                .into_iter()
                .zip(values)
                .map(|(estimate, initial)| ControllerOutput {
                    name: estimate.name,
                    unit: estimate.unit.to_owned(),
                    initial,
                    quantum: None,
                    saturation: None,
                }),
        );
        if measuring.difference {
            states.resize(remembered + n, 0.0);
        }
        let desk = ControllerBuffers {
            law,
            q: vec![0.0; n],
            v: vec![0.0; n],
            now: ReferencePoint::new(n),
            next: ReferencePoint::new(n),
            number: f64::NAN,
            buffer: motion.buffer(),
            efforts: vec![0.0; n],
            lost: vec![0.0; n],
        };
        ControllerElement {
            name,
            origin,
            period,
            offset,
            delay,
            inputs,
            states,
            outputs,
            law: Arc::new(LawController {
                period,
                offset,
                driven,
                motion,
                measuring,
                saturation,
                remembered,
                desk: Mutex::new(desk),
            }),
        }
    }

    /// Sets measurements and reference of a sample in `desk`.
    fn look(&self, desk: &mut ControllerBuffers, time: f64, inputs: &[f64], states: &[f64]) {
        let count = ((time - self.offset) / self.period).round().max(0.0);
        let number = count as u64;
        let n = desk.q.len();
        for i in 0..n {
            desk.q[i] = self.measuring.position(number, i, inputs[i]);
            desk.v[i] = if !self.measuring.difference {
                self.measuring.rate(number, i, inputs[n + i])
            } else if number == 0 {
                0.0
            } else {
                (desk.q[i] - states[self.remembered + i]) / self.period
            };
        }
        let at = |samples: f64| self.offset + samples * self.period;
        if desk.number == count {
            std::mem::swap(&mut desk.now, &mut desk.next);
        } else {
            self.motion.at(at(count), &mut desk.buffer, &mut desk.now);
        }
        desk.number = count + 1.0;
        self.motion
            .at(at(desk.number), &mut desk.buffer, &mut desk.next);
    }
}

impl SampledLaw for LawController {
    fn outputs(&self, time: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        self.look(&mut desk, time, inputs, states);
        let own = &states[..self.remembered];
        let (law, sample, efforts, _) = desk.split();
        law.efforts(&sample, own, efforts);
        let (asked, estimates) = outputs.split_at_mut(self.driven.len());
        for (output, &i) in asked.iter_mut().zip(&self.driven) {
            *output = efforts[i];
        }
        law.estimate(own, estimates);
    }

    // nothing is reused from `outputs`: another run may have used the desk since
    fn advance(&self, time: f64, inputs: &[f64], _: &[f64], states: &mut [f64]) {
        if states.is_empty() {
            return;
        }
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        self.look(&mut desk, time, inputs, states);
        let (own, last) = states.split_at_mut(self.remembered);
        let (law, sample, efforts, lost) = desk.split();
        law.efforts(&sample, own, efforts);
        for (i, (lost, effort)) in lost.iter_mut().zip(efforts).enumerate() {
            let most = self.saturation[i];
            *lost = *effort - effort.max(-most).min(most);
        }
        law.advance(&sample, lost, own);
        if self.measuring.difference {
            last.copy_from_slice(&desk.q);
        }
    }
}
