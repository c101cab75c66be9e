//! Makes sure that Valgrind is installed.
//!
//! Found on `PATH`: nothing to do. Otherwise the system's package manager installs it, if we may
//! use it without asking for a password. If not, the error holds the one line to run.

use std::process::Command;

use anyhow::{bail, Result};

use crate::process::{output, run, succeeds};
use crate::step;

/// A package manager: its program and the commands, in order, that install Valgrind.
struct Manager {
    program: &'static str,
    commands: &'static [&'static [&'static str]],
}

const MANAGERS: &[Manager] = &[
    Manager {
        program: "apt-get",
        // A fresh image has no package lists, hence `update`. Without the names of the loader's
        // functions, which are in `libc6-dbg`, Memcheck does not start.
        commands: &[
            &["apt-get", "update"],
            &[
                "apt-get",
                "install",
                "-y",
                "--no-install-recommends",
                "valgrind",
                "libc6-dbg",
            ],
        ],
    },
    Manager {
        program: "dnf",
        commands: &[&["dnf", "install", "-y", "valgrind"]],
    },
    Manager {
        program: "pacman",
        commands: &[&["pacman", "-Sy", "--noconfirm", "valgrind"]],
    },
    Manager {
        program: "zypper",
        commands: &[&["zypper", "--non-interactive", "install", "valgrind"]],
    },
    Manager {
        program: "apk",
        commands: &[&["apk", "add", "valgrind"]],
    },
];

/// Right to install packages on this system without a person at the keyboard.
#[derive(Clone, Copy, Debug)]
enum Privilege {
    Root,
    PasswordlessSudo,
    None,
}

/// Next step to an installed Valgrind.
#[derive(Debug, PartialEq)]
enum Plan {
    /// Run these commands.
    Install(Vec<Vec<&'static str>>),
    /// A person has to run this line.
    Ask(String),
    /// No package manager that we know.
    Unknown,
}

/// Installs Valgrind if it is missing.
pub fn ensure() -> Result<()> {
    if let Some(version) = version() {
        step(&format!("Valgrind is there: {version}"));
        return Ok(());
    }

    let manager = MANAGERS
        .iter()
        .find(|manager| succeeds(manager.program, &["--version"]));
    match plan(manager, privilege()) {
        Plan::Install(commands) => {
            for words in commands {
                step(&format!("Valgrind is missing: {}", words.join(" ")));
                run(Command::new(words[0])
                    .args(&words[1..])
                    .env("DEBIAN_FRONTEND", "noninteractive"))?;
            }
        }
        Plan::Ask(line) => {
            bail!("Valgrind is not installed, and installing it needs your password\n  run: {line}")
        }
        Plan::Unknown => bail!(
            "Valgrind is not installed, and no known package manager was found\n  \
             hint: install it as https://valgrind.org describes, then try again"
        ),
    }

    match version() {
        Some(version) => {
            step(&format!("Valgrind is installed: {version}"));
            Ok(())
        }
        None => bail!("Valgrind was installed, but `valgrind --version` still fails"),
    }
}

/// `valgrind-3.19.0`, or nothing if it is not on `PATH`.
fn version() -> Option<String> {
    let text = output(Command::new("valgrind").arg("--version")).ok()?;
    Some(text.trim().to_owned())
}

fn privilege() -> Privilege {
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|uid| uid.trim() == "0");
    if is_root {
        Privilege::Root
    } else if succeeds("sudo", &["-n", "true"]) {
        Privilege::PasswordlessSudo
    } else {
        Privilege::None
    }
}

/// Decides, and does nothing yet.
fn plan(manager: Option<&Manager>, privilege: Privilege) -> Plan {
    let Some(manager) = manager else {
        return Plan::Unknown;
    };
    let with_prefix = |prefix: &[&'static str]| -> Vec<Vec<&'static str>> {
        let commands = manager.commands.iter();
        commands.map(|words| [prefix, words].concat()).collect()
    };
    match privilege {
        Privilege::Root => Plan::Install(with_prefix(&[])),
        Privilege::PasswordlessSudo => Plan::Install(with_prefix(&["sudo", "-n"])),
        Privilege::None => {
            let lines: Vec<String> = with_prefix(&["sudo"])
                .iter()
                .map(|words| words.join(" "))
                .collect();
            Plan::Ask(lines.join(" && "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manager(program: &str) -> Option<&'static Manager> {
        MANAGERS.iter().find(|manager| manager.program == program)
    }

    #[test]
    fn root_runs_the_package_manager_itself() {
        assert_eq!(
            plan(manager("dnf"), Privilege::Root),
            Plan::Install(vec![vec!["dnf", "install", "-y", "valgrind"]])
        );
    }

    #[test]
    fn sudo_is_never_asked_for_a_password() {
        assert_eq!(
            plan(manager("apk"), Privilege::PasswordlessSudo),
            Plan::Install(vec![vec!["sudo", "-n", "apk", "add", "valgrind"]])
        );
    }

    #[test]
    fn without_rights_there_is_one_line_to_run() {
        assert_eq!(
            plan(manager("apt-get"), Privilege::None),
            Plan::Ask(
                "sudo apt-get update && \
                 sudo apt-get install -y --no-install-recommends valgrind libc6-dbg"
                    .to_owned()
            )
        );
    }

    #[test]
    fn an_unknown_system_is_left_alone() {
        assert_eq!(plan(None, Privilege::Root), Plan::Unknown);
    }
}
