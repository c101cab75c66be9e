//! Profiles and executables to digests, while both are there.
//!
//! In: costs by instruction, symbols and debug information of the executables, and the user's
//! sources. Out: a [`Digest`], which explains the result when the executable is gone.
//!
//! ```text
//! files of Callgrind → profile, or a digest of the same            of_files.rs, fingerprint.rs
//! objects → bodies → calls (true counts) → what the roots reach    objects.rs, bodies.rs, calls.rs, reach.rs
//!         → stacks of inlined functions and rows                   frames.rs, row_table.rs
//!         → machine code of the most expensive bodies              code.rs
//!         → hashes and constants of all bodies, merged names       marks.rs
//!         → names, files, executed lines                           names.rs, strings.rs, texts.rs
//! ```

mod bodies;
mod calls;
mod code;
mod fingerprint;
mod frames;
mod marks;
mod names;
mod objects;
mod of_files;
mod reach;
mod row_table;
mod strings;
#[cfg(test)]
mod tests;
mod texts;

use std::path::Path;

use self::bodies::BodyTable;
use self::calls::Executions;
use self::code::CodeTable;
use self::frames::FrameTable;
pub use self::names::own_name;
use self::names::NameTable;
use self::objects::ObjectTable;
use self::row_table::RowTable;
use crate::digest::{BodyId, Digest, DigestHead, DigestRoot};
use base::entry_functions::EntryFunctions;
use base::own_places::OwnPlaces;
use formats::callgrind::{CostPlace, InstructionProfile};
use symbols::{CodeObject, Symbolizer};

/// Input from which a digest of a profile is built.
#[derive(Debug, Clone, Copy)]
pub struct DigestSources<'a> {
    /// The functions that count.
    pub entry: &'a EntryFunctions,
    /// Only the regions of `measure` count.
    pub regions: bool,
    /// The executables and libraries.
    pub symbolizer: &'a Symbolizer,
    /// The executable that ran.
    pub executable: &'a Path,
    /// Its number ([`Symbolizer::identity`]); 0: not known.
    pub identity: u64,
    /// The root of the user's workspace.
    pub workspace: &'a Path,
    /// The target directory, if it is known. Its libraries are the user's, wherever it lies.
    pub target: Option<&'a Path>,
    /// Does the allocator of the executable take each block from `malloc`? Absent if nobody tried;
    /// then its symbols tell.
    pub is_malloc: Option<bool>,
}

impl DigestSources<'_> {
    /// The digest of a profile in which all processes, threads and parts are added up; with
    /// regions, of what lies below them. Its rows add up to the totals of the profile, for each
    /// event.
    ///
    /// `fingerprint`: number of all that the digest is made of, if anybody asked; else 0.
    #[must_use]
    pub fn digest(&self, profile: &InstructionProfile, fingerprint: u64) -> Digest {
        let mut names = NameTable::new(self.workspace);
        let objects = ObjectTable::open(profile, self, &mut names);
        let executions = Executions::new(profile, &objects);
        let mut bodies = BodyTable::new(profile, &objects);
        let of_rows: Vec<BodyId> = profile.rows.iter().map(|row| bodies.of(row)).collect();
        // Calls add bodies without own costs.
        let calls = calls::found(profile, &objects, &executions, &mut bodies);
        let costly = costly(profile, &of_rows, &bodies);
        let reached = reach::reached(profile, &calls, &costly, &bodies, self);
        // Before nodes and rows are made: these have the numbers of the bodies that are left.
        let numbers = bodies.keep(&reached.is_reached);
        let number = |body: BodyId| numbers[body.index()];

        let mut frames = FrameTable::new(profile, &objects, &mut names);
        let mut rows = RowTable::default();
        let mut code = CodeTable::new(profile, bodies.all().len());
        for index in counted(profile) {
            if let Some(body) = number(of_rows[index]) {
                let place = frames.of(&profile.rows[index], body);
                rows.add(place, index);
                code.add(index, body, place);
            }
        }
        let calls = calls.iter().filter_map(|call| call.renumbered(number));
        let (calls, call_costs) = calls::by_line(profile, calls, &bodies, &mut frames);
        let (rows, row_costs, totals) = rows.finish(profile);
        let (nodes, functions) = frames.finish();
        let code = code.finish(&nodes, &functions, &bodies, &objects, &mut names);
        let constants = marks::constants(&bodies, &objects, &executions);
        let merged = marks::merged(&bodies, &objects, &mut names);
        let bodies = bodies.finish(&executions, &functions, &mut names);
        let roots = reached.roots.into_iter().filter_map(number).collect();
        let head = DigestHead {
            fingerprint,
            ..self.head(profile, &objects, roots, totals, &mut names)
        };
        let built = objects.executable().and_then(CodeObject::written);
        let mut digest = Digest {
            head,
            bodies,
            nodes,
            rows,
            row_costs,
            calls,
            call_costs,
            code,
            constants,
            merged,
            objects: objects.finish(),
            ..Digest::default()
        };
        if let Some(built) = built {
            texts::add(&mut digest, built, self.symbolizer, &mut names);
        }
        names.finish_into(&mut digest);
        digest
    }

    /// The places of the user's code.
    fn own_places(&self) -> OwnPlaces<'_> {
        OwnPlaces {
            executable: self.executable,
            workspace: self.workspace,
            target: self.target,
        }
    }

    fn head(
        &self,
        profile: &InstructionProfile,
        objects: &ObjectTable,
        roots: Vec<BodyId>,
        totals: Vec<u64>,
        names: &mut NameTable,
    ) -> DigestHead {
        let executable = objects.executable();
        let producer = executable.and_then(|object| object.debug_facts().producer.as_deref());
        DigestHead {
            executable: self.identity,
            events: profile.events.iter().map(|name| names.text(name)).collect(),
            totals,
            root: match self.regions {
                true => DigestRoot::Regions,
                false => DigestRoot::EntryPoint,
            },
            roots,
            producer: producer.map(|text| names.text(text)),
            target: executable.map(|object| names.text(object.instruction_set().name())),
            by_instruction: profile.by_instruction,
            true_calls: profile.by_instruction,
            is_malloc: objects.are_known_to_use_malloc(),
            ..DigestHead::default()
        }
    }
}

/// Places of all rows and calls.
fn places(profile: &InstructionProfile) -> impl Iterator<Item = CostPlace> + '_ {
    let calls = profile.calls.iter();
    let of_calls = calls.flat_map(|call| [call.site, call.callee]);
    profile.rows.iter().copied().chain(of_calls)
}

/// Rows with costs, by object and address, as debug information is looked up fastest.
fn counted(profile: &InstructionProfile) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..profile.rows.len())
        .filter(|row| has_costs(profile.own(*row)))
        .collect();
    rows.sort_unstable_by_key(|row| (profile.rows[*row].object, profile.rows[*row].address));
    rows
}

/// For each body, whether it has costs of its own.
fn costly(profile: &InstructionProfile, of_rows: &[BodyId], bodies: &BodyTable<'_>) -> Vec<bool> {
    let mut costly = vec![false; bodies.all().len()];
    for (row, body) in of_rows.iter().enumerate() {
        costly[body.index()] |= has_costs(profile.own(row));
    }
    costly
}

fn has_costs(costs: &[u64]) -> bool {
    costs.iter().any(|cost| *cost > 0)
}
