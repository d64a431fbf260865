//! Generates the text of the model.

use std::collections::BTreeMap;

use biela_core::math::Mat3;

use super::SismulOptions;
use super::deck::{Deck, SismulBar, SismulProfile};
use super::inertia::inertia;
use super::joints::{JointDefinition, WORDS, plan};
use super::names::SismulNames;
use crate::diagnostic::{Diagnostic, Diagnostics, escaped};
use crate::import::text::{self, ImportedText, number, quoted};

/// Name of the parameter for the unit of length.
const UNIT: &str = "unit";

/// Generates the model. Problems are reported; the text is usable only if there is no error.
pub(super) fn model(
    deck: &Deck,
    file: &str,
    options: &SismulOptions,
    diagnostics: &Diagnostics,
) -> Option<String> {
    let planar = deck.planar && stays_in_plane(deck, diagnostics);
    let plans = (1..=deck.bodies.len())
        .map(|k| plan(deck, planar, k, diagnostics))
        .collect();
    let mut page = SismulModelText {
        deck,
        planar,
        options,
        names: SismulNames::new(deck),
        plans,
        closing: None,
        drivers: Vec::new(),
        diagnostics,
        out: ImportedText::default(),
    };
    page.check_masses();
    page.head(file);
    for k in 1..=deck.bodies.len() {
        page.body(k);
    }
    for k in 1..=deck.bodies.len() {
        page.joint(k);
    }
    page.closure();
    page.drivers();
    page.tail();
    Some(page.out.finish()).filter(|_| !diagnostics.has_errors())
}

/// Returns `true` if a deck declared two-dimensional can be a planar model; otherwise a warning names the elements that leave the plane.
fn stays_in_plane(deck: &Deck, diagnostics: &Diagnostics) -> bool {
    let mut reason = None;
    let mut note = |what: String, place| {
        if reason.is_none() {
            reason = Some((what, place));
        }
    };
    for (k, bar) in (1..).zip(&deck.bodies) {
        if [0, 1, 5].iter().any(|&c| !bar.locked[c]) {
            note(format!("joint {k} can leave the plane"), bar.places.flags);
        }
        if bar.angles[0] != 0.0 || bar.angles[1] != 0.0 {
            note(
                format!("body {k} is rotated out of the plane"),
                bar.places.angles,
            );
        }
        if bar.xi[2] != 0.0 {
            note(format!("body {k} starts off the plane"), bar.places.xi);
        }
        if bar.q[2] != 0.0 || bar.r[2] != 0.0 {
            note(
                format!("a vector of body {k} has a z component"),
                bar.places.flags,
            );
        }
    }
    for profile in &deck.angular {
        if profile.component != 2 {
            note(
                "a profile rotates out of the plane".to_owned(),
                profile.span,
            );
        }
    }
    for profile in &deck.linear {
        if profile.component == 2 {
            note("a profile leaves the plane".to_owned(), profile.span);
        }
    }
    if let (None, Some(vertical), Some(bar)) = (&reason, deck.vertical, deck.bodies.first())
        && vertical.axis == 2
    {
        reason = Some((
            "the weight points out of the plane".to_owned(),
            bar.places.flags,
        ));
    }
    let Some((what, place)) = reason else {
        return true;
    };
    diagnostics.push(
        Diagnostic::warning("not-planar", format!("item 4 declares a planar model, but {what}"))
            .at(place, "")
            .help("the model is imported as spatial; lock the coordinates that leave the x-y plane, or write 0 in item 4"),
    );
    false
}

struct SismulModelText<'d> {
    deck: &'d Deck,
    planar: bool,
    options: &'d SismulOptions,
    names: SismulNames,
    plans: Vec<JointDefinition>,
    /// The joint that closes the loop.
    closing: Option<String>,
    drivers: Vec<String>,
    diagnostics: &'d Diagnostics,
    out: ImportedText,
}

