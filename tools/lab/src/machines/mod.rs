//! `cargo xtask machines`: the recipes of `docs/many-machines.md`, run for real.
//!
//! In: the page, this checkout, SLURM and sshd of this machine. A crate with two bench files is
//! measured as a whole, then as the page says: by a cluster of one node, and over ssh to this
//! machine. Out: an error, unless the merged results of both are those of the whole run, count by
//! count.

mod counts;
mod slurm;
mod ssh;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};
use tempfile::TempDir;

use self::slurm::Slurm;
use self::ssh::Sshd;
use crate::process::{self, run, succeeds};
use crate::readme::{self, Block};
use crate::{runner, step, workspace_root};

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask machines [--install]

Runs the recipes of docs/many-machines.md: a SLURM cluster of one node, GNU parallel over ssh to this machine.

  --install  install the Debian packages that are missing";

/// Programs that have to be there, and their Debian packages.
const PROGRAMS: [(&str, &str); 9] = [
    ("jq", "jq"),
    ("git", "git"),
    ("munged", "munge"),
    ("parallel", "parallel"),
    ("rsync", "rsync"),
    ("sbatch", "slurm-client"),
    ("slurmctld", "slurmctld"),
    ("slurmd", "slurmd"),
    ("sshd", "openssh-server"),
];

/// Benchmarks of each bench file.
const CASES: usize = 9;

/// Runs the recipes.
pub fn run_recipes(options: &[String]) -> Result<()> {
    let install = match options {
        [] => false,
        [option] if option == "--install" => true,
        _ => bail!("{USAGE}"),
    };
    programs(install)?;
    let project = Project::new()?;
    step("the whole run, on one machine");
    let whole = project.whole()?;
    step("a cluster of one node: SLURM");
    let slurm = Slurm::start()?;
    project.check("on-slurm.sh", slurm.variables(), &whole)?;
    drop(slurm);
    step("this machine, over ssh: GNU parallel");
    let sshd = Sshd::start()?;
    fs::write(project.path().join("hosts"), sshd.hosts()).context("cannot write `hosts`")?;
    project.check("over-ssh.sh", sshd.variables(), &whole)?;
    println!(
        "the merged results of both are those of the whole run: {} counts",
        whole.len()
    );
    Ok(())
}

