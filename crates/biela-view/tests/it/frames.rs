//! Motions and signals through the server.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use biela_view::server::limits;
use biela_view::{
    MOTION_FILE, MotionReader, MotionWriter, NoBackend, RunData, Server, ServerSettings, Show,
    ViewerMode,
};

use crate::support::{Numbers, Place, run, scene};

fn f64_at(bytes: &[u8], at: usize) -> f64 {
    f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

#[test]
fn frames_are_served_by_number() {
    let place = Place::new();
    let record = 8 + 4 * 14;
    let answer = place.get("/api/runs/0/frames?from=10&count=3");
    assert_eq!((answer.status, answer.body.len()), (200, 3 * record));
    assert_eq!(f64_at(&answer.body, record), 1.1);
    let answer = place.get("/api/runs/0/frames?from=0&count=5&every=20");
    assert_eq!(f64_at(&answer.body, 4 * record), 8.0);
    assert_eq!(
        place.get("/api/runs/0/frames?from=98&count=99").body.len(),
        2 * record
    );
    assert_eq!(
        place.get("/api/runs/0/frames?from=500&count=1").body.len(),
        0
    );
    assert_eq!(place.get("/api/runs/0/frames").body.len(), record);
    for bad in [
        "from=-1",
        "from=x",
        "count=1.5",
        "count=99999999999999999999",
        "every=-2",
    ] {
        assert_eq!(
            place.get(&format!("/api/runs/0/frames?{bad}")).status,
            400,
            "{bad}"
        );
    }
    assert_eq!(
        place
            .get("/api/runs/0/frames?count=18446744073709551615&every=0")
            .status,
        200
    );
}

#[test]
fn signals_are_served_decimated() {
    let place = Place::new();
    let answer = place.get("/api/runs/0/signals?names=x,nothing&from=2&to=4&points=1000");
    let rows = u32::from_le_bytes(answer.body[..4].try_into().unwrap());
    assert_eq!(rows, 21);
    assert_eq!(
        [4, 12, 20].map(|at| f64_at(&answer.body, at)),
        [2.0, 4.0, 4.0]
    );
    assert_eq!(
        answer.body.len(),
        4 + 21 * 24 + 4,
        "an unknown signal is empty"
    );
    let answer = place.get("/api/runs/0/signals?names=x&points=10");
    assert_eq!(answer.body.len(), 4 + 10 * 24);
    assert_eq!(
        [4, 12, 20].map(|at| f64_at(&answer.body, at)),
        [0.0, 0.0, 1.8]
    );
    let many = vec!["x"; limits::SIGNALS + 1].join(",");
    assert_eq!(
        place
            .get(&format!("/api/runs/0/signals?names={many}"))
            .status,
        400
    );
    for bad in [
        "",
        "?points=5",
        "?names=x&points=-1",
        "?names=x&from=abc",
        "?names=%ff",
    ] {
        assert_eq!(
            place.get(&format!("/api/runs/0/signals{bad}")).status,
            400,
            "{bad}"
        );
    }
    for odd in [
        "names=x&points=0",
        "names=x&from=NaN&to=inf",
        "names=x&from=5&to=1",
        "names=,,&points=3",
    ] {
        assert_eq!(
            place.get(&format!("/api/runs/0/signals?{odd}")).status,
            200,
            "{odd}"
        );
    }
}

/// A motion of 100 bodies and the ground, as the writer would make it.
fn long_motion(dir: &Path, frames: u64) -> usize {
    let numbers = 7 * 101;
    let mut writer = MotionWriter::create(dir, numbers, 1).unwrap();
    writer.flush().unwrap();
    drop(writer);
    // the same bytes as by `push`, without a hundred million conversions in a test
    let file = File::options()
        .append(true)
        .open(dir.join(MOTION_FILE))
        .unwrap();
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let pose = vec![0_u8; 4 * numbers];
    for frame in 0..frames {
        file.write_all(&(frame as f64 * 0.001).to_le_bytes())
            .unwrap();
        file.write_all(&pose).unwrap();
    }
    file.flush().unwrap();
    numbers
}

struct OnDisk(MotionReader);

impl RunData for OnDisk {
    fn frames(&self, from: u64, count: u64, every: u64) -> std::io::Result<Vec<u8>> {
        self.0.read(from, count, every)
    }
    fn signal(
        &self,
        name: &str,
        times: (f64, f64),
        each: &mut dyn FnMut(&[f64], &[f64]),
    ) -> std::io::Result<bool> {
        Numbers.signal(name, times, each)
    }
}

/// Memory of this process, if the system provides it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_seek_in_100_000_frames_of_100_bodies_takes_milliseconds() {
    let folder = tempfile::tempdir().unwrap();
    let frames = 100_000;
    let numbers = long_motion(folder.path(), frames);
    let reader = MotionReader::open(folder.path()).unwrap().unwrap();
    assert_eq!((reader.frames(), reader.numbers()), (frames, numbers));
    let before = resident();

    let show = Arc::new(Show::new(ViewerMode::Results, "long"));
    let mut scene = scene();
    scene.bodies = vec![scene.bodies[0].clone(); 101];
    (scene.frame_size, scene.pose) = (numbers, vec![0.0; numbers]);
    show.set_scene(scene, None, Vec::new());
    let mut long = run();
    long.frames = frames;
    let _ = show.add_run(long, Arc::new(OnDisk(reader)));
    let server = Server::start(
        ServerSettings::default(),
        Arc::clone(&show),
        Arc::new(NoBackend),
    )
    .unwrap();
    let token = server.url().split_once("token=").unwrap().1.to_owned();
    let place = Place {
        server,
        show,
        token,
    };

    let mut waited = Vec::new();
    for k in 0..100_u64 {
        let frame = k * 7919 * 13 % frames;
        let begun = Instant::now();
        let answer = place.get(&format!("/api/runs/0/frames?from={frame}&count=2"));
        waited.push(begun.elapsed());
        assert_eq!(f64_at(&answer.body, 0), frame as f64 * 0.001);
    }
    // other processes may load the machine: the fastest quarter shows the cost of a seek
    waited.sort();
    assert!(waited[25] < Duration::from_millis(20), "{waited:?}");
    // a page that asks for everything gets a bounded part
    let whole = place.get("/api/runs/0/frames?from=0&count=100000");
    assert!(whole.body.len() as u64 <= limits::FRAMES);
    let sparse = place.get("/api/runs/0/frames?from=0&count=1000&every=100");
    assert_eq!(sparse.body.len(), 1000 * (8 + 4 * numbers));
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(
            after - before < 64 << 10,
            "{} KiB for a file of 283 MB",
            after - before
        );
    }
}

