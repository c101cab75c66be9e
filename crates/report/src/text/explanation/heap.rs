//! Places that allocate more or less, below the rows of DHAT.
//!
//! ```text
//!   Why  Total bytes +51,244 (+100%), total blocks +9
//!        +51,244  lab::count_words  src/lib.rs:10  HashMap::with_capacity 51,216 B in 1 block -> 102,460 B in 10 blocks
//! ```
//!
//! On narrow terminals the text of a place is on lines of its own.

use super::super::paint::Ink;
use super::super::Style;
use super::{
    file_text, fit_name, percent_text, shown_rows, wrap, ShownRow, DIFFERENCE, LEAST, NAME, WIDE,
};
use base::counted::signed;
use explain::{HeapAmount, HeapSite, HeapSites};

/// Columns before the name of a place.
const BEFORE_SITE: usize = DIFFERENCE + 2;

/// Longest file and line on a wide line.
const LONGEST_FILE: usize = 24;

/// The places as lines of a terminal of this width, at most so many.
#[must_use]
pub fn heap_sites_text(
    found: &HeapSites,
    width: usize,
    most: Option<usize>,
    style: Style,
) -> String {
    let width = width.max(LEAST);
    let usual = if width < WIDE { 3 } else { 6 };
    let rows = shown_rows(
        &found.sites,
        most.unwrap_or(usual),
        |site| site.diff,
        "site",
    );
    let page = HeapPage {
        width,
        style,
        columns: SiteColumns::of(&rows),
    };
    let mut text = page.head(found);
    for row in &rows {
        text += &match row {
            ShownRow::One(site) if width < WIDE => page.narrow(site),
            ShownRow::One(site) => page.wide(site),
            ShownRow::Others { text, diff } => format!("{}... {text}\n", page.amount(*diff)),
        };
    }
    text
}

/// Places that are written for a terminal.
struct HeapPage {
    width: usize,
    style: Style,
    columns: SiteColumns,
}

/// Widths of the names and files of wide lines: those of the longest.
struct SiteColumns {
    name: usize,
    file: usize,
}

impl SiteColumns {
    fn of(rows: &[ShownRow<'_, HeapSite>]) -> Self {
        let sites = rows.iter().filter_map(|row| match row {
            ShownRow::One(site) => Some(site),
            ShownRow::Others { .. } => None,
        });
        let lengths = sites.map(|site| {
            let name = fit_name(&site.function, NAME - 1).chars().count();
            (name, file(site, LONGEST_FILE).chars().count())
        });
        let (names, files): (Vec<usize>, Vec<usize>) = lengths.unzip();
        Self {
            name: names.into_iter().max().unwrap_or(0),
            file: files.into_iter().max().unwrap_or(0),
        }
    }
}

impl HeapPage {
    /// `  Why  Total bytes +51,244 (+100%), total blocks +9`: of what differs, the first one
    /// with its share.
    fn head(&self, found: &HeapSites) -> String {
        let figures = [("Total bytes", found.bytes), ("Total blocks", found.blocks)];
        let differing = figures.into_iter().filter(|(_, amount)| amount.diff != 0);
        let texts: Vec<String> = differing
            .enumerate()
            .map(|(index, (label, amount))| self.figure(index, label, amount))
            .collect();
        let why = self.style.paint(Ink::Strong, "Why");
        format!("  {why}  {}\n", texts.join(", "))
    }

    fn figure(&self, index: usize, label: &str, amount: HeapAmount) -> String {
        let HeapAmount { old, diff, .. } = amount;
        let signed = self.judged(diff, &signed(diff));
        match index {
            0 => {
                let share = percent_text(diff, old);
                format!("{label} {signed} ({})", self.judged(diff, &share))
            }
            _ => format!("{} {signed}", label.to_lowercase()),
        }
    }

    fn wide(&self, site: &HeapSite) -> String {
        let SiteColumns { name, file: files } = self.columns;
        let function = fit_name(&site.function, NAME - 1);
        let gap = if files == 0 { "" } else { "  " };
        let file = file(site, LONGEST_FILE);
        let line = format!("{function:name$}{gap}{file:files$}  {}", site.text);
        format!("{}{line}\n", self.amount(site.diff))
    }

    /// The place, then the words on lines of their own.
    fn narrow(&self, site: &HeapSite) -> String {
        // The width is `LEAST` or more, and the file takes half of the room, so nothing here wraps.
        let room = self.width - BEFORE_SITE;
        let file = file(site, room / 2);
        let for_name = match file.chars().count() {
            0 => room,
            length => room - length - 2,
        };
        let mut place = fit_name(&site.function, for_name);
        if !file.is_empty() {
            place += &format!("  {file}");
        }
        let mut text = format!("{}{place}\n", self.amount(site.diff));
        let indent = " ".repeat(BEFORE_SITE);
        for line in wrap(&site.text, room) {
            text += &format!("{indent}{line}\n");
        }
        text
    }

