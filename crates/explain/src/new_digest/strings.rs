//! Texts of a digest, each once.

use std::collections::hash_map::Entry;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use crate::digest::StringId;

/// Longest text that is kept, in bytes. Generic names may have tens of thousands.
const LONGEST: usize = 300;

/// All texts of a digest.
#[derive(Debug, Default)]
pub(super) struct TextTable {
    /// Numbers by hash, since large profiles have a hundred thousand texts, and two of each would
    /// not do. A text whose hash is taken has the next free one.
    ids: FxHashMap<u64, StringId>,
    list: Vec<Box<str>>,
}

impl TextTable {
    /// The number of a text, which is cut if it is long.
    pub(super) fn id(&mut self, text: &str) -> StringId {
        let mut end = LONGEST.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let mut hash = hash(text);
        loop {
            match self.ids.entry(hash) {
                Entry::Occupied(known) if &*self.list[known.get().index()] == text => {
                    return *known.get();
                }
                // Texts are never removed, so the search for a text finds no gap before it.
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
                Entry::Vacant(free) => {
                    let id = StringId(self.list.len() as u32);
                    free.insert(id);
                    self.list.push(text.into());
                    return id;
                }
            }
        }
    }

    /// All texts by their numbers.
    pub(super) fn finish(self) -> Vec<Box<str>> {
        self.list
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_the_same_hash_stay_apart() {
        let mut texts = TextTable::default();
        let first = texts.id("first");
        texts.ids.insert(hash("second"), first);
        let second = texts.id("second");
        assert_ne!(first, second);
        assert_eq!((texts.id("first"), texts.id("second")), (first, second));
        assert_eq!(texts.finish(), ["first".into(), "second".into()]);
    }

    #[test]
    fn a_text_has_one_number_and_a_limit() {
        let mut texts = TextTable::default();
        assert_eq!(
            [texts.id("a"), texts.id("b"), texts.id("a")],
            [0, 1, 0].map(StringId)
        );
        let long = format!("{}ä", "x".repeat(LONGEST - 1));
        assert_eq!(texts.id(&long), StringId(2));
        assert_eq!(&*texts.finish()[2], "x".repeat(LONGEST - 1));
    }
}
