//! The test mode: every benchmark once, each in a process of its own, without a tool.
//!
//! `cargo test --benches` starts the executable without `--bench`. Benchmarks then are tests that
//! pass when they return, and the output is that of libtest.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::Instant;

use super::arguments::Arguments;
use super::benchmarks::{self, Group};
use super::exit;
use super::front::Selected;
#[cfg(unix)]
use super::kept_output;
use super::table::{Hooks, Suite};
use crate::protocol::options::ShownStreams;
use crate::protocol::wire::{RETURNED, RETURNED_WITH_REGIONS};
use crate::protocol::{MAIN_LEVEL, ROLE_ARGUMENT, WORKSPACE_VARIABLE};

pub(super) fn run(
    suite: &Suite,
    groups: &[Group],
    selected: &[Selected<'_>],
    arguments: &Arguments,
) -> ExitCode {
    let session = Session::new(suite, arguments);
    match session.and_then(|session| session.run(suite, groups, selected)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(exit::ERROR),
        Err(error) if exit::has_no_reader(&error) => ExitCode::SUCCESS,
        Err(error) => exit::with_error(exit::ERROR, format_args!("the test mode stopped: {error}")),
    }
}

struct Session {
    executable: PathBuf,
    /// The root of the workspace, for setups and teardowns.
    workspace: PathBuf,
    nocapture: ShownStreams,
    /// A character for each benchmark instead of a line.
    terse: bool,
    failures: Vec<Failure>,
    /// Benchmarks, setups and teardowns that left a process with their streams.
    leaving: Vec<String>,
}

/// A benchmark, setup or teardown that did not end well.
struct Failure {
    name: String,
    output: Output,
}

impl Session {
    fn new(suite: &Suite, arguments: &Arguments) -> io::Result<Self> {
        Ok(Self {
            executable: std::env::current_exe()?,
            workspace: PathBuf::from(suite.package.workspace),
            nocapture: arguments.nocapture(),
            terse: arguments.terse,
            failures: Vec::new(),
            leaving: Vec::new(),
        })
    }

    /// Returns whether everything passed.
    fn run(
        mut self,
        suite: &Suite,
        groups: &[Group],
        selected: &[Selected<'_>],
    ) -> io::Result<bool> {
        let start = Instant::now();
        let mut total = 0;
        benchmarks::each(groups, &mut |_, _, _, _| total += 1);
        let tests = if selected.len() == 1 { "test" } else { "tests" };
        println(format_args!("\nrunning {} {tests}", selected.len()))?;
        // A filter that leaves nothing needs no setup.
        if !selected.is_empty() {
            self.level(MAIN_LEVEL, &suite.hooks, &mut |session| {
                session.groups(selected)
            })?;
            if self.terse {
                println(format_args!(""))?;
            }
        }
        // After all lines of tests, as libtest does.
        for failure in &self.failures {
            println(format_args!("\n---- {} ----", failure.name))?;
            io::stdout().write_all(&failure.output.stdout)?;
            io::stdout().write_all(&failure.output.stderr)?;
            println(format_args!("{}", failure.output.status))?;
        }
        for name in &self.leaving {
            eprintln!(
                "warning: {name} left a process behind that holds its output and was not waited for\n  \
                 hint: end it before the benchmark returns, or in a teardown"
            );
        }
        let failed = self.failures.len();
        println(format_args!(
            "\ntest result: {}. {} passed; {failed} failed; 0 ignored; 0 measured; {} filtered \
             out; finished in {:.2}s\n",
            if failed == 0 { "ok" } else { "FAILED" },
            selected.len().saturating_sub(failed),
            total - selected.len(),
            start.elapsed().as_secs_f64()
        ))?;
        Ok(failed == 0)
    }

    fn groups(&mut self, selected: &[Selected<'_>]) -> io::Result<()> {
        let mut rest = selected;
        while let [Selected { group, .. }, ..] = rest {
            let mut length = 1;
            while length < rest.len() && std::ptr::eq(rest[length].group, *group) {
                length += 1;
            }
            let (of_group, others) = rest.split_at(length);
            rest = others;
            self.level(&group.name, group.hooks, &mut |session| {
                session.benchmarks(of_group)
            })?;
        }
        Ok(())
    }

    fn benchmarks(&mut self, group: &[Selected<'_>]) -> io::Result<()> {
        for benchmark in group {
            if !self.terse {
                print(format_args!("test {} ... ", benchmark.path))?;
            }
            let role = ["test", &benchmark.address];
            let passed = self.start(&benchmark.path, &role, returned)?;
            match (self.terse, passed) {
                (true, true) => print(format_args!("."))?,
                (true, false) => print(format_args!("F"))?,
                (false, true) => println(format_args!("ok"))?,
                (false, false) => println(format_args!("FAILED"))?,
            }
        }
        Ok(())
    }

    /// Runs what is in a level between its setup and its teardown. Without a good setup the level
    /// is passed over; the teardown of a level that was set up always runs.
    fn level(
        &mut self,
        name: &str,
        hooks: &Hooks,
        inner: &mut dyn FnMut(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let role = |hook| ["assist", name, hook];
        let is_set_up = hooks.setup.is_none()
            || self.start(&format!("setup of {name}"), &role("setup"), is_zero)?;
        if is_set_up {
            inner(self)?;
        }
        if is_set_up && hooks.teardown.is_some() {
            self.start(&format!("teardown of {name}"), &role("teardown"), is_zero)?;
        }
        Ok(())
    }

    /// Starts a role of this executable; returns whether it ended with the exit code that says that
    /// all is well.
    fn start(&mut self, name: &str, role: &[&str], is_good: fn(i32) -> bool) -> io::Result<bool> {
        let mut command = Command::new(&self.executable);
        command
            .arg(ROLE_ARGUMENT)
            .args(role)
            .env(WORKSPACE_VARIABLE, &self.workspace)
            .stdin(Stdio::null());
        match self.nocapture {
            ShownStreams::None => command.stdout(Stdio::piped()).stderr(Stdio::piped()),
            ShownStreams::Both => command.stdout(Stdio::inherit()).stderr(Stdio::inherit()),
            ShownStreams::Stdout => command.stdout(Stdio::inherit()).stderr(Stdio::null()),
            ShownStreams::Stderr => command.stdout(Stdio::null()).stderr(Stdio::inherit()),
        };
        #[cfg(unix)]
        let kept_output::Ended { output, is_held } = kept_output::of(&mut command)?;
        #[cfg(not(unix))]
        let (output, is_held) = (command.output()?, false);
        if is_held {
            self.leaving.push(match role {
                ["test", ..] => format!("`{name}`"),
                _ => format!("the {name}"),
            });
        }
        let passed = output.status.code().is_some_and(is_good);
        if !passed {
            let name = name.to_owned();
            self.failures.push(Failure { name, output });
        }
        Ok(passed)
    }
}

fn is_zero(code: i32) -> bool {
    code == 0
}

fn returned(code: i32) -> bool {
    matches!(code, RETURNED | RETURNED_WITH_REGIONS)
}

fn print(text: std::fmt::Arguments<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_fmt(text)?;
    out.flush()
}

fn println(text: std::fmt::Arguments<'_>) -> io::Result<()> {
    print(format_args!("{text}\n"))
}
