//! Benchmarks whose results are written by the tests, and the runner without Valgrind.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use cli::env::RunnerEnvironment;
use cli::{Args, ShownExplanations};
use iai_callgrind::protocol::{
    Callgrind, Case, Config, Function, Group, Hooks, Kind, Package, Platform, Suite, ToolConfig,
    PROTOCOL, VERSION,
};
use iai_callgrind_runner::execute::Replay;
use iai_callgrind_runner::run_report::{Event, Form, Reports};
use iai_callgrind_runner::settings::Settings;
use iai_callgrind_runner::summary::{Record, RunContext, Summary};
use iai_callgrind_runner::{plan, session};
use report::{FileLinks, Style, Styles};
use snapbox::{assert_data_eq, Data};
use store::Store;
use tempfile::TempDir;

use crate::replayed::sink::Sink;
use crate::replayed::{recorded_files, schema};

/// The benchmark executable.
pub(crate) const BENCH: &str = "/build/target/release/deps/i_lib-0123456789abcdef";

/// A benchmark file, with results of earlier runs.
pub(crate) struct Bench {
    pub(crate) suite: Suite,
    home: TempDir,
    recorded: TempDir,
    styles: Styles,
}

/// Lets `shown` run benchmarks and return what it saw, once in plain text and once in colours.
///
/// Both have to be what the files `data/output/<name>.txt` and `<name>.color.txt` hold, where `^[`
/// begins a colour, and apart from colours they have to be the same.
#[track_caller]
pub(crate) fn check(name: &str, shown: impl Fn(&mut Bench) -> String) {
    let plain = shown(&mut Bench::new(false));
    assert_data_eq!(&plain, expected(&format!("{name}.txt")));
    let colored = shown(&mut Bench::new(true));
    assert_eq!(without_colors(&colored), plain);
    let visible = colored.replace('\x1b', "^[");
    assert_data_eq!(visible, expected(&format!("{name}.color.txt")));
}

