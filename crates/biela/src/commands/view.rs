//! `biela view`: a model or results in the browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use biela::view::ModelView;
use biela::viewer::{Backend, NoBackend, Server, Settings, Show};

use crate::commands::run::{is_interrupted, listen};
use crate::failure::{Code, Failure, Outcome};
use crate::input;
use crate::terminal;

const AFTER_HELP: &str = "\
The page is served on this machine alone, at an address with a random token, until Ctrl-C. A model is read again
whenever its file changes; a mistake in it is shown in the page, which keeps the last good picture.

Examples:
  biela view model.toml
  biela view model.toml --port 8080 --no-open";

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(150);

/// Show a model in the browser
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Model file
    #[arg(value_name = "MODEL")]
    path: PathBuf,
    /// Give a parameter another value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    serving: Serving,
    /// Print what the page is told at its start as JSON, and end
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where the page is served.
#[derive(clap::Args, Debug)]
pub(crate) struct Serving {
    /// Port of the page; a free one when left out
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Address of another network interface, for others who know the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Only print the address, open no browser
    #[arg(long)]
    no_open: bool,
}

impl Serving {
    /// Starts to serve, tells the address, and opens a browser where there is a screen.
    pub(crate) fn start(
        &self,
        show: Arc<Show>,
        backend: Arc<dyn Backend>,
    ) -> Result<Server, Failure> {
        if !self.bind.is_loopback() {
            let ink = terminal::err_ink();
            terminal::say(&format!(
                "{} --bind {}: the page is open to the network, unencrypted, for everyone who learns its address and token\n",
                ink.yellow("warning:"),
                self.bind
            ));
        }
        let settings = Settings {
            bind: self.bind,
            port: self.port,
        };
        let server = Server::start(settings, show, backend).map_err(|error| {
            Failure::command(format!(
                "cannot listen at {}:{}: {error}; choose another --port, or none",
                self.bind, self.port
            ))
        })?;
        terminal::data(&format!("{}\n", server.url()))?;
        if !self.no_open {
            open(&server.url());
        }
        Ok(server)
    }
}

/// Opens a browser where there is a screen; where that fails, the address has been told.
fn open(url: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ if has_screen => Command::new("xdg-open"),
        _ => return,
    };
    let quiet = command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    drop(quiet.spawn());
}

pub(crate) fn run(args: &Args) -> Outcome {
    input::check_file(&args.path)?;
    let mut view = ModelView::open(&args.path, &args.set);
    if args.json {
        terminal::data(&format!("{:#}\n", view.show().session()))?;
        return Ok(Code::Done);
    }
    listen();
    let server = args
        .serving
        .start(Arc::clone(view.show()), Arc::new(NoBackend))?;
    while !is_interrupted() {
        let _ = view.refresh();
        std::thread::sleep(LOOK);
    }
    drop(server);
    Ok(Code::Done)
}
