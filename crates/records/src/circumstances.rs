//! The facts that a result was made with.

use std::collections::BTreeMap;

use crate::summary::{Environment, Files, Mode, System};

/// End of a counted part whose profile lacks the blocks of code in which a client request switched
/// collection: Callgrind leaves them out where it simulates caches, and only there.
pub const LACKS_BLOCKS: &str = ", without blocks in which a client request switched collection";

/// The facts that a result was made with. An absent one is not known, and counts as equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// The target of the executable: `x86_64-unknown-linux-gnu`.
    pub target: Option<String>,
    /// The project that the results belong to.
    pub workspace: Option<Workspace>,
    /// The settings of the build: `opt-level` is `3`.
    pub build: BTreeMap<String, String>,
    /// The compiler: `1.85.0 (4d91de4e4 2025-02-17)`.
    pub rustc: Option<String>,
    /// The C library: `glibc 2.36`.
    pub libc: Option<String>,
    /// Are random numbers the same in every run?
    pub deterministic_random: Option<bool>,
    /// Did Callgrind look at the process while the benchmark function ran only?
    pub fast_setup: Option<bool>,
    /// The processor, as its maker names it.
    pub processor: Option<String>,
    /// The features of the processor that a program can see under Valgrind: [`processor_class`].
    pub processor_class: Option<String>,
    /// The version of Valgrind.
    pub valgrind: Option<String>,
    /// The simulated caches; empty without simulation.
    pub caches: Vec<String>,
    /// The variable `GLIBC_TUNABLES` of the benchmark; empty if it has none.
    pub tunables: Option<String>,
    /// The variables of the loader, in one text; empty if the benchmark has none.
    pub loader_variables: Option<String>,
    /// The arguments of the tool; absent is unknown.
    pub arguments: Option<Vec<String>>,
    /// The part of the benchmark that counts: `the benchmark function`.
    pub counted_part: Option<String>,
    /// The calls that Valgrind does not know and refused, in one text.
    pub unknown_calls: String,
    /// In a process for the benchmark alone, or in a fork.
    pub forked: Option<bool>,
}

/// The place of a project, and of its results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The root.
    pub root: String,
    /// The directory with all results, relative to the root; absent if it is elsewhere.
    pub home: Option<String>,
}

impl Circumstances {
    /// Facts of one tool's result in a record.
    #[must_use]
    pub fn of(system: &System, files: &Files, environment: &Environment, mode: Mode) -> Self {
        let workspace = (!files.workspace.is_empty()).then(|| Workspace {
            root: files.workspace.clone(),
            home: files.home_in_workspace.clone(),
        });
        Self {
            target: system.target.clone(),
            workspace,
            build: system.build.settings.clone(),
            rustc: system.rustc.clone(),
            libc: system.libc.clone(),
            deterministic_random: environment.deterministic_random,
            fast_setup: environment.fast_setup,
            processor: system.cpu.clone(),
            processor_class: processor_class(system.target.as_deref(), &system.cpu_features),
            valgrind: environment.valgrind_version.clone(),
            caches: environment.caches.clone(),
            // An absent variable is known to be absent.
            tunables: Some(environment.glibc_tunables.clone().unwrap_or_default()),
            loader_variables: Some(environment.loader_variables.join(" ")),
            arguments: Some(environment.valgrind_args.clone()),
            counted_part: environment.counted_part.clone(),
            unknown_calls: environment.unknown_calls.join(", "),
            forked: Some(mode == Mode::Fork),
        }
    }
}

impl Workspace {
    /// Is it the same project? Results inside of a project move together with it, to another
    /// directory or machine.
    pub fn is_same(&self, other: &Self) -> bool {
        // Two homes outside of their workspaces say nothing, and are both `None`.
        self.root == other.root || (self.home.is_some() && self.home == other.home)
    }
}

/// The features that a program under Valgrind can see of the processor it runs on. On x86 Valgrind
/// shows one of a few made-up processors, chosen by these instructions; elsewhere all known
/// features count.
#[must_use]
pub fn processor_class(target: Option<&str>, features: &[String]) -> Option<String> {
    let is_x86 = target.is_some_and(|target| {
        let arch = target.split('-').next().unwrap_or_default();
        arch == "x86_64" || (arch.starts_with('i') && arch.ends_with("86"))
    });
    // Nothing could be found out.
    if features.is_empty() {
        return None;
    }
    if !is_x86 {
        return Some(format!("with {}", features.join(", ")));
    }
    // The strongest first: a processor with AVX2 has the others as well.
    let classes = [
        ("avx2", "with AVX2"),
        ("avx", "with AVX"),
        ("sse4_2", "with SSE4.2"),
    ];
    let mut classes = classes.into_iter();
    let class = classes.find(|(feature, _)| features.iter().any(|known| known == feature));
    Some(
        class
            .map_or("without SSE4.2", |(_, class)| class)
            .to_owned(),
    )
}
