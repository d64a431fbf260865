//! Generates forces, actuators and sensors.

use biela_core::math::{Mat3, Pose};

use super::MjcfModelText;
use crate::import::mjcf::joint::{MjcfJoint, MjcfJointKind};
use crate::import::mjcf::relation::{MjcfActuator, Tendon, Transmission};
use crate::import::names::valid;
use crate::import::text::{listed, number as digits, quoted, vector};

impl MjcfModelText<'_, '_> {
    /// Begins a force and returns its name.
    fn force_head(&mut self, wanted: &str, number: usize, kind: &str) -> String {
        let name = self.names.choose(&valid(wanted), "force", number);
        self.forces.table("[[force]]");
        self.forces.key("name", &quoted(&name));
        self.forces.key("type", &quoted(kind));
        name
    }

    /// Springs and dampers of joints.
    pub(super) fn passive(&mut self) {
        for (number, joint) in self.whole.bodies.joints.iter().enumerate() {
            let name = self.joint_names[number].clone();
            if joint.friction > 0.0 && joint.kind.is_single() {
                let wanted = format!("{name}_friction");
                let _ = self.force_head(&wanted, number + 1, "joint-friction");
                self.forces.key("joint", &quoted(&name));
                self.forces.key("coulomb", &digits(joint.friction));
            } else if joint.friction > 0.0 {
                let what = "dry friction of ball and free joints";
                self.whole.left.motion(what, joint.part.span());
            }
            let (k, c) = (&joint.stiffness, &joint.damping);
            if k.is_empty() && c.is_empty() {
                continue;
            }
            let first = |values: &[f64]| values.first().copied().unwrap_or(0.0);
            if !joint.kind.is_single() {
                if k.len() > 1 || c.len() > 1 {
                    let what = "curved springs and dampers of ball and free joints";
                    self.whole.left.motion(what, joint.part.span());
                }
                self.all_round(number, joint, first(k), first(c));
                continue;
            }
            let _ = self.force_head(
                &format!("{name}_passive"),
                number + 1,
                "joint-spring-damper",
            );
            self.forces.key("joint", &quoted(&name));
            if first(k) != 0.0 {
                self.forces.key("stiffness", &digits(first(k)));
            }
            if first(k) != 0.0 && joint.rest != 0.0 {
                self.forces.key("rest", &digits(joint.rest));
            }
            if first(c) != 0.0 {
                self.forces.key("damping", &digits(first(c)));
            }
            let called = in_formula(&name);
            let x = match joint.rest {
                0.0 => format!("{called}.{}", joint.kind.coordinate()),
                rest => format!("({called}.{} - {})", joint.kind.coordinate(), signed(rest)),
            };
            let v = format!("{called}.rate");
            let terms = [
                (k.get(1), format!("{x}^2")),
                (k.get(2), format!("{x}^3")),
                (c.get(1), format!("{v}*abs({v})")),
                (c.get(2), format!("{v}^3")),
            ];
            let terms = terms.into_iter().filter_map(|(factor, of)| {
                let factor = factor.filter(|factor| **factor != 0.0)?;
                Some(format!("{}*{of}", signed(-factor)))
            });
            let terms: Vec<String> = terms.collect();
            if !terms.is_empty() {
                self.forces.key("effort", &quoted(&terms.join(" + ")));
            }
        }
    }

    /// A spring and damper in all directions of a ball or free joint.
    fn all_round(&mut self, number: usize, joint: &MjcfJoint<'_>, k: f64, c: f64) {
        let body = self.body(joint.body);
        let last = self.link_of[joint.body];
        let name = self.joint_names[number].clone();
        let position = body.joints.iter().position(|j| *j == number).unwrap_or(0);
        let moved = last + 1 + position - body.joints.len();
        let ends = if joint.kind == MjcfJointKind::Free {
            let near = self.end(0, &name, &body.pose);
            [near, self.links[moved].name.clone()]
        } else if position == 0 {
            self.ends(number, joint, (self.link_of[body.parent], body.pose), moved)
        } else {
            self.ends(number, joint, (moved - 1, Pose::identity()), moved)
        };
        let _ = self.force_head(&format!("{name}_passive"), number + 1, "bushing");
        self.forces
            .key("between", &listed(ends.iter().map(|end| quoted(end))));
        for (value, key) in [(k, "stiffness"), (c, "damping")] {
            if value != 0.0 {
                if joint.kind == MjcfJointKind::Free {
                    self.forces.key(key, &vector(&[value; 3]));
                }
                self.forces
                    .key(&format!("torsional_{key}"), &vector(&[value; 3]));
            }
        }
    }

