//! The one table of conditions: which metrics can still be judged where a fact differs between two
//! results.
//!
//! In: a fact and a family of metrics. Out: the verdict, and its words, which are the same on the
//! terminal, in Markdown, on the page and in JSON. `docs/what-is-judged.md` has the same table; a
//! test compares both.

use iai_callgrind::protocol::metric::Family;

use super::Discrepancy;
use metrics::MetricKind;

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
    /// The variables by which the loader finds and chooses libraries.
    LoaderVariables,
    /// The arguments of the tool.
    Arguments,
    /// The part of the benchmark that counts.
    CountedPart,
    /// The calls that one Valgrind does not know and refused, and another one may know.
    UnknownCalls,
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

/// A fact, and the verdict for each family of metrics if it differs.
pub(super) struct FactRow {
    pub(super) fact: Fact,
    pub(super) instructions: Verdict,
    pub(super) caches: Verdict,
    pub(super) memory: Verdict,
    pub(super) hardware: Verdict,
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

/// The versions of runner and library are no facts: counts do not depend on them. `debug` and
/// `strip` are settings of the build that do not count: they change no instruction.
pub(super) const TABLE: [FactRow; 17] = {
    use Fact as F;
    use Verdict::{Judged, OwnCode, Shown};
    [
        // The families: instructions, caches, memory and hardware.
        row(F::Target, [Shown, Shown, Shown, Shown]),
        // The same sources in another directory count the same, but their code lies elsewhere.
        row(F::Workspace, [Judged, Shown, Judged, Judged]),
        row(F::Build, [Shown, Shown, Shown, Shown]),
        row(F::Compiler, [Shown, Shown, Shown, Shown]),
        // The C library itself allocates little: with glibc 2.36 and 2.39 one of 109 benchmarks had
        // other bytes, so memory is judged.
        row(F::CLibrary, [OwnCode, Shown, Judged, Shown]),
        row(F::DeterministicRandom, [Shown, Shown, Shown, Shown]),
        // Programs under Valgrind see a made-up processor, so the model decides native counters
        // only.
        row(F::Processor, [Judged, Judged, Judged, Shown]),
        // Crates such as `memchr` ask for the features themselves, so own code depends on them as
        // well.
        row(F::ProcessorClass, [Shown, Shown, Judged, Judged]),
        row(F::Valgrind, [Judged, Shown, Judged, Judged]),
        row(F::Caches, [Judged, Shown, Judged, Judged]),
        // With it the caches are empty when the function begins, without it the setup has filled
        // them.
        row(F::FastSetup, [Judged, Shown, Judged, Judged]),
        // They choose among functions of the C library, and reach no other code.
        row(F::Tunables, [OwnCode, Shown, Judged, Shown]),
        // The loader works before the benchmark function and before `main`. What it loads instead
        // of a library of the workspace is other code, by its mark.
        row(F::LoaderVariables, [OwnCode, Shown, Judged, Shown]),
        // Any word may choose what is counted, so no family is trusted.
        row(F::Arguments, [Shown, Shown, Shown, Shown]),
        row(F::CountedPart, [Shown, Shown, Shown, Shown]),
        row(F::UnknownCalls, [Shown, Shown, Shown, Shown]),
        // A fork has the memory of its server around it: other lines of caches, the same
        // instructions.
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
            Self::LoaderVariables => "variables of the loader",
            Self::Arguments => "arguments of the tool",
            Self::CountedPart => "counted part",
            Self::UnknownCalls => "unknown calls",
            Self::Mode => "process",
        }
    }

    /// The judgement on the metrics of a family if this differs.
    #[must_use]
    pub fn verdict(self, family: Family) -> Verdict {
        let row = TABLE.iter().find(|row| row.fact == self);
        // Each fact has a row; without one the cautious verdict holds.
        row.map_or(Verdict::Shown, |row| match family {
            Family::Instructions => row.instructions,
            Family::Caches => row.caches,
            Family::Memory => row.memory,
            Family::Hardware => row.hardware,
        })
    }
}

impl Verdict {
    /// The verdict in words, as tables have it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Judged => "judged",
            Self::OwnCode => "judged on own code",
            Self::Shown => "not judged",
        }
    }
}

impl Fact {
    /// Does a report name this fact if it differs? A worktree of a repository is another workspace,
    /// so a base that is measured in one would have such a line in every report, and the line would
    /// say that nothing follows from it. It is named where it withholds a judgement.
    #[must_use]
    pub(crate) fn is_named(self, families: &[Family]) -> bool {
        let withholds = |family: &Family| self.verdict(*family) != Verdict::Judged;
        self != Self::Workspace || families.iter().any(withholds)
    }
}

/// All families in the order of reports, with their names there.
const FAMILIES: [(Family, &str); 4] = [
    (Family::Instructions, "instructions"),
    (Family::Caches, "cache events and cycles"),
    (Family::Memory, "memory and errors"),
    (Family::Hardware, "counters of the hardware"),
];

/// The meaning of a fact that differs for metrics of these families: `instructions are judged on
/// own code, cache events and cycles are not judged`.
#[must_use]
pub fn meaning(fact: Fact, families: &[Family]) -> String {
    let parts = [Verdict::OwnCode, Verdict::Shown]
        .into_iter()
        .filter_map(|verdict| {
            let concerned = FAMILIES.iter().filter(|(family, _)| {
                families.contains(family) && fact.verdict(*family) == verdict
            });
            let names: Vec<&str> = concerned.map(|(_, name)| *name).collect();
            (!names.is_empty()).then(|| format!("{} are {}", names.join(", "), verdict.words()))
        });
    let parts: Vec<String> = parts.collect();
    let is_never_judged = FAMILIES
        .iter()
        .all(|(family, _)| fact.verdict(*family) == Verdict::Shown);
    match parts.is_empty() {
        true => "judged all the same".to_owned(),
        false if is_never_judged => "nothing is judged".to_owned(),
        false => parts.join(", "),
    }
}
