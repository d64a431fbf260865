//! Image and animation files: PNG, animated GIF, numbered PNG frames, and MP4 or WebM if ffmpeg is installed.

use std::ffi::OsString;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use biela_files::Draft;

use super::palette::{Histogram, Palette};

/// An error while writing an image.
pub enum FilmError {
    /// The file cannot be written.
    File(PathBuf, String),
    /// The encoder for the file extension failed.
    Encoder(String),
}

impl std::fmt::Display for FilmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FilmError::File(path, problem) => write!(f, "{}: {problem}", path.display()),
            FilmError::Encoder(problem) => write!(f, "{problem}"),
        }
    }
}

impl std::fmt::Debug for FilmError {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for FilmError {}

fn fault(path: &Path, error: impl std::fmt::Display) -> FilmError {
    FilmError::File(path.to_owned(), error.to_string())
}

/// Writes one image with three bytes per pixel, by rows from the top.
pub fn save_png(path: &Path, [width, height]: [usize; 2], pixels: &[u8]) -> Result<(), FilmError> {
    let mut file = BufWriter::new(Draft::new(path).map_err(|e| fault(path, e))?);
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|e| fault(path, e))?;
    writer
        .write_image_data(pixels)
        .map_err(|e| fault(path, e))?;
    writer.finish().map_err(|e| fault(path, e))?;
    keep(file).map_err(|e| fault(path, e))
}

/// Replaces the target by the complete file.
fn keep(file: BufWriter<Draft>) -> io::Result<()> {
    let draft = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    draft.keep(false)
}

/// An animation under construction.
#[derive(Debug)]
pub struct Film {
    path: PathBuf,
    size: [usize; 2],
    kind: FilmFormat,
}

enum FilmFormat {
    Gif(Box<Gif>),
    Frames(usize),
    /// An encoder and its output file.
    Piped(Child, Draft),
}

/// A GIF: its palette is that of the previewed images, or of the first one.
struct Gif {
    /// The file, until the palette is known.
    file: Option<BufWriter<Draft>>,
    encoder: Option<(gif::Encoder<BufWriter<Draft>>, Palette)>,
    colours: Histogram,
    /// Duration of an image in hundredths of a second.
    delay: u16,
    before: Vec<u8>,
}

impl Gif {
    fn push(&mut self, pixels: &[u8], size: [usize; 2]) -> Result<(), gif::EncodingError> {
        if let Some(file) = self.file.take() {
            if self.before.is_empty() && self.colours.is_empty() {
                self.colours.add(pixels);
            }
            let palette = self.colours.palette();
            let [width, height] = size.map(|n| n as u16);
            let mut encoder = gif::Encoder::new(file, width, height, &palette.bytes())?;
            encoder.set_repeat(gif::Repeat::Infinite)?;
            self.encoder = Some((encoder, palette));
        }
        let Some((encoder, palette)) = &mut self.encoder else {
            return Ok(());
        };
        let [x, y, width, height] = changed(&self.before, pixels, size);
        let (colours, _) = pixels.as_chunks::<3>();
        let rows = (y..y + height).map(|row| &colours[row * size[0] + x..][..width]);
        let numbers: Vec<u8> = rows.flatten().map(|c| palette.nearest(*c)).collect();
        let frame = gif::Frame {
            left: x as u16,
            top: y as u16,
            width: width as u16,
            height: height as u16,
            delay: self.delay,
            buffer: numbers.into(),
            ..gif::Frame::default()
        };
        pixels.clone_into(&mut self.before);
        encoder.write_frame(&frame)
    }
}

impl std::fmt::Debug for FilmFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FilmFormat::Gif(_) => "Gif",
            FilmFormat::Frames(_) => "Frames",
            FilmFormat::Piped(..) => "Piped",
        })
    }
}

