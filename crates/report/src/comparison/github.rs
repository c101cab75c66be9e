//! GitHub: workflow commands, which become annotations of the source.
//!
//! ```text
//! ::error file=benches/app.rs,line=31,title=app%3A%3Ag%3A%3Ajson_write%3A%3An_0::Instructions 15,005 -> 16,387 (+9.21%, limit +5%)
//! ```

use std::io::{self, Write};

use super::super::markdown::on_one_line;
use super::super::visible::{short, LONGEST_TEXT};
use super::source_places::SourcePlaces;
use super::words::{explained_words, RowNames};
use verdict::sides::{ComparisonReport, ReportRow};
use verdict::RowClass;

/// Annotations of one kind that GitHub shows of a step.
const SHOWN: usize = 10;

/// Writes errors for regressed and failed rows, and warnings for those that are not judged.
pub(super) fn commands(
    report: &ComparisonReport,
    places: &SourcePlaces,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = RowNames::of(report);
    let of_classes = |classes: &[RowClass]| -> Vec<String> {
        let rows = report.rows.iter();
        let rows = rows.filter(|row| classes.contains(&row.class));
        rows.map(|row| annotation(row, &names.name(row), places))
            .collect()
    };
    // First, since GitHub shows so few of a kind.
    let whole = report.errors.iter();
    let mut errors: Vec<String> = whole.map(|error| format!("::{}", data(error))).collect();
    errors.extend(of_classes(&[RowClass::Failed, RowClass::Regressed]));
    several("error", &errors, out)?;
    several("warning", &of_classes(&[RowClass::NotJudged]), out)
}

/// Text for the log of a job, in which nothing is a command.
pub fn without_commands(text: &str) -> String {
    guarded(text, "\\::", "#\\#[")
}

/// The same of XML or HTML, whose readers find the text as it was.
pub(crate) fn referenced_commands(xml: &str) -> String {
    guarded(xml, "&#58;:", "#&#35;[")
}

/// The same of JSON, in whose texts alone a command may stand: its lines begin with none.
pub fn json_without_commands(json: &str) -> String {
    json.replace("##[", "#\\u0023[")
}

fn guarded(text: &str, command: &str, old_command: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let start = line.len() - line.trim_start().len();
        // Both forms of a command: `::` at the beginning of a line and, from before, `##[`
        // anywhere.
        let line = line.replace("##[", old_command);
        match line[start..].strip_prefix("::") {
            Some(rest) => format!("{}{command}{rest}", &line[..start]),
            None => line,
        }
    });
    lines.collect()
}

/// The commands of one kind, up to the limit of GitHub.
fn several(kind: &str, commands: &[String], out: &mut dyn Write) -> io::Result<()> {
    let shown = match commands.len() {
        all if all <= SHOWN => all,
        // The last one says how many more there are.
        _ => SHOWN - 1,
    };
    for command in &commands[..shown] {
        writeln!(out, "::{kind} {command}")?;
    }
    match commands.len() - shown {
        0 => Ok(()),
        more => writeln!(out, "::{kind} ::and {more} more"),
    }
}

/// ` file=benches/app.rs,line=31,title=app%3A%3Ag::Instructions 15,005 -> 16,387`
fn annotation(row: &ReportRow, name: &str, places: &SourcePlaces) -> String {
    let mut properties = Vec::new();
    if let Some(path) = places.path(row) {
        properties.push(format!("file={}", property(&path)));
        properties.extend(row.line.map(|line| format!("line={line}")));
    }
    properties.push(format!("title={}", property(name)));
    let words = explained_words(row);
    format!("{}::{}", properties.join(","), data(&words))
}

