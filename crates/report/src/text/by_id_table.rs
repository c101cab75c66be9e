//! Comparisons by id for people: a table for each id at the end of a group, and one over all ids.
//!
//! ```text
//! Comparison by id: i_lib::sort
//!   few:[3, 1, 2]   Instructions          L1 Hits
//!   insertion          415  1.00        520  1.00
//!   bubble             915  2.20       1123  2.16
//! ```
//!
//! A table that is wider than the terminal is folded: columns that do not fit are below the others,
//! with the names of the rows again.

use super::paint::Ink;
use super::{columns as rows, Style};
use crate::room::{columns, cut};
use base::tool::Tool;
use verdict::{ranked_groups, ComparedBenchmark, RankedFunction, RankedId, RankedOverview};

/// Blanks between two columns.
const GAP: usize = 3;

/// Blanks between a value and its relation.
const INNER_GAP: usize = 2;

/// Blanks before a row.
const INDENT: usize = 2;

/// The longest title of a column, unless its values are longer.
const LONGEST_TITLE: usize = 20;

/// Tables of all benchmarks of a group that were compared; nothing if there are no two of the same
/// id.
pub fn text(benchmarks: &[ComparedBenchmark], width: usize, style: Style) -> String {
    let groups = ranked_groups(benchmarks);
    let (Some(first), false) = (benchmarks.first(), groups.is_empty()) else {
        return String::new();
    };
    let names_tools = groups.len() > 1 || groups[0].tool != Tool::Callgrind;
    let group = format!("{}::{}", first.path.file, first.path.group);
    let mut text = format!(
        "\n{} {}\n",
        style.paint(Ink::Strong, "Comparison by id:"),
        group
    );
    for group in &groups {
        if names_tools {
            text += &rows::tool_subheadline(group.tool, style);
        }
        let tables = group.ids.iter().map(Table::of_id);
        for table in tables.chain(group.overview.iter().map(Table::of_overview)) {
            text += &table.text(width, style);
        }
    }
    text
}

/// Functions and their values in columns.
struct Table<'a> {
    /// The text above the names of the functions.
    corner: String,
    columns: Vec<Column>,
    functions: &'a [RankedFunction<'a>],
}

struct Column {
    title: String,
    /// A value and its relation for each function.
    cells: Vec<[String; 2]>,
    /// Width of the values, and of the relations.
    widths: [usize; 2],
}

impl<'a> Table<'a> {
    fn of_id(id: &'a RankedId<'a>) -> Self {
        let titles = id.metrics.iter().map(|kind| kind.label().to_owned());
        Self {
            corner: match id.args {
                Some(args) => format!(
                    "{}:{}",
                    id.id,
                    args.split_whitespace().collect::<Vec<_>>().join(" ")
                ),
                None => id.id.to_owned(),
            },
            columns: table_columns(titles.collect(), &id.functions),
            functions: &id.functions,
        }
    }

    fn of_overview(overview: &'a RankedOverview<'a>) -> Self {
        let titles = overview.ids.iter().map(|id| (*id).to_owned());
        Self {
            corner: overview.metric.label().to_owned(),
            columns: table_columns(titles.collect(), &overview.functions),
            functions: &overview.functions,
        }
    }

    fn text(&self, width: usize, style: Style) -> String {
        let longest = self.functions.iter().map(|function| function.name);
        let longest = longest.map(columns).max();
        let widest = self.columns.iter().map(Column::width).max();
        let (longest, widest) = (longest.unwrap_or(0), widest.unwrap_or(0));
        // The names give way to the widest column, down to some characters that still tell them
        // apart.
        let room = width.saturating_sub(INDENT + GAP + widest).max(8);
        let name = longest.min(room);
        let mut text = String::new();
        let mut rest = self.columns.as_slice();
        let mut corner = Some(&self.corner);
        while let Some((first, others)) = rest.split_first() {
            let mut used = INDENT + name + GAP + first.width();
            let more = others.iter().take_while(|column| {
                used += GAP + column.width();
                used <= width
            });
            // Each band has a column, however narrow the terminal, so this ends.
            let (band, left) = rest.split_at(1 + more.count());
            text += &self.band(band, corner.take(), name, width, style);
            rest = left;
        }
        text
    }

