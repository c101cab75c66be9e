//! Own costs by stack of functions and line.

use std::collections::HashMap;

use crate::explain::digest::{CostTable, DigestRow};

/// Places with their costs, before they are in order.
#[derive(Debug, Default)]
pub(super) struct RowTable {
    index: HashMap<DigestRow, usize>,
    rows: Vec<(DigestRow, Vec<u64>)>,
}

impl RowTable {
    /// Adds the costs of an instruction to its place.
    pub(super) fn add(&mut self, row: DigestRow, costs: &[u64]) {
        let next = self.rows.len();
        let index = *self.index.entry(row).or_insert(next);
        match self.rows.get_mut(index) {
            None => self.rows.push((row, costs.to_vec())),
            Some((_, sums)) => add(sums, costs),
        }
    }

    /// Rows in their order, the costs of each, and the sum of all.
    pub(super) fn finish(mut self, events: usize) -> (Vec<DigestRow>, CostTable, Vec<u64>) {
        self.rows.sort_unstable_by_key(|(row, _)| *row);
        let mut table = CostTable::default();
        let mut totals = vec![0; events];
        for (_, costs) in &self.rows {
            table.push(costs);
            add(&mut totals, costs);
        }
        let rows = self.rows.into_iter().map(|(row, _)| row).collect();
        (rows, table, totals)
    }
}

/// Adds costs of the same events.
pub(super) fn add(sums: &mut [u64], costs: &[u64]) {
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(*cost);
    }
}
