//! The first errors that an error tool found, as text.

use std::cmp::Ordering;

/// Lines that are kept: two errors with their stacks, or three.
const MOST_LINES: usize = 40;
/// A piece of the name of the function that calls the benchmark: its frame and those below it say
/// nothing about the error.
const HARNESS: &str = "__iai_callgrind_case";
/// Frames of a stack that are kept, from the innermost on: so an error of several stacks fits.
const MOST_FRAMES: usize = 12;
/// Begin of the place of a frame in the standard library, most often an inlined one.
const STANDARD_LIBRARY: [&[u8]; 2] = [b"(library/", b"(/rustc/"];
/// Begin of a paragraph of Helgrind that says where a thread comes from. The error that it belongs
/// to follows.
const ANNOUNCED: &[u8] = b"Thread #";
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

/// Text of the first errors that Memcheck, Helgrind or DRD found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorRecords {
    /// At most 40 lines without Valgrind's prefix, with an empty line between two errors.
    pub lines: Vec<String>,
    /// The log has more lines of errors than [`lines`](Self::lines).
    pub cut: bool,
    paragraph: Paragraph,
    /// The frames of a stack that follow are those of the harness.
    in_harness: bool,
    /// Frames of the current stack so far.
    frames: usize,
}

/// Paragraph that the current line belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Paragraph {
    /// No paragraph: an empty line was the last one.
    #[default]
    None,
    /// A paragraph about an error.
    Error,
    /// Any other paragraph.
    Other,
}

/// Is it `Thread #2 was created` or `Thread #1 is the program's root thread`?
fn is_announcement(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(ANNOUNCED) else {
        return false;
    };
    rest.ends_with(b" was created") || rest.ends_with(b" is the program's root thread")
}

impl ErrorRecords {
    /// Adds a line that follows the header.
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
            let other = is_announcement(trimmed)
                || NO_ERRORS
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
        let is_first = trimmed.starts_with(b"at 0x");
        let is_frame = is_first || trimmed.starts_with(b"by 0x");
        let begins_harness = memchr::memmem::find(trimmed, HARNESS.as_bytes()).is_some();
        self.in_harness = is_frame && (self.in_harness || begins_harness);
        if self.paragraph != Paragraph::Error || self.in_harness {
            return;
        }
        // One blank separates the text from the prefix.
        let text = text.strip_prefix(b" ").unwrap_or(text);
        if !is_frame || is_first {
            self.frames = usize::from(is_first);
            return self.push(text);
        }
        let is_standard = |begin: &&[u8]| memchr::memmem::find(trimmed, begin).is_some();
        if STANDARD_LIBRARY.iter().any(is_standard) {
            return;
        }
        self.frames += 1;
        match self.frames.cmp(&(MOST_FRAMES + 1)) {
            Ordering::Less => self.push(text),
            Ordering::Equal => self.push("   …".as_bytes()),
            Ordering::Greater => {}
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
