//! Benchmarks that are begun before the result of the one before them is read: nothing that is
//! shown or kept depends on it, and it is done only where it cannot.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::replayed::{recordings, Replayed};
use iai_callgrind_runner::error::{Error, Result};
use iai_callgrind_runner::execute::{
    BegunJob, EndedAhead, EndedProcess, Hook, Launch, OutputChannel, Replay,
};
use iai_callgrind_runner::plan::{Job, LevelHooks};
use serde_json::Value;
use store::WorkDirectory;

/// Events in their order.
type Log = Arc<Mutex<Vec<String>>>;

/// Replays, also before the turn of a job.
struct Ahead<'a> {
    replay: Replay,
    home: &'a Path,
    log: Log,
    /// The job that was begun has to run again.
    loses: fn(&Job) -> bool,
    /// The job that was begun ends at once.
    is_quick: bool,
    workers: usize,
}

/// A job that was begun.
struct Begun<'a> {
    ahead: &'a Ahead<'a>,
    job: &'a Job,
    has_ended: bool,
}

impl Ahead<'_> {
    fn log(&self, what: &str, job: &Job) {
        let path = &job.benchmark_path;
        let line = match &path.id {
            Some(id) => format!("{what} {id}"),
            None => format!("{what} {}", path.function),
        };
        self.log.lock().unwrap().push(line);
    }

    /// Is the result of the first benchmark on its way already?
    fn has_first(&self) -> bool {
        self.home
            .join("replayed/bench/kernels/sort.reversed")
            .exists()
    }
}

impl Launch for Ahead<'_> {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        self.log("launch", job);
        self.replay.launch(job, directory, channel)
    }

    fn begin<'a>(&'a self, job: &'a Job) -> Result<Option<Box<dyn BegunJob + Send + 'a>>> {
        assert!(self.is_quick || !self.has_first());
        if self.is_quick {
            // Sixteen wait for their turn at most, beside the one whose turn it is.
            let id = job.benchmark_path.id.as_deref().unwrap();
            let number: usize = id.trim_start_matches('c').parse().unwrap();
            let kept = fs::read_dir(self.home.join("replayed/bench/kernels"));
            let handled = kept.map_or(0, Iterator::count);
            let most = 17 * self.workers;
            assert!(number <= handled + most, "{number} after {handled}");
        }
        self.log("begin", job);
        Ok(Some(Box::new(Begun {
            ahead: self,
            job,
            has_ended: false,
        })))
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        self.replay.assist(hooks, hook, channel)
    }
}

impl BegunJob for Begun<'_> {
    fn end(mut self: Box<Self>) -> Result<(EndedAhead, WorkDirectory)> {
        let Ahead { replay, loses, .. } = self.ahead;
        self.has_ended = true;
        assert!(self.ahead.is_quick || self.ahead.has_first());
        self.ahead.log("end", self.job);
        let base = self.ahead.home.join("replayed/bench");
        let directory = tempfile::tempdir_in(base).unwrap();
        if loses(self.job) {
            return Ok((None, WorkDirectory::from(directory)));
        }
        let channel = OutputChannel::new(true, |_, _| unreachable!());
        let ended = replay.launch(self.job, directory.path(), &channel)?;
        Ok((Some(ended), WorkDirectory::from(directory)))
    }

    fn ends_within(&self, time: Duration) -> bool {
        assert!(time <= Duration::from_millis(50));
        self.ahead.is_quick
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.has_ended {
            self.ahead.log("drop", self.job);
        }
    }
}

/// Runs once; returns the events, and checks that what is shown and kept is the same as without.
#[track_caller]
fn check(words: &[&str], loses: bool, expected: &[&str]) {
    let words = [&["--nosummary=no"], words].concat();
    let plain = Replayed::new();
    let without = plain.run(&recordings("first"), &words);
    let replayed = Replayed::new();
    let log = Log::default();
    let ahead = Ahead {
        replay: Replay::new(recordings("first")),
        home: replayed.home(),
        log: Arc::clone(&log),
        loses: if loses { |_| true } else { |_| false },
        is_quick: false,
        workers: 1,
    };
    let shown = replayed.run_by(&ahead, &words);
    let until_time = |text: &str| text.split(" finished in ").next().unwrap().to_owned();
    assert_eq!(until_time(&shown.out), until_time(&without.out));
    assert_eq!((shown.exit, &shown.err), (without.exit, &without.err));
    let profiles = |replayed: &Replayed| {
        let mut files = replayed.files();
        files.retain(|(name, _)| !name.contains("summary"));
        files
    };
    assert!(profiles(&replayed) == profiles(&plain));
    assert_eq!(replayed.files().len(), plain.files().len());
    assert_eq!(*log.lock().unwrap(), expected, "{words:?}");
}

