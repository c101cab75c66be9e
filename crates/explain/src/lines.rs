//! Costs of the user's lines in two builds, side by side.
//!
//! In: two digests and a metric. Out: for each function that differs, its lines as both sources
//! have them. Lines are aligned by their texts, which the digests keep; without them by their
//! numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use iai_callgrind::protocol::EventKind;
use rustc_hash::FxHashMap;

use super::alignment::{align, AlignedItem};
use super::digest::Digest;
use super::line_sums::LineSums;
use super::pair::{FunctionPairs, PairNumber};
use super::sides::{side_graphs, DigestValues, SharedNames, SourceLine, NEW, OLD};
use super::units::Units;
use super::{ComparedDigests, ExplainError};

/// Functions that are compared line by line, at most.
const MOST: usize = 12;

/// A function that differs by less than this part of the one that differs most is left out.
const LEAST_PART: i128 = 50;

/// Lines before the first and behind the last one with costs that are aligned as well: digests have
/// their texts.
const AROUND: u32 = 2;

/// Lines whose costs differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineDifferences {
    /// Functions of the user, that with the largest differences first.
    pub functions: Vec<FunctionLines>,
    /// Number of functions that differ less and are left out.
    pub rest: usize,
}

/// Lines of a function in two builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionLines {
    /// The function.
    pub function: String,
    /// Path of the file.
    pub file: String,
    /// Both results have texts of the file. Otherwise lines with the same number are taken for the
    /// same.
    pub has_texts: bool,
    /// Lines with costs and those around and between them, as far as their texts are known.
    pub lines: Vec<LineDifference>,
}

/// A line of one or both builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDifference {
    /// The line and its costs before. `None`: the file had no such line.
    pub old: Option<LineCosts>,
    /// The line and its costs now. `None`: the file has no such line.
    pub new: Option<LineCosts>,
    /// Text of the line, if it is known.
    pub text: String,
}

/// A line of a source file with its inclusive costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCosts {
    /// The line, from 1; 0: all code of the function for which the compiler gave none.
    pub line: u32,
    /// Inclusive costs.
    pub costs: u64,
}

/// Costs of the lines of one function, by their numbers.
type CostsByLine = BTreeMap<u32, i128>;

/// The lines of the user's functions whose costs differ.
///
/// # Errors
///
/// The same errors as [`super::explain`].
pub fn line_differences(
    old: &Digest,
    new: &Digest,
    metric: EventKind,
) -> Result<LineDifferences, ExplainError> {
    let pairs = FunctionPairs::find(old, new);
    let compared = ComparedDigests::new(old, new, &pairs, metric)?;
    Ok(lines_of_functions(&compared, |size| LineRank {
        is_shown: size.difference > 0,
        size: size.difference,
    }))
}

/// The lines of the user's functions, including unchanged ones: first those with the largest
/// differences or costs.
#[must_use]
pub fn line_costs(compared: &ComparedDigests<'_>) -> LineDifferences {
    lines_of_functions(compared, |size| LineRank {
        is_shown: size.costs > 0,
        size: size.difference.max(size.costs),
    })
}

/// Costs of the lines of a function.
struct LineSize {
    /// Sum of the differences between lines of the same text.
    difference: i128,
    /// The costs of all lines, on the side that has more.
    costs: i128,
}

/// Rank of a function in the list.
struct LineRank {
    is_shown: bool,
    size: i128,
}

