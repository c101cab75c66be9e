//! The tools of a suite, each started once on the benchmark executable: one may fail where
//! Callgrind does not, and Valgrind reads the debug information of the executable, not that of this
//! program.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::with_causes;
use crate::machine::host::Host;
use crate::plan::{self, suite, Backend};
use crate::settings::Settings;
use base::tool::{self, Tool};
use findings::{cures, Finding};
use formats::log;
use iai_callgrind::protocol::ROLE_ARGUMENT;
use store::private_directory;

/// Starts every tool that the benchmarks of this executable use. `settings` are those of
/// `cargo bench` for it.
pub(super) fn examine(settings: &Settings) -> Vec<Finding> {
    let executable = &settings.executable;
    let path = executable.display();
    let Ok(host) = Host::detect(settings) else {
        // Said already.
        return Vec::new();
    };
    let tools = match tools(settings) {
        Ok(tools) => tools,
        Err(reason) => {
            let reason = reason.lines().next().unwrap_or_default();
            let text = format!("the tools were not started on `{path}`: {reason}");
            return vec![Finding::note(text, None)];
        }
    };
    // Most reasons are the same for all tools.
    let mut said: Vec<(Option<String>, Vec<&str>)> = Vec::new();
    for (tool, words) in &tools {
        let reason = start(&host.valgrind, *tool, words, executable).err();
        let title = tool::row(*tool).title;
        match said.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, titles)) => titles.push(title),
            None => said.push((reason, vec![title])),
        }
    }
    let finding = |(reason, titles): (Option<String>, Vec<&str>)| {
        let titles = titles.join(", ");
        match reason {
            None => Finding::fine(format!("`{path}` starts under {titles}")),
            Some(reason) => Finding::problem(
                format!("`{path}` cannot be measured under {titles}: {reason}"),
                None,
            ),
        }
    };
    said.into_iter().map(finding).collect()
}

/// The tools below Valgrind that the benchmarks use, each with the arguments of the first one.
fn tools(settings: &Settings) -> Result<Vec<(Tool, Vec<String>)>, String> {
    let text = |error: crate::error::Error| error.to_string();
    let suite = suite::describe(&settings.executable, &settings.filter).map_err(text)?;
    let plan = plan::build(&suite, settings).map_err(text)?;
    let mut tools: Vec<(Tool, Vec<String>)> = Vec::new();
    for job in plan.jobs() {
        let is_known = tools.iter().any(|(tool, _)| *tool == job.tool);
        if matches!(job.backend, Backend::Valgrind) && !is_known {
            tools.push((job.tool, job.args.words.clone()));
        }
    }
    Ok(tools)
}

/// Lets the executable describe its benchmarks under a tool: it loads everything and runs none.
#[expect(
    clippy::disallowed_methods,
    reason = "tests Valgrind with the executable; benchmarks start in `execute`"
)]
fn start(valgrind: &Path, tool: Tool, words: &[String], executable: &Path) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let folder = private_directory::temporary().map_err(|error| with_causes(&error))?;
    let place = |name: &str| folder.path().join(name);
    let files = tool::row(tool).files.iter();
    let files = files.map(|(option, _)| format!("{option}={}", place("out.%p").display()));
    let output = Command::new(valgrind)
        .args(words)
        .arg("--vgdb=no")
        .arg(format!("--log-file={}", place("log").display()))
        .args(files)
        .arg(executable)
        .args([ROLE_ARGUMENT, "describe"])
        .arg(place("description"))
        .stdin(Stdio::null())
        .output()
        .map_err(text)?;
    let log = log::read_file(&place("log")).ok().flatten();
    let log = log.unwrap_or_default();
    // Also where it starts: without the names of functions nothing would be counted.
    if let Some((_, reason)) = log.unread_of(executable) {
        return Err(format!(
            "Valgrind cannot read its debug information, nor the names of its functions: {reason}"
        ));
    }
    let is_described = fs::metadata(place("description")).is_ok_and(|file| file.len() > 0);
    if output.status.success() && is_described {
        return Ok(());
    }
    if let Some(cure) = cures::of(&log.fatal) {
        return Err(format!("{} ({cure})", first_words(&log.fatal)));
    }
    if !log.fatal.is_empty() {
        return Err(first_words(&log.fatal));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Err(format!("{} ({})", last.unwrap_or_default(), output.status))
}

/// The first two lines, which are one sentence as a rule.
fn first_words(lines: &[String]) -> String {
    let lines: Vec<&str> = lines.iter().take(2).map(String::as_str).collect();
    lines.join(" ")
}
