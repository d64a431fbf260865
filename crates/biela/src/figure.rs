//! Figures of results: panels, axis labels and event marks.

use biela_core::model::ContactQuantity;
use biela_model::suggest::did_you_mean;
use biela_plot::{
    Color, Dash, Figure, LineShape, MarkerShape, Panel, PlotError, Series, SeriesStyle, Sketch,
    Tile,
};
use biela_record::{RecordedColumn, Results};

/// The maximum number of panels of the default plot; [`PlotPanels::left_out`] returns the number of omitted signals.
const MOST_PANELS: usize = 8;
/// The maximum number of signals in a panel of the default plot.
const MOST_SIGNALS: usize = 8;
/// The maximum number of event marks; beyond it none are drawn.
const MOST_MARKS: usize = 60;

/// The states of a contact: value of its signal, word, and colour of its band.
const STATES: [(f64, &str, Option<u32>); 3] = [
    (0.0, "open", None),
    (1.0, "stick", Some(0x0b_5c_b8)),
    (2.0, "slip", Some(0xdb_5c_00)),
];
/// Half of the height of a band; the distance of bands is 1.
const BAND: f64 = 0.32;
/// A panel has room for at least this number of bands.
const FEWEST_ROWS: f64 = 3.0;

/// A signal that does not exist in the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSignal {
    /// The requested name.
    pub name: String,
    /// A similar name to suggest.
    pub near: Option<String>,
}

/// An error in the request for a figure.
#[derive(Clone, PartialEq)]
pub enum PlotPanelsError {
    /// The results do not contain these signals.
    Unknown(Vec<UnknownSignal>),
    /// The results contain no signal except time.
    Empty,
    /// The figure cannot be drawn.
    Plot(PlotError),
}

impl std::fmt::Display for PlotPanelsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlotPanelsError::Unknown(signals) => {
                let texts = signals.iter().map(|signal| match &signal.near {
                    Some(near) => {
                        format!("no signal `{}`; did you mean `{near}`?", signal.name)
                    }
                    None => format!("no signal `{}`", signal.name),
                });
                let names: Vec<&str> = signals.iter().map(|s| s.name.as_str()).collect();
                let names = names.join(",");
                write!(
                    f,
                    "{}\nonly recorded signals can be plotted; to record {names}, add them to `signals` of [output]",
                    texts.collect::<Vec<_>>().join("\n")
                )
            }
            PlotPanelsError::Empty => f.write_str("the results contain no signals"),
            PlotPanelsError::Plot(error) => error.fmt(f),
        }
    }
}

biela_core::readable_errors!(PlotPanelsError);

impl From<PlotError> for PlotPanelsError {
    fn from(error: PlotError) -> Self {
        PlotPanelsError::Plot(error)
    }
}

/// A selection of signals by panel, over time or over another signal.
#[derive(Clone, Debug)]
pub struct PlotPanels<'r> {
    results: &'r Results,
    x: usize,
    panels: Vec<Vec<usize>>,
    left_out: usize,
}

impl<'r> PlotPanels<'r> {
    /// Selects the signals of each panel by name; a name may also select all signals below it, such as `pin.reaction`.
    pub fn of_panels<S: AsRef<str>>(
        results: &'r Results,
        panels: &[Vec<S>],
    ) -> Result<Self, PlotPanelsError> {
        let mut unknown = Vec::new();
        let mut found = Vec::new();
        for panel in panels {
            let mut columns = Vec::new();
            for name in panel {
                match lookup(results, name.as_ref()) {
                    Ok(list) => columns.extend(list),
                    Err(signal) => unknown.push(signal),
                }
            }
            found.push(columns);
        }
        if !unknown.is_empty() {
            return Err(PlotPanelsError::Unknown(unknown));
        }
        Ok(Self::new(results, found))
    }

