//! The facts that a result was made with, and which metrics can still be judged where one of them differs.
//!
//! One table has a row for each fact and, for each family of metrics, whether a change of the figure is
//! the program's. `discrepancy` finds the facts that differ between two results. The figures themselves are never
//! looked at.

mod discrepancy;

use std::collections::BTreeMap;

use iai_callgrind::protocol::metric::Family;

use crate::metrics::MetricKind;

pub use self::discrepancy::{discrepancies, Discrepancy};

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
    /// The arguments of the tool; absent is unknown.
    pub arguments: Option<Vec<String>>,
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

impl Workspace {
    /// Results that lie within the project move together with it, to another place or machine.
    fn is_same(&self, other: &Self) -> bool {
        self.root == other.root || (self.home.is_some() && self.home == other.home)
    }
}

/// A fact that results depend on, apart from the sources of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The target of the executable.
    Target,
    /// The project that the results belong to.
    Workspace,
    /// The build profile and the flags of the compiler.
    Build,
    /// The compiler.
    Compiler,
    /// The C library.
    CLibrary,
    /// Whether random numbers are the same in every run.
    DeterministicRandom,
    /// The processor itself, which perf's counters belong to.
    Processor,
    /// The features of the processor that a program can see under Valgrind.
    ProcessorClass,
    /// The version of Valgrind.
    Valgrind,
    /// The simulated caches.
    Caches,
    /// Whether simulated caches are empty when the benchmark function begins.
    FastSetup,
    /// The settings of the C library.
    Tunables,
    /// The arguments of the tool.
    Arguments,
    /// Whether the benchmark ran in a fork.
    Mode,
}

/// The judgement on a change of a metric if a fact differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The change is the program's, and limits hold.
    Judged,
    /// The change is the program's in the sums of its own code. The total is only shown.
    OwnCode,
    /// The cause of the change is unknown, and limits on it are not checked.
    Shown,
}

impl Verdict {
    /// The judgement on a metric where these facts differ: the worst of all.
    #[must_use]
    pub fn of(differing: &[Discrepancy], kind: MetricKind) -> Self {
        let verdicts = differing.iter().map(|it| it.fact.verdict(kind.family()));
        verdicts.fold(Self::Judged, |worst, verdict| match (worst, verdict) {
            (Self::Shown, _) | (_, Self::Shown) => Self::Shown,
            (Self::OwnCode, _) | (_, Self::OwnCode) => Self::OwnCode,
            _ => Self::Judged,
        })
    }
}

/// A fact, and what it means for each family if it differs.
struct FactRow {
    fact: Fact,
    instructions: Verdict,
    caches: Verdict,
    memory: Verdict,
    hardware: Verdict,
}

const fn row(fact: Fact, [instructions, caches, memory, hardware]: [Verdict; 4]) -> FactRow {
    FactRow {
        fact,
        instructions,
        caches,
        memory,
        hardware,
    }
}

/// The versions of runner and library are no facts: counts do not depend on them.
const TABLE: [FactRow; 14] = {
    use Fact as F;
    use Verdict::{Judged, OwnCode, Shown};
    [
        // The families: instructions, caches, memory and hardware.
        row(F::Target, [Shown, Shown, Shown, Shown]),
        // The same sources in another directory count the same, but their code lies elsewhere.
        row(F::Workspace, [Judged, Shown, Judged, Judged]),
        row(F::Build, [Shown, Shown, Shown, Shown]),
        row(F::Compiler, [Shown, Shown, Shown, Shown]),
        row(F::CLibrary, [OwnCode, Shown, Judged, Shown]),
        row(F::DeterministicRandom, [Shown, Shown, Shown, Shown]),
        row(F::Processor, [Judged, Judged, Judged, Shown]),
        row(F::ProcessorClass, [Shown, Shown, Judged, Judged]),
        row(F::Valgrind, [Judged, Shown, Judged, Judged]),
        row(F::Caches, [Judged, Shown, Judged, Judged]),
        row(F::FastSetup, [Judged, Shown, Judged, Judged]),
        // They decide how large buffers are copied and filled.
        row(F::Tunables, [Shown, Shown, Judged, Shown]),
        row(F::Arguments, [Shown, Shown, Shown, Shown]),
        row(F::Mode, [Judged, Shown, Judged, Judged]),
    ]
};

impl Fact {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Workspace => "workspace",
            Self::Build => "build",
            Self::Compiler => "rustc",
            Self::CLibrary => "C library",
            Self::DeterministicRandom => "deterministic_random",
            Self::Processor => "processor",
            Self::ProcessorClass => "processor class",
            Self::Valgrind => "Valgrind",
            Self::Caches => "simulated caches",
            Self::FastSetup => "fast_setup",
            Self::Tunables => "GLIBC_TUNABLES",
            Self::Arguments => "arguments of the tool",
            Self::Mode => "process",
        }
    }

    /// The judgement on the metrics of a family if this differs.
    #[must_use]
    pub fn verdict(self, family: Family) -> Verdict {
        let row = TABLE.iter().find(|row| row.fact == self);
        row.map_or(Verdict::Shown, |row| match family {
            Family::Instructions => row.instructions,
            Family::Caches => row.caches,
            Family::Memory => row.memory,
            Family::Hardware => row.hardware,
        })
    }
}

/// The features that a program under Valgrind can see of the processor it runs on. On x86 Valgrind shows one of a few
/// made-up processors, chosen by these instructions; elsewhere all known features count.
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

#[cfg(test)]
mod tests;
