//! The whole runner with recorded files instead of Valgrind.
//!
//! In: a number of benchmarks, each with the recorded profile of `works`. Out: results below a
//! directory that removes itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::exit::Exit;
use clap::Parser;
use cli::env::RunnerEnvironment;
use cli::Args;
use iai_callgrind::protocol::Suite;
use iai_callgrind_runner::execute::Replay;
use iai_callgrind_runner::run_report::{Form, Reports};
use iai_callgrind_runner::settings::Settings;
use iai_callgrind_runner::summary::{RunContext, System};
use iai_callgrind_runner::{plan, session};
use report::Styles;
use store::Store;
use tempfile::TempDir;

use crate::recorded;
use crate::suites::suite;

/// A bench file whose benchmarks were recorded, and a place for its results.
pub struct Replayed {
    directory: TempDir,
    suite: Suite,
    settings: Settings,
}

impl Replayed {
    /// So many cases of one function that have not run yet.
    ///
    /// # Panics
    ///
    /// The recordings cannot be copied.
    pub fn new(cases: usize) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        for case in 0..cases {
            let folder = format!("recordings/kernels/works.case_{case}");
            let folder = directory.path().join(folder);
            fs::create_dir_all(&folder).expect("a folder");
            for file in ["out.1001", "log.1001"] {
                let recorded = recorded::replayed(&format!("first/kernels/works/{file}"));
                fs::write(folder.join(file), recorded).expect("a copy");
            }
        }
        Self {
            directory,
            suite: suite(1, cases),
            settings: settings(),
        }
    }

    /// So many cases of one function, with results of an earlier run to compare with.
    pub fn again(cases: usize) -> Self {
        let replayed = Self::new(cases);
        replayed.run();
        replayed
    }

    /// Plans, "measures", compares, keeps and reports everything.
    ///
    /// # Panics
    ///
    /// Something went wrong.
    pub fn run(&self) {
        let plan = plan::build(&self.suite, &self.settings).expect("a plan");
        let package = &self.suite.package;
        let home = self.home();
        let nobody = |owner: &str| panic!("{owner} has the lock");
        let store = Store::open(&home, &package.name, &package.module, nobody).expect("a store");
        let context = RunContext::new(
            package,
            &self.settings.executable,
            &self.settings.workspace(package),
            &home,
            System::default(),
            self.settings.pretty,
        );
        let (out, err) = (Box::new(io::sink()), Box::new(io::sink()));
        let report = Reports::new(out, err, Styles::default(), Form::TEXT);
        let launch = Replay::new(self.directory.path().join("recordings"));
        let exit = session::run(&plan, &context, &store, &launch, &report);
        assert_eq!(exit.expect("a run"), Exit::Ok);
    }

    fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    /// Summary of the benchmark `case_0`, as JSON.
    ///
    /// # Panics
    ///
    /// Nothing has run.
    pub fn summary(&self) -> String {
        let results = self.home().join("replayed/bench/kernels/works.case_0");
        fs::read_to_string(results.join("summary.json")).expect("a summary")
    }
}

/// Settings of an empty command line.
///
/// # Panics
///
/// The command line of nothing is wrong.
pub fn settings() -> Settings {
    let args = Args::try_parse_from([] as [&str; 0]).expect("no words are a command line");
    let executable = executable().to_owned();
    Settings::resolve(executable, args, RunnerEnvironment::default()).expect("settings")
}

/// A file that takes the place of the benchmark executable where that is looked at.
pub fn executable() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_run_and_are_compared_with_the_last_run() {
        let replayed = Replayed::again(2);
        assert!(replayed.summary().contains(r#""new":2001,"old":null"#));
        replayed.run();
        assert!(replayed.summary().contains(r#""new":2001,"old":2001"#));
    }
}