    /// Selects signals and groups them by unit.
    pub fn of_signals<S: AsRef<str>>(
        results: &'r Results,
        names: &[S],
    ) -> Result<Self, PlotPanelsError> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let one = Self::of_panels(results, &[names])?;
        let columns = one.panels.into_iter().flatten().collect();
        Ok(Self::new(results, by_unit(results, columns)))
    }

    /// Selects the panels defined in the model, otherwise [`PlotPanels::of_all`].
    pub fn of_results(results: &'r Results) -> Result<Self, PlotPanelsError> {
        let asked = results.manifest().and_then(|m| m.options.get("plot"));
        let panels: Vec<Vec<&str>> = asked
            .and_then(|panels| panels.as_array())
            .into_iter()
            .flatten()
            .filter_map(|panel| panel.as_array())
            .map(|panel| panel.iter().filter_map(|name| name.as_str()).collect())
            .collect();
        match Self::of_panels(results, &panels) {
            Ok(view) if !panels.is_empty() => Ok(view),
            _ => Self::of_all(results),
        }
    }

    /// Selects all signals, grouped by unit, as many as are distinguishable.
    pub fn of_all(results: &'r Results) -> Result<Self, PlotPanelsError> {
        let columns: Vec<usize> = (1..results.columns().len()).collect();
        if columns.is_empty() {
            return Err(PlotPanelsError::Empty);
        }
        let all = columns.len();
        let mut panels = by_unit(results, columns);
        panels.truncate(MOST_PANELS);
        for panel in &mut panels {
            panel.truncate(MOST_SIGNALS);
        }
        let shown: usize = panels.iter().map(Vec::len).sum();
        let view = Self::new(results, panels);
        Ok(Self {
            left_out: all - shown,
            ..view
        })
    }

    fn new(results: &'r Results, panels: Vec<Vec<usize>>) -> Self {
        Self {
            results,
            x: 0,
            panels,
            left_out: 0,
        }
    }

    /// Plots over another signal instead of time.
    pub fn over(mut self, name: &str) -> Result<Self, PlotPanelsError> {
        match lookup(self.results, name).as_deref() {
            Ok([one]) => self.x = *one,
            Ok(_) => return Err(unknown(self.results, name)),
            Err(signal) => return Err(PlotPanelsError::Unknown(vec![signal.clone()])),
        }
        Ok(self)
    }

    /// The number of signals that the default plot omits.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the figure, with the events of the run if x is time.
    pub fn figure(&self, title: &str) -> Figure<'r> {
        let mut figure = Figure::new(title);
        let x = &self.results.columns()[self.x];
        for (place, columns) in self.panels.iter().enumerate() {
            let mut panel = Panel::new(axis_label([x]), axis_label(self.named(columns)));
            if self.x == 0 && self.named(columns).all(is_contact_state) {
                self.add_bands(&mut panel, columns);
            } else {
                panel.series = self.series(columns);
            }
            // equal scales preserve the shape of a path in space
            panel.equal_aspect = x.unit == "m" && self.named(columns).all(|c| c.unit == "m");
            if self.x == 0 {
                let events = self.results.manifest().map_or(&[][..], |m| &m.events);
                if events.len() <= MOST_MARKS {
                    for event in events {
                        // labelled once, at the top; the line spans all panels
                        let name = if place == 0 { event.name.as_str() } else { "" };
                        panel = panel.mark(event.time, name);
                    }
                }
            }
            figure = figure.panel(panel);
        }
        figure
    }

    /// The panels as text for a terminal that is `width` characters wide.
    pub fn sketch(&self, width: usize, color: bool) -> Result<String, PlotPanelsError> {
        let x = &self.results.columns()[self.x];
        let height = if self.panels.len() > 2 { 8 } else { 12 };
        let mut text = String::new();
        for columns in &self.panels {
            let mut sketch = Sketch {
                width,
                height,
                x_label: axis_label([x]),
                y_label: axis_label(self.named(columns)),
                y_names: Vec::new(),
                color,
            };
            let mut series = self.series(columns);
            if self.named(columns).all(is_contact_state) {
                let words = STATES
                    .iter()
                    .map(|(value, word, _)| (*value, (*word).to_owned()));
                sketch.y_names = words.collect();
                for one in &mut series {
                    one.style.line = LineShape::Steps;
                }
            }
            text += &sketch.draw(&series)?;
            text.push('\n');
        }
        Ok(text)
    }

    /// Adds a band for each contact whose state is among the columns: empty while it is open, coloured in stick and in slip, with marks at impacts.
    fn add_bands(&self, panel: &mut Panel<'r>, columns: &[usize]) {
        let values = |column: usize| self.results.series(column).unwrap_or_default();
        let (time, all) = (values(0), self.results.columns());
        let mut impacts = (Vec::new(), Vec::new());
        for (row, column) in columns.iter().enumerate() {
            let (y, state) = (-(row as f64), values(*column));
            let contact = all[*column].name.trim_end_matches(".state");
            panel.y_names.push((y, contact.to_owned()));
            let mut start = 0;
            for k in 1..=state.len() {
                if k < state.len() && state[k].to_bits() == state[start].to_bits() {
                    continue;
                }
                let end = time.get(k).or(time.last());
                let color = STATES
                    .iter()
                    .find(|one| one.0.to_bits() == state[start].to_bits());
                if let (Some(end), Some((_, _, Some(color)))) = (end, color) {
                    let color = Color::hex(*color);
                    panel.tiles.push(Tile {
                        x: (time[start], *end),
                        y: (y - BAND, y + BAND),
                        color,
                    });
                }
                start = k;
            }
            let counts = lookup(self.results, &format!("{contact}.impacts"));
            let counts = counts.map_or(&[][..], |found| values(found[0]));
            let pairs = counts.windows(2).zip(time.get(1..).unwrap_or_default());
            for (_, time) in pairs.filter(|(pair, _)| pair[1] > pair[0]) {
                impacts.0.push(*time);
                impacts.1.push(y);
            }
        }
        let rows = columns.len() as f64;
        let margin = 0.5 * (FEWEST_ROWS - rows).max(0.0);
        panel.y_range = Some((0.5 - rows - margin, 0.5 + margin));
        panel.x_range = time.first().copied().zip(time.last().copied());
        for (_, word, color) in STATES.iter().filter(|(_, _, color)| color.is_some()) {
            let style = SeriesStyle {
                color: color.map(Color::hex),
                width: Some(5.0),
                dash: Some(Dash::Solid),
                ..SeriesStyle::default()
            };
            let legend = Series::new(*word, Vec::new(), Vec::new());
            panel.series.push(legend.style(style));
        }
        if !impacts.0.is_empty() {
            let style = SeriesStyle {
                color: Some(Color::hex(0x20_20_20)),
                line: LineShape::None,
                marker: Some(MarkerShape::Triangle),
                ..SeriesStyle::default()
            };
            panel
                .series
                .push(Series::new("impact", impacts.0, impacts.1).style(style));
        }
    }

    fn named(&self, columns: &[usize]) -> impl Iterator<Item = &'r RecordedColumn> + use<'r> {
        let all = self.results.columns();
        let named: Vec<&'r RecordedColumn> = columns.iter().map(|c| &all[*c]).collect();
        named.into_iter()
    }

    fn series(&self, columns: &[usize]) -> Vec<Series<'r>> {
        let values = |column: usize| self.results.series(column).unwrap_or_default();
        let x = values(self.x);
        columns
            .iter()
            .map(|&c| Series::new(self.results.columns()[c].name.as_str(), x, values(c)))
            .collect()
    }
}

