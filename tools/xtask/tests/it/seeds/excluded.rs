//! The examples that cannot compile, each with the reason and with the text that the user gets.

use super::build::Built;
use super::example::Example;

/// An example that cannot compile.
pub(crate) struct Excluded {
    /// Begin of the document's name.
    document: &'static str,
    /// Line of this block and of no other of the document.
    pub(crate) line: &'static str,
    why: Why,
    /// Part of the error.
    pub(crate) error: &'static str,
}

/// Reason why an example cannot compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Its form was removed before this version; all errors are ours and say so.
    Removed,
    /// It is wrong itself: whoever copied it got the same error from every version.
    Mistake,
}

/// Begin of all errors about removed forms.
const SINCE: &str = "is not available since 0.13";

pub(crate) const EXCLUDED: &[Excluded] = &[
    Excluded {
        document: "000",
        line: "let stdout = if path.extension() == \"txt\" {",
        why: Why::Mistake,
        error: "expected `Option<&OsStr>`, found `&str`",
    },
    Excluded {
        document: "000",
        line: "std::fs::copy(path, dest_dir.join(path));",
        why: Why::Mistake,
        error: "borrow of moved value: `dest_dir`",
    },
    Excluded {
        document: "001",
        line: "library_benchmark_groups!(",
        why: Why::Mistake,
        error: "a macro with a similar name exists",
    },
    Excluded {
        document: "001",
        line: "#[bench::some_id(args = (1, 2), config = LibraryBenchmarkConfig::default()]",
        why: Why::Mistake,
        error: "mismatched closing delimiter: `]`",
    },
    Excluded {
        document: "001",
        line: "|\"benchmark-tests-printargs\", group: &mut BinaryBenchmarkGroup| {",
        why: Why::Removed,
        error: SINCE,
    },
    Excluded {
        document: "001",
        line: "benchmark = |\"my-exe\", group: &mut BinaryBenchmarkGroup| {});",
        why: Why::Removed,
        error: SINCE,
    },
    Excluded {
        document: "001",
        line:
            "group.bench(Run::with_cmd(env!(\"CARGO_BIN_EXE_my-exe\"), Arg::empty(\"some id\")));",
        why: Why::Removed,
        error: SINCE,
    },
    Excluded {
        document: "001",
        line: ".options(Options::default().exit_with(ExitWith::Code(100)))",
        why: Why::Removed,
        error: SINCE,
    },
    Excluded {
        document: "001",
        line: "group.bench(Run::with_arg(Arg::empty(\"some id\")).envs([\"KEY=VALUE\", \"KEY\"]));",
        why: Why::Removed,
        error: SINCE,
    },
    Excluded {
        document: "001",
        line: "group.sandbox(false);",
        why: Why::Removed,
        error: SINCE,
    },
];

/// The reason why the example cannot compile, if it cannot.
pub(crate) fn of(example: &Example) -> Option<&'static Excluded> {
    EXCLUDED
        .iter()
        .find(|excluded| example.has(excluded.document, excluded.line))
}

/// Rows that are not about exactly one example.
pub(crate) fn unused(examples: &[Example]) -> Vec<String> {
    let mut unused = Vec::new();
    for Excluded { document, line, .. } in EXCLUDED {
        let found = examples.iter().filter(|it| it.has(document, line)).count();
        if found != 1 {
            unused.push(format!(
                "{found} blocks of `{document}` have the line `{line}`"
            ));
        }
    }
    unused
}

impl Excluded {
    /// Is it still true?
    pub(crate) fn judge(&self, built: &Built) -> Result<(), String> {
        let Self { why, error, .. } = self;
        if built.executable.is_some() {
            return Err(format!("compiles, although it is excluded as `{why:?}`"));
        }
        let has_error = |shown: &String| shown.contains(error);
        let is_as_said = match why {
            Why::Removed => !built.errors.is_empty() && built.errors.iter().all(has_error),
            Why::Mistake => built.errors.iter().any(has_error),
        };
        match is_as_said {
            true => Ok(()),
            false => {
                let errors = built.errors.concat();
                Err(format!(
                    "is excluded as `{why:?}` with the error `{error}`, and gives\n{errors}"
                ))
            }
        }
    }
}
