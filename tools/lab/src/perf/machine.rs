//! Facts about the machine, for the page.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::output;
use crate::runner::target_directory;
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
        ("file system", file_system()?),
        ("Valgrind", line("valgrind", &["--version"])?),
        ("Rust", line("rustc", &["--version"])?),
        // Absent outside of a checkout, such as in an archive of the sources.
        (
            "commit",
            line("git", &["describe", "--always", "--dirty"]).unwrap_or_default(),
        ),
    ])
}

/// The file system of the crates that are measured. Without a journal, ext4 passes over all inodes
/// that were deleted in the last minutes whenever it makes a file, so the more benchmarks ran
/// before, the slower they are.
fn file_system() -> Result<String> {
    let mut command = Command::new("df");
    command.args(["--output=fstype,source"]);
    let listed = output(command.arg(target_directory()?))?;
    let last = listed.lines().last().unwrap_or_default();
    let (kind, device) = last.trim().split_once(' ').unwrap_or((last, ""));
    let device = device.trim().trim_start_matches("/dev/");
    let journal = fs::read_to_string(format!("/sys/fs/{kind}/{device}/journal_task"));
    Ok(match journal.is_ok_and(|task| task.trim() == "<none>") {
        true => format!("{kind} without a journal, which slows down runs with many benchmarks"),
        false => kind.to_owned(),
    })
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    model.unwrap_or_else(|| "unknown".to_owned())
}
