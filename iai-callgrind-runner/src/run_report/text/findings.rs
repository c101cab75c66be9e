//! Findings of `doctor`.
//!
//! ```text
//! problem: the bench profile has no debug information, so …
//!   write in `Cargo.toml`:
//!     [profile.bench]
//!     debug = true
//! ```

use findings::{Cure, Finding, Severity};
use report::text::paint::Ink;
use report::text::Style;

/// All findings, and how many problems are among them.
pub(super) fn text(findings: &[Finding], style: Style) -> String {
    let mut text = String::new();
    for finding in findings {
        let (label, ink) = match finding.level {
            Severity::Fine => ("ok", Ink::Fine),
            Severity::Note => ("note", Ink::Warning),
            Severity::Problem => ("problem", Ink::Error),
        };
        text += &format!("{}: {}\n", style.paint(ink, label), finding.text);
        if let Some(Cure { place, lines }) = &finding.cure {
            text += &format!("  {place}:\n");
            for line in lines {
                text += &format!("    {}\n", style.paint(Ink::Strong, line));
            }
        }
    }
    let problems = findings
        .iter()
        .filter(|finding| finding.level == Severity::Problem);
    text += &match problems.count() {
        0 => "\nno problems\n".to_owned(),
        1 => "\n1 problem\n".to_owned(),
        several => format!("\n{several} problems\n"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cures_stand_below_what_they_cure() {
        let finding = |level, text: &str, cure| Finding {
            level,
            text: text.to_owned(),
            cure,
        };
        let cure = Cure {
            place: "write in `Cargo.toml`".to_owned(),
            lines: vec!["[lib]".to_owned(), "bench = false".to_owned()],
        };
        let findings = [
            finding(Severity::Fine, "this is fine", None),
            finding(Severity::Note, "this is a note", None),
            finding(Severity::Problem, "this is wrong", Some(cure)),
        ];
        assert_eq!(
            text(
                &findings,
                Style {
                    color: false,
                    grid: false
                }
            ),
            "ok: this is fine\nnote: this is a note\nproblem: this is wrong\n  \
             write in `Cargo.toml`:\n    [lib]\n    bench = false\n\n1 problem\n"
        );
        assert_eq!(
            text(
                &findings[..1],
                Style {
                    color: true,
                    grid: false
                }
            ),
            "\x1b[1;32mok\x1b[0m: this is fine\n\nno problems\n"
        );
    }
}
