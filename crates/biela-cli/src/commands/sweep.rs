//! `biela sweep`: runs one model with many values of its parameters.

mod elsewhere;
mod figure;
mod summary;

use std::path::{Path, PathBuf};

use biela::explain::Reason;
use biela::parameter_study::{
    BAND_PICTURES, Journal, POINT_PICTURES, ParameterRuns, ParameterStudyError, Sweep, SweepRow,
    SweepShard, TABLE_CSV_FILE, TABLE_FILE, threads,
};
use biela::plot::Figure;
use biela::record::FolderLock;

use crate::commands::plot;
use crate::commands::run::{folder_name, is_interrupted, listen};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::progress::Meter;
use crate::{output, terminal};
use elsewhere::{Engine, ShardedSweep};
use summary::SweepSummary;

const AFTER_HELP: &str = "\
The model defines what is varied ([sweep]) and what is measured in each run ([[measure]]). Points are
stored in the folder as they finish: after Ctrl-C or a kill, the same command continues. A point
that fails is a row with the reason; the others continue. The table is bitwise identical for any
number of threads, order and interruption.

Examples:
  biela sweep model.toml
  biela sweep model.toml --threads 4 --out results/tolerances --csv
  biela sweep model.toml --plot --band slider.x
  biela sweep model.toml --part 3/8         compute the third of eight parts, on any machine
  biela sweep model.toml --gather           write the table when all parts are computed
  biela sweep model.toml --on local         use worker processes; a lost one is restarted
  biela sweep model.toml --on slurm --parts 64";

