//! What two results were made with, and which of their metrics can still be judged where that differs.
//!
//! One table has a row for each fact and, for each family of metrics, whether a change of the figure is
//! the program's. In: the facts of both sides. Out: those that differ, in the order of the table, with
//! what is to be said. The figures themselves are never looked at.

use std::collections::BTreeMap;

use iai_callgrind::protocol::{CachegrindMetric, EventKind};

use crate::metrics::Kind;
use crate::tool::Tool;

/// What a result was made with. What is absent is not known, and counts as equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// What the executable was built for: `x86_64-unknown-linux-gnu`.
    pub target: Option<String>,
    /// Whose results they are.
    pub workspace: Option<Workspace>,
    /// How the executable was built: `opt-level` is `3`.
    pub build: BTreeMap<String, String>,
    /// The compiler: `1.85.0 (4d91de4e4 2025-02-17)`.
    pub rustc: Option<String>,
    /// The C library: `glibc 2.36`.
    pub libc: Option<String>,
    /// Are random numbers the same in every run?
    pub deterministic_random: Option<bool>,
    /// The processor, as its maker names it.
    pub processor: Option<String>,
    /// What of the processor a program can see under Valgrind: [`processor_class`].
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

/// What results depend on, apart from the sources of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// What the executable was built for.
    Target,
    /// Which project the results are of.
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
    /// What of the processor a program can see under Valgrind.
    ProcessorClass,
    /// The version of Valgrind.
    Valgrind,
    /// The simulated caches.
    Caches,
    /// The settings of the C library.
    Tunables,
    /// The arguments of the tool.
    Arguments,
    /// Whether the benchmark ran in a fork.
    Mode,
}

/// Metrics that depend on the same facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// What is executed: instructions, data accesses, branches.
    Instructions,
    /// What is simulated or timed: hits and misses of caches, mispredicted branches, cycles.
    Caches,
    /// What a program asks for: heap, and errors.
    Memory,
    /// Counters of the processor and the kernel, read by perf.
    Hardware,
}

/// What becomes of a change of a metric if a fact differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is the program's, and limits hold.
    Judged,
    /// It is, in what is executed in the program's own code. The total is only shown.
    OwnCode,
    /// Nobody can tell whose it is, and limits on it are not checked.
    Shown,
}

/// A fact, and what it means for each family if it differs.
struct Row {
    fact: Fact,
    instructions: Verdict,
    caches: Verdict,
    memory: Verdict,
    hardware: Verdict,
}

const fn row(fact: Fact, [instructions, caches, memory, hardware]: [Verdict; 4]) -> Row {
    Row {
        fact,
        instructions,
        caches,
        memory,
        hardware,
    }
}

/// The versions of runner and library are no facts: counts do not depend on them.
const TABLE: [Row; 13] = {
    use Fact as F;
    use Verdict::{Judged, OwnCode, Shown};
    [
        // Of instructions, caches, memory and hardware.
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
        // They decide how large buffers are copied and filled.
        row(F::Tunables, [Shown, Shown, Judged, Shown]),
        row(F::Arguments, [Shown, Shown, Shown, Shown]),
        row(F::Mode, [Judged, Shown, Judged, Judged]),
    ]
};

impl Fact {
    /// What becomes of the metrics of a family if this differs.
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

impl Family {
    /// The family of a metric.
    #[must_use]
    pub fn of(kind: Kind) -> Self {
        use CachegrindMetric as C;
        use EventKind::{Bc, Bi, Dr, Dw, Ge, Ir, SysCount, TotalRW};
        match kind {
            Kind::Callgrind(Ir | Dr | Dw | Bc | Bi | Ge | SysCount | TotalRW)
            | Kind::Cachegrind(C::Ir | C::Dr | C::Dw | C::Bc | C::Bi | C::TotalRW)
            | Kind::Bbv(_) => Self::Instructions,
            Kind::Callgrind(_) | Kind::Cachegrind(_) => Self::Caches,
            Kind::Dhat(_) | Kind::Massif(_) | Kind::Error(_) => Self::Memory,
            Kind::Perf(_) => Self::Hardware,
        }
    }

    /// The families that a tool has metrics of.
    fn of_tool(tool: Tool) -> &'static [Self] {
        match tool {
            Tool::Callgrind | Tool::Cachegrind => &[Self::Instructions, Self::Caches],
            Tool::Bbv => &[Self::Instructions],
            Tool::Dhat | Tool::Massif | Tool::Memcheck | Tool::Helgrind | Tool::Drd => {
                &[Self::Memory]
            }
            Tool::Perf => &[Self::Hardware],
        }
    }
}