impl Film {
    /// Creates an animation in the format of the extension of `path`: `.gif`, `.mp4`, `.webm`, or none for a folder of PNG frames.
    pub fn create(path: &Path, size: [usize; 2], rate: f64) -> Result<Self, FilmError> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let kind = match ending.as_deref() {
            Some("gif") => {
                let file = BufWriter::new(Draft::new(path).map_err(|e| fault(path, e))?);
                FilmFormat::Gif(Box::new(Gif {
                    file: Some(file),
                    encoder: None,
                    colours: Histogram::default(),
                    delay: (100.0 / rate).round().clamp(2.0, 1000.0) as u16,
                    before: Vec::new(),
                }))
            }
            Some("mp4") => {
                let codec = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-f", "mp4"];
                ffmpeg(path, size, rate, &codec)?
            }
            Some("webm") => {
                let quality = ["-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "32"];
                ffmpeg(path, size, rate, &[&quality[..], &["-f", "webm"]].concat())?
            }
            None => {
                biela_files::folder(path).map_err(|e| fault(path, e))?;
                FilmFormat::Frames(0)
            }
            Some(other) => {
                return Err(FilmError::Encoder(format!(
                    "a film cannot be written as .{other}; use .gif, .mp4, .webm, or a folder for PNG frames"
                )));
            }
        };
        Ok(Film {
            path: path.to_owned(),
            size,
            kind,
        })
    }

    /// The actual frame rate of the animation: GIF counts hundredths of a second.
    pub fn rate(path: &Path, asked: f64) -> f64 {
        let gif = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("gif"));
        if gif {
            100.0 / (100.0 / asked).round().clamp(2.0, 1000.0)
        } else {
            asked
        }
    }

    /// Returns `true` if the animation has one palette, which should be chosen with [`Film::preview`].
    pub fn has_palette(&self) -> bool {
        matches!(self.kind, FilmFormat::Gif(_))
    }

    /// Adds an image to the palette of a GIF before the first frame. Other formats ignore it.
    pub fn preview(&mut self, pixels: &[u8]) {
        if let FilmFormat::Gif(gif) = &mut self.kind {
            gif.colours.add(pixels);
        }
    }

    /// Adds an image.
    pub fn push(&mut self, pixels: &[u8]) -> Result<(), FilmError> {
        let path = &self.path;
        match &mut self.kind {
            FilmFormat::Gif(gif) => gif.push(pixels, self.size).map_err(|e| fault(path, e)),
            FilmFormat::Frames(count) => {
                let file = path.join(format!("{count:05}.png"));
                *count += 1;
                save_png(&file, self.size, pixels)
            }
            FilmFormat::Piped(child, _) => {
                let pipe = child.stdin.as_mut();
                let written = pipe.map_or(Ok(()), |pipe| pipe.write_all(pixels));
                written.map_err(|e| fault(path, why_ended(child, &e.to_string())))
            }
        }
    }

    /// Finishes the animation.
    pub fn finish(self) -> Result<(), FilmError> {
        match self.kind {
            FilmFormat::Gif(gif) => {
                let Some((encoder, _)) = gif.encoder else {
                    return Ok(());
                };
                let file = encoder.into_inner().map_err(|e| fault(&self.path, e))?;
                keep(file).map_err(|e| fault(&self.path, e))
            }
            FilmFormat::Frames(_) => Ok(()),
            FilmFormat::Piped(mut child, draft) => {
                drop(child.stdin.take());
                if child.wait().map_err(|e| fault(&self.path, e))?.success() {
                    return draft.keep(false).map_err(|e| fault(&self.path, e));
                }
                Err(fault(&self.path, why_ended(&mut child, "no message")))
            }
        }
    }
}

/// The last message of an encoder that ended early; `otherwise` if there is none.
fn why_ended(child: &mut Child, otherwise: &str) -> String {
    let mut words = String::new();
    if let Some(said) = &mut child.stderr {
        // unreadable output is treated as empty
        let _ = said.read_to_string(&mut words);
    }
    let last = words.lines().next_back().unwrap_or(otherwise);
    format!("ffmpeg failed: {last}")
}

/// Starts ffmpeg, which reads raw images from its standard input.
fn ffmpeg(
    path: &Path,
    [width, height]: [usize; 2],
    rate: f64,
    codec: &[&str],
) -> Result<FilmFormat, FilmError> {
    if width % 2 + height % 2 > 0 {
        return Err(FilmError::Encoder(format!(
            "a film of {width} × {height} pixels cannot be encoded: width and height must be even"
        )));
    }
    let draft = Draft::new(path).map_err(|e| fault(path, e))?;
    // with this prefix a name that starts with a dash is also a file
    let mut file = OsString::from("file:");
    file.push(draft.path());
    let mut command = Command::new("ffmpeg");
    let _ = command
        .args([
            "-loglevel",
            "error",
            "-y",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
        ])
        .args([
            "-s",
            &format!("{width}x{height}"),
            "-r",
            &rate.to_string(),
            "-i",
            "-",
        ])
        .args(codec)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| {
        FilmError::Encoder(format!(
            "ffmpeg cannot be started ({error}): install it, or write a .gif or a folder of PNG frames, which do not need it"
        ))
    })?;
    Ok(FilmFormat::Piped(child, draft))
}