/// The column with a name, or all columns below it.
fn lookup(results: &Results, name: &str) -> Result<Vec<usize>, UnknownSignal> {
    let columns = || results.columns().iter().enumerate();
    if let Some((index, _)) = columns().find(|(_, column)| column.name == name) {
        return Ok(vec![index]);
    }
    let below = |column: &RecordedColumn| {
        let rest = column.name.strip_prefix(name);
        !name.is_empty() && rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let found: Vec<usize> = columns()
        .filter(|(_, column)| below(column))
        .map(|(index, _)| index)
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let near = did_you_mean(name, results.columns().iter().map(|c| c.name.as_str()));
    Err(UnknownSignal {
        name: name.to_owned(),
        near: near.map(str::to_owned),
    })
}

fn unknown(results: &Results, name: &str) -> PlotPanelsError {
    let first = results
        .columns()
        .iter()
        .find(|column| column.name.starts_with(name));
    PlotPanelsError::Unknown(vec![UnknownSignal {
        name: name.to_owned(),
        near: first.map(|column| column.name.clone()),
    }])
}

/// One panel per unit, in the order of first occurrence.
fn by_unit(results: &Results, columns: Vec<usize>) -> Vec<Vec<usize>> {
    let all = results.columns();
    // dimensionless errors and parameters are unrelated; each kind of error gets its own panel
    let key = |index: usize| {
        let column = &all[index];
        let alone = is_bare(&column.unit) && column.name.starts_with("system.");
        let own = if alone {
            column.name.as_str()
        } else if is_contact_state(column) {
            "state"
        } else {
            ""
        };
        (column.unit.as_str(), own)
    };
    let mut panels: Vec<Vec<usize>> = Vec::new();
    for column in columns {
        match panels.iter_mut().find(|panel| key(panel[0]) == key(column)) {
            Some(panel) => panel.push(column),
            None => panels.push(vec![column]),
        }
    }
    panels
}

/// Whether a column is the state of a contact.
fn is_contact_state(column: &RecordedColumn) -> bool {
    let quantity = ContactQuantity::State;
    let named = column.name.ends_with(&format!(".{}", quantity.name()));
    named && column.description.starts_with(quantity.text())
}

fn is_bare(unit: &str) -> bool {
    unit.is_empty() || unit == "1"
}

/// The name of the quantity for each unit.
const QUANTITIES: &[(&str, &str)] = &[
    ("s", "time"),
    ("m", "length"),
    ("m/s", "velocity"),
    ("m/s^2", "acceleration"),
    ("rad", "angle"),
    ("rad/s", "angular velocity"),
    ("rad/s^2", "angular acceleration"),
    ("N", "force"),
    ("N*m", "moment"),
    ("J", "energy"),
    ("W", "power"),
    ("kg*m/s", "momentum"),
    ("kg*m^2/s", "angular momentum"),
];

/// Quantity and unit: the last word of the names if they share it, otherwise the quantity of the unit; units alone if they differ.
fn axis_label<'c>(columns: impl IntoIterator<Item = &'c RecordedColumn>) -> String {
    let columns: Vec<&RecordedColumn> = columns.into_iter().collect();
    let last = |column: &'c RecordedColumn| column.name.rsplit('.').next().unwrap_or("");
    let Some(first) = columns.first() else {
        return String::new();
    };
    if columns
        .iter()
        .all(|c| last(c) == last(first) && c.unit == first.unit)
    {
        return with_unit(&last(first).replace('_', " "), &first.unit);
    }
    let mut units: Vec<&str> = Vec::new();
    for column in &columns {
        if !units.contains(&column.unit.as_str()) {
            units.push(&column.unit);
        }
    }
    if units.len() > 1 {
        let units = units.iter().filter(|unit| !is_bare(unit));
        return units
            .map(|unit| pretty(unit))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let known = QUANTITIES.iter().find(|(unit, _)| *unit == first.unit);
    let are_places = columns.iter().all(|c| matches!(last(c), "x" | "y" | "z"));
    let word = match known {
        Some(("m", _)) if are_places => "position",
        Some((_, word)) => word,
        None => "",
    };
    with_unit(word, &first.unit)
}

fn with_unit(word: &str, unit: &str) -> String {
    match (word, is_bare(unit)) {
        (_, true) => word.to_owned(),
        ("", false) => pretty(unit),
        _ => format!("{word} ({})", pretty(unit)),
    }
}

/// A unit as it is printed: N·m, m/s².
fn pretty(unit: &str) -> String {
    unit.replace('*', "·").replace("^2", "²").replace("^3", "³")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(columns: &[(&str, &str)]) -> String {
        let columns: Vec<RecordedColumn> = columns
            .iter()
            .map(|(name, unit)| RecordedColumn::new(*name, *unit, ""))
            .collect();
        axis_label(&columns)
    }

    #[test]
    fn axis_labels_contain_quantity_and_unit() {
        assert_eq!(
            label(&[("pin.angle", "rad"), ("arm.angle", "rad")]),
            "angle (rad)"
        );
        assert_eq!(
            label(&[("pin.reaction.fx", "N"), ("pin.reaction.fy", "N")]),
            "force (N)"
        );
        assert_eq!(label(&[("arm.ax", "m/s^2")]), "ax (m/s²)");
        assert_eq!(label(&[("a.c", "N/m"), ("a.d", "N/m")]), "N/m");
        assert_eq!(label(&[("system.position_error", "1")]), "position error");
        assert_eq!(label(&[("a.x", "m"), ("a.y", "m")]), "position (m)");
        assert_eq!(label(&[("a.x", "m"), ("a.angle", "rad")]), "m, rad");
        assert_eq!(label(&[("a.e0", "1"), ("a.e1", "1")]), "");
        assert_eq!(label(&[("motor.effort", "N*m")]), "effort (N·m)");
    }
}