/// Does the same as [`check`] on terminals of several widths: the files are
/// `data/output/terminal/<name>.txt`, and no line is wider than its terminal.
#[track_caller]
pub(crate) fn check_on_terminals(name: &str, shown: impl Fn(&mut Bench) -> String) {
    let on_terminals = |color| {
        let mut all = String::new();
        for width in [60, 80, 100, 160] {
            let mut bench = Bench::new(color);
            bench.styles.width = Some(width);
            let text = shown(&mut bench);
            let results = without_colors(&text);
            let results = results.lines();
            // Messages are wrapped where they are written.
            for line in results.take_while(|line| *line != "--- stderr") {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            let _ = write!(all, "==== {width} columns\n{text}");
        }
        all
    };
    let plain = on_terminals(false);
    assert_data_eq!(&plain, expected(&format!("terminal/{name}.txt")));
    let colored = on_terminals(true);
    assert_eq!(without_colors(&colored), plain);
    let visible = colored.replace('\x1b', "^[");
    assert_data_eq!(visible, expected(&format!("terminal/{name}.color.txt")));
}

/// The text of a file.
fn expected(file: &str) -> Data {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/output");
    Data::read_from(&path.join(file), None).raw()
}

fn without_colors(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let first = pieces.next().unwrap_or_default().to_owned();
    let rest = pieces.map(|piece| piece.split_once('m').unwrap().1);
    rest.fold(first, |text, piece| text + piece)
}

impl Bench {
    fn new(color: bool) -> Self {
        let style = Style { color, grid: false };
        Self {
            suite: suite(),
            home: tempfile::tempdir().unwrap(),
            recorded: tempfile::tempdir().unwrap(),
            styles: Styles {
                out: style,
                err: style,
                width: None,
                is_log_of_github: false,
            },
        }
    }

    /// A file with one group `g` of these functions, of which nothing is recorded.
    pub(crate) fn with(functions: Vec<Function>) -> Self {
        let mut bench = Self::new(false);
        bench.group("g", false, functions);
        bench
    }

    /// Kept record of a benchmark, which matches its schema: `group/function.id`.
    pub(crate) fn record(&self, place: &str) -> Summary {
        let path = self.home.path().join("pb/i_lib").join(place);
        let json = fs::read_to_string(path.join("summary.json")).unwrap();
        match schema::check(&json).remove(0) {
            Record::Benchmark(summary) => *summary,
            Record::Run(_) => unreachable!("a benchmark keeps its own record"),
        }
    }

    /// Warnings about the plan of a run.
    pub(crate) fn warnings(&self, words: &[&str]) -> Vec<String> {
        let args = Args::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
        let environment = RunnerEnvironment::default();
        let settings = Settings::resolve(BENCH.into(), args, environment).unwrap();
        plan::build(&self.suite, &settings).unwrap().warnings
    }

    /// Expectations that a plan for these words leaves unchecked.
    pub(crate) fn unchecked(&self, words: &[&str]) -> Vec<String> {
        let args = Args::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
        let environment = RunnerEnvironment::default();
        let settings = Settings::resolve(BENCH.into(), args, environment).unwrap();
        plan::build(&self.suite, &settings).unwrap().unchecked
    }

    /// The error that keeps a run from being planned.
    pub(crate) fn refused(&self, words: &[&str]) -> String {
        let args = Args::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
        let environment = RunnerEnvironment::default();
        let settings = Settings::resolve(BENCH.into(), args, environment).unwrap();
        plan::build(&self.suite, &settings).unwrap_err().to_string()
    }

    /// Shows results on a terminal with this number of columns.
    pub(crate) fn on_terminal(&mut self, columns: usize) {
        self.styles.width = Some(columns);
    }

    /// Sets the configuration of the whole file.
    pub(crate) fn config(&mut self) -> &mut Config {
        self.suite.config.get_or_insert_default()
    }

    /// Sets Callgrind's configuration.
    pub(crate) fn callgrind(&mut self, set: impl FnOnce(&mut Callgrind)) {
        let mut callgrind = Callgrind::default();
        set(&mut callgrind);
        let tools = &mut self.config().tools;
        tools.push(ToolConfig::Callgrind(callgrind));
    }

    /// Adds a group whose benchmarks are compared if they have the same id.
    pub(crate) fn group(&mut self, name: &str, compare_by_id: bool, functions: Vec<Function>) {
        self.suite.groups.push(Group {
            name: name.to_owned(),
            kind: Kind::Library,
            config: None,
            compare_by_id,
            ratios: Vec::new(),
            max_parallel: 0,
            hooks: Hooks::default(),
            functions,
        });
    }

    /// Where the results of the next run lie: `group/function.id`, for other tools than Callgrind
    /// with the tool's name behind it. What lay there is gone.
    #[expect(clippy::disallowed_methods, reason = "a directory of the test")]
    pub(crate) fn results(&self, place: &str) -> PathBuf {
        let folder = self.recorded.path().join(place);
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::remove_file(path).unwrap();
            }
        }
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Sets the counts of Callgrind for the next run.
    pub(crate) fn counts(&self, place: &str, events: &[(&str, u64)]) {
        let folder = self.results(place);
        let process = Process {
            pid: 1001,
            parent: 1000,
            command: BENCH,
        };
        process.write(&folder, &[(1, 1, events)]);
    }

    /// Sets the output of the benchmark for the next run.
    pub(crate) fn prints(&self, place: &str, text: &str) {
        fs::write(self.recorded.path().join(place).join("output"), text).unwrap();
    }

    /// Results of another tool, as they were recorded.
    pub(crate) fn recorded(&self, place: &str, tool: &str, case: &str) {
        let data = recorded_files();
        let folder = self.results(&format!("{place}/{tool}"));
        for entry in fs::read_dir(data.join(tool).join("3.27.1").join(case)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let short = name.trim_start_matches(tool).trim_start_matches("bb.");
            let short = short.trim_start_matches('.');
            if ["out.", "log.", "pc."]
                .iter()
                .any(|kind| short.starts_with(kind))
            {
                fs::copy(&path, folder.join(short)).unwrap();
            }
        }
    }

    /// Runs the benchmarks. What it printed to stdout; if there is any, what it printed to stderr;
    /// if it is not 0, the exit code.
    pub(crate) fn run(&self, words: &[&str]) -> String {
        let args = Args::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
        let comparisons = args.output.show_comparison.unwrap_or_default();
        let environment = RunnerEnvironment::default();
        let settings = Settings::resolve(BENCH.into(), args, environment).unwrap();
        let plan = plan::build(&self.suite, &settings).unwrap();
        let Package { name, module, .. } = &self.suite.package;
        let nobody = |owner: &str| panic!("{owner} has the lock");
        let store = Store::open(self.home.path(), name, module, nobody).unwrap();
        let (out, err) = (Sink::default(), Sink::default());
        let (to_out, to_err) = (Box::new(out.clone()), Box::new(err.clone()));
        let form = Form::Text {
            quiet: false,
            explain: ShownExplanations::No,
            comparisons,
            links: FileLinks::PLAIN,
        };
        let report = Reports::new(to_out, to_err, self.styles, form);
        let launch = Replay::new(self.recorded.path());
        let begins = Event::RunBegins {
            plan: &plan,
            settings: &settings,
            records: &store.records(),
        };
        report.event(begins).unwrap();
        let exit = session::run(&plan, &RunContext::default(), &store, &launch, &report).unwrap();
        let mut shown = without_time(&out.text());
        let home = self.home.path().to_str().unwrap();
        if !err.text().is_empty() {
            let _ = write!(shown, "--- stderr\n{}", err.text().replace(home, "[HOME]"));
        }
        if exit as u8 != 0 {
            let _ = writeln!(shown, "--- exit code {}", exit as u8);
        }
        shown
    }
}

