//! Runs test executables side by side, those that take longest first.
//!
//! In: jobs. Out: a line for each on the terminal, with its output if it failed, and its result.
//! Each has its output in a file of its own below the target directory.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Something that runs tests.
#[derive(Debug)]
pub(super) struct Job {
    /// Name for the terminal: `package name`.
    pub(super) title: String,
    pub(super) command: Command,
}

/// Result of a job.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) title: String,
    pub(super) success: bool,
    /// Number of tests that passed.
    pub(super) passed: usize,
}

/// Jobs that take longest, by figures of a whole run. Begun last, one of them alone would be waited
/// for.
const LONGEST: &[&str] = &[
    "documentation",
    "inside",
    "fork_modes",
    "as_a_user",
    "tools",
    "page",
    "baselines",
    "fork_orders",
    "threads",
    "json",
    "tool_runner",
    "endings",
    "binary_around",
    "counts",
    "fork_endings",
    "brackets",
    "verify",
    "readme",
    "seeds",
    "fork_speed",
    "ui",
    "situations",
    "heap_places",
    "homes",
    "killed_runs",
    "binary_commands",
    "doctor",
    "fork_tools",
    "client_requests_races",
    "random",
    "perf",
];

/// Sorts jobs by the time that they take.
pub(super) fn longest_first(jobs: &mut [Job]) {
    jobs.sort_by_key(|job| {
        let name = job.title.rsplit(' ').next().unwrap_or_default();
        let place = LONGEST.iter().position(|long| *long == name);
        place.unwrap_or(LONGEST.len())
    });
}

/// Runs all jobs, so many at a time; `logs` is the folder for their output.
pub(super) fn run(jobs: Vec<Job>, workers: usize, logs: &Path) -> Result<Vec<Ended>> {
    fs::create_dir_all(logs).with_context(|| format!("cannot make `{}`", logs.display()))?;
    let queue = Mutex::new(VecDeque::from(jobs));
    let ended = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        loop {
            let job = lock(&queue).pop_front();
            let Some(job) = job else { return Ok(()) };
            let (one, seconds, output) = run_one(job, logs)?;
            // One at a time, so that lines of several do not mix.
            let mut ended = lock(&ended);
            println!("{}", line(&one, seconds, &output));
            ended.push(one);
        }
    };
    let results: Vec<Result<()>> = thread::scope(|scope| {
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined = all.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    Ok(ended.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run_one(mut job: Job, logs: &Path) -> Result<(Ended, Duration, String)> {
    let path = log(logs, &job.title);
    let file = File::create(&path).with_context(|| format!("cannot make `{}`", path.display()))?;
    let copy = file.try_clone().context("cannot share a file")?;
    let start = Instant::now();
    let status = job
        .command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(copy)
        .status()
        .with_context(|| format!("could not start the tests of {}", job.title))?;
    let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut output = String::from_utf8_lossy(&bytes).into_owned();
    if !status.success() {
        output += &format!("{status}\n");
    }
    let ended = Ended {
        title: job.title,
        success: status.success(),
        passed: passed(&output),
    };
    Ok((ended, start.elapsed(), output))
}

fn log(folder: &Path, title: &str) -> PathBuf {
    folder.join(title.replace(' ', ".") + ".log")
}

/// Line for the terminal, with all output if the job failed.
fn line(ended: &Ended, time: Duration, output: &str) -> String {
    let (title, passed, time) = (&ended.title, ended.passed, time.as_secs_f64());
    match ended.success {
        true => format!("  ok {time:7.1} s  {title}: {passed} passed"),
        false => format!("FAILED {time:5.1} s  {title}\n{output}"),
    }
}

/// The sum of what `test result: ok. 12 passed; 0 failed; …` says, once for each executable.
fn passed(output: &str) -> usize {
    let results = output
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "));
    let counts = results.filter_map(|result| {
        let before = result.split(" passed;").next()?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    });
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(title: &str, script: &str) -> Job {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Job {
            title: title.to_owned(),
            command,
        }
    }

    #[test]
    fn each_has_its_output_and_its_end() {
        let logs = tempfile::tempdir().unwrap();
        let result = "test result: ok. 12 passed; 0 failed; 0 ignored";
        let jobs = vec![
            shell("one good", &format!("echo '{result}'; echo '{result}'")),
            shell("one bad", "echo to stderr >&2; echo to stdout; exit 3"),
        ];
        let mut ended = run(jobs, 2, logs.path()).unwrap();
        ended.sort_by(|one, other| one.title.cmp(&other.title));
        let [bad, good] = &ended[..] else {
            panic!("{ended:?}")
        };
        assert_eq!((good.success, good.passed), (true, 24));
        assert_eq!((bad.success, bad.passed), (false, 0));
        let kept = fs::read_to_string(logs.path().join("one.bad.log")).unwrap();
        assert_eq!(kept, "to stderr\nto stdout\n");
    }

    #[test]
    fn a_failure_is_shown_with_its_output() {
        let ended = Ended {
            title: "package name".to_owned(),
            success: false,
            passed: 3,
        };
        let shown = line(&ended, Duration::from_millis(1500), "said\n");
        assert_eq!(shown, "FAILED   1.5 s  package name\nsaid\n");
    }

    #[test]
    fn long_ones_are_first_and_others_stay_in_order() {
        let mut jobs: Vec<Job> = ["a x", "a y", "b tools", "a fork_modes"]
            .map(|title| shell(title, "true"))
            .into();
        longest_first(&mut jobs);
        let titles: Vec<&str> = jobs.iter().map(|job| &*job.title).collect();
        assert_eq!(titles, ["a fork_modes", "b tools", "a x", "a y"]);
    }
}
