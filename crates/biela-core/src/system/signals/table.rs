//! The table of the signals of a model, and where a system finds their values.

use std::sync::OnceLock;

use super::{beam, body, constraint, contact, control, force, global, joint};
use crate::element::unit_along;
use crate::model::{
    BeamQuantity, BodyQuantity, ContactQuantity, CouplerIndex, CouplerQuantity, DriverIndex,
    DriverQuantity, EnergyQuantity, ForceIndex, JointIndex, MarkerIndex, Model, NodeQuantity,
    PointQuantity, SectionQuantity, Signal, SolverQuantity, Space, Stage, StationQuantity,
    TrajectoryQuantity,
};
use crate::system::{RowLabel, RowOwner};

/// A signal with its name and unit: a column of the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// `crank.angle`.
    pub name: String,
    /// SI unit, "1" for none.
    pub unit: String,
    /// One-line description.
    pub text: String,
    /// The quantities required to compute it.
    pub stage: Stage,
    /// The signal.
    pub signal: Signal,
}

impl Model {
    /// Returns the signal with a name such as `pin.angle`; `None` if there is none. [`channels`] lists all of them.
    pub fn signal(&self, name: &str) -> Option<Signal> {
        let mut found = list(self, Some(name)).into_iter();
        found.find(|c| c.name == name).map(|c| c.signal)
    }

    pub(super) fn is_angle(&self, joint: JointIndex, k: usize) -> bool {
        self.joints[joint.0].joint.coordinates(self.space)[k].angular
    }
}

/// Returns every signal of a model, in the order of the results; names are unique if the names of elements are.
///
/// ```
/// use biela_core::model::{Body, MassProperties, Model, Space};
/// use biela_core::system::channels;
///
/// let mut model = Model::new("stone", Space::Planar);
/// let _ = model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let speed = channels(&model).into_iter().find(|channel| channel.name == "stone.vx");
/// assert_eq!(speed.ok_or("no such signal")?.unit, "m/s");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn channels(model: &Model) -> Vec<Channel> {
    list(model, None)
}

/// Returns every signal of a model, or only those of the elements to which the `wanted` name can belong.
fn list(model: &Model, wanted: Option<&str>) -> Vec<Channel> {
    let mut list = ChannelList {
        model,
        wanted,
        channels: Vec::new(),
    };
    body::list(&mut list);
    beam::list(&mut list);
    beam::list_exact(&mut list);
    body::list_points(&mut list);
    joint::list(&mut list);
    force::list(&mut list);
    constraint::list_drivers(&mut list);
    constraint::list_couplers(&mut list);
    contact::list(&mut list);
    control::list(&mut list);
    control::list_trajectories(&mut list);
    global::list(&mut list);
    list.channels
}

/// The signals of a model as they are listed.
pub(super) struct ChannelList<'m> {
    pub(super) model: &'m Model,
    wanted: Option<&'m str>,
    channels: Vec<Channel>,
}

impl ChannelList<'_> {
    /// Returns `true` if signals of this element are listed.
    pub(super) fn wants(&self, element: &str) -> bool {
        self.wanted.is_none_or(|name| {
            let rest = name.strip_prefix(element);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    pub(super) fn add(&mut self, name: String, unit: &str, text: String, signal: Signal) {
        self.channels.push(Channel {
            name,
            unit: unit.to_owned(),
            text,
            stage: signal.stage(self.model),
            signal,
        });
    }

    /// Adds the quantities of an element that exist in the space of the model.
    pub(super) fn add_all<'q, Q: Copy + Into<SignalDescription> + 'q>(
        &mut self,
        element: &str,
        quantities: impl IntoIterator<Item = &'q Q>,
        text: impl Fn(&str) -> String,
        signal: impl Fn(Q) -> Signal,
    ) {
        self.add_along(element, false, quantities, text, signal);
    }

    /// Adds the quantities of an element along a length or an angle.
    pub(super) fn add_along<'q, Q: Copy + Into<SignalDescription> + 'q>(
        &mut self,
        element: &str,
        angular: bool,
        quantities: impl IntoIterator<Item = &'q Q>,
        text: impl Fn(&str) -> String,
        signal: impl Fn(Q) -> Signal,
    ) {
        if !self.wants(element) {
            return;
        }
        for &quantity in quantities {
            let described: SignalDescription = quantity.into();
            if let Some(plain) = described.text_in(self.model.space) {
                let name = format!("{element}.{}", described.name);
                let unit = unit_along(described.unit, angular);
                self.add(name, unit, text(plain), signal(quantity));
            }
        }
    }
}

/// The description of a signal, independent of the element that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalDescription {
    /// The name after that of the element.
    pub name: &'static str,
    /// SI unit, "1" for none; of `m|rad` the first along a length, the second along an angle.
    pub unit: &'static str,
    /// The stage at which it is known.
    pub stage: Stage,
    /// One-line description; it ends with the name of a space, in brackets, if only models of this space have the signal.
    pub text: &'static str,
}

impl SignalDescription {
    /// Returns the text without the note on the space; `None` if models of this space do not have the signal.
    fn text_in(&self, space: Space) -> Option<&'static str> {
        let only = |note| self.text.strip_suffix(note);
        match (only(" (planar)"), only(" (spatial)")) {
            (Some(text), _) => (space == Space::Planar).then_some(text),
            (_, Some(text)) => (space == Space::Spatial).then_some(text),
            _ => Some(self.text),
        }
    }
}

