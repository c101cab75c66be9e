//! Rows of costs, one count for each event, of files whose parts may have other events or another
//! order.

/// Events of all parts, and the place of those of the current part among them.
#[derive(Debug, Clone, Default)]
pub(super) struct EventColumns {
    /// Event names, in the order of their appearance.
    pub(super) events: Vec<String>,
    /// Index of each event of the part among all events; empty where both are the same.
    columns: Vec<usize>,
}

impl EventColumns {
    /// Begins a part with these events. Earlier rows get columns for the new ones.
    pub(super) fn begin<const N: usize>(&mut self, names: &[String], rows: [&mut CostRows; N]) {
        // Parts may have different events: added up by column, misses would become instructions.
        for name in names {
            if !self.events.contains(name) {
                self.events.push(name.clone());
            }
        }
        for rows in rows {
            rows.widen(self.events.len());
        }
        let column = |name| self.events.iter().position(|known| known == name);
        self.columns = match self.events == names {
            true => Vec::new(),
            false => names.iter().filter_map(column).collect(),
        };
    }
}

/// Rows of costs, one after the other in one piece of memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CostRows {
    width: usize,
    count: usize,
    costs: Vec<u64>,
}

impl CostRows {
    /// Costs of a row.
    pub(super) fn row(&self, index: usize) -> &[u64] {
        &self.costs[index * self.width..][..self.width]
    }

    /// Mutable costs of a row.
    pub(super) fn row_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.costs[index * self.width..][..self.width]
    }

    /// Makes room for this number of rows.
    pub(super) fn resize(&mut self, count: usize) {
        self.count = count;
        self.costs.resize(count * self.width, 0);
    }

    /// Adds the costs of a line of the current part to a row.
    #[inline]
    pub(super) fn add(&mut self, index: usize, costs: &[u64], events: &EventColumns) {
        let row = &mut self.costs[index * self.width..][..self.width];
        // The usual case: parts of one run have the same events.
        if events.columns.is_empty() {
            add(row, costs);
            return;
        }
        for (column, cost) in events.columns.iter().zip(costs) {
            row[*column] = row[*column].saturating_add(*cost);
        }
    }

    /// Gives back the room for further rows.
    pub(super) fn shrink(&mut self) {
        self.costs.shrink_to_fit();
    }

    /// Adds a row, which has all events.
    pub(super) fn push(&mut self, costs: &[u64]) {
        self.width = costs.len();
        self.count += 1;
        self.costs.extend_from_slice(costs);
    }

    /// Adds the costs of all events to a row.
    pub(super) fn add_all(&mut self, index: usize, costs: &[u64]) {
        add(&mut self.costs[index * self.width..][..self.width], costs);
    }

    fn widen(&mut self, width: usize) {
        if width > self.width {
            let mut wide = vec![0; self.count * width];
            for row in 0..self.count {
                wide[row * width..][..self.width].copy_from_slice(self.row(row));
            }
            self.costs = wide;
            self.width = width;
        }
    }
}

fn add(row: &mut [u64], costs: &[u64]) {
    for (sum, cost) in row.iter_mut().zip(costs) {
        *sum = sum.saturating_add(*cost);
    }
}
