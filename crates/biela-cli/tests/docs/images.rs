//! Pictures of the book that commands on its pages draw.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Page, links, prose, root, updates};
use crate::common::Place;

/// How much painted pictures may differ, on average over the 256 levels of a pixel: edges may, since the last digit of a sine is the machine's.
const LEVELS: f64 = 0.5;

/// Compares the images of a page with those that its commands have just drawn; reports those that are out of date.
pub(crate) fn keep(page: &Page, place: &Place) -> Vec<String> {
    let lines = prose(page);
    let shown = lines.iter().flat_map(|(_, line)| links(line));
    let names = shown.filter_map(|link| link.split_once("images/"));
    let mut problems = Vec::new();
    for (_, name) in names {
        let stored = root().join("docs/src/images").join(name);
        let Some(drawn) = drawn(place, name) else {
            continue;
        };
        problems.extend(compare(&stored, &drawn, &page.name));
    }
    problems
}

/// Compares a stored image with the one just drawn; reports if it is out of date.
pub(crate) fn compare(stored: &Path, drawn: &Path, page: &str) -> Option<String> {
    let now = fs::read(drawn).unwrap();
    let is_drawing = stored.extension().is_some_and(|e| e == "svg");
    if alike(&fs::read(stored).unwrap_or_default(), &now, is_drawing) {
        return None;
    }
    if updates() {
        fs::create_dir_all(stored.parent().unwrap()).unwrap();
        fs::write(stored, &now).unwrap();
        return None;
    }
    Some(format!(
        "{page}: {} is out of date: UPDATE_GOLDEN=1 cargo test -p biela-cli --test docs",
        stored.display()
    ))
}

/// The output of a plot command: a file of that name, or the plot in a folder of that name.
fn drawn(place: &Place, name: &str) -> Option<PathBuf> {
    let stem = Path::new(name).file_stem()?;
    let extension = Path::new(name).extension()?;
    let in_folder = place.path("").join(stem).join("plot");
    [place.path(name), in_folder.with_extension(extension)]
        .into_iter()
        .find(|path| path.is_file())
}

/// Whether two pictures show the same: drawings to a pixel, since the last digit of a sine is the machine's; painted ones by their pixels.
fn alike(stored: &[u8], now: &[u8], is_drawing: bool) -> bool {
    if stored == now {
        return true;
    }
    if is_drawing {
        let (stored, now) = (
            String::from_utf8_lossy(stored),
            String::from_utf8_lossy(now),
        );
        return same_drawing(&stored, &now);
    }
    match (pixels(stored), pixels(now)) {
        (Some(a), Some(b)) => apart(&a, &b) < LEVELS,
        _ => false,
    }
}

/// Width and levels of a PNG file; `None` where it is none.
fn pixels(bytes: &[u8]) -> Option<(u32, Vec<u8>)> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .ok()?;
    let mut levels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut levels).ok()?;
    Some((info.width, levels))
}

/// The mean difference of two pictures; infinite where their sizes differ.
fn apart((width, a): &(u32, Vec<u8>), (other, b): &(u32, Vec<u8>)) -> f64 {
    if (width, a.len()) != (other, b.len()) {
        return f64::INFINITY;
    }
    let sum: f64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)))
        .sum();
    sum / a.len() as f64
}

#[test]
fn different_images_of_equal_size_were_taken_for_equal() {
    let picture = |spots: std::ops::Range<usize>| {
        let mut levels = vec![200; 3 * 300];
        levels[spots].fill(20);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 30, 10);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&levels).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let stored = picture(0..90);
    assert!(alike(&stored, &picture(0..90), false));
    assert!(alike(&stored, &picture(0..91), false), "an edge");
    assert!(!alike(&stored, &picture(180..270), false));
    assert!(!alike(&[], &stored, false));
}

/// Words and numbers of a drawing, in turn.
fn parts(text: &str) -> Vec<&str> {
    let numeric = |c: char| c.is_ascii_digit() || ".-".contains(c);
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = numeric(first);
        let end = rest.find(|c| numeric(c) != kind).unwrap_or(rest.len());
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}

fn same_drawing(a: &str, b: &str) -> bool {
    let (a, b) = (parts(a), parts(b));
    let same = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => (x - y).abs() < 1.0,
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(&b).all(same)
}

#[test]
fn drawings_are_equal_to_a_pixel() {
    assert!(same_drawing(
        "<path d=\"M10.2,3L4,5\"/>",
        "<path d=\"M10.3,3L4,5\"/>"
    ));
    assert!(!same_drawing(
        "<path d=\"M10.2,3L4,5\"/>",
        "<path d=\"M12.3,3L4,5\"/>"
    ));
    assert!(!same_drawing(
        "<path d=\"M10.2,3\"/>",
        "<path d=\"M10.2,3L4,5\"/>"
    ));
}
