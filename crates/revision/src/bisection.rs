//! The search for the first bad commit of several.

use std::collections::BTreeSet;

use crate::{Commit, Repository, RevisionError};

/// A search by halves along the first parents between a good and a bad commit.
#[derive(Debug, Clone)]
pub struct Bisection {
    /// The commits after the good one, the oldest first; the last one is bad.
    commits: Vec<Commit>,
    /// All before this are good.
    low: usize,
    /// This one is bad.
    high: usize,
    skipped: BTreeSet<usize>,
}

impl Bisection {
    /// The search between two commits.
    ///
    /// # Errors
    ///
    /// Nothing lies between them.
    pub fn between(
        repository: &Repository,
        good: &Commit,
        bad: &Commit,
    ) -> Result<Self, RevisionError> {
        Ok(Self::of(repository.between(good, bad)?))
    }

    fn of(commits: Vec<Commit>) -> Self {
        Self {
            low: 0,
            high: commits.len() - 1,
            commits,
            skipped: BTreeSet::new(),
        }
    }

    /// The commit to measure next. `None`: the search is over.
    #[must_use]
    pub fn next(&self) -> Option<&Commit> {
        let middle = self.low + (self.high - self.low) / 2;
        let open = self.low..self.high;
        let is_open = |place: &usize| !self.skipped.contains(place);
        let place = open
            .filter(is_open)
            .min_by_key(|place| place.abs_diff(middle))?;
        self.commits.get(place)
    }

    /// Most commits that are left to measure.
    #[must_use]
    pub fn left(&self) -> u32 {
        let open = (self.high - self.low).saturating_sub(self.skipped.len());
        usize::BITS - open.leading_zeros()
    }

    /// Says what the commit was: `Some(true)` is good, `None` cannot be measured.
    pub fn tell(&mut self, commit: &Commit, is_good: Option<bool>) {
        let place = self.commits.iter().position(|other| other == commit);
        let Some(place) = place else { return };
        match is_good {
            Some(true) => self.low = self.low.max(place + 1),
            Some(false) => self.high = self.high.min(place),
            None => {
                self.skipped.insert(place);
            }
        }
        let (low, high) = (self.low, self.high);
        self.skipped.retain(|place| (low..high).contains(place));
    }

    /// The first commit that is known to be bad.
    #[must_use]
    pub fn bad(&self) -> &Commit {
        &self.commits[self.high]
    }

    /// The last commit that was measured and is good. `None`: the one that the search began with.
    #[must_use]
    pub fn good(&self) -> Option<&Commit> {
        self.commits.get(self.low.checked_sub(1)?)
    }

    /// Commits before the bad one that could not be measured, and may be the first bad one.
    #[must_use]
    pub fn unknown(&self) -> Vec<&Commit> {
        let places = self.skipped.iter();
        places
            .filter_map(|place| self.commits.get(*place))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(number: usize) -> Commit {
        Commit {
            hash: format!("{number:040}"),
            title: format!("commit {number}"),
            name: number.to_string(),
        }
    }

    /// Searches among so many commits. Out: the search, and how many were measured.
    fn searched(commits: usize, first_bad: usize, broken: &[usize]) -> (Bisection, usize) {
        let mut search = Bisection::of((0..commits).map(commit).collect());
        let mut measured = 0;
        while let Some(next) = search.next().cloned() {
            let place: usize = next.name.parse().unwrap();
            search.tell(
                &next,
                (!broken.contains(&place)).then_some(place < first_bad),
            );
            measured += 1;
            assert!(measured <= commits);
        }
        (search, measured)
    }

    #[test]
    fn the_first_bad_commit_is_found_by_halves() {
        for commits in 1..40 {
            for first_bad in 0..commits {
                let (search, measured) = searched(commits, first_bad, &[]);
                assert_eq!(search.bad(), &commit(first_bad));
                assert_eq!(search.good(), first_bad.checked_sub(1).map(commit).as_ref());
                assert!(measured <= 6, "{measured} of {commits}");
                assert!(search.unknown().is_empty());
            }
        }
    }

    #[test]
    fn commits_that_cannot_be_measured_are_passed_over_and_named() {
        let (search, _) = searched(20, 10, &[9, 8, 3]);
        assert_eq!(search.bad(), &commit(10));
        assert_eq!(search.good(), Some(&commit(7)));
        assert_eq!(search.unknown(), [&commit(8), &commit(9)]);
        let (search, _) = searched(3, 2, &[0, 1]);
        assert_eq!((search.good(), search.unknown().len()), (None, 2));
    }
}
