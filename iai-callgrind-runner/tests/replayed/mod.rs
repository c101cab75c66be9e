//! The whole runner with recorded files instead of Valgrind, for tests of what it shows and keeps.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Parser;
use iai_callgrind::protocol::{
    Callgrind, Case, Config, EventKind, Function, Group, Hooks, Kind, Package, Suite, Tools,
    PROTOCOL, VERSION,
};
use iai_callgrind_runner::cli::env::Environment;
use iai_callgrind_runner::cli::Args;
use iai_callgrind_runner::execute::Replay;
use iai_callgrind_runner::exit::Exit;
use iai_callgrind_runner::report::{Styles, Terminal};
use iai_callgrind_runner::settings::Settings;
use iai_callgrind_runner::store::Store;
use iai_callgrind_runner::{plan, run};
use tempfile::TempDir;

/// A place for results, and a suite whose recordings lie in `data/replay`.
pub(crate) struct Replayed {
    home: TempDir,
    pub(crate) suite: Suite,
}

/// What a run printed and with which code it ended.
pub(crate) struct Shown {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) exit: Exit,
}

impl Replayed {
    pub(crate) fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            suite: suite(),
        }
    }

    /// Runs with a folder of recordings.
    pub(crate) fn run(&self, recordings: &Path, words: &[&str]) -> Shown {
        let args = Args::try_parse_from(words).unwrap();
        let environment = Environment::default();
        let settings = Settings::resolve("/build/bench".into(), args, environment).unwrap();
        let plan = plan::build(&self.suite, &settings).unwrap();
        let package = &self.suite.package;
        let nobody = |owner: &str| panic!("{owner} has the lock");
        let store = Store::open(self.home.path(), &package.name, &package.module, nobody).unwrap();
        let (out, err) = (Sink::default(), Sink::default());
        let styles = Styles::default();
        let mut report = Terminal::new(Box::new(out.clone()), Box::new(err.clone()), styles);
        let exit = run::run(&plan, &store, &Replay::new(recordings), &mut report).unwrap();
        Shown {
            out: out.text(),
            err: err.text(),
            exit,
        }
    }

    /// Where the results of the group lie.
    pub(crate) fn folder(&self) -> PathBuf {
        self.home.path().join("replayed/bench/kernels")
    }

    /// Everything that is kept, without the lock.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let folder = self.folder();
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).unwrap() {
            for file in fs::read_dir(entry.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                let name = path.strip_prefix(&folder).unwrap();
                files.push((name.display().to_string(), fs::read(&path).unwrap()));
            }
        }
        files.sort_unstable();
        files
    }
}

/// One group with two functions; the second may not grow by more than five percent.
fn suite() -> Suite {
    let case = |id: Option<&str>, args: &str| Case {
        id: id.map(str::to_owned),
        args: Some(args.to_owned()),
        index: 0,
        element: 0,
        elements: 0,
        config: None,
        hooks: Hooks::default(),
        command: None,
    };
    let function = |name: &str, case| Function {
        name: name.to_owned(),
        index: 0,
        config: None,
        cases: vec![case],
    };
    let mut callgrind = Callgrind::default();
    callgrind.settings.limits.soft = vec![(EventKind::Ir, 5.0)];
    let tools = Tools {
        callgrind: Some(callgrind),
        ..Tools::default()
    };
    Suite {
        protocol: PROTOCOL,
        version: VERSION.to_owned(),
        package: Package {
            name: "replayed".to_owned(),
            manifest_dir: "/build".to_owned(),
            target_tmpdir: None,
            file: "benches/bench.rs".to_owned(),
            module: "bench".to_owned(),
        },
        config: Some(Config {
            tools,
            ..Config::default()
        }),
        deterministic_random: false,
        brackets: false,
        hooks: Hooks::default(),
        groups: vec![Group {
            name: "kernels".to_owned(),
            kind: Kind::Library,
            config: None,
            compare_by_id: false,
            max_parallel: 0,
            hooks: Hooks::default(),
            functions: vec![
                function(
                    "sort",
                    case(Some("reversed"), "(0..500_u32).rev().collect()"),
                ),
                function("works", case(None, "work()")),
            ],
        }],
        unlisted: Vec::new(),
        entries: 2,
    }
}

pub(crate) fn recordings(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/replay");
    data.join(name)
}

/// A sink that can be looked into.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}
