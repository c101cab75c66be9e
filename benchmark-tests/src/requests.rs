//! Runs the programs of `client-request-tests`: under a tool of a Valgrind, or natively.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::build;

/// All tools that run any program.
pub const TOOLS: [&str; 9] = [
    "memcheck",
    "callgrind",
    "cachegrind",
    "helgrind",
    "drd",
    "massif",
    "dhat",
    "exp-bbv",
    "none",
];

/// A run of the program `requests`, before it starts.
#[derive(Debug)]
pub struct Requests {
    command: Command,
    folder: TempDir,
}

impl Requests {
    /// Under a tool. Its output files are `out` and, for some tools, what they add to this name.
    pub fn under(valgrind: &Path, tool: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is a place for temporary directories");
        let mut command = Command::new(valgrind);
        let path = |name: &str| folder.path().join(name).display().to_string();
        command
            .arg(format!("--tool={tool}"))
            .arg(format!("--log-file={}", path("log")));
        if let "callgrind" | "cachegrind" | "massif" | "dhat" = tool {
            command.arg(format!("--{tool}-out-file={}", path("out")));
        }
        if tool == "exp-bbv" {
            command.arg(format!("--bb-out-file={}", path("out")));
        }
        Self { command, folder }
    }

    /// Without Valgrind; requests are active.
    pub fn natively() -> Self {
        Self::alone(&build::requests("requests"))
    }

    /// Without Valgrind; the program has definitions only.
    pub fn definitions() -> Self {
        Self::alone(&build::request_definitions("requests"))
    }

    fn alone(program: &Path) -> Self {
        Self {
            command: Command::new(program),
            folder: tempfile::tempdir().expect("there is a place for temporary directories"),
        }
    }

    /// Adds an argument for Valgrind.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds the program of this build, without active requests, under Valgrind.
    pub fn make_definitions(mut self, scenario: &str) -> Made {
        self.command.arg(build::request_definitions("requests"));
        self.run(scenario)
    }

    /// Runs a scenario under Valgrind.
    #[track_caller]
    pub fn make(mut self, scenario: &str) -> Made {
        self.command.arg(build::requests("requests"));
        self.run(scenario)
    }

    /// Runs a scenario without Valgrind.
    #[track_caller]
    pub fn run(mut self, scenario: &str) -> Made {
        let output = self
            .command
            .arg(scenario)
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let stdout = String::from_utf8(output.stdout).expect("results are text");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{scenario}: {}\n{stdout}{stderr}{log}",
            output.status
        );
        Made {
            scenario: scenario.to_owned(),
            stdout,
            log,
            folder: self.folder,
        }
    }
}

/// Output of a scenario.
#[derive(Debug)]
pub struct Made {
    scenario: String,
    stdout: String,
    /// Valgrind's log of the run.
    pub log: String,
    folder: TempDir,
}

impl Made {
    /// Asserts what the program printed, line by line.
    #[track_caller]
    pub fn shows(self, expected: &[&str]) -> Self {
        let shown: Vec<&str> = self.stdout.lines().collect();
        assert_eq!(shown, expected, "{}\n{}", self.scenario, self.log);
        self
    }

    /// Asserts that the log has each of these texts as often as the number says.
    #[track_caller]
    pub fn logs(self, expected: &[(&str, usize)]) -> Self {
        for (text, count) in expected {
            let found = self.log.matches(text).count();
            assert_eq!(
                found, *count,
                "{}: `{text}` in\n{}",
                self.scenario, self.log
            );
        }
        self
    }

    /// The lines of the log without the number of the process, and without Valgrind's first ones.
    pub fn log_lines(&self) -> Vec<&str> {
        let end_of_prefix = |line: &'_ str| line.find("** ").or_else(|| line.find("== "));
        let lines = self.log.lines();
        lines
            .filter_map(|line| end_of_prefix(line).map(|end| &line[end + 3..]))
            .collect()
    }

    /// The value that the program printed after `name=`.
    #[track_caller]
    pub fn value(&self, name: &str) -> &str {
        let mut lines = self.stdout.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_else(|| panic!("no `{name}` in\n{}", self.stdout))
    }

    /// The output files of the tool by what they add to their name, in its order.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if let Some(rest) = name.strip_prefix("out") {
                files.insert(rest.to_owned(), fs::read_to_string(&path).unwrap());
            }
        }
        files
    }

    /// The instructions that Callgrind has counted, in each file that has some.
    pub fn instructions(&self) -> BTreeMap<String, u64> {
        let files = self.files().into_iter();
        let count = |text: &str| {
            let mut totals = text
                .lines()
                .filter_map(|line| line.strip_prefix("totals: "));
            totals.next().map(|count| count.trim().parse().unwrap())
        };
        files
            .filter_map(|(name, text)| Some((name, count(&text)?)))
            .collect()
    }
}
