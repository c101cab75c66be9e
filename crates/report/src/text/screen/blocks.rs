//! Lines around rows on a terminal: headlines of tools, parts, baselines, details.

use super::Screen;
use crate::text::paint::{Edge, Ink};
use crate::text::{columns, parts};
use base::tool::Tool;
use records::summary::{Baselines, PartName};
use verdict::PartResult;

/// Rows are most often no wider.
const WIDTH: usize = 78;

/// Indent of a line that continues another one.
const INDENT: &str = "      ";

impl Screen {
    /// `  ======= DHAT =======…`
    pub fn tool_headline(self, tool: Tool) -> String {
        let Self { width, style } = self;
        columns::tool_headline_of_width(tool, width.min(WIDTH), style)
    }

    /// `  Baselines: feat against main`
    pub fn baselines(self, names: &Baselines) -> String {
        let text = match (names.new.as_deref(), names.old.as_deref()) {
            (Some(new), Some(old)) => format!("{new} against {old}"),
            (Some(new), None) => new.to_owned(),
            (None, Some(old)) => format!("against {old}"),
            (None, None) => return String::new(),
        };
        let name = columns::text_name("Baselines", self.style);
        self.wrapped(&format!("{name}{text}\n"), INDENT)
    }

    /// Lines of text: `  Details:   first`, the others below the first.
    pub fn details(self, lines: &[String]) -> String {
        // Below the words of the tool, which have an indent of their own.
        self.wrapped(&columns::details(lines, self.style), &" ".repeat(28))
    }

    /// `  ## pid: 16034 thread: 1 part: 1 (was pid: 15969 thread: 1 part: 1)`, with the command of
    /// a process.
    pub fn part(self, part: &PartResult) -> String {
        let style = self.style;
        let place = |name: &Option<PartName>| name.as_ref().map(parts::place);
        let (name, was) = match (place(&part.new), place(&part.old)) {
            (Some(new), Some(old)) => (new, format!(" (was {old})")),
            (Some(new), None) => (new, " (new)".to_owned()),
            (None, old) => (old.unwrap_or_default(), " (gone)".to_owned()),
        };
        let edge = style.edge(Edge::Branch);
        let name = style.paint(Ink::Strong, &name);
        let mut text = format!("{edge}## {name}{was}\n");
        let named = part.new.as_ref().or(part.old.as_ref());
        let details = named.map(|name| [("Command", &name.command), ("Trigger", &name.trigger)]);
        for (label, detail) in details.into_iter().flatten() {
            if let Some(detail) = detail {
                text += &format!("{}{detail}\n", columns::text_name(label, style));
            }
        }
        self.wrapped(&text, INDENT)
    }
}