    /// Writes the compensation of weight.
    pub(super) fn weightless(&mut self) {
        for number in 1..self.whole.bodies.bodies.len() {
            let body = self.body(number);
            let share = body.weightless * body.mass.mass;
            let lift = self.whole.settings.gravity.map(|g| -g * share);
            if lift == [0.0; 3] {
                continue;
            }
            let link = self.link_of[number];
            let center = Pose::new(Mat3::identity(), body.mass.center);
            let end = self.end(link, "com", &center);
            let name = format!("{}_lift", self.links[link].name);
            let _ = self.force_head(&name, number, "force");
            self.forces.key("at", &quoted(&end));
            self.forces.key("value", &vector(&lift));
        }
    }

    /// A weighted sum of coordinates or of velocities in a formula.
    fn sum(&self, terms: &[(usize, f64)], rate: bool) -> String {
        let term = |(joint, factor): &(usize, f64)| {
            let kind = self.whole.bodies.joints[*joint].kind;
            let signal = if rate { "rate" } else { kind.coordinate() };
            let name = in_formula(&self.joint_names[*joint]);
            match *factor {
                1.0 => format!("{name}.{signal}"),
                factor => format!("{}*{name}.{signal}", signed(factor)),
            }
        };
        let terms: Vec<String> = terms.iter().map(term).collect();
        match &terms[..] {
            [term] => term.clone(),
            terms => format!("({})", terms.join(" + ")),
        }
    }

    /// Springs and dampers of tendons.
    pub(super) fn pull(&mut self) {
        for (number, tendon) in self.whole.relations.tendons.iter().enumerate() {
            match &tendon.path {
                Transmission::Joints(terms) => self.pull_joints(number, tendon, terms),
                Transmission::Sites(ends) => {
                    let ends = self.sites(ends);
                    let _ = self.force_head(
                        tendon.name.unwrap_or("tendon"),
                        number + 1,
                        "spring-damper",
                    );
                    self.forces.key("between", &ends);
                    if tendon.stiffness != 0.0 {
                        self.forces.key("stiffness", &digits(tendon.stiffness));
                        self.forces.key("length", &digits(tendon.rest));
                    }
                    if tendon.damping != 0.0 {
                        self.forces.key("damping", &digits(tendon.damping));
                    }
                }
            }
        }
    }

    fn pull_joints(&mut self, number: usize, tendon: &Tendon<'_>, terms: &[(usize, f64)]) {
        let mut law = Vec::new();
        if tendon.stiffness != 0.0 {
            let stretch = match tendon.rest {
                0.0 => self.sum(terms, false),
                rest => format!("({} - {})", self.sum(terms, false), signed(rest)),
            };
            law.push(format!("{}*{stretch}", digits(tendon.stiffness)));
        }
        if tendon.damping != 0.0 {
            law.push(format!(
                "{}*{}",
                digits(tendon.damping),
                self.sum(terms, true)
            ));
        }
        let law = format!("({})", law.join(" + "));
        for (joint, factor) in terms {
            let name = self.joint_names[*joint].clone();
            let wanted = format!("{}_{name}", tendon.name.unwrap_or("tendon"));
            let _ = self.force_head(&wanted, number + 1, "actuator");
            self.forces.key("joint", &quoted(&name));
            self.forces
                .key("effort", &quoted(&format!("{}*{law}", signed(-factor))));
        }
    }

    /// Two sites as the ends of a spring.
    fn sites(&mut self, ends: &[(usize, usize); 2]) -> String {
        let ends = ends.map(|(body, site)| {
            let pose = self.body(body).sites[site].pose;
            self.end(self.link_of[body], "site", &pose)
        });
        listed(ends.iter().map(|end| quoted(end)))
    }

