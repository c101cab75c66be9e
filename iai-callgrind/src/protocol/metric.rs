//! The metrics of Callgrind: one table, from which labels, spellings and groups are read.
//!
//! A new metric is a new row. The order of the rows is the order in which metrics are printed,
//! listed and written by default; the members of every group are in it, too.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use Direction::{Higher, Lower};
use Number::{Float, Int};
use Origin::{Derived, Raw};

/// Writes the enum and the table: documentation, kind, label, words, number, origin, direction
/// and groups (`All` contains every metric and is not repeated).
macro_rules! metrics {
    ($($(#[$doc:meta])* $kind:ident, $label:literal, [$($word:literal),+],
       $number:ident $origin:ident $direction:ident, [$($group:ident),*];)+) => {
        /// One metric of Callgrind.
        ///
        /// Parses from the variant's name in any case (`l1hits`) and prints as its label
        /// (`L1 Hits`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
        pub enum EventKind { $($(#[$doc])* $kind,)+ }

        const TABLE: &[Row] = &[$(Row {
            kind: EventKind::$kind,
            name: stringify!($kind),
            label: $label,
            words: &[$($word),+],
            number: $number,
            origin: $origin,
            direction: $direction,
            groups: &[$(CallgrindMetrics::$group),*],
        }),+];
    };
}

// The RAM hit rate is the last-level miss rate under another name, so less of it is better.
#[rustfmt::skip]
metrics! {
    /// Executed instructions.
    Ir, "Instructions", ["ir", "instructions"], Int Raw Lower, [Default];
    /// Data reads.
    Dr, "Dr", ["dr"], Int Raw Lower, [CacheSim];
    /// Data writes.
    Dw, "Dw", ["dw"], Int Raw Lower, [CacheSim];
    /// Instruction reads that missed the first-level cache.
    I1mr, "I1mr", ["i1mr"], Int Raw Lower, [CacheSim, CacheMisses];
    /// Data reads that missed the first-level cache.
    D1mr, "D1mr", ["d1mr"], Int Raw Lower, [CacheSim, CacheMisses];
    /// Data writes that missed the first-level cache.
    D1mw, "D1mw", ["d1mw"], Int Raw Lower, [CacheSim, CacheMisses];
    /// Instruction reads that missed the last-level cache.
    ILmr, "ILmr", ["ilmr"], Int Raw Lower, [CacheSim, CacheMisses];
    /// Data reads that missed the last-level cache.
    DLmr, "DLmr", ["dlmr"], Int Raw Lower, [CacheSim, CacheMisses];
    /// Data writes that missed the last-level cache.
    DLmw, "DLmw", ["dlmw"], Int Raw Lower, [CacheSim, CacheMisses];
    /// Percentage of instruction reads that missed the first-level cache.
    I1MissRate, "I1 Miss Rate", ["i1missrate"], Float Derived Lower, [CacheSim, CacheMissRates];
    /// Percentage of instruction reads that missed the last-level cache.
    LLiMissRate, "LLi Miss Rate", ["llimissrate"], Float Derived Lower, [CacheSim, CacheMissRates];
    /// Percentage of data accesses that missed the first-level cache.
    D1MissRate, "D1 Miss Rate", ["d1missrate"], Float Derived Lower, [CacheSim, CacheMissRates];
    /// Percentage of data accesses that missed the last-level cache.
    LLdMissRate, "LLd Miss Rate", ["lldmissrate"], Float Derived Lower, [CacheSim, CacheMissRates];
    /// Percentage of all accesses that missed the last-level cache.
    LLMissRate, "LL Miss Rate", ["llmissrate"], Float Derived Lower, [CacheSim, CacheMissRates];
    /// Accesses that were served by the first-level caches.
    L1hits, "L1 Hits", ["l1hits"], Int Derived Lower, [Default, CacheSim, CacheHits];
    /// Accesses that were served by the last-level cache.
    LLhits, "L2 Hits", ["llhits", "l2hits"], Int Derived Lower, [Default, CacheSim, CacheHits];
    /// Accesses that were served by main memory.
    RamHits, "RAM Hits", ["ramhits"], Int Derived Lower, [Default, CacheSim, CacheHits];
    /// Percentage of accesses that were served by the first-level caches. Higher is better.
    L1HitRate, "L1 Hit Rate", ["l1hitrate"], Float Derived Higher, [CacheSim, CacheHitRates];
    /// Percentage of accesses that were served by the last-level cache. Higher is better.
    LLHitRate, "L2 Hit Rate", ["llhitrate", "l2hitrate"], Float Derived Higher, [CacheSim, CacheHitRates];
    /// Percentage of accesses that were served by main memory. Lower is better.
    RamHitRate, "RAM Hit Rate", ["ramhitrate"], Float Derived Lower, [CacheSim, CacheHitRates];
    /// Instruction reads, data reads and data writes together.
    TotalRW, "Total read+write", ["totalrw"], Int Derived Lower, [Default, CacheSim];
    /// L1 hits, 5 times the last-level hits and 35 times the RAM hits.
    EstimatedCycles, "Estimated Cycles", ["estimatedcycles"], Int Derived Lower, [Default, CacheSim];
    /// System calls.
    SysCount, "SysCount", ["syscount"], Int Raw Lower, [Default, SystemCalls];
    /// Time that passed in system calls.
    SysTime, "SysTime", ["systime"], Int Raw Lower, [Default, SystemCalls];
    /// CPU time of system calls.
    SysCpuTime, "SysCpuTime", ["syscputime"], Int Raw Lower, [Default, SystemCalls];
    /// Global bus events.
    Ge, "Ge", ["ge"], Int Raw Lower, [Default];
    /// Executed conditional branches.
    Bc, "Bc", ["bc"], Int Raw Lower, [Default, BranchSim];
    /// Conditional branches that were predicted wrongly.
    Bcm, "Bcm", ["bcm"], Int Raw Lower, [Default, BranchSim];
    /// Executed indirect branches.
    Bi, "Bi", ["bi"], Int Raw Lower, [Default, BranchSim];
    /// Indirect branches that were predicted wrongly.
    Bim, "Bim", ["bim"], Int Raw Lower, [Default, BranchSim];
    /// Instruction reads that missed the last-level cache and replaced a changed line.
    ILdmr, "ILdmr", ["ildmr"], Int Raw Lower, [Default, WriteBackBehaviour];
    /// Data reads that missed the last-level cache and replaced a changed line.
    DLdmr, "DLdmr", ["dldmr"], Int Raw Lower, [Default, WriteBackBehaviour];
    /// Data writes that missed the last-level cache and replaced a changed line.
    DLdmw, "DLdmw", ["dldmw"], Int Raw Lower, [Default, WriteBackBehaviour];
    /// Temporal locality, first-level cache.
    AcCost1, "AcCost1", ["accost1"], Int Raw Lower, [Default, CacheUse];
    /// Temporal locality, last-level cache.
    AcCost2, "AcCost2", ["accost2"], Int Raw Lower, [Default, CacheUse];
    /// Spatial locality, first-level cache.
    SpLoss1, "SpLoss1", ["sploss1"], Int Raw Lower, [Default, CacheUse];
    /// Spatial locality, last-level cache.
    SpLoss2, "SpLoss2", ["sploss2"], Int Raw Lower, [Default, CacheUse];
}

struct Row {
    kind: EventKind,
    name: &'static str,
    label: &'static str,
    words: &'static [&'static str],
    number: Number,
    origin: Origin,
    direction: Direction,
    groups: &'static [CallgrindMetrics],
}

/// The type of a metric's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// A count.
    Int,
    /// A percentage.
    Float,
}

/// Where a metric's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Counted by Callgrind.
    Raw,
    /// Computed from what Callgrind counted.
    Derived,
}

/// Which way a metric should change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
}