#[test]
fn the_next_benchmark_runs_before_the_result_of_the_first_is_read() {
    check(&[], false, &["launch reversed", "begin works", "end works"]);
}

#[test]
fn what_was_begun_and_lost_runs_again() {
    let expected = [
        "launch reversed",
        "begin works",
        "end works",
        "launch works",
    ];
    check(&[], true, &expected);
}

#[test]
fn what_can_matter_to_the_next_benchmark_comes_before_it() {
    let in_turn = ["launch reversed", "launch works"];
    for word in [
        "--nocapture",
        "--regression-fail-fast=true",
        "--timeout=60",
        "--fork=no",
    ] {
        check(&[word], false, &in_turn);
    }
}

/// A run ends early where nobody reads its results any more.
#[test]
fn what_was_begun_is_ended_with_the_run() {
    let mut replayed = Replayed::new();
    replayed.stdout_closes = true;
    let log = Log::default();
    let ahead = Ahead {
        replay: Replay::new(recordings("first")),
        home: replayed.home(),
        log: Arc::clone(&log),
        loses: |_| false,
        is_quick: false,
        workers: 1,
    };
    let ended = replayed.try_run(&[], |around| around.run(&ahead));
    assert!(matches!(ended, Err(Error::Report(_))));
    let expected = ["launch reversed", "begin works", "drop works"];
    assert_eq!(*log.lock().unwrap(), expected);
}

/// Runs this many benchmarks that end at once, and returns the events.
fn quick(benchmarks: usize, words: &[&str], loses: fn(&Job) -> bool) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut replayed = Replayed::new();
    replayed.have_small_ones(benchmarks, folder.path());
    let log = Log::default();
    let ahead = Ahead {
        replay: Replay::new(folder.path()),
        home: replayed.home(),
        log: Arc::clone(&log),
        loses,
        is_quick: true,
        workers: 1 + words.len(),
    };
    let shown = replayed.run_by(&ahead, &[&["--nosummary=no"], words].concat());
    let headlines = shown
        .out
        .lines()
        .filter_map(|line| line.split("works c").nth(1));
    let order = headlines.map(|line| line.split(|c: char| !c.is_ascii_digit()).next().unwrap());
    let expected = (0..benchmarks).map(|number| number.to_string());
    assert!(order.eq(expected), "{}{}", shown.out, shown.err);
    let events = log.lock().unwrap().clone();
    for number in 0..benchmarks {
        let id = format!("c{number}");
        let record = replayed.folder().join(format!("works.{id}/summary.json"));
        let record: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
        let of_tool = &record["profiles"][0];
        let is_that_of_process =
            ["started_at", "duration_ns"].map(|key| record[key] == of_tool[key]);
        let was_ahead = !events.contains(&format!("launch {id}"));
        assert!(!was_ahead || is_that_of_process == [true; 2], "{record}");
    }
    events
}

#[test]
fn the_results_of_benchmarks_that_end_at_once_are_read_together() {
    let expected = [
        "launch c0",
        "begin c1",
        "end c1",
        "begin c2",
        "end c2",
        "begin c3",
        "end c3",
    ];
    assert_eq!(quick(4, &[], |_| false), expected);
}

#[test]
fn few_results_wait_at_a_time() {
    let events = quick(40, &[], |_| false);
    let ended = events
        .iter()
        .filter(|event| event.starts_with("end "))
        .count();
    assert_eq!(ended, 39);
}

#[test]
fn nothing_begins_before_the_turn_of_one_that_runs_again() {
    let expected = [
        "launch c0",
        "begin c1",
        "end c1",
        "begin c2",
        "end c2",
        "launch c2",
        "begin c3",
        "end c3",
    ];
    let second = |job: &Job| job.benchmark_path.id.as_deref() == Some("c2");
    assert_eq!(quick(4, &[], second), expected);
}

#[test]
fn each_worker_runs_ahead_and_takes_what_no_other_one_has() {
    let events = quick(60, &["--parallel=2"], |job| {
        job.benchmark_path.id.as_deref() == Some("c30")
    });
    let of = |what: &str| -> Vec<usize> {
        let events = events.iter();
        let ids = events.filter_map(|event| event.strip_prefix(what));
        let mut numbers: Vec<_> = ids.map(|id| id.parse().unwrap()).collect();
        numbers.sort_unstable();
        numbers
    };
    let (launched, ended) = (of("launch c"), of("end c"));
    assert_eq!(of("begin c"), ended);
    // The first of each worker, and the one that was begun and lost.
    assert!((2..=3).contains(&launched.len()), "{launched:?}");
    assert!(launched.contains(&0), "{launched:?}");
    let mut all = [launched, ended].concat();
    all.sort_unstable();
    all.dedup();
    assert!(all.into_iter().eq(0..60), "{events:?}");
}
