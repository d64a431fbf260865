//! Event marks: a vertical line through the panel and a flag with the label above it.

use crate::{
    Panel,
    axis::PlotAxis,
    canvas::Rect,
    font::{Font, printable},
};

/// The maximum number of rows of flags above a panel.
pub(crate) const MOST_ROWS: usize = 3;

/// The maximum width of a label, relative to its font size.
const WIDEST: f64 = 16.0;

/// Space between line and label.
pub(crate) const POLE_GAP: f64 = 3.0;

/// A placed event mark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flag {
    pub(crate) x: f64,
    pub(crate) label: String,
    /// Counted upwards from the frame; `None` if no row has space for the label.
    pub(crate) row: Option<usize>,
    /// Set if the label is left of the line, because there is no space on the right.
    pub(crate) leftwards: bool,
    from: f64,
    to: f64,
}

impl Flag {
    /// Returns `true` if label or line of the two would overlap in these rows.
    fn touches(&self, row: usize, other: &Self) -> bool {
        let Some(other_row) = other.row else {
            return false;
        };
        match row.cmp(&other_row) {
            std::cmp::Ordering::Equal => self.from < other.to && other.from < self.to,
            std::cmp::Ordering::Greater => other.from < self.x && self.x < other.to,
            std::cmp::Ordering::Less => self.from < other.x && other.x < self.to,
        }
    }
}

/// The space for labels above a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strip {
    pub(crate) rows: usize,
    /// The right end of labels.
    pub(crate) right: f64,
    /// The left limit of lines and of the labels of the lowest row, after the multiplier of the y axis.
    pub(crate) left: f64,
}

/// Places the visible marks.
pub(crate) fn flags(
    panel: &Panel<'_>,
    axis: &PlotAxis,
    frame: &Rect,
    strip: Strip,
    size: f64,
    font: &Font,
) -> Vec<Flag> {
    let in_view = |x: &f64| (axis.low..=axis.high).contains(x);
    let mut marks: Vec<_> = panel.marks.iter().filter(|mark| in_view(&mark.x)).collect();
    // from the right, so that flags to the right leave the lines on their left free
    marks.sort_by(|a, b| b.x.total_cmp(&a.x));
    let (mut labelled, mut bare): (Vec<Flag>, Vec<Flag>) = (Vec::new(), Vec::new());
    for mark in marks {
        let x = frame.left + axis.place(mark.x) * frame.width();
        let label = font.shortened(&printable(&mark.label), size, WIDEST * size);
        let width = font.width(&label, size) + 3.0 * POLE_GAP;
        let leftwards = x + width > strip.right;
        let (from, to) = if leftwards {
            (x - width, x)
        } else {
            (x, x + width)
        };
        let mut flag = Flag {
            x,
            label,
            row: None,
            leftwards,
            from,
            to,
        };
        if !flag.label.is_empty() {
            let clear = |row: usize| {
                let left = if row == 0 { flag.from } else { flag.x };
                left >= strip.left
            };
            let free = |row: usize| labelled.iter().all(|other| !flag.touches(row, other));
            flag.row = (0..strip.rows).find(|row| clear(*row) && free(*row));
        }
        if flag.row.is_some() {
            labelled.push(flag);
        } else if bare.last().is_none_or(|last| last.x - flag.x >= 1.0) {
            bare.push(flag);
        }
    }
    labelled.append(&mut bare);
    labelled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::AxisScale;
    use proptest::prelude::*;

    const STRIP: Strip = Strip {
        rows: MOST_ROWS,
        right: 790.0,
        left: 90.0,
    };

    proptest! {
        #[test]
        fn no_label_overlaps_another_or_a_line(xs in prop::collection::vec(0.0..1.0_f64, 0..12), long in 1..20_usize) {
            let font = Font::load().unwrap();
            let mut panel = Panel::new("", "");
            for (i, x) in xs.iter().enumerate() {
                panel = panel.mark(*x, "event".repeat(1 + (i * 7) % long));
            }
            let frame = Rect { left: 50.0, top: 0.0, right: 750.0, bottom: 100.0 };
            let axis = PlotAxis { scale: AxisScale::Linear, low: 0.0, high: 1.0 };
            let flags = flags(&panel, &axis, &frame, STRIP, 11.0, &font);
            prop_assert!(flags.len() <= xs.len() && flags.is_empty() == xs.is_empty());
            for (i, flag) in flags.iter().enumerate() {
                let Some(row) = flag.row else { continue };
                prop_assert!(flag.to <= 790.0 && (row > 0 || flag.from >= 90.0));
                prop_assert!(flags[..i].iter().all(|other| !flag.touches(row, other)));
            }
        }
    }

    #[test]
    fn marks_out_of_view_are_omitted_and_isolated_ones_are_lowest() {
        let font = Font::load().unwrap();
        let panel = Panel::new("", "")
            .mark(f64::NAN, "never")
            .mark(7.0, "late")
            .mark(0.5, "impact");
        let frame = Rect {
            left: 50.0,
            top: 0.0,
            right: 750.0,
            bottom: 100.0,
        };
        let axis = PlotAxis {
            scale: AxisScale::Linear,
            low: 0.0,
            high: 1.0,
        };
        let flags = flags(&panel, &axis, &frame, STRIP, 11.0, &font);
        assert_eq!(flags.len(), 1);
        assert_eq!(
            (flags[0].label.as_str(), flags[0].row, flags[0].x),
            ("impact", Some(0), 400.0)
        );
    }
}