/// A fact that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// Which one.
    pub fact: Fact,
    /// The old side, as it is said.
    pub old: String,
    /// The new side.
    pub new: String,
}

/// The facts that differ. For arguments and builds only what differs of them is said.
#[must_use]
pub fn discrepancies(old: &Circumstances, new: &Circumstances) -> Vec<Discrepancy> {
    let pair = |fact| -> Option<(String, String)> {
        match fact {
            Fact::Target => both(&old.target, &new.target),
            Fact::Workspace => match (&old.workspace, &new.workspace) {
                (Some(old), Some(new)) if !old.is_same(new) => {
                    Some((old.root.clone(), new.root.clone()))
                }
                _ => None,
            },
            Fact::Build => builds(&old.build, &new.build),
            Fact::Compiler => both(&old.rustc, &new.rustc),
            Fact::CLibrary => both(&old.libc, &new.libc),
            Fact::DeterministicRandom => {
                let said = |random: Option<bool>| {
                    random.map(|random| if random { "with" } else { "without" }.to_owned())
                };
                both(
                    &said(old.deterministic_random),
                    &said(new.deterministic_random),
                )
            }
            Fact::Processor => both(&old.processor, &new.processor),
            Fact::ProcessorClass => both(&old.processor_class, &new.processor_class),
            Fact::Valgrind => both(&old.valgrind, &new.valgrind),
            Fact::Caches => {
                let said = |caches: &[String]| simulated(caches).then(|| caches.join("; "));
                both(&said(&old.caches), &said(&new.caches))
            }
            Fact::Tunables => both(&old.tunables, &new.tunables),
            Fact::Arguments => match (&old.arguments, &new.arguments) {
                (Some(old), Some(new)) => other_arguments(old, new),
                _ => None,
            },
            Fact::Mode => {
                let said = |forked: Option<bool>| {
                    forked.map(|forked| if forked { IN_A_FORK } else { ALONE }.to_owned())
                };
                both(&said(old.forked), &said(new.forked))
            }
        }
    };
    let facts = TABLE.iter().map(|row| row.fact);
    let discrepancies = facts.filter_map(|fact| {
        let (old, new) = pair(fact)?;
        Some(Discrepancy { fact, old, new })
    });
    discrepancies.collect()
}

const ALONE: &str = "in a process of its own";
const IN_A_FORK: &str = "in a fork";

fn both(old: &Option<String>, new: &Option<String>) -> Option<(String, String)> {
    match (old, new) {
        (Some(old), Some(new)) if old != new => Some((old.clone(), new.clone())),
        _ => None,
    }
}