/// The text without the time that the run took, in the form for programs or for a terminal.
fn without_time(text: &str) -> String {
    if let Some(begin) = text
        .find("Iai-Callgrind result: ")
        .filter(|_| !text.contains("finished in"))
    {
        let (before, totals) = text.split_at(begin);
        let end = [" ms\n", " s\n"]
            .iter()
            .find_map(|unit| Some(totals.find(unit)? + unit.len() - 1));
        let (line, rest) = totals.split_at(end.unwrap());
        let line = line.trim_end_matches(['m', 's']).trim_end();
        let line = line.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        return format!("{before}{line}[TIME]{rest}");
    }
    const WORDS: &str = " benchmarks finished in ";
    match text.split_once(WORDS) {
        Some((before, _)) => format!("{before}{WORDS}[TIME]s\n"),
        None => text.to_owned(),
    }
}

/// A thread, a part, and its events.
pub(crate) type Unit<'a> = (u64, u64, &'a [(&'a str, u64)]);

/// A process under Callgrind.
pub(crate) struct Process<'a> {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) command: &'a str,
}

impl Process<'_> {
    /// Writes the files of its threads and parts, with the events of each.
    pub(crate) fn write(&self, folder: &Path, units: &[Unit<'_>]) {
        let Self {
            pid,
            parent,
            command,
        } = self;
        // The folder is named like the benchmark. Its function is called once, in the first thread.
        let benchmark = folder.file_name().unwrap().to_str().unwrap();
        let function = benchmark.split('.').next().unwrap();
        let function = format!("i_lib::__iai_callgrind_wrapper_mod::{function}");
        let mut is_called = false;
        for (thread, part, events) in units {
            let text = |of: fn(&(&str, u64)) -> String| {
                let words: Vec<String> = events.iter().map(of).collect();
                words.join(" ")
            };
            let names = text(|(name, _)| (*name).to_owned());
            let counts = text(|(_, count)| count.to_string());
            let call = match *thread == 1 && !is_called {
                true => format!("fn=case\n1 0\ncfn={function}\ncalls=1 1\n1 {counts}\n\n"),
                false => String::new(),
            };
            is_called |= *thread == 1;
            let profile = format!(
                "# callgrind format\nversion: 1\ncreator: callgrind-3.27.1\npid: {pid}\n\
                 cmd:  {command}\npart: {part}\nthread: {thread}\n\n\
                 desc: I1 cache: \ndesc: D1 cache: \ndesc: LL cache: \n\n\
                 positions: line\nevents: {names}\nsummary: {counts}\n\n\
                 fl=x.c\n{call}fn={function}\n1 {counts}\ncfn=work\ncalls=1 1\n1 0\n\ntotals: {counts}\n"
            );
            fs::write(
                folder.join(format!("out.{pid}.{part}-{thread:02}")),
                profile,
            )
            .unwrap();
        }
        let log = format!(
            "=={pid}== Callgrind, a call-graph generating cache profiler\n\
             =={pid}== Using Valgrind-3.27.1 and LibVEX; rerun with -h for copyright info\n\
             =={pid}== Command: {command}\n=={pid}== Parent PID: {parent}\n=={pid}== \n"
        );
        fs::write(folder.join(format!("log.{pid}")), log).unwrap();
    }
}

/// Counts of a run without surprises: instructions, other accesses, and two misses of all caches.
pub(crate) fn plain(instructions: u64, data: u64) -> Vec<(&'static str, u64)> {
    events(instructions, data, 2, 2)
}

/// Instructions, other accesses, misses of the first cache, and of all caches.
pub(crate) fn events(ir: u64, data: u64, first: u64, all: u64) -> Vec<(&'static str, u64)> {
    let names = [
        "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw",
    ];
    let counts = [ir, data, 0, first, 0, 0, all, 0, 0];
    names.into_iter().zip(counts).collect()
}

/// A function with one case for each id and text of arguments.
pub(crate) fn function(name: &str, cases: &[(Option<&str>, Option<&str>)]) -> Function {
    let case = |(id, args): &(Option<&str>, Option<&str>)| Case {
        id: id.map(str::to_owned),
        args: args.map(str::to_owned),
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
    Function {
        name: name.to_owned(),
        index: 0,
        file: String::new(),
        line: 0,
        config: None,
        equal_counts: false,
        cases: cases.iter().map(case).collect(),
    }
}

/// A file `i_lib` without groups.
fn suite() -> Suite {
    Suite {
        protocol: PROTOCOL,
        version: VERSION.to_owned(),
        package: Package {
            name: "pb".to_owned(),
            manifest_dir: "/build".to_owned(),
            workspace: "/build".to_owned(),
            target_tmpdir: None,
            file: "benches/i_lib.rs".to_owned(),
            module: "i_lib".to_owned(),
        },
        platform: Platform::default(),
        config: Some(Config {
            tools: Vec::new(),
            ..Config::default()
        }),
        deterministic_random: false,
        brackets: false,
        is_malloc: None,
        hooks: Hooks::default(),
        groups: Vec::new(),
        unlisted: Vec::new(),
        empty: Vec::new(),
        entries: 2,
        at_run_time: false,
    }
}
