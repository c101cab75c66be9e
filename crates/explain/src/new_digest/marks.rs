//! Facts about the code of bodies that tell two builds apart: hashes, constants, and the names of
//! merged functions.

use super::bodies::{BodyTable, FoundBody};
use super::calls::Executions;
use super::names::NameTable;
use super::objects::ObjectTable;
use crate::digest::{BodyConstant, BodyId, StringId};
use symbols::code::{library_hash, CodeHashes};
use symbols::{CodeBody, CodeObject};

/// Constants of a body that are kept, at most.
const MOST_CONSTANTS: usize = 256;

/// Names of a merged body that are kept, at most.
const MOST_NAMES: usize = 4;

/// Hashes of the code of a body. `name` is the one that Callgrind has.
pub(super) fn hashes(body: &FoundBody, name: &[u8], objects: &ObjectTable) -> CodeHashes {
    if let Some((object, code)) = own_code(body, objects) {
        return object.code_hashes(&code);
    }
    CodeHashes {
        code: match objects.get(body.object).library_build() {
            Some(build) => library_hash(build, &String::from_utf8_lossy(name)),
            None => 0,
        },
        ..CodeHashes::default()
    }
}

/// The constants that executed instructions refer to.
pub(super) fn constants(
    bodies: &BodyTable<'_>,
    objects: &ObjectTable,
    executions: &Executions,
) -> Vec<BodyConstant> {
    let mut constants = Vec::new();
    for (id, body) in bodies.numbered() {
        if let Some((object, code)) = own_code(body, objects) {
            let executed = |address| executions.of(body.object, address).is_some();
            let found = object.constants(&code, executed).into_iter();
            constants.extend(
                found
                    .take(MOST_CONSTANTS)
                    .map(|(offset, hash)| BodyConstant {
                        body: id,
                        offset,
                        hash,
                    }),
            );
        }
    }
    // An instruction with two operands has two constants.
    constants.dedup_by_key(|constant| (constant.body, constant.offset));
    constants
}

/// Further names of bodies that are several functions of the source.
pub(super) fn merged(
    bodies: &BodyTable<'_>,
    objects: &ObjectTable,
    names: &mut NameTable,
) -> Vec<(BodyId, StringId)> {
    let mut merged = Vec::new();
    for (id, body) in bodies.numbered() {
        if let Some((object, code)) = own_code(body, objects) {
            let others = object.merged_names(&code).into_iter().take(MOST_NAMES);
            merged.extend(others.map(|name| (id, names.callee(&name))));
        }
    }
    merged
}

/// The code of a body of the user's objects.
fn own_code<'a>(
    body: &FoundBody,
    objects: &'a ObjectTable,
) -> Option<(&'a CodeObject, CodeBody<'a>)> {
    let object = objects.get(body.object).own_code()?;
    Some((object, object.body_at(body.start?)?))
}
