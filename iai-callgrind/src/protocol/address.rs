//! The name of a benchmark within its executable: `group::function` or `group::function::id`.

use std::fmt;

/// Names one benchmark of an executable.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address<'a> {
    /// The group's name.
    pub group: &'a str,
    /// The function's name.
    pub function: &'a str,
    /// The id of the case; a function without `#[bench]` has none.
    pub id: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// Reads the form that [`Display`](fmt::Display) writes. `None` if it has another number of
    /// parts or an empty part.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.splitn(3, "::");
        let address = Self {
            group: parts.next()?,
            function: parts.next()?,
            id: parts.next(),
        };
        let complete = !address.group.is_empty()
            && !address.function.is_empty()
            && address.id.is_none_or(|id| !id.is_empty());
        complete.then_some(address)
    }
}

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.group, self.function)?;
        match self.id {
            Some(id) => write!(f, "::{id}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn what_is_written_reads_back() {
        for text in ["group::function", "group::function::id"] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn incomplete_addresses_are_none() {
        for text in ["", "group", "group::", "::function", "group::function::"] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }
}
