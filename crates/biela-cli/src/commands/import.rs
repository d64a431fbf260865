//! `biela import`: converts models of other programs.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use biela::explain::Reason;
use biela::model::import::{Imported, mjcf, robo, sismul, urdf};
use clap::Subcommand;

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal;

const AFTER_HELP: &str = "\
Examples:
  biela import sismul cards.dat
  biela import sismul cards.dat -o chain/model.toml
  biela import sismul human.dat --length \"1 m/12\" -o human.toml
  biela import robo stanford.rob -o stanford.toml
  biela import urdf robot.urdf -o robot/model.toml
  biela import urdf quadruped.urdf --base floating
  biela import mjcf humanoid.xml -o humanoid/model.toml
  biela import mjcf arm.xml --keyframe home -o arm.toml";

/// The maximum number of bytes read from a file. It exceeds the limit of every format, so that the format reports the error.
const MOST_BYTES: u64 = 25_000_000;

/// Convert a model of another program
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    format: ImportFormat,
}

#[derive(Subcommand, Debug)]
enum ImportFormat {
    /// Input cards of SISMUL, a multibody program based on Kane's equations
    Sismul(Sismul),
    /// Robot file of a simulator of serial arms: Denavit-Hartenberg table and second moments, by keywords
    Robo(Robo),
    /// A robot in URDF, the description format of ROS
    Urdf(Urdf),
    /// A model in MJCF, the format of MuJoCo
    Mjcf(Mjcf),
}

