//! The embedded font: widths for the layout and outlines for images.

use crate::PlotError;
use ttf_parser::{Face, GlyphId};

static DEJAVU_SANS: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");

/// Distance from the middle of a capital letter or digit down to the baseline, relative to the font size.
pub(crate) const MIDDLE_TO_BASELINE: f64 = 0.364;

/// Line height, relative to the font size.
pub(crate) const LINE_HEIGHT: f64 = 1.3;

/// The embedded font.
pub(crate) struct Font {
    face: Face<'static>,
    units_per_em: f64,
}

impl Font {
    pub(crate) fn load() -> Result<Self, PlotError> {
        let face = Face::parse(DEJAVU_SANS, 0).map_err(|why| PlotError::Font(why.to_string()))?;
        let units_per_em = f64::from(face.units_per_em());
        Ok(Self { face, units_per_em })
    }

    /// The glyphs of a text with their positions along the baseline; a missing character is shown as an empty box.
    pub(crate) fn glyphs(&self, text: &str, size: f64) -> impl Iterator<Item = (GlyphId, f64)> {
        text.chars().scan(0.0, move |pen, c| {
            let glyph = self.face.glyph_index(c).unwrap_or(GlyphId(0));
            let at = *pen;
            *pen += self.advance(glyph, size);
            Some((glyph, at))
        })
    }

    fn advance(&self, glyph: GlyphId, size: f64) -> f64 {
        let units = self.face.glyph_hor_advance(glyph).unwrap_or(0);
        f64::from(units) / self.units_per_em * size
    }

    /// Width of a line of text.
    pub(crate) fn width(&self, text: &str, size: f64) -> f64 {
        self.glyphs(text, size)
            .last()
            .map_or(0.0, |(glyph, at)| at + self.advance(glyph, size))
    }

    /// Draws the outline of a glyph in font units; an empty glyph draws nothing.
    pub(crate) fn outline(&self, glyph: GlyphId, builder: &mut dyn ttf_parser::OutlineBuilder) {
        let _bounding_box = self.face.outline_glyph(glyph, builder);
    }

    pub(crate) fn units_per_em(&self) -> f64 {
        self.units_per_em
    }

    /// The text, abbreviated in the middle if it is wider than `room`: names differ at both ends, and units are last.
    pub(crate) fn shortened(&self, text: &str, size: f64, room: f64) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let chars: Vec<char> = text.chars().collect();
        let with = |kept: usize| -> String {
            let tail = kept / 2;
            let head = &chars[..kept - tail];
            head.iter()
                .chain(&['…'])
                .chain(&chars[chars.len() - tail..])
                .collect()
        };
        // the width grows with the number of characters, so bisection finds the most that fit
        let (mut fits, mut too_many) = (0, chars.len());
        while fits + 1 < too_many {
            let kept = usize::midpoint(fits, too_many);
            if self.width(&with(kept), size) <= room {
                fits = kept;
            } else {
                too_many = kept;
            }
        }
        with(fits)
    }
}

/// The text on one line, safe to show: control and direction-changing characters are replaced.
pub(crate) fn printable(text: &str) -> String {
    text.trim()
        .chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                '\u{fffd}'
            }
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_every_character_of_the_axes() {
        let font = Font::load().unwrap();
        for c in "0123456789.−+×⁰¹²³⁴⁵⁶⁷⁸⁹⁻…N·mαβγωθφ°µΩ²√→≤≥≈∞äčłЖ‖ᵀ\u{fffd}".chars()
        {
            assert!(font.face.glyph_index(c).is_some(), "{c} is missing");
        }
    }

    #[test]
    fn width_is_the_sum_of_advances() {
        let font = Font::load().unwrap();
        // DejaVu Sans digits are 1303 units of 2048 wide.
        assert!((font.width("00", 20.48) - 26.06).abs() < 1e-9);
        assert_eq!(font.width("", 12.0), 0.0);
        assert!(
            font.width("漢", 12.0) > 0.0,
            "a missing character still has a width"
        );
    }

    #[test]
    fn a_long_name_is_shortened_in_the_middle_and_fits() {
        let font = Font::load().unwrap();
        let short = font.shortened("left.front.suspension.damper.force.x", 12.0, 120.0);
        assert!(
            short.starts_with("left.") && short.ends_with("e.x") && short.contains('…'),
            "{short}"
        );
        assert!(font.width(&short, 12.0) <= 120.0);
        assert_eq!(font.shortened("short", 12.0, 120.0), "short");
        assert_eq!(font.shortened("no room at all", 12.0, 0.0), "…");
    }

    #[test]
    fn control_and_direction_characters_are_replaced() {
        assert_eq!(
            printable(" a\nb\u{1b}[31m\u{202e}\0 "),
            "a b\u{fffd}[31m\u{fffd}\u{fffd}"
        );
    }
}
