//! Suites of binary benchmarks, said in the words of the protocol and run without macros.
//!
//! Everything lies in one group: `binary::group::<name>`. Hooks are shell scripts.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::{
    Case, Command, Config, EnvVar, Function, Group, Hooks, Kind, Over, Package, Platform, Sandbox,
    Suite, PROTOCOL, VERSION,
};
use tempfile::TempDir;

use crate::{build, Bench, Ended, Home};

/// Benchmarks, a place for results, and a folder for what they need.
#[derive(Debug)]
pub struct Binary {
    folder: TempDir,
    harness: PathBuf,
    suite: Suite,
    /// Directory of the results.
    pub home: Home,
}

/// The executable that describes the suite of a test.
pub fn harness() -> PathBuf {
    build::program("binary_harness")
}

/// Path of the program that does what its arguments say, for scripts.
pub fn program_path() -> String {
    plain(build::program("binary_program"))
}

/// Path of the counterpart of delays, for scripts.
pub fn server_path() -> String {
    plain(build::program("binary_server"))
}

fn plain(path: PathBuf) -> String {
    let path = path.into_os_string().into_string();
    path.expect("the target directory is plain text")
}

/// The root of this workspace.
fn workspace() -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap().display().to_string()
}

impl Binary {
    /// A suite without benchmarks yet.
    #[expect(clippy::new_without_default, reason = "makes directories")]
    pub fn new() -> Self {
        let group = Group {
            name: "group".into(),
            kind: Kind::Binary,
            config: None,
            compare_by_id: false,
            ratios: Vec::new(),
            max_parallel: 0,
            hooks: Hooks::default(),
            functions: Vec::new(),
        };
        let suite = Suite {
            protocol: PROTOCOL,
            version: VERSION.into(),
            package: Package {
                name: build::BENCHMARKS.into(),
                manifest_dir: env!("CARGO_MANIFEST_DIR").into(),
                workspace: workspace(),
                target_tmpdir: None,
                file: "benches/binary.rs".into(),
                module: "binary".into(),
            },
            platform: Platform::default(),
            config: None,
            deterministic_random: false,
            brackets: false,
            is_malloc: None,
            hooks: Hooks::default(),
            groups: vec![group],
            unlisted: Vec::new(),
            empty: Vec::new(),
            entries: 0,
            at_run_time: false,
        };
        Self {
            folder: tempfile::tempdir().expect("there is a place for temporary directories"),
            harness: harness(),
            suite,
            home: Home::new(),
        }
    }

    /// A folder of this test; commands that name it can be found among the processes.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A place in the folder, as text.
    pub fn place(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        path.to_str().expect("temporary paths are plain").to_owned()
    }

    /// Adds a benchmark.
    pub fn case(mut self, name: &str, command: Command) -> Self {
        let case = Case {
            id: None,
            input: None,
            args: None,
            index: 0,
            element: 0,
            elements: 0,
            config: None,
            scaling: None,
            throughput: None,
            title: None,
            hooks: Hooks::default(),
            command: Some(Box::new(command)),
        };
        self.suite.groups[0].functions.push(Function {
            name: name.into(),
            index: 0,
            file: String::new(),
            line: 0,
            config: None,
            equal_counts: false,
            cases: vec![case],
        });
        self
    }

    /// Gives the last benchmark a setup.
    pub fn setup(mut self, script: &str) -> Self {
        self.last().hooks.setup = true;
        self.config(variable("SETUP", script))
    }

    /// Gives the last benchmark a teardown.
    pub fn teardown(mut self, script: &str) -> Self {
        self.last().hooks.teardown = true;
        self.config(variable("TEARDOWN", script))
    }

    /// Configures the last benchmark.
    pub fn config(mut self, config: Config) -> Self {
        let case = self.last();
        let below = case.config.take().unwrap_or_default();
        case.config = Some(Box::new(config.over(*below)));
        self
    }

    /// Runs the last benchmark in a sandbox with these fixtures.
    pub fn sandbox(self, fixtures: &[&Path]) -> Self {
        self.config(Config {
            sandbox: Some(Sandbox {
                enable: Some(true),
                fixtures: fixtures.iter().map(|path| path.into()).collect(),
                follow_symlinks: None,
            }),
            ..Config::default()
        })
    }

    /// Changes the group.
    pub fn group(mut self, change: impl FnOnce(&mut Group)) -> Self {
        change(&mut self.suite.groups[0]);
        self
    }

    fn last(&mut self) -> &mut Case {
        let function = self.suite.groups[0].functions.last_mut();
        &mut function.expect("there is a benchmark").cases[0]
    }

    /// The runner with these words.
    pub fn bench(&self, words: &[&str]) -> Bench {
        let suite = self.folder.path().join("suite.json");
        fs::write(&suite, serde_json::to_vec(&self.suite).unwrap()).unwrap();
        let bench = Bench::at(&build::runner()).args(["bench", "--exe"]);
        let bench = bench.arg(&self.harness).args(["--", "--bench", "--home"]);
        bench.arg(self.home.path()).args(words).env("SUITE", suite)
    }

    /// Runs the benchmarks to their end.
    pub fn run(&self, words: &[&str]) -> Ended {
        self.bench(words).run()
    }

    /// The private directories that are left.
    pub fn left(&self) -> Vec<String> {
        let mut names = self.home.names();
        names.retain(|name| name.contains("/.work-"));
        names
    }
}

/// A command of the program that does what its arguments say.
pub fn program(arguments: &[&str]) -> Command {
    command(&program_path(), arguments)
}

/// A command with these arguments.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    Command {
        program: program.into(),
        args: arguments.iter().map(|argument| argument.into()).collect(),
        ..Command::default()
    }
}

/// A configuration with one variable.
pub fn variable(name: &str, value: &str) -> Config {
    Config {
        envs: vec![EnvVar {
            name: name.into(),
            value: Some(value.into()),
        }],
        ..Config::default()
    }
}
