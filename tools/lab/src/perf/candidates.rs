//! The libraries to compare, and crates that use them.
//!
//! The crates lie below the target directory, so that they are built once, and are no part of this
//! workspace. All have the same source, up to the name of the library, and profiles as users have
//! them. All begin with our `Cargo.lock`, so that what several libraries depend on has one version.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{ensure, Context, Result};
use serde_json::Value;

use crate::process::{self, output};
use crate::runner::{target_directory, RUNNER_VARIABLE};
use crate::{step, workspace_root};

/// A library and its runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    /// Library of this checkout.
    Ours,
    Gungraun,
    /// Last library that was published under our name.
    Published,
}

pub(super) const GUNGRAUN: &str = "0.20.0";
const PUBLISHED: &str = "0.16.1";

impl Library {
    pub(super) const ALL: [Self; 3] = [Self::Ours, Self::Gungraun, Self::Published];

    /// Name for tables.
    pub(super) fn name(self) -> String {
        match self {
            Self::Ours => "iai-callgrind, this version".to_owned(),
            Self::Gungraun => format!("gungraun {GUNGRAUN}"),
            Self::Published => format!("iai-callgrind {PUBLISHED}"),
        }
    }

    /// Name for paths.
    fn id(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Gungraun => "gungraun",
            Self::Published => "published",
        }
    }

    /// The line of the manifest.
    fn dependency(self) -> String {
        match self {
            Self::Ours => {
                let path = workspace_root().join("iai-callgrind");
                format!("iai-callgrind = {{ path = {path:?} }}")
            }
            Self::Gungraun => format!("gungraun = \"={GUNGRAUN}\""),
            Self::Published => format!("iai-callgrind = \"={PUBLISHED}\""),
        }
    }

    /// The name in Rust.
    fn module(self) -> &'static str {
        match self {
            Self::Gungraun => "gungraun",
            Self::Ours | Self::Published => "iai_callgrind",
        }
    }

    /// The variable in which benchmarks look for the runner, and the name of the program.
    fn runner(self) -> (&'static str, &'static str) {
        match self {
            Self::Gungraun => ("GUNGRAUN_RUNNER", "gungraun-runner"),
            Self::Ours | Self::Published => (RUNNER_VARIABLE, "iai-callgrind-runner"),
        }
    }
}

/// Directories of crates and runners.
#[derive(Debug)]
pub(super) struct Workshop {
    directory: PathBuf,
    /// Runner of this checkout.
    runner: PathBuf,
    /// Directory of the public runners.
    public_runners: PathBuf,
}

impl Workshop {
    /// Installs the public runners if something is compared with them, unless `public_runners` has
    /// them.
    pub(super) fn open(
        runner: PathBuf,
        public_runners: Option<&Path>,
        compares: bool,
    ) -> Result<Self> {
        let directory = target_directory()?.join("perf");
        let installed = directory.join("public");
        let workshop = Self {
            public_runners: public_runners.map_or_else(|| installed.join("bin"), Path::to_owned),
            directory,
            runner,
        };
        if !compares {
            return Ok(workshop);
        }
        if public_runners.is_none() {
            step("installing the public runners");
            process::run(
                process::cargo()
                    .args(["install", "--quiet", "--root"])
                    .arg(&installed)
                    .arg(format!("gungraun-runner@{GUNGRAUN}"))
                    .arg(format!("iai-callgrind-runner@{PUBLISHED}")),
            )?;
        }
        for library in Library::ALL {
            let runner = workshop.runner(library);
            ensure!(runner.is_file(), "`{}` is not there", runner.display());
        }
        Ok(workshop)
    }

    pub(super) fn runner(&self, library: Library) -> PathBuf {
        match library {
            Library::Ours => self.runner.clone(),
            other => self.public_runners.join(other.runner().1),
        }
    }