/// Run a model with many values of its parameters
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command"
)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Folder for points and table [default: results/<model name>-sweep]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of parallel runs [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Also write table.csv
    #[arg(long)]
    csv: bool,
    /// Also keep the results of every run, e.g. points/000017 is a results folder
    #[arg(long)]
    histories: bool,
    /// Plot the table as plot.svg and plot.png: a curve over one parameter, a map over a grid of two, otherwise distributions
    #[arg(long)]
    plot: bool,
    /// Plot the histories of a signal with their percentiles: band.svg and band.png
    #[arg(long, value_name = "SIGNAL", conflicts_with = "part")]
    band: Option<String>,
    /// Compute only part K of N, in a separate process
    #[arg(long, value_name = "K/N", conflicts_with = "gather")]
    part: Option<SweepShard>,
    /// Compute in several processes
    #[arg(long = "on", value_name = "ENGINE", conflicts_with_all = ["part", "gather", "threads"])]
    engine: Option<Engine>,
    /// Number of parts with --on [default: number of cores, or 16 for a cluster]
    #[arg(long, value_name = "N", requires = "engine")]
    parts: Option<usize>,
    /// Exit when stdin is closed; the parent process holds its other end
    #[arg(long, hide = true, requires = "part")]
    tethered: bool,
    /// Write the table from the points that the parts have computed
    #[arg(long)]
    gather: bool,
    /// Discard the points of an earlier sweep in the folder
    #[arg(long, conflicts_with = "gather")]
    fresh: bool,
    /// Print a summary as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

impl From<ParameterStudyError> for Failure {
    fn from(error: ParameterStudyError) -> Self {
        match &error {
            ParameterStudyError::File(_, source) => Failure::file(&error, source),
            ParameterStudyError::Unrecorded(text) => {
                Failure::new(FailureCode::Record, text).because(Reason::Writing)
            }
            ParameterStudyError::Other { .. } => {
                Failure::command(format!("{error} (--fresh, --out)"))
            }
            ParameterStudyError::Busy(_) => Failure::command(format!("{error} (--out)")),
            _ => Failure::command(error),
        }
    }
}

/// The failure for a study that cannot be carried out, with its model.
pub(crate) fn study_failure(model: &ModelArgs, error: ParameterStudyError) -> Failure {
    match error {
        ParameterStudyError::Missing(text) => {
            Failure::command(format!("{}: {text}", model.path.display()))
        }
        error => error.into(),
    }
}

/// Reads the model for many runs. Errors become a failure; warnings are printed unless `quiet` is set.
pub(crate) fn runs(model: &ModelArgs, quiet: bool) -> Result<ParameterRuns, Failure> {
    let _ = model.load(quiet)?;
    Ok(ParameterRuns::open(&model.path, &model.set).map_err(ParameterStudyError::Model)?)
}

pub(crate) fn run(args: &Args) -> CommandResult {
    listen();
    if args.tethered {
        elsewhere::end_with_parent();
    }
    let runs = runs(&args.model, args.quiet)?;
    let sweep = Sweep::new(runs).map_err(|error| study_failure(&args.model, error))?;
    let folder = args.folder(&sweep)?;
    if args.gather {
        let rows = sweep.gather(&folder)?;
        return args.finish(&sweep, &folder, &rows);
    }
    if args.fresh {
        Sweep::clear(&folder)?;
    }
    if let Some(engine) = args.engine {
        return args.elsewhere(&sweep, &folder, engine);
    }
    let part = args.part.unwrap_or(SweepShard::ALL);
    let open = || Journal::open(&folder, &sweep.identity(), part);
    let mut journal = if args.tethered {
        elsewhere::once_free(open)?
    } else {
        open()?
    };
    args.advance(&sweep, &folder, part, &mut journal)?;
    if is_interrupted() {
        let known = journal.rows().len();
        let all = sweep.plan().len();
        // the parent process prints this once for all workers
        if !args.tethered {
            terminal::say(&format!(
                "interrupted: {known} of {all} points are kept; the same command continues\n"
            ));
        }
        return Ok(FailureCode::Interrupted);
    }
    if args.part.is_some() {
        args.say_part(&sweep, part, journal.rows());
        return Ok(FailureCode::Done);
    }
    args.finish(&sweep, &folder, journal.rows())
}

/// Writes a figure in both formats.
fn draw(
    figure: &Figure<'_>,
    folder: &Path,
    names: [&'static str; 2],
    files: &mut Vec<&'static str>,
) -> Result<(), Failure> {
    for name in names {
        plot::write(figure, &folder.join(name))?;
        files.push(name);
    }
    Ok(())
}

type SweepRows = std::collections::BTreeMap<usize, SweepRow>;

impl Args {
    fn folder(&self, sweep: &Sweep) -> Result<PathBuf, Failure> {
        let name = format!("{}-sweep", folder_name(&sweep.runs().about().name));
        output::folder(self.out.as_ref(), &name)
    }

    /// Computes in several processes, then writes the table.
    fn elsewhere(&self, sweep: &Sweep, folder: &Path, engine: Engine) -> CommandResult {
        // a folder with another study, or one in use by another process, is rejected before anything is started
        let _ = sweep.gather(folder)?;
        let _lock = FolderLock::acquire(folder)?;
        let parts = ShardedSweep {
            model: &self.model.path,
            set: &self.model.set,
            folder,
            histories: self.histories || self.band.is_some(),
            count: self.parts,
            points: sweep.plan().len(),
        };
        if let Some(code) = parts.run(engine, self.quiet)? {
            return Ok(code);
        }
        self.finish(sweep, folder, &sweep.gather(folder)?)
    }

    /// Computes the missing points.
    fn advance(
        &self,
        sweep: &Sweep,
        folder: &Path,
        part: SweepShard,
        journal: &mut Journal,
    ) -> Result<(), Failure> {
        let mine = |k: &usize| part.has(*k);
        let all = (0..sweep.plan().len()).filter(mine).count();
        let known = journal.rows().keys().filter(|k| mine(k)).count();
        if known > 0 && known < all && !self.quiet {
            terminal::say(&format!("continuing after {known} of {all} points\n"));
        }
        let threads = self.threads.map_or_else(threads, usize::from);
        let histories = (self.histories || self.band.is_some()).then_some(folder);
        let mut meter = Meter::new(self.quiet);
        let (mut done, mut failed) = (0, 0);
        sweep.advance(
            journal,
            part,
            (threads, histories),
            &is_interrupted,
            |row| {
                done += 1;
                failed += usize::from(row.values.is_err());
                let note = match failed {
                    0 => String::new(),
                    n => format!("  {n} failed"),
                };
                meter.runs(done, all - known, &note);
            },
        )?;
        meter.finish();
        Ok(())
    }

    fn say_part(&self, sweep: &Sweep, part: SweepShard, rows: &SweepRows) {
        if self.quiet {
            return;
        }
        let mine = rows.values().filter(|row| part.has(row.point));
        let failed = mine.clone().filter(|row| row.values.is_err()).count();
        terminal::say(&format!(
            "part {}/{}: {} computed, {failed} failed; {} of {} points are known in total\n",
            part.index + 1,
            part.of,
            terminal::count(mine.count(), "point"),
            rows.len(),
            sweep.plan().len()
        ));
    }

    /// Writes the table and prints its summary.
    fn finish(&self, sweep: &Sweep, folder: &Path, rows: &SweepRows) -> CommandResult {
        let table = sweep.table(folder, rows)?;
        let cannot = |file: &Path, error: std::io::Error| {
            Failure::file(format!("cannot write {}: {error}", file.display()), &error)
        };
        let file = folder.join(TABLE_FILE);
        let mut files = vec![TABLE_FILE];
        table
            .write_parquet(&file)
            .map_err(|error| cannot(&file, error))?;
        if self.csv {
            let file = folder.join(TABLE_CSV_FILE);
            table
                .write_csv(&file)
                .map_err(|error| cannot(&file, error))?;
            files.push(TABLE_CSV_FILE);
        }
        if self.plot {
            let figure = figure::figure(sweep, &table);
            draw(&figure, folder, POINT_PICTURES, &mut files)?;
        }
        if let Some(signal) = &self.band {
            let figure = figure::band(sweep, &table, folder, signal)?;
            draw(&figure, folder, BAND_PICTURES, &mut files)?;
        }
        let summary = SweepSummary::new(sweep, &table, folder, files);
        if !self.quiet {
            terminal::say(&summary.render(terminal::err_page()));
        }
        if self.json {
            terminal::data(&format!("{:#}\n", summary.to_json()))?;
        }
        if summary.all_failed() {
            return Ok(FailureCode::Solver);
        }
        Ok(FailureCode::Done)
    }
}
