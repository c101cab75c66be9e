//! Benchmarks side by side: also those of different groups, where nothing has to happen between these.

use std::path::Path;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::replayed::{copy_recording, recordings, Replayed};
use base::exit::Exit;
use iai_callgrind_runner::error::Result;
use iai_callgrind_runner::execute::{EndedProcess, Hook, Launch, OutputChannel, Replay};
use iai_callgrind_runner::plan::{Job, LevelHooks};

/// Replays, and waits a moment for a second job beside the first one.
struct SideBySide {
    replay: Replay,
    /// Running jobs, and the most of them at a time.
    running: Mutex<(usize, usize)>,
    changed: Condvar,
    patience: Duration,
}

impl Launch for SideBySide {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        let mut running = self.running.lock().unwrap();
        running.0 += 1;
        running.1 = running.1.max(running.0);
        self.changed.notify_all();
        let waited = self
            .changed
            .wait_timeout_while(running, self.patience, |(_, most)| *most < 2);
        drop(waited);
        let ended = self.replay.launch(job, directory, channel);
        self.running.lock().unwrap().0 -= 1;
        ended
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        assert_eq!(self.running.lock().unwrap().0, 0);
        self.replay.assist(hooks, hook, channel)
    }
}

/// Runs two groups of one benchmark each, of which the second may have a setup, and returns how many benchmarks ran at
/// the same time.
fn most_at_a_time(has_setup: bool, words: &[&str], patience: Duration) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut replayed = Replayed::new();
    let mut others = replayed.suite.groups[0].clone();
    others.name = "others".to_owned();
    others.hooks.setup = has_setup;
    replayed.suite.groups[0].functions.truncate(1);
    others.functions.remove(0);
    replayed.suite.groups.push(others);
    for (group, recording) in [("kernels", "sort.reversed"), ("others", "works")] {
        let place = folder.path().join(group).join(recording);
        copy_recording(&recordings("first/kernels").join(recording), &place);
    }
    let launch = SideBySide {
        replay: Replay::new(folder.path()),
        running: Mutex::default(),
        changed: Condvar::new(),
        patience,
    };
    let shown = replayed.run_by(&launch, &[&["--nosummary=no"], words].concat());
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    let (first, second) = (
        shown.out.find("bench::kernels::sort"),
        shown.out.find("bench::others::works"),
    );
    assert!(
        first.is_some() && first < second,
        "{}{}",
        shown.out,
        shown.err
    );
    let (_, most) = *launch.running.lock().unwrap();
    most
}

#[test]
fn groups_without_hooks_do_not_wait_for_each_other() {
    let long = Duration::from_secs(60);
    assert_eq!(most_at_a_time(false, &["--parallel=2"], long), 2);
}

#[test]
fn a_setup_waits_for_the_group_before() {
    let moment = Duration::from_millis(50);
    assert_eq!(most_at_a_time(true, &["--parallel=2"], moment), 1);
    assert_eq!(most_at_a_time(false, &[], moment), 1);
}
