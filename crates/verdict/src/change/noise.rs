//! Changes that say nothing about the code: which ones, and why.
//!
//! The same functions count a little more or less when the linker has put them, or `malloc` their
//! memory, elsewhere. Limits know nothing of this: a limit that is exceeded is exceeded.

use iai_callgrind::protocol::metric::Family;
use iai_callgrind::protocol::{CachegrindMetric, EventKind, ToolMetric};

use super::{ComparisonRow, MetricsComparison};
use metrics::{MetricKind, MetricValue};

/// Smaller changes of a count cannot be distinguished from those of the layout, and are not
/// explained: in percent of the old value.
pub const LEAST_PERCENT: f64 = 0.1;

/// The same in counts. Loops that begin with aligned memory vary by this.
pub const LEAST_COUNT: f64 = 20.0;

/// So few counts are a change all the same if they are this much, in percent.
const LEAST_PERCENT_OF_FEW: f64 = 1.0;

/// A larger change of cycles has a reason, also where the same instructions ran: in percent.
const MOST_PERCENT_OF_CYCLES: f64 = 5.0;

/// So few cycles are some 30 lines of memory.
const FEW_CYCLES: f64 = 1000.0;

/// The most lines of memory that an event counts more or less because code or data lie elsewhere.
/// Above it, and at [`MOST_PERCENT_OF_CYCLES`] of the event or more, the code asks for other lines.
const MOST_LINES: f64 = 64.0;

/// Events that count lines of memory.
const LINES: [&str; 8] = [
    "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "LLhits", "RamHits",
];

/// Why a change is neither better nor worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// The same code counted both sides under the same conditions, and one more run of it counted
    /// otherwise.
    Chance,
    /// The same instructions ran, and met the caches otherwise.
    Layout,
    /// The change is as small as those of instructions by the layout.
    Small,
    /// The means of both sides differ by no more than their samples do.
    Insignificant,
}

impl Noise {
    /// The words behind the change.
    pub fn words(self) -> &'static str {
        match self {
            Self::Chance => "(by chance)",
            Self::Layout => "(layout)",
            Self::Small => "(tiny)",
            Self::Insignificant => "(not significant)",
        }
    }
}

impl MetricsComparison {
    /// The reason why the change in this row is noise, if there is a change and a reason.
    pub fn noise(&self, row: &ComparisonRow) -> Option<Noise> {
        let is_changed = |percent: f64| percent != 0.0;
        row.difference()
            .filter(|difference| is_changed(difference.percent))?;
        if self.by_chance {
            return Some(Noise::Chance);
        }
        if row.significance.is_some_and(|test| !test.is_significant()) {
            return Some(Noise::Insignificant);
        }
        match row.kind.family() {
            Family::Instructions if row.kind.is_per_unit() => {
                self.is_small_per_unit(row).then_some(Noise::Small)
            }
            Family::Instructions => row.is_small().then_some(Noise::Small),
            Family::Caches if !row.kind.is_time() => {
                // Without counted instructions nothing says that the same code ran.
                let instructions = self.rows.iter().find(|row| is_instructions(row.kind))?;
                let cycles = self.rows.iter().find(|row| is_cycles(row.kind));
                let is_layout = instructions.is_small()
                    // Cycles weigh the events of all levels together; where none are estimated, the
                    // event itself has to do.
                    && cycles.unwrap_or(row).is_of_layout()
                    // By cycles alone, 7,167 more lines of the second level (+699 %) would be
                    // layout: they are less than 5 % of the cycles.
                    && !self.rows.iter().any(ComparisonRow::meets_other_lines);
                is_layout.then_some(Noise::Layout)
            }
            _ => None,
        }
    }
}

impl MetricsComparison {
    /// Did a count for each unit change as little as one that is small? A few instructions are few
    /// for each unit as well.
    fn is_small_per_unit(&self, row: &ComparisonRow) -> bool {
        let Some((_, percent)) = row.size() else {
            return false;
        };
        let instructions = self.rows.iter().find(|row| is_instructions(row.kind));
        // A count per unit does not tell few from many: 2 per byte may be millions.
        let are_few = instructions.is_some_and(ComparisonRow::is_small);
        percent < LEAST_PERCENT || (are_few && percent < LEAST_PERCENT_OF_FEW)
    }
}

impl ComparisonRow {
    /// The absolute change, and that in percent.
    fn size(&self) -> Option<(f64, f64)> {
        let count = MetricValue::minus(self.new?, self.old?).abs();
        Some((count, self.difference()?.percent.abs()))
    }

    /// Is the count the same, or as good as that?
    fn is_small(&self) -> bool {
        self.size().is_some_and(|(count, percent)| {
            percent < LEAST_PERCENT || (count < LEAST_COUNT && percent < LEAST_PERCENT_OF_FEW)
        })
    }

    fn is_of_layout(&self) -> bool {
        self.size().is_some_and(|(cycles, percent)| {
            percent < MOST_PERCENT_OF_CYCLES || cycles < FEW_CYCLES
        })
    }
}

impl ComparisonRow {
    /// Did the number of memory lines change more than the layout of code and data explains?
    fn meets_other_lines(&self) -> bool {
        LINES.contains(&self.kind.name())
            && self.size().is_some_and(|(lines, percent)| {
                lines > MOST_LINES && percent >= MOST_PERCENT_OF_CYCLES
            })
    }
}

