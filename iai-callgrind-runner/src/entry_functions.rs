//! Which functions count, with all that they call.

use crate::measured_function;

/// Where the count begins and ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryFunctions {
    /// The measured copy of the benchmark function counts.
    pub measured: bool,
    /// Functions whose names match one of these count: `*` is any text, `?` one character.
    pub patterns: Vec<String>,
}

/// Nothing is left out.
pub static EVERYTHING: EntryFunctions = EntryFunctions {
    measured: false,
    patterns: Vec::new(),
};

impl EntryFunctions {
    /// Functions whose names match.
    pub fn of_patterns<T: Into<String>>(patterns: impl IntoIterator<Item = T>) -> Self {
        Self {
            measured: false,
            patterns: patterns.into_iter().map(T::into).collect(),
        }
    }

    /// Is nothing left out?
    pub fn is_everything(&self) -> bool {
        *self == EVERYTHING
    }

    /// Does this function count?
    pub(crate) fn has(&self, function: &str) -> bool {
        let is_measured = || {
            measured_function::is_frame(function)
                || measured_function::benchmark_of(function).is_some()
        };
        let mut patterns = self.patterns.iter();
        (self.measured && is_measured()) || patterns.any(|pattern| is_match(pattern, function))
    }
}

/// Does a pattern stand for more than one text?
pub(crate) fn has_wildcard(pattern: &str) -> bool {
    pattern.contains(['*', '?'])
}

/// Does a text match a pattern in which `*` stands for any text and `?` for one character?
pub(crate) fn is_match(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where to go on if what follows the last `*` turns out not to match: one character later.
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((after_star, from)) => {
                    retry = Some((after_star, from + 1));
                    (p, t) = (after_star, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        #[track_caller]
        fn check(pattern: &str, text: &str, expected: bool) {
            assert_eq!(is_match(pattern, text), expected, "{pattern} {text}");
        }
        check("main", "main", true);
        check("main", "main2", false);
        check("*::wrapper::*", "a::b::wrapper::c", true);
        check("*::wrapper::*", "wrapper::c", false);
        check("*a*b*", "xaxxabx", true);
        check("?", "é", true);
        check("?", "", false);
        check("**", "", true);
        check("", "", true);
        check("a*aab", "aaaaaaab", true);
    }
}
