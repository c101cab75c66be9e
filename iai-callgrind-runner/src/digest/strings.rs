//! Texts of a digest, each once.

use crate::explain::digest::StringId;
use crate::fast_map::FastMap;

/// Longest text that is kept, in bytes. Generic names may have tens of thousands.
const LONGEST: usize = 300;

/// All texts of a digest.
#[derive(Debug, Default)]
pub(super) struct TextTable {
    ids: FastMap<Box<str>, StringId>,
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
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = StringId(self.list.len() as u32);
        self.list.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    /// All texts by their numbers.
    pub(super) fn finish(self) -> Vec<Box<str>> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
