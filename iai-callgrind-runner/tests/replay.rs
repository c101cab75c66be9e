//! The whole runner with recorded files instead of Valgrind: what the terminal shows, byte for byte,
//! and what is kept.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Parser;
use iai_callgrind::protocol::{
    Callgrind, Case, Config, EventKind, Function, Group, Hooks, Package, Suite, Tools, PROTOCOL,
    VERSION,
};
use iai_callgrind_runner::cli::env::Environment;
use iai_callgrind_runner::cli::Args;
use iai_callgrind_runner::execute::Replay;
use iai_callgrind_runner::exit::Exit;
use iai_callgrind_runner::report::{Style, Terminal};
use iai_callgrind_runner::settings::Settings;
use iai_callgrind_runner::store::Store;
use iai_callgrind_runner::{plan, run};
use snapbox::{assert_data_eq, str};
use tempfile::TempDir;

/// A place for results, and a suite whose recordings lie in `data/replay`.
struct Replayed {
    home: TempDir,
    suite: Suite,
}

/// What a run printed and with which code it ended.
struct Shown {
    out: String,
    err: String,
    exit: Exit,
}

impl Replayed {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            suite: suite(),
        }
    }

    /// Runs with a folder of recordings.
    fn run(&self, recordings: &Path, words: &[&str]) -> Shown {
        let args = Args::try_parse_from(words).unwrap();
        let environment = Environment::default();
        let settings = Settings::resolve("/build/bench".into(), args, environment).unwrap();
        let plan = plan::build(&self.suite, &settings).unwrap();
        let package = &self.suite.package;
        let nobody = |owner: &str| panic!("{owner} has the lock");
        let store = Store::open(self.home.path(), &package.name, &package.module, nobody).unwrap();
        let (out, err) = (Sink::default(), Sink::default());
        let style = Style { color: false };
        let mut report = Terminal::new(Box::new(out.clone()), Box::new(err.clone()), style);
        let exit = run::run(&plan, &store, &Replay::new(recordings), &mut report).unwrap();
        Shown {
            out: out.text(),
            err: err.text(),
            exit,
        }
    }

    /// Everything that is kept, without the lock.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let folder = self.home.path().join("replayed/bench/kernels");
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

