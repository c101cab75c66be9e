//! Processes, threads and parts of a benchmark.
//!
//! ```text
//!   ## pid: 16034 thread: 1 part: 1          |pid: 15969 thread: 1 part: 1
//! ```

use super::columns::{self, MIDDLE, MISSING};
use super::paint::{Edge, Ink};
use super::Style;
use records::summary::PartName;
use verdict::PartResult;

/// The headline of a part, with rows for its details.
pub fn name(part: &PartResult, style: Style) -> String {
    let (new, old) = (part.new.as_ref(), part.old.as_ref());
    let text = |name: Option<&PartName>| name.map_or_else(|| MISSING.to_owned(), place);
    let mut lines = headline(&text(new), Some(&text(old)), style);
    let commands = (
        field(new, |name| &name.command),
        field(old, |name| &name.command),
    );
    let triggers = (
        field(new, |name| &name.trigger),
        field(old, |name| &name.trigger),
    );
    for (label, (new, old)) in [("Command", commands), ("Trigger", triggers)] {
        if new.is_some() || old.is_some() {
            // Most often both are the same, and long.
            let old = old.filter(|_| old != new);
            lines += &match (new, old) {
                (Some(new), None) => columns::text(label, new, style),
                (new, old) => columns::texts(label, new, old, style),
            };
        }
    }
    lines
}

/// The headline of one event set of perf.
pub fn event_set(number: u32, style: Style) -> String {
    headline(&format!("Part {number}"), None, style)
}

/// The headline of all parts together.
pub fn total(style: Style) -> String {
    headline("Total", None, style)
}

fn field<'a>(
    name: Option<&'a PartName>,
    field: impl Fn(&'a PartName) -> &'a Option<String>,
) -> Option<&'a str> {
    name.and_then(|name| field(name).as_deref())
}

fn headline(new: &str, old: Option<&str>, style: Style) -> String {
    let mark = style.paint(Ink::Mark, "##");
    let name = style.paint(Ink::Strong, new);
    let begin = format!("{}{mark} {name}", style.edge(Edge::Branch));
    let Some(old) = old else {
        return format!("{begin}\n");
    };
    // The edge, and `## `.
    let width = 2 + 3 + new.chars().count();
    let padding = MIDDLE.saturating_sub(width);
    format!("{begin}{:padding$}|{old}\n", "")
}

/// `pid: 16034 thread: 1 part: 1`; a process without threads and parts names its parent.
pub fn place(name: &PartName) -> String {
    let parts = [
        ("pid", name.pid.map(u64::from)),
        (
            "ppid",
            name.parent_pid
                .map(u64::from)
                .filter(|_| name.part.is_none()),
        ),
        ("thread", name.thread),
        ("part", name.part),
    ];
    let known = parts
        .iter()
        .filter_map(|(key, number)| Some(format!("{key}: {}", (*number)?)));
    known.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::MetricsComparison;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };

    fn part(new: Option<PartName>, old: Option<PartName>) -> PartResult {
        PartResult {
            new,
            old,
            comparison: MetricsComparison::default(),
        }
    }

    fn thread(pid: u32, thread: u64) -> PartName {
        PartName {
            pid: Some(pid),
            parent_pid: Some(1),
            thread: Some(thread),
            part: Some(1),
            ..PartName::default()
        }
    }

    #[test]
    #[rustfmt::skip]
    fn headlines() {
        #[track_caller]
        fn check(new: Option<PartName>, old: Option<PartName>, expected: &str) {
            assert_eq!(name(&part(new, old), PLAIN), format!("{expected}\n"));
        }
        check(Some(thread(16034, 1)), Some(thread(15969, 1)), "  ## pid: 16034 thread: 1 part: 1          |pid: 15969 thread: 1 part: 1");
        check(Some(thread(16034, 2)), None,                   "  ## pid: 16034 thread: 2 part: 1          |N/A");
        check(None, Some(thread(7, 2)),                       "  ## N/A                                   |pid: 7 thread: 2 part: 1");
        let process = PartName { pid: Some(3), parent_pid: Some(2), ..PartName::default() };
        check(Some(process), None,                            "  ## pid: 3 ppid: 2                        |N/A");
        assert_eq!(total(PLAIN), "  ## Total\n");
        assert_eq!(total(Style { color: true, grid: false }), "\x1b[90m  \x1b[0m\x1b[33m##\x1b[0m \x1b[1mTotal\x1b[0m\n");
    }

    #[test]
    fn commands_of_children_and_texts_of_dumps() {
        let named = |command: &str| PartName {
            command: Some(command.to_owned()),
            trigger: Some("after setup".to_owned()),
            ..thread(1, 1)
        };
        let lines = name(&part(Some(named("a b")), Some(named("a b"))), PLAIN);
        let lines: Vec<&str> = lines.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "  Command:             a b",
                "  Trigger:             after setup"
            ]
        );
    }
}
