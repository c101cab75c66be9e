//! Places of the source whose allocations differ: the stacks of two results, compared.
//!
//! ```text
//! points → by names of the stack and line of the place
//!   → pairs, for which lines of both sides are the same place
//!   → by place: function and line
//!   → rows that add up to the difference of all bytes
//! ```
//!
//! An edit above moves lines, so these are paired by the stacks that are on both sides. Where a
//! function allocated at one place that is gone and does at one that is new, both are one row.

use std::collections::{BTreeMap, BTreeSet};

use super::{HeapPoint, HeapStacks};
use crate::{
    is_rust_allocator, site_name, site_text, ExplainedRow, HeapAmount, HeapSite, HeapSites,
    SiteAllocation,
};
use symbols::SourceOrigin;

/// Rows that are kept at most, beside one for all others.
const MOST: usize = 19;

/// The places whose allocations differ. `None`: all together do not, or the program counts units of
/// its own.
#[must_use]
pub fn heap_sites(old: &HeapStacks, new: &HeapStacks) -> Option<HeapSites> {
    if old.is_ad_hoc || new.is_ad_hoc {
        return None;
    }
    let amount = |of: fn(&HeapPoint) -> u64| {
        let sum = |stacks: &HeapStacks| {
            let amounts = stacks.points.iter().map(of);
            amounts.fold(0, u64::saturating_add)
        };
        HeapAmount::new(sum(old), sum(new))
    };
    let bytes = amount(|point| point.bytes);
    let blocks = amount(|point| point.blocks);
    if (bytes.diff, blocks.diff) == (0, 0) {
        return None;
    }
    let mut places = PlaceTable::default();
    places.fill(&by_stack(old), &by_stack(new));
    places.join_moved();
    let mut rows: Vec<HeapSite> = places.rows();
    // A row for all others stands for two at least: a single place is shown itself.
    let rest = match rows.len() > MOST + 1 {
        true => rows.split_off(MOST),
        false => Vec::new(),
    };
    let mut sites: Vec<ExplainedRow<HeapSite>> = rows.into_iter().map(ExplainedRow::One).collect();
    if !rest.is_empty() {
        sites.push(ExplainedRow::Rest {
            rest: rest.len(),
            diff: rest
                .iter()
                .fold(0, |sum, site| i64::saturating_add(sum, site.diff)),
        });
    }
    Some(HeapSites {
        bytes,
        blocks,
        sites,
    })
}

/// The function of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SiteFunction<'a> {
    name: &'a str,
    file: Option<&'a str>,
    origin: SourceOrigin,
}

/// Points of one side with one stack of names and one line.
#[derive(Debug, Clone, Copy)]
struct StackSum<'a> {
    function: SiteFunction<'a>,
    line: Option<u32>,
    /// The function that is called at the place.
    call: Option<&'a str>,
    bytes: u64,
    blocks: u64,
}

/// Points of one side by the names of their stacks, and by the lines of their places.
type StackSums<'a> = BTreeMap<Vec<&'a str>, BTreeMap<Option<u32>, StackSum<'a>>>;

fn by_stack(stacks: &HeapStacks) -> StackSums<'_> {
    let mut sums = StackSums::new();
    for point in &stacks.points {
        let Some(found) = placed(stacks, point) else {
            continue;
        };
        // Without lines, which each edit above moves.
        let names = stacks.stack(point).map(|frame| frame.name.as_str());
        let lines = sums.entry(names.collect()).or_default();
        let sum = lines.entry(found.line).or_insert(StackSum {
            bytes: 0,
            blocks: 0,
            ..found
        });
        sum.bytes = sum.bytes.saturating_add(point.bytes);
        sum.blocks = sum.blocks.saturating_add(point.blocks);
    }
    sums
}

/// The point with its place: the innermost function of the user, else of a package, else the
/// outermost one.
fn placed<'a>(stacks: &'a HeapStacks, point: &'a HeapPoint) -> Option<StackSum<'a>> {
    let frames: Vec<_> = stacks.stack(point).collect();
    // Allocations inside an allocator of the user are attributed to the code that calls the
    // allocator.
    let asking = frames
        .iter()
        .position(|frame| is_rust_allocator(&frame.name));
    let asking = &frames[..asking.unwrap_or(frames.len())];
    let innermost = |origin| {
        asking
            .iter()
            .rposition(|frame| stacks.origin(frame) == origin)
    };
    let site = innermost(SourceOrigin::User)
        .or_else(|| innermost(SourceOrigin::Package))
        .unwrap_or(0);
    let frame = frames.get(site)?;
    Some(StackSum {
        function: SiteFunction {
            name: &frame.name,
            file: stacks.file(frame).map(|file| file.path.as_str()),
            origin: stacks.origin(frame),
        },
        line: frame.line,
        call: frames.get(site + 1).map(|frame| frame.name.as_str()),
        bytes: point.bytes,
        blocks: point.blocks,
    })
}

/// Points of both sides with one stack of names and one place; at least one side is there.
type StackPair<'a> = (Option<StackSum<'a>>, Option<StackSum<'a>>);

/// Pairs the lines of both sides in their order if there are as many, since an edit above moves all
/// of them; else pairs equal lines.
fn pairs<'a>(
    old: Option<&BTreeMap<Option<u32>, StackSum<'a>>>,
    new: Option<&BTreeMap<Option<u32>, StackSum<'a>>>,
) -> Vec<StackPair<'a>> {
    let none = BTreeMap::new();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    if old.len() == new.len() {
        let both = old.values().zip(new.values());
        return both.map(|(old, new)| (Some(*old), Some(*new))).collect();
    }
    let lines: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let lines = lines.into_iter();
    lines
        .map(|line| (old.get(line).copied(), new.get(line).copied()))
        .collect()
}

