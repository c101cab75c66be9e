//! The machine: Valgrind, and whether it finds functions.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::probe;
use crate::error::with_causes;
use crate::machine::host::Host;
use crate::settings::Settings;
use findings::{start, surroundings, Cure, Finding, Severity};
use formats::callgrind;
use store::private_directory;
use symbols::symbol_table::{self, Symbols};

/// Looks at Valgrind and at random addresses.
pub(super) fn examine(settings: &Settings) -> Vec<Finding> {
    let mut findings = valgrind(settings);
    findings.push(surroundings::randomisation());
    findings
}

fn valgrind(settings: &Settings) -> Vec<Finding> {
    let host = match Host::detect(settings) {
        Ok(host) => host,
        Err(error) => return vec![Finding::problem(error.to_string(), None)],
    };
    let path = host.valgrind.display();
    let Some(version) = host.version() else {
        let text = format!("`{path} --version` does not answer as Valgrind does");
        let cure = Cure::run(format!("{path} --version"));
        return vec![Finding::problem(text, cure)];
    };
    let found = Finding::fine(format!("Valgrind {} is `{path}`", version.text));
    let begin = Instant::now();
    let names = names(&host.valgrind);
    let took = begin.elapsed();
    match names.level {
        Severity::Problem => vec![found, names],
        _ => vec![found, names, start::examine(took)],
    }
}

/// Checks that Callgrind finds a function of this program by its name.
fn names(valgrind: &Path) -> Finding {
    let failed = |reason: String| {
        let text = format!("Callgrind does not run: {reason}");
        let cure = Cure::run(format!("{} --tool=callgrind true", valgrind.display()));
        Finding::problem(text, cure)
    };
    match instructions(valgrind) {
        Err(reason) => failed(reason),
        Ok(0) => match std::env::current_exe().map(|this| symbol_table::find(&this, &[probe::NAME]))
        {
            Ok(Symbols::Present) => Finding::problem(
                "Callgrind runs, but does not find a function by its name in this program; \
                 benchmarks may count nothing with this Valgrind",
                Cure::run("valgrind --version"),
            ),
            _ => Finding::note(
                "Callgrind runs; whether it finds functions by their names was not tested, since \
                 this runner has no symbols",
                None,
            ),
        },
        Ok(_) => Finding::fine("Callgrind runs and finds functions by their names"),
    }
}

/// Callgrind's count of the probe.
#[expect(
    clippy::disallowed_methods,
    reason = "tests Valgrind with this program; benchmarks start in `execute`"
)]
fn instructions(valgrind: &Path) -> Result<u64, String> {
    let text = |error: std::io::Error| error.to_string();
    let this = std::env::current_exe().map_err(text)?;
    let folder = private_directory::temporary().map_err(|error| with_causes(&error))?;
    let out = folder.path().join("out");
    // As the runner starts it: without `~/.valgrindrc` and `VALGRIND_OPTS`.
    let output = Command::new(valgrind)
        .args(["--tool=callgrind", "--vgdb=no", "--command-line-only=yes"])
        .arg(format!("--toggle-collect=*{}*", probe::NAME))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(this)
        .arg("doctor")
        .env(probe::VARIABLE, "yes")
        .stdin(Stdio::null())
        .output()
        .map_err(text)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        return Err(format!("{} ({})", last.unwrap_or_default(), output.status));
    }
    let profile = callgrind::read_totals_of_file(&out).map_err(|error| error.to_string())?;
    let profile = profile.ok_or("it wrote an empty file")?;
    let totals = profile.totals().map_err(|reason| reason.to_string())?;
    Ok(totals.into_iter().map(|(_, count)| count).sum())
}
