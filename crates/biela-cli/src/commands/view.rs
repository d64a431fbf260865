//! `biela view`: shows a model or results in the browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::view::{LiveRun, ModelBackend, ModelView, ResultsView, open_browser};
use biela::viewer::{Backend, NoBackend, Server, ServerSettings, Show, ViewerMode};
use tempfile::TempDir;

use crate::commands::run::{is_interrupted, listen};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input;
use crate::terminal;

const AFTER_HELP: &str = "\
The page is served on this machine only, at an address with a random token, until Ctrl-C. A model is read again whenever its file changes; \
an error in it is shown on the page, which keeps the last valid model. A model can also be edited on the page; changes are written to its \
file. If the model file does not exist, it can be created on the page. Results that are still being written are updated as they grow.

Examples:
  biela view model.toml
  biela view results/pendulum
  biela view results/stiff results/soft
  biela view model.toml --port 8080 --no-open";

/// Interval at which files are checked for changes.
const LOOK: Duration = Duration::from_millis(150);

/// Show a model or results in the browser
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A model file, or one or more results folders of the same mechanism
    #[arg(value_name = "MODEL|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// Override the value of a parameter of the model, e.g. --set "length=1.2 m"; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    serving: Serving,
    /// Print the initial data of the page as JSON and exit
    #[arg(long)]
    pub(crate) json: bool,
}

/// The address at which the page is served.
#[derive(clap::Args, Debug)]
pub(crate) struct Serving {
    /// Port of the page [default: a free port]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Address of the network interface to serve on; other machines also need the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

impl Serving {
    /// Starts the server, prints the address, and opens a browser if there is a display.
    pub(crate) fn start(
        &self,
        show: Arc<Show>,
        backend: Arc<dyn Backend>,
    ) -> Result<Served, Failure> {
        if !self.bind.is_loopback() {
            let ink = terminal::err_ink();
            terminal::say(&format!(
                "{} --bind {}: the page is reachable from the network, unencrypted, by everyone who knows its address and token\n",
                ink.yellow("warning:"),
                self.bind
            ));
        }
        let settings = ServerSettings {
            bind: self.bind,
            port: self.port,
        };
        let server = Server::start(settings, show, backend).map_err(|error| {
            Failure::command(format!(
                "cannot listen at {}:{}: {error}; choose another --port, or omit it",
                self.bind, self.port
            ))
        })?;
        terminal::data(&format!("{}\n", server.url()))?;
        let door = if self.no_open {
            None
        } else {
            open_browser(&server.url()).ok().flatten()
        };
        Ok(Served {
            _server: server,
            _door: door,
        })
    }
}

/// A page that is served until this value is dropped.
pub(crate) struct Served {
    _server: Server,
    /// The file with which the browser was opened.
    _door: Option<TempDir>,
}

/// The content of the page.
enum Shows {
    Model(ModelView),
    Results(ResultsView),
}

impl Shows {
    fn open(args: &Args) -> Result<Self, Failure> {
        if let [path] = args.paths.as_slice()
            && !path.is_dir()
        {
            if !args.json && input::can_be_made(path) {
                let slip = input::nearby(path).map_or_else(String::new, |near| {
                    format!("; did you mean {}?", near.display())
                });
                let shown = path.display();
                terminal::say(&format!(
                    "{shown} does not exist; it can be created on the page{slip}\n"
                ));
            } else {
                input::check_file(path)?;
            }
            return Ok(Shows::Model(ModelView::open(path, &args.set)));
        }
        for path in &args.paths {
            if path.is_file() {
                return Err(Failure::command(format!(
                    "{}: only results folders can be shown together; show a model alone",
                    path.display()
                )));
            }
        }
        if !args.set.is_empty() {
            return Err(Failure::command(
                "--set applies to model files; the parameters of results are fixed",
            ));
        }
        let view = ResultsView::open(&args.paths).map_err(Failure::command)?;
        Ok(Shows::Results(view))
    }

    fn show(&self) -> &Arc<Show> {
        match self {
            Shows::Model(view) => view.show(),
            Shows::Results(view) => view.show(),
        }
    }

    /// The backend that answers requests of the page.
    fn backend(&self, args: &Args) -> Result<Arc<dyn Backend>, Failure> {
        match self {
            Shows::Model(view) => {
                let backend = ModelBackend::new(&args.paths[0], &args.set, view.show());
                let backend = backend.map_err(|error| {
                    Failure::command(format!("cannot create a temporary folder: {error}"))
                })?;
                Ok(Arc::new(backend))
            }
            Shows::Results(_) => Ok(Arc::new(NoBackend)),
        }
    }

    fn refresh(&mut self) {
        match self {
            Shows::Model(view) => {
                let _ = view.refresh();
            }
            Shows::Results(view) => view.refresh(),
        }
    }
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let mut shows = Shows::open(args)?;
    if args.json {
        terminal::data(&format!("{:#}\n", shows.show().session()))?;
        return Ok(FailureCode::Done);
    }
    listen();
    let backend = shows.backend(args)?;
    let served = args.serving.start(Arc::clone(shows.show()), backend)?;
    while !is_interrupted() {
        shows.refresh();
        std::thread::sleep(LOOK);
    }
    drop(served);
    Ok(FailureCode::Done)
}

/// A run that is shown while it computes.
pub(crate) struct WatchedRun {
    served: Served,
}

/// Lets a page stop the run; the page stays open.
struct Stopper(&'static AtomicBool);

impl Backend for Stopper {
    fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl WatchedRun {
    /// Serves a run whose results folder has just been created. A page that stops the run sets `stop`.
    pub(crate) fn start(
        serving: &Serving,
        dir: &Path,
        name: &str,
        stop: &'static AtomicBool,
    ) -> Result<(Self, LiveRun), Failure> {
        let show = Arc::new(Show::new(ViewerMode::Live, name));
        let live = LiveRun::start(&show, dir, name).map_err(Failure::command)?;
        let served = serving.start(show, Arc::new(Stopper(stop)))?;
        Ok((Self { served }, live))
    }

    /// Keeps the page open until the user interrupts.
    pub(crate) fn stay(self, quiet: bool) {
        if !quiet && !is_interrupted() {
            terminal::say("the page stays open until Ctrl-C\n");
        }
        while !is_interrupted() {
            std::thread::sleep(LOOK);
        }
        drop(self.served);
    }
}