impl SismulModelText<'_> {
    /// A length, velocity or acceleration in the unit of length of the cards.
    fn length(&self, x: f64) -> String {
        self.scaled(x, "")
    }

    fn scaled(&self, x: f64, power: &str) -> String {
        if x == 0.0 || self.options.length.is_none() {
            return number(x);
        }
        format!("\"{}*{UNIT}{power}\"", number(x))
    }

    /// A vector; in the plane its first two components.
    fn vector(&self, v: &[f64; 3]) -> String {
        let axes = if self.planar { 2 } else { 3 };
        let parts: Vec<String> = v[..axes].iter().map(|x| self.length(*x)).collect();
        format!("[{}]", parts.join(", "))
    }

    /// Checks that bodies without mass are welded to the ground.
    fn check_masses(&self) {
        for k in 1..=self.deck.bodies.len() {
            let bar = &self.deck.bodies[k - 1];
            let path = self.deck.path(k);
            let clamped = path.iter().all(|&b| self.plans[b - 1].kind == "weld");
            if bar.mass == 0.0 && !clamped {
                let message = format!("body {k} has no mass but moves");
                self.diagnostics.push(
                    Diagnostic::error("massless", message)
                        .at(bar.places.mass, "")
                        .help("give it a mass; if its motion is prescribed any will do, only the loads that move it change"),
                );
            }
        }
    }

    fn head(&mut self, file: &str) {
        let deck = self.deck;
        let title = deck.title.trim_matches(['*', ' ']);
        self.out.line(&format!("# {}", escaped(title)));
        self.out.line(&format!(
            "# From the SISMUL cards {}: q, r, ξ, D are the vectors of its manual.",
            escaped(file)
        ));
        self.out.line("format = 1");
        let name = super::names::name_of(title).replace('_', "-");
        let name = if name.is_empty() { "sismul" } else { &name };
        self.out.line(&format!("name = \"{name}\""));
        let space = if self.planar { "planar" } else { "spatial" };
        self.out.line(&format!("space = \"{space}\""));
        let axes = if self.planar { 2 } else { 3 };
        if let Some(vertical) = deck.vertical {
            let mut gravity = vec!["0"; axes];
            gravity[vertical.axis] = if vertical.sign > 0.0 {
                "\"-g\""
            } else {
                "\"g\""
            };
            let axis = ["X", "Y", "Z"][vertical.axis];
            let way = if vertical.sign > 0.0 { "up" } else { "down" };
            let text = format!("gravity = [{}]", gravity.join(", "));
            self.out.noted(&text, &format!("{axis} points {way}"));
        }
        if deck.vertical.is_some() || self.options.length.is_some() {
            self.out.table("[parameters]");
        }
        if let Some(unit) = &self.options.length {
            let text = format!("{UNIT} = {}", quoted(unit));
            self.out.noted(&text, "unit of length of the cards");
        }
        if deck.vertical.is_some() {
            let text = match &self.options.length {
                Some(_) => format!("g = \"{}*{UNIT}/(1 s^2)\"", number(deck.gravity)),
                None => format!("g = \"{} m/s^2\"", number(deck.gravity)),
            };
            self.out.line(&text);
        }
    }

    /// The named points of body `j` that its joints and the loop require.
    fn points(&self, j: usize) -> BTreeMap<(usize, String), [f64; 3]> {
        let mut points = BTreeMap::new();
        for (k, bar) in (1..).zip(&self.deck.bodies) {
            let plan: &JointDefinition = &self.plans[k - 1];
            if bar.lower == j && plan.first_turn.is_none() && (j > 0 || plan.offset != [0.0; 3]) {
                let at = std::array::from_fn(|i| bar.q[i] + plan.offset[i]);
                let _ = points.insert((k, format!("Q{k}")), at);
            }
        }
        if let Some(closure) = &self.deck.closure {
            for (end, at) in closure.ends.iter().zip(closure.points) {
                if *end == j {
                    let _ = points.insert((usize::MAX, "D".to_owned()), at);
                }
            }
        }
        points
    }

    fn write_points(&mut self, j: usize) {
        let points: Vec<String> = self
            .points(j)
            .iter()
            .map(|((_, name), at)| format!("{name} = {}", self.vector(at)))
            .collect();
        if !points.is_empty() {
            self.out
                .line(&format!("points = {{ {} }}", points.join(", ")));
        }
        let mut frames = Vec::new();
        for (k, bar) in (1..).zip(&self.deck.bodies) {
            let plan = &self.plans[k - 1];
            if let (true, Some(turn)) = (bar.lower == j, plan.first_turn) {
                let at = std::array::from_fn(|i| bar.q[i] + plan.offset[i]);
                let turn = if self.planar {
                    format!("angle = \"{} deg\"", number(turn[2]))
                } else {
                    let angles = turn.map(|x| format!("\"{} deg\"", number(x)));
                    format!("rotation = {{ dextral = [{}] }}", angles.join(", "))
                };
                frames.push(format!("Q{k} = {{ at = {}, {turn} }}", self.vector(&at)));
            }
        }
        let own = j.checked_sub(1).map(|b| &self.plans[b]);
        if let Some((back, turn)) =
            own.and_then(|plan| Some((plan.turned_back?, plan.second_turn()?)))
        {
            frames.push(if self.planar {
                format!("O = {{ angle = \"{} deg\" }}", number(-back[2]))
            } else {
                let turn = turn.map(number).join(", ");
                format!("O = {{ rotation = {{ euler_parameters = [{turn}] }} }}")
            });
        }
        if !frames.is_empty() {
            self.out
                .line(&format!("frames = {{ {} }}", frames.join(", ")));
        }
    }

    fn body(&mut self, k: usize) {
        if k == 1 && !self.ground_is_plain() {
            self.out.table("[ground]");
            self.write_points(0);
        }
        let deck = self.deck;
        let bar = &deck.bodies[k - 1];
        self.out.table("[[body]]");
        let name = format!("name = \"{}\"", self.names.bodies[k - 1]);
        self.out.noted(&name, &format!("body {k}"));
        self.out.line(&format!("mass = {}", number(bar.mass)));
        if bar.r != [0.0; 3] {
            let text = format!("com = {}", self.vector(&bar.r));
            self.out.noted(&text, "r");
        }
        if bar.mass > 0.0 {
            let matrix = inertia(bar, self.planar, k, self.diagnostics);
            let text = format!("inertia = {}", self.inertia(&matrix));
            self.out.line(&text);
        }
        self.write_points(k);
    }

    fn ground_is_plain(&self) -> bool {
        let plain = |(plan, bar): (&JointDefinition, &SismulBar)| {
            bar.lower != 0 || (plan.first_turn.is_none() && plan.offset == [0.0; 3])
        };
        self.plans.iter().zip(&self.deck.bodies).all(plain)
    }

    fn inertia(&self, matrix: &Mat3<f64>) -> String {
        if self.planar {
            return self.scaled(matrix[(2, 2)], "^2");
        }
        text::inertia(matrix, |x| self.scaled(x, "^2"))
    }

    /// The first endpoint of the joint of body `k`, on the lower body.
    fn first_end(&self, k: usize) -> String {
        let bar = &self.deck.bodies[k - 1];
        let plan = &self.plans[k - 1];
        match bar.lower {
            0 if plan.first_turn.is_none() && plan.offset == [0.0; 3] => "ground".to_owned(),
            0 => format!("ground.Q{k}"),
            j => format!("{}.Q{k}", self.names.bodies[j - 1]),
        }
    }

    fn joint(&mut self, k: usize) {
        let plan = self.plans[k - 1].clone();
        self.out.table("[[joint]]");
        let name = format!("name = \"{}\"", self.names.joints[k - 1]);
        self.out.noted(&name, &format!("joint {k}"));
        self.out.line(&format!("type = \"{}\"", plan.kind));
        let own = &self.names.bodies[k - 1];
        let second = if plan.turned_back.is_some() {
            format!("{own}.O")
        } else {
            own.clone()
        };
        let between = format!("between = [\"{}\", \"{second}\"]", self.first_end(k));
        self.out.line(&between);
        if let Some(axis) = plan.axis {
            let mut parts = vec!["0"; if self.planar { 2 } else { 3 }];
            parts[axis] = "1";
            self.out.line(&format!("axis = [{}]", parts.join(", ")));
        }
        if plan.kind == "generic" {
            let words: Vec<String> = plan.locked.iter().map(|w| format!("\"{w}\"")).collect();
            self.out.line(&format!("locked = [{}]", words.join(", ")));
        }
        let initial = self.initial(k, &plan);
        if !initial.is_empty() {
            self.out
                .line(&format!("initial = {{ {} }}", initial.join(", ")));
        }
    }

    fn profile(&self, k: usize, c: usize) -> Option<&SismulProfile> {
        let (list, component) = if c < 3 {
            (&self.deck.angular, c)
        } else {
            (&self.deck.linear, c - 3)
        };
        list.iter()
            .find(|p| p.body == k && p.component == component)
    }

    /// Initial values and velocities of the free coordinates; the driver defines that of a prescribed one.
    fn initial(&self, k: usize, plan: &JointDefinition) -> Vec<String> {
        let count = plan.coordinates.iter().flatten().count();
        let (mut values, mut rates) = (Vec::new(), Vec::new());
        for c in [3, 4, 5, 0, 1, 2] {
            let Some(name) = plan.coordinates[c] else {
                continue;
            };
            let (start, rate) = match self.profile(k, c) {
                Some(profile) => {
                    self.warn_of_other_start(k, c, plan, profile);
                    (profile.position, profile.velocity)
                }
                None => (plan.start[c], plan.rate[c]),
            };
            let rate_key = if count == 1 {
                "rate".to_owned()
            } else {
                format!("{name}_rate")
            };
            let quantity = |x: f64, unit: &str| {
                if c < 3 && x != 0.0 {
                    format!("\"{} {unit}\"", number(x))
                } else {
                    self.length(x)
                }
            };
            values.push(format!("{name} = {}", quantity(start, "deg")));
            rates.push(format!("{rate_key} = {}", quantity(rate, "deg/s")));
        }
        values.extend(rates);
        values
    }

    fn warn_of_other_start(
        &self,
        k: usize,
        c: usize,
        plan: &JointDefinition,
        profile: &SismulProfile,
    ) {
        let same = |card: f64, driven: f64| card == 0.0 || card == driven;
        if same(plan.start[c], profile.position) && same(plan.rate[c], profile.velocity) {
            return;
        }
        let places = self.deck.bodies[k - 1].places;
        let message = format!("joint {k} starts {} elsewhere than its profile", WORDS[c]);
        let place = if c < 3 { places.angles } else { places.xi };
        self.diagnostics.push(
            Diagnostic::warning("two-starts", message)
                .at(place, "not used")
                .also(profile.span, "the profile is followed")
                .help("give the same start, or zeros, in item 22"),
        );
    }

    fn closure(&mut self) {
        let Some(closure) = &self.deck.closure else {
            return;
        };
        let [a, b] = closure.ends;
        let (of_a, of_b) = (self.deck.path(a), self.deck.path(b));
        let meet = of_a.iter().find(|k| of_b.contains(k)).copied();
        if meet != Some(closure.common) && !self.diagnostics.has_errors() {
            let message = format!(
                "body {} is not where the branches of {a} and {b} meet",
                closure.common
            );
            let help = match meet {
                Some(k) => format!("they meet in body {k}; the number is not needed for the model"),
                None => "they meet in the inertial frame; the number is not needed for the model"
                    .to_owned(),
            };
            self.diagnostics.push(
                Diagnostic::warning("loop-meets", message)
                    .at(closure.span, "")
                    .help(help),
            );
        }
        let name = self.names.choose("loop", "joint", 0);
        self.out.table("[[joint]]");
        self.out.noted(
            &format!("name = \"{name}\""),
            "closes the loop where it was cut",
        );
        let kind = if self.planar { "revolute" } else { "spherical" };
        self.out.line(&format!("type = \"{kind}\""));
        let [a, b] = [a, b].map(|k| self.names.bodies[k - 1].clone());
        self.out.line(&format!("between = [\"{a}.D\", \"{b}.D\"]"));
        self.closing = Some(name);
    }

    fn drivers(&mut self) {
        let deck = self.deck;
        let profiles = deck.angular.iter().map(|p| (p, p.component));
        let profiles = profiles.chain(deck.linear.iter().map(|p| (p, p.component + 3)));
        for (profile, c) in profiles {
            let joint = self.names.joints[profile.body - 1].clone();
            let coordinate = self.plans[profile.body - 1].coordinates[c].unwrap_or(WORDS[c]);
            let single = self.plans[profile.body - 1]
                .coordinates
                .iter()
                .flatten()
                .count()
                == 1;
            let body = &self.names.bodies[profile.body - 1];
            let name = format!("drive_{body}_{}", WORDS[c]);
            let name = self.names.choose(&name, "driver", profile.body);
            let on = if single {
                joint
            } else {
                format!("{joint}.{coordinate}")
            };
            self.out.table("[[driver]]");
            self.out.line(&format!("name = \"{name}\""));
            self.out.line(&format!("on = \"{on}\""));
            self.drivers.push(name);
            // the run starts at zero
            let times: Vec<String> = profile
                .points
                .iter()
                .map(|p| number(p[0] - deck.start))
                .collect();
            let quantity = |x: f64, unit: &str| {
                if c < 3 && x != 0.0 {
                    format!("\"{} {unit}\"", number(x))
                } else {
                    self.length(x)
                }
            };
            let values: Vec<String> = profile
                .points
                .iter()
                .map(|p| quantity(p[1], "deg/s^2"))
                .collect();
            let text = format!(
                "acceleration = {{ time = [{}], value = [{}], velocity = {}, position = {} }}",
                times.join(", "),
                values.join(", "),
                quantity(profile.velocity, "deg/s"),
                quantity(profile.position, "deg"),
            );
            self.out.line(&text);
            if c < 3 {
                let message =
                    "the manual does not give the unit of profiles of angles; degrees are assumed";
                self.diagnostics.push(
                    Diagnostic::warning("profile-unit", message)
                        .at(profile.span, "")
                        .help("if it is in radians, change the unit in the driver"),
                );
            }
        }
    }

    fn tail(&mut self) {
        let deck = self.deck;
        self.out.line("\n# Springs (MOLAR, FORCI) and external forces (FORCE) were FORTRAN routines and are not on the cards:");
        self.out.line("# add [[force]] of type \"joint-spring-damper\", \"bushing\", \"force\" or \"torque\" here.");
        self.out.table("[study]");
        let duration = deck.end - deck.start;
        if deck.start == 0.0 {
            self.out.line(&format!("duration = {}", number(duration)));
        } else {
            let text = format!("duration = {}", number(duration));
            self.out.noted(
                &text,
                &format!("from {} s to {} s on the cards", deck.start, deck.end),
            );
        }
        self.out
            .line(&format!("output_step = {}", number(deck.print)));
        self.out.noted(
            "formulation = \"tree\"",
            "relative coordinates, as in SISMUL",
        );
        self.out.line(&format!(
            "integrator = {{ type = \"rk4-doubling\", tolerance = {:?}, first_step = {:?} }}",
            deck.tolerance, deck.step
        ));
        self.output();
    }

    /// Records everything that SISMUL prints: motions and accelerations of bodies and joints, loads of joints.
    fn output(&mut self) {
        self.out.table("[output]");
        self.out.line(
            "# a name stands for all its signals: positions, velocities, accelerations, reactions",
        );
        let drivers = self.drivers.iter();
        let names = self.names.bodies.iter().chain(&self.names.joints);
        let names = names.chain(drivers).chain(&self.closing);
        let mut lines: Vec<String> = Vec::new();
        for name in names.map(|name| quoted(name)).chain([quoted("energy")]) {
            match lines.last_mut() {
                Some(line) if line.len() + name.len() < 100 => {
                    line.push_str(", ");
                    line.push_str(&name);
                }
                _ => lines.push(name),
            }
        }
        self.out
            .line(&format!("signals = [\n  {},\n]", lines.join(",\n  ")));
    }
}