impl EventKind {
    /// Every metric, in the order of the variants.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.kind)
    }

    /// The metric to which Callgrind's name of an event belongs (`Ir`, `sysCount`).
    #[must_use]
    pub fn from_event(name: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|row| row.origin == Raw && row.name.eq_ignore_ascii_case(name))
            .map(|row| row.kind)
    }

    /// The variant's name: what JSON says.
    #[must_use]
    pub fn to_name(self) -> String {
        self.row().name.to_owned()
    }

    /// What the terminal shows.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// Is it computed from other metrics, not counted by Callgrind?
    #[must_use]
    pub fn is_derived(self) -> bool {
        self.row().origin == Derived
    }

    /// The type of its values.
    #[must_use]
    pub fn number(self) -> Number {
        self.row().number
    }

    /// Which way it should change.
    #[must_use]
    pub fn direction(self) -> Direction {
        self.row().direction
    }

    // The table is written in the order of the variants; a test checks it.
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// Words of the command line, in any case: `ir`, `instructions`, `l1hits`, `l2hits` …
impl FromStr for EventKind {
    type Err = UnknownMetric;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let lower = word.to_ascii_lowercase();
        TABLE
            .iter()
            .find(|row| row.words.contains(&lower.as_str()))
            .map(|row| row.kind)
            .ok_or_else(|| UnknownMetric(word.to_owned()))
    }
}

