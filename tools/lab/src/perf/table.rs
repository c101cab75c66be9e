//! Figures and bounds to text: for the terminal, and the page `docs/maintainers/performance.md`.

use std::fmt::Write as _;
use std::time::Duration;

use super::usage::Usage;

/// Unit of a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit {
    /// Shown as seconds or milliseconds.
    Seconds,
    /// Shown as megabytes.
    Bytes,
    /// Shown as a factor.
    Times,
    /// A count of things.
    Count,
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Seconds if value < 0.01 => format!("{:.2} ms", value * 1e3),
            Self::Seconds if value < 1.0 => format!("{:.0} ms", value * 1e3),
            Self::Seconds => format!("{value:.2} s"),
            Self::Bytes => format!("{:.1} MB", value / 1e6),
            Self::Times => format!("{value:.2}"),
            Self::Count => format!("{value:.0}"),
        }
    }
}

/// Promise with its bound and the measured value.
#[derive(Debug)]
struct Row {
    what: String,
    /// The greatest value that is good.
    bound: f64,
    /// Origin of the bound, if it was measured as well.
    of: Option<String>,
    measured: f64,
    unit: Unit,
}

impl Row {
    fn is_kept(&self) -> bool {
        self.measured <= self.bound
    }

    fn cells(&self) -> [String; 5] {
        let mut bound = self.unit.show(self.bound);
        if let Some(of) = &self.of {
            let _ = write!(bound, " ({of})");
        }
        let ratio = match self.bound > 0.0 {
            true => format!("{:.2}", self.measured / self.bound),
            false => String::new(),
        };
        [
            self.what.clone(),
            bound,
            self.unit.show(self.measured),
            ratio,
            if self.is_kept() { "ok" } else { "NOT OK" }.to_owned(),
        ]
    }
}

/// The runs of one candidate.
#[derive(Debug, Clone, Default)]
pub(super) struct Samples(Vec<Usage>);

impl Samples {
    pub(super) fn push(&mut self, usage: Usage) {
        self.0.push(usage);
    }

    /// The median of a part of the usage, in seconds.
    pub(super) fn median(&self, part: impl Fn(&Usage) -> Duration) -> f64 {
        median(self.0.iter().map(|usage| part(usage).as_secs_f64()))
    }

    /// How much more a part of the usage is than that of `other`, in seconds: the median of the
    /// differences of runs that followed each other, which do not show that a machine becomes
    /// faster or slower in the meantime.
    pub(super) fn beyond(&self, other: &Self, part: impl Fn(&Usage) -> Duration) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        median(pairs.map(|(a, b)| part(a).as_secs_f64() - part(b).as_secs_f64()))
    }

    /// The times that a part of the usage of `other` is in this one: the median of those of runs
    /// that followed each other.
    pub(super) fn against(&self, other: &Self, part: impl Fn(&Usage) -> Duration) -> f64 {
        let pairs = self.0.iter().zip(&other.0);
        median(pairs.map(|(a, b)| part(a).as_secs_f64() / part(b).as_secs_f64()))
    }

    fn spread(&self, part: impl Fn(&Usage) -> Duration) -> String {
        let all = || self.0.iter().map(|usage| part(usage).as_secs_f64());
        let [least, most] = [all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max)];
        let show = |value| Unit::Seconds.show(value);
        format!("{} ({} – {})", show(median(all())), show(least), show(most))
    }
}

/// The value in the middle.
pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let (lower, upper) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    match (values.get(lower), values.get(upper)) {
        (Some(a), Some(b)) => (a + b) / 2.0,
        _ => f64::NAN,
    }
}

/// Everything that was measured.
#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<Row>,
    figures: Vec<[String; 3]>,
}

impl Report {
    /// A value with a fixed bound.
    pub(super) fn row(&mut self, what: impl Into<String>, bound: f64, measured: f64, unit: Unit) {
        self.add(Row {
            what: what.into(),
            bound,
            of: None,
            measured,
            unit,
        });
    }