/// Looks for the programs; installs what is missing, if that is wanted.
fn programs(install: bool) -> Result<()> {
    let is_missing = |name: &&(&str, &str)| !has(name.0);
    let packages: Vec<&str> = PROGRAMS
        .iter()
        .filter(is_missing)
        .map(|found| found.1)
        .collect();
    if packages.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    ensure!(
        install,
        "missing: {list}\n  hint: `apt-get install {list}`, or `--install`"
    );
    run(Command::new("apt-get")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Daemons stand in directories that are not in everybody's `PATH`.
fn has(program: &str) -> bool {
    path_of(program).is_some()
}

/// The path of a program.
fn path_of(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    directories.extend(["/usr/sbin", "/sbin"].map(PathBuf::from));
    let mut candidates = directories
        .into_iter()
        .map(|directory| directory.join(program));
    candidates.find(|candidate| candidate.is_file())
}

/// Waits until a program answers as it should.
fn wait_for(what: &str, is_there: impl Fn() -> bool) -> Result<()> {
    for _ in 0..100 {
        if is_there() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    bail!("{what} did not start within 20 seconds");
}

/// A crate with benchmarks, and the files of the page.
struct Project {
    directory: TempDir,
    /// `PATH` with the runner of this checkout.
    path: std::ffi::OsString,
}

impl Project {
    fn new() -> Result<Self> {
        let runner = runner::build()?;
        let programs = runner.parent().map(Path::to_owned).unwrap_or_default();
        let old = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&old)))?;
        let directory = tempfile::Builder::new()
            .prefix("iai-callgrind-machines-")
            .tempdir()?;
        let project = Self { directory, path };
        project.write_crate()?;
        for block in readme::read_file("docs/many-machines.md", "many_machines")? {
            if let Some(name) = file_of(&block) {
                fs::write(project.path().join(name), &block.code)?;
            }
        }
        Ok(project)
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn write_crate(&self) -> Result<()> {
        let root = self.path();
        fs::create_dir_all(root.join("src"))?;
        fs::create_dir_all(root.join("benches"))?;
        let library = workspace_root().join("iai-callgrind");
        let manifest = format!(
            "[package]\nname = \"shared-work\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
             [dev-dependencies]\niai-callgrind = {{ path = {library:?} }}\n\n\
             [profile.bench]\ndebug = true\n\n\
             [[bench]]\nname = \"one\"\nharness = false\n\n[[bench]]\nname = \"two\"\nharness = false\n"
        );
        fs::write(root.join("Cargo.toml"), manifest)?;
        fs::copy(workspace_root().join("Cargo.lock"), root.join("Cargo.lock"))?;
        fs::write(root.join("src/lib.rs"), "")?;
        for name in ["one", "two"] {
            let source = format!(
                "use iai_callgrind::{{library_benchmark, main}};\nuse std::hint::black_box;\n\n\
                 #[library_benchmark]\n#[benches::sizes(iter = 1..={CASES})]\n\
                 fn {name}(size: u64) -> u64 {{\n    (0..black_box(size * 100)).fold(0, |sum, n| black_box(sum + n))\n}}\n\n\
                 main!();\n"
            );
            fs::write(root.join(format!("benches/{name}.rs")), source)?;
        }
        for arguments in [
            ["init", "--quiet"].as_slice(),
            &["add", "."],
            &[
                "-c",
                "user.name=x",
                "-c",
                "user.email=x@localhost",
                "commit",
                "--quiet",
                "--message=x",
            ],
        ] {
            run(Command::new("git").args(arguments).current_dir(root))?;
        }
        Ok(())
    }

    /// The counts of a run of all benchmarks at once.
    fn whole(&self) -> Result<counts::Counts> {
        let mut cargo = process::cargo();
        cargo.args([
            "bench",
            "--quiet",
            "--bench",
            "*",
            "--",
            "--output-format=json",
        ]);
        let text = process::output(self.in_directory(&mut cargo))?;
        let counts = counts::read(&text)?;
        ensure!(
            counts.len() > 2 * CASES,
            "{} counts of {} benchmarks",
            counts.len(),
            2 * CASES
        );
        Ok(counts)
    }

    /// Runs a script of the page, and compares the merged results with those of the whole run.
    fn check(
        &self,
        script: &str,
        variables: Vec<(&str, String)>,
        whole: &counts::Counts,
    ) -> Result<()> {
        let mut shell = Command::new("sh");
        shell.arg(script).envs(variables);
        run(self.in_directory(&mut shell))?;
        let merged = self.path().join("results.jsonl");
        let text = fs::read_to_string(&merged).context("there are no merged results")?;
        counts::compare(whole, &counts::read(&text)?).with_context(|| script.to_owned())?;
        // The next recipe begins without results.
        for entry in fs::read_dir(self.path())? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with("results-") {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(fs::remove_file(merged)?)
    }

    fn in_directory<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .current_dir(self.path())
            .env("PATH", &self.path)
            .env_remove("CARGO_TARGET_DIR")
    }
}

/// The file of a block of the page. That of SLURM begins as every script of it does.
fn file_of(block: &Block) -> Option<&str> {
    match block.code.contains("#SBATCH") {
        true => Some("parts.sbatch"),
        false => block.file(),
    }
}

/// Ends a daemon that wrote its process id here.
fn end(pid_file: &Path) {
    if let Ok(pid) = fs::read_to_string(pid_file) {
        // It may have ended by itself.
        succeeds("kill", &[pid.trim()]);
    }
}
