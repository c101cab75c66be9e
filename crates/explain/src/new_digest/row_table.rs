//! Own costs by stack of functions and line.

use crate::digest::{CostTable, DigestRow};
use formats::callgrind::InstructionProfile;

/// Places with the rows of the profile whose costs they have, before they are in order.
#[derive(Debug, Default)]
pub(super) struct RowTable(Vec<(DigestRow, u32)>);

impl RowTable {
    /// Adds a row of the profile to its place.
    pub(super) fn add(&mut self, place: DigestRow, row: usize) {
        self.0.push((place, row as u32));
    }

    /// Places in their order, the costs of each, and the sum of all.
    pub(super) fn finish(
        mut self,
        profile: &InstructionProfile,
    ) -> (Vec<DigestRow>, CostTable, Vec<u64>) {
        self.0.sort_unstable();
        let (mut places, mut table) = (Vec::new(), CostTable::default());
        let mut totals = vec![0; profile.events.len()];
        let mut sums = totals.clone();
        for rows in self.0.chunk_by(|a, b| a.0 == b.0) {
            sums.fill(0);
            for (_, row) in rows {
                add(&mut sums, profile.own(*row as usize));
            }
            places.push(rows[0].0);
            table.push(&sums);
            add(&mut totals, &sums);
        }
        (places, table, totals)
    }
}

/// Adds costs of the same events.
pub(super) fn add(sums: &mut [u64], costs: &[u64]) {
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(*cost);
    }
}
