//! The systems, and what of them can be had on a Debian machine.

/// A system that users compile for.
#[derive(Debug)]
pub(super) struct System {
    /// The name of the target, as Rust has it.
    pub(super) target: &'static str,
    /// Does the runner exist there?
    pub(super) has_runner: bool,
    /// Programs that run its programs here. `None`: there are none.
    pub(super) execution: Option<Execution>,
}

/// Programs that link and run programs of a system.
#[derive(Debug)]
pub(super) struct Execution {
    /// The linker; `None`: that of this machine.
    pub(super) linker: Option<&'static str>,
    pub(super) emulator: Emulator,
    /// Packages of Debian that have both.
    pub(super) packages: &'static str,
}

/// Emulator for the programs of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emulator {
    /// They run here as they are.
    None,
    /// QEMU for Linux on this processor, as QEMU calls it, with the C library in a directory.
    Qemu(&'static str, &'static str),
    /// Wine for Windows.
    Wine,
}

/// All systems, those first that benchmarks can be measured on.
pub(super) const SYSTEMS: &[System] = &[
    System {
        target: "x86_64-unknown-linux-gnu",
        has_runner: true,
        execution: Some(HERE),
    },
    System {
        target: "x86_64-unknown-linux-musl",
        has_runner: true,
        execution: Some(HERE),
    },
    System {
        target: "aarch64-unknown-linux-gnu",
        has_runner: true,
        execution: Some(Execution {
            linker: Some("aarch64-linux-gnu-gcc"),
            emulator: Emulator::Qemu("aarch64", "/usr/aarch64-linux-gnu"),
            packages: "qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
        }),
    },
    System {
        target: "riscv64gc-unknown-linux-gnu",
        has_runner: true,
        execution: Some(Execution {
            linker: Some("riscv64-linux-gnu-gcc"),
            emulator: Emulator::Qemu("riscv64", "/usr/riscv64-linux-gnu"),
            packages: "qemu-user-static gcc-riscv64-linux-gnu libc6-dev-riscv64-cross",
        }),
    },
    System {
        target: "armv7-unknown-linux-gnueabihf",
        has_runner: true,
        execution: Some(Execution {
            linker: Some("arm-linux-gnueabihf-gcc"),
            emulator: Emulator::Qemu("arm", "/usr/arm-linux-gnueabihf"),
            packages: "qemu-user-static gcc-arm-linux-gnueabihf libc6-dev-armhf-cross",
        }),
    },
    System {
        target: "x86_64-unknown-freebsd",
        has_runner: true,
        execution: None,
    },
    System {
        target: "aarch64-apple-darwin",
        has_runner: true,
        execution: None,
    },
    System {
        target: "x86_64-pc-windows-gnu",
        has_runner: false,
        execution: Some(Execution {
            linker: Some("x86_64-w64-mingw32-gcc"),
            emulator: Emulator::Wine,
            packages: "gcc-mingw-w64-x86-64 wine64",
        }),
    },
    System {
        target: "x86_64-pc-windows-msvc",
        has_runner: false,
        execution: None,
    },
];

pub(super) const HERE: Execution = Execution {
    linker: None,
    emulator: Emulator::None,
    packages: "gcc",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_one_row() {
        for (index, system) in SYSTEMS.iter().enumerate() {
            let others = &SYSTEMS[index + 1..];
            assert!(others.iter().all(|other| other.target != system.target));
            // Where there is no Unix there is no runner.
            assert_eq!(system.has_runner, !system.target.contains("windows"));
        }
    }
}
