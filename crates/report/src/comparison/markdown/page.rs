//! A page of sections that is cut to a number of bytes.

/// Bytes at most. GitHub takes 65,536 in a comment; the program that posts it may add text.
const LIMIT: usize = 60_000;
/// Bytes that the line about what is left out of a section takes, at most.
const LEFT_OUT: usize = 120;
/// Rows of a section at most: more of them would not fit in any case.
const ROWS: usize = 5000;

/// A page in Markdown.
pub(super) struct Page {
    head: String,
    sections: Vec<(u8, PageSection)>,
}

/// Rows below a heading.
pub(super) struct PageSection {
    pub before: String,
    pub rows: Vec<String>,
    pub after: String,
    /// The row about this number of rows that are left out.
    pub left_out: fn(usize) -> String,
    /// The number of rows that are left out.
    pub missing: usize,
}

impl Default for PageSection {
    fn default() -> Self {
        Self {
            before: String::new(),
            rows: Vec::new(),
            after: String::new(),
            left_out: |number| format!("\nand {number} more\n"),
            missing: 0,
        }
    }
}

impl PageSection {
    /// A section of the rows that the texts are made of, of which the last ones may be left out
    /// from the beginning.
    pub(super) fn of_rows<T>(
        rows: impl Iterator<Item = T>,
        mut text: impl FnMut(T) -> String,
    ) -> Self {
        let mut section = Self::default();
        for row in rows {
            match section.rows.len() < ROWS {
                true => section.rows.push(text(row)),
                false => section.missing += 1,
            }
        }
        section
    }

    /// The section behind a title, with the number of its rows.
    pub(super) fn folded(self, title: &str) -> Self {
        let number = self.number();
        Self {
            before: format!(
                "<details><summary>{title} ({number})</summary>\n\n{}",
                self.before
            ),
            after: format!("{}\n</details>\n", self.after.trim_end_matches('\n')),
            ..self
        }
    }

    pub(super) fn number(&self) -> usize {
        self.rows.len() + self.missing
    }

    fn len(&self) -> usize {
        let rows: usize = self.rows.iter().map(String::len).sum();
        // Always with the line on missing rows: whether it is needed is known after the cut.
        self.before.len() + rows + self.after.len() + LEFT_OUT
    }
}

impl Page {
    pub(super) fn new(head: String) -> Self {
        Self {
            head,
            sections: Vec::new(),
        }
    }

    /// Adds a section. The higher the number, the earlier its rows are left out; a section without
    /// rows is none.
    pub(super) fn add(&mut self, order: u8, section: PageSection) {
        if section.number() > 0 {
            self.sections.push((order, section));
        }
    }

    pub(super) fn text(mut self) -> String {
        self.cut();
        let mut text = self.head;
        for (_, section) in self.sections {
            text += &section.before;
            text.extend(section.rows);
            if section.missing > 0 {
                text += &(section.left_out)(section.missing);
            }
            text += &section.after;
        }
        text
    }

    /// Leaves out rows from the end of the sections that come first in the order of leaving out.
    fn cut(&mut self) {
        let sections: usize = self.sections.iter().map(|(_, section)| section.len()).sum();
        let mut length = self.head.len() + sections;
        let mut places: Vec<usize> = (0..self.sections.len()).collect();
        // Of equal numbers the last section of the page is cut first.
        places.sort_by_key(|place| std::cmp::Reverse((self.sections[*place].0, *place)));
        for place in places {
            let section = &mut self.sections[place].1;
            while length > LIMIT {
                let Some(row) = section.rows.pop() else { break };
                length -= row.len();
                section.missing += 1;
            }
        }
    }
}
