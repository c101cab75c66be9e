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

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.group)?;
        f.write_str("::")?;
        f.write_str(self.function)?;
        let Some(id) = self.id else { return Ok(()) };
        f.write_str("::")?;
        f.write_str(id)
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_id_may_be_missing() {
        let mut address = Address {
            group: "group",
            function: "function",
            id: None,
        };
        assert_eq!(address.to_string(), "group::function");
        address.id = Some("id");
        assert_eq!(address.to_string(), "group::function::id");
    }
}