/// Are these the executed instructions?
pub(crate) fn is_instructions(kind: MetricKind) -> bool {
    matches!(
        kind,
        MetricKind::Tabled(
            ToolMetric::Callgrind(EventKind::Ir) | ToolMetric::Cachegrind(CachegrindMetric::Ir)
        )
    )
}

/// Are these the estimated cycles?
pub(crate) fn is_cycles(kind: MetricKind) -> bool {
    matches!(
        kind,
        MetricKind::Tabled(
            ToolMetric::Callgrind(EventKind::EstimatedCycles)
                | ToolMetric::Cachegrind(CachegrindMetric::EstimatedCycles)
        )
    )
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use super::*;
    use base::tool::Tool;
    use metrics::Metrics;

    /// Instructions, data reads of which none misses, and instruction reads that miss all caches.
    fn metrics(ir: u64, misses: u64) -> Metrics {
        let names = [
            "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw",
        ];
        let counts = [ir, 100, 0, misses, 0, 0, misses, 0, 0];
        Metrics::from_counters(Tool::Callgrind, names.into_iter().zip(counts)).unwrap()
    }

    #[track_caller]
    fn check(new: (u64, u64), old: (u64, u64), kind: EventKind, expected: Option<Noise>) {
        let comparison = compare(&metrics(new.0, new.1), Some(&metrics(old.0, old.1)));
        let row = comparison.row(kind).unwrap();
        assert_eq!(comparison.noise(row), expected);
    }

    #[test]
    fn events_of_lines_are_known_to_both_simulators() {
        for name in LINES {
            for tool in [Tool::Callgrind, Tool::Cachegrind] {
                assert!(MetricKind::named(tool, name).is_some(), "{tool} {name}");
            }
        }
    }

    #[test]
    fn small_changes_of_instructions_are_noise() {
        let small = Some(Noise::Small);
        check((100_000, 2), (100_000, 2), EventKind::Ir, None);
        check((100_099, 2), (100_000, 2), EventKind::Ir, small);
        check((100_100, 2), (100_000, 2), EventKind::Ir, None);
        check((99_901, 2), (100_000, 2), EventKind::Ir, small);
        // Few counts of a small benchmark.
        check((3019, 2), (3000, 2), EventKind::Ir, small);
        check((3020, 2), (3000, 2), EventKind::Ir, None);
        check((101, 2), (100, 2), EventKind::Ir, None);
        check((1, 2), (0, 2), EventKind::Ir, None);
    }

    #[test]
    fn caches_are_noise_while_the_same_instructions_run() {
        let layout = Some(Noise::Layout);
        for kind in [
            EventKind::EstimatedCycles,
            EventKind::RamHits,
            EventKind::L1hits,
        ] {
            check((915, 12), (915, 15), kind, layout);
            check((916, 12), (915, 15), kind, layout);
            check((1365, 12), (915, 15), kind, None);
            // Thousands of misses more are a change of the data.
            check((20_000, 5000), (20_000, 15), kind, None);
            // 5.3 % of the cycles, and 2.7 %.
            check((20_000, 1400), (20_000, 1300), kind, None);
            check((200_000, 1560), (200_000, 1500), kind, layout);
            // 2.7 % of the cycles, but 13 % of the misses, and more than the layout moves.
            check((200_000, 1700), (200_000, 1500), kind, None);
        }
        check((915, 12), (915, 15), EventKind::Ir, None);
    }

    /// Few lines may lie elsewhere; more than that are asked for by the code, however little of the
    /// cycles they are.
    #[test]
    fn eight_times_the_misses_are_no_noise() {
        const MISSES: [&str; 6] = ["I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw"];
        let counted = |tool, missed: &[&str], misses: u64| {
            let mut counters = vec![("Ir", 1 << 40), ("Dr", 1 << 30), ("Dw", 1 << 30)];
            counters.extend(MISSES.map(|name| match missed.contains(&name) {
                true => (name, misses),
                false => (name, 0),
            }));
            Metrics::from_counters(tool, counters).unwrap()
        };
        for tool in [Tool::Callgrind, Tool::Cachegrind] {
            // A miss of the last level is one of the first level as well.
            for missed in [
                &MISSES[..1],
                &MISSES[1..2],
                &MISSES[2..3],
                &["I1mr", "ILmr"],
                &["D1mr", "DLmr"],
                &["D1mw", "DLmw"],
            ] {
                for (few, expected) in [
                    (9, Some(Noise::Layout)),
                    (10, None),
                    (1000, None),
                    (1 << 20, None),
                ] {
                    let [old, new] = [few, 8 * few].map(|misses| counted(tool, missed, misses));
                    let comparison = compare(&new, Some(&old));
                    for row in &comparison.rows {
                        let found = comparison.noise(row);
                        let is_changed = row.new != row.old;
                        assert_eq!(found, expected.filter(|_| is_changed), "{tool} {row:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_is_noise_where_a_side_is_missing() {
        let comparison = compare(&metrics(915, 2), None);
        let rows = comparison.rows.iter();
        assert!(rows
            .map(|row| comparison.noise(row))
            .all(|noise| noise.is_none()));
    }

    #[test]
    fn changes_by_chance_are_noise() {
        let mut comparison = compare(&metrics(1365, 2), Some(&metrics(915, 2)));
        comparison.by_chance = true;
        let row = comparison.row(EventKind::Ir).unwrap();
        assert_eq!(comparison.noise(row), Some(Noise::Chance));
    }
}
