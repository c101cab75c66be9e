//! The functions of the machine code that a profile knows.
//!
//! In objects of the user a body is a symbol, so instances of a generic function are several.
//! Elsewhere, and where there are no symbols, it is what Callgrind has one name for.

use rustc_hash::FxHashMap;

use super::calls::Executions;
use super::frames::NO_FILE;
use super::marks;
use super::names::NameTable;
use super::objects::ObjectTable;
use crate::digest::{BodyId, DigestBody, FunctionId, ObjectId};
use crate::is_address;
use formats::callgrind::{CostPlace, InstructionProfile, ProfileName};

/// All bodies that were met.
pub(super) struct BodyTable<'a> {
    profile: &'a InstructionProfile,
    objects: &'a ObjectTable,
    by_start: FxHashMap<(ObjectId, u64), BodyId>,
    by_name: FxHashMap<(ObjectId, &'a [u8]), BodyId>,
    list: Vec<FoundBody>,
    /// The body that was found last: most places that follow are in it.
    last: Option<BodyId>,
}

/// Body of a profile.
#[derive(Debug, Clone)]
pub(super) struct FoundBody {
    pub(super) object: ObjectId,
    /// Address of its first instruction, where it is known.
    pub(super) start: Option<u64>,
    /// Bytes of its code; 0: not known.
    pub(super) size: u64,
    /// Its name as Callgrind has it.
    pub(super) name: ProfileName,
    /// The file of the place that was met first.
    pub(super) file: ProfileName,
}

impl<'a> BodyTable<'a> {
    pub(super) fn new(profile: &'a InstructionProfile, objects: &'a ObjectTable) -> Self {
        Self {
            profile,
            objects,
            by_start: FxHashMap::default(),
            by_name: FxHashMap::default(),
            list: Vec::new(),
            last: None,
        }
    }

    /// The body of a place.
    pub(super) fn of(&mut self, place: &CostPlace) -> BodyId {
        let object = self.objects.id(place.object);
        let is_in = |id: &BodyId| {
            let body = &self.list[id.index()];
            let start = body.start.unwrap_or(u64::MAX);
            let offset = place.address.checked_sub(start);
            body.object == object && offset.is_some_and(|offset| offset < body.size)
        };
        // Neighbouring places of a profile are most often in the same body.
        if let Some(last) = self.last.filter(is_in) {
            return last;
        }
        let code = self.objects.get(object).own_code();
        let symbol = code.and_then(|code| code.body_at(place.address));
        // Without instructions all addresses are 0.
        let symbol = symbol.filter(|_| self.profile.by_instruction);
        let next = BodyId(self.list.len() as u32);
        let id = *match symbol {
            Some(symbol) => self.by_start.entry((object, symbol.start)).or_insert(next),
            None => {
                let name = self.profile.plain_name(place.function);
                self.by_name.entry((object, name)).or_insert(next)
            }
        };
        if id == next {
            self.list.push(FoundBody {
                object,
                start: symbol.map(|symbol| symbol.start),
                size: symbol.map_or(0, |symbol| symbol.size),
                name: place.function,
                file: place.file,
            });
        }
        self.last = Some(id);
        id
    }

    /// The body that is called at this place, which is its first instruction.
    pub(super) fn called(&mut self, place: &CostPlace) -> BodyId {
        let id = self.of(place);
        let start = &mut self.list[id.index()].start;
        if self.profile.by_instruction {
            // Without a symbol, the place of a call is the only known beginning.
            start.get_or_insert(place.address);
        }
        id
    }

    /// Removes the other bodies, and returns the new numbers of those that stay.
    pub(super) fn keep(&mut self, is_kept: &[bool]) -> Vec<Option<BodyId>> {
        let mut next = 0;
        let numbers: Vec<Option<BodyId>> = is_kept
            .iter()
            .map(|is_kept| {
                let number = BodyId(next);
                next += u32::from(*is_kept);
                is_kept.then_some(number)
            })
            .collect();
        let mut kept = is_kept.iter();
        self.list.retain(|_| *kept.next().unwrap_or(&false));
        // The numbers have changed, so these tables are no longer valid.
        self.by_start = FxHashMap::default();
        self.by_name = FxHashMap::default();
        self.last = None;
        numbers
    }

    /// All bodies by their numbers.
    pub(super) fn all(&self) -> &[FoundBody] {
        &self.list
    }

    /// All bodies with their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (BodyId, &FoundBody)> {
        (0..).map(BodyId).zip(&self.list)
    }

    /// Converts the bodies for the digest. `functions` are those of the debug information.
    pub(super) fn finish(
        self,
        executions: &Executions,
        functions: &FxHashMap<BodyId, FunctionId>,
        names: &mut NameTable,
    ) -> Vec<DigestBody> {
        // Instances of a function have one name, and so are one function.
        let mut by_name: FxHashMap<(ObjectId, &[u8]), FunctionId> = FxHashMap::default();
        let bodies = self.list.iter().enumerate();
        bodies
            .map(|(index, body)| {
                let function = functions.get(&BodyId(index as u32)).copied();
                let entry = body
                    .start
                    .and_then(|start| executions.of(body.object, start));
                let name = self.profile.plain_name(body.name);
                let found = self.objects.get(body.object);
                // A function without a symbol is a part of its library.
                let is_bare = is_address(&String::from_utf8_lossy(name));
                let library = found.library().filter(|_| is_bare);
                let name = library.map_or(name, str::as_bytes);
                let hashes = marks::hashes(body, name, self.objects);
                DigestBody {
                    function: function.unwrap_or_else(|| {
                        let file = self.profile.name(body.file);
                        let file = Some(file).filter(|file| *file != NO_FILE).map(|file| {
                            names.file(&String::from_utf8_lossy(file), found.library())
                        });
                        let known = by_name.entry((body.object, name));
                        *known.or_insert_with(|| names.named_function(name, file))
                    }),
                    object: body.object,
                    // A function of 4 GiB is a damaged symbol.
                    bytes: u32::try_from(body.size).unwrap_or(0),
                    code_hash: hashes.code,
                    shape: hashes.shape,
                    instances: hashes.instances,
                    entries: entry.unwrap_or(0),
                }
            })
            .collect()
    }
}
