//! The colour palette of a GIF: one for the whole animation, so that colours are constant.

use std::collections::HashMap;

/// Red, green and blue.
type Rgb = [u8; 3];

/// The maximum number of colours of a GIF.
const MOST: usize = 256;
/// The number of most frequent colours that are kept exactly: backgrounds, lines, flat faces.
const EXACT: usize = 48;

/// The frequencies of colours in images.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    counts: HashMap<Rgb, u64>,
}

impl Histogram {
    /// Counts the colours of an image with three bytes per pixel.
    pub(super) fn add(&mut self, pixels: &[u8]) {
        let (colours, _) = pixels.as_chunks::<3>();
        for run in colours.chunk_by(|a, b| a == b) {
            if let Some(colour) = run.first() {
                *self.counts.entry(*colour).or_default() += run.len() as u64;
            }
        }
    }

    /// Returns `true` if nothing was counted.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// A palette of at most 256 colours: the most frequent ones exactly, the others by splitting the group with the largest variance.
    pub(super) fn palette(&self) -> Palette {
        let mut all: Vec<(Rgb, u64)> = self.counts.iter().map(|(c, n)| (*c, *n)).collect();
        all.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
        let exact = if all.len() <= MOST { all.len() } else { EXACT };
        let (kept, others) = all.split_at(exact);
        let mut colours: Vec<Rgb> = kept.iter().map(|(colour, _)| *colour).collect();
        // small faces and antialiased edges get a larger weight than their pixels
        let others = others
            .iter()
            .map(|(c, n)| (c.map(f64::from), (*n as f64).sqrt()));
        let mut groups = vec![ColourGroup::new(others.collect())];
        while groups.len() < MOST - colours.len() {
            let widest = groups
                .iter()
                .enumerate()
                .max_by(|(_, a), (_, b)| a.spread.total_cmp(&b.spread));
            let Some(widest) = widest.filter(|(_, g)| g.spread > 0.0).map(|(k, _)| k) else {
                break;
            };
            let (low, high) = groups.swap_remove(widest).split();
            groups.extend([low, high]);
        }
        let means = groups.iter().filter(|group| !group.members.is_empty());
        colours.extend(means.map(|group| group.mean.map(|x| x.round() as u8)));
        if colours.is_empty() {
            colours.push([0; 3]);
        }
        Palette {
            colours,
            known: HashMap::new(),
        }
    }
}

/// Colours that are represented by one.
struct ColourGroup {
    /// Colour and weight.
    members: Vec<([f64; 3], f64)>,
    mean: [f64; 3],
    /// The colour component with the largest variance.
    axis: usize,
    /// Weighted sum of squared distances from the mean along it.
    spread: f64,
}

impl ColourGroup {
    fn new(members: Vec<([f64; 3], f64)>) -> Self {
        let weight: f64 = members.iter().map(|(_, w)| w).sum();
        let mean = std::array::from_fn(|k| {
            let sum: f64 = members.iter().map(|(c, w)| w * c[k]).sum();
            sum / weight.max(f64::MIN_POSITIVE)
        });
        let spread = |k: usize| -> f64 {
            let squares = members.iter().map(|(c, w)| w * (c[k] - mean[k]).powi(2));
            squares.sum()
        };
        let spreads = [spread(0), spread(1), spread(2)];
        let axis = (0..3)
            .max_by(|a, b| spreads[*a].total_cmp(&spreads[*b]))
            .unwrap_or(0);
        ColourGroup {
            members,
            mean,
            axis,
            spread: spreads[axis],
        }
    }

    /// The members below the mean, and the others.
    fn split(self) -> (Self, Self) {
        let (axis, middle) = (self.axis, self.mean[self.axis]);
        let (low, high) = self
            .members
            .into_iter()
            .partition(|(c, _)| c[axis] < middle);
        (ColourGroup::new(low), ColourGroup::new(high))
    }
}

/// A fixed list of colours.
#[derive(Debug)]
pub(super) struct Palette {
    colours: Vec<Rgb>,
    /// Cache of colours already looked up.
    known: HashMap<Rgb, u8>,
}

impl Palette {
    /// Red, green and blue of all colours, concatenated.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flatten().copied().collect()
    }

    /// The index of the nearest colour; deterministic.
    pub(super) fn nearest(&mut self, colour: Rgb) -> u8 {
        let colours = &self.colours;
        *self.known.entry(colour).or_insert_with(|| {
            let distance = |other: &Rgb| -> u32 {
                let parts = other.iter().zip(colour);
                parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
            };
            let nearest = (0..colours.len()).min_by_key(|&k| distance(&colours[k]));
            nearest.unwrap_or(0) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let pixels: Vec<u8> = (0..200_u8).flat_map(|k| [k, 255 - k, k / 2]).collect();
        let mut histogram = Histogram::default();
        histogram.add(&pixels);
        let mut palette = histogram.palette();
        let bytes = palette.bytes();
        for colour in pixels.as_chunks::<3>().0 {
            let at = 3 * usize::from(palette.nearest(*colour));
            assert_eq!(bytes[at..at + 3], *colour);
        }
    }

    #[test]
    fn many_colours_are_approximated_and_the_background_is_exact() {
        let mut pixels: Vec<u8> = [251, 252, 253].repeat(5000);
        for red in (0..=255_u8).step_by(5) {
            for green in (0..=255_u8).step_by(5) {
                pixels.extend([red, green, 90]);
            }
        }
        let mut histogram = Histogram::default();
        histogram.add(&pixels);
        let mut palette = histogram.palette();
        let bytes = palette.bytes();
        assert!(bytes.len() <= 3 * MOST);
        let mut shown = |colour: Rgb| {
            let at = 3 * usize::from(palette.nearest(colour));
            [bytes[at], bytes[at + 1], bytes[at + 2]]
        };
        assert_eq!(shown([251, 252, 253]), [251, 252, 253]);
        for colour in pixels.as_chunks::<3>().0 {
            let far = shown(*colour)
                .iter()
                .zip(colour)
                .map(|(a, b)| a.abs_diff(*b))
                .max();
            assert!(far <= Some(20), "{colour:?}");
        }
    }

    #[test]
    fn an_empty_histogram_gives_a_valid_palette() {
        let mut palette = Histogram::default().palette();
        assert_eq!((palette.bytes().len(), palette.nearest([9, 9, 9])), (3, 0));
    }
}
