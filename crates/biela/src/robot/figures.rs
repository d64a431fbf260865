//! Figures of time histories.

use biela_plot::{Figure, Panel, PlotError, Series};

use super::{Chart, History};

/// The maximum number of panels of a figure; more would be too small to read.
const MOST_PANELS: usize = 8;

impl History {
    /// The figure over time.
    pub fn figure(&self, title: &str) -> Figure<'_> {
        self.draw_charts(&self.charts, title)
    }

    fn draw_charts(&self, charts: &[Chart], title: &str) -> Figure<'_> {
        let mut figure = Figure::new(title);
        for chart in charts.iter().take(MOST_PANELS) {
            let names: Vec<&str> = chart
                .columns
                .iter()
                .map(|&c| self.columns[c].name.as_str())
                .collect();
            let (prefix, shared) = shared_words(&names);
            let unit = chart.columns.first().map(|&c| shown(&self.columns[c].unit));
            let about = if shared.is_empty() {
                prefix.trim_end_matches('.')
            } else {
                &shared
            };
            let label = format!("{about} ({})", unit.unwrap_or_default());
            let mut panel = Panel::new("time (s)", label.trim_start());
            for (&c, name) in chart.columns.iter().zip(&names) {
                let short = name.strip_prefix(prefix.as_str()).unwrap_or(name);
                let short = short.strip_suffix(shared.as_str()).unwrap_or(short);
                let short = short.trim_matches(['.', '_']);
                let label = if short.is_empty() { name } else { short };
                panel = panel.series(Series::new(
                    label,
                    self.times.as_slice(),
                    self.values[c].as_slice(),
                ));
            }
            figure = figure.panel(panel);
        }
        figure
    }

    /// The figure of the phase planes, if there are any.
    pub fn plane_figure(&self, title: &str) -> Option<Figure<'_>> {
        if self.planes.is_empty() {
            return None;
        }
        let mut figure = Figure::new(title);
        let label = |c: usize| {
            let column = &self.columns[c];
            format!("{} ({})", column.name, shown(&column.unit))
        };
        for &[x, y] in self.planes.iter().take(MOST_PANELS) {
            let panel = Panel::new(label(x), label(y));
            let (x, y) = (self.values[x].as_slice(), self.values[y].as_slice());
            figure = figure.panel(panel.series(Series::new("", x, y)));
        }
        Some(figure)
    }

    /// Returns all figures by file name: `plot`, and if applicable `tracking` and `phase`, each as SVG and PNG.
    pub fn pictures(&self, title: &str) -> Result<Vec<(String, Vec<u8>)>, PlotError> {
        let tracking = (!self.tracking.is_empty()).then(|| self.draw_charts(&self.tracking, title));
        let figures = [
            ("plot", Some(self.figure(title))),
            ("tracking", tracking),
            ("phase", self.plane_figure(title)),
        ];
        let mut pictures = Vec::new();
        for (name, figure) in figures {
            if let Some(figure) = figure {
                pictures.push((format!("{name}.svg"), figure.to_svg()?.into_bytes()));
                pictures.push((format!("{name}.png"), figure.to_png(2.0)?));
            }
        }
        Ok(pictures)
    }
}

/// A unit as it is printed.
fn shown(unit: &str) -> String {
    match unit {
        "1" => "–".to_owned(),
        _ => unit.replace('*', "·").replace("^2", "²"),
    }
}

/// The common prefix of all names up to a dot, and their common word after the last dot.
fn shared_words(names: &[&str]) -> (String, String) {
    let Some(first) = names.first() else {
        return (String::new(), String::new());
    };
    let head = |name: &str| name.split_once('.').map(|(head, _)| format!("{head}."));
    let tail = |name: &str| name.rsplit_once('.').map(|(_, tail)| tail.to_owned());
    let same = |pick: &dyn Fn(&str) -> Option<String>| {
        let wanted = pick(first)?;
        let all = names
            .iter()
            .all(|name| pick(name).as_ref() == Some(&wanted));
        all.then_some(wanted)
    };
    let prefix = if names.len() > 1 { same(&head) } else { None };
    (prefix.unwrap_or_default(), same(&tail).unwrap_or_default())
}
