//! Expectations that are not met, below the metrics of a benchmark and in the final block.

use super::paint::Ink;
use super::scaling::{described, rising, FormulaLetters};
use super::Style;
use base::counted::grouped;
use explain::PartingPlace;
use verdict::{ExceededRatio, FasterGrowth, UnequalCount, UnmetExpectation};

/// `Counts are not equal: Instructions (1365) differ from 915 of early (+450)`, with lines for the
/// places where the two part.
pub fn line(unmet: &UnmetExpectation, letters: FormulaLetters, style: Style) -> String {
    let what = what(unmet, letters, style);
    match unmet {
        UnmetExpectation::Unequal {
            places, with_id, ..
        } => {
            let not_equal = style.paint(Ink::Bad, "not equal");
            let places = self::places(places, with_id, "  ");
            format!("Counts are {not_equal}: {what}\n{places}")
        }
        UnmetExpectation::Ratio(_) => {
            let too_large = style.paint(Ink::Bad, "too large");
            format!("Ratio is {too_large}: {what}\n")
        }
        UnmetExpectation::Growth { .. } => {
            let faster = style.paint(Ink::Bad, "faster than stated");
            format!("Counts grow {faster}: {what}\n")
        }
    }
}

/// `Instructions (1365) differ from 915 of early (+450)`, with lines for the places.
pub fn summary(unmet: &UnmetExpectation, letters: FormulaLetters, style: Style) -> String {
    let what = what(unmet, letters, style);
    let places = match unmet {
        UnmetExpectation::Unequal {
            places, with_id, ..
        } => self::places(places, with_id, "      "),
        UnmetExpectation::Ratio(_) | UnmetExpectation::Growth { .. } => String::new(),
    };
    format!("{what}\n{places}")
}

fn what(unmet: &UnmetExpectation, letters: FormulaLetters, style: Style) -> String {
    let strong = |text: &str| style.paint(Ink::Strong, text);
    let faint = |text: &str| style.paint(Ink::Quiet, text);
    let count = |count: u64| match letters {
        FormulaLetters::Ascii => count.to_string(),
        FormulaLetters::Unicode => grouped(count),
    };
    match unmet {
        UnmetExpectation::Unequal {
            count: unequal,
            with_id,
            ..
        } => {
            let UnequalCount { kind, new, other } = *unequal;
            let difference = i128::from(new) - i128::from(other);
            format!(
                "{kind} ({}) differ from {} of {with_id} ({})",
                strong(&count(new)),
                count(other),
                style.paint(Ink::Bad, &format!("{difference:+}"))
            )
        }
        UnmetExpectation::Ratio(ExceededRatio {
            kind,
            limited,
            ratio,
            of,
        }) => format!(
            "{kind} of {} ({}) are more than {} * {} of {} (at most {})",
            limited.name,
            strong(&count(limited.count)),
            ratio.written(),
            count(of.count),
            of.name,
            style.paint(Ink::Bad, &count(ratio.most(of.count)))
        ),
        UnmetExpectation::Growth {
            kind,
            bench,
            stated,
            found,
        } => match found {
            FasterGrowth::Like(found) => format!(
                "{kind} of {bench} grow like {} (~ {}), and not {}",
                style.paint(Ink::Bad, found.model.name()),
                described(found, letters),
                faint(stated.name())
            ),
            FasterGrowth::Rising(cost) => {
                format!("{kind} of {bench} are {}", rising(cost, *stated, style))
            }
        },
    }
}

