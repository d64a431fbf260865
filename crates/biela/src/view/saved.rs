//! Results in a single HTML file that opens from disk.

use std::path::PathBuf;
use std::sync::Arc;

use biela_view::{RunData, SavedRun, Scene, SessionRun, Show, ViewerMode, saved_page};

use super::results::{ResultsFolder, fits, open};

/// The maximum size in bytes of the frames, and of the signals, of all runs of a page; longer ones are thinned.
const MOST_BYTES: u64 = 1_200_000;

/// The maximum size in bytes of the meshes in a page; further meshes are omitted.
const MOST_MESH_BYTES: usize = 600_000;

/// Returns the page for results of one mechanism; the first provides the scene.
pub fn page(dirs: &[PathBuf]) -> Result<String, String> {
    let share = MOST_BYTES / dirs.len().max(1) as u64;
    let mut saved = Vec::new();
    let mut show: Option<Show> = None;
    for dir in dirs {
        let ResultsFolder {
            scene,
            mut run,
            files,
        } = open(dir, None)?;
        let title = scene.name.clone();
        let show = show.get_or_insert_with(|| Show::new(ViewerMode::Results, title));
        fits(show, &scene, dir, &dirs[0])?;
        let problem = |error: std::io::Error| format!("{}: {error}", dir.display());
        let frames = frames(&mut run, &scene, &files, share).map_err(problem)?;
        let signals = signals(&run, &files, share).map_err(problem)?;
        if show.scene().is_none() {
            show.set_scene(Arc::clone(&scene), None, Vec::new());
        }
        let own = show.scene().is_none_or(|shown| shown != scene);
        let id = show.add_run(run, Arc::new(files));
        saved.push(SavedRun {
            id,
            scene: own.then_some(scene),
            frames,
            signals,
        });
    }
    let show = show.ok_or("there are no results to save")?;
    let scene = show.scene();
    let meshes = scene.map_or_else(Vec::new, |scene| meshes(&scene, &show));
    Ok(saved_page(&show.session(), &saved, &meshes))
}

/// The meshes that fit.
fn meshes(scene: &Scene, show: &Show) -> Vec<(usize, Vec<u8>)> {
    let mut left = MOST_MESH_BYTES;
    let mut kept = Vec::new();
    for (number, _) in scene.meshes() {
        if let Ok(bytes) = show.mesh(number)
            && bytes.len() <= left
        {
            left -= bytes.len();
            kept.push((number, bytes));
        }
    }
    kept
}

/// The frames of a run, thinned to fit. The run description is updated accordingly.
fn frames(
    run: &mut SessionRun,
    scene: &Scene,
    files: &dyn RunData,
    most: u64,
) -> std::io::Result<Vec<u8>> {
    let record = 8 + 4 * scene.frame_size as u64;
    let every = (run.frames * record).div_ceil(most).max(1);
    let bytes = files.frames(0, u64::MAX, every)?;
    run.frames = bytes.len() as u64 / record;
    run.times.step = run.times.step.map(|step| step * every as f64);
    if let Some(last) = bytes.chunks_exact(record as usize).last() {
        run.times.last = f64::from_le_bytes(std::array::from_fn(|k| last[k]));
    }
    Ok(bytes)
}

/// The signals of a run, thinned to fit: rows, signals, times, values.
fn signals(run: &SessionRun, files: &dyn RunData, most: u64) -> std::io::Result<Vec<u8>> {
    let always = (f64::NEG_INFINITY, f64::INFINITY);
    let mut times: Vec<f64> = Vec::new();
    let mut values: Vec<u8> = Vec::new();
    for (k, signal) in run.signals.iter().enumerate() {
        let mut rows = 0_u64;
        if k == 0 {
            let _ = files.signal(&signal.name, always, &mut |t, _| times.extend_from_slice(t))?;
        }
        let numbers = times.len() as u64 * run.signals.len() as u64;
        let every = (4 * numbers).div_ceil(most).max(1);
        let _ = files.signal(&signal.name, always, &mut |_, x| {
            for value in x {
                if rows.is_multiple_of(every) {
                    values.extend((*value as f32).to_le_bytes());
                }
                rows += 1;
            }
        })?;
        if k + 1 == run.signals.len() {
            times = times.into_iter().step_by(every as usize).collect();
        }
    }
    let mut bytes = Vec::with_capacity(8 + 8 * times.len() + values.len());
    bytes.extend((times.len() as u32).to_le_bytes());
    bytes.extend((run.signals.len() as u32).to_le_bytes());
    bytes.extend(times.iter().flat_map(|t| t.to_le_bytes()));
    bytes.extend(values);
    Ok(bytes)
}
