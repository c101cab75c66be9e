//! Filters: regular expressions in Criterion, texts and globs here.
//!
//! People type a part of a name, sometimes with `^`, `$`, `.*` or `|`; this is converted into
//! filters of iai-callgrind. All other syntax is refused, since a filter with a different meaning
//! selects other benchmarks than asked for.

use iai_callgrind::protocol::Filter;

/// Selection of benchmarks in the source, for
/// [`Criterion::with_benchmark_filter`](crate::Criterion::with_benchmark_filter).
///
/// The variant with a compiled regular expression is missing;
/// [`Criterion::with_filter`](crate::Criterion::with_filter) takes the text of one.
///
/// ```
/// use iai_callgrind_criterion::{BenchmarkFilter, Criterion};
///
/// let exact = BenchmarkFilter::Exact("sorting/100".to_owned());
/// let _ = Criterion::default().with_benchmark_filter(exact);
/// ```
#[derive(Debug, Clone)]
pub enum BenchmarkFilter {
    /// All benchmarks.
    AcceptAll,
    /// The benchmark with this title.
    Exact(String),
    /// No benchmark.
    RejectAll,
}

/// The benchmarks that the source selects.
#[derive(Debug, Clone, Default)]
pub(crate) enum Selection {
    #[default]
    All,
    Matching(Filter),
    None,
}

impl Selection {
    /// The titles that match a regular expression.
    pub(crate) fn matching(regex: &str) -> Result<Self, String> {
        Ok(Self::Matching(Filter {
            select: filters(regex)?,
            ..Filter::default()
        }))
    }

    pub(crate) fn selects(&self, title: &str) -> bool {
        match self {
            Self::All => true,
            Self::Matching(filter) => filter.selects(title),
            Self::None => false,
        }
    }
}

impl From<BenchmarkFilter> for Selection {
    fn from(filter: BenchmarkFilter) -> Self {
        match filter {
            BenchmarkFilter::AcceptAll => Self::All,
            BenchmarkFilter::Exact(title) => Self::Matching(Filter {
                select: vec![title],
                exact: true,
                ..Filter::default()
            }),
            BenchmarkFilter::RejectAll => Self::None,
        }
    }
}

/// Our filters for a regular expression; any of them selects.
pub(crate) fn filters(regex: &str) -> Result<Vec<String>, String> {
    // No regular expression begins with a star, and paths are ours.
    if regex.starts_with('*') || regex.contains("::") {
        return Ok(vec![regex.to_owned()]);
    }
    alternatives(regex)
        .into_iter()
        .map(|alternative| {
            filter(alternative).map_err(|what| {
                format!(
                    "the filter `{regex}` is a regular expression with {what}, for which there is no filter here\n  \
                     hint: a filter is a part of the name; `^`, `$`, `.`, `.*`, `|` and classes as `[0-9]` mean what they mean \
                     in regular expressions, and `\\` takes the next character as it is. With `--exact` the filter is \
                     the whole name"
                )
            })
        })
        .collect()
}

