//! A chart of counts over sizes, with the formulas that describe them: SVG that the style of the
//! page colours.

use super::texts::html;
use crate::numbers::number;
use records::summary::Number;
use verdict::{GrowthFit, MeasuredGrowth, SizedCount};

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 200.0;

/// Room for the labels of counts, and for those of sizes.
const LEFT: f64 = 50.0;
const BOTTOM: f64 = 34.0;

/// Room beside the last point, and above the highest.
const RIGHT: f64 = 12.0;
const TOP: f64 = 18.0;

/// From this ratio of the largest to the least value on, an axis is logarithmic.
const WIDE: f64 = 16.0;

/// Points of a curve.
const STEPS: u32 = 48;

/// Labels of an axis, at most.
const MOST_LABELS: usize = 5;

/// The quantities that the axes show.
#[derive(Debug)]
pub(super) struct Axes<'a> {
    /// `elements`
    pub sizes: &'a str,
    /// `Instructions`
    pub counts: &'a str,
}

/// A chart, and the line that says how its axes are divided.
pub(super) fn growth(
    new: &MeasuredGrowth,
    old: Option<&MeasuredGrowth>,
    axes: &Axes<'_>,
    title: &str,
) -> (String, String) {
    let sides = || old.iter().copied().chain([new]);
    let points = || sides().flat_map(|side| &side.points);
    let sizes = Scale::of(points().map(|point| point.size));
    let counts = Scale::of(points().map(|point| point.count));
    let chart = Chart { sizes, counts };
    let mut drawn = chart.grid();
    for (side, class) in old
        .map(|old| (old, "of-old"))
        .into_iter()
        .chain([(new, "of-new")])
    {
        if let Some(fit) = side.described() {
            drawn += &chart.curve(side, &fit, class);
        }
        for point in &side.points {
            drawn += &chart.point(point, class);
        }
    }
    let label = format!(
        "{title}: {} over {}, {}",
        axes.counts,
        axes.sizes,
        side_text(new)
    );
    let svg = format!(
        "<svg class=\"growth\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{drawn}<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text><text x=\"2\" y=\"10\">{}</text></svg>",
        html(&label),
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 3.0,
        html(axes.sizes),
        html(axes.counts),
    );
    let scale = match (sizes.is_logarithmic, counts.is_logarithmic) {
        (true, true) => "both axes logarithmic",
        (true, false) => "sizes logarithmic, counts from 0",
        (false, true) => "sizes from 0, counts logarithmic",
        (false, false) => "both axes from 0",
    };
    (svg, format!("<span class=\"scale\">{scale}</span>"))
}

/// `1 000 for 10 to 200 000 for 1 000`
fn side_text(side: &MeasuredGrowth) -> String {
    let ends = [side.points.first(), side.points.last()].map(|point| {
        point.map_or_else(String::new, |point| {
            let [count, size] = [point.count, point.size].map(|it| number(Number::Count(it)));
            format!("{count} for {size}")
        })
    });
    ends.join(" to ")
}

/// An axis: values to shares of its length.
#[derive(Debug, Clone, Copy)]
struct Scale {
    is_logarithmic: bool,
    low: f64,
    high: f64,
}

impl Scale {
    fn of(values: impl Iterator<Item = u64> + Clone) -> Self {
        let least = values.clone().min().unwrap_or_default() as f64;
        // All may be 0, and an axis needs a length.
        let most = values.max().unwrap_or_default().max(1) as f64;
        // 0 has no logarithm, and a bar that begins elsewhere than at 0 exaggerates.
        match least > 0.0 && most / least >= WIDE {
            true => Self {
                is_logarithmic: true,
                low: least.log10().floor(),
                high: most.log10() + 0.05,
            },
            false => Self {
                is_logarithmic: false,
                low: 0.0,
                high: most * 1.05,
            },
        }
    }

    fn share(&self, value: f64) -> f64 {
        let value = match self.is_logarithmic {
            // A formula may give 0, which has no logarithm; the caller leaves such points out.
            true => value.max(f64::MIN_POSITIVE).log10(),
            false => value,
        };
        (value - self.low) / (self.high - self.low)
    }

    fn value(&self, share: f64) -> f64 {
        let value = self.low + share * (self.high - self.low);
        match self.is_logarithmic {
            true => 10_f64.powf(value),
            false => value,
        }
    }

    /// Values with labels: powers of ten, or multiples of 1, 2 or 5 of one.
    fn labels(&self) -> Vec<f64> {
        if self.is_logarithmic {
            let powers = self.low as i32..=self.high as i32;
            let step = powers.clone().count().div_ceil(MOST_LABELS);
            return powers.step_by(step).map(|it| 10_f64.powi(it)).collect();
        }
        let rough = self.high / MOST_LABELS as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        // Sizes and counts are whole.
        let step = step
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(rough)
            .max(1.0);
        let labels = (0..=MOST_LABELS).map(|index| index as f64 * step);
        labels.filter(|label| *label <= self.high).collect()
    }
}

