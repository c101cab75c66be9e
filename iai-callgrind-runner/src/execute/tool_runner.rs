//! Valgrind started by a program of the user (`--tool-runner`), such as a container: environment
//! variables and arguments of that program, and paths as Valgrind sees them where it runs.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::plan::Job;
use crate::settings::{Settings, ToolRunner};
use base::tool::{self, Execution};
use cli::env::RunnerEnvironment;

/// Environment variables of a process.
pub(super) type Variables = Vec<(OsString, OsString)>;

/// Translation of paths to those that Valgrind sees. Without a tool runner it changes none.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathTranslation<'a> {
    pub(super) runner: Option<&'a ToolRunner>,
    /// The private directory of the job, in which the tool writes.
    pub(super) directory: &'a Path,
    pub(super) workspace: &'a Path,
}

impl PathTranslation<'_> {
    /// The path of a file or directory.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        let dest = self.runner.and_then(|runner| runner.dest.as_deref());
        let root = self.runner.and_then(|runner| runner.root.as_deref());
        // The private directory first: it may lie below the workspace, which is seen at another
        // path.
        for (place, seen) in [(self.directory, dest), (self.workspace, root)] {
            if let (Ok(rest), Some(seen)) = (path.strip_prefix(place), seen) {
                return match rest.as_os_str().is_empty() {
                    true => seen.to_owned(),
                    false => seen.join(rest),
                };
            }
        }
        path.to_owned()
    }

    /// An argument of the tool: `--option=<path>`.
    pub(super) fn argument(&self, argument: &str) -> String {
        match argument.split_once('=') {
            Some((option, value)) if value.starts_with('/') => {
                format!("{option}={}", self.path(Path::new(value)).display())
            }
            _ => argument.to_owned(),
        }
    }
}

/// Environment variables that tell the tool runner about a run.
pub(super) fn variables(directory: &Path, home: &Path, workspace: &Path, aslr: bool) -> Variables {
    let aslr = if aslr { "yes" } else { "no" };
    [
        ("IAI_CALLGRIND_TR_DEST_DIR", directory.as_os_str()),
        ("IAI_CALLGRIND_TR_HOME", home.as_os_str()),
        ("IAI_CALLGRIND_TR_WORKSPACE_ROOT", workspace.as_os_str()),
        ("IAI_CALLGRIND_ALLOW_ASLR", OsStr::new(aslr)),
    ]
    .map(|(name, value)| (name.into(), value.to_owned()))
    .into()
}

/// The arguments of the tool runner, with the values of `${NAME}`. Our environment variables take
/// precedence over those of the benchmark, and these over those of the runner.
pub(super) fn arguments(
    runner: &ToolRunner,
    environment: &Variables,
    outer: &RunnerEnvironment,
) -> Result<Vec<OsString>> {
    let value = |name: &str| {
        // If a variable is set twice, the last value holds.
        let mut inner = environment.iter().rev();
        let found = inner.find(|(other, _)| other == name);
        let found = found.map(|(_, value)| value.as_os_str());
        found.or_else(|| outer.variable(name))
    };
    let all = runner.args.iter();
    all.map(|argument| interpolate(argument, value)).collect()
}

fn interpolate<'a>(text: &str, value: impl Fn(&str) -> Option<&'a OsStr>) -> Result<OsString> {
    let cannot = |reason: String| Error::option("--tool-runner-args", reason);
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after
            .split_once('}')
            .ok_or_else(|| cannot(format!("`${{` in `{text}` is not closed by `}}`")))?;
        let value = value(name).ok_or_else(|| {
            cannot(format!(
                "there is no variable `{name}`, which `{text}` wants"
            ))
        })?;
        out.extend(before.as_bytes());
        out.extend(value.as_bytes());
        rest = after;
    }
    out.extend(rest.as_bytes());
    Ok(OsString::from_vec(out))
}

/// Checks, before anything runs, that the tool runner can start this job and that all environment
/// variables in its arguments exist.
///
/// # Errors
///
/// The job does not run under Valgrind, or a variable does not exist.
pub(crate) fn check(settings: &Settings, job: &Job) -> Result<()> {
    let Some(runner) = &settings.tool_runner else {
        return Ok(());
    };
    if tool::row(job.tool).execution == Execution::Native {
        let reason = format!(
            "`{}` starts Valgrind only, but `{}` is to run under {}",
            runner.program.display(),
            job.benchmark_path,
            job.tool
        );
        return Err(Error::option("--tool-runner", reason));
    }
    // Only the names of our variables matter here; the directories are not known yet.
    let nowhere = Path::new("");
    let mut variables = job.environment.to_vec();
    variables.extend(self::variables(nowhere, nowhere, nowhere, false));
    arguments(runner, &variables, &settings.environment).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(dest: Option<&str>, root: Option<&str>) -> ToolRunner {
        ToolRunner {
            program: "run".into(),
            args: Vec::new(),
            dest: dest.map(PathBuf::from),
            root: root.map(PathBuf::from),
        }
    }

    #[test]
    fn paths_as_valgrind_sees_them() {
        #[track_caller]
        fn check(dest: Option<&str>, root: Option<&str>, argument: &str, expected: &str) {
            let runner = runner(dest, root);
            let seen = PathTranslation {
                runner: Some(&runner),
                directory: Path::new("/ws/target/iai/work"),
                workspace: Path::new("/ws"),
            };
            assert_eq!(seen.argument(argument), expected);
        }
        let (dest, root) = (Some("/out"), Some("/src"));
        let log = "--log-file=/ws/target/iai/work/log.%p";
        check(dest, root, log, "--log-file=/out/log.%p");
        check(None, root, log, "--log-file=/src/target/iai/work/log.%p");
        check(dest, None, "--a=/ws/b", "--a=/ws/b");
        check(dest, root, "--a=/ws/b", "--a=/src/b");
        check(dest, root, "--a=/wsp/b", "--a=/wsp/b");
        check(dest, root, "--a=/ws", "--a=/src");
        check(dest, root, "--toggle-collect=a=b", "--toggle-collect=a=b");
    }

    #[test]
    fn variables_stand_in_arguments() {
        let value = |name: &str| match name {
            "A" => Some(OsStr::new("a b")),
            "ODD" => Some(OsStr::from_bytes(b"\xff")),
            _ => None,
        };
        let check = |text: &str, expected: &[u8]| {
            assert_eq!(interpolate(text, value).unwrap().as_bytes(), expected);
        };
        check("-v=${A}:/b", b"-v=a b:/b");
        check("${A}${ODD}$A$", b"a b\xff$A$");
        let error = interpolate("x${NOPE}", value).unwrap_err().to_string();
        assert!(error.contains("there is no variable `NOPE`"), "{error}");
        interpolate("${A", value).unwrap_err();
    }

    #[test]
    fn our_variables_go_before_those_of_the_benchmark_and_those_before_the_rest() {
        let outer = [("A", "outer"), ("B", "outer"), ("HOME", "/home/me")];
        let mut environment: Variables = vec![("A".into(), "inner".into())];
        environment.extend(variables(
            Path::new("/d"),
            Path::new("/h"),
            Path::new("/w"),
            true,
        ));
        let mut runner = runner(None, None);
        runner.args = [
            "${A}",
            "${B}",
            "${IAI_CALLGRIND_TR_DEST_DIR}",
            "${IAI_CALLGRIND_ALLOW_ASLR}",
        ]
        .map(str::to_owned)
        .into();
        let arguments = arguments(&runner, &environment, &outer.into_iter().collect()).unwrap();
        assert_eq!(arguments, ["inner", "outer", "/d", "yes"]);
    }
}
