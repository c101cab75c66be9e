//! The metrics that are read from Massif's snapshots.

use super::metrics;

// The peak is the snapshot with the largest total of all, not the one that Massif marks as peak:
// that one may be lower (`--peak-inaccuracy`), and there need not be one.
#[rustfmt::skip]
metrics! {
    /// One metric of Massif. Sizes are in bytes.
    MassifMetric
    /// A group of metrics of Massif. Metrics that a run did not produce are not shown.
    MassifMetrics {
        /// One metric.
        single SingleMetric;
        /// `PeakTotal`, `PeakHeap`, `PeakExtraHeap`, `PeakStack`, `AtEndTotal`, `LastTotal`.
        default;
    }
    rows {
        /// Heap, extra heap and stacks at the moment at which they were largest together.
        PeakTotal, "Peak total", ["peaktotal", "pt"], Int Raw Lower Memory, [Default];
        /// The part of `PeakTotal` that the program asked for.
        PeakHeap, "Peak heap", ["peakheap", "ph"], Int Raw Lower Memory, [Default];
        /// The part of `PeakTotal` that the allocator needs for itself (`--heap-admin`).
        PeakExtraHeap, "Peak extra heap", ["peakextraheap", "pe"], Int Raw Lower Memory, [Default];
        /// The part of `PeakTotal` that the stacks take (`--stacks=yes`).
        PeakStack, "Peak stack", ["peakstack", "ps"], Int Raw Lower Memory, [Default];
        /// When the peak was reached, in the unit of `--time-unit`.
        PeakTime, "Peak time", ["peaktime", "ptm"], Time Raw Lower Memory, [];
        /// Heap, extra heap and stacks at the end of a library benchmark.
        AtEndTotal, "At end total", ["atendtotal", "et"], Int Raw Lower Memory, [Default];
        /// Heap, extra heap and stacks at the last snapshot of a program, which comes some time
        /// before the end.
        LastTotal, "Last snapshot total", ["lasttotal", "lt"], Int Raw Lower Memory, [Default];
        /// Snapshots.
        Snapshots, "Snapshots", ["snapshots", "sn"], Int Raw Lower Memory, [];
        /// Snapshots that say where memory was allocated.
        DetailedSnapshots, "Detailed snapshots", ["detailedsnapshots", "dsn"], Int Raw Lower Memory, [];
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_members;
    use super::*;

    #[test]
    fn groups_have_the_documented_members() {
        let check = check_members::<MassifMetric>;
        check(
            "@default",
            "PeakTotal PeakHeap PeakExtraHeap PeakStack AtEndTotal LastTotal",
        );
        check("peaktotal", "PeakTotal");
    }
}