struct Chart {
    sizes: Scale,
    counts: Scale,
}

impl Chart {
    fn x(&self, size: f64) -> f64 {
        LEFT + self.sizes.share(size) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, count: f64) -> f64 {
        HEIGHT - BOTTOM - self.counts.share(count) * (HEIGHT - TOP - BOTTOM)
    }

    fn grid(&self) -> String {
        let bottom = HEIGHT - BOTTOM;
        let counts = self.counts.labels().into_iter().map(|count| {
            let y = self.y(count);
            format!(
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/><text x=\"{}\" y=\"{:.1}\" class=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                short_number(count)
            )
        });
        let sizes = self.sizes.labels().into_iter().map(|size| {
            let x = self.x(size);
            format!(
                "<path class=\"grid\" d=\"M{x:.1} {bottom}v4\"/><text x=\"{x:.1}\" y=\"{}\" class=\"middle\">{}</text>",
                bottom + 16.0,
                short_number(size)
            )
        });
        counts.chain(sizes).collect()
    }

    /// The formula, from the least to the largest size that was measured.
    fn curve(&self, side: &MeasuredGrowth, fit: &GrowthFit, class: &str) -> String {
        let ends = [side.points.first(), side.points.last()];
        let [from, to] = ends.map(|end| end.map_or(0.0, |end| self.sizes.share(end.size as f64)));
        let mut path = String::new();
        let mut last = None;
        for step in 0..=STEPS {
            let share = from + (to - from) * f64::from(step) / f64::from(STEPS);
            // Formulas are those of whole sizes.
            let size = self.sizes.value(share).round() as u64;
            if last.replace(size) == Some(size) {
                continue;
            }
            let count = fit.constant + fit.factor * fit.model.value(size);
            // The axis fits the points, and a formula may leave it.
            if !(0.0..=1.0).contains(&self.counts.share(count)) {
                continue;
            }
            let letter = if path.is_empty() { 'M' } else { 'L' };
            path += &format!("{letter}{:.1} {:.1}", self.x(size as f64), self.y(count));
        }
        format!("<path class=\"curve {class}\" d=\"{path}\"/>")
    }

    fn point(&self, point: &SizedCount, class: &str) -> String {
        let [size, count] = [point.size, point.count].map(|it| number(Number::Count(it)));
        format!(
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>{size}: {count}</title></circle>",
            self.x(point.size as f64),
            self.y(point.count as f64),
        )
    }
}

/// `500`, `20k`, `1.5M`
fn short_number(number: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| number >= *unit) {
        Some((unit, letter)) => format!("{}{letter}", number / unit),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_whole_and_within_the_axis() {
        let labels = |values: &[u64]| Scale::of(values.iter().copied()).labels();
        assert_eq!(labels(&[10, 1000]), [10.0, 100.0, 1000.0]);
        assert_eq!(labels(&[100, 150]), [0.0, 50.0, 100.0, 150.0]);
        assert_eq!(labels(&[1, 1, 2]), [0.0, 1.0, 2.0]);
        assert_eq!(labels(&[0, 0]), [0.0, 1.0]);
        assert_eq!(labels(&[0, u64::MAX]).len(), 4);
        assert_eq!(labels(&[1, u64::MAX]), [1.0, 1e4, 1e8, 1e12, 1e16]);
    }

    #[test]
    fn labels_have_few_characters() {
        let texts = [0.0, 500.0, 20_000.0, 1_500_000.0, 1e12, 1e16].map(short_number);
        assert_eq!(texts, ["0", "500", "20k", "1.5M", "1T", "10000T"]);
    }

    #[test]
    fn points_and_curve_stand_where_their_values_are() {
        let point = |size| SizedCount {
            size,
            count: 3 * size,
        };
        let new = MeasuredGrowth::of([10, 100, 1000].map(point).to_vec()).unwrap();
        let axes = Axes {
            sizes: "elements",
            counts: "Instructions",
        };
        let (svg, scale) = growth(&new, None, &axes, "sum");
        assert!(scale.contains("both axes logarithmic"), "{scale}");
        // Counts in proportion to sizes are on one line if both axes are logarithmic.
        let numbers = |text: &str, of: &str| -> Vec<f64> {
            let parts = text.split(of).skip(1);
            let value = |part: &str| part.split('"').next().and_then(|it| it.parse().ok());
            parts.filter_map(value).collect()
        };
        let (x, y) = (numbers(&svg, "cx=\""), numbers(&svg, "cy=\""));
        assert_eq!(x.len(), 3);
        let slope = |at: usize| (y[at + 1] - y[at]) / (x[at + 1] - x[at]);
        assert!((slope(0) - slope(1)).abs() < 0.02, "{x:?} {y:?}");
        assert!(
            svg.contains("aria-label=\"sum: Instructions over elements, 30 for 10 to "),
            "{svg}"
        );
    }
}