/// The rectangle x, y, width, height that differs from the previous image; the whole image for the first.
fn changed(before: &[u8], now: &[u8], [width, height]: [usize; 2]) -> [usize; 4] {
    if before.len() != now.len() {
        return [0, 0, width, height];
    }
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    let pairs = before.chunks_exact(3).zip(now.chunks_exact(3)).enumerate();
    for (i, _) in pairs.filter(|(_, (a, b))| a != b) {
        let (x, y) = (i % width, i / width);
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    if left > right {
        // an image of one pixel preserves the timing
        return [0, 0, 1, 1];
    }
    [left, top, right - left + 1, bottom - top + 1]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::File;

    use super::*;

    fn picture(size: [usize; 2], spot: usize) -> Vec<u8> {
        let mut pixels = vec![200; 3 * size[0] * size[1]];
        pixels[3 * spot..3 * spot + 3].copy_from_slice(&[10, 20, 30]);
        pixels
    }

    #[test]
    fn a_gif_contains_its_pictures_and_their_delays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.gif");
        let size = [40, 30];
        let mut film = Film::create(&path, size, 25.0).unwrap();
        for spot in [5, 77, 77, 900] {
            film.push(&picture(size, spot)).unwrap();
        }
        film.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (40, 30));
        let mut count = 0;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.delay, 4);
            count += 1;
        }
        assert_eq!(count, 4);
    }

    #[test]
    fn a_colour_is_the_same_in_every_picture() {
        // many shades that differ between images, around a constant patch
        let size = [64, 48];
        let picture = |k: usize| -> Vec<u8> {
            let pixel = |i: usize| {
                let (x, y) = (i % size[0], i / size[0]);
                if (20..30).contains(&x) && (20..30).contains(&y) {
                    return [123, 45, 67];
                }
                [3 * x + 5 * k, 4 * y + 3 * k, 2 * (x + y) + 7 * k].map(|c| (c % 256) as u8)
            };
            (0..size[0] * size[1]).flat_map(pixel).collect()
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.gif");
        let mut film = Film::create(&path, size, 25.0).unwrap();
        for k in [0, 4, 8] {
            film.preview(&picture(k));
        }
        for k in 0..9 {
            film.push(&picture(k)).unwrap();
        }
        film.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        let mut seen = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert!(frame.palette.is_none(), "one palette for all");
            let (x, y) = (25 - usize::from(frame.left), 25 - usize::from(frame.top));
            let at = 4 * (y * usize::from(frame.width) + x);
            seen.push([frame.buffer[at], frame.buffer[at + 1], frame.buffer[at + 2]]);
        }
        assert_eq!(seen, [[123, 45, 67]; 9]);
    }

    #[test]
    fn a_folder_gets_one_picture_per_frame() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let mut film = Film::create(&path, [8, 6], 25.0).unwrap();
        for spot in 0..3 {
            film.push(&picture([8, 6], spot)).unwrap();
        }
        film.finish().unwrap();
        let decoder = png::Decoder::new(std::io::BufReader::new(
            File::open(path.join("00002.png")).unwrap(),
        ));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; 3 * 8 * 6];
        let _ = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(bytes, picture([8, 6], 2));
    }

    #[test]
    fn an_unknown_extension_is_rejected_with_the_known_ones() {
        let error = Film::create(Path::new("film.avi"), [8, 8], 25.0).unwrap_err();
        assert!(error.to_string().contains(".gif"), "{error}");
    }

    #[test]
    fn only_the_changed_rectangle_is_stored() {
        let size = [10, 10];
        let (a, b) = (picture(size, 11), picture(size, 34));
        assert_eq!(changed(&[], &a, size), [0, 0, 10, 10]);
        assert_eq!(changed(&a, &b, size), [1, 1, 4, 3]);
        assert_eq!(changed(&a, &a, size), [0, 0, 1, 1]);
    }
}
