//! An sshd of this machine for this machine, with keys of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::{path_of, wait_for};
use crate::process::{run, succeeds};

/// Port on the loopback device.
const PORT: u16 = 16822;

/// The daemon; dropping it ends it.
pub(super) struct Sshd {
    directory: TempDir,
    daemon: Child,
}

impl Sshd {
    pub(super) fn start() -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("sshd-").tempdir()?;
        let path = |file: &str| directory.path().join(file);
        for key in ["host", "user"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen.args(["-q", "-t", "ed25519", "-N", ""]).arg("-f");
            run(keygen.arg(path(key)))?;
        }
        // Where root starts it, it wants a directory to shut itself in.
        let _ = fs::create_dir_all("/run/sshd");
        fs::write(
            path("sshd_config"),
            format!(
                "ListenAddress 127.0.0.1:{PORT}\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\n\
                 UsePAM no\nPermitRootLogin prohibit-password\nPasswordAuthentication no\nPidFile none\n",
                path("host").display(),
                path("user.pub").display()
            ),
        )?;
        fs::write(
            path("ssh_config"),
            format!(
                "Host node\n  HostName 127.0.0.1\n  Port {PORT}\n  IdentityFile {}\n  BatchMode yes\n  \
                 StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n",
                path("user").display()
            ),
        )?;
        let program: PathBuf = path_of("sshd").context("`sshd` is missing")?;
        let daemon = Command::new(program)
            .args(["-D", "-e", "-f"])
            .arg(path("sshd_config"))
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start sshd")?;
        let configuration = path("ssh_config").display().to_string();
        let sshd = Self { directory, daemon };
        wait_for("sshd", || {
            succeeds("ssh", &["-F", &configuration, "node", "true"])
        })?;
        Ok(sshd)
    }

    /// The lines of the file with the hosts: one, which takes two jobs at once.
    pub(super) fn hosts(&self) -> &'static str {
        "2/node\n"
    }

    /// The variables that parallel needs to find the host.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let configuration = self.directory.path().join("ssh_config");
        vec![(
            "PARALLEL_SSH",
            format!("ssh -F {}", configuration.display()),
        )]
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
