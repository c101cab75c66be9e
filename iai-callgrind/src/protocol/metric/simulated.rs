//! The metrics of Callgrind and Cachegrind, which count and simulate the same; Callgrind adds some.

use super::{from_event, metrics};

/// Writes a table of the rows that both tools have, with further rows before those of the branch
/// simulation and at the end.
// The RAM hit rate is the last-level miss rate under another name, so less of it is better.
#[rustfmt::skip]
macro_rules! with_simulated_rows {
    ({ $($enums:tt)* } before_branches { $($before:tt)* } at_the_end { $($end:tt)* }) => {
        metrics! {
            $($enums)*
            rows {
                /// Executed instructions.
                Ir, "Instructions", ["ir", "instructions"], Int Raw Lower Instructions, [Default];
                /// Data reads.
                Dr, "Dr", ["dr"], Int Raw Lower Instructions, [CacheSim];
                /// Data writes.
                Dw, "Dw", ["dw"], Int Raw Lower Instructions, [CacheSim];
                /// Instruction reads that missed the first-level cache.
                I1mr, "I1mr", ["i1mr"], Int Raw Lower Caches, [CacheSim, CacheMisses];
                /// Data reads that missed the first-level cache.
                D1mr, "D1mr", ["d1mr"], Int Raw Lower Caches, [CacheSim, CacheMisses];
                /// Data writes that missed the first-level cache.
                D1mw, "D1mw", ["d1mw"], Int Raw Lower Caches, [CacheSim, CacheMisses];
                /// Instruction reads that missed the last-level cache.
                ILmr, "ILmr", ["ilmr"], Int Raw Lower Caches, [CacheSim, CacheMisses];
                /// Data reads that missed the last-level cache.
                DLmr, "DLmr", ["dlmr"], Int Raw Lower Caches, [CacheSim, CacheMisses];
                /// Data writes that missed the last-level cache.
                DLmw, "DLmw", ["dlmw"], Int Raw Lower Caches, [CacheSim, CacheMisses];
                /// Percentage of instruction reads that missed the first-level cache.
                I1MissRate, "I1 Miss Rate", ["i1missrate"], Float Derived Lower Caches, [CacheSim, CacheMissRates];
                /// Percentage of instruction reads that missed the last-level cache.
                LLiMissRate, "LLi Miss Rate", ["llimissrate"], Float Derived Lower Caches, [CacheSim, CacheMissRates];
                /// Percentage of data accesses that missed the first-level cache.
                D1MissRate, "D1 Miss Rate", ["d1missrate"], Float Derived Lower Caches, [CacheSim, CacheMissRates];
                /// Percentage of data accesses that missed the last-level cache.
                LLdMissRate, "LLd Miss Rate", ["lldmissrate"], Float Derived Lower Caches, [CacheSim, CacheMissRates];
                /// Percentage of all accesses that missed the last-level cache.
                LLMissRate, "LL Miss Rate", ["llmissrate"], Float Derived Lower Caches, [CacheSim, CacheMissRates];
                /// Accesses that were served by the first-level caches.
                L1hits, "L1 Hits", ["l1hits"], Int Derived Lower Caches, [Default, CacheSim, CacheHits];
                /// Accesses that were served by the last-level cache.
                LLhits, "L2 Hits", ["llhits", "l2hits"], Int Derived Lower Caches, [Default, CacheSim, CacheHits];
                /// Accesses that were served by main memory.
                RamHits, "RAM Hits", ["ramhits"], Int Derived Lower Caches, [Default, CacheSim, CacheHits];
                /// Percentage of accesses that were served by the first-level caches. Higher is
                /// better.
                L1HitRate, "L1 Hit Rate", ["l1hitrate"], Float Derived Higher Caches, [CacheSim, CacheHitRates];
                /// Percentage of accesses that were served by the last-level cache. Higher is
                /// better.
                LLHitRate, "L2 Hit Rate", ["llhitrate", "l2hitrate"], Float Derived Higher Caches, [CacheSim, CacheHitRates];
                /// Percentage of accesses that were served by main memory. Lower is better.
                RamHitRate, "RAM Hit Rate", ["ramhitrate"], Float Derived Lower Caches, [CacheSim, CacheHitRates];
                /// Instruction reads, data reads and data writes together.
                TotalRW, "Total read+write", ["totalrw"], Int Derived Lower Instructions, [Default, CacheSim];
                /// L1 hits, 5 times the last-level hits and 35 times the RAM hits.
                EstimatedCycles, "Estimated Cycles", ["estimatedcycles"], Int Derived Lower Caches, [Default, CacheSim];
                $($before)*
                /// Executed conditional branches.
                Bc, "Bc", ["bc"], Int Raw Lower Instructions, [Default, BranchSim];
                /// Conditional branches that were predicted wrongly.
                Bcm, "Bcm", ["bcm"], Int Raw Lower Caches, [Default, BranchSim];
                /// Executed indirect branches.
                Bi, "Bi", ["bi"], Int Raw Lower Instructions, [Default, BranchSim];
                /// Indirect branches that were predicted wrongly.
                Bim, "Bim", ["bim"], Int Raw Lower Caches, [Default, BranchSim];
                $($end)*
            }
        }
    };
}

