//! The metrics of Memcheck, Helgrind and DRD: the figures of their error summary.

use super::metrics;

#[rustfmt::skip]
metrics! {
    /// One metric of Memcheck, Helgrind and DRD.
    ErrorMetric
    /// A group of metrics of Memcheck, Helgrind and DRD.
    ErrorMetrics {
        /// One metric.
        single SingleMetric;
        /// All of them.
        default;
    }
    rows {
        /// Errors that were reported.
        Errors, "Errors", ["errors", "err"], Int Raw Lower Memory, [Default];
        /// Places in the code with an error.
        Contexts, "Contexts", ["contexts", "ctx"], Int Raw Lower Memory, [Default];
        /// Errors that a suppression silences.
        SuppressedErrors, "Suppressed Errors", ["suppressederrors", "serr"], Int Raw Lower Memory, [Default];
        /// Places in the code whose errors a suppression silences.
        SuppressedContexts, "Suppressed Contexts", ["suppressedcontexts", "sctx"], Int Raw Lower Memory, [Default];
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_members;
    use super::*;

    #[test]
    fn all_are_shown_by_default() {
        let all = "Errors Contexts SuppressedErrors SuppressedContexts";
        check_members::<ErrorMetric>("@def", all);
        check_members::<ErrorMetric>("@all", all);
    }
}