fn lines_of_functions(
    compared: &ComparedDigests<'_>,
    rank: impl Fn(LineSize) -> LineRank,
) -> LineDifferences {
    let ComparedDigests {
        digests,
        values,
        pairs,
        shown,
        ..
    } = compared;
    let mut names = SharedNames::default();
    let sums = line_sums(*digests, values, pairs, &mut names);
    let texts = digests.map(|digest| texts(digest, &names.files(digest)));
    let functions = by_function(sums);
    let ranked = |(key, sides): (&(PairNumber, u32), &[CostsByLine; 2])| {
        let rank = rank(LineSize {
            difference: difference(sides, [OLD, NEW].map(|side| texts[side].get(&key.1))),
            costs: costs(sides),
        });
        rank.is_shown.then_some((rank.size, *key))
    };
    let mut differing: Vec<(i128, (PairNumber, u32))> =
        functions.iter().filter_map(ranked).collect();
    differing.sort_unstable_by_key(|(difference, key)| (std::cmp::Reverse(*difference), *key));
    let largest = differing.first().map_or(0, |(difference, _)| *difference);
    let all = differing.len();
    differing.retain(|(difference, _)| difference.saturating_mul(LEAST_PART) >= largest);
    differing.truncate(MOST);
    let lines = differing.iter().map(|(_, key)| {
        let texts = [OLD, NEW].map(|side| texts[side].get(&key.1));
        FunctionLines {
            function: shown.name(key.0),
            file: names.texts[key.1 as usize].to_owned(),
            has_texts: texts.iter().all(Option::is_some),
            lines: side_by_side(&functions[key], texts),
        }
    });
    LineDifferences {
        functions: lines.collect(),
        rest: all - differing.len(),
    }
}

fn line_sums<'a>(
    digests: [&'a Digest; 2],
    values: &'a [DigestValues; 2],
    pairs: &'a FunctionPairs,
    names: &mut SharedNames<'a>,
) -> [FxHashMap<(PairNumber, SourceLine), i128>; 2] {
    let mut graphs = side_graphs(digests, values, pairs, names);
    let files = digests.map(|digest| names.files(digest));
    let sides = [&pairs.old[..], &pairs.new[..]];
    let units = Units::new(&mut graphs);
    [OLD, NEW].map(|side| {
        let sums = LineSums {
            digest: digests[side],
            values: &values[side],
            pairs: sides[side],
            files: &files[side],
            units: &units,
        };
        sums.sums()
    })
}

/// The lines of each function and file.
fn by_function(
    sums: [FxHashMap<(PairNumber, SourceLine), i128>; 2],
) -> BTreeMap<(PairNumber, u32), [CostsByLine; 2]> {
    let mut functions: BTreeMap<(PairNumber, u32), [CostsByLine; 2]> = BTreeMap::new();
    for (side, sums) in sums.into_iter().enumerate() {
        for ((function, place), sum) in sums {
            let lines = &mut functions.entry((function, place.file)).or_default()[side];
            // Calls of a recursion overlap in the profile, so a subtraction may leave less than
            // nothing.
            if sum > 0 {
                lines.insert(place.line, sum);
            }
        }
    }
    functions
}

/// Texts of the lines of each file.
fn texts<'a>(digest: &'a Digest, files: &[u32]) -> FxHashMap<u32, BTreeMap<u32, &'a str>> {
    let mut texts: FxHashMap<u32, BTreeMap<u32, &str>> = FxHashMap::default();
    for line in &digest.texts {
        let file = texts.entry(files[line.file.index()]).or_default();
        file.insert(line.line, digest.text(line.text));
    }
    texts
}

type FileTexts<'a> = [Option<&'a BTreeMap<u32, &'a str>>; 2];

/// Sum of the differences between lines of the same text, or else of the same number.
fn difference(sides: &[CostsByLine; 2], texts: FileTexts<'_>) -> i128 {
    let mut sums: HashMap<LineSign<'_>, i128> = HashMap::new();
    for (side, sign) in [(OLD, -1), (NEW, 1)] {
        for (line, sum) in &sides[side] {
            // A line that only moved has the same text on both sides, and cancels itself out.
            *sums.entry(line_sign(*line, side, texts)).or_default() += sign * sum;
        }
    }
    sums.values().map(|sum| sum.abs()).sum()
}

/// Costs of all lines of a function, on the side that has more.
fn costs(sides: &[CostsByLine; 2]) -> i128 {
    let sums = sides.iter().map(|lines| lines.values().sum());
    sums.max().unwrap_or(0)
}