#[test]
fn a_motion_is_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = MotionWriter::create(folder.path(), 3, 2).unwrap();
    for row in 0..7_u8 {
        if writer.is_due() {
            writer
                .push(f64::from(row), &[f32::from(row), -1.5, 0.0])
                .unwrap();
        } else {
            writer.skip();
        }
    }
    assert!(writer.push(9.0, &[0.0]).is_err(), "a frame of another size");
    writer.flush().unwrap();
    let reader = MotionReader::open(folder.path()).unwrap().unwrap();
    assert_eq!((reader.frames(), reader.rows_in_frame()), (4, 2));
    assert_eq!(
        writer.size(),
        std::fs::metadata(folder.path().join(MOTION_FILE))
            .unwrap()
            .len()
    );
    assert_eq!(reader.time(3).unwrap(), Some(6.0));
    assert_eq!(reader.time(4).unwrap(), None);
    let bytes = reader.read(1, 2, 2).unwrap();
    assert_eq!(f64_at(&bytes, 0), 2.0);
    assert_eq!(f64_at(&bytes, 20), 6.0);
    assert_eq!(bytes[28..32], 6.0_f32.to_le_bytes());
}

#[test]
fn a_long_motion_has_fewer_frames_to_stay_within_its_limit() {
    let numbers = 7 * 101;
    let most = 1 << 30;
    assert_eq!(MotionWriter::stride(numbers, 100_000, most), 1);
    let stride = MotionWriter::stride(numbers, 10_000_000, most);
    let bytes = (10_000_000_u64.div_ceil(stride)) * (8 + 4 * numbers as u64);
    assert!(
        stride > 1 && bytes <= most && bytes > most / 2,
        "{stride} {bytes}"
    );
    assert_eq!(MotionWriter::stride(numbers, 0, most), 1);
    assert_eq!(MotionWriter::stride(usize::MAX >> 8, 5, 10), 5);
}

#[test]
fn files_that_are_not_motions_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    assert!(MotionReader::open(folder.path()).unwrap().is_none());
    let path = folder.path().join(MOTION_FILE);
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        MotionReader::open(folder.path()).unwrap_err().to_string()
    };
    assert!(refused(b"").contains("ends before its header"));
    assert!(refused(&[7; 100]).contains("not a motion file"));
    let mut header = b"biela-mo".to_vec();
    header.extend(2_u32.to_le_bytes());
    header.extend([0; 20]);
    assert!(refused(&header).contains("version 2"));
    header[8] = 1;
    header[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refused(&header).contains("exceeds the limit"));
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(MotionReader::open(folder.path()).is_err());
    // a torn last frame is not read
    std::fs::remove_dir(&path).unwrap();
    let mut writer = MotionWriter::create(folder.path(), 1, 1).unwrap();
    for k in 0..3_u8 {
        writer.push(f64::from(k), &[0.0]).unwrap();
    }
    writer.flush().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let reader = MotionReader::open(folder.path()).unwrap().unwrap();
    assert_eq!(
        (reader.frames(), reader.read(0, 99, 1).unwrap().len()),
        (2, 24)
    );
}
