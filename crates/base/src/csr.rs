//! CSR adjacency: a list of numbers for each of many numbers, such as the arcs that leave each node
//! of a graph, or the frames in each frame of a tree.
//!
//! All lists are in one allocation. A list of its own for each node would cost more than everything
//! that is done with most of them.

/// Lists of numbers.
#[derive(Debug, Clone, Default)]
pub struct Grouped {
    /// The end of each list.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Grouped {
    /// The items of each of this number of groups, in the order of the pairs of group and item.
    pub fn new(groups: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut ends = vec![0; groups];
        for (group, _) in pairs.clone() {
            ends[group as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            let begin = sum;
            sum += *end;
            *end = begin;
        }
        let mut items = vec![0; sum as usize];
        for (group, item) in pairs {
            let place = &mut ends[group as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { ends, items }
    }

    /// Adds a group.
    pub fn push(&mut self, items: impl Iterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no group?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The items of a group.
    pub fn of(&self, group: usize) -> &[u32] {
        &self.items[self.range(group)]
    }

    /// The items of a group, to be put into another order.
    pub fn of_mut(&mut self, group: usize) -> &mut [u32] {
        let range = self.range(group);
        &mut self.items[range]
    }

    /// The items of all groups, one group after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|group| self.of(group))
    }

    fn range(&self, group: usize) -> std::ops::Range<usize> {
        let begin = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin as usize..self.ends[group] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Grouped;

    #[test]
    fn items_keep_their_order() {
        let pairs = [(2, 7), (0, 1), (2, 5), (0, 1)];
        let mut grouped = Grouped::new(4, pairs.into_iter());
        let lists: Vec<&[u32]> = grouped.iter().collect();
        assert_eq!(lists, [&[1, 1][..], &[], &[7, 5], &[]]);
        grouped.push([9].into_iter());
        assert_eq!((grouped.len(), grouped.of(4)), (5, &[9][..]));
        grouped.of_mut(2).sort_unstable();
        assert_eq!(grouped.of(2), [5, 7]);
        assert_eq!(Grouped::default().len(), 0);
    }
}
