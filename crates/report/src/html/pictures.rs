//! The pictures of a page: for each function its counts over the size of the input, or its cases as
//! bars; for each id of a group that compares by id, its functions as bars. They need no script.

use super::chart::{self, Axes};
use super::texts::{html, name};
use crate::numbers::number;
use crate::pictures::{
    LibraryPictures, PicturedCase, PicturedFunction, PicturedGroup, Ranking, SizeKind, SizedCosts,
};
use crate::text::scaling::{described, FormulaLetters};
use records::summary::Number;
use verdict::MeasuredGrowth;

/// Functions and rankings that are drawn, at most: a page has to open at once.
const MOST: usize = 300;

/// Bars of a picture.
const MOST_BARS: usize = 24;

/// Width of the longest bar.
const WIDEST: f64 = 110.0;

/// The pictures, or nothing if there is nothing to compare with an eye. `is_alone`: there is no old
/// side, so all functions are shown, and the pictures are open.
pub(super) fn section(pictures: &LibraryPictures, is_alone: bool) -> String {
    let mut drawn = Drawn {
        pictures,
        is_alone,
        functions: 0,
        left_out: 0,
    };
    let groups: String = pictures
        .groups
        .iter()
        .map(|group| drawn.group(group))
        .collect();
    if groups.is_empty() {
        return String::new();
    }
    let left_out = match drawn.left_out {
        0 => String::new(),
        more => format!("<p class=\"remark\">{more} more pictures are left out.</p>"),
    };
    let open = if is_alone { " open" } else { "" };
    let metric = html(&pictures.metric);
    format!(
        "<details id=\"pictures\"{open}><summary><h2>{metric} by function and size</h2></summary>\n{groups}{left_out}</details>\n"
    )
}

struct Drawn<'a> {
    pictures: &'a LibraryPictures,
    is_alone: bool,
    functions: usize,
    left_out: usize,
}

impl Drawn<'_> {
    fn group(&mut self, group: &PicturedGroup) -> String {
        let mut figures = String::new();
        for ranking in &group.rankings {
            if self.has_room() {
                figures += &self.ranking(ranking);
            }
        }
        for function in &group.functions {
            let is_shown = self.is_alone && group.rankings.is_empty();
            for costs in &function.growth {
                if self.has_room() {
                    figures += &self.growth(function, costs);
                }
            }
            if function.growth.is_empty() && is_shown && self.has_room() {
                figures += &self.cases(function);
            }
        }
        match figures.is_empty() {
            true => figures,
            false => format!(
                "<section><h3 class=\"name\">{}</h3><div class=\"figures\">\n{figures}</div></section>\n",
                html(&name(&group.name))
            ),
        }
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.functions < MOST;
        match has_room {
            true => self.functions += 1,
            false => self.left_out += 1,
        }
        has_room
    }

    /// `parse`, its formula, and the chart.
    fn growth(&self, function: &PicturedFunction, costs: &SizedCosts) -> String {
        let title = match &costs.bench {
            Some(bench) if *bench != function.name => format!("{} {bench}", function.name),
            _ => function.name.clone(),
        };
        let lines = match (&costs.old, self.is_alone) {
            (_, true) => formula("new", "", &costs.new) + &allocations(function),
            (Some(old), _) => formula("new", "new ", &costs.new) + &formula("old", "old ", old),
            (None, _) => formula("new", "new ", &costs.new),
        };
        let axes = Axes {
            sizes: match costs.kind {
                SizeKind::Stated => "size",
                SizeKind::Elements => "elements",
                SizeKind::Bytes => "bytes",
                SizeKind::Argument => "argument",
            },
            counts: &self.pictures.metric,
        };
        let old = costs.old.as_ref();
        let (chart, scale) = chart::growth(&costs.new, old, &axes, &name(&title));
        figure(&title, &format!("{lines}{scale}"), &chart)
    }

    /// The cases of a function without sizes.
    fn cases(&self, function: &PicturedFunction) -> String {
        let cases: Vec<&PicturedCase> = function.cases.iter().collect();
        figure(&function.name, &allocations(function), &bars(&cases, None))
    }

    /// Functions of one id, with their relation to the best.
    fn ranking(&self, ranking: &Ranking) -> String {
        let cases: Vec<&PicturedCase> = ranking.cases.iter().collect();
        let best = cases.first().map(|case| case.new);
        let word = match self.pictures.lower_is_better {
            true => "least",
            false => "most",
        };
        let lines = format!("<span>compared by id, from {word}</span>");
        figure(&ranking.id, &lines, &bars(&cases, best))
    }
}

