//! `--partition`: one part of the selected benchmarks.

use iai_callgrind::protocol::{Package, Partition};

use super::Plan;
use records::timings::TimedParts;

impl Plan {
    /// Keeps one part of the benchmarks; the others count as filtered.
    pub(super) fn keep_part(
        &mut self,
        partition: Partition,
        timed: Option<&TimedParts>,
        package: &Package,
    ) {
        // It does not begin at 0 in each file: many files of a few benchmarks would fill the first
        // parts only.
        let mut number = partition.first_number(&package.name, &package.module);
        for group in &mut self.groups {
            let before = group.benchmarks.len();
            group.benchmarks.retain(|benchmark| {
                let path = benchmark.path.to_string();
                let takes = match timed {
                    Some(timed) => timed.part(&package.name, &path) + 1 == partition.part(),
                    None => partition.takes(number, &path),
                };
                number += 1;
                takes
            });
            self.filtered += before - group.benchmarks.len();
        }
        self.groups.retain(|group| !group.benchmarks.is_empty());
    }
}