/// A group of metrics. Metrics that a run did not produce are not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallgrindMetrics {
    /// No metric.
    None,
    /// Every metric.
    All,
    /// `Ir`, cache hits, `TotalRW`, `EstimatedCycles` and everything that is collected only on
    /// request: system calls, bus events, branch simulation, write-back, cache use.
    #[default]
    Default,
    /// `I1mr`, `D1mr`, `D1mw`, `ILmr`, `DLmr`, `DLmw`.
    CacheMisses,
    /// `I1MissRate`, `LLiMissRate`, `D1MissRate`, `LLdMissRate`, `LLMissRate`.
    CacheMissRates,
    /// `L1hits`, `LLhits`, `RamHits`.
    CacheHits,
    /// `L1HitRate`, `LLHitRate`, `RamHitRate`.
    CacheHitRates,
    /// Everything of the cache simulation (`--cache-sim=yes`, the default).
    CacheSim,
    /// `AcCost1`, `AcCost2`, `SpLoss1`, `SpLoss2` (`--cacheuse=yes`).
    CacheUse,
    /// `SysCount`, `SysTime`, `SysCpuTime` (`--collect-systime=yes`).
    SystemCalls,
    /// `Bc`, `Bcm`, `Bi`, `Bim` (`--branch-sim=yes`).
    BranchSim,
    /// `ILdmr`, `DLdmr`, `DLdmw` (`--simulate-wb=yes`).
    WriteBackBehaviour,
    /// One metric.
    SingleEvent(EventKind),
}

/// The words of the groups, which stand after `@` on the command line.
#[rustfmt::skip]
const GROUPS: &[(CallgrindMetrics, &[&str])] = &[
    (CallgrindMetrics::All, &["all"]),
    (CallgrindMetrics::Default, &["default", "def"]),
    (CallgrindMetrics::CacheMisses, &["cachemisses", "misses", "ms"]),
    (CallgrindMetrics::CacheMissRates, &["cachemissrates", "missrates", "mr"]),
    (CallgrindMetrics::CacheHits, &["cachehits", "hits", "hs"]),
    (CallgrindMetrics::CacheHitRates, &["cachehitrates", "hitrates", "hr"]),
    (CallgrindMetrics::CacheSim, &["cachesim", "cs"]),
    (CallgrindMetrics::CacheUse, &["cacheuse", "cu"]),
    (CallgrindMetrics::SystemCalls, &["systemcalls", "syscalls", "sc"]),
    (CallgrindMetrics::BranchSim, &["branchsim", "bs"]),
    (CallgrindMetrics::WriteBackBehaviour, &["writebackbehaviour", "writeback", "wb"]),
];

impl CallgrindMetrics {
    /// The metrics of this group, in the order in which they are shown.
    #[must_use]
    pub fn members(self) -> Vec<EventKind> {
        match self {
            Self::None => vec![],
            Self::All => EventKind::all().collect(),
            Self::SingleEvent(kind) => vec![kind],
            group => {
                let rows = TABLE.iter().filter(|row| row.groups.contains(&group));
                rows.map(|row| row.kind).collect()
            }
        }
    }
}

impl From<EventKind> for CallgrindMetrics {
    fn from(kind: EventKind) -> Self {
        Self::SingleEvent(kind)
    }
}

/// `@` and a group (`@hits`) or a metric (`ir`), in any case.
impl FromStr for CallgrindMetrics {
    type Err = UnknownMetric;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let Some(group) = word.strip_prefix('@') else {
            return word.parse().map(Self::SingleEvent);
        };
        let lower = group.to_ascii_lowercase();
        GROUPS
            .iter()
            .find(|(_, words)| words.contains(&lower.as_str()))
            .map(|(group, _)| *group)
            .ok_or_else(|| UnknownMetric(word.to_owned()))
    }
}

