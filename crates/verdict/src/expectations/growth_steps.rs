//! Does a count grow faster than its source states? The statement is tested by itself, whatever
//! else describes the counts.
//!
//! A stated growth `m` and a constant part mean that `count = constant + cost · m(n)` with one
//! cost. The first size shows the most that the cost can be, `count / m(n)`, as if there were no
//! constant part; each step to a size at least twice as large shows it without the constant part,
//! `Δcount / Δm(n)`. A growth that is faster than stated lets the cost rise from step to step; one
//! that is as stated or slower does not, but for irregularities of the counts.

use super::growth::{GrowthModel, SizedCount};

/// The cost may rise by this factor.
const MOST_RISE: f64 = 2.0;

/// Counts that are constant may differ by this factor.
const MOST_OF_CONSTANT: f64 = 3.0;

/// Counts may be irregular by this part of themselves.
const IRREGULAR: f64 = 0.1;

/// The least factor between the sizes of a step. With nearer sizes, irregular counts hide the cost
/// of a step.
const STEP: u64 = 2;

/// Costs per unit of the stated growth between two sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthStep {
    /// The smaller size. `None`: from nothing on.
    pub from: Option<u64>,
    /// The larger size.
    pub to: u64,
    /// Counts for each unit; of a constant growth the count.
    pub cost: f64,
}

/// Two steps; the later one costs more than the growth allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RisingCost {
    /// The cheaper step.
    pub earlier: GrowthStep,
    /// The dearer step.
    pub later: GrowthStep,
}

/// The pair of steps with the largest rise beyond the stated growth. `None`: there is none.
pub(super) fn rising_cost(points: &[SizedCount], stated: GrowthModel) -> Option<RisingCost> {
    let steps = steps(points, stated);
    let most = match stated {
        // With these factors property tests find each growth that is faster by √n over a factor of
        // 1000, and pass each model with 10 % of noise.
        GrowthModel::Constant => MOST_OF_CONSTANT,
        _ => MOST_RISE,
    };
    let pairs = steps.iter().enumerate().flat_map(|(index, later)| {
        let earlier = steps[..index].iter();
        earlier.map(move |earlier| (earlier, later))
    });
    let rising = pairs.filter(|(earlier, later)| later.least > most * earlier.most);
    // The cheapest and the dearest one tell most.
    let rise = |(earlier, later): &(&Bounded, &Bounded)| later.least / earlier.most;
    let worst = rising.max_by(|a, b| rise(a).total_cmp(&rise(b)));
    worst.map(|(earlier, later)| RisingCost {
        earlier: earlier.step,
        later: later.step,
    })
}

/// A step and how cheap and how dear it may be, as counts are irregular.
struct Bounded {
    step: GrowthStep,
    least: f64,
    most: f64,
}

fn steps(points: &[SizedCount], stated: GrowthModel) -> Vec<Bounded> {
    let mut steps = Vec::new();
    let mut from: Option<SizedCount> = None;
    let points = one_for_each_size(points);
    let last = points.last().copied();
    for point in points {
        let is_far = match from {
            // From size 0 on each larger one is far.
            Some(from) => point.size >= from.size.saturating_mul(STEP).max(1),
            None => true,
        };
        // The largest size is always a step, however near: a faster growth shows most there.
        if !is_far && Some(point) != last {
            continue;
        }
        let is_constant = stated == GrowthModel::Constant;
        let base = from.filter(|_| !is_constant);
        let length = match is_constant {
            true => 1.0,
            false => stated.value(point.size) - base.map_or(0.0, |base| stated.value(base.size)),
        };
        let [count, before] = [point.count, base.map_or(0, |base| base.count)].map(|it| it as f64);
        let irregular = match is_constant {
            // `MOST_OF_CONSTANT` has room for irregular counts.
            true => 0.0,
            false => IRREGULAR * (count + before),
        };
        // The stated growth overflows, or is 0, such as log n for n = 1: there is no cost per unit.
        if length.is_finite() && length > 0.0 {
            let cost = |count: f64| count.max(0.0) / length;
            steps.push(Bounded {
                step: GrowthStep {
                    from: base.map(|base| base.size),
                    to: point.size,
                    cost: cost(count - before),
                },
                least: cost(count - before - irregular),
                // Nothing is free: a count of 0 is as good as 1.
                most: cost((count - before + irregular).max(1.0)),
            });
        }
        // A near last size is no begin: nothing follows it.
        if is_far {
            from = Some(point);
        }
    }
    steps
}

/// Reduces the counts of each size to the largest one: a stated growth is an upper bound for each.
fn one_for_each_size(points: &[SizedCount]) -> Vec<SizedCount> {
    let groups = points.chunk_by(|one, other| one.size == other.size);
    let largest = groups.filter_map(|group| group.iter().max_by_key(|point| point.count));
    largest.copied().collect()
}
