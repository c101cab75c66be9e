//! The growth of counts with the size of the input.
//!
//! ```text
//!   Growth of many:      ~ 35 + 13.1*n*log2(n), R2 0.9999 (5 sizes from 10 to 100000)
//!   Growth of f:         none of constant to 2^n describes these counts: 12.3 times from 5 to 10, 11.1 times from 20 to 25 (5 sizes from 5 to 25)
//! ```

use super::paint::Ink;
use super::{columns, Style};
use verdict::{
    BenchGrowth, GrowthFit, GrowthModel, GrowthStep, MeasuredGrowth, RisingCost, SizedCount,
};

/// Letters of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaLetters {
    /// ASCII letters, for pipes and files.
    Ascii,
    /// Mathematical symbols.
    Unicode,
}

/// The line below the last benchmark of the attribute.
pub fn growth(growth: &BenchGrowth, letters: FormulaLetters, style: Style) -> String {
    let BenchGrowth {
        bench,
        stated,
        measured,
        ..
    } = growth;
    let sizes = measured.points.iter().map(|point| point.size);
    let mut different: Vec<u64> = sizes.collect();
    different.dedup();
    let [first, .., last] = different.as_slice() else {
        return String::new();
    };
    let stated = stated.map_or_else(String::new, |stated| {
        format!("; stated is {}", stated.name())
    });
    let found = match measured.described() {
        Some(best) => format!("~ {}", described(&best, letters)),
        None => undescribed(measured),
    };
    format!(
        "{}{found} ({} sizes from {first} to {last}{stated})\n",
        columns::text_name(&format!("Growth of {bench}"), style),
        different.len()
    )
}

/// `none of constant to 2^n describes these counts: 12.3 times from 5 to 10, 11.1 times from 20 to
/// 25`, by the largest count of each size.
fn undescribed(measured: &MeasuredGrowth) -> String {
    let sizes = measured
        .points
        .chunk_by(|one, other| one.size == other.size);
    // Points are sorted by size and count, so the last of a size is its largest.
    let largest: Vec<SizedCount> = sizes.filter_map(|counts| counts.last().copied()).collect();
    let ratio = |[from, to]: &[SizedCount; 2]| {
        let times = to.count as f64 / from.count.max(1) as f64;
        format!("{} times from {} to {}", number(times), from.size, to.size)
    };
    let [first, .., last] = GrowthModel::ALL;
    let ends = [largest.first_chunk::<2>(), largest.last_chunk::<2>()];
    let ratios: Vec<String> = ends.into_iter().flatten().map(ratio).collect();
    format!(
        "none of {} to {} describes these counts: {}",
        first.name(),
        last.name(),
        ratios.join(", ")
    )
}

/// `203 for each n log n up to n = 10, and 2003 from n = 1000 to 100000`
pub(super) fn rising(cost: &RisingCost, stated: GrowthModel, style: Style) -> String {
    let RisingCost { earlier, later } = cost;
    let [cheap, dear] = [earlier, later].map(|step| number(step.cost));
    let dear = style.paint(Ink::Bad, &dear);
    if stated == GrowthModel::Constant {
        return format!(
            "{cheap} for n = {}, and {dear} for n = {}; stated is {}",
            earlier.to,
            later.to,
            stated.name()
        );
    }
    let place = |step: &GrowthStep| match step.from {
        Some(from) => format!("from n = {from} to {}", step.to),
        None => format!("up to n = {}", step.to),
    };
    format!(
        "{cheap} for each {} {}, and {dear} {}",
        stated.name(),
        place(earlier),
        place(later)
    )
}

/// `35 + 13.1*n*log2(n), R2 0.9999`
pub fn described(fit: &GrowthFit, letters: FormulaLetters) -> String {
    let formula = formula(fit, letters);
    let square = match letters {
        FormulaLetters::Ascii => "R2",
        FormulaLetters::Unicode => "R²",
    };
    match fit.r_squared {
        // Rounded down: what is no perfect fit does not look like one.
        Some(r) => format!("{formula}, {square} {:.4}", (r * 1e4).floor() / 1e4),
        None => formula,
    }
}

