//! Selection of benchmarks by a command line, by libtest's rules plus globs.
//!
//! The path of a benchmark is `file::group::function::id`. A filter is a substring of it, with
//! `--exact` the whole path, or, if it contains `*`, `?` or `[`, a glob over the whole path.

use crate::shared::glob::{is_closed, Syntax};

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
        self.selects_named(path, None)
    }

    /// Is the benchmark with this path selected, which may have another name as well?
    #[must_use]
    pub fn selects_named(&self, path: &str, title: Option<&str>) -> bool {
        let any = |filters: &[String]| {
            self.any(filters, path) || title.is_some_and(|title| self.any(filters, title))
        };
        (self.select.is_empty() || any(&self.select)) && !any(&self.skip)
    }

    /// Mistake in a filter that is a glob. A filter with one would match nothing, silently.
    #[must_use]
    pub fn mistake(&self) -> Option<String> {
        if self.exact {
            return None;
        }
        for filters in &[&self.select, &self.skip] {
            for filter in *filters {
                if !is_closed(filter) {
                    return Some(format!(
                        "the filter `{filter}` is a pattern with a `[` that no `]` closes; `\\[` stands \
                         for the character itself, and with `--exact` no character is special"
                    ));
                }
            }
        }
        None
    }

    fn any(&self, filters: &[String], path: &str) -> bool {
        for filter in filters {
            if self.matches(filter, path) {
                return true;
            }
        }
        false
    }

    fn matches(&self, filter: &str, path: &str) -> bool {
        if self.exact {
            path == filter
        } else if Syntax::Shell.is_pattern(filter) {
            Syntax::Shell.matches(filter, path)
        } else {
            path.contains(filter)
        }
    }
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
        check("f::g::?", "f::g::ä", true);
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
    fn both_names_match() {
        let select = vec!["g/f".to_owned()];
        let mut filter = Filter {
            select,
            ..Filter::default()
        };
        assert!(!filter.selects("b::g::f"));
        assert!(filter.selects_named("b::g::f", Some("g/f")));
        filter.skip.push("::f".to_owned());
        assert!(!filter.selects_named("b::g::f", Some("g/f")));
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
