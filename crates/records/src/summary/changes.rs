//! The changes of the benchmarks of a run, in numbers.

use serde::{Deserialize, Serialize};

use super::Number;

/// Numbers of measured benchmarks by their change against the old results. Instructions decide
/// where they are counted, then cycles, then what else is shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changes {
    /// Worse than before: most often more instructions.
    pub worse: u64,
    /// Better than before.
    pub better: u64,
    /// The same as before.
    pub same: u64,
    /// Changed by what says nothing about the code: the layout of code and memory, chance.
    pub noise: u64,
    /// Without an old result.
    pub new: u64,
    /// With an old result that could not be compared with, or without one in the baseline that was
    /// asked for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_compared: u64,
    /// Benchmarks, also among the other numbers, with an exceeded limit that was not judged, since
    /// the conditions differ.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_judged: u64,
    /// Benchmarks, also among the other numbers, whose total is beyond its limit, and whose own
    /// code, which alone was judged, is within it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changed_outside_own_code: u64,
    /// The largest change for the worse or, if there is none, for the better; absent if there is
    /// neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<LargestChange>,
}

/// The largest change of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LargestChange {
    /// Whole name of the benchmark.
    pub benchmark: String,
    /// The metric, as the terminal names it.
    pub metric: String,
    /// The new value.
    pub new: Number,
    /// The old value.
    pub old: Number,
    /// The change in percent of the old value; `null` if that is 0.
    pub diff_pct: Option<f64>,
    /// Is it for the worse?
    pub worse: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Changes {
    /// Number of benchmarks that were compared with an old result.
    #[must_use]
    pub fn compared(&self) -> u64 {
        // Records may say anything.
        let kinds = [self.worse, self.better, self.same, self.noise];
        kinds.into_iter().fold(0, u64::saturating_add)
    }

    /// Nothing was measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds those of other benchmarks.
    pub fn add(&mut self, other: &Self) {
        let Self {
            worse,
            better,
            same,
            noise,
            new,
            not_compared,
            not_judged,
            changed_outside_own_code,
            largest,
        } = other;
        // Records may say anything.
        let sum = |own: &mut u64, theirs: &u64| *own = own.saturating_add(*theirs);
        sum(&mut self.worse, worse);
        sum(&mut self.better, better);
        sum(&mut self.same, same);
        sum(&mut self.noise, noise);
        sum(&mut self.new, new);
        sum(&mut self.not_compared, not_compared);
        sum(&mut self.not_judged, not_judged);
        sum(&mut self.changed_outside_own_code, changed_outside_own_code);
        if let Some(largest) = largest {
            if self
                .largest
                .as_ref()
                .is_none_or(|own| largest.is_above(own))
            {
                self.largest = Some(largest.clone());
            }
        }
    }
}

impl LargestChange {
    /// Changes for the worse are above all others.
    fn is_above(&self, other: &Self) -> bool {
        // Without a percentage it is a change from 0.
        let size = |change: &Self| change.diff_pct.map_or(f64::INFINITY, f64::abs);
        match self.worse == other.worse {
            true => size(self) > size(other),
            false => self.worse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn largest(name: &str, worse: bool, diff_pct: Option<f64>) -> Changes {
        Changes {
            worse: worse.into(),
            better: (!worse).into(),
            largest: Some(LargestChange {
                benchmark: name.to_owned(),
                metric: "Instructions".to_owned(),
                new: Number::Count(2),
                old: Number::Count(1),
                diff_pct,
                worse,
            }),
            ..Changes::default()
        }
    }

    #[test]
    fn the_largest_is_for_the_worse_if_there_is_one() {
        let mut all = Changes::default();
        assert!(all.is_empty());
        let name = |all: &Changes| all.largest.as_ref().map(|one| one.benchmark.clone());
        for (changes, expected) in [
            (largest("better", false, Some(-99.0)), "better"),
            (largest("less", false, Some(-9.0)), "better"),
            (largest("worse", true, Some(1.0)), "worse"),
            (largest("much", true, Some(99.0)), "much"),
            (largest("from 0", true, None), "from 0"),
            (largest("more", true, Some(1e9)), "from 0"),
        ] {
            all.add(&changes);
            assert_eq!(name(&all).as_deref(), Some(expected));
        }
        assert_eq!((all.worse, all.better), (4, 2));
    }
}
