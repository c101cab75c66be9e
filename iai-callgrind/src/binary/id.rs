//! Names of benchmarks that are computed at run time.

use std::fmt;

/// The longest id, in bytes: file names hold it beside other parts. The attributes have the same.
const MAX_LEN: usize = 120;

/// The name of a [`Bench`](crate::Bench) or [`BinaryBenchmark`](crate::BinaryBenchmark): letters,
/// digits and `_`, no digit first, of at most 120 bytes. Texts convert into it; one that is no id
/// is an error before anything runs.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Bench, BenchmarkId};
///
/// for lines in [10, 1000] {
///     let id = BenchmarkId::with_parameter("lines", lines);
///     assert_eq!(id.to_string(), format!("lines_{lines}"));
///     Bench::new(id);
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BenchmarkId(String);

impl BenchmarkId {
    /// An id from a text, which is not looked at.
    #[must_use]
    pub fn new<T>(id: T) -> Self
    where
        T: Into<String>,
    {
        Self(id.into())
    }

    /// The id, `_` and the parameter as it is displayed.
    #[must_use]
    #[doc(alias = "from_parameter")]
    pub fn with_parameter<T, P>(id: T, parameter: P) -> Self
    where
        T: AsRef<str>,
        P: fmt::Display,
    {
        Self(format!("{}_{parameter}", id.as_ref()))
    }

    /// Is the text an id? This is done for every benchmark before it runs.
    ///
    /// # Errors
    ///
    /// A text that says what is wrong with it.
    ///
    /// ```
    /// assert!(iai_callgrind::BenchmarkId::new("n-1").validate().is_err());
    /// ```
    #[inline]
    pub fn validate(&self) -> Result<(), String> {
        const RULE: &str = "an id has letters, digits and `_`, and no digit first";
        let Self(id) = self;
        if id.is_empty() {
            return Err(format!("the id is empty; {RULE}"));
        }
        let mut position = 0;
        for character in id.chars() {
            position += 1;
            let is_right = character == '_'
                || character.is_alphabetic()
                || (position > 1 && character.is_numeric());
            if !is_right {
                return Err(format!(
                    "the id `{id}` has the character {character:?} at position {position}; {RULE}"
                ));
            }
        }
        if id.len() > MAX_LEN {
            return Err(format!(
                "the id `{id}` has {} bytes; an id has at most {MAX_LEN}",
                id.len()
            ));
        }
        Ok(())
    }
}

impl fmt::Display for BenchmarkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<BenchmarkId> for String {
    fn from(id: BenchmarkId) -> Self {
        id.0
    }
}

impl<T> From<T> for BenchmarkId
where
    T: AsRef<str>,
{
    fn from(id: T) -> Self {
        Self(id.as_ref().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, expected: Result<(), &str>) {
        match (BenchmarkId::new(id).validate(), expected) {
            (Ok(()), Ok(())) => {}
            (Err(text), Err(part)) => assert!(text.contains(part), "{text}"),
            (found, _) => panic!("{id:?}: {found:?}"),
        }
    }

    #[test]
    fn ids_are_like_names_in_rust() {
        for id in ["a", "_", "_1", "A_b2", "größe", &"x".repeat(MAX_LEN)] {
            check(id, Ok(()));
        }
        check("", Err("empty"));
        check("1a", Err("'1' at position 1"));
        check("bad-id", Err("'-' at position 4"));
        check("ä b", Err("' ' at position 2"));
        check(&"x".repeat(MAX_LEN + 1), Err("has 121 bytes"));
    }

    #[test]
    fn parameters_are_appended() {
        assert_eq!(String::from(BenchmarkId::with_parameter("n", 10)), "n_10");
        assert_eq!(
            BenchmarkId::from("n_10"),
            BenchmarkId::new(String::from("n_10"))
        );
    }
}