/// The signals of a family of elements.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalFamily {
    /// The elements.
    pub title: &'static str,
    /// The start of the names, with the names of elements in capitals: `BODY.`.
    pub prefix: &'static str,
    /// The signals, in the order of the results.
    pub signals: Vec<SignalDescription>,
}

/// Returns the signals of all families of elements, for reference.
///
/// ```
/// use biela_core::system::signal_families;
///
/// let families = signal_families();
/// let joints = families.iter().find(|family| family.title == "Joints").ok_or("no joints")?;
/// assert_eq!(joints.signals[1].name, "rate");
/// # Ok::<(), &str>(())
/// ```
pub fn signal_families() -> Vec<SignalFamily> {
    fn of<Q: Copy + Into<SignalDescription>>(all: &[Q]) -> Vec<SignalDescription> {
        all.iter().map(|q| (*q).into()).collect()
    }
    let families = [
        ("Bodies", "BODY.", of(BodyQuantity::ALL)),
        ("Points", "BODY.POINT.", of(PointQuantity::ALL)),
        ("Beams", "BEAM.", of(BeamQuantity::ALL)),
        (
            "Nodes of beams, N from 0",
            "BEAM.nodeN.",
            of(NodeQuantity::ALL),
        ),
        (
            "Stations of beams, in addition to the signals of points",
            "BEAM.PLACE.",
            of(StationQuantity::ALL),
        ),
        (
            "Stations of exact beams, in addition to the signals of points",
            "BEAM.PLACE.",
            of(SectionQuantity::ALL),
        ),
        ("Joints", "JOINT.", joint::descriptions()),
        ("Forces", "FORCE.", force::descriptions()),
        ("Drivers", "DRIVER.", of(DriverQuantity::ALL)),
        ("Couplers", "COUPLER.", of(CouplerQuantity::ALL)),
        ("Contacts", "CONTACT.", of(ContactQuantity::ALL)),
        ("Controllers", "CONTROLLER.", vec![control::OUTPUT]),
        (
            "Trajectories",
            "TRAJECTORY.JOINT",
            of(TrajectoryQuantity::ALL),
        ),
        ("Energy", "energy.", of(EnergyQuantity::ALL)),
        ("The run", "system.", of(SolverQuantity::ALL)),
    ];
    let family = |(title, prefix, signals)| SignalFamily {
        title,
        prefix,
        signals,
    };
    families.into_iter().map(family).collect()
}

/// The signals of a model with an index by name.
#[derive(Debug)]
pub struct SignalTable {
    channels: Vec<Channel>,
    /// Indices of the channels sorted by name.
    sorted: Vec<usize>,
}

impl SignalTable {
    /// Creates the table of a model.
    pub fn new(model: &Model) -> Self {
        let channels = channels(model);
        let mut sorted: Vec<usize> = (0..channels.len()).collect();
        sorted.sort_by(|&a, &b| channels[a].name.cmp(&channels[b].name));
        SignalTable { channels, sorted }
    }

    /// All signals, in the order of the results.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Returns the signal with this name.
    pub fn find(&self, name: &str) -> Option<&Channel> {
        let channel = &self.channels[*self.sorted.get(self.first_from(name))?];
        (channel.name == name).then_some(channel)
    }

