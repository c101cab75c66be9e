//! Sample of tests that are alike and slow, for a usual run: every fourth.
//!
//! The sample is always the same, so that a test fails for the change that it runs with.
//! `SUITE_SEED` takes another one, and `SUITE_FULL=1`, or `cargo suite --full`, takes everything:
//! `cargo xtask weekly` does.
//!
//! ```text
//! SUITE_SEED=7 cargo test -p benchmark-tests --test it fork_orders::
//! ```

/// One of so many is taken.
const SHARE: usize = 4;

/// Is everything taken?
pub fn is_full() -> bool {
    std::env::var_os("SUITE_FULL").is_some_and(|value| value == "1")
}

/// The seed of the sample, and of orders.
pub fn seed() -> u64 {
    let given = std::env::var("SUITE_SEED").ok();
    given.map_or(0, |seed| seed.parse().expect("SUITE_SEED is a number"))
}

/// Every fourth of them, in their order; in a full run all.
pub fn some<T>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let all = all.into_iter().collect();
    match is_full() {
        true => all,
        false => chosen(all, seed()),
    }
}

fn chosen<T>(all: Vec<T>, seed: u64) -> Vec<T> {
    let places: Vec<usize> = (0..all.len()).collect();
    let mut places = shuffled(&places, seed);
    places.truncate(all.len().div_ceil(SHARE));
    let all = all.into_iter().enumerate();
    let taken = all.filter(|(place, _)| places.contains(place));
    taken.map(|(_, one)| one).collect()
}

/// Another order for each seed.
pub fn shuffled<T: Clone>(all: &[T], seed: u64) -> Vec<T> {
    // Seeds that follow each other are far from each other then, and none is zero.
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut all = all.to_vec();
    for place in (1..all.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        all.swap(place, (state >> 11) as usize % (place + 1));
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_chooses_every_fourth_in_order() {
        let all = Vec::from_iter(0..70);
        let some = chosen(all.clone(), 1);
        assert_eq!(some.len(), 18);
        assert!(some.is_sorted());
        assert_eq!(chosen(all, 1), some);
        assert_eq!(chosen(vec!["only"], 5), ["only"]);
    }

    #[test]
    fn a_few_seeds_choose_all() {
        let all = Vec::from_iter(0..70);
        let chosen = (0..40).flat_map(|seed| chosen(all.clone(), seed));
        assert_eq!(BTreeSet::from_iter(chosen).len(), 70);
    }
}
