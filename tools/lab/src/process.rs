//! Starts other programs. Every failure names the command line that failed.

use std::process::{Command, Stdio};

use anyhow::{bail, Context, Result};

/// The cargo that runs us, so that a chosen toolchain stays chosen.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs the command to its end; its output goes where ours goes.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("could not start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` ended with {status}");
    }
    Ok(())
}

/// Runs the command and returns what it wrote to stdout. Its stderr is part of the error.
pub fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("could not start `{line}`"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` ended with {}\n{}", output.status, stderr.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote no UTF-8"))
}

/// Does the program exist and end well with these arguments? Shows nothing.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command line as a person would type it, for messages.
fn line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