    /// `       +51,244  `
    fn amount(&self, diff: i64) -> String {
        let signed = signed(diff);
        format!("{}  ", self.judged(diff, &format!("{signed:>DIFFERENCE$}")))
    }

    fn judged(&self, diff: i64, text: &str) -> String {
        match diff {
            0 => text.to_owned(),
            1.. => self.style.paint(Ink::Worse, text),
            _ => self.style.paint(Ink::Better, text),
        }
    }
}

fn file(site: &HeapSite, room: usize) -> String {
    let file = site.file.as_deref();
    file.map_or(String::new(), |file| file_text((file, site.line), room))
}

#[cfg(test)]
mod tests {
    use super::super::tests::parts_of_place;
    use super::*;
    use explain::{ExplainedRow, SourceOrigin};

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };

    fn site(diff: i64, place: &str, text: &str) -> ExplainedRow<HeapSite> {
        let (function, file, line) = parts_of_place(place);
        ExplainedRow::One(HeapSite {
            diff,
            function,
            file,
            line,
            origin: SourceOrigin::User,
            text: text.to_owned(),
            old: None,
            new: None,
        })
    }

    /// A hash table that grows, and four smaller places.
    fn words() -> HeapSites {
        HeapSites {
            bytes: HeapAmount::new(51_216, 102_460 + 5_000 - 2_000 - 60),
            blocks: HeapAmount::new(1, 12),
            sites: vec![
                site(
                    51_244,
                    "lab::count_words src/lib.rs:10",
                    "HashMap::with_capacity 51,216 B in 1 block -> HashMap::rustc_entry 102,460 B in 10 blocks",
                ),
                site(5_000, "lab::f", "nothing -> malloc 5,000 B in 2 blocks"),
                site(-2_000, "lab::print src/a/long/path/lib.rs:150", "Vec::push 2,000 B in 1 block -> nothing"),
                site(-40, "lab::g src/lib.rs:1", "malloc 40 B in 1 block -> nothing"),
                ExplainedRow::Rest { rest: 4, diff: -20 },
            ],
        }
    }

    #[test]
    fn a_wide_terminal_has_a_line_for_each_site() {
        assert_eq!(
            heap_sites_text(&words(), 120, None, PLAIN),
            "  Why  Total bytes +54,184 (+106%), total blocks +11
       +51,244  lab::count_words  src/lib.rs:10           HashMap::with_capacity 51,216 B in 1 block -> HashMap::rustc_entry 102,460 B in 10 blocks
        +5,000  lab::f                                    nothing -> malloc 5,000 B in 2 blocks
        -2,000  lab::print        a/long/path/lib.rs:150  Vec::push 2,000 B in 1 block -> nothing
           -60  ... 5 more sites
"
        );
        let one = HeapSites {
            sites: words().sites[..1].to_vec(),
            ..words()
        };
        assert_eq!(
            heap_sites_text(&one, 120, None, PLAIN).lines().last(),
            Some("       +51,244  lab::count_words  src/lib.rs:10  HashMap::with_capacity 51,216 B in 1 block -> HashMap::rustc_entry 102,460 B in 10 blocks")
        );
    }

    #[test]
    fn a_narrow_terminal_has_words_below_each_site() {
        let text = heap_sites_text(&words(), 80, None, PLAIN);
        assert_eq!(
            text,
            "  Why  Total bytes +54,184 (+106%), total blocks +11
       +51,244  lab::count_words  src/lib.rs:10
                HashMap::with_capacity 51,216 B in 1 block ->
                HashMap::rustc_entry 102,460 B in 10 blocks
        +5,000  lab::f
                nothing -> malloc 5,000 B in 2 blocks
        -2,000  lab::print  src/a/long/path/lib.rs:150
                Vec::push 2,000 B in 1 block -> nothing
           -60  ... 5 more sites
"
        );
        assert!(text.lines().all(|line| line.chars().count() <= 80));
        let one = heap_sites_text(&words(), 80, Some(1), PLAIN);
        assert!(
            one.ends_with("\n        +2,940  ... 7 more sites\n"),
            "{one}"
        );
    }

    #[test]
    fn the_first_line_has_what_differs() {
        let head = |bytes, blocks| {
            let found = HeapSites {
                bytes,
                blocks,
                sites: vec![],
            };
            heap_sites_text(&found, 120, None, PLAIN)
        };
        let same = HeapAmount::new(7, 7);
        let more = HeapAmount::new(0, 3);
        assert_eq!(head(more, same), "  Why  Total bytes +3 (new)\n");
        assert_eq!(head(same, more), "  Why  Total blocks +3 (new)\n");
    }

    #[test]
    fn more_is_worse() {
        let color = Style {
            color: true,
            grid: false,
        };
        let text = heap_sites_text(&words(), 120, None, color);
        let worse = color.paint(Ink::Worse, "       +51,244");
        let better = color.paint(Ink::Better, "        -2,000");
        assert!(text.contains(&worse) && text.contains(&better), "{text}");
    }
}
