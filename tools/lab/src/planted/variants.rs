//! Ways to build and to measure the crate.

/// A way to build and to measure.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BuildVariant {
    pub(super) name: &'static str,
    /// Toolchain that rustup knows, instead of the usual one.
    pub(super) toolchain: Option<&'static str>,
    /// Words after `cargo bench`.
    pub(super) cargo: &'static [&'static str],
    /// Words for the runner.
    pub(super) runner: &'static [&'static str],
    /// Variables of the build.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// Inlined functions have the name of their file instead of a path.
    pub(super) has_stems: bool,
    /// Edits in a hundred whose function has to be named first; 0: the sums alone have to be right.
    pub(super) least_named: usize,
}

const PLAIN: BuildVariant = BuildVariant {
    name: "plain",
    toolchain: None,
    cargo: &[],
    runner: &[],
    environment: &[],
    has_stems: false,
    least_named: 100,
};

/// All of them, the usual one first.
pub(super) const VARIANTS: &[BuildVariant] = &[
    PLAIN,
    BuildVariant {
        name: "line-tables",
        environment: &[("CARGO_PROFILE_BENCH_DEBUG", "line-tables-only")],
        has_stems: true,
        // Closures with code of their own are others than the inlined ones.
        least_named: 80,
        ..PLAIN
    },
    // Valgrind 3.19 ends when it reads this, 3.27 does not.
    BuildVariant {
        name: "dwarf-5",
        environment: &[("RUSTFLAGS", "-Cdwarf-version=5")],
        ..PLAIN
    },
    BuildVariant {
        name: "lto",
        environment: &[("CARGO_PROFILE_BENCH_LTO", "fat")],
        least_named: 0,
        ..PLAIN
    },
    BuildVariant {
        name: "opt-0",
        environment: &[("CARGO_PROFILE_BENCH_OPT_LEVEL", "0")],
        least_named: 0,
        ..PLAIN
    },
    BuildVariant {
        name: "opt-1",
        environment: &[("CARGO_PROFILE_BENCH_OPT_LEVEL", "1")],
        least_named: 90,
        ..PLAIN
    },
    BuildVariant {
        name: "opt-2",
        environment: &[("CARGO_PROFILE_BENCH_OPT_LEVEL", "2")],
        least_named: 90,
        ..PLAIN
    },
    BuildVariant {
        name: "opt-s",
        environment: &[("CARGO_PROFILE_BENCH_OPT_LEVEL", "s")],
        least_named: 90,
        ..PLAIN
    },
    BuildVariant {
        name: "one-unit",
        environment: &[("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "1")],
        least_named: 90,
        ..PLAIN
    },
    BuildVariant {
        name: "opt-z",
        environment: &[("CARGO_PROFILE_BENCH_OPT_LEVEL", "z")],
        least_named: 90,
        ..PLAIN
    },
    BuildVariant {
        name: "v0",
        environment: &[("RUSTFLAGS", "-Csymbol-mangling-version=v0")],
        least_named: 90,
        ..PLAIN
    },
    BuildVariant {
        name: "nightly",
        toolchain: Some("nightly"),
        least_named: 0,
        ..PLAIN
    },
    BuildVariant {
        name: "mimalloc",
        cargo: &["--features=mimalloc"],
        least_named: 0,
        ..PLAIN
    },
    BuildVariant {
        name: "callers",
        runner: &["--callgrind-args=--separate-callers=3 --separate-recs=2"],
        ..PLAIN
    },
    BuildVariant {
        name: "zlib",
        environment: &[("RUSTFLAGS", "-Clink-arg=-Wl,--compress-debug-sections=zlib")],
        ..PLAIN
    },
    BuildVariant {
        name: "stripped",
        environment: &[("CARGO_PROFILE_BENCH_STRIP", "debuginfo")],
        least_named: 0,
        ..PLAIN
    },
    BuildVariant {
        name: "split",
        environment: &[("CARGO_PROFILE_BENCH_SPLIT_DEBUGINFO", "unpacked")],
        least_named: 0,
        ..PLAIN
    },
];