    /// Writes actuators, each with a parameter for its control.
    pub(super) fn drive(&mut self) {
        for (number, actuator) in self.whole.relations.actuators.iter().enumerate() {
            let called = valid(actuator.name.unwrap_or_default());
            let called = match (&actuator.path, called.is_empty()) {
                (_, false) => called,
                (Transmission::Joints(terms), true) if terms.len() == 1 => {
                    self.joint_names[terms[0].0].clone()
                }
                (_, true) => valid(actuator.tendon.unwrap_or("tendon")),
            };
            let control = format!("u_{}", called.replace('-', "_"));
            let control = self.names.choose(&control, "u", number + 1);
            let value = self.whole.start.controls[actuator.number];
            self.parameters.push((control.clone(), value));
            let wanted = format!("{called}_drive");
            match &actuator.path {
                Transmission::Joints(terms) => {
                    let law = self.law(actuator, &control, |page, rate| page.sum(terms, rate));
                    for (joint, factor) in terms {
                        let name = self.joint_names[*joint].clone();
                        let _ = self.force_head(&wanted, number + 1, "actuator");
                        self.forces.key("joint", &quoted(&name));
                        let effort = times(actuator.gear * factor, &law);
                        self.forces.key("effort", &quoted(&effort));
                    }
                }
                Transmission::Sites(ends) => {
                    let ends = self.sites(ends);
                    let own = self.force_head(&wanted, number + 1, "spring-damper");
                    self.forces.key("between", &ends);
                    let signal = |rate| {
                        let signal = if rate { "rate" } else { "length" };
                        format!("{}.{signal}", in_formula(&own))
                    };
                    // a positive force lengthens a tendon, a positive tension shortens it
                    let law = self.law(actuator, &control, |_, rate| signal(rate));
                    let tension = times(-actuator.gear, &law);
                    self.forces.key("force", &quoted(&tension));
                }
            }
        }
    }

    /// The force of an actuator before its gear, as a function of its control and of the length and velocity that `along` names.
    fn law(
        &self,
        actuator: &MjcfActuator<'_>,
        control: &str,
        along: impl Fn(&Self, bool) -> String,
    ) -> String {
        let gear = actuator.gear;
        let affine = |[value, of_length, of_rate]: [f64; 3]| {
            let mut terms = Vec::new();
            if value != 0.0 {
                terms.push(signed(value));
            }
            for (factor, rate) in [(of_length, false), (of_rate, true)] {
                if factor != 0.0 {
                    terms.push(times(factor * gear, &along(self, rate)));
                }
            }
            terms
        };
        let control = match actuator.control {
            Some([lower, upper]) => {
                format!("clamp({control}, {}, {})", digits(lower), digits(upper))
            }
            None => control.to_owned(),
        };
        let mut terms = match &affine(actuator.gain)[..] {
            [] => Vec::new(),
            [one] if one == "1" => vec![control],
            [one] => vec![format!("{one}*{control}")],
            terms => vec![format!("({})*{control}", terms.join(" + "))],
        };
        terms.extend(affine(actuator.bias));
        let law = match &terms[..] {
            [] => "0".to_owned(),
            [one] => one.clone(),
            terms => format!("({})", terms.join(" + ")),
        };
        match actuator.force {
            Some([lower, upper]) => {
                format!("clamp({law}, {}, {})", digits(lower), digits(upper))
            }
            None => law,
        }
    }

    pub(super) fn sense(&mut self) {
        for (number, sensor) in self.whole.relations.sensors.iter().enumerate() {
            let wanted = valid(sensor.name.unwrap_or_default());
            let name = self.names.choose(&wanted, "sensor", number + 1);
            let kind = self.whole.bodies.joints[sensor.joint].kind;
            let signal = if sensor.rate {
                "rate"
            } else {
                kind.coordinate()
            };
            let joint = in_formula(&self.joint_names[sensor.joint]);
            self.forces.table("[[sensor]]");
            self.forces.key("name", &quoted(&name));
            self.forces
                .key("value", &quoted(&format!("{joint}.{signal}")));
        }
    }
}

/// A number after an operator.
fn signed(x: f64) -> String {
    if x < 0.0 {
        format!("({})", digits(x))
    } else {
        digits(x)
    }
}

/// A product that omits a factor of one.
fn times(factor: f64, of: &str) -> String {
    if factor == 1.0 {
        of.to_owned()
    } else {
        format!("{}*{of}", signed(factor))
    }
}

/// A name in a formula; one with a hyphen is quoted.
fn in_formula(name: &str) -> String {
    if name.contains('-') {
        format!("'{name}'")
    } else {
        name.to_owned()
    }
}
