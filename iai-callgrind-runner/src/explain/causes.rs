//! Causes as they are told: names, whole numbers and words for what was found.

use super::contract::DissolvedFunction;
use super::display::ShownFunctions;
use super::explanation::{
    Cause, CauseDetail, DetailKind, ExplainedRow, FunctionStory, InliningChange, StoryKind,
};
use super::flow::{CauseFlow, CausePart, PartKind};
use super::pair::PairNumber;
use super::place::{name_of_unit, place, CauseNames, PlacedCause};
use super::rounding::{round, rounded};
use super::sides::{SharedNames, SideGraph, SourceLine, NEW, NONE, OLD};
use super::stories::{texts, PLAIN};
use super::units::{CodeState, Units};
use crate::explain::digest::SourceOrigin;

/// Parts of a cause that are kept at most.
const PARTS: usize = 8;

/// Functions that a part came through, at most; those in the middle are left out.
const CHAIN: usize = 8;

/// What was found out about two results.
pub(super) struct FoundCauses<'a> {
    pub(super) graphs: &'a [SideGraph; 2],
    pub(super) units: &'a Units,
    pub(super) flow: &'a CauseFlow,
    pub(super) dissolved: &'a [DissolvedFunction],
    pub(super) shown: &'a ShownFunctions<'a>,
    /// Paths of the files, and of inlined functions.
    pub(super) names: &'a SharedNames<'a>,
}

impl FoundCauses<'_> {
    /// The rows. `None`: the causes do not add up to the difference.
    pub(super) fn rows(&self, difference: i64, counted: f64) -> Option<Vec<ExplainedRow<Cause>>> {
        let names = CauseNames {
            graphs: self.graphs,
            units: self.units,
            paths: &self.names.inlined,
            origin: &|function| self.shown.origin(function),
        };
        let causes = place(self.flow, &names);
        let rounded = rounded(causes, difference, counted)?;
        let causes = rounded.causes.iter();
        let mut rows: Vec<ExplainedRow<Cause>> = causes
            .map(|(cause, diff)| ExplainedRow::One(self.cause(cause, *diff)))
            .collect();
        if let Some((rest, diff)) = rounded.rest {
            rows.push(ExplainedRow::Rest { rest, diff });
        }
        Some(rows)
    }

    /// Every function that both sides executed has the code of before. Other functions run as well then, because the data ask
    /// for them: the code that calls a function says which one.
    pub(super) fn no_code_changed(&self) -> bool {
        let units = &self.units.code[..self.units.outside()];
        let is_as_before = |code: &CodeState| matches!(code, CodeState::Same | CodeState::New);
        units.contains(&CodeState::Same) && units.iter().all(is_as_before)
    }

    /// Functions that are inlined otherwise, or have another name.
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

    fn cause(&self, placed: &PlacedCause, diff: i64) -> Cause {
        let is_user = self.shown.origin(placed.function) == SourceOrigin::User;
        let parts = self.details(placed, diff);
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

    fn details(&self, placed: &PlacedCause, diff: i64) -> Vec<CauseDetail> {
        let amounts: Vec<f64> = placed.parts.iter().map(|part| part.amount).collect();
        let rounded = round(&amounts, diff);
        let parts = placed.parts.iter().zip(rounded).take(PARTS);
        parts
            .map(|(part, diff)| self.detail(placed.function, part, diff))
            .collect()
    }

    fn detail(&self, function: PairNumber, part: &CausePart, diff: i64) -> CauseDetail {
        let mut units = Vec::new();
        let mut deepest = *part;
        while let PartKind::Through(unit) = deepest.kind {
            units.push(unit);
            let parts = self.flow.parts[unit as usize].iter();
            let largest = parts.max_by(|a, b| a.amount.abs().total_cmp(&b.amount.abs()));
            // A unit that passes something up has it from somewhere.
            let Some(largest) = largest else { break };
            deepest = *largest;
        }
        if units.len() > CHAIN {
            units.drain(CHAIN / 2..units.len() - CHAIN / 2);
        }
        let names = units.iter().map(|unit| self.unit_name(*unit as usize));
        let (kind, callee) = match deepest.kind {
            PartKind::Call(callee) => (DetailKind::Calls, Some(self.shown.name(callee))),
            PartKind::Entries => (DetailKind::Entries, None),
            PartKind::Own | PartKind::Through(_) => (DetailKind::Own, None),
        };
        let is_direct = units.is_empty() && kind == DetailKind::Own;
        CauseDetail {
            kind,
            callee,
            old: deepest.old.round() as u64,
            new: deepest.new.round() as u64,
            entries: self.entries(function).filter(|_| is_direct),
            diff,
            line: Some(part.line.line).filter(|line| *line > 0 && part.user != NONE),
            through: names.collect(),
        }
    }

    /// Executions of a function that both sides have the same number of, more than one.
    fn entries(&self, function: PairNumber) -> Option<u64> {
        let [old, new] = self.graphs.each_ref().map(|graph| {
            let has_body = graph.has_body.get(function as usize);
            match has_body {
                // What is inlined somewhere is executed more often than its body.
                Some(true) if !graph.is_inlined[function as usize] => {
                    graph.entries[function as usize]
                }
                _ => 0.0,
            }
        });
        (old == new && new > 1.0).then_some(new as u64)
    }

    fn unit_name(&self, unit: usize) -> String {
        self.shown.name(name_of_unit(unit, self.graphs, self.units))
    }
}