/// Settings that both know, and that differ: `opt-level = 3, lto = false`.
fn builds(
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> Option<(String, String)> {
    let mut sides: [Vec<String>; 2] = Default::default();
    for (key, theirs) in old {
        let Some(ours) = new.get(key).filter(|ours| *ours != theirs) else {
            continue;
        };
        for (side, value) in sides.iter_mut().zip([theirs, ours]) {
            side.push(match value.as_str() {
                "" => format!("no {key}"),
                value => format!("{key} = {value}"),
            });
        }
    }
    let [old, new] = sides.map(|side| side.join(", "));
    (!old.is_empty()).then_some((old, new))
}

/// Without simulation there is none, or nothing after the colon.
fn simulated(caches: &[String]) -> bool {
    !caches.is_empty() && !caches.iter().any(|cache| cache.ends_with(':'))
}

/// What decides how a tool runs and not what it counts.
const WITHOUT_INFLUENCE: [&str; 5] = [
    "--command-line-only",
    "--fair-sched",
    "--verbose",
    "--vgdb",
    "-v",
];

/// The words that only one side has. `None`: there are none, or they change no figure.
fn other_arguments(old: &[String], new: &[String]) -> Option<(String, String)> {
    let only = |here: &[String], there: &[String]| {
        let influences = |word: &&String| {
            let key = word.split('=').next().unwrap_or_default();
            !WITHOUT_INFLUENCE.contains(&key) && !there.contains(word)
        };
        let words: Vec<&str> = here.iter().filter(influences).map(String::as_str).collect();
        words.join(" ")
    };
    let (old, new) = (only(old, new), only(new, old));
    (!old.is_empty() || !new.is_empty()).then_some((old, new))
}

/// What a program under Valgrind can see of the processor it runs on. On x86 Valgrind shows one of a few
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

impl Discrepancy {
    /// Can a change of this metric be judged all the same? Sums of the program's own code are not known
    /// here.
    #[must_use]
    pub fn judges(&self, kind: Kind) -> bool {
        self.fact.verdict(Family::of(kind)) == Verdict::Judged
    }

    /// Does it matter for any metric of this tool?
    #[must_use]
    pub fn matters(&self, tool: Tool) -> bool {
        let mut families = Family::of_tool(tool).iter();
        families.any(|family| self.fact.verdict(*family) != Verdict::Judged)
    }

    /// One line about it, without a full stop, and what to do on a line of its own. `side` names the old
    /// side: `the last run`.
    #[must_use]
    pub fn text(&self, side: &str, tool: Tool) -> String {
        let Self { old, new, .. } = self;
        let what = match self.fact {
            Fact::Target => format!("{side} was built for `{old}`, this one for `{new}`"),
            Fact::Workspace => {
                format!("{side} is one of the workspace `{old}`, this one of `{new}`")
            }
            Fact::Build => format!("{side} was built with `{old}`, this one with `{new}`"),
            Fact::Compiler => {
                format!("{side} was compiled by rustc {old}, this one by rustc {new}")
            }
            Fact::CLibrary => format!("{side} was made with {old}, this one with {new}"),
            Fact::DeterministicRandom => {
                format!("{side} was made {old} `deterministic_random`, this one {new}")
            }
            Fact::Processor => {
                format!("{side} was made on another processor, `{old}`, this one on `{new}`")
            }
            Fact::ProcessorClass => {
                format!("{side} was made on a processor {old}, this one on one {new}")
            }
            Fact::Valgrind => format!("{side} was made by Valgrind {old}, this one by {new}"),
            Fact::Caches => format!("{side} simulated other caches: `{old}`, this one `{new}`"),
            Fact::Tunables => {
                let said = |tunables: &str| match tunables {
                    "" => "without `GLIBC_TUNABLES`".to_owned(),
                    tunables => format!("with `GLIBC_TUNABLES={tunables}`"),
                };
                format!("{side} was made {}, this one {}", said(old), said(new))
            }
            Fact::Arguments => {
                let words = match (old.as_str(), new.as_str()) {
                    (old, "") => format!("also with `{old}`"),
                    ("", new) => format!("without `{new}`"),
                    (old, new) => format!("`{old}` instead of `{new}`"),
                };
                format!("{side} was made with other arguments for {tool}: {words}")
            }
            Fact::Mode => format!("{side} was made {old}, this one {new}"),
        };
        let meaning = self.meaning();
        match self.hint() {
            Some(hint) => format!("{what}; {meaning}\n  hint: {hint}"),
            None => format!("{what}; {meaning}"),
        }
    }

    /// What this means for the figures, and for limits on their change.
    fn meaning(&self) -> String {
        let why = match self.fact {
            Fact::Target | Fact::Build | Fact::Compiler => {
                "the same source may have become other code"
            }
            Fact::Workspace => "other sources, or the same with their code in other places",
            Fact::CLibrary => "the functions of the C library may count otherwise",
            Fact::DeterministicRandom => "what depends on random numbers may count otherwise",
            Fact::Processor => "its counters are others",
            Fact::ProcessorClass => "functions may be chosen by what the processor has",
            Fact::Valgrind | Fact::Caches => "the simulation may give other hits and misses",
            Fact::Tunables => "copies and fills of large buffers may count otherwise",
            Fact::Arguments => "the tool may count otherwise",
            Fact::Mode => "cache misses and mispredicted branches may differ a little",
        };
        let families = [Family::Instructions, Family::Caches, Family::Memory];
        let judged = families.map(|family| self.fact.verdict(family) == Verdict::Judged);
        let unchecked = match judged {
            [false, false, true] => {
                "soft limits on instructions, branches, cache events and cycles are not checked"
            }
            [true, false, true] => {
                "soft limits on cache events, mispredicted branches and cycles are not checked"
            }
            _ => "soft limits are not checked",
        };
        format!("{why}, and {unchecked}")
    }

    fn hint(&self) -> Option<&'static str> {
        match self.fact {
            Fact::Target => Some("`--separate-targets` keeps the results of each target apart"),
            Fact::Workspace => {
                Some("`--home=<directory>` keeps the results of each workspace apart")
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
