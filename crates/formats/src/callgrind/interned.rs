//! Names of a profile, each once, for a reader of hundreds of megabytes a second.

use std::collections::hash_map::Entry;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// A number that stands for a name.
pub(super) type NameId = u32;

/// Every name once, one after the other in one piece of memory.
#[derive(Debug, Clone, Default)]
pub(super) struct InternedNames {
    /// Numbers of the names by hash. A name whose hash is taken has the next free number.
    ids: FxHashMap<u64, NameId>,
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl InternedNames {
    pub(super) fn id(&mut self, name: &[u8]) -> NameId {
        let mut hasher = FxHasher::default();
        hasher.write(name);
        let mut hash = hasher.finish();
        loop {
            match self.ids.entry(hash) {
                Entry::Occupied(known) => {
                    let id = *known.get();
                    if self.text(id) == name {
                        return id;
                    }
                    // Names are never removed, so the search for a name finds no gap before it.
                    hash = hash.wrapping_add(1);
                }
                Entry::Vacant(free) => {
                    let id = self.ends.len() as NameId;
                    free.insert(id);
                    self.text.extend_from_slice(name);
                    self.ends.push(self.text.len());
                    return id;
                }
            }
        }
    }

    /// Gives back the room for further names.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn text(&self, id: NameId) -> &[u8] {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[id]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_numbers() {
        let mut names = InternedNames::default();
        let all: Vec<String> = (0..10_000)
            .map(|n| format!("{}{n}", "x".repeat(n % 20)))
            .collect();
        for _ in 0..2 {
            for (index, name) in all.iter().enumerate() {
                assert_eq!(names.id(name.as_bytes()), index as NameId);
                assert_eq!(names.text(index as NameId), name.as_bytes());
            }
        }
        assert_eq!(names.id(b""), 10_000);
        assert_eq!((names.id(b"\0"), names.id(b"\0\0")), (10_001, 10_002));
    }

    #[test]
    fn names_with_the_same_hash_stay_apart() {
        let mut names = InternedNames::default();
        let first = names.id(b"first");
        let mut hasher = FxHasher::default();
        hasher.write(b"second");
        names.ids.insert(hasher.finish(), first);
        let second = names.id(b"second");
        assert_ne!(first, second);
        assert_eq!((names.id(b"first"), names.id(b"second")), (first, second));
    }
}
