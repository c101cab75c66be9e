//! Recordings under several tools.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::{Callgrind, Config, Dhat, EntryPoint, Tools};
use tempfile::TempDir;

use super::replayed::{recorded_files, recordings, Replayed};

/// Recordings of the benchmark `works` under several tools, taken from the files of the parsers'
/// tests.
pub(crate) struct Recorded(TempDir);

impl Recorded {
    /// Callgrind's files and, for each tool, those of a case.
    pub(crate) fn new(cases: &[(&str, &str)]) -> Self {
        let recorded = Self(tempfile::tempdir().unwrap());
        copy(
            &recordings("first/kernels/works"),
            &recorded.of("callgrind"),
            "",
        );
        for (tool, case) in cases {
            let data = recorded_files();
            let out = match *tool {
                "exp-bbv" => "bb.",
                "cachegrind" | "dhat" | "massif" => tool,
                _ => "",
            };
            copy(
                &data.join(tool).join("3.27.1").join(case),
                &recorded.of(tool),
                out,
            );
        }
        recorded
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where the files of a tool are.
    pub(crate) fn of(&self, tool: &str) -> PathBuf {
        let works = self.path().join("kernels/works");
        match tool {
            "callgrind" => works,
            _ => works.join(tool),
        }
    }
}

/// Copies files under the names that they have while a tool runs.
pub(crate) fn copy(from: &Path, to: &Path, prefix: &str) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let short = name.strip_prefix(prefix).unwrap_or(name);
        let short = short.trim_start_matches('.');
        if short.starts_with("out.") || short.starts_with("log.") || short.starts_with("pc.") {
            fs::copy(&path, to.join(short)).unwrap();
        }
    }
}

/// Everything counts, under DHAT where it is asked for: the recorded programs know nothing of us.
pub(crate) fn everything() -> Replayed {
    let mut replayed = Replayed::new();
    let mut dhat = Dhat {
        entry_point: Some(EntryPoint::None),
        ..Dhat::default()
    };
    dhat.settings.enable = Some(false);
    let callgrind = Callgrind {
        entry_point: Some(EntryPoint::None),
        ..Callgrind::default()
    };
    replayed.suite.config = Some(Config {
        tools: Tools {
            callgrind: Some(callgrind),
            dhat: Some(dhat),
            ..Tools::default()
        }
        .into(),
        ..Config::default()
    });
    replayed
}
