//! The whole runner with recorded files instead of Valgrind, for tests of what it shows and keeps.

#[allow(dead_code, reason = "not every test has one")]
pub(crate) mod launcher;
pub(crate) mod schema;
pub(crate) mod sink;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base::exit::Exit;
use clap::Parser;
use cli::env::RunnerEnvironment;
use cli::{Args, JsonFormat, ShownComparisons, ShownExplanations};
use iai_callgrind::protocol::{
    Callgrind, Case, Config, EventKind, Function, Group, Hooks, Kind, Package, Platform, Suite,
    Tools, PROTOCOL, VERSION,
};
use iai_callgrind_runner::error::Error;
use iai_callgrind_runner::execute::{Launch, Replay};
use iai_callgrind_runner::plan::Plan;
use iai_callgrind_runner::run_report::{Event, Form, Reports};
use iai_callgrind_runner::session::gone_benchmarks::report_gone;
use iai_callgrind_runner::settings::Settings;
use iai_callgrind_runner::summary::{
    Build, RecordedPartition, RunContext, RunSelection, SuiteFacts, System,
};
use iai_callgrind_runner::{plan, session};
use records::layout::{Slot, RECORDS};
use records::MeasuredBenchmarks;
use report::{FileLinks, Styles};
use store::Store;
use tempfile::TempDir;

use self::sink::Sink;

/// A place for results, and a suite whose recordings lie in `data/replay`.
pub(crate) struct Replayed {
    home: TempDir,
    pub(crate) suite: Suite,
    /// Objects instead of text.
    pub(crate) json: Option<JsonFormat>,
    /// The objects are those of the public format.
    pub(crate) is_v6: bool,
    /// The benchmark executable, which needs not be there.
    pub(crate) executable: PathBuf,
    /// How text looks.
    pub(crate) styles: Styles,
    /// Explanations that are shown.
    pub(crate) explain: ShownExplanations,
    /// Form of the files that results name.
    pub(crate) links: FileLinks,
    /// Nobody reads results after the first line.
    pub(crate) stdout_closes: bool,
    /// Benchmarks of several packages run together.
    pub(crate) names_package: bool,
}

/// Output and exit code of a run.
pub(crate) struct Shown {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) exit: Exit,
}

/// A run that is about to begin, with what a launcher may need.
#[allow(dead_code, reason = "not every test asks")]
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) store: &'a Store,
    pub(crate) plan: &'a Plan,
    context: &'a RunContext,
    report: &'a Reports,
}

impl Around<'_> {
    /// Runs everything with whatever plays the tools.
    pub(crate) fn run(self, launch: &dyn Launch) -> Result<Exit, Error> {
        session::run(self.plan, self.context, self.store, launch, self.report)
    }
}

