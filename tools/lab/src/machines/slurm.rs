//! A SLURM cluster of one node, which is this machine: three daemons with their files in a private
//! directory.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::{end, path_of, wait_for};
use crate::process::{output, run};

/// The daemons; dropping it ends them.
pub(super) struct Slurm {
    directory: TempDir,
}

impl Slurm {
    pub(super) fn start() -> Result<Self> {
        let slurm = Self {
            // The path of a socket has to be short.
            directory: tempfile::Builder::new()
                .prefix("slurm-")
                .tempdir_in("/tmp")?,
        };
        slurm.start_munge()?;
        fs::write(slurm.configuration(), slurm.text()?)?;
        run(slurm.command("slurmctld")?.arg("-c"))?;
        run(&mut slurm.command("slurmd")?)?;
        wait_for("SLURM", || {
            let sinfo = slurm.command("sinfo").ok();
            let state = sinfo.and_then(|mut sinfo| output(sinfo.args(["-h", "-o", "%T"])).ok());
            state.is_some_and(|state| state.trim() == "idle")
        })?;
        Ok(slurm)
    }

    /// The variables that the commands of SLURM need to find this cluster.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        vec![("SLURM_CONF", self.configuration().display().to_string())]
    }

    fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(file)
    }

    fn configuration(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    fn command(&self, program: &str) -> Result<Command> {
        let mut command = Command::new(program_path(program)?);
        command.env("SLURM_CONF", self.configuration());
        Ok(command)
    }

    /// The daemon by which the others know each other.
    fn start_munge(&self) -> Result<()> {
        let directory = self.path("munge");
        fs::create_dir(&directory)?;
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o700))?;
        let key = directory.join("key");
        // Nobody else gets in, so that the key needs no secret; it has to be long.
        fs::write(&key, "one node".repeat(128))?;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400))?;
        let option =
            |name: &str, file: &str| format!("--{name}={}", directory.join(file).display());
        run(Command::new(program_path("munged")?).arg("--force").args([
            option("key-file", "key"),
            option("socket", "socket"),
            option("pid-file", "pid"),
            option("log-file", "log"),
            option("seed-file", "seed"),
        ]))
    }

    fn text(&self) -> Result<String> {
        let host = output(Command::new("hostname").arg("-s"))?;
        let host = host.trim();
        let user = output(Command::new("id").arg("-un"))?;
        for directory in ["state", "spool"] {
            fs::create_dir(self.path(directory))?;
        }
        let here = self.directory.path().display();
        Ok(format!(
            "ClusterName=one\n\
             SlurmctldHost={host}(127.0.0.1)\n\
             SlurmUser={user}\n\
             SlurmdUser={user}\n\
             SlurmctldPort=16817\n\
             SlurmdPort=16818\n\
             AuthType=auth/munge\n\
             AuthInfo=socket={here}/munge/socket\n\
             CredType=cred/munge\n\
             StateSaveLocation={here}/state\n\
             SlurmdSpoolDir={here}/spool\n\
             SlurmctldPidFile={here}/slurmctld.pid\n\
             SlurmdPidFile={here}/slurmd.pid\n\
             SlurmctldLogFile={here}/slurmctld.log\n\
             SlurmdLogFile={here}/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\n\
             SwitchType=switch/none\n\
             ReturnToService=2\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs={} State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            std::thread::available_parallelism()?,
            user = user.trim(),
        ))
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for file in ["slurmd.pid", "slurmctld.pid", "munge/pid"] {
            end(&self.path(file));
        }
    }
}

fn program_path(program: &str) -> Result<PathBuf> {
    path_of(program).with_context(|| format!("`{program}` is missing"))
}
