//! Texts that were seen before.
//!
//! A small table instead of the one of the standard library, which would be compiled for every user.

/// A set of texts.
pub(crate) struct Seen {
    /// Each text is in the list with its number.
    lists: Vec<Vec<String>>,
    count: usize,
}

impl Seen {
    /// An empty set, for about this number of texts.
    pub(crate) fn new(expected: usize) -> Self {
        Self {
            lists: vec![Vec::new(); expected + 1],
            count: 0,
        }
    }

    /// Adds a text. Is it new?
    pub(crate) fn insert(&mut self, text: &str) -> bool {
        let mut number = 0_usize;
        for byte in text.as_bytes() {
            number = number.wrapping_mul(31).wrapping_add(usize::from(*byte));
        }
        let place = number % self.lists.len();
        for other in &self.lists[place] {
            if other == text {
                return false;
            }
        }
        self.lists[place].push(text.to_owned());
        self.count += 1;
        true
    }

    /// The number of different texts.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_new_once() {
        for expected in [0, 1, 500] {
            let mut seen = Seen::new(expected);
            for number in 0..500 {
                assert!(seen.insert(&format!("id_{number}")));
            }
            for number in 0..500 {
                assert!(!seen.insert(&format!("id_{number}")));
            }
            assert!(seen.insert("") && !seen.insert(""));
            assert_eq!(seen.count(), 501);
        }
    }
}
