//! Pairs of benchmarks whose counts have to be in a ratio: cases with the same id, or those that
//! the source names.
//!
//! The macro sees the names of functions only; which cases they have is known here.

use super::benchmarks::Function;
use super::table::{Ratio, RatioSide};

/// Two benchmarks of a group.
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(super) struct RatioPair {
    /// The benchmark that may count at most so much: function and id.
    pub(super) limited: (String, Option<String>),
    pub(super) number: &'static str,
    /// The benchmark whose count is multiplied by the number.
    pub(super) of: (String, Option<String>),
}

/// The pairs of the ratios of a group. A case without a partner is a mistake.
pub(super) fn pairs(
    group: &str,
    ratios: &'static [Ratio],
    functions: &[Function],
    mistakes: &mut Vec<String>,
) -> Vec<RatioPair> {
    let mut all = Vec::new();
    for ratio in ratios {
        let mut mistake = |text: String| {
            mistakes.push(format!("`ratios` of the group `{group}`: {text}"));
        };
        let (Some(limited), Some(of)) = (
            cases(&ratio.limited, functions, &mut mistake),
            cases(&ratio.of, functions, &mut mistake),
        ) else {
            continue;
        };
        for (function, id) in limited {
            // A named case is the one for all; without ids there is one case.
            let partner = |other: &&(&str, Option<&str>)| ratio.of.id.is_some() || other.1 == id;
            match of.iter().find(partner) {
                // Where all cases are held against one of them, that one is not held against
                // itself.
                Some(other) if *other == (function, id) => {}
                Some(other) => all.push(RatioPair {
                    limited: (function.to_owned(), id.map(str::to_owned)),
                    number: ratio.number,
                    of: (other.0.to_owned(), other.1.map(str::to_owned)),
                }),
                None => mistake(without_partner(ratio.of.function, function, id)),
            }
        }
    }
    all
}

fn without_partner(other: &str, function: &str, id: Option<&str>) -> String {
    match id {
        Some(id) => {
            format!("`{other}` has no case `{id}` as `{function}` has; cases are compared by id")
        }
        None => format!("`{other}` has no case without an id, as `{function}` is"),
    }
}

/// The cases of one side. `None`: there is no such function, or no such case.
fn cases<'a>(
    side: &RatioSide,
    functions: &'a [Function],
    mistake: &mut impl FnMut(String),
) -> Option<Vec<(&'a str, Option<&'a str>)>> {
    let mut all = functions.iter();
    let Some(function) = all.find(|function| function.name == side.function) else {
        mistake(format!("there is no benchmark `{}`", side.function));
        return None;
    };
    let cases = function.cases.iter();
    let cases = cases.map(|case| (function.name.as_str(), case.id.as_deref()));
    let cases: Vec<_> = cases
        .filter(|(_, id)| side.id.is_none() || *id == side.id)
        .collect();
    if let (true, Some(id)) = (cases.is_empty(), side.id) {
        mistake(format!("`{}` has no case `{id}`", side.function));
        return None;
    }
    Some(cases)
}

#[cfg(test)]
mod tests {
    use super::super::benchmarks::{Case, Code, Place};
    use super::super::table::Element;
    use super::*;

    fn function(name: &str, ids: &[&str]) -> Function {
        let case = |id: Option<&str>| Case {
            index: 0,
            element: Element::default(),
            id: id.map(str::to_owned),
            args: None,
            input: None,
            tears_down: false,
            config: None,
            scaling: None,
            throughput: None,
            #[cfg(feature = "registration")]
            title: None,
            code: Code::Function(|_| {}),
        };
        Function {
            index: 0,
            table: None,
            name: name.to_owned(),
            place: Place {
                file: "benches/b.rs",
                line: 7,
                column: 1,
            },
            config: None,
            equal_counts: false,
            cases: match ids {
                [] => vec![case(None)],
                ids => ids.iter().map(|id| case(Some(id))).collect(),
            },
            empty: Vec::new(),
        }
    }

    /// The pairs or, if there are some, the mistakes.
    #[track_caller]
    fn check(
        limited: (&'static str, &'static str),
        of: (&'static str, &'static str),
        expected: &[&str],
    ) {
        let functions = [
            function("fast", &["a", "b"]),
            function("slow", &["b", "a", "c"]),
            function("one", &[]),
            function("other", &[]),
        ];
        let side = |(function, id): (&'static str, &'static str)| RatioSide {
            function,
            id: Some(id).filter(|id| !id.is_empty()),
        };
        let ratios = vec![Ratio {
            limited: side(limited),
            number: "0.5",
            of: side(of),
        }];
        let mut found = Vec::new();
        let pairs = pairs("g", ratios.leak(), &functions, &mut found);
        let text = |(function, id): &(String, Option<String>)| {
            format!("{function}:{}", id.as_deref().unwrap_or_default())
        };
        if found.is_empty() {
            let pairs = pairs.iter();
            found = pairs
                .map(|pair| {
                    let (limited, of) = (text(&pair.limited), text(&pair.of));
                    format!("{limited} <= {} * {of}", pair.number)
                })
                .collect();
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn functions_are_paired_by_id() {
        let both = ["fast:a <= 0.5 * slow:a", "fast:b <= 0.5 * slow:b"];
        check(("fast", ""), ("slow", ""), &both);
        check(("one", ""), ("other", ""), &["one: <= 0.5 * other:"]);
    }

    #[test]
    fn a_named_case_is_the_one_for_all() {
        check(("fast", "a"), ("slow", "c"), &["fast:a <= 0.5 * slow:c"]);
        check(("fast", "b"), ("slow", ""), &["fast:b <= 0.5 * slow:b"]);
        let all = ["fast:a <= 0.5 * slow:c", "fast:b <= 0.5 * slow:c"];
        check(("fast", ""), ("slow", "c"), &all);
        check(("fast", "a"), ("one", ""), &[
            "`ratios` of the group `g`: `one` has no case `a` as `fast` has; cases are compared by id",
        ]);
        // Not with itself.
        check(("fast", ""), ("fast", "b"), &["fast:a <= 0.5 * fast:b"]);
    }

    #[test]
    fn what_has_no_partner_is_a_mistake() {
        check(("slow", ""), ("fast", ""), &[
            "`ratios` of the group `g`: `fast` has no case `c` as `slow` has; cases are compared by id",
        ]);
        check(
            ("one", ""),
            ("slow", ""),
            &["`ratios` of the group `g`: `slow` has no case without an id, as `one` is"],
        );
        check(
            ("fast", "x"),
            ("slow", ""),
            &["`ratios` of the group `g`: `fast` has no case `x`"],
        );
        check(
            ("gone", ""),
            ("slow", ""),
            &["`ratios` of the group `g`: there is no benchmark `gone`"],
        );
    }
}