#[derive(clap::Args, Debug)]
struct Sismul {
    /// File with the input cards
    #[arg(value_name = "CARDS")]
    cards: PathBuf,
    #[command(flatten)]
    output: ImportTarget,
    /// Unit of length of the cards, e.g. "1 m/12" [default: metre]
    #[arg(long, value_name = "LENGTH")]
    length: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Robo {
    /// Robot file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: ImportTarget,
    /// A second robot file with the same number of links: the real robot, of which FILE is the model
    #[arg(long, value_name = "ROBOT")]
    model_of: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct Urdf {
    /// URDF file with all xacro macros expanded
    #[arg(value_name = "ROBOT")]
    robot: PathBuf,
    #[command(flatten)]
    output: ImportTarget,
    /// Attachment of the root link
    #[arg(long, value_enum, default_value_t = BaseChoice::Fixed)]
    base: BaseChoice,
    /// Geometry to import; if a link lacks it, the other kind is used
    #[arg(long, value_enum, default_value_t = ShapesChoice::Visual)]
    shapes: ShapesChoice,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum BaseChoice {
    /// Fixed to the ground
    Fixed,
    /// Floating base
    Floating,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum ShapesChoice {
    /// The visual geometry
    Visual,
    /// The collision geometry
    Collision,
}

#[derive(clap::Args, Debug)]
struct Mjcf {
    /// MJCF file; included files and meshes are read from its folder
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Root folder of the model, if some of its files are outside the folder of MODEL
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    #[command(flatten)]
    output: ImportTarget,
    /// Initial keyframe, by name or by number from 0 [default: the body poses in the file]
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
}

/// The destination of the model.
#[derive(clap::Args, Debug)]
struct ImportTarget {
    /// File to write instead of stdout; an existing file is not overwritten
    #[arg(
        long = "output",
        short = 'o',
        value_name = "FILE",
        visible_alias = "out"
    )]
    path: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    match &args.format {
        ImportFormat::Sismul(args) => args.run(),
        ImportFormat::Robo(args) => args.run(),
        ImportFormat::Urdf(args) => args.run(),
        ImportFormat::Mjcf(args) => args.run(),
    }
}

impl Sismul {
    fn run(&self) -> CommandResult {
        if let Some(length) = &self.length {
            let _ = biela::quantity(length, "m")
                .map_err(|error| Failure::command(error.about("--length")))?;
        }
        let bytes = read(&self.cards, "a file of cards")?;
        let options = sismul::SismulOptions {
            length: self.length.clone(),
        };
        let name = self.cards.display().to_string();
        self.output
            .hand_out(sismul::import(&name, &bytes, &options))
    }
}

impl Robo {
    fn run(&self) -> CommandResult {
        let read = |path: &PathBuf| -> Result<(String, Vec<u8>), Failure> {
            Ok((path.display().to_string(), read(path, "a robot file")?))
        };
        let (name, bytes) = read(&self.file)?;
        let other = self.model_of.as_ref().map(read).transpose()?;
        let other = other
            .as_ref()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        self.output.hand_out(robo::import(&name, &bytes, other))
    }
}

impl Urdf {
    fn run(&self) -> CommandResult {
        let bytes = read(&self.robot, "a robot description")?;
        let name = self.robot.display().to_string();
        let options = urdf::UrdfOptions {
            base: match self.base {
                BaseChoice::Fixed => urdf::Base::Fixed,
                BaseChoice::Floating => urdf::Base::Floating,
            },
            shapes: match self.shapes {
                ShapesChoice::Visual => urdf::Shapes::Visual,
                ShapesChoice::Collision => urdf::Shapes::Collision,
            },
        };
        let text = String::from_utf8_lossy(&bytes);
        self.output.hand_out(urdf::import(&name, &text, &options))
    }
}

impl Mjcf {
    fn run(&self) -> CommandResult {
        let bytes = read(&self.model, "an MJCF file")?;
        let name = self.model.display().to_string();
        let options = mjcf::MjcfOptions {
            keyframe: self.keyframe.clone(),
        };
        let folder = mjcf::DiskFolder::beside(&self.model);
        let folder = match &self.root {
            Some(root) => folder.within(root),
            None => folder,
        };
        let text = String::from_utf8_lossy(&bytes);
        let imported = mjcf::import(&name, &text, &folder, &options);
        self.output.hand_out(imported)
    }
}

impl ImportTarget {
    /// Reports problems; if the model is valid, writes it.
    fn hand_out(&self, imported: Imported) -> CommandResult {
        let text = accepted(imported)?;
        let Some(path) = &self.path else {
            terminal::data(&text)?;
            return Ok(FailureCode::Done);
        };
        write(path, &text)?;
        let shown = path.display();
        terminal::say(&format!("wrote {shown}\n\nnext: biela check {shown}\n"));
        Ok(FailureCode::Done)
    }
}

/// Returns the text of the model. Problems are reported; without a text they become a failure.
fn accepted(imported: Imported) -> Result<String, Failure> {
    let style = terminal::err_ink().style();
    let report = imported.diagnostics.render(&imported.sources, style);
    let report = terminal::coloured(&report);
    match imported.text {
        Some(text) => {
            if !report.is_empty() {
                terminal::say(&report);
                terminal::say("\n");
            }
            Ok(text)
        }
        None => Err(Failure {
            code: FailureCode::Model,
            text: report,
            headed: true,
            details: imported.diagnostics.to_json(&imported.sources),
            reason: Some(Reason::BadModel),
        }),
    }
}

fn read(path: &Path, wanted: &str) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let fail = |error: io::Error| Failure::command(format!("cannot read {shown}: {error}"));
    if fs::metadata(path).map_err(fail)?.is_dir() {
        return Err(Failure::command(format!(
            "{shown} is a folder; name {wanted} in it"
        )));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    let _ = file
        .take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .map_err(fail)?;
    Ok(bytes)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let written = folder
        .map_or(Ok(()), biela_files::folder)
        .and_then(|()| biela_files::create_new(path))
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let shown = path.display();
        Failure::command(match error.kind() {
            io::ErrorKind::AlreadyExists if path.exists() => {
                format!("{shown} exists and is not replaced; choose another name")
            }
            _ => format!("cannot write {shown}: {error}; choose a writable folder"),
        })
    })
}
