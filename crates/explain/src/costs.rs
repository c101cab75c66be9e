//! Lists of costs, one after the other.

/// Lists of costs, one for each row of a section. Zeros at the end of a list are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CostTable {
    ends: Vec<u32>,
    costs: Vec<u64>,
}

impl CostTable {
    /// Adds a list.
    pub fn push(&mut self, costs: &[u64]) {
        // The last events are cache misses, and most lines have none.
        let used = costs.iter().rposition(|cost| *cost > 0);
        self.costs
            .extend_from_slice(&costs[..used.map_or(0, |last| last + 1)]);
        // 2³² costs are 32 GiB: no profile that is read has as many.
        self.ends.push(self.costs.len() as u32);
    }

    /// Number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is no list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The list of a row, without zeros at its end.
    #[must_use]
    pub fn row(&self, row: usize) -> &[u64] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.costs[start as usize..self.ends[row] as usize]
    }

    /// All lists.
    pub fn rows(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.len()).map(|row| self.row(row))
    }
}

#[cfg(test)]
mod tests {
    use super::CostTable;

    #[test]
    fn zeros_at_the_end_are_left_out() {
        let mut table = CostTable::default();
        table.push(&[1, 0, 2, 0]);
        table.push(&[0, 0]);
        table.push(&[0, 3]);
        assert_eq!(table.len(), 3);
        let rows: Vec<&[u64]> = table.rows().collect();
        assert_eq!(rows, [&[1, 0, 2][..], &[], &[0, 3]]);
    }
}