/// Text of a line, or its number: lines with the same one are the same.
type LineSign<'a> = (&'a str, u32);

fn line_sign<'a>(line: u32, side: usize, texts: FileTexts<'a>) -> LineSign<'a> {
    let text = match texts {
        // With texts on one side alone, no line would find its equal.
        [Some(_), Some(_)] => texts[side].and_then(|texts| texts.get(&line)),
        _ => None,
    };
    // A key that no text can have, since texts of lines contain no line end.
    text.map_or(("\n", line), |text| (text.trim(), 0))
}

/// The lines of both sides, aligned.
fn side_by_side(sides: &[CostsByLine; 2], texts: FileTexts<'_>) -> Vec<LineDifference> {
    let lines = [OLD, NEW].map(|side| known_lines(&sides[side], side, texts));
    let signs = [OLD, NEW].map(|side| {
        let signs = lines[side].iter();
        let signs = signs.map(|line| line_sign(*line, side, texts));
        signs.collect::<Vec<LineSign<'_>>>()
    });
    let costs = |side: usize, index: usize| {
        let line = lines[side][index];
        let costs = sides[side].get(&line).copied().unwrap_or(0);
        LineCosts {
            line,
            // Only positive sums are kept (`by_function`).
            costs: u64::try_from(costs).unwrap_or(u64::MAX),
        }
    };
    let text = |side: usize, index: usize| {
        let line = lines[side][index];
        let text = texts[side].and_then(|texts| texts.get(&line));
        text.map_or(String::new(), |text| (*text).to_owned())
    };
    let aligned = align(&signs[OLD], &signs[NEW]).into_iter();
    let aligned = aligned.map(|item| match item {
        AlignedItem::Both(old, new) => LineDifference {
            old: Some(costs(OLD, old)),
            new: Some(costs(NEW, new)),
            // One side may have no texts.
            text: match text(NEW, new) {
                unknown if unknown.is_empty() => text(OLD, old),
                known => known,
            },
        },
        AlignedItem::Old(old) => LineDifference {
            old: Some(costs(OLD, old)),
            new: None,
            text: text(OLD, old),
        },
        AlignedItem::New(new) => LineDifference {
            old: None,
            new: Some(costs(NEW, new)),
            text: text(NEW, new),
        },
    });
    trimmed(aligned.collect())
}

/// Lines with costs, and those around and between them whose texts are known.
fn known_lines(lines: &CostsByLine, side: usize, texts: FileTexts<'_>) -> Vec<u32> {
    let mut known: BTreeSet<u32> = lines.keys().copied().collect();
    // Line 0 is code without a line and has no neighbours.
    let first = lines.keys().find(|line| **line > 0);
    if let ([Some(_), Some(_)], Some(first), Some(last)) = (texts, first, known.last()) {
        let near = first.saturating_sub(AROUND)..=last.saturating_add(AROUND);
        let near = texts[side].map(|texts| texts.range(near));
        known.extend(near.into_iter().flatten().map(|(line, _)| *line));
    }
    known.into_iter().collect()
}

/// Leaves out lines without costs before the first and behind the last line with costs. Code
/// without a line is kept.
fn trimmed(lines: Vec<LineDifference>) -> Vec<LineDifference> {
    let sides = |line: &LineDifference| [line.old, line.new].into_iter().flatten();
    let has_line = |line: &LineDifference| sides(line).any(|side| side.line > 0);
    let has_costs =
        |line: &LineDifference| has_line(line) && sides(line).any(|side| side.costs > 0);
    let first = lines.iter().position(has_costs);
    let last = lines.iter().rposition(has_costs);
    let near = match (first, last) {
        (Some(first), Some(last)) => first..last + 1,
        _ => 0..0,
    };
    let lines = lines.into_iter().enumerate();
    let kept = lines.filter(|(index, line)| near.contains(index) || !has_line(line));
    kept.map(|(_, line)| line).collect()
}