/// The parts between `|` that are in no class.
fn alternatives(regex: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut is_escaped, mut in_class) = (0, false, false);
    for (at, c) in regex.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '|' if !in_class => {
                parts.push(&regex[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&regex[start..]);
    parts
}

/// A piece of a glob.
#[derive(PartialEq, Eq)]
enum Piece {
    Char(char),
    /// One of several characters, with its brackets.
    Class(String),
    /// Any one character.
    One,
    /// Any text.
    Any,
}

/// The filter for an alternative, or the syntax that has no equivalent.
fn filter(regex: &str) -> Result<String, String> {
    let regex = regex
        .strip_prefix('^')
        .map_or((false, regex), |rest| (true, rest));
    let (from_start, regex) = regex;
    let is_escaped = regex.ends_with("\\$");
    let (to_end, regex) = match regex.strip_suffix('$') {
        Some(rest) if !is_escaped => (true, rest),
        _ => (false, regex),
    };
    let mut pieces = pieces(regex)?;
    let is_text = pieces.iter().all(|piece| matches!(piece, Piece::Char(_)));
    let text = pieces.iter().map(|piece| match piece {
        Piece::Char(c) => *c,
        _ => ' ',
    });
    let text: String = text.collect();
    let is_plain = !text.contains(['*', '?', '[']);
    // A text without anchors is a part of the name in both languages.
    if is_text && is_plain && !from_start && !to_end {
        return Ok(text);
    }
    if from_start && to_end && is_text {
        // A text is a part unless it is a glob, and a class of one character makes it one.
        let alone = |piece: &Piece| matches!(piece, Piece::Char(c) if c.is_alphanumeric());
        match pieces.iter().position(alone) {
            Some(at) => {
                if let Piece::Char(c) = pieces[at] {
                    pieces[at] = Piece::Class(format!("[{c}]"));
                }
            }
            None => return Err("`^` and `$` around no letter".to_owned()),
        }
    }
    let mut glob = String::new();
    // A glob is the whole name, and a regular expression without anchors any part of it.
    if !from_start {
        glob.push('*');
    }
    for piece in pieces {
        match piece {
            Piece::Char(c) => {
                if "*?[\\".contains(c) {
                    glob.push('\\');
                }
                glob.push(c);
            }
            Piece::Class(class) => glob += &class,
            Piece::One => glob.push('?'),
            Piece::Any => glob.push('*'),
        }
    }
    if !to_end {
        glob.push('*');
    }
    Ok(glob)
}

fn pieces(regex: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = regex.chars().peekable();
    while let Some(c) = rest.next() {
        let piece = match c {
            '\\' => match rest.next() {
                Some(c) if !c.is_alphanumeric() => Piece::Char(c),
                Some(c) => return Err(format!("`\\{c}`")),
                None => return Err("a `\\` at its end".to_owned()),
            },
            '.' => match rest.peek() {
                Some('*') => {
                    rest.next();
                    Piece::Any
                }
                Some('+') => {
                    rest.next();
                    pieces.push(Piece::One);
                    Piece::Any
                }
                _ => Piece::One,
            },
            '[' => {
                let mut is_closed = false;
                let within = rest.by_ref().take_while(|c| {
                    is_closed = *c == ']';
                    !is_closed
                });
                let class: String = within.collect();
                if !is_closed {
                    return Err(format!("the class `[{class}` without an end"));
                }
                let is_simple =
                    !class.is_empty() && class != "^" && !class.contains(['\\', '[', '&']);
                if !is_simple {
                    return Err(format!("the class `[{class}]`"));
                }
                Piece::Class(format!("[{class}]"))
            }
            '*' | '+' | '?' | '(' | ')' | '{' | '}' | '^' | '$' | ']' => {
                return Err(format!("`{c}`"));
            }
            c => Piece::Char(c),
        };
        pieces.push(piece);
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these titles does a regular expression select?
    #[track_caller]
    fn check(regex: &str, selected: &[&str]) {
        let titles = [
            "sort/10", "sort/100", "sort/1.5", "big sort", "a*b", "x[0]", "+",
        ];
        let selection = Selection::matching(regex).unwrap();
        let found: Vec<&str> = titles
            .into_iter()
            .filter(|title| selection.selects(title))
            .collect();
        assert_eq!(found, selected, "{regex}: {:?}", filters(regex));
    }

    /// The expected titles are those that the crate `regex` finds.
    #[test]
    fn regular_expressions_select_what_they_match() {
        check("sort", &["sort/10", "sort/100", "sort/1.5", "big sort"]);
        check("sort/10", &["sort/10", "sort/100"]);
        check("^sort", &["sort/10", "sort/100", "sort/1.5"]);
        check("sort$", &["big sort"]);
        check("^sort/10$", &["sort/10"]);
        check("t.*5", &["sort/1.5"]);
        check("1.5|^x", &["sort/1.5", "x[0]"]);
        check("1.+0", &["sort/100"]);
        check("sort/1[^0]", &["sort/1.5"]);
        check("[a-b][ig*]", &["big sort", "a*b"]);
        check(r"a\*b", &["a*b"]);
        check(r"x\[0\]", &["x[0]"]);
        check(r"\+", &["+"]);
        check(r"1\.5", &["sort/1.5"]);
        check(
            "",
            &[
                "sort/10", "sort/100", "sort/1.5", "big sort", "a*b", "x[0]", "+",
            ],
        );
    }

    #[test]
    fn filters_of_the_source_select_whole_titles() {
        let exact = Selection::from(BenchmarkFilter::Exact("sort/10".to_owned()));
        assert!(exact.selects("sort/10"));
        assert!(!exact.selects("sort/100"));
        assert!(Selection::from(BenchmarkFilter::AcceptAll).selects("sort/10"));
        assert!(!Selection::from(BenchmarkFilter::RejectAll).selects("sort/10"));
    }

    #[test]
    fn filters_of_ours_stay() {
        assert_eq!(filters("*::sort").unwrap(), ["*::sort"]);
        assert_eq!(filters("file::g::s*").unwrap(), ["file::g::s*"]);
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        for (regex, what) in [
            ("(a|b)", "`(`"),
            ("a+", "`+`"),
            ("ab*", "`*`"),
            ("a{2}", "`{`"),
            (r"\d", r"`\d`"),
            ("a\\", "a `\\` at its end"),
            ("[ab", "the class `[ab` without an end"),
            (r"[\d]", r"the class `[\d]`"),
            ("a^b", "`^`"),
            ("^+$", "`+`"),
            (r"^\+$", "`^` and `$` around no letter"),
        ] {
            let error = filters(regex).unwrap_err();
            assert!(error.contains(&format!("with {what},")), "{regex}: {error}");
        }
    }
}