    /// Columns that fit side by side, with the names of the functions before them.
    fn band(
        &self,
        band: &[Column],
        corner: Option<&String>,
        name: usize,
        width: usize,
        style: Style,
    ) -> String {
        let titles: String = band.iter().map(Column::title).collect();
        let corner = corner.map_or("", String::as_str);
        let shown = cut(corner, width.saturating_sub(INDENT));
        let length = columns(&shown);
        // The corner may reach into the blanks before the first title; a longer one has a line of
        // its own.
        let blanks = titles.len() - titles.trim_start().len();
        let titles = match (name + blanks).checked_sub(length) {
            Some(room) if room >= INNER_GAP => format!("{:room$}{}", "", titles.trim_start()),
            _ => format!("\n{:INDENT$}{:name$}{titles}", "", ""),
        };
        let corner = style.paint(Ink::Strong, &shown);
        let mut text = format!(
            "{:INDENT$}{corner}{}\n",
            "",
            style.paint(Ink::Quiet, &titles)
        );
        for (row, function) in self.functions.iter().enumerate() {
            let mut line = format!("{:INDENT$}{}", "", padded(&cut(function.name, name), name));
            for column in band {
                line += &column.cell(row, style);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// One column for each title, with the values of the functions at its place.
fn table_columns(titles: Vec<String>, functions: &[RankedFunction<'_>]) -> Vec<Column> {
    let column = |(index, title): (usize, String)| {
        let cells: Vec<[String; 2]> = functions
            .iter()
            .map(|function| match function.values[index] {
                Some(ranked) => [
                    ranked.value.grouped(),
                    ranked.relation.map_or_else(String::new, relation),
                ],
                None => ["-".to_owned(), String::new()],
            })
            .collect();
        let widest = |part: usize| {
            let cells = cells.iter().map(|cell| columns(&cell[part]));
            cells.max().unwrap_or(0)
        };
        let widths = [widest(0), widest(1)];
        Column {
            title: cut(&title, LONGEST_TITLE.max(widths[0] + INNER_GAP + widths[1])),
            widths,
            cells,
        }
    };
    titles.into_iter().enumerate().map(column).collect()
}

impl Column {
    fn width(&self) -> usize {
        let [value, relation] = self.widths;
        columns(&self.title).max(value + INNER_GAP + relation)
    }

    fn title(&self) -> String {
        let blanks = GAP + self.width() - columns(&self.title);
        format!("{:blanks$}{}", "", self.title)
    }

    /// The cell of a function, with the gap before it. The best is colored if others are worse.
    fn cell(&self, row: usize, style: Style) -> String {
        let [value_width, relation_width] = self.widths;
        let [value, relation] = &self.cells[row];
        let before = GAP + self.width() - value_width - INNER_GAP - relation_width;
        // By the text: a function that looks as good is as good for a reader.
        let is_best = relation == BEST && self.cells.iter().any(|[_, other]| other != BEST);
        let text = format!("{relation:>relation_width$}");
        let text = match is_best {
            true => style.paint(Ink::Good, &text),
            false => text,
        };
        format!("{:before$}{value:>value_width$}{:INNER_GAP$}{text}", "", "")
    }
}

/// The relation of the best.
const BEST: &str = "1.00";

/// `1.00`, `81.4`, `6270`: at least three digits.
fn relation(relation: f64) -> String {
    match relation {
        f64::INFINITY => "inf".to_owned(),
        // A small difference must not be rounded to that of the best.
        relation if relation > 1.0 && relation < 1.01 => {
            format!("{:.1$}", relation, decimals_near_one(relation))
        }
        // 9.995 would round to 10.00, with a digit more than three.
        relation if relation < 9.995 => format!("{relation:.2}"),
        relation if relation < 99.95 => format!("{relation:.1}"),
        relation if relation < 999_999.5 => format!("{relation:.0}"),
        relation => format!("{relation:.1e}"),
    }
}

/// Decimals that show the difference from 1, at most six.
fn decimals_near_one(relation: f64) -> usize {
    // Half a unit of the last decimal is the least that rounds up to something.
    let shows = |decimals: &usize| relation - 1.0 >= [0.0005, 0.000_05, 0.000_005][decimals - 3];
    (3..6).find(shows).unwrap_or(6)
}

/// The text with blanks behind it.
fn padded(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(columns(text));
    format!("{text}{:blanks$}", "")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use iai_callgrind::protocol::EventKind::{Dr, Ir};

    use super::*;
    use base::benchmark_path::BenchmarkPath;
    use metrics::{MetricKind, Metrics};
    use verdict::ToolFigures;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };

    fn benchmark(function: &str, id: &str, args: &str, counts: [u64; 2]) -> ComparedBenchmark {
        let counters = ["Ir", "Dr"].into_iter().zip(counts);
        ComparedBenchmark {
            path: BenchmarkPath {
                file: "file".to_owned(),
                group: "sorting".to_owned(),
                function: function.to_owned(),
                id: Some(id.to_owned()),
                args: Some(args.to_owned()),
            },
            tools: vec![ToolFigures {
                tool: Tool::Callgrind,
                format: Arc::new([Ir, Dr].map(MetricKind::from)),
                in_tables: [Ir, Dr].map(MetricKind::from).to_vec(),
                metrics: Metrics::from_counters(Tool::Callgrind, counters).unwrap(),
            }],
        }
    }

    fn two_inputs() -> Vec<ComparedBenchmark> {
        vec![
            benchmark("bubble", "few", "[3, 1]", [8140, 520]),
            benchmark("insertion", "few", "[3, 1]", [100, 0]),
            benchmark("bubble", "many", "random(9)", [620_001, 1000]),
            benchmark("insertion", "many", "random(8)", [1000, 999]),
        ]
    }

    #[test]
    fn each_id_has_a_table_with_the_best_first() {
        let text = text(&two_inputs(), 80, PLAIN);
        assert_eq!(
            text,
            "
Comparison by id: file::sorting
  few:[3, 1]  Instructions          Dr
  insertion      100  1.00     0  1.00
  bubble       8,140  81.4   520   inf
  many         Instructions             Dr
  insertion     1,000  1.00     999   1.00
  bubble      620,001   620   1,000  1.001
  Instructions        few            many
  insertion     100  1.00     1,000  1.00
  bubble      8,140  81.4   620,001   620
"
        );
    }

    #[test]
    fn every_width_has_all_values_and_no_line_is_longer() {
        let all = two_inputs();
        let values = [
            "100", "8,140", "620,001", "1,000", "999", "520", "81.4", "inf",
        ];
        for width in 40..=160 {
            let text = text(&all, width, PLAIN);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
                assert_eq!(line.trim_end(), line);
            }
            let words: Vec<&str> = text.split_whitespace().collect();
            for value in values {
                assert!(words.contains(&value), "{width}: {value} in\n{text}");
            }
        }
    }

    #[test]
    fn narrow_tables_fold_and_cut_names() {
        let all = [
            benchmark("a_function_with_a_long_name", "x", "1", [1, 2]),
            benchmark("a_function_with_another_name", "x", "1", [2, 2]),
        ];
        assert_eq!(
            text(&all, 40, PLAIN),
            "
Comparison by id: file::sorting
  x:1                       Instructions
  a_function..._long_name        1  1.00
  a_function...other_name        2  2.00
                                 Dr
  a_function..._long_name   2  1.00
  a_function...other_name   2  1.00
"
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let all = [
            benchmark("並べ替え", "x", "1", [1, 2]),
            benchmark("abcdefgh", "x", "1", [2, 2]),
        ];
        let expected = "  並べ替え        1  1.00   2  1.00\n  abcdefgh        2  2.00   2  1.00\n";
        assert!(text(&all, 80, PLAIN).ends_with(expected));
    }

    #[test]
    fn benchmarks_without_a_partner_are_in_no_table() {
        let alone = [
            benchmark("a", "x", "1", [1, 2]),
            benchmark("b", "y", "1", [2, 2]),
        ];
        assert_eq!(text(&alone, 80, PLAIN), "");
        assert_eq!(text(&[], 80, PLAIN), "");
    }

    #[test]
    fn only_the_best_has_a_colour_and_only_if_another_is_worse() {
        let color = Style {
            color: true,
            grid: false,
        };
        let text = text(&two_inputs()[2..], 80, color);
        let best = "\x1b[32m 1.00\x1b[0m";
        assert_eq!(text.matches(best).count(), 1, "{text:?}");
        let equal = [
            benchmark("a", "x", "1", [5, 5]),
            benchmark("b", "x", "1", [5, 5]),
        ];
        let text = super::text(&equal, 80, color);
        assert!(!text.contains("\x1b[32m"), "{text:?}");
    }

    #[test]
    #[rustfmt::skip]
    fn relations_have_three_digits_and_those_near_one_as_many_as_it_takes() {
        for (number, expected) in [
            (1.0, "1.00"), (1.3, "1.30"), (2.0, "2.00"), (9.994, "9.99"), (9.996, "10.0"),
            (81.4, "81.4"), (99.96, "100"), (6268.0, "6268"), (2_500_000.0, "2.5e6"),
            (1.005, "1.005"), (1.0004, "1.0004"), (1.000_000_1, "1.000000"), (f64::INFINITY, "inf"),
        ] {
            assert_eq!(relation(number), expected, "{number}");
        }
    }
}
