//! Pictures and a live page of a simulation that a program steps.

use std::path::PathBuf;
use std::sync::Arc;

use biela_core::analysis::{ReadError, Simulation, on_output};
use biela_core::model::Model;
use biela_core::system::Channel;
use biela_record::{Header, RecordError, RecordedColumn, Writer, WriterOptions};
use biela_view::picture::{ImageSettings, Painter};
use biela_view::{NoBackend, Scene, Server, ServerSettings, Show, ViewerMode};
use tempfile::TempDir;

use super::{Framer, LiveRun, MotionRecorder, open_browser, read_mesh};
use crate::ResultsRow;

/// The reason why a stepped simulation cannot be shown.
#[non_exhaustive]
pub enum SteppedError {
    /// The state cannot be evaluated.
    Read(ReadError),
    /// A file of the page cannot be written.
    Record(RecordError),
    /// The server cannot start, or a folder cannot be created.
    System(std::io::Error),
    /// The page cannot show the run.
    Page(String),
}

impl std::fmt::Display for SteppedError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SteppedError::Read(error) => error.fmt(f),
            SteppedError::Record(error) => error.fmt(f),
            SteppedError::System(error) => write!(f, "the page cannot be served: {error}"),
            SteppedError::Page(text) => f.write_str(text),
        }
    }
}

biela_core::readable_errors!(SteppedError);

impl From<ReadError> for SteppedError {
    fn from(error: ReadError) -> Self {
        SteppedError::Read(error)
    }
}

impl From<RecordError> for SteppedError {
    fn from(error: RecordError) -> Self {
        SteppedError::Record(error)
    }
}

impl From<std::io::Error> for SteppedError {
    fn from(error: std::io::Error) -> Self {
        SteppedError::System(error)
    }
}

/// What is drawn of a simulation: its scene, and the folder of its mesh files.
#[derive(Clone, Debug)]
pub struct SteppedScene {
    /// The scene.
    pub scene: Scene,
    /// The folder of mesh files.
    pub meshes: PathBuf,
}

impl SteppedScene {
    /// Renders the simulation at its current time: red, green and blue of every pixel, by rows from the top. The image contains the mechanism in its initial
    /// configuration and these points, so that the images of a motion have one camera.
    pub fn paint(
        &self,
        simulation: &mut Simulation,
        look: ImageSettings,
        points: &[[f32; 3]],
    ) -> Result<Vec<u8>, ReadError> {
        let mut framer = Framer::new(simulation.model());
        let mut frame = Vec::new();
        simulation.show(&mut on_output(|instant| {
            frame.extend_from_slice(framer.at(instant));
        }))?;
        let mesh = |file: &str| read_mesh(&self.meshes, file).ok();
        let start = std::iter::empty();
        Ok(Painter::around(&self.scene, look, start, points, &mesh).paint(&frame))
    }
}

/// A page on this machine that shows a simulation while a program steps it. It needs no browser: the address stays valid, and nobody waits for a page.
#[derive(Debug)]
pub struct SteppedPage {
    show: Arc<Show>,
    server: Server,
    _door: Option<TempDir>,
    drawn: SteppedScene,
    folder: TempDir,
    header: Header,
    row: ResultsRow,
    /// The current episode, and the number of episodes so far.
    episode: Option<Episode>,
    episodes: usize,
}

/// The record of a simulation since its last reset.
#[derive(Debug)]
struct Episode {
    writer: Writer,
    film: MotionRecorder,
    live: LiveRun,
    time: f64,
}

/// Expected rows of an episode, for the size of its motion file.
const ROWS: f64 = 10_000.0;

impl SteppedPage {
    /// Serves a page with these signals on a free port of this machine, and opens a browser if there is a display.
    pub fn open(
        model: &Model,
        drawn: SteppedScene,
        channels: &[Channel],
    ) -> Result<Self, SteppedError> {
        let show = Arc::new(Show::new(ViewerMode::Live, &model.name));
        let settings = ServerSettings::default();
        let server = Server::start(settings, Arc::clone(&show), Arc::new(NoBackend))?;
        let column = |c: &Channel| RecordedColumn::new(&c.name, &c.unit, &c.text);
        let header = Header {
            biela: env!("CARGO_PKG_VERSION").into(),
            model: biela_record::ModelInfo {
                name: model.name.clone(),
                file: None,
                digest: None,
            },
            options: serde_json::Map::new(),
            columns: channels.iter().map(column).collect(),
        };
        Ok(Self {
            // without a browser the address remains
            _door: open_browser(&server.url()).ok().flatten(),
            show,
            server,
            drawn,
            folder: biela_files::private_folder("biela-steps-")?,
            header,
            row: ResultsRow::new(channels),
            episode: None,
            episodes: 0,
        })
    }

    /// The address of the page, with its token.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Shows the simulation at its current time. A time before the last one begins a new episode, which replaces the previous one on the page.
    pub fn show(&mut self, simulation: &mut Simulation) -> Result<(), SteppedError> {
        let time = simulation.time();
        match &self.episode {
            Some(episode) if time == episode.time => return Ok(()),
            Some(episode) if time > episode.time => {}
            _ => self.begin(simulation.model())?,
        }
        let Some(episode) = &mut self.episode else {
            return Ok(());
        };
        let row = &mut self.row;
        let mut written = Ok(());
        simulation.show(&mut on_output(|instant| {
            let (time, values) = row.at(instant);
            written = episode.writer.push(time, values);
            episode.film.sample(instant);
            let kept = episode.writer.kept().rows;
            episode.live.sample(time, values, kept);
        }))?;
        written?;
        episode.time = time;
        episode.live.tell(time, &mut episode.film);
        Ok(())
    }

    fn begin(&mut self, model: &Model) -> Result<(), SteppedError> {
        let last = self.episode.take().map(|episode| episode.live.id());
        self.episodes += 1;
        let folder = self.folder.path().join(self.episodes.to_string());
        let writer = Writer::create(&folder, &self.header, WriterOptions::default())?;
        let SteppedScene { scene, meshes } = &self.drawn;
        let film = MotionRecorder::create(&folder, scene, model, Some(meshes), ROWS)?;
        let name = format!("episode {}", self.episodes);
        let live = LiveRun::start(&self.show, &folder, &name).map_err(SteppedError::Page)?;
        if let Some(last) = last {
            self.show.remove_run(last);
            let old = self.folder.path().join((self.episodes - 1).to_string());
            std::fs::remove_dir_all(old)?;
        }
        self.episode = Some(Episode {
            writer,
            film,
            live,
            time: f64::NEG_INFINITY,
        });
        Ok(())
    }
}