/// `at compare (src/lib.rs:12): 40, of early 12`
fn places(places: &[PartingPlace], with: &str, indent: &str) -> String {
    let line = |place: &PartingPlace| {
        let PartingPlace {
            function,
            new,
            other,
            ..
        } = place;
        let source = match (&place.file, place.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            (Some(file), None) => format!(" ({file})"),
            (None, _) => String::new(),
        };
        format!("{indent}at {function}{source}: {new}, of {with} {other}\n")
    };
    places.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::Ir;

    use super::*;
    use metrics::MetricKind;
    use verdict::{CountRatio, CountedBenchmark, GrowthFit, GrowthModel, GrowthStep, RisingCost};

    fn unequal(new: u64, other: u64, places: Vec<PartingPlace>) -> UnmetExpectation {
        UnmetExpectation::Unequal {
            count: UnequalCount {
                kind: MetricKind::from(Ir),
                new,
                other,
            },
            with: "file::group::f::early".to_owned(),
            with_id: "early".to_owned(),
            places,
        }
    }

    #[track_caller]
    fn check(unmet: &UnmetExpectation, expected: &str, in_final_block: &str) {
        let (letters, style) = (FormulaLetters::Ascii, Style::default());
        assert_eq!(line(unmet, letters, style), expected);
        assert_eq!(summary(unmet, letters, style), in_final_block);
    }

    #[test]
    fn unequal_counts_name_the_other_case_and_the_places() {
        let place = PartingPlace {
            function: "lib::compare".to_owned(),
            file: Some("src/lib.rs".to_owned()),
            line: Some(12),
            new: 40,
            other: 12,
        };
        let in_library = PartingPlace {
            function: "memcmp".to_owned(),
            file: None,
            line: None,
            new: 9,
            other: 3,
        };
        check(
            &unequal(1365, 915, vec![place, in_library]),
            "Counts are not equal: Instructions (1365) differ from 915 of early (+450)\n  \
             at lib::compare (src/lib.rs:12): 40, of early 12\n  \
             at memcmp: 9, of early 3\n",
            "Instructions (1365) differ from 915 of early (+450)\n      \
             at lib::compare (src/lib.rs:12): 40, of early 12\n      \
             at memcmp: 9, of early 3\n",
        );
        check(
            &unequal(0, u64::MAX, Vec::new()),
            "Counts are not equal: Instructions (0) differ from 18446744073709551615 of early (-18446744073709551615)\n",
            "Instructions (0) differ from 18446744073709551615 of early (-18446744073709551615)\n",
        );
    }

    #[test]
    fn a_ratio_names_both_benchmarks_and_what_was_allowed() {
        let counted = |name: &str, count| CountedBenchmark {
            path: format!("file::group::{name}"),
            name: name.to_owned(),
            count,
        };
        check(
            &UnmetExpectation::Ratio(ExceededRatio {
                kind: MetricKind::from(Ir),
                limited: counted("fast::large", 1365),
                ratio: CountRatio::read("0.5").unwrap(),
                of: counted("slow::large", 915),
            }),
            "Ratio is too large: Instructions of fast::large (1365) are more than 0.5 * 915 of slow::large (at most 457)\n",
            "Instructions of fast::large (1365) are more than 0.5 * 915 of slow::large (at most 457)\n",
        );
    }

    #[test]
    fn growth_names_both_models() {
        check(
            &UnmetExpectation::Growth {
                kind: MetricKind::from(Ir),
                bench: "many".to_owned(),
                stated: GrowthModel::Linearithmic,
                found: FasterGrowth::Like(GrowthFit {
                    model: GrowthModel::Quadratic,
                    constant: 0.0,
                    factor: 3.0,
                    error: 0.0,
                    r_squared: Some(0.999_99),
                }),
            },
            "Counts grow faster than stated: Instructions of many grow like n^2 (~ 3.00*n^2, R2 0.9999), and not n log n\n",
            "Instructions of many grow like n^2 (~ 3.00*n^2, R2 0.9999), and not n log n\n",
        );
    }

    #[test]
    fn a_growth_that_no_model_describes_names_two_steps() {
        #[track_caller]
        fn of(stated: GrowthModel, from: Option<u64>, text: &str) {
            let step = |from, to, cost| GrowthStep { from, to, cost };
            let unmet = UnmetExpectation::Growth {
                kind: MetricKind::from(Ir),
                bench: "many".to_owned(),
                stated,
                found: FasterGrowth::Rising(RisingCost {
                    earlier: step(None, 10, 203.0),
                    later: step(from, 100_000, 2003.4),
                }),
            };
            check(
                &unmet,
                &format!("Counts grow faster than stated: {text}\n"),
                &format!("{text}\n"),
            );
        }
        of(
            GrowthModel::Linearithmic,
            Some(1000),
            "Instructions of many are 203 for each n log n up to n = 10, and 2003 from n = 1000 to 100000",
        );
        of(
            GrowthModel::Constant,
            None,
            "Instructions of many are 203 for n = 10, and 2003 for n = 100000; stated is constant",
        );
    }
}
