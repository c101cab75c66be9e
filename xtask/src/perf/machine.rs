//! Facts about the machine, for the page.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::output;
use crate::workspace_root;

/// Names and values.
pub(super) fn facts() -> Result<Vec<(&'static str, String)>> {
    let line = |program: &str, arguments: &[&str]| -> Result<String> {
        let mut command = Command::new(program);
        let text = output(command.args(arguments).current_dir(workspace_root()))?;
        Ok(text.trim().to_owned())
    };
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    let cores = std::thread::available_parallelism().context("the processors are unknown")?;
    Ok(vec![
        ("date", line("date", &["-u", "+%F"])?),
        ("processor", processor()),
        ("cores", cores.to_string()),
        ("load averages before", load.join(", ")),
        ("system", line("uname", &["-srm"])?),
        ("Valgrind", line("valgrind", &["--version"])?),
        ("Rust", line("rustc", &["--version"])?),
        // Absent outside of a checkout, such as in an archive of the sources.
        (
            "commit",
            line("git", &["describe", "--always", "--dirty"]).unwrap_or_default(),
        ),
    ])
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    model.unwrap_or_else(|| "unknown".to_owned())
}
