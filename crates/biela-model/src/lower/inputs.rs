//! External inputs: signals that are set from outside the model.

use biela_core::model::{Hold, InputElement, Model};

use super::keys::{self, HOLDS};
use super::names::{ElementFamily, NameIndex};
use super::reader::SectionReader;
use super::sensors::si_unit;
use super::values::Context;
use crate::document::Table;

/// Reads every `[[input]]`.
pub(super) fn inputs<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    for table in tables {
        let reader = SectionReader::new(&keys::INPUT, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Input, context);
        let unit = si_unit(&reader.get("unit"), context);
        let unit = unit.map_or_else(|| "1".to_owned(), |(unit, _)| unit);
        let initial = reader.get("initial");
        let initial = initial
            .is_present()
            .then(|| context.number(&initial, &unit));
        let hold = reader.get("hold").one_of(HOLDS).map(|word| word.value);
        let found = Hold::LIST.iter().find(|(word, ..)| Some(*word) == hold);
        model.inputs.push(InputElement {
            name,
            origin: context.origin(reader.span()),
            unit,
            initial: initial.flatten().unwrap_or(0.0),
            hold: found.map_or(Hold::default(), |(_, hold, _)| *hold),
        });
        reader.finish();
    }
}
