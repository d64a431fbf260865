//! Sweeps in several processes: on this machine, or on a cluster.
//!
//! Every engine runs the same command, `biela sweep … --part K/N`, in separate processes. They share only the journals in the folder, so that the loss of a
//! worker costs only the points that it was computing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use biela::parameter_study::{ParameterStudyError, SBATCH_FILE, threads};
use clap::ValueEnum;

use crate::commands::run::{interrupt, is_interrupted};
use crate::failure::{Failure, FailureCode};
use crate::terminal;

/// The engine that computes the parts of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// Processes on this machine; a lost one is restarted
    Local,
    /// A job array of HyperQueue, using `hq` from the path
    Hyperqueue,
    /// A job array of Slurm: writes the script, to be submitted with `sbatch`
    Slurm,
}

/// Number of starts of a part after which its loss counts as a failure.
const MOST_STARTS: usize = 4;
/// Default number of parts on a cluster.
const PARTS: usize = 16;

/// The option of a worker whose parent holds the other end of its stdin.
const TETHERED: &str = "--tethered";
/// Interval at which the workers are polled.
const PAUSE: Duration = Duration::from_millis(10);
/// Time allowed for the current points to be abandoned, after which workers are killed.
const GRACE: Duration = Duration::from_secs(10);

/// A process that computes a part. It exits when the pipe to its stdin is closed. The system closes the pipe when this process ends, for whatever reason.
struct Worker {
    part: usize,
    /// Number of times the part was started.
    starts: usize,
    child: Child,
}

impl Worker {
    fn new(part: usize, starts: usize, child: Child) -> Self {
        Self {
            part,
            starts,
            child,
        }
    }

    fn has_ended(&mut self) -> Result<Option<ExitStatus>, Failure> {
        self.child
            .try_wait()
            .map_err(|error| Failure::command(format!("part {}: {error}", self.part + 1)))
    }
}

/// The running workers. Dropping this value ends them all.
#[derive(Default)]
struct Workers(Vec<Worker>);

impl Workers {
    /// Waits for a worker to end; returns `None` if there are no more. An interrupt ends them all.
    fn next_ended(&mut self) -> Result<Option<(Worker, ExitStatus)>, Failure> {
        while !self.0.is_empty() {
            if is_interrupted() {
                self.release();
            }
            for k in 0..self.0.len() {
                if let Some(ended) = self.0[k].has_ended()? {
                    return Ok(Some((self.0.swap_remove(k), ended)));
                }
            }
            std::thread::sleep(PAUSE);
        }
        Ok(None)
    }

    /// Closes the pipes, so that all workers exit after the current step.
    fn release(&mut self) {
        for worker in &mut self.0 {
            drop(worker.child.stdin.take());
        }
    }

    /// Ends all workers and waits for them.
    fn end(&mut self) {
        self.release();
        let began = Instant::now();
        while !self.0.is_empty() {
            if began.elapsed() > GRACE {
                for worker in &mut self.0 {
                    let _ = worker.child.kill();
                }
            }
            // a worker whose status cannot be read is no longer ours
            self.0
                .retain_mut(|worker| matches!(worker.child.try_wait(), Ok(None)));
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.end();
    }
}

/// Stops this process when its parent closes the pipe or is gone, and terminates it if the current point is not abandoned in time.
pub(super) fn end_with_parent() {
    let watch = || {
        let mut stdin = std::io::stdin().lock();
        // nothing is ever written to the pipe: reading ends or fails
        let _ = std::io::copy(&mut stdin, &mut std::io::sink());
        interrupt();
        std::thread::sleep(GRACE);
        std::process::exit(FailureCode::Interrupted as i32);
    };
    // without the thread the worker computes its part to the end
    drop(
        std::thread::Builder::new()
            .name("parent".into())
            .spawn(watch),
    );
}

/// Opens a resource that another process may still hold: a worker whose parent was killed first abandons its current point.
pub(super) fn once_free<T>(
    mut open: impl FnMut() -> Result<T, ParameterStudyError>,
) -> Result<T, ParameterStudyError> {
    let began = Instant::now();
    loop {
        match open() {
            Err(ParameterStudyError::Busy(_))
                if began.elapsed() < 2 * GRACE && !is_interrupted() =>
            {
                std::thread::sleep(PAUSE);
            }
            opened => return opened,
        }
    }
}

/// A sweep to be computed in parts.
pub(super) struct ShardedSweep<'a> {
    pub(super) model: &'a Path,
    pub(super) set: &'a [String],
    pub(super) folder: &'a Path,
    pub(super) histories: bool,
    /// The number of parts, if given.
    pub(super) count: Option<usize>,
    pub(super) points: usize,
}

