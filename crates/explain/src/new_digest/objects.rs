//! The executables and libraries of a profile.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::names::NameTable;
use super::{places, DigestSources};
use crate::digest::{DebugExtent, DigestObject, ObjectId};
use base::cargo_hash;
use formats::callgrind::{InstructionProfile, ProfileName};
use symbols::allocator::ElfImage;
use symbols::{CodeObject, DebugFacts};

/// The objects of a profile. Those of the user are open.
pub(super) struct ObjectTable {
    ids: FxHashMap<ProfileName, ObjectId>,
    list: Vec<FoundObject>,
}

/// Object of a profile.
pub(super) struct FoundObject {
    name: String,
    /// The file, if it is the user's and can be read.
    code: Option<Arc<CodeObject>>,
    facts: DigestObject,
    is_executable: bool,
    /// Each block that its code makes is known to come from the C library's `malloc`.
    is_malloc: bool,
}

impl ObjectTable {
    /// Opens the executable and all libraries.
    pub(super) fn open(
        profile: &InstructionProfile,
        sources: &DigestSources<'_>,
        names: &mut NameTable,
    ) -> Self {
        let mut table = Self {
            ids: FxHashMap::default(),
            list: Vec::new(),
        };
        for place in places(profile) {
            if !table.ids.contains_key(&place.object) {
                let path = Path::new(OsStr::from_bytes(profile.name(place.object)));
                let id = ObjectId(table.list.len() as u32);
                table.ids.insert(place.object, id);
                table.list.push(FoundObject::open(path, sources, names));
            }
        }
        table
    }

    /// The number of an object.
    pub(super) fn id(&self, name: ProfileName) -> ObjectId {
        self.ids[&name]
    }

    /// An object.
    pub(super) fn get(&self, id: ObjectId) -> &FoundObject {
        &self.list[id.index()]
    }

    /// The executable that ran, if it could be read.
    pub(super) fn executable(&self) -> Option<&CodeObject> {
        let mut executables = self.list.iter().filter(|object| object.is_executable);
        executables.find_map(|object| object.code.as_deref())
    }

    /// Does each block of the user's objects come from the C library's `malloc`, as far as is
    /// known?
    pub(super) fn are_known_to_use_malloc(&self) -> bool {
        self.list.iter().all(|object| object.is_malloc)
    }

    /// The objects as the digest has them.
    pub(super) fn finish(self) -> Vec<DigestObject> {
        self.list.into_iter().map(|object| object.facts).collect()
    }
}

impl FoundObject {
    fn open(path: &Path, sources: &DigestSources<'_>, names: &mut NameTable) -> Self {
        let is_executable = path == sources.executable;
        let is_own = sources.own_places().have(path);
        let symbolizer = sources.symbolizer;
        let code = is_own.then(|| symbolizer.object(path).ok()).flatten();
        let library = (!is_own).then(|| symbolizer.library(path)).flatten();
        let (build_id, debug_facts) = match (&code, &library) {
            (Some(code), _) => (code.build_id(), Some(code.debug_facts())),
            (None, Some(library)) => (library.build_id.as_deref(), Some(&library.debug_facts)),
            (None, None) => (None, None),
        };
        let name = shown_name(path, is_executable);
        Self {
            facts: DigestObject {
                name: names.text(&name),
                is_own,
                build_id: build_id.unwrap_or_default().into(),
                debug: debug_facts.map_or(DebugExtent::Names, extent),
            },
            name,
            code,
            is_executable,
            // Libraries of the system allocate with the C library.
            is_malloc: !is_own || is_known_to_use_malloc(path, sources),
        }
    }

    /// The file, if its symbols and its debug information are used. For system libraries Valgrind's
    /// names are, which may come from separate files.
    pub(super) fn own_code(&self) -> Option<&CodeObject> {
        self.code.as_deref()
    }

    /// The name, if it is no object of the user.
    pub(super) fn library(&self) -> Option<&str> {
        (!self.facts.is_own).then_some(&*self.name)
    }

    /// The build id, if it is no object of the user and has one.
    pub(super) fn library_build(&self) -> Option<&[u8]> {
        let has_one = !self.facts.is_own && !self.facts.build_id.is_empty();
        has_one.then_some(&self.facts.build_id)
    }
}

fn is_known_to_use_malloc(path: &Path, sources: &DigestSources<'_>) -> bool {
    // The harness tries the allocator of its own executable only.
    let tried = sources.is_malloc.filter(|_| path == sources.executable);
    tried.unwrap_or_else(|| ElfImage::of(path).is_some_and(|image| image.has_default_allocator()))
}

fn extent(facts: &DebugFacts) -> DebugExtent {
    match facts {
        facts if facts.has_declarations => DebugExtent::Full,
        facts if facts.has_inlined => DebugExtent::Lines,
        facts if facts.has_names => DebugExtent::Names,
        _ => DebugExtent::None,
    }
}

/// The file name; that of an executable without the hash that cargo adds.
fn shown_name(path: &Path, is_executable: bool) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let target = cargo_hash::without(&name).filter(|_| is_executable);
    target.unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_executables_are_without_the_hash_of_cargo() {
        let name = |path: &str, is_executable| shown_name(Path::new(path), is_executable);
        assert_eq!(name("/t/deps/sort-0123456789abcdef", true), "sort");
        assert_eq!(name("/t/deps/a-b-0123456789abcdef", true), "a-b");
        assert_eq!(name("/t/deps/sort-123", true), "sort-123");
        assert_eq!(name("/lib/x-0123456789abcdef", false), "x-0123456789abcdef");
        assert_eq!(name("/usr/lib/libc.so.6", false), "libc.so.6");
        assert_eq!(name("???", false), "???");
    }
}
