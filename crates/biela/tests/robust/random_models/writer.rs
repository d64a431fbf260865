//! Small pieces of model text, by chance.

use std::fmt::Write as _;

use biela::core::math::Random;
use biela::core::model::Space;

/// Text under way, and the chance behind it.
pub(super) struct Writer {
    pub(super) random: Random,
    pub(super) space: Space,
    pub(super) text: String,
    names: usize,
}

impl Writer {
    pub(super) fn new(seed: u64, space: Space) -> Self {
        Writer {
            random: Random::new(seed),
            space,
            text: String::new(),
            names: 0,
        }
    }

    pub(super) fn flat(&self) -> bool {
        self.space == Space::Planar
    }

    pub(super) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// A name that nothing else has.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    pub(super) fn chance(&mut self, share: f64) -> bool {
        self.random.between(0.0, 1.0) < share
    }

    pub(super) fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())].clone()
    }

    pub(super) fn number(&mut self, low: f64, high: f64) -> String {
        format!("{:.4}", self.random.between(low, high))
    }

    /// A number of SI units, bare or with a unit that is a part of it.
    pub(super) fn quantity(&mut self, low: f64, high: f64, units: &[(&str, f64)]) -> String {
        let x = self.random.between(low, high);
        if self.chance(0.5) || units.is_empty() {
            return format!("{x:.4}");
        }
        let (unit, size) = self.pick(units);
        format!("\"{:.4} {unit}\"", x / size)
    }

    pub(super) fn length(&mut self, low: f64, high: f64) -> String {
        self.quantity(low, high, &[("m", 1.0), ("mm", 1e-3), ("in", 0.0254)])
    }

    pub(super) fn angle(&mut self, most: f64) -> String {
        self.quantity(-most, most, &[("rad", 1.0), ("deg", 1f64.to_radians())])
    }

    /// Components in all axes of the space.
    pub(super) fn vector(&mut self, most: f64) -> String {
        let axes = self.space.axes();
        let items: Vec<String> = (0..axes).map(|_| self.length(-most, most)).collect();
        format!("[{}]", items.join(", "))
    }

    /// A direction in all axes of the space, not too short.
    pub(super) fn direction(&mut self) -> String {
        let mut items: Vec<String> = (0..self.space.axes())
            .map(|_| self.number(-1.0, 1.0))
            .collect();
        let first = self.random.below(items.len());
        items[first].clear();
        items[first].push('1');
        format!("[{}]", items.join(", "))
    }

    /// Where a frame is turned to, as a key with its value.
    pub(super) fn turn(&mut self) -> String {
        if self.flat() {
            return format!("angle = {}", self.angle(3.0));
        }
        match self.random.below(3) {
            0 => {
                let (axis, angle) = (self.direction(), self.angle(3.0));
                format!("rotation = {{ axis = {axis}, angle = {angle} }}")
            }
            1 => {
                let (a, b, c) = (self.angle(3.0), self.angle(1.2), self.angle(3.0));
                format!("rotation = {{ dextral = [{a}, {b}, {c}] }}")
            }
            _ => {
                let e = self.random.rotation();
                format!(
                    "rotation = {{ euler_parameters = [{}, {}, {}, {}] }}",
                    e[0], e[1], e[2], e[3]
                )
            }
        }
    }

    /// A bounded formula of time and of signals.
    pub(super) fn formula(&mut self, signals: &[String], depth: usize) -> String {
        if depth == 0 || self.chance(0.2) {
            return match self.random.below(3) {
                0 => self.number(-2.0, 2.0),
                1 => format!("sin({}*t)", self.number(0.5, 9.0)),
                _ if signals.is_empty() => format!("cos({}*t)", self.number(0.5, 9.0)),
                _ => {
                    let signal = self.pick(signals);
                    format!("tanh({}*{signal})", self.number(-2.0, 2.0))
                }
            };
        }
        let a = self.formula(signals, depth - 1);
        let b = self.formula(signals, depth - 1);
        match self.random.below(9) {
            0 => format!("({a}) + ({b})"),
            1 => format!("({a}) - ({b})"),
            2 => format!("({a})*({b})"),
            3 => format!("({a})/(1 + abs({b}))"),
            4 => format!("min({a}, {b})"),
            5 => format!("clamp({a}, -1, 1)"),
            6 => format!("t < {} ? {a} : {b}", self.number(0.0, 0.02)),
            7 => format!("hypot({a}, {b})"),
            _ => format!(
                "step5(t, 0, {}, 0.01, {})",
                self.number(-1.0, 1.0),
                self.number(-1.0, 1.0)
            ),
        }
    }

    /// A shape that has volume.
    pub(super) fn shape(&mut self) -> String {
        let (r, l) = (self.number(0.02, 0.1), self.number(0.1, 0.5));
        match self.random.below(8) {
            0 => format!("{{ type = \"box\", size = [{r}, {l}, {r}] }}"),
            1 => format!("{{ type = \"cylinder\", radius = {r}, length = {l} }}"),
            2 => format!("{{ type = \"sphere\", radius = {r} }}"),
            3 => format!("{{ type = \"ellipsoid\", semi_axes = [{r}, {r}, {l}] }}"),
            4 => format!("{{ type = \"cone\", radius = {r}, length = {l} }}"),
            5 => format!("{{ type = \"capsule\", radius = {r}, length = {l} }}"),
            6 => format!("{{ type = \"tube\", radius = {r}, inner = 0.01, length = {l} }}"),
            _ => {
                let (from, to) = if self.flat() {
                    ("[0, 0]", format!("[{l}, 0]"))
                } else {
                    ("[0, 0, 0]", format!("[{l}, 0, 0]"))
                };
                format!("{{ type = \"bar\", radius = {r}, from = {from}, to = {to} }}")
            }
        }
    }

    /// How a model is to be run.
    pub(super) fn study(&mut self, formulations: &[&str], integrator: &str, method: &str) {
        let formulation = self.pick(formulations);
        let tolerance = self.pick(&["1e-4", "1e-6", "1e-8", "1e-10"]);
        let step = self.pick(&["0.1 ms", "1 ms", "2 ms"]);
        let options = match integrator {
            "rk4" | "kinematics" => format!("step = \"{step}\""),
            "generalized-alpha" | "hht" if self.chance(0.5) => {
                let form = self.pick(&["index-3", "index-2"]);
                format!("step = \"{step}\", form = \"{form}\"")
            }
            "bdf" => {
                let form = self.pick(&["index-3", "index-2", "index-1"]);
                format!("tolerance = {tolerance}, form = \"{form}\"")
            }
            _ => format!("tolerance = {tolerance}"),
        };
        self.line(&format!(
            "[study]\nduration = 0.2\noutput_step = \"1 ms\"\nformulation = \"{formulation}\"\nmethod = \"{method}\"\nintegrator = {{ type = \"{integrator}\", {options} }}"
        ));
    }
}
