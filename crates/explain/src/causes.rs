//! Causes in their final form: names, whole numbers and texts.

use super::allocator_functions::AllocatorRole;
use super::contract::DissolvedFunction;
use super::display::ShownFunctions;
use super::explanation::{
    CalleeCosts, Cause, CauseDetail, DetailKind, ExplainedRow, FunctionStory, InliningChange,
    StoryKind,
};
use super::flow::{merged, CauseFlow, CausePart, PartKind};
use super::pair::PairNumber;
use super::parts::{folded, CallSum, CallSums, PlaceOfCalls};
use super::place::{name_of_unit, place, CauseNames, PlacedCause};
use super::rounding::{round, rounded};
use super::sides::{SharedNames, SideGraph, SourceLine, NEW, NONE, OLD};
use super::stories::{texts, PLAIN};
use super::units::{CodeState, Units};
use crate::digest::SourceOrigin;

/// Parts of a cause that are kept at most.
const PARTS: usize = 8;

/// Functions that a part came through, at most; those in the middle are left out.
const CHAIN: usize = 8;

/// Analysis of two results from which the texts of causes are made.
pub(super) struct FoundCauses<'a> {
    pub(super) graphs: &'a [SideGraph; 2],
    pub(super) units: &'a Units,
    pub(super) flow: &'a CauseFlow,
    pub(super) dissolved: &'a [DissolvedFunction],
    pub(super) shown: &'a ShownFunctions<'a>,
    /// Paths of the files, and of inlined functions.
    pub(super) names: &'a SharedNames<'a>,
}

/// A part of a cause before it has words.
struct ToldPart {
    kind: DetailKind,
    callee: Option<PairNumber>,
    /// Old number of calls or blocks, or old own costs.
    old: f64,
    /// New number of calls or blocks, or new own costs.
    new: f64,
    /// Old and new costs of the calls.
    executed: Option<[f64; 2]>,
}

