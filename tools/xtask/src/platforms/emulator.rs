//! Starts programs of other systems.
//!
//! The test mode of a benchmark file starts a process for each benchmark, and QEMU follows no
//! program to another one. So the kernel has to know the emulator, as `binfmt_misc` tells it, in a
//! namespace of its own: nothing else on this machine changes. Kernels since 6.7 have one for each
//! user namespace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use lab::process::{output, run};

use super::systems::{Emulator, Execution};

const WINE: &str = "/usr/lib/wine/wine64";

/// Tells the kernel the emulator of the processor `$0`, and becomes the program.
const IN_NAMESPACE: &str = r#"misc=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc none "$misc" && cat "/usr/lib/binfmt.d/qemu-$0.conf" >"$misc/register" && exec "$@""#;

/// The one library that Rust's standard library needs and Wine before 9 lacks, with its one
/// function.
const RANDOM: &str = "#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
";

/// The programs of an emulator.
pub(super) fn programs(emulator: Emulator) -> Vec<&'static str> {
    match emulator {
        Emulator::None => vec![],
        Emulator::Qemu(..) => vec!["unshare"],
        Emulator::Wine => vec![WINE],
    }
}

/// Starts programs of one system.
#[derive(Debug)]
pub(super) struct Launcher {
    emulator: Emulator,
    /// Files of Wine.
    folder: PathBuf,
}

impl Launcher {
    /// Prepares the emulator, and tries it.
    ///
    /// # Errors
    ///
    /// It cannot be used here.
    pub(super) fn new(execution: &Execution, target: &Path) -> Result<Self> {
        let launcher = Self {
            emulator: execution.emulator,
            folder: target.join("platforms").join("wine"),
        };
        match execution.emulator {
            Emulator::None => {}
            Emulator::Qemu(processor, _) => {
                output(&mut launcher.command(Path::new("true"))).with_context(|| {
                    format!("a namespace with `binfmt_misc` and QEMU for {processor} cannot be had here")
                })?;
            }
            Emulator::Wine => launcher.write_library(execution.linker)?,
        }
        Ok(launcher)
    }

    fn write_library(&self, compiler: Option<&str>) -> Result<()> {
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make `{}`", self.folder.display()))?;
        let source = self.folder.join("random.c");
        fs::write(&source, RANDOM)
            .with_context(|| format!("cannot write `{}`", source.display()))?;
        run(Command::new(compiler.unwrap_or("cc"))
            .args(["-shared", "-o"])
            .arg(self.folder.join("bcryptprimitives.dll"))
            .arg(&source)
            .arg("-ladvapi32"))
    }

    /// The command that starts a program.
    pub(super) fn command(&self, program: &Path) -> Command {
        match self.emulator {
            Emulator::None => Command::new(program),
            Emulator::Qemu(processor, root) => {
                let mut command = Command::new("unshare");
                command
                    .args(["--user", "--map-root-user", "--mount"])
                    .args(["sh", "-c", IN_NAMESPACE, processor])
                    .arg(program)
                    .env("QEMU_LD_PREFIX", root);
                command
            }
            Emulator::Wine => {
                let mut command = Command::new(WINE);
                command
                    .arg(program)
                    .env("WINEDEBUG", "-all")
                    .env("WINEPREFIX", self.folder.join("registry"))
                    .env("WINEPATH", format!("Z:{}", self.folder.display()));
                command
            }
        }
    }

    /// Text of the table behind an executed program: the emulator.
    pub(super) fn by(&self) -> &'static str {
        match self.emulator {
            Emulator::None => "",
            Emulator::Qemu(..) => ", by QEMU",
            Emulator::Wine => ", by Wine",
        }
    }
}
