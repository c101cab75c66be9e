//! The metrics of DHAT. `t-gmax` is DHAT's word for the moment at which the heap was largest.

use super::metrics;

#[rustfmt::skip]
metrics! {
    /// One metric of DHAT.
    DhatMetric
    /// A group of metrics of DHAT. Metrics that a run did not produce are not shown.
    DhatMetrics {
        /// One metric.
        single SingleMetric;
        /// All but `TotalLifetimes`, `MaximumBytes` and `MaximumBlocks`.
        default;
    }
    rows {
        /// The sum of the weights of all events (`--mode=ad-hoc`).
        TotalUnits, "Total units", ["totalunits", "tun"], Int Raw Lower Memory, [Default];
        /// Events (`--mode=ad-hoc`).
        TotalEvents, "Total events", ["totalevents", "tev"], Int Raw Lower Memory, [Default];
        /// Bytes that were allocated.
        TotalBytes, "Total bytes", ["totalbytes", "tb"], Int Raw Lower Memory, [Default];
        /// Blocks that were allocated.
        TotalBlocks, "Total blocks", ["totalblocks", "tbk"], Int Raw Lower Memory, [Default];
        /// Bytes that were in use when the heap of the whole process was largest.
        AtTGmaxBytes, "At t-gmax bytes", ["attgmaxbytes", "gb"], Int Raw Lower Memory, [Default];
        /// Blocks that were in use when the heap of the whole process was largest.
        AtTGmaxBlocks, "At t-gmax blocks", ["attgmaxblocks", "gbk"], Int Raw Lower Memory, [Default];
        /// Bytes that were in use at the end of the process.
        AtTEndBytes, "At t-end bytes", ["attendbytes", "eb"], Int Raw Lower Memory, [Default];
        /// Blocks that were in use at the end of the process.
        AtTEndBlocks, "At t-end blocks", ["attendblocks", "ebk"], Int Raw Lower Memory, [Default];
        /// Bytes that were read from the blocks.
        ReadsBytes, "Reads bytes", ["readsbytes", "rb"], Int Raw Lower Memory, [Default];
        /// Bytes that were written to the blocks.
        WritesBytes, "Writes bytes", ["writesbytes", "wb"], Int Raw Lower Memory, [Default];
        /// The sum of the lifetimes of all blocks, in instructions.
        TotalLifetimes, "Total lifetimes", ["totallifetimes", "tl"], Int Raw Lower Memory, [];
        /// The sum of what DHAT calls the maximum of each place of allocation. It is set only when
        /// an allocation of that place brings the whole heap to a new maximum, so it is not the
        /// largest use of memory.
        MaximumBytes, "Maximum bytes", ["maximumbytes", "mb"], Int Raw Lower Memory, [];
        /// The blocks that belong to `MaximumBytes`.
        MaximumBlocks, "Maximum blocks", ["maximumblocks", "mbk"], Int Raw Lower Memory, [];
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_members;
    use super::*;

    #[test]
    fn groups_have_the_documented_members() {
        let default = "TotalUnits TotalEvents TotalBytes TotalBlocks AtTGmaxBytes AtTGmaxBlocks \
                       AtTEndBytes AtTEndBlocks ReadsBytes WritesBytes";
        check_members::<DhatMetric>("@default", default);
        check_members::<DhatMetric>(
            "@all",
            &format!("{default} TotalLifetimes MaximumBytes MaximumBlocks"),
        );
        check_members::<DhatMetric>("gb", "AtTGmaxBytes");
    }
}