fn figure(title: &str, lines: &str, picture: &str) -> String {
    format!(
        "<figure><figcaption><b class=\"name\">{}</b>{lines}</figcaption>{picture}</figure>\n",
        html(&name(title))
    )
}

/// `new ~ 35.0 + 13.1·n·log2 n, R² 0.9999`, if a formula describes the counts.
fn formula(side: &str, word: &str, growth: &MeasuredGrowth) -> String {
    let text = match growth.described() {
        Some(best) => format!("~ {}", described(&best, FormulaLetters::Unicode)),
        None => "no formula describes these counts".to_owned(),
    };
    format!("<span class=\"of-{side}\">{word}{}</span>", html(&text))
}

/// `allocates 3 to 1 024 times`
fn allocations(function: &PicturedFunction) -> String {
    let counts = || function.cases.iter().filter_map(|case| case.allocations);
    let (Some(least), Some(most)) = (counts().min(), counts().max()) else {
        return String::new();
    };
    let count = |count| number(Number::Count(count));
    let text = match (least, most) {
        (0, 0) => "allocates nothing".to_owned(),
        (1, 1) => "allocates once".to_owned(),
        (least, most) if least == most => format!("allocates {} times", count(most)),
        (least, most) => format!("allocates {} to {} times", count(least), count(most)),
    };
    format!("<span>{text}</span>")
}

/// Cases as bars from 0 to the largest count. `best`: relations to this count are shown.
fn bars(cases: &[&PicturedCase], best: Option<u64>) -> String {
    let largest = cases.iter().flat_map(|case| [Some(case.new), case.old]);
    let largest = largest.flatten().max().unwrap_or_default();
    let rows: String = cases
        .iter()
        .take(MOST_BARS)
        .map(|case| {
            let relation = best.map_or_else(String::new, |best| {
                format!("<td class=\"number dim\">{}</td>", relation(case.new, best))
            });
            format!(
                "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"bar-cell\">{}</td><td class=\"number\">{}</td>{relation}</tr>\n",
                html(&name(&case.name)),
                bar(case, largest),
                number(Number::Count(case.new)),
            )
        })
        .collect();
    let old = match cases.iter().any(|case| case.old.is_some()) {
        true => "; the lines are the old side",
        false => "",
    };
    let more = match cases.len().saturating_sub(MOST_BARS) {
        0 => String::new(),
        more => format!("; {more} more cases are in the table below"),
    };
    format!(
        "<table class=\"bars\"><tbody>\n{rows}</tbody></table><p class=\"scale\">Bars from 0 to {}{old}{more}</p>",
        number(Number::Count(largest)),
    )
}

/// A bar, with a line where the old count is.
fn bar(case: &PicturedCase, largest: u64) -> String {
    // All counts may be 0.
    let width = |count: u64| WIDEST * count as f64 / largest.max(1) as f64;
    let old = case.old.map_or_else(String::new, |old| {
        let x = width(old);
        let old = number(Number::Count(old));
        format!("<path class=\"of-old\" d=\"M{x:.1} 0V14\"><title>old {old}</title></path>")
    });
    format!(
        "<svg class=\"cost\" width=\"{0}\" height=\"14\" viewBox=\"-1 0 {0} 14\" aria-hidden=\"true\"><rect x=\"0\" y=\"3\" height=\"8\" width=\"{1:.1}\"/>{old}</svg>",
        WIDEST + 2.0,
        // A count far below the largest is still a line.
        width(case.new).max(0.5),
    )
}

/// `best`, `2.20×`
fn relation(count: u64, best: u64) -> String {
    match (count, best) {
        (count, best) if count == best => "best".to_owned(),
        (_, 0) => String::new(),
        (count, best) => format!("{:.2}×", count as f64 / best as f64),
    }
}
