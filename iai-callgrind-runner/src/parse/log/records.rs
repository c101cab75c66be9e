//! The beginning of what an error tool found, as text.

/// Lines that are kept: two errors with their stacks, or three.
const MOST_LINES: usize = 40;
/// Bytes of a line that are kept; names of generic functions can be longer than any screen.
const LONGEST: usize = 240;

/// Paragraphs that begin with these words are no errors.
const NO_ERRORS: &[&str] = &[
    "All heap blocks were freed",
    "ERROR SUMMARY:",
    "For a detailed leak analysis",
    "For counts of detected and suppressed errors",
    "For lists of detected and suppressed errors",
    "HEAP SUMMARY:",
    "LEAK SUMMARY:",
    "To see them",
    "Use --history-level",
    "Use --track-origins",
    "WARNING:",
    "xtree ",
];

/// The first errors, in the tool's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records {
    /// The lines; an empty one between two errors.
    pub lines: Vec<String>,
    /// There is more in the log.
    pub cut: bool,
    paragraph: Paragraph,
}

/// What the current lines are part of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Paragraph {
    /// Nothing: an empty line was the last one.
    #[default]
    None,
    /// An error.
    Error,
    /// Something else.
    Other,
}

impl Records {
    /// Takes in a line that follows the header.
    pub(super) fn line(&mut self, text: &[u8]) {
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() {
            self.paragraph = Paragraph::None;
            return;
        }
        // Helgrind's and DRD's rulers.
        if trimmed.starts_with(b"----") || trimmed.starts_with(b"---Thread-Announcement---") {
            return;
        }
        if self.paragraph == Paragraph::None {
            let other = NO_ERRORS
                .iter()
                .any(|words| trimmed.starts_with(words.as_bytes()));
            self.paragraph = if other {
                Paragraph::Other
            } else {
                Paragraph::Error
            };
            if self.paragraph == Paragraph::Error && !self.lines.is_empty() {
                self.push(b"");
            }
        }
        if self.paragraph == Paragraph::Error {
            // One blank separates the text from the prefix.
            self.push(text.strip_prefix(b" ").unwrap_or(text));
        }
    }

    fn push(&mut self, text: &[u8]) {
        if self.lines.len() == MOST_LINES {
            self.cut = true;
            return;
        }
        let shown = &text[..text.len().min(LONGEST)];
        let mut line = String::from_utf8_lossy(shown.trim_ascii_end()).into_owned();
        if shown.len() < text.len() {
            line.push('…');
        }
        self.lines.push(line);
    }
}
