//! Colours, dashes and sizes.

use std::fmt;

/// An opaque colour in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Color {
    /// The colour `0xRRGGBB`; higher bits are ignored.
    pub const fn hex(rgb: u32) -> Self {
        Self {
            r: (rgb >> 16) as u8,
            g: (rgb >> 8) as u8,
            b: rgb as u8,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// The dash pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// One unbroken line.
    Solid,
    /// Long strokes.
    Dashed,
    /// Alternating strokes and dots.
    DashDotted,
    /// Short strokes.
    Dotted,
}

impl Dash {
    const CYCLE: [Self; 4] = [Self::Solid, Self::Dashed, Self::DashDotted, Self::Dotted];

    /// Alternating lengths of stroke and gap, in line widths.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[4.5, 2.5],
            Self::DashDotted => &[5.0, 2.0, 1.2, 2.0],
            Self::Dotted => &[1.2, 1.8],
        }
    }
}

/// Colours and sizes of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Background colour.
    pub background: Color,
    /// Text and frames.
    pub foreground: Color,
    /// Subtitle, event marks and remarks.
    pub muted: Color,
    /// Grid lines.
    pub grid: Color,
    /// Colours of the series; they repeat with another dash pattern.
    pub palette: Vec<Color>,
    /// Font size, from 6 to 40.
    pub font_size: f64,
    /// Width of the data lines, from 0.1 to 20.
    pub line_width: f64,
}

/// The colours of Okabe and Ito, distinguishable with any colour vision, in order of contrast on white; without their yellow, which is too pale there.
const ON_WHITE: [Color; 7] = [
    Color::hex(0x00_72b2),
    Color::hex(0xd5_5e00),
    Color::hex(0x00_9e73),
    Color::hex(0xcc_79a7),
    Color::hex(0x00_0000),
    Color::hex(0xe6_9f00),
    Color::hex(0x56_b4e9),
];

/// The same colours on a dark background, without their blue and black, which are too dark there.
const ON_DARK: [Color; 7] = [
    Color::hex(0x56_b4e9),
    Color::hex(0xe6_9f00),
    Color::hex(0x00_9e73),
    Color::hex(0xf0_e442),
    Color::hex(0xcc_79a7),
    Color::hex(0xff_ffff),
    Color::hex(0xd5_5e00),
];

impl Theme {
    /// Dark lines on white.
    pub fn light() -> Self {
        Self {
            background: Color::hex(0xff_ffff),
            foreground: Color::hex(0x22_2222),
            muted: Color::hex(0x66_6666),
            grid: Color::hex(0xe4_e4e4),
            palette: ON_WHITE.to_vec(),
            font_size: 12.0,
            line_width: 1.6,
        }
    }

    /// Light lines on a dark background.
    pub fn dark() -> Self {
        Self {
            background: Color::hex(0x16_181d),
            foreground: Color::hex(0xe6_e6e6),
            muted: Color::hex(0xa0_a4ab),
            grid: Color::hex(0x2f_333b),
            palette: ON_DARK.to_vec(),
            ..Self::light()
        }
    }

    /// Colour and dash of the series with this index: all colours solid, then all colours dashed, and so on.
    pub(crate) fn pen(&self, index: usize) -> (Color, Dash) {
        let colors = self.palette.len().max(1);
        let color = self.palette.get(index % colors).copied();
        let dash = Dash::CYCLE[(index / colors) % Dash::CYCLE.len()];
        (color.unwrap_or(self.foreground), dash)
    }

    /// The theme with sizes clamped to valid ranges.
    pub(crate) fn drawable(&self) -> Self {
        let usual = Self::light();
        Self {
            font_size: within(self.font_size, 6.0, 40.0, usual.font_size),
            line_width: line_width(self.line_width, usual.line_width),
            ..self.clone()
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::light()
    }
}

/// A valid line width; `usual` if `asked` is NaN.
pub(crate) fn line_width(asked: f64, usual: f64) -> f64 {
    within(asked, 0.1, 20.0, usual)
}

fn within(value: f64, low: f64, high: f64, otherwise: f64) -> f64 {
    if value.is_nan() {
        otherwise
    } else {
        value.clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_colours_have_another_dash_pattern() {
        let theme = Theme::light();
        let pens: Vec<_> = (0..28).map(|i| theme.pen(i)).collect();
        for (i, pen) in pens.iter().enumerate() {
            assert!(!pens[..i].contains(pen), "pen {i} repeats");
        }
        assert_eq!(pens[0].1, Dash::Solid);
        assert_eq!(pens[7], (pens[0].0, Dash::Dashed));
        assert_eq!(theme.pen(28), pens[0]);
    }

    /// Relative luminance of WCAG.
    fn luminance(color: Color) -> f64 {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)
    }

    #[test]
    fn every_colour_has_contrast_to_its_background() {
        for theme in [Theme::light(), Theme::dark()] {
            let background = luminance(theme.background);
            for color in &theme.palette {
                let (a, b) = (luminance(*color) + 0.05, background + 0.05);
                assert!(a.max(b) / a.min(b) > 2.0, "{color} on {}", theme.background);
            }
        }
    }

    #[test]
    fn a_colour_is_written_as_hex() {
        assert_eq!(Color::hex(0x00_72b2).to_string(), "#0072b2");
    }

    #[test]
    fn an_empty_palette_or_an_invalid_size_is_replaced() {
        let odd = Theme {
            palette: Vec::new(),
            font_size: f64::NAN,
            line_width: -3.0,
            ..Theme::light()
        };
        let drawable = odd.drawable();
        assert_eq!(drawable.font_size, 12.0);
        assert_eq!(drawable.line_width, 0.1);
        assert_eq!(odd.pen(3), (odd.foreground, Dash::Dotted));
    }
}