fn formula(fit: &GrowthFit, letters: FormulaLetters) -> String {
    let model = match (fit.model, letters) {
        (GrowthModel::Constant, _) => return format!("{}, constant", number(fit.constant)),
        (GrowthModel::Logarithmic, FormulaLetters::Ascii) => "*log2(n)",
        (GrowthModel::Logarithmic, FormulaLetters::Unicode) => "·log2 n",
        (GrowthModel::SquareRoot, FormulaLetters::Ascii) => "*n^0.5",
        (GrowthModel::SquareRoot, FormulaLetters::Unicode) => "·√n",
        (GrowthModel::Linear, FormulaLetters::Ascii) => "*n",
        (GrowthModel::Linear, FormulaLetters::Unicode) => "·n",
        (GrowthModel::Linearithmic, FormulaLetters::Ascii) => "*n*log2(n)",
        (GrowthModel::Linearithmic, FormulaLetters::Unicode) => "·n·log2 n",
        (GrowthModel::Sesquilinear, FormulaLetters::Ascii) => "*n^1.5",
        (GrowthModel::Sesquilinear, FormulaLetters::Unicode) => "·n·√n",
        (GrowthModel::Quadratic, FormulaLetters::Ascii) => "*n^2",
        (GrowthModel::Quadratic, FormulaLetters::Unicode) => "·n²",
        (GrowthModel::Cubic, FormulaLetters::Ascii) => "*n^3",
        (GrowthModel::Cubic, FormulaLetters::Unicode) => "·n³",
        (GrowthModel::Exponential, FormulaLetters::Ascii) => "*2^n",
        (GrowthModel::Exponential, FormulaLetters::Unicode) => "·2ⁿ",
    };
    let growing = format!("{}{model}", number(fit.factor));
    // Half a count is what rounding leaves.
    match fit.constant < 0.5 {
        true => growing,
        false => format!("{} + {growing}", number(fit.constant)),
    }
}

/// Three digits that count.
fn number(number: f64) -> String {
    let decimals = match number {
        0.0 => 0,
        number if !(0.001..1e6).contains(&number) => return format!("{number:.2e}"),
        number => (2.0 - number.log10().floor()).max(0.0) as usize,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use iai_callgrind::protocol::EventKind::Ir;
    use metrics::MetricKind;
    use verdict::{MeasuredGrowth, SizedCount};

    #[track_caller]
    fn check(model: GrowthModel, [constant, factor]: [f64; 2], ascii: &str, unicode: &str) {
        let fit = GrowthFit {
            model,
            constant,
            factor,
            error: 0.0,
            r_squared: None,
        };
        assert_eq!(formula(&fit, FormulaLetters::Ascii), ascii);
        assert_eq!(formula(&fit, FormulaLetters::Unicode), unicode);
    }

    #[test]
    #[rustfmt::skip]
    fn formulas_have_three_digits() {
        check(GrowthModel::Constant, [1234.4, 0.0], "1234, constant", "1234, constant");
        check(GrowthModel::Logarithmic, [7.0, 5.25], "7.00 + 5.25*log2(n)", "7.00 + 5.25·log2 n");
        check(GrowthModel::Linear, [0.4, 10.0], "10.0*n", "10.0·n");
        check(GrowthModel::Linearithmic, [35.0, 13.123], "35.0 + 13.1*n*log2(n)", "35.0 + 13.1·n·log2 n");
        check(GrowthModel::Quadratic, [0.0, 0.012_345], "0.0123*n^2", "0.0123·n²");
        check(GrowthModel::Cubic, [2.5e9, 0.000_012], "2.50e9 + 1.20e-5*n^3", "2.50e9 + 1.20e-5·n³");
        check(GrowthModel::Linear, [0.0, 0.0], "0*n", "0·n");
        check(GrowthModel::SquareRoot, [1.0, 40.0], "1.00 + 40.0*n^0.5", "1.00 + 40.0·√n");
        check(GrowthModel::Sesquilinear, [0.0, 2.0], "2.00*n^1.5", "2.00·n·√n");
        check(GrowthModel::Exponential, [0.0, 2.0], "2.00*2^n", "2.00·2ⁿ");
    }

    #[test]
    fn the_line_has_fit_sizes_and_what_is_stated() {
        let points = [10, 100, 1000].map(|size| SizedCount {
            size,
            count: 7 + 5 * size,
        });
        let mut growth = BenchGrowth {
            bench: "many".to_owned(),
            kind: MetricKind::from(Ir),
            stated: Some(GrowthModel::Linear),
            measured: MeasuredGrowth::of(points.to_vec()).unwrap(),
        };
        let line =
            |growth: &BenchGrowth| super::growth(growth, FormulaLetters::Ascii, Style::default());
        assert_eq!(
            line(&growth),
            "  Growth of many:      ~ 7.00 + 5.00*n, R2 1.0000 (3 sizes from 10 to 1000; stated is n)\n"
        );
        growth.stated = None;
        assert!(line(&growth).ends_with("(3 sizes from 10 to 1000)\n"));
        let fibonacci = [
            (5, 194),
            (10, 2381),
            (15, 26_627),
            (20, 295_520),
            (25, 3_277_589),
        ];
        let points = fibonacci.map(|(size, count)| SizedCount { size, count });
        growth.measured = MeasuredGrowth::of(points.to_vec()).unwrap();
        assert_eq!(
            line(&growth),
            "  Growth of many:      none of constant to 2^n describes these counts: 12.3 times from 5 to 10, \
             11.1 times from 20 to 25 (5 sizes from 5 to 25)\n"
        );
    }
}