    /// Returns the signals whose names start with `prefix` and a dot, in the order of the results.
    pub fn below(&self, prefix: &str) -> Vec<&Channel> {
        let prefix = format!("{prefix}.");
        let from = &self.sorted[self.first_from(&prefix)..];
        let below = |at: &&usize| self.channels[**at].name.starts_with(&prefix);
        let mut found: Vec<usize> = from.iter().take_while(below).copied().collect();
        found.sort_unstable();
        found.into_iter().map(|at| &self.channels[at]).collect()
    }

    /// Returns the description of a signal; `None` for the time and for signals of another model.
    pub fn describe(&self, signal: Signal) -> Option<&Channel> {
        self.channels.iter().find(|c| c.signal == signal)
    }

    fn first_from(&self, name: &str) -> usize {
        self.sorted
            .partition_point(|&at| self.channels[at].name.as_str() < name)
    }
}

/// The signals of a system: their table, and the indices at which an evaluation finds their values.
#[derive(Debug)]
pub struct SystemSignals {
    /// The marker of each body's own frame.
    markers: Vec<MarkerIndex>,
    /// The work integral of each force, if it has one.
    works: Vec<Option<usize>>,
    /// The index of each force among those with friction.
    normals: Vec<usize>,
    /// The row of each driver.
    drivers: Vec<Option<usize>>,
    /// The row of each coupler.
    couplers: Vec<Option<usize>>,
    /// The stage of each sensor.
    sensors: Vec<Stage>,
    /// Created when a name is looked up.
    table: OnceLock<SignalTable>,
}

impl SystemSignals {
    /// Finds the values of the signals of a system with these constraint rows.
    pub fn new(model: &Model, rows: &[RowLabel]) -> Self {
        let mut signals = SystemSignals {
            markers: vec![MarkerIndex::GROUND; model.bodies.len()],
            works: Vec::with_capacity(model.forces.len()),
            normals: Vec::with_capacity(model.forces.len()),
            drivers: vec![None; model.drivers.len()],
            couplers: vec![None; model.couplers.len()],
            sensors: Vec::with_capacity(model.sensors.len()),
            table: OnceLock::new(),
        };
        // the first such marker of each body
        for (m, marker) in model.markers.iter().enumerate().rev() {
            if let (Some(b), true) = (marker.body.number(), marker.name.is_empty()) {
                signals.markers[b] = MarkerIndex(m);
            }
        }
        let (mut works, mut normals) = (0, 0);
        for element in &model.forces {
            let dissipates = element.force.dissipates();
            signals.works.push(dissipates.then_some(works));
            signals.normals.push(normals);
            works += usize::from(dissipates);
            normals += usize::from(element.force.friction().is_some());
        }
        for (row, label) in rows.iter().enumerate().rev() {
            match label.owner {
                RowOwner::Driver(d) => signals.drivers[d.0] = Some(row),
                RowOwner::Coupler(c) => signals.couplers[c.0] = Some(row),
                RowOwner::Joint(_) | RowOwner::Unilateral(..) => {}
            }
        }
        let sensors = model.sensors.iter();
        let stages = sensors.map(|sensor| control::law_stage(model, &sensor.law));
        signals.sensors.extend(stages);
        signals
    }

    /// Returns the stage of the evaluation after which a signal is known.
    pub(crate) fn stage(&self, model: &Model, signal: Signal) -> Stage {
        match signal {
            Signal::Sensor(k) => self.sensors[k],
            _ => signal.stage(model),
        }
    }

    pub(in crate::system) fn table(&self, model: &Model) -> &SignalTable {
        self.table.get_or_init(|| SignalTable::new(model))
    }

    pub(super) fn body_marker(&self, body: usize) -> MarkerIndex {
        self.markers[body]
    }

    pub(super) fn work_slot(&self, force: ForceIndex) -> Option<usize> {
        self.works[force.0]
    }

    pub(crate) fn normal_slot(&self, force: ForceIndex) -> usize {
        self.normals[force.0]
    }

    pub(super) fn driver_row(&self, driver: DriverIndex) -> Option<usize> {
        self.drivers[driver.0]
    }

    pub(super) fn coupler_row(&self, coupler: CouplerIndex) -> Option<usize> {
        self.couplers[coupler.0]
    }
}