impl ShardedSweep<'_> {
    fn count(&self, engine: Engine) -> usize {
        let default = match engine {
            Engine::Local => threads(),
            Engine::Hyperqueue | Engine::Slurm => PARTS,
        };
        self.count.unwrap_or(default).clamp(1, self.points.max(1))
    }

    /// The arguments that compute a part; `part` may be a shell variable.
    fn arguments(&self, part: &str) -> Result<Vec<String>, Failure> {
        // a worker may start in another folder
        let whole = |path: &Path| {
            std::path::absolute(path)
                .map(|path| path.display().to_string())
                .map_err(|error| Failure::command(format!("{}: {error}", path.display())))
        };
        let mut list = vec!["sweep".to_owned(), whole(self.model)?];
        for set in self.set {
            list.extend(["--set".to_owned(), set.clone()]);
        }
        list.extend(["--out".to_owned(), whole(self.folder)?]);
        list.extend(["--part".to_owned(), part.to_owned()]);
        list.extend(["--threads".to_owned(), "1".to_owned(), "--quiet".to_owned()]);
        if self.histories {
            list.push("--histories".to_owned());
        }
        Ok(list)
    }

    /// Computes all parts, or prepares the job array. Returns `None` if the table can be written now.
    pub(super) fn run(&self, engine: Engine, quiet: bool) -> Result<Option<FailureCode>, Failure> {
        let program = std::env::current_exe().map_err(|error| {
            Failure::command(format!("cannot find the executable of biela: {error}"))
        })?;
        match engine {
            Engine::Local => self.local(&program, quiet),
            Engine::Hyperqueue => self.hyperqueue(&program),
            Engine::Slurm => self.slurm(&program).map(Some),
        }
    }

    fn local(&self, program: &Path, quiet: bool) -> Result<Option<FailureCode>, Failure> {
        let count = self.count(Engine::Local);
        let start = |k: usize| -> Result<Child, Failure> {
            Command::new(program)
                .args(self.arguments(&format!("{}/{count}", k + 1))?)
                .arg(TETHERED)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .map_err(|error| Failure::command(format!("{}: {error}", program.display())))
        };
        let mut workers = Workers::default();
        for k in 0..count {
            workers.0.push(Worker::new(k, 1, start(k)?));
        }
        while let Some((worker, ended)) = workers.next_ended()? {
            let (k, starts) = (worker.part, worker.starts);
            if ended.success() {
                continue;
            }
            if is_interrupted() || ended.code() == Some(FailureCode::Interrupted as i32) {
                workers.end();
                terminal::say(
                    "interrupted: the computed points are kept; the same command continues\n",
                );
                return Ok(Some(FailureCode::Interrupted));
            }
            // a worker that exits with an error would fail again
            if ended.code().is_some() || starts == MOST_STARTS {
                let code = match ended.code() {
                    Some(code) if code == FailureCode::Record as i32 => FailureCode::Record,
                    _ => FailureCode::Solver,
                };
                return Err(Failure::new(
                    code,
                    format!(
                        "part {}/{count} ended with {ended}; the points of the others are kept",
                        k + 1
                    ),
                ));
            }
            if !quiet {
                terminal::say(&format!(
                    "part {}/{count} was lost ({ended}) and is restarted\n",
                    k + 1
                ));
            }
            workers.0.push(Worker::new(k, starts + 1, start(k)?));
        }
        Ok(None)
    }

    fn hyperqueue(&self, program: &Path) -> Result<Option<FailureCode>, Failure> {
        let count = self.count(Engine::Hyperqueue);
        let mut command = Command::new("hq");
        let _ = command
            .args([
                "submit",
                "--wait",
                "--crash-limit",
                "10",
                "--stdout=none",
                "--stderr=none",
            ])
            .args(["--array", &format!("1-{count}")])
            .args(["--name", "biela-sweep", "--", "sh", "-c"])
            .arg(shell(
                program,
                &self.arguments(&format!("$HQ_TASK_ID/{count}"))?,
            ))
            .stdout(Stdio::null());
        let ended = command.status().map_err(|error| {
            Failure::command(format!(
                "cannot start hq: {error}; put HyperQueue in the path, with a server and workers running, or use --on local"
            ))
        })?;
        if ended.success() {
            return Ok(None);
        }
        Err(Failure::new(
            FailureCode::Solver,
            format!(
                "hq ended with {ended}; `hq job list` shows the jobs; the computed points are kept"
            ),
        ))
    }

    fn slurm(&self, program: &Path) -> Result<FailureCode, Failure> {
        let count = self.count(Engine::Slurm);
        let part = format!("$SLURM_ARRAY_TASK_ID/{count}");
        let mut script = String::from("#!/bin/sh\n");
        let _ = write!(
            script,
            "#SBATCH --job-name=biela-sweep\n#SBATCH --array=1-{count}\n#SBATCH --cpus-per-task=1\n#SBATCH --requeue\n{}\n",
            shell(program, &self.arguments(&part)?)
        );
        let path: PathBuf = self.folder.join(SBATCH_FILE);
        let written = biela_files::folder(self.folder)
            .and_then(|()| biela_files::write(&path, script.as_bytes()));
        written.map_err(|error| {
            Failure::command(format!("cannot write {}: {error}", path.display()))
        })?;
        terminal::say(&format!(
            "wrote {}: submit it with sbatch, and when all {count} tasks have ended run this command with --gather\n",
            path.display()
        ));
        Ok(FailureCode::Done)
    }
}

/// A shell command line: every word is quoted, except for the variable with the number of the part.
fn shell(program: &Path, arguments: &[String]) -> String {
    let quoted = |text: &str| match text.strip_prefix('$').and_then(|rest| rest.split_once('/')) {
        Some((variable, rest)) => format!("\"${variable}\"/{rest}"),
        None => format!("'{}'", text.replace('\'', "'\\''")),
    };
    let mut words = vec![quoted(&program.display().to_string())];
    words.extend(arguments.iter().map(|word| quoted(word)));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_the_shell_except_the_part_number() {
        let words = [
            "--set".to_owned(),
            "a='x'; rm".into(),
            "$HQ_TASK_ID/8".into(),
        ];
        let line = shell(Path::new("/opt/my biela"), &words);
        assert_eq!(
            line,
            r#"'/opt/my biela' '--set' 'a='\''x'\''; rm' "$HQ_TASK_ID"/8"#
        );
    }
}