/// A function and a line of it.
type SiteKey<'a> = (&'a str, Option<u32>);

/// Allocations of both sides by place.
#[derive(Default)]
struct PlaceTable<'a> {
    places: BTreeMap<SiteKey<'a>, SitePlace<'a>>,
}

/// Allocations of both sides at one place.
struct SitePlace<'a> {
    function: SiteFunction<'a>,
    old: SiteCalls<'a>,
    new: SiteCalls<'a>,
}

impl<'a> PlaceTable<'a> {
    fn fill(&mut self, old: &StackSums<'a>, new: &StackSums<'a>) {
        let stacks: BTreeSet<&Vec<&str>> = old.keys().chain(new.keys()).collect();
        let pairs: Vec<StackPair<'a>> = stacks
            .into_iter()
            .flat_map(|stack| pairs(old.get(stack), new.get(stack)))
            .collect();
        // The new lines of old ones, for stacks that are gone.
        let both = pairs
            .iter()
            .filter_map(|(old, new)| Some(((*old)?, (*new)?)));
        let moved: BTreeMap<SiteKey<'_>, Option<u32>> = both
            .map(|(old, new)| ((old.function.name, old.line), new.line))
            .collect();
        for (old, new) in pairs {
            let line = |old: StackSum<'_>| {
                let moved = moved.get(&(old.function.name, old.line));
                moved.copied().unwrap_or(old.line)
            };
            let key = match (old, new) {
                (_, Some(new)) => (new.function, new.line),
                (Some(old), None) => (old.function, line(old)),
                (None, None) => continue,
            };
            let place = self.places.entry((key.0.name, key.1));
            let place = place.or_insert_with(|| SitePlace::new(key.0));
            if let Some(old) = old {
                place.old.add(old);
            }
            if let Some(new) = new {
                place.new.add(new);
            }
        }
    }

    /// Joins the only place of a function that is gone with the only one that is new: its line
    /// moved.
    fn join_moved(&mut self) {
        let mut one_sided: BTreeMap<&'a str, OneSided<'a>> = BTreeMap::new();
        for (key, place) in &self.places {
            let sides = one_sided.entry(key.0).or_default();
            match (place.old.is_empty(), place.new.is_empty()) {
                (false, true) => sides.gone.push(*key),
                (true, false) => sides.added.push(*key),
                _ => {}
            }
        }
        for sides in one_sided.into_values() {
            let ([gone], [added]) = (sides.gone.as_slice(), sides.added.as_slice()) else {
                continue;
            };
            let gone = self.places.remove(gone);
            if let (Some(gone), Some(added)) = (gone, self.places.get_mut(added)) {
                added.old = gone.old;
            }
        }
    }

    /// The places that differ, the largest difference first.
    fn rows(&self) -> Vec<HeapSite> {
        let places = self.places.iter();
        let mut rows: Vec<(HeapSite, i64)> = places
            .filter_map(|((_, line), place)| place.row(*line))
            .collect();
        rows.sort_by_key(|(site, blocks)| {
            // More blocks of fewer bytes may leave the bytes as they were.
            let sizes = (site.diff.unsigned_abs(), blocks.unsigned_abs());
            std::cmp::Reverse(sizes)
        });
        rows.into_iter().map(|(site, _)| site).collect()
    }
}

/// Places of a function that one side has.
#[derive(Default)]
struct OneSided<'a> {
    gone: Vec<SiteKey<'a>>,
    added: Vec<SiteKey<'a>>,
}

impl<'a> SitePlace<'a> {
    fn new(function: SiteFunction<'a>) -> Self {
        Self {
            function,
            old: SiteCalls::default(),
            new: SiteCalls::default(),
        }
    }

    /// The row with the difference of blocks, if there is one.
    fn row(&self, line: Option<u32>) -> Option<(HeapSite, i64)> {
        let bytes = HeapAmount::new(self.old.bytes, self.new.bytes);
        let blocks = HeapAmount::new(self.old.blocks, self.new.blocks);
        if (bytes.diff, blocks.diff) == (0, 0) {
            return None;
        }
        let (old, new) = (self.old.record(), self.new.record());
        let site = HeapSite {
            diff: bytes.diff,
            function: site_name(self.function.name),
            file: self.function.file.map(str::to_owned),
            line,
            origin: self.function.origin,
            text: site_text(old.as_ref(), new.as_ref()),
            old,
            new,
        };
        Some((site, blocks.diff))
    }
}

/// Allocations of one side at a place.
#[derive(Default)]
struct SiteCalls<'a> {
    bytes: u64,
    blocks: u64,
    /// Bytes and blocks by the function that is called.
    calls: BTreeMap<&'a str, (u64, u64)>,
}

impl<'a> SiteCalls<'a> {
    fn add(&mut self, sum: StackSum<'a>) {
        let add = |total: &mut u64, value: u64| *total = total.saturating_add(value);
        add(&mut self.bytes, sum.bytes);
        add(&mut self.blocks, sum.blocks);
        if let Some(call) = sum.call {
            let of_call = self.calls.entry(call).or_default();
            add(&mut of_call.0, sum.bytes);
            add(&mut of_call.1, sum.blocks);
        }
    }

    fn is_empty(&self) -> bool {
        (self.bytes, self.blocks) == (0, 0)
    }

    fn record(&self) -> Option<SiteAllocation> {
        if self.is_empty() {
            return None;
        }
        let mut calls: Vec<_> = self.calls.iter().collect();
        calls.sort_by_key(|(_, amounts)| std::cmp::Reverse(**amounts));
        let calls: Vec<&str> = calls.into_iter().map(|(call, _)| *call).collect();
        Some(SiteAllocation::new(&calls, self.bytes, self.blocks))
    }
}

#[cfg(test)]
mod tests;
