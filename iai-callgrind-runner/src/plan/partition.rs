//! `--partition`: one part of the selected benchmarks.

use iai_callgrind::protocol::Partition;

use super::Plan;

impl Plan {
    /// Keeps one part of the benchmarks; the others count as filtered.
    pub(super) fn keep_part(&mut self, partition: Partition) {
        let mut number = 0;
        for group in &mut self.groups {
            let before = group.benchmarks.len();
            group.benchmarks.retain(|benchmark| {
                let takes = partition.takes(number, &benchmark.path.to_string());
                number += 1;
                takes
            });
            self.filtered += before - group.benchmarks.len();
        }
        self.groups.retain(|group| !group.benchmarks.is_empty());
    }
}