with_simulated_rows! {
    {
        /// One metric of Callgrind.
        EventKind
        /// A group of metrics of Callgrind. Metrics that a run did not produce are not shown.
        CallgrindMetrics {
            /// One metric.
            single SingleEvent;
            /// `Ir`, cache hits, `TotalRW`, `EstimatedCycles` and everything that is collected only
            /// on request: system calls, bus events, branch simulation, write-back, cache use.
            default;
            /// `I1mr`, `D1mr`, `D1mw`, `ILmr`, `DLmr`, `DLmw`.
            CacheMisses ["cachemisses", "misses", "ms"];
            /// `I1MissRate`, `LLiMissRate`, `D1MissRate`, `LLdMissRate`, `LLMissRate`.
            CacheMissRates ["cachemissrates", "missrates", "mr"];
            /// `L1hits`, `LLhits`, `RamHits`.
            CacheHits ["cachehits", "hits", "hs"];
            /// `L1HitRate`, `LLHitRate`, `RamHitRate`.
            CacheHitRates ["cachehitrates", "hitrates", "hr"];
            /// Everything of the cache simulation (`--cache-sim=yes`, the default).
            CacheSim ["cachesim", "cs"];
            /// `AcCost1`, `AcCost2`, `SpLoss1`, `SpLoss2` (`--cacheuse=yes`).
            CacheUse ["cacheuse", "cu"];
            /// `SysCount`, `SysTime`, `SysCpuTime` (`--collect-systime=yes`).
            SystemCalls ["systemcalls", "syscalls", "sc"];
            /// `Bc`, `Bcm`, `Bi`, `Bim` (`--branch-sim=yes`).
            BranchSim ["branchsim", "bs"];
            /// `ILdmr`, `DLdmr`, `DLdmw` (`--simulate-wb=yes`).
            WriteBackBehaviour ["writebackbehaviour", "writeback", "wb"];
            /// `InstructionsPerByte`, `InstructionsPerElement`: shown without being chosen where a
            /// benchmark says its [`Throughput`](crate::Throughput), unless others are chosen.
            Throughput ["throughput", "tp"];
        }
    }
    before_branches {
        /// System calls.
        SysCount, "SysCount", ["syscount"], Int Raw Lower Instructions, [Default, SystemCalls];
        /// Time that passed in system calls.
        SysTime, "SysTime", ["systime"], Time Raw Lower Caches, [Default, SystemCalls];
        /// CPU time of system calls.
        SysCpuTime, "SysCpuTime", ["syscputime"], Time Raw Lower Caches, [Default, SystemCalls];
        /// Global bus events.
        Ge, "Ge", ["ge"], Int Raw Lower Instructions, [Default];
    }
    at_the_end {
        /// Instruction reads that missed the last-level cache and replaced a changed line.
        ILdmr, "ILdmr", ["ildmr"], Int Raw Lower Caches, [Default, WriteBackBehaviour];
        /// Data reads that missed the last-level cache and replaced a changed line.
        DLdmr, "DLdmr", ["dldmr"], Int Raw Lower Caches, [Default, WriteBackBehaviour];
        /// Data writes that missed the last-level cache and replaced a changed line.
        DLdmw, "DLdmw", ["dldmw"], Int Raw Lower Caches, [Default, WriteBackBehaviour];
        /// Temporal locality, first-level cache.
        AcCost1, "AcCost1", ["accost1"], Int Raw Lower Caches, [Default, CacheUse];
        /// Temporal locality, last-level cache.
        AcCost2, "AcCost2", ["accost2"], Int Raw Lower Caches, [Default, CacheUse];
        /// Spatial locality, first-level cache.
        SpLoss1, "SpLoss1", ["sploss1"], Int Raw Lower Caches, [Default, CacheUse];
        /// Spatial locality, last-level cache.
        SpLoss2, "SpLoss2", ["sploss2"], Int Raw Lower Caches, [Default, CacheUse];
        /// Calls of `malloc`, `calloc`, `realloc` and their kind. They follow from what is kept to
        /// explain results: there are none with `--dump-instr=no`, if explanations are switched
        /// off, and where only regions count.
        Allocations, "Allocations", ["allocations"], Int Derived Lower Memory, [];
        /// Calls of `free` and its kind, under the same conditions as `Allocations`.
        Frees, "Frees", ["frees"], Int Derived Lower Memory, [];
        /// Instructions for each byte that the benchmark handles, where
        /// [`Throughput`](crate::Throughput) says how many these are.
        InstructionsPerByte, "Instructions/Byte", ["instructionsperbyte", "instructions/byte", "ir/byte"], Float Derived Lower Instructions, [Throughput];
        /// Instructions for each element that the benchmark handles, where
        /// [`Throughput`](crate::Throughput) says how many these are.
        InstructionsPerElement, "Instructions/Element", ["instructionsperelement", "instructions/element", "ir/element"], Float Derived Lower Instructions, [Throughput];
    }
}