impl Replayed {
    pub(crate) fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            suite: suite(),
            json: None,
            is_v6: false,
            executable: "/build/bench".into(),
            styles: Styles::default(),
            explain: ShownExplanations::No,
            links: FileLinks::PLAIN,
            stdout_closes: false,
            names_package: false,
        }
    }

    /// Keeps results below another directory.
    #[allow(dead_code, reason = "not every test asks")]
    pub(crate) fn keep_in(&mut self, directory: &Path) {
        self.home = tempfile::tempdir_in(directory).unwrap();
    }

    /// Has this many small benchmarks instead of the usual ones, `works c0` and so on, whose
    /// recordings are made in this folder.
    #[allow(dead_code, reason = "not every test asks")]
    pub(crate) fn have_small_ones(&mut self, number: usize, folder: &Path) {
        let group = &mut self.suite.groups[0];
        group.functions.retain(|function| function.name == "works");
        let works = group.functions[0].cases.pop().unwrap();
        for number in 0..number {
            let mut case = works.clone();
            let id = format!("c{number}");
            let place = folder.join(format!("kernels/works.{id}"));
            case.id = Some(id);
            copy_recording(&recordings("first").join("kernels/works"), &place);
            fs::copy(place.join("out.1001"), place.join("out.1001-01")).unwrap();
            // Callgrind writes such an empty file besides that of a requested dump.
            fs::write(place.join("out.1001"), "").unwrap();
            group.functions[0].cases.push(case);
        }
        self.suite.entries = number as u32;
    }

    /// Runs with a folder of recordings.
    #[allow(dead_code, reason = "not every test has one")]
    pub(crate) fn run(&self, recordings: &Path, words: &[&str]) -> Shown {
        self.run_by(&Replay::new(recordings), words)
    }

    /// Runs with whatever plays the tools.
    pub(crate) fn run_by(&self, launch: &dyn Launch, words: &[&str]) -> Shown {
        self.try_run(words, |around| around.run(launch)).unwrap()
    }

    /// Lets `run` run, which may make a launcher. `Err`: the error that ended the run.
    pub(crate) fn try_run(
        &self,
        words: &[&str],
        run: impl FnOnce(Around<'_>) -> Result<Exit, Error>,
    ) -> Result<Shown, Error> {
        let args = Args::try_parse_from(words).unwrap();
        let named = self.names_package;
        let named = named.then_some(("IAI_CALLGRIND_NAMES_PACKAGE", "1"));
        let environment: RunnerEnvironment = named.into_iter().collect();
        let settings = Settings::resolve(self.executable.clone(), args, environment).unwrap();
        let plan = plan::build(&self.suite, &settings).unwrap();
        let package = &self.suite.package;
        let nobody = |owner: &str| panic!("{owner} has the lock");
        let store = Store::open(self.home.path(), &package.name, &package.module, nobody).unwrap();
        let (out, err) = (Sink::new(self.stdout_closes), Sink::default());
        let context = RunContext::new(
            package,
            &settings.executable,
            &settings.workspace(package),
            self.home.path(),
            system(),
            settings.pretty,
        );
        let context = RunContext {
            label: settings.label.clone(),
            selection: RunSelection {
                partition: settings.partition.map(RecordedPartition::from),
                filter: settings.filter.clone(),
                suite: Some(SuiteFacts::new(plan::paths(&self.suite))),
            },
            ..context
        };
        let form = match self.json {
            None => Form::Text {
                quiet: false,
                explain: self.explain,
                comparisons: ShownComparisons::Auto,
                links: self.links.clone(),
            },
            Some(format) if self.is_v6 => Form::JsonV6(format),
            Some(format) => Form::Json {
                format,
                system: Box::new(system()),
            },
        };
        let (to_out, to_err) = (Box::new(out.clone()), Box::new(err.clone()));
        let report = Reports::new(to_out, to_err, self.styles, form);
        let (plan, context) = (&plan, &context);
        report.event(Event::Planned { plan, context }).unwrap();
        report
            .event(Event::RunBegins {
                plan,
                settings: &settings,
                records: &store.records(),
            })
            .unwrap();
        let gone = report_gone(&self.suite, &settings, &store, &report)?;
        if plan.baseline.run {
            let paths = plan::paths(&self.suite);
            let measured = MeasuredBenchmarks::new(settings.label.clone(), paths);
            report.keep_records(store.new_records(&plan.baseline.write).unwrap(), measured);
        }
        let exit = run(Around {
            settings: &settings,
            store: &store,
            plan,
            context,
            report: &report,
        })?
        .and(gone);
        report.end_records(exit, None).unwrap();
        report
            .event(Event::RunEnds {
                exit,
                error: None,
                exits_zero: false,
            })
            .unwrap();
        for (name, json) in self.files() {
            if name.contains("summary.json") {
                schema::check(std::str::from_utf8(&json).unwrap());
            }
        }
        Ok(Shown {
            out: out.text(),
            err: err.text(),
            exit,
        })
    }

    /// Where all results lie.
    #[allow(dead_code, reason = "not every test asks")]
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The kept records of the last run, or of a baseline: each line.
    #[allow(dead_code, reason = "not every test asks")]
    pub(crate) fn records(&self, slot: &Slot) -> Vec<String> {
        let name = slot.file(RECORDS);
        let path = self.home.path().join("replayed/bench").join(name);
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Where the results of the group lie.
    pub(crate) fn folder(&self) -> PathBuf {
        self.home.path().join("replayed/bench/kernels")
    }

    /// Everything that is kept, without the lock.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let folder = self.folder();
        let mut files = Vec::new();
        if !folder.exists() {
            return files;
        }
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            // Tests put other things in the place of directories and files.
            if !entry.file_type().unwrap().is_dir() {
                continue;
            }
            for file in fs::read_dir(entry.path()).unwrap() {
                let file = file.unwrap();
                let data = file.metadata().unwrap();
                if !data.is_file() || data.len() > 1 << 30 {
                    continue;
                }
                let path = file.path();
                let name = path.strip_prefix(&folder).unwrap();
                files.push((name.display().to_string(), fs::read(&path).unwrap()));
            }
        }
        files.sort_unstable();
        files
    }
}