/// The message of a command.
fn data(text: &str) -> String {
    // `%` first, since the other escapes begin with it.
    short(&on_one_line(text), LONGEST_TEXT)
        .replace('%', "%25")
        .replace("##[", "#%23[")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::sides::sample::{self, HOSTILE};

    fn written(report: &ComparisonReport) -> String {
        let mut out = Vec::new();
        commands(report, &SourcePlaces::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Kind, properties and message, read as the workflow toolkit of GitHub writes them.
    fn read(line: &str) -> (String, Vec<(String, String)>, String) {
        fn unescaped(text: &str) -> String {
            let mut bytes = Vec::new();
            let mut rest = text.as_bytes();
            while let Some((first, others)) = rest.split_first() {
                rest = others;
                match (first, others.get(..2)) {
                    (b'%', Some(hex)) => {
                        let hex = std::str::from_utf8(hex).unwrap();
                        bytes.push(u8::from_str_radix(hex, 16).unwrap());
                        rest = &others[2..];
                    }
                    (byte, _) => bytes.push(*byte),
                }
            }
            String::from_utf8(bytes).unwrap()
        }
        let (command, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (kind, properties) = command.split_once(' ').unwrap();
        let properties = properties
            .split(',')
            .filter_map(|property| property.split_once('='));
        let properties = properties.map(|(name, value)| (name.to_owned(), unescaped(value)));
        (kind.to_owned(), properties.collect(), unescaped(message))
    }

    #[test]
    fn annotations_name_the_line_and_the_change() {
        let text = written(&sample::report());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "::error file=benches/app.rs,line=31,title=app%3A%3Ag%3A%3Aparse%3A%3Abroken\
                 ::ended with signal 11 (SIGSEGV)",
                "::error file=benches/app.rs,line=31,title=app%3A%3Ag%3A%3Amemchr_lines%3A%3An_1\
                 ::Instructions 3,715 -> 59,692 (+1,507%25, limit +5%25); causes need digests: the old result \
                 has none",
                "::error file=benches/app.rs,line=31,title=app%3A%3Ag%3A%3Ajson_write%3A%3An_0\
                 ::Instructions 15,005 -> 16,387 (+9.21%25), own code 12,000 -> 13,762 (+14.7%25, limit +5%25); \
                 +1,300 (+8.66%25) realloc: 100 -> 1,400; +82 (+0.55%25) 2 more places",
                "::error file=benches/app.rs,line=31,title=app%3A%3Ag%3A%3Ajson_write%3A%3An_0\
                 ::Total bytes 0 -> 4,096 (limit 1,024)",
                "::warning file=benches/app.rs,line=31,title=app%3A%3Ag%3A%3Aboxes%3A%3An_0\
                 ::Instructions 19,635 -> 21,050 (+7.21%25, limit +5%25)",
            ]
        );
        let (kind, properties, message) = read(lines[2]);
        assert_eq!(kind, "error");
        assert_eq!(properties[2].1, "app::g::json_write::n_0");
        assert!(message.contains("(+14.7%, limit +5%)"), "{message}");
    }

    #[test]
    fn ten_are_shown_and_the_last_one_counts_the_others() {
        let lines = |number| {
            let text = written(&sample::many(RowClass::Regressed, number));
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(10).len(), 10);
        let many = lines(12);
        assert_eq!(many.len(), 10);
        assert_eq!(read(&many[9]).2, "and 3 more");
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let report = sample::hostile();
        let text = written(&report);
        let expected = on_one_line(HOSTILE);
        assert_eq!(text.lines().count(), 6);
        assert!(!text.contains("##["), "{text}");
        for line in text.lines() {
            let (kind, properties, message) = read(line);
            assert!(["error", "warning"].contains(&kind.as_str()), "{line}");
            assert!(!message.contains(['\r', '\n']));
            for (name, value) in properties {
                match name.as_str() {
                    "file" => assert_eq!(value, expected),
                    "line" => assert_eq!(value, "31"),
                    "title" => assert!(value.ends_with(&expected), "{value}"),
                    name => panic!("{name}"),
                }
            }
        }
    }

    #[test]
    fn a_long_message_stays_short() {
        let text = data(&"a".repeat(2_000_000));
        assert!(text.len() < 1100, "{}", text.len());
    }

    #[test]
    fn text_has_no_commands() {
        let text = "a\n::error::b\n  ::set-env name=x::y\n##[group]z\na ::b\n";
        let expected = "a\n\\::error::b\n  \\::set-env name=x::y\n#\\#[group]z\na ::b\n";
        assert_eq!(without_commands(text), expected);
        let expected = "a\n&#58;:error::b\n  &#58;:set-env name=x::y\n#&#35;[group]z\na ::b\n";
        assert_eq!(referenced_commands(text), expected);
    }
}