    /// A time that is to be at most a part of another one.
    pub(super) fn part(&mut self, what: &str, divisor: f64, of: (&str, f64), measured: f64) {
        let (name, whole) = of;
        let whole_text = Unit::Seconds.show(whole);
        self.add(Row {
            what: what.to_owned(),
            bound: whole / divisor,
            of: Some(format!("1/{divisor} of {name}: {whole_text}")),
            measured,
            unit: Unit::Seconds,
        });
    }

    fn add(&mut self, row: Row) {
        println!("    {}", row.cells().join(" | "));
        self.rows.push(row);
    }

    /// The runs that rows were made from.
    pub(super) fn figure(&mut self, what: impl Into<String>, samples: &Samples) {
        let what = what.into();
        let wall = samples.spread(|usage| usage.wall);
        let cpu = samples.spread(|usage| usage.cpu);
        println!("    {what}: {wall}, CPU {cpu}");
        self.figures.push([what, wall, cpu]);
    }

    /// Number of bounds that are missed.
    pub(super) fn missed(&self) -> usize {
        self.rows.iter().filter(|row| !row.is_kept()).count()
    }

    /// The rows for the terminal.
    pub(super) fn text(&self) -> String {
        let heads = ["what", "bound", "measured", "ratio", ""].map(str::to_owned);
        let lines: Vec<[String; 5]> = std::iter::once(heads)
            .chain(self.rows.iter().map(Row::cells))
            .collect();
        let width = |column: usize| {
            let widths = lines.iter().map(|cells| cells[column].chars().count());
            widths.max().unwrap_or_default()
        };
        let mut text = String::new();
        for [what, bound, measured, ratio, verdict] in &lines {
            let _ = writeln!(
                text,
                "{what:<a$}  {bound:<b$}  {measured:>c$}  {ratio:>d$}  {verdict}",
                a = width(0),
                b = width(1),
                c = width(2),
                d = width(3),
            );
        }
        text
    }

    /// The whole page.
    pub(super) fn page(&self, facts: &[(&str, String)], rounds: usize) -> String {
        let mut page = format!(include_str!("templates/page.md"), rounds = rounds);
        page.push_str("\n## Bounds\n\n| what | bound | measured | measured / bound | |\n| --- | --- | ---: | ---: | --- |\n");
        for row in &self.rows {
            let _ = writeln!(page, "| {} |", row.cells().join(" | "));
        }
        page.push_str("\n## Runs\n\nMedian (least – most).\n\n| what | wall time | CPU time |\n| --- | --- | --- |\n");
        for cells in &self.figures {
            let _ = writeln!(page, "| {} |", cells.join(" | "));
        }
        page.push_str("\n## Machine\n\n| | |\n| --- | --- |\n");
        for (name, value) in facts {
            let _ = writeln!(page, "| {name} | {value} |");
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_two() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
    }

    #[test]
    fn a_difference_is_that_of_runs_that_followed_each_other() {
        let runs = |milliseconds: [u64; 3]| {
            Samples(
                milliseconds
                    .map(|wall| Usage {
                        wall: Duration::from_millis(wall),
                        ..Usage::default()
                    })
                    .into(),
            )
        };
        // The machine became slower while they ran.
        let (with, without) = (runs([12, 22, 45]), runs([10, 20, 40]));
        assert!((with.beyond(&without, |usage| usage.wall) - 0.002).abs() < 1e-9);
        assert!((without.beyond(&with, |usage| usage.wall) + 0.002).abs() < 1e-9);
    }

    #[test]
    fn a_bound_of_zero_is_missed_by_one() {
        let mut report = Report::default();
        report.row("added", 0.0, 0.0, Unit::Count);
        report.part("time", 10.0, ("others", 20.0), 1.0);
        assert_eq!(report.missed(), 0);
        report.row("added", 0.0, 1.0, Unit::Count);
        assert_eq!(report.missed(), 1);
        assert_eq!(
            report.text(),
            "\
what   bound                             measured  ratio  \n\
added  0                                        0         ok\n\
time   2.00 s (1/10 of others: 20.00 s)    1.00 s   0.50  ok\n\
added  0                                        1         NOT OK\n"
        );
    }
}