with_simulated_rows! {
    {
        /// One metric of Cachegrind.
        CachegrindMetric
        /// A group of metrics of Cachegrind. Metrics that a run did not produce are not shown.
        CachegrindMetrics {
            /// One metric.
            single SingleEvent;
            /// `Ir`, cache hits, `TotalRW`, `EstimatedCycles` and the branch simulation, which is
            /// collected only on request.
            default;
            /// `I1mr`, `D1mr`, `D1mw`, `ILmr`, `DLmr`, `DLmw`.
            CacheMisses ["cachemisses", "misses", "ms"];
            /// `I1MissRate`, `LLiMissRate`, `D1MissRate`, `LLdMissRate`, `LLMissRate`.
            CacheMissRates ["cachemissrates", "missrates", "mr"];
            /// `L1hits`, `LLhits`, `RamHits`.
            CacheHits ["cachehits", "hits", "hs"];
            /// `L1HitRate`, `LLHitRate`, `RamHitRate`.
            CacheHitRates ["cachehitrates", "hitrates", "hr"];
            /// Everything of the cache simulation (`--cache-sim=yes`, the default).
            CacheSim ["cachesim", "cs"];
            /// `Bc`, `Bcm`, `Bi`, `Bim` (`--branch-sim=yes`).
            BranchSim ["branchsim", "bs"];
            /// `InstructionsPerByte`, `InstructionsPerElement`: shown without being chosen where a
            /// benchmark says its [`Throughput`](crate::Throughput), unless others are chosen.
            Throughput ["throughput", "tp"];
        }
    }
    before_branches {}
    at_the_end {
        /// Instructions for each byte that the benchmark handles, where
        /// [`Throughput`](crate::Throughput) says how many these are.
        InstructionsPerByte, "Instructions/Byte", ["instructionsperbyte", "instructions/byte", "ir/byte"], Float Derived Lower Instructions, [Throughput];
        /// Instructions for each element that the benchmark handles, where
        /// [`Throughput`](crate::Throughput) says how many these are.
        InstructionsPerElement, "Instructions/Element", ["instructionsperelement", "instructions/element", "ir/element"], Float Derived Lower Instructions, [Throughput];
    }
}

impl EventKind {
    /// Executed instructions: [`EventKind::Ir`] under the name that outputs have.
    // A name as that of a variant.
    #[allow(non_upper_case_globals)]
    pub const Instructions: Self = Self::Ir;

    /// The metric to which Callgrind's name of an event belongs (`Ir`, `sysCount`).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn from_event(name: &str) -> Option<Self> {
        from_event(name)
    }
}

