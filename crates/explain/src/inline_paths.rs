//! Paths of inlined functions, the same ones on both sides, without the lines of their calls.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::pair::PairNumber;
use super::sides::{NEW, NONE, OLD};

/// Share of the difference that one inlined function needs to be looked into.
// Below it the difference is spread over several functions, and no single one has the edit.
const LEAST_SHARE: f64 = 0.8;

/// Frames of a path at most. What is inlined deeper counts for the last of them: a compiler inlines
/// some dozens of frames, and a digest that somebody made by hand would cost its depth squared.
const DEEPEST: u32 = 128;

/// Number of a path.
pub(super) type PathNumber = u32;

/// All paths, from a body to an inlined function.
#[derive(Default)]
pub(super) struct InlinePaths {
    numbers: FxHashMap<(PathNumber, PairNumber), PathNumber>,
    paths: Vec<InlinePath>,
}

struct InlinePath {
    /// The path of the function that it is inlined into, or [`NONE`].
    caller: PathNumber,
    function: PairNumber,
    /// Functions on the path.
    depth: u32,
    /// Lines of the caller where it is inlined, old and new.
    sites: [u32; 2],
}

impl InlinePaths {
    /// The path of a function that is inlined into another one; a body is in [`NONE`].
    pub(super) fn of(&mut self, caller: PathNumber, function: PairNumber) -> PathNumber {
        let depth = self.depth(caller) + 1;
        if depth > DEEPEST {
            return caller;
        }
        let next = self.paths.len() as u32;
        let number = *self.numbers.entry((caller, function)).or_insert(next);
        if number == next {
            self.paths.push(InlinePath {
                caller,
                function,
                depth,
                sites: [0; 2],
            });
        }
        number
    }

    /// The functions on a path.
    pub(super) fn depth(&self, path: PathNumber) -> u32 {
        match path {
            NONE => 0,
            path => self.paths[path as usize].depth,
        }
    }

    /// The path that has all functions of `inner` below those of `outer`.
    pub(super) fn inlined_at(
        &mut self,
        inner: PathNumber,
        outer: PathNumber,
        side: usize,
    ) -> PathNumber {
        if inner == NONE {
            return outer;
        }
        let InlinePath {
            caller,
            function,
            sites,
            ..
        } = self.paths[inner as usize];
        let outer = self.inlined_at(caller, outer, side);
        let path = self.of(outer, function);
        let known = &mut self.paths[path as usize].sites[side];
        // The callee's lines are the same ones in each copy of it: a sum would look as if there
        // were more places.
        *known = (*known).max(sites[side]);
        path
    }

    /// Counts the lines of one side. `sites` has a path, with file and line, for each call that was
    /// inlined.
    pub(super) fn count_sites(&mut self, side: usize, sites: &mut Vec<(PathNumber, u32, u32)>) {
        // Lines are counted, not copies: a loop that is unrolled inlines several times at one line.
        sites.sort_unstable();
        sites.dedup();
        for (path, _, _) in sites {
            self.paths[*path as usize].sites[side] += 1;
        }
    }

    /// The function whose source changed: from the outermost function that has the differences into
    /// the inlined one that contains nearly all of them, as long as that is inlined as often as
    /// before. Only functions that `is_named` allows are returned.
    pub(super) fn changed_function(
        &self,
        differences: impl Iterator<Item = (PathNumber, f64)>,
        is_named: impl Fn(PairNumber) -> bool,
    ) -> Option<PairNumber> {
        let mut own: BTreeMap<PathNumber, f64> = BTreeMap::new();
        let mut inclusive: BTreeMap<(PathNumber, PathNumber), f64> = BTreeMap::new();
        for (path, difference) in differences {
            *own.entry(path).or_default() += difference;
            let mut path = path;
            while path != NONE {
                let caller = self.paths[path as usize].caller;
                *inclusive.entry((caller, path)).or_default() += difference;
                path = caller;
            }
        }
        let mut named = None;
        let mut here = NONE;
        loop {
            // No path has the number `NONE`, so the range has all paths that are inlined here.
            let inlined = || inclusive.range((here, 0)..=(here, NONE));
            let sizes: f64 = inlined().map(|(_, difference)| difference.abs()).sum();
            let all = sizes + own.get(&here).map_or(0.0, |own| own.abs());
            let largest = inlined().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            let Some(((_, next), difference)) = largest else {
                return named;
            };
            let InlinePath {
                function, sites, ..
            } = self.paths[*next as usize];
            // A function that is inlined in more or fewer places is not the reason: its caller is.
            let is_as_before = here == NONE || (sites[OLD] > 0 && sites[OLD] == sites[NEW]);
            if !is_as_before || all == 0.0 || difference.abs() < LEAST_SHARE * all {
                return named;
            }
            if is_named(function) {
                named = Some(function);
            }
            here = *next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies 0 and 1; 2 and 3 are inlined into 0, and 4 into 2, each once.
    fn paths() -> (InlinePaths, [PathNumber; 5]) {
        let mut paths = InlinePaths::default();
        let [body, other] = [0, 1].map(|body| paths.of(NONE, body));
        let [first, second] = [2, 3].map(|function| paths.of(body, function));
        let deep = paths.of(first, 4);
        for side in [OLD, NEW] {
            paths.count_sites(side, &mut vec![(first, 0, 1), (second, 0, 2), (deep, 0, 3)]);
        }
        (paths, [body, other, first, second, deep])
    }

    #[track_caller]
    fn check(paths: &InlinePaths, differences: &[(PathNumber, f64)], expected: Option<PairNumber>) {
        let found = paths.changed_function(differences.iter().copied(), |_| true);
        assert_eq!(found, expected);
    }

    #[test]
    fn nearly_all_of_the_difference_is_followed_inwards() {
        let (paths, [body, other, first, second, deep]) = paths();
        check(&paths, &[(deep, 10.0)], Some(4));
        check(&paths, &[(deep, 10.0), (first, 2.0)], Some(4));
        check(&paths, &[(deep, 10.0), (first, 9.0)], Some(2));
        check(&paths, &[(deep, 10.0), (second, -9.0)], Some(0));
        check(&paths, &[(body, 10.0), (other, -9.0)], None);
        check(&paths, &[], None);
        let std = paths.changed_function([(deep, 1.0)].into_iter(), |function| function != 4);
        assert_eq!(std, Some(2));
    }

    #[test]
    fn a_function_that_is_inlined_more_often_is_asked_for_by_its_caller() {
        let (mut paths, [_, _, first, _, deep]) = paths();
        paths.count_sites(NEW, &mut vec![(deep, 0, 4), (deep, 0, 4)]);
        check(&paths, &[(deep, 10.0)], Some(2));
        let new = paths.of(first, 5);
        check(&paths, &[(new, 10.0)], Some(2));
    }

    #[test]
    fn a_body_that_is_inlined_elsewhere_has_its_path_there() {
        let (mut paths, [_, other, _, _, deep]) = paths();
        let moved = paths.inlined_at(deep, other, NEW);
        assert_eq!(paths.paths[moved as usize].function, 4);
        let functions: Vec<PairNumber> = std::iter::successors(Some(moved), |path| {
            Some(paths.paths[*path as usize].caller).filter(|caller| *caller != NONE)
        })
        .map(|path| paths.paths[path as usize].function)
        .collect();
        assert_eq!(functions, [4, 2, 0, 1]);
    }
}