    /// An empty directory for what a measurement writes.
    pub(super) fn scratch(&self) -> Result<PathBuf> {
        let path = self.directory.join("scratch");
        if path.exists() {
            fs::remove_dir_all(&path).with_context(|| format!("remove `{}`", path.display()))?;
        }
        fs::create_dir_all(&path).with_context(|| format!("create `{}`", path.display()))?;
        Ok(path)
    }

    /// A crate with the dependencies of `library` and these bench files: name and text.
    pub(super) fn benches(
        &self,
        library: Library,
        name: &str,
        files: &[(&str, String)],
    ) -> Result<Crate<'_>> {
        let mut manifest = format!(
            "[dev-dependencies]\n{}\n\n[lib]\nbench = false\n\n[profile.bench]\ndebug = true\n",
            library.dependency()
        );
        let mut sources = vec![("src/lib.rs".to_owned(), String::new())];
        for (name, text) in files {
            let _ = write!(
                manifest,
                "\n[[bench]]\nname = \"{name}\"\nharness = false\n"
            );
            sources.push((format!("benches/{name}.rs"), text.clone()));
        }
        self.new_crate(library, name, &manifest, &sources)
    }

    /// A crate with a program that uses the runner of this checkout and its crates as libraries.
    pub(super) fn program(&self, name: &str, text: &str) -> Result<Crate<'_>> {
        let path = workspace_root().join("iai-callgrind-runner");
        let library = workspace_root().join("iai-callgrind");
        let mut manifest = format!(
            "[dependencies]\niai-callgrind-runner = {{ path = {path:?} }}\n\
             iai-callgrind = {{ path = {library:?}, features = [\"serde\"] }}\n"
        );
        for entry in fs::read_dir(workspace_root().join("crates"))? {
            let path = entry?.path();
            if path.join("Cargo.toml").is_file() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let package = format!("package = \"iai-callgrind-{name}\"");
                manifest += &format!("{name} = {{ {package}, path = {path:?} }}\n");
            }
        }
        let sources = [("src/main.rs".to_owned(), text.to_owned())];
        self.new_crate(Library::Ours, name, &manifest, &sources)
    }

    fn new_crate(
        &self,
        library: Library,
        name: &str,
        manifest: &str,
        sources: &[(String, String)],
    ) -> Result<Crate<'_>> {
        let name = format!("{}-{name}", library.id());
        let made = Crate {
            directory: self.directory.join("crates").join(&name),
            library,
            workshop: self,
        };
        let head = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
             # No part of the workspace around it.\n[workspace]\n\n"
        );
        made.write("Cargo.toml", &(head + manifest))?;
        for (file, text) in sources {
            made.write(file, text)?;
        }
        let lock = made.directory.join("Cargo.lock");
        if library == Library::Ours || !lock.exists() {
            let ours = workspace_root().join("Cargo.lock");
            fs::copy(&ours, &lock).with_context(|| format!("cannot copy `{}`", ours.display()))?;
            output(&mut made.cargo(&["fetch"]))?;
        }
        Ok(made)
    }
}

/// A crate in its directory.
#[derive(Debug)]
pub(super) struct Crate<'a> {
    directory: PathBuf,
    library: Library,
    workshop: &'a Workshop,
}