fn recordings(name: &str) -> PathBuf {
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

#[test]
fn the_first_run_has_nothing_to_compare_with() {
    let replayed = Replayed::new();
    let shown = replayed.run(&recordings("first"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|N/A                  (*********)
  L1 Hits:                             6018|N/A                  (*********)
  L2 Hits:                                5|N/A                  (*********)
  RAM Hits:                              23|N/A                  (*********)
  Total read+write:                    6046|N/A                  (*********)
  Estimated Cycles:                    6848|N/A                  (*********)
bench::kernels::works work()
  Instructions:                        2001|N/A                  (*********)
  L1 Hits:                             2001|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               1|N/A                  (*********)
  Total read+write:                    2002|N/A                  (*********)
  Estimated Cycles:                    2036|N/A                  (*********)

Iai-Callgrind result: Ok. 2 without regressions; 0 regressed; 2 benchmarks finished in [..]s

"#]]
    );
    let names: Vec<String> = replayed.files().into_iter().map(|(name, _)| name).collect();
    let expected = [
        "sort.reversed/callgrind.sort.reversed.log",
        "sort.reversed/callgrind.sort.reversed.out",
        "sort.reversed/summary.json",
        "works/callgrind.works.log",
        "works/callgrind.works.out",
        "works/summary.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_second_run_shows_no_change() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let shown = replayed.run(&recordings("first"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|4717                 (No change)
  L1 Hits:                             6018|6018                 (No change)
  L2 Hits:                                5|5                    (No change)
  RAM Hits:                              23|23                   (No change)
  Total read+write:                    6046|6046                 (No change)
  Estimated Cycles:                    6848|6848                 (No change)
bench::kernels::works work()
  Instructions:                        2001|2001                 (No change)
  L1 Hits:                             2001|2001                 (No change)
  L2 Hits:                                0|0                    (No change)
  RAM Hits:                               1|1                    (No change)
  Total read+write:                    2002|2002                 (No change)
  Estimated Cycles:                    2036|2036                 (No change)

Iai-Callgrind result: Ok. 2 without regressions; 0 regressed; 2 benchmarks finished in [..]s

"#]]
    );
}

#[test]
fn a_changed_run_shows_differences_and_regressions() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let shown = replayed.run(&recordings("changed"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Regression));
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|4717                 (No change)
  L1 Hits:                             6018|6018                 (No change)
  L2 Hits:                                5|5                    (No change)
  RAM Hits:                              23|23                   (No change)
  Total read+write:                    6046|6046                 (No change)
  Estimated Cycles:                    6848|6848                 (No change)
bench::kernels::works work()
  Instructions:                        3001|2001                 (+49.9750%) [+1.49975x]
  L1 Hits:                             3001|2001                 (+49.9750%) [+1.49975x]
  L2 Hits:                                0|0                    (No change)
  RAM Hits:                               1|1                    (No change)
  Total read+write:                    3002|2002                 (+49.9500%) [+1.49950x]
  Estimated Cycles:                    3036|2036                 (+49.1159%) [+1.49116x]
Performance has regressed: Instructions (2001 -> 3001) regressed by +49.9750% (>+5.00000%)

Regressions:

  bench::kernels::works:
    Callgrind: Instructions (2001 -> 3001): +49.9750% exceeds limit of +5.00000%

Iai-Callgrind result: Regressed. 1 without regressions; 1 regressed; 2 benchmarks finished in [..]s

"#]]
    );
}

#[test]
fn a_failing_benchmark_keeps_its_last_result_and_the_others_run() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &["works"]);
    let before = replayed.files();
    let shown = replayed.run(&recordings("failing"), &[]);
    assert_eq!(shown.exit, Exit::Error);
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|N/A                  (*********)
  L1 Hits:                             6018|N/A                  (*********)
  L2 Hits:                                5|N/A                  (*********)
  RAM Hits:                              23|N/A                  (*********)
  Total read+write:                    6046|N/A                  (*********)
  Estimated Cycles:                    6848|N/A                  (*********)
bench::kernels::works work()

Iai-Callgrind result: Failed. 1 without regressions; 0 regressed; 1 failed; 1 benchmarks finished in [..]s

"#]]
    );
    assert_data_eq!(
        shown.err,
        str![[r#"
error: benchmark `bench::kernels::works` panicked
  output:
  | stdout before it panics
  | stderr before it panics
  | 
  | thread 'main' (1001) panicked at benchmark-tests/benches/endings.rs:60:13:
  | on purpose
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

"#]]
    );
    let mut after = replayed.files();
    after.retain(|(name, _)| name.starts_with("works/"));
    assert_eq!(after, before);
}

#[test]
fn a_result_that_was_cut_is_an_error() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &["works"]);
    let before = replayed.files();
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("kernels/works");
    fs::create_dir_all(&cut).unwrap();
    for name in ["out.1001", "log.1001"] {
        fs::copy(
            recordings("changed/kernels/works").join(name),
            cut.join(name),
        )
        .unwrap();
    }
    let whole = fs::read(cut.join("out.1001")).unwrap();
    fs::write(cut.join("out.1001"), &whole[..whole.len() - 200]).unwrap();
    let shown = replayed.run(folder.path(), &["works"]);
    assert_eq!(shown.exit, Exit::Error);
    assert_data_eq!(
        shown.err,
        str![[r#"
error: benchmark `bench::kernels::works` returned, but the result that callgrind wrote is not complete
  hint: is there space left below the directory for results? `--home=<directory>` chooses another one

"#]]
    );
    assert_eq!(replayed.files(), before);
}
