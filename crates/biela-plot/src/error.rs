//! Errors of plotting.

use std::fmt;

/// An error of plotting.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum PlotError {
    /// Width or height is not within the limits (in CSS pixels).
    Size {
        /// The requested width.
        width: f64,
        /// The requested height.
        height: f64,
    },
    /// The panels need more height than the figure has.
    TooLow {
        /// The requested height.
        height: f64,
        /// A sufficient height.
        needed: f64,
    },
    /// The scale of a PNG is not positive, or results in too many pixels.
    Scale {
        /// The requested scale.
        scale: f64,
    },
    /// A series has different numbers of x and y values.
    Lengths {
        /// Name of the series.
        series: String,
        /// Number of x values.
        x: usize,
        /// Number of y values.
        y: usize,
    },
    /// The embedded font could not be read.
    Font(String),
    /// The image could not be encoded as PNG.
    Encode(String),
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                f,
                "a figure cannot be {width} × {height} in size: width and height must be from {} to {}",
                crate::figure::SMALLEST_SIDE,
                crate::figure::LARGEST_SIDE,
            ),
            Self::TooLow { height, needed } => write!(
                f,
                "the panels do not fit in a height of {height}: set the height to {needed}, or show fewer panels"
            ),
            Self::Scale { scale } => write!(
                f,
                "a scale of {scale} is invalid: it must be positive, and the picture at most {} million pixels",
                crate::png::MOST_PIXELS / 1_000_000
            ),
            Self::Lengths { series, x, y } => {
                write!(f, "series “{series}” has {x} x values but {y} y values")
            }
            Self::Font(why) => write!(f, "the built-in font cannot be read: {why}"),
            Self::Encode(why) => write!(f, "the picture cannot be encoded as PNG: {why}"),
        }
    }
}

impl std::fmt::Debug for PlotError {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for PlotError {}