/// A word that names no metric and no group of metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMetric(pub String);

impl fmt::Display for UnknownMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.0.starts_with('@') {
            "group of metrics"
        } else {
            "metric"
        };
        write!(f, "unknown {what} `{}`", self.0)
    }
}

impl std::error::Error for UnknownMetric {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn table_is_in_order_and_every_spelling_parses_back() {
        let mut labels = HashSet::new();
        let mut words = HashSet::new();
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.kind as usize, index);
            assert_eq!(row.kind.to_name(), format!("{:?}", row.kind));
            assert_eq!(row.words[0], row.name.to_lowercase());
            assert_eq!(row.name.parse(), Ok(row.kind));
            assert!(labels.insert(row.label), "{} is used twice", row.label);
            for word in row.words {
                assert!(words.insert(*word), "{word} is used twice");
                assert_eq!(word.parse(), Ok(row.kind));
                assert_eq!(word.parse(), Ok(CallgrindMetrics::SingleEvent(row.kind)));
            }
            #[cfg(feature = "serde")]
            assert_eq!(
                serde_json::to_string(&row.kind).unwrap(),
                format!("\"{}\"", row.name)
            );
        }
    }

    #[test]
    fn every_group_parses_back_and_has_members() {
        let mut seen = HashSet::new();
        for (group, words) in GROUPS {
            assert!(!group.members().is_empty());
            for word in *words {
                assert!(seen.insert(*word), "{word} is used twice");
                assert_eq!(format!("@{word}").parse(), Ok(*group));
                assert_eq!(format!("@{}", word.to_uppercase()).parse(), Ok(*group));
            }
        }
    }

    #[track_caller]
    fn check_members(group: &str, expected: &str) {
        let group: CallgrindMetrics = group.parse().unwrap();
        let members: Vec<_> = group
            .members()
            .into_iter()
            .map(EventKind::to_name)
            .collect();
        assert_eq!(members.join(" "), expected);
    }

    #[test]
    fn members_are_in_the_documented_order() {
        check_members("ir", "Ir");
        check_members("@ms", "I1mr D1mr D1mw ILmr DLmr DLmw");
        check_members(
            "@mr",
            "I1MissRate LLiMissRate D1MissRate LLdMissRate LLMissRate",
        );
        check_members("@hs", "L1hits LLhits RamHits");
        check_members("@hr", "L1HitRate LLHitRate RamHitRate");
        check_members(
            "@cs",
            "Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw I1MissRate LLiMissRate D1MissRate LLdMissRate \
             LLMissRate L1hits LLhits RamHits L1HitRate LLHitRate RamHitRate TotalRW \
             EstimatedCycles",
        );
        check_members(
            "@default",
            "Ir L1hits LLhits RamHits TotalRW EstimatedCycles SysCount SysTime SysCpuTime Ge Bc \
             Bcm Bi Bim ILdmr DLdmr DLdmw AcCost1 AcCost2 SpLoss1 SpLoss2",
        );
        check_members("@cu", "AcCost1 AcCost2 SpLoss1 SpLoss2");
        check_members("@sc", "SysCount SysTime SysCpuTime");
        check_members("@bs", "Bc Bcm Bi Bim");
        check_members("@wb", "ILdmr DLdmr DLdmw");
        assert_eq!(
            "@all".parse::<CallgrindMetrics>().unwrap().members().len(),
            TABLE.len()
        );
        assert_eq!(CallgrindMetrics::None.members(), []);
    }

    #[test]
    fn unknown_words_are_named() {
        assert_eq!(
            "foo".parse::<EventKind>().unwrap_err().to_string(),
            "unknown metric `foo`"
        );
        assert_eq!(
            "@foo".parse::<CallgrindMetrics>().unwrap_err().to_string(),
            "unknown group of metrics `@foo`"
        );
    }

    #[test]
    fn callgrind_spells_events_of_system_calls_differently() {
        assert_eq!(EventKind::from_event("Ir"), Some(EventKind::Ir));
        assert_eq!(EventKind::from_event("sysCount"), Some(EventKind::SysCount));
        assert_eq!(EventKind::from_event("L1hits"), None);
        assert_eq!(EventKind::from_event("allocCount"), None);
    }
}
