//! The metrics of exp-bbv.

use super::metrics;

#[rustfmt::skip]
metrics! {
    /// One metric of exp-bbv.
    BbvMetric
    /// A group of metrics of exp-bbv. Metrics that a run did not produce are not shown.
    BbvMetrics {
        /// One metric.
        single SingleMetric;
        /// All of them.
        default;
    }
    rows {
        /// Executed instructions; an instruction with a `rep` prefix counts once.
        Instructions, "Instructions", ["instructions", "ir"], Int Raw Lower Instructions, [Default];
        /// Intervals of `--interval-size` instructions.
        Intervals, "Intervals", ["intervals", "iv"], Int Raw Lower Instructions, [Default];
        /// Repetitions of instructions with a `rep` prefix.
        Reps, "Reps", ["reps", "rp"], Int Raw Lower Instructions, [Default];
        /// Executed instructions with a `rep` prefix.
        UniqueReps, "Unique reps", ["uniquereps", "urp"], Int Raw Lower Instructions, [Default];
        /// Executed `fldcw` instructions.
        Fldcw, "Fldcw", ["fldcw", "fl"], Int Raw Lower Instructions, [Default];
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_members;
    use super::*;

    #[test]
    fn all_are_shown_by_default() {
        let all = "Instructions Intervals Reps UniqueReps Fldcw";
        check_members::<BbvMetric>("@default", all);
        check_members::<BbvMetric>("@all", all);
    }
}