impl CachegrindMetric {
    /// The metric to which Cachegrind's name of an event belongs (`Ir`, `I1mr`).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn from_event(name: &str) -> Option<Self> {
        from_event(name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_members;
    use super::*;

    const MISSES: &str = "I1mr D1mr D1mw ILmr DLmr DLmw";
    const MISS_RATES: &str = "I1MissRate LLiMissRate D1MissRate LLdMissRate LLMissRate";
    const HITS: &str = "L1hits LLhits RamHits";
    const HIT_RATES: &str = "L1HitRate LLHitRate RamHitRate";
    const PER_UNIT: &str = "InstructionsPerByte InstructionsPerElement";

    #[test]
    fn groups_of_callgrind_have_the_documented_members() {
        let check = check_members::<EventKind>;
        check("ir", "Ir");
        check("@ms", MISSES);
        check("@mr", MISS_RATES);
        check("@hs", HITS);
        check("@hr", HIT_RATES);
        check(
            "@cs",
            &format!("Dr Dw {MISSES} {MISS_RATES} {HITS} {HIT_RATES} TotalRW EstimatedCycles"),
        );
        check(
            "@default",
            "Ir L1hits LLhits RamHits TotalRW EstimatedCycles SysCount SysTime SysCpuTime Ge Bc \
             Bcm Bi Bim ILdmr DLdmr DLdmw AcCost1 AcCost2 SpLoss1 SpLoss2",
        );
        check("@cu", "AcCost1 AcCost2 SpLoss1 SpLoss2");
        check("@sc", "SysCount SysTime SysCpuTime");
        check("@bs", "Bc Bcm Bi Bim");
        check("@wb", "ILdmr DLdmr DLdmw");
        check("@tp", PER_UNIT);
        check(
            "@all",
            &format!(
                "Ir Dr Dw {MISSES} {MISS_RATES} {HITS} {HIT_RATES} TotalRW EstimatedCycles \
                 SysCount SysTime SysCpuTime Ge Bc Bcm Bi Bim ILdmr DLdmr DLdmw AcCost1 AcCost2 \
                 SpLoss1 SpLoss2 Allocations Frees {PER_UNIT}"
            ),
        );
        assert_eq!(CallgrindMetrics::None.members(), []);
    }

    #[test]
    fn groups_of_cachegrind_have_the_documented_members() {
        let check = check_members::<CachegrindMetric>;
        check(
            "@def",
            "Ir L1hits LLhits RamHits TotalRW EstimatedCycles Bc Bcm Bi Bim",
        );
        check("@hits", HITS);
        check("@branchsim", "Bc Bcm Bi Bim");
        check(
            "@all",
            &format!(
                "Ir Dr Dw {MISSES} {MISS_RATES} {HITS} {HIT_RATES} TotalRW EstimatedCycles Bc Bcm \
                 Bi Bim {PER_UNIT}"
            ),
        );
        check("@throughput", PER_UNIT);
        assert!("@sc".parse::<CachegrindMetrics>().is_err());
        assert!("ge".parse::<CachegrindMetric>().is_err());
    }

    #[test]
    fn hits_of_the_last_level_have_two_spellings() {
        assert_eq!("l2hits".parse(), Ok(EventKind::LLhits));
        assert_eq!("LLhits".parse(), Ok(EventKind::LLhits));
        assert_eq!("L2HitRate".parse(), Ok(CachegrindMetric::LLHitRate));
        assert_eq!(EventKind::LLhits.to_string(), "L2 Hits");
        assert_eq!(EventKind::LLhits.to_name(), "LLhits");
    }

    #[test]
    fn rates_hits_and_sums_are_derived() {
        let raw: Vec<_> = CachegrindMetric::all()
            .filter(|metric| !metric.is_derived())
            .map(CachegrindMetric::to_name)
            .collect();
        assert_eq!(raw.join(" "), format!("Ir Dr Dw {MISSES} Bc Bcm Bi Bim"));
        assert!(EventKind::TotalRW.is_derived());
        assert!(!EventKind::SysTime.is_derived());
    }

    #[test]
    fn callgrind_spells_events_of_system_calls_differently() {
        assert_eq!(EventKind::from_event("Ir"), Some(EventKind::Ir));
        assert_eq!(EventKind::from_event("sysCount"), Some(EventKind::SysCount));
        assert_eq!(EventKind::from_event("L1hits"), None);
        assert_eq!(EventKind::from_event("allocCount"), None);
        assert_eq!(
            CachegrindMetric::from_event("I1mr"),
            Some(CachegrindMetric::I1mr)
        );
    }
}
