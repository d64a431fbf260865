//! Signals by name, for formulas and results.

use std::collections::BTreeMap;

use biela_core::model::{Model, Signal, Stage};
use biela_core::system::SignalTable;

use super::names::NameIndex;
use super::values::dimension_of;
use crate::suggest::did_you_mean;
use crate::units::Dimension;

/// The maximum number of names that are compared with a misspelt one.
const MOST_COMPARED: usize = 2000;

/// First parts of signal names that are not elements.
const OF_THE_MODEL: &[&str] = &["energy", "system"];

/// The signals of a model by name; sensors are added as they become known.
pub(super) struct Signals<'n> {
    table: SignalTable,
    sensors: BTreeMap<String, Sensed>,
    names: &'n NameIndex,
}

/// A sensor that formulas can read.
#[derive(Clone, Copy)]
pub(super) struct Sensed {
    pub(super) index: usize,
    pub(super) dimension: Option<Dimension>,
    pub(super) stage: Stage,
}

/// The meaning of a name among signals.
pub(super) enum Lookup {
    Found {
        signal: Signal,
        dimension: Option<Dimension>,
        stage: Stage,
    },
    /// Its element is invalid, which was reported.
    Broken,
    Unknown,
}

impl<'n> Signals<'n> {
    pub(super) fn new(model: &Model, names: &'n NameIndex) -> Self {
        Self {
            table: SignalTable::new(model),
            sensors: BTreeMap::new(),
            names,
        }
    }

    pub(super) fn add_sensor(&mut self, name: &str, sensed: Sensed) {
        let _ = self.sensors.insert(name.to_owned(), sensed);
    }

    /// Looks up a signal by name.
    pub(super) fn find(&self, name: &str) -> Lookup {
        if let Some(sensed) = self.sensors.get(name) {
            return Lookup::Found {
                signal: Signal::Sensor(sensed.index),
                dimension: sensed.dimension,
                stage: sensed.stage,
            };
        }
        if let Some(channel) = self.table.find(name) {
            return Lookup::Found {
                signal: channel.signal,
                // the unit "1" is also used for one that depends on the coordinate
                dimension: dimension_of(&channel.unit).filter(|_| channel.unit != "1"),
                stage: channel.stage,
            };
        }
        let (element, _) = self.names.split(name);
        match self.names.is_broken(element) {
            Some(true) => Lookup::Broken,
            _ => Lookup::Unknown,
        }
    }

    /// The table of the signals without sensors.
    pub(super) fn table(&self) -> &SignalTable {
        &self.table
    }

    /// The possible first parts of signal names.
    pub(super) fn elements(&self) -> impl Iterator<Item = &str> + Clone {
        self.names.all().chain(OF_THE_MODEL.iter().copied())
    }

    /// Returns `true` if the element of a signal is invalid.
    pub(super) fn is_broken(&self, name: &str) -> bool {
        matches!(self.find(name), Lookup::Broken)
    }

    /// Candidates for a misspelt name: the signals of its element, or of the most similar element.
    pub(super) fn near(&self, name: &str) -> Vec<String> {
        let (element, _) = self.names.split(name);
        let elements = || self.elements();
        let exact = elements().find(|known| *known == element);
        let mut names: Vec<String> = self.sensors.keys().take(MOST_COMPARED).cloned().collect();
        if let Some(element) = exact.or_else(|| did_you_mean(element, elements())) {
            let below = self.table.below(element);
            names.extend(
                below
                    .iter()
                    .take(MOST_COMPARED)
                    .map(|channel| channel.name.clone()),
            );
        }
        names
    }
}