/// Facts of a machine that is always the same.
fn system() -> System {
    System {
        runner: VERSION.to_owned(),
        library: Some(VERSION.to_owned()),
        target: Some("x86_64-unknown-linux-gnu".to_owned()),
        rustc: Some("1.85.0 (4d91de4e4 2025-02-17)".to_owned()),
        libc: Some("glibc 2.36".to_owned()),
        cpu: Some("a processor".to_owned()),
        cpu_features: vec!["avx2".to_owned()],
        build: Build {
            profile: Some("release".to_owned()),
            settings: BTreeMap::from([("opt-level".to_owned(), "3".to_owned())]),
        },
    }
}

/// One group with two functions; the second may not grow by more than five percent.
fn suite() -> Suite {
    let case = |id: Option<&str>, args: &str| Case {
        id: id.map(str::to_owned),
        args: Some(args.to_owned()),
        input: None,
        index: 0,
        element: 0,
        elements: 0,
        config: None,
        scaling: None,
        throughput: None,
        title: None,
        hooks: Hooks::default(),
        command: None,
    };
    let function = |name: &str, case| Function {
        name: name.to_owned(),
        index: 0,
        file: "benches/bench.rs".to_owned(),
        line: 7,
        config: None,
        equal_counts: false,
        cases: vec![case],
    };
    let mut callgrind = Callgrind::default();
    callgrind.settings.limits.soft = vec![(EventKind::Ir.into(), 5.0)];
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
            workspace: "/build".to_owned(),
            target_tmpdir: None,
            file: "benches/bench.rs".to_owned(),
            module: "bench".to_owned(),
        },
        platform: Platform {
            target: "x86_64-unknown-linux-gnu".to_owned(),
            libc: Some("glibc 2.36".to_owned()),
            ..Platform::default()
        },
        config: Some(Config {
            tools: tools.into(),
            ..Config::default()
        }),
        deterministic_random: false,
        brackets: false,
        is_malloc: Some(true),
        hooks: Hooks::default(),
        groups: vec![Group {
            name: "kernels".to_owned(),
            kind: Kind::Library,
            config: None,
            compare_by_id: false,
            ratios: Vec::new(),
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
        empty: Vec::new(),
        entries: 2,
        at_run_time: false,
    }
}

/// An executable that is there. All of it is read for each result, for which that of the tests is
/// too large.
pub(crate) fn small_executable() -> PathBuf {
    fs::canonicalize("/bin/sh").expect("the systems of the tests have a shell")
}

/// Files of the tools, as the readers' tests have them.
pub(crate) fn recorded_files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/formats/tests/data")
}

pub(crate) fn recordings(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/replay");
    data.join(name)
}

/// Copies the recording of a benchmark.
#[allow(dead_code, reason = "not every test has one")]
pub(crate) fn copy_recording(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}
