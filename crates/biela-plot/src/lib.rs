//! Line plots for time series and trajectories, as SVG, PNG or a sketch on the terminal, without a browser.
//!
//! ```
//! use biela_plot::{Figure, Panel, Series};
//!
//! let time: Vec<f64> = (0..500).map(|i| f64::from(i) * 1e-3).collect();
//! let angle: Vec<f64> = time.iter().map(|t| (20.0 * t).sin()).collect();
//! let panel = Panel::new("time (s)", "angle (rad)")
//!     .series(Series::new("crank", &time, &angle))
//!     .mark(0.2, "release");
//! let figure = Figure::new("slider-crank").panel(panel);
//! let svg = figure.to_svg()?;
//! let png = figure.to_png(2.0)?;
//! # assert!(svg.starts_with("<svg") && png.starts_with(b"\x89PNG"));
//! # Ok::<(), biela_plot::PlotError>(())
//! ```
//!
//! Both formats use one layout: text is measured with the embedded font, and equal data produce equal bytes. For any number of points in a series, the image
//! contains only those that it can show, including every peak.

mod axis;
mod canvas;
mod draw;
mod error;
mod figure;
mod font;
mod layout;
mod legend;
mod marks;
mod png;
mod sketch;
mod svg;
mod theme;
mod ticks;
mod trace;

pub use error::PlotError;
pub use figure::{EventMark, Figure, LineShape, MarkerShape, Panel, Series, SeriesStyle, Tile};
pub use sketch::Sketch;
pub use theme::{Color, Dash, Theme};