impl Crate<'_> {
    /// Builds the crate with optimizations, and returns the executable with this name.
    pub(super) fn build(&self, name: &str) -> Result<PathBuf> {
        let words: &[&str] = match self.directory.join("src/main.rs").exists() {
            true => &["build", "--release", "--bin"],
            false => &["bench", "--no-run", "--bench"],
        };
        let mut cargo = self.cargo(words);
        let messages = output(cargo.args([
            name,
            "--offline",
            "--message-format=json-render-diagnostics",
        ]))?;
        let mut executables = messages.lines().filter_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            let is_it = message["target"]["name"] == name;
            let path = message["executable"].as_str().filter(|_| is_it)?;
            Some(PathBuf::from(path))
        });
        let built = executables.next_back();
        built.with_context(|| format!("cargo has not built `{name}`"))
    }

    /// The command that runs the benchmarks of an executable, as cargo would start it.
    pub(super) fn run(&self, executable: &Path) -> Command {
        let mut command = Command::new(executable);
        command.arg("--bench");
        command.env("CARGO_MANIFEST_DIR", &self.directory);
        self.prepare(&mut command);
        command
    }

    /// The command that builds everything into an empty directory.
    pub(super) fn cold_build(&self, empty: &Path) -> Command {
        let mut command = self.cargo(&["bench", "--offline", "--no-run"]);
        command.env("CARGO_TARGET_DIR", empty);
        command
    }

    /// The command that builds a bench file again, as if it had changed.
    pub(super) fn build_again(&self, name: &str) -> Result<Command> {
        let path = self.directory.join("benches").join(format!("{name}.rs"));
        let touched = fs::File::options().write(true).open(&path);
        touched
            .and_then(|file| file.set_modified(SystemTime::now()))
            .with_context(|| format!("cannot touch `{}`", path.display()))?;
        Ok(self.cargo(&["bench", "--offline", "--no-run", "--bench", name]))
    }

    /// The directory with the results of a benchmark of ours.
    pub(super) fn results(&self, file: &str, benchmark: &str) -> Result<PathBuf> {
        let package = self.directory.file_name().context("a crate has a name")?;
        Ok(self
            .home()
            .join(package)
            .join(file)
            .join("g")
            .join(benchmark))
    }

    /// The directory with all results of ours.
    pub(super) fn home(&self) -> PathBuf {
        self.directory.join("target").join("iai")
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = process::cargo();
        cargo.args(arguments);
        self.prepare(&mut cargo);
        cargo
    }

    /// In the crate's directory, with its own target directory. Libraries look for their runner
    /// when they are built or when they run.
    fn prepare(&self, command: &mut Command) {
        command
            .current_dir(&self.directory)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .env(self.library.runner().0, self.workshop.runner(self.library));
    }

    /// Leaves a file alone that has this text already, so that cargo does not build it again.
    fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.directory.join(file);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot make `{}`", parent.display()))?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    }
}

/// Small benchmarks: functions with ten cases each, in the group `g`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Small {
    pub(super) functions: usize,
}

const CASES: usize = 10;

impl Small {
    /// So many benchmarks.
    pub(super) fn benchmarks(count: usize) -> Self {
        Self {
            functions: count / CASES,
        }
    }

    /// The bench file.
    pub(super) fn source(self, library: Library) -> String {
        let mut text = format!(
            "use std::hint::black_box;\n\n\
             use {}::{{library_benchmark, library_benchmark_group, main}};\n\n{FIBONACCI}",
            library.module()
        );
        for function in 0..self.functions {
            text.push_str("\n#[library_benchmark]\n");
            for case in 0..CASES {
                let _ = writeln!(text, "#[bench::c{case}({case})]");
            }
            let _ = writeln!(
                text,
                "fn f{function}(n: u64) -> u64 {{\n    black_box(fibonacci(n) + {function})\n}}"
            );
        }
        let names: Vec<String> = (0..self.functions).map(|n| format!("f{n}")).collect();
        let names = names.join(", ");
        let _ = write!(
            text,
            "\nlibrary_benchmark_group!(name = g; benchmarks = {names});\n\
             main!(library_benchmark_groups = g);\n"
        );
        text
    }

    /// The addresses of all benchmarks.
    pub(super) fn addresses(self) -> impl Iterator<Item = String> {
        (0..self.functions)
            .flat_map(|function| (0..CASES).map(move |case| format!("g::f{function}::c{case}")))
    }
}

/// Function that small benchmarks call.
pub(super) const FIBONACCI: &str = "\
fn fibonacci(n: u64) -> u64 {
    match n {
        0 | 1 => n,
        _ => fibonacci(n - 1) + fibonacci(n - 2),
    }
}
";
