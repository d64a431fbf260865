//! Interpolation of recorded frames in time.

use std::io;

use crate::motion::{MotionReader, record};
use crate::scene::{POSE, Scene, TOUCH};

/// Frames of a motion in the order of time, interpolated between recorded ones.
#[derive(Debug)]
pub struct InterpolatedMotion<'m> {
    motion: &'m MotionReader,
    bodies: usize,
    /// The index of the first value of the contact points.
    touches: usize,
    /// The index of the earlier neighbour.
    number: u64,
    earlier: (f64, Vec<f32>),
    later: Option<(f64, Vec<f32>)>,
    mixed: Vec<f32>,
}

impl<'m> InterpolatedMotion<'m> {
    /// Creates the interpolation of a scene's motion; `None` if it has no frames.
    pub fn new(scene: &Scene, motion: &'m MotionReader) -> io::Result<Option<Self>> {
        let Some(earlier) = frame(motion, 0)? else {
            return Ok(None);
        };
        Ok(Some(InterpolatedMotion {
            bodies: scene.bodies.len(),
            touches: scene.first_touch(),
            number: 0,
            later: frame(motion, 1)?,
            mixed: earlier.1.clone(),
            earlier,
            motion,
        }))
    }

    /// Returns the frame at a time, which must not precede that of the last call; the first or last one beyond the ends.
    pub fn at(&mut self, time: f64) -> io::Result<&[f32]> {
        while let Some(later) = self.later.take_if(|later| later.0 <= time) {
            self.earlier = later;
            self.number += 1;
            self.later = frame(self.motion, self.number + 1)?;
        }
        self.mixed.copy_from_slice(&self.earlier.1);
        if let Some((end, later)) = &self.later {
            let share = (time - self.earlier.0) / (end - self.earlier.0);
            if share > 0.0 {
                let (frame, touches) = self.mixed.split_at_mut(self.touches);
                mix(frame, later, share.min(1.0) as f32, self.bodies);
                mix_touches(touches, &later[self.touches..], share.min(1.0) as f32);
            }
        }
        Ok(&self.mixed)
    }
}

/// Reads one frame: its time and values.
fn frame(motion: &MotionReader, number: u64) -> io::Result<Option<(f64, Vec<f32>)>> {
    let bytes = motion.read(number, 1, 1)?;
    let Some((time, numbers)) = bytes.split_first_chunk::<8>() else {
        return Ok(None);
    };
    Ok(Some((f64::from_le_bytes(*time), singles(numbers))))
}

/// The frames in the bytes of a motion, without their times.
pub fn frames(bytes: &[u8], scene: &Scene) -> Vec<Vec<f32>> {
    let records = bytes.chunks_exact(record(scene.frame_size) as usize);
    records.map(|record| singles(&record[8..])).collect()
}

/// Decodes single-precision numbers.
fn singles(bytes: &[u8]) -> Vec<f32> {
    let number = |b: &[u8]| b.try_into().map_or(f32::NAN, f32::from_le_bytes);
    bytes.chunks_exact(4).map(number).collect()
}

/// Interpolates a frame towards another by a fraction; of two opposite quaternions, which represent the same rotation, the closer one is used.
fn mix(frame: &mut [f32], other: &[f32], share: f32, bodies: usize) {
    for body in 0..bodies {
        let q = POSE * body + 3..POSE * body + POSE;
        let apart: f32 = frame[q.clone()]
            .iter()
            .zip(&other[q.clone()])
            .map(|(a, b)| a * b)
            .sum();
        if apart < 0.0 {
            for x in &mut frame[q] {
                *x = -*x;
            }
        }
    }
    for (x, y) in frame.iter_mut().zip(other) {
        *x += share * (y - *x);
    }
}

/// Interpolates contact points that are closed in both frames; the others keep the earlier values.
fn mix_touches(touches: &mut [f32], other: &[f32], share: f32) {
    let pairs = touches.chunks_exact_mut(TOUCH);
    for (touch, other) in pairs.zip(other.chunks_exact(TOUCH)) {
        if touch[0] > 0.0 && other[0] > 0.0 {
            for (x, y) in touch[1..].iter_mut().zip(&other[1..]) {
                *x += share * (y - *x);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::motion::MotionWriter;
    use crate::scene::SceneSpace;

    #[test]
    fn poses_between_two_frames_are_interpolated() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = MotionWriter::create(folder.path(), POSE, 1).unwrap();
        let h = 0.5_f32.sqrt();
        // the same rotation twice, once with the opposite quaternion
        for (time, x, sign) in [(0.0, 1.0, 1.0), (1.0, 3.0, -1.0), (2.0, 4.0, 1.0)] {
            let frame = [x, 0.0, 0.0, 0.0, 0.0, sign * h, sign * h];
            writer.push(time, &frame).unwrap();
        }
        writer.flush().unwrap();
        let motion = MotionReader::open(folder.path()).unwrap().unwrap();
        let scene = crate::picture::empty(SceneSpace::Spatial);
        let mut moments = InterpolatedMotion::new(&scene, &motion).unwrap().unwrap();
        for (time, x) in [(-1.0, 1.0), (0.25, 1.5), (1.0, 3.0), (1.5, 3.5), (9.0, 4.0)] {
            let frame = moments.at(time).unwrap();
            assert!((frame[0] - x).abs() < 1e-6, "{time}: {}", frame[0]);
            let n: f32 = frame[3..7].iter().map(|x| x * x).sum();
            assert!((n - 1.0).abs() < 1e-6, "turned the short way: {n}");
        }
    }

    #[test]
    fn contact_points_are_interpolated_only_while_they_stay_closed() {
        let touch = |state: f32, x: f32| [state, x, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, x, 0.0];
        let mixed = |from: [f32; TOUCH], to: [f32; TOUCH]| {
            let mut touches = from;
            mix_touches(&mut touches, &to, 0.5);
            touches
        };
        assert_eq!(mixed(touch(1.0, 2.0), touch(2.0, 4.0)), touch(1.0, 3.0));
        assert_eq!(mixed(touch(1.0, 2.0), touch(0.0, 0.0)), touch(1.0, 2.0));
        assert_eq!(mixed(touch(0.0, 0.0), touch(2.0, 4.0)), touch(0.0, 0.0));
    }
}
