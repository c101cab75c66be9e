//! Which benchmarks a command line selects, by libtest's rules plus patterns.
//!
//! The path of a benchmark is `file::group::function::id`. A filter is a substring of it, with
//! `--exact` the whole path, or, if it contains `*`, `?` or `[`, a pattern over the whole path.

/// Selects benchmarks by their path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Any of these must match; none at all selects everything.
    pub select: Vec<String>,
    /// None of these may match.
    pub skip: Vec<String>,
    /// Texts match whole paths instead of parts.
    pub exact: bool,
}

impl Filter {
    /// Is the benchmark with this path selected?
    #[must_use]
    pub fn selects(&self, path: &str) -> bool {
        let selected = self.select.is_empty() || self.select.iter().any(|f| self.matches(f, path));
        selected && !self.skip.iter().any(|f| self.matches(f, path))
    }

    /// What is wrong with a filter that is a pattern. Such a filter would match nothing, silently.
    #[must_use]
    pub fn mistake(&self) -> Option<String> {
        let mut patterns = self.select.iter().chain(&self.skip);
        let wrong = patterns.find(|filter| !self.exact && !is_closed(filter.as_bytes()))?;
        Some(format!(
            "the filter `{wrong}` is a pattern with a `[` that no `]` closes; `\\[` stands for the \
             character itself, and with `--exact` no character is special"
        ))
    }

    fn matches(&self, filter: &str, path: &str) -> bool {
        if self.exact {
            path == filter
        } else if filter.contains(['*', '?', '[']) {
            glob(filter.as_bytes(), path.as_bytes())
        } else {
            path.contains(filter)
        }
    }
}

/// Shell patterns: `*` any text, `?` one byte, `[abc]`, `[a-c]`, `[!abc]`, `\` takes the next
/// byte as it is. A class that is not closed matches itself literally.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let Some((&first, rest)) = pattern.split_first() else {
        return text.is_empty();
    };
    match first {
        b'*' => (0..=text.len()).any(|skipped| glob(rest, &text[skipped..])),
        b'[' => match class(rest) {
            Some((set, after)) => text
                .split_first()
                .is_some_and(|(byte, text)| set.contains(*byte) && glob(after, text)),
            None => literal(first, rest, text),
        },
        b'?' => !text.is_empty() && glob(rest, &text[1..]),
        b'\\' if !rest.is_empty() => literal(rest[0], &rest[1..], text),
        _ => literal(first, rest, text),
    }
}

/// Is every class of a pattern closed?
fn is_closed(pattern: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'\\', _, rest @ ..] => is_closed(rest),
        [b'[', rest @ ..] => class(rest).is_some_and(|(_, after)| is_closed(after)),
        [_, rest @ ..] => is_closed(rest),
    }
}

fn literal(byte: u8, pattern: &[u8], text: &[u8]) -> bool {
    text.first() == Some(&byte) && glob(pattern, &text[1..])
}

struct Class<'a> {
    members: &'a [u8],
    negated: bool,
}

impl Class<'_> {
    fn contains(&self, byte: u8) -> bool {
        let mut members = self.members;
        let mut found = false;
        while let Some((&low, rest)) = members.split_first() {
            if let [b'-', high, rest @ ..] = rest {
                found |= (low..=*high).contains(&byte);
                members = rest;
            } else {
                found |= low == byte;
                members = rest;
            }
        }
        found != self.negated
    }
}

/// Splits what follows `[` into the class and the rest of the pattern.
fn class(pattern: &[u8]) -> Option<(Class<'_>, &[u8])> {
    let negated = pattern.first() == Some(&b'!');
    let body = &pattern[usize::from(negated)..];
    // A `]` right at the beginning is a member.
    let end = 1 + body.get(1..)?.iter().position(|&byte| byte == b']')?;
    let members = &body[..end];
    Some((Class { members, negated }, &body[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[track_caller]
    fn check(filter: &str, path: &str, expected: bool) {
        let filter = Filter {
            select: vec![filter.to_owned()],
            ..Filter::default()
        };
        assert_eq!(filter.selects(path), expected, "{filter:?} on {path}");
    }

    #[test]
    fn text_is_a_part_of_the_path() {
        check("sort", "my_bench::group::bench_sort::id", true);
        check("group::bench", "my_bench::group::bench_sort::id", true);
        check("Sort", "my_bench::group::bench_sort::id", false);
    }

    #[test]
    fn patterns_cover_the_whole_path() {
        check("*::small", "f::g::sort::small", true);
        check("*::small", "f::g::sort::small_2", false);
        check("f::*::sort::*", "f::g::sort::small", true);
        check("f::?::sort", "f::g::sort", true);
        check("*_[0-2]", "f::g::sort::n_1", true);
        check("*_[!0-2]", "f::g::sort::n_1", false);
        check("*_[]x]", "f::g::n_]", true);
        check("*[", "f::g::n", false);
        check("*[", "f::g::n[", true);
        check(r"f\*?", "f*x", true);
    }

    #[test]
    fn open_classes_are_mistakes() {
        let mistake = |filter: &str, exact| {
            let select = vec!["good".into(), filter.to_owned()];
            let skip = Vec::new();
            Filter {
                select,
                skip,
                exact,
            }
            .mistake()
        };
        for open in ["*[", "[a", "a[]", "a[!]", "a[b]c["] {
            assert!(
                mistake(open, false).is_some_and(|text| text.contains(open)),
                "{open}"
            );
            assert_eq!(mistake(open, true), None);
        }
        for closed in ["a", "[a]", "a[]]", r"a\[", "*]", ""] {
            assert_eq!(mistake(closed, false), None, "{closed}");
        }
    }

    #[test]
    fn several_texts_are_alternatives_and_skip_wins() {
        let filter = Filter {
            select: vec!["a".into(), "b".into()],
            skip: vec!["slow".into()],
            exact: false,
        };
        assert!(filter.selects("f::g::a"));
        assert!(filter.selects("f::g::b"));
        assert!(!filter.selects("f::g::c"));
        assert!(!filter.selects("f::g::a_slow"));
    }

    #[test]
    fn exact_takes_whole_paths_only() {
        let filter = Filter {
            select: vec!["f::g::a".into()],
            exact: true,
            ..Filter::default()
        };
        assert!(filter.selects("f::g::a"));
        assert!(!filter.selects("f::g::a::b"));
    }
}