impl FoundCauses<'_> {
    /// The rows. `None`: the causes do not add up to the difference.
    pub(super) fn rows(&self, difference: i64, counted: f64) -> Option<Vec<ExplainedRow<Cause>>> {
        let names = CauseNames {
            graphs: self.graphs,
            units: self.units,
            paths: &self.names.inlined,
            origin: &|function| self.shown.origin(function),
            is_library: &|function| self.shown.is_library(function),
            role: &|function| self.role(function),
        };
        let sums = CallSums::new(self.graphs, self.units);
        let causes = place(self.flow, &names);
        let rounded = rounded(causes, difference, counted)?;
        let causes = rounded.causes.iter();
        let mut rows: Vec<ExplainedRow<Cause>> = causes
            .map(|(cause, diff)| ExplainedRow::One(self.cause(cause, *diff, &sums)))
            .collect();
        if let Some((rest, diff)) = rounded.rest {
            rows.push(ExplainedRow::Rest { rest, diff });
        }
        Some(rows)
    }

    /// Is the code of all functions that both sides executed unchanged? Functions that one side
    /// alone executed do not matter then: unchanged code calls them because of other data.
    pub(super) fn no_code_changed(&self) -> bool {
        // The outside is the last unit and has no code.
        let units = &self.units.code[..self.units.outside()];
        let is_as_before = |code: &CodeState| matches!(code, CodeState::Same | CodeState::New);
        // Compared with an empty result all code is new, which does not mean that the data changed.
        units.contains(&CodeState::Same) && units.iter().all(is_as_before)
    }

    /// Stories of functions whose inlining or name changed.
    pub(super) fn stories(&self, functions: usize) -> Vec<FunctionStory> {
        let inlined = self.dissolved.iter().map(|found| FunctionStory {
            kind: match found.side {
                NEW => StoryKind::NoLongerInlined,
                _ => StoryKind::InlinedNow,
            },
            function: self.shown.name(found.function),
            from: None,
            callers: found
                .callers
                .iter()
                .map(|caller| self.shown.name(*caller))
                .collect(),
        });
        let renamed = (0..functions as u32).filter_map(|function| {
            Some(FunctionStory {
                kind: StoryKind::Renamed,
                function: self.shown.name(function),
                from: Some(self.shown.renamed_from(function)?),
                callers: Vec::new(),
            })
        });
        inlined.chain(renamed).collect()
    }

    fn cause(&self, placed: &PlacedCause, diff: i64, sums: &CallSums) -> Cause {
        let is_user = self.shown.origin(placed.function) == SourceOrigin::User;
        let parts = self.details(placed, diff, sums);
        let line = Some(placed.line).filter(|line| is_user && line.line > 0);
        let path = |line: SourceLine| self.names.texts.get(line.file as usize);
        let mut cause = Cause {
            diff,
            function: self.shown.name(placed.function),
            file: match line.and_then(path) {
                Some(path) => Some((*path).to_owned()),
                None => self.shown.file(placed.function).filter(|_| is_user),
            },
            line: line.map(|line| line.line),
            origin: self.shown.origin(placed.function),
            text: String::new(),
            also: None,
            code: placed.code,
            through: parts
                .first()
                .map_or(Vec::new(), |part| part.through.clone()),
            inlining: self.inlining(placed.function),
            parts,
        };
        (cause.text, cause.also) = texts(&cause, &PLAIN);
        cause
    }

    fn inlining(&self, function: PairNumber) -> Option<InliningChange> {
        let mut dissolved = self.dissolved.iter();
        let found = dissolved.find(|found| found.function == function)?;
        let calls = found.calls.round() as u64;
        Some(match found.side {
            OLD => InliningChange::InlinedNow { calls },
            _ => InliningChange::NoLongerInlined { calls },
        })
    }

    fn details(&self, placed: &PlacedCause, diff: i64, sums: &CallSums) -> Vec<CauseDetail> {
        let amounts: Vec<f64> = placed.parts.iter().map(|part| part.amount).collect();
        // Rounded before the list is cut, since only all parts together are the row.
        let rounded = round(&amounts, diff);
        let parts = placed.parts.iter().zip(rounded).take(PARTS);
        parts
            .map(|(part, diff)| self.detail(placed.function, part, diff, sums))
            .collect()
    }

    fn detail(
        &self,
        function: PairNumber,
        part: &CausePart,
        diff: i64,
        sums: &CallSums,
    ) -> CauseDetail {
        let (mut units, deepest) = self.deepest(part);
        let place = match units.last() {
            Some(unit) => PlaceOfCalls::Unit(*unit),
            None => PlaceOfCalls::of(part),
        };
        let is_direct = units.is_empty();
        if units.len() > CHAIN {
            units.drain(CHAIN / 2..units.len() - CHAIN / 2);
        }
        let names = units.iter().map(|unit| self.unit_name(*unit as usize));
        let told = self.told(&deepest, place, sums);
        // A part is exact if recorded numbers alone give its difference; else it is an estimate.
        // Rounding may have moved one count from part to part.
        let is_difference = |[old, new]: [f64; 2]| (new - old - diff as f64).abs() <= 1.0;
        let entries = self.entries(function).filter(|_| is_direct);
        let entries = entries.filter(|_| told.kind == DetailKind::Own);
        // Own costs of as many executions as now, which are the old ones if that number stayed the
        // same.
        let scaled = entries.map(|[before, now]| [told.old / before * now, told.new]);
        let scaled = scaled.filter(|costs| is_difference(*costs));
        let is_exact = match (told.kind, told.executed.filter(|_| is_direct)) {
            (DetailKind::Own, _) if is_direct => {
                scaled.is_some() || is_difference([told.old, told.new])
            }
            (DetailKind::Own, _) => !part.is_share,
            (_, Some(executed)) => is_difference(executed),
            (_, None) => !part.is_share,
        };
        let entries = entries.filter(|_| scaled.is_some());
        CauseDetail {
            kind: told.kind,
            callee: told.callee.map(|callee| self.shown.name(callee)),
            old: scaled.map_or(told.old, |[old, _]| old).round() as u64,
            new: told.new.round() as u64,
            entries: entries.map(|[_, now]| now as u64),
            diff,
            estimate: !is_exact,
            executed: told
                .executed
                .filter(|_| is_direct)
                .map(|[old, new]| CalleeCosts {
                    old: old.round() as u64,
                    new: new.round() as u64,
                }),
            merged: told
                .callee
                .map_or(Vec::new(), |callee| self.shown.merged_with(callee)),
            line: Some(part.line.line).filter(|line| *line > 0 && part.user != NONE),
            through: names.collect(),
        }
    }

    /// The units that a part came through, and the largest part of the last one.
    fn deepest(&self, part: &CausePart) -> (Vec<u32>, CausePart) {
        let role = |function| self.role(function);
        let mut units = Vec::new();
        let mut deepest = *part;
        // This ends: a unit gets differences from lower units, or from above if its code changed,
        // and then it passes none up.
        while let PartKind::Through(unit) = deepest.kind {
            units.push(unit);
            let parts = self.flow.parts[unit as usize].clone();
            let parts = with_one_own(folded(parts, self.units, &role)).into_iter();
            let largest = parts.max_by(|a, b| a.amount.abs().total_cmp(&b.amount.abs()));
            // A unit that passes something up has it from somewhere.
            let Some(largest) = largest else { break };
            deepest = largest;
        }
        (units, deepest)
    }

    fn role(&self, function: PairNumber) -> Option<AllocatorRole> {
        AllocatorRole::of(self.shown.canonical(function))
    }

    /// Kind and numbers of a part that did not come through another unit.
    fn told(&self, part: &CausePart, place: PlaceOfCalls, sums: &CallSums) -> ToldPart {
        let told = |kind, callee, [old, new]: [f64; 2], executed| ToldPart {
            kind,
            callee,
            old,
            new,
            executed,
        };
        let inclusive = |sums: [CallSum; 2]| {
            let costs = sums.map(|sum| sum.inclusive);
            Some(costs).filter(|costs| *costs != [0.0, 0.0])
        };
        let counts = [part.old, part.new];
        match part.kind {
            PartKind::Call(callee) => {
                let executed = inclusive(sums.of(place, callee));
                told(DetailKind::Calls, Some(callee), counts, executed)
            }
            PartKind::Entries => told(DetailKind::Entries, None, counts, None),
            PartKind::Own | PartKind::Through(_) => told(DetailKind::Own, None, counts, None),
            PartKind::Allocator => {
                let executed = inclusive(sums.of_all(place, |one| self.role(one).is_some()));
                let blocks = |role| {
                    let sums = sums.of_all(place, |one| self.role(one) == Some(role));
                    sums.map(|sum| sum.count)
                };
                match blocks(AllocatorRole::Allocates) {
                    [0.0, 0.0] => {
                        let freed = blocks(AllocatorRole::Frees);
                        told(DetailKind::Frees, None, freed, executed)
                    }
                    allocated => told(DetailKind::Allocates, None, allocated, executed),
                }
            }
        }
    }

    /// Executions of a function on both sides, if both executed it more than once.
    fn entries(&self, function: PairNumber) -> Option<[f64; 2]> {
        if self.shown.is_library(function) {
            return None;
        }
        let entries = self.graphs.each_ref().map(|graph| {
            let has_body = graph.has_body.get(function as usize);
            match has_body {
                // The entries of the body alone would miss the executions of its inlined copies.
                Some(true) if !graph.is_inlined[function as usize] => {
                    graph.entries[function as usize]
                }
                _ => 0.0,
            }
        });
        entries
            .iter()
            // With one execution, the costs of each would only repeat the costs.
            .all(|entries| *entries > 1.0)
            .then_some(entries)
    }

    fn unit_name(&self, unit: usize) -> String {
        self.shown.name(name_of_unit(unit, self.graphs, self.units))
    }
}

/// Merges the own code of a unit into one part, with that of inlined functions of the user.
fn with_one_own(parts: Vec<CausePart>) -> Vec<CausePart> {
    let is_own = |part: &CausePart| part.kind == PartKind::Own;
    let (own, mut parts): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_own);
    let own = own.into_iter().map(|part| CausePart { user: NONE, ..part });
    parts.extend(merged(own.collect()));
    parts
}
