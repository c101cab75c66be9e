//! Massif's out files: snapshots of the heap.
//!
//! ```text
//! profile  = "desc:" text "cmd:" text "time_unit:" unit { snapshot }
//! snapshot = rule "snapshot=" number rule "time=" number "mem_heap_B=" number
//!            "mem_heap_extra_B=" number "mem_stacks_B=" number "heap_tree=" kind [ tree ]
//! tree     = one line for each node: blanks for its depth, "n" children ":" bytes place
//! ```
//!
//! The command is written as it is, so it may go over several lines.

use std::io::Read;
use std::path::Path;

use super::lines::{LinePosition, Lines};
use super::number::{single, Cursor};
use super::{read_path, FileError, ParseError, ParseErrorKind};

const RULE: &[u8] = b"#-----------";

/// Comment after the snapshot that [`end_snapshot`] makes.
const END: &[u8] = b"# end of the benchmark";

/// Snapshots of the heap of one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MassifProfile {
    /// The first line of the command, unquoted.
    pub command: Option<Vec<u8>>,
    /// Unit of time: `i` (instructions), `ms` or `B` (allocated and freed bytes).
    pub time_unit: Option<String>,
    /// Snapshots in the order of time.
    pub snapshots: Vec<MassifSnapshot>,
    /// The snapshot at the end of the benchmark, if it is known: [`end_snapshot`]. Massif's own
    /// last snapshot may lie long before the end.
    pub end: Option<MassifSnapshot>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<MassifFlag>,
}

/// The memory of a process at one moment, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MassifSnapshot {
    /// Time of the snapshot since the start, in [`MassifProfile::time_unit`].
    pub time: i64,
    /// Bytes that the program asked for.
    pub heap: u64,
    /// Bytes that the allocator takes in addition, for its own data and for alignment.
    pub extra: u64,
    /// Bytes of the stacks of all threads (`--stacks=yes`).
    pub stacks: u64,
    /// Sum of heap, extra and stacks.
    pub total: u64,
    /// The snapshot has a tree of the places that allocated.
    pub detailed: bool,
}

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MassifFlag {
    /// Massif was stopped while writing, or wrote no snapshot.
    Incomplete,
    /// `time_unit:` is missing.
    NoTimeUnit,
    /// Two snapshots are marked as the peak.
    TwoPeaks,
    /// The numbers of the snapshots are not 0, 1, 2 … in this order.
    NumbersJump,
    /// A tree has more or fewer nodes than it announces.
    TreeInconsistent,
}

impl MassifProfile {
    /// The snapshot in which most memory was in use: the first one, if there are several. The one
    /// that Massif marks may be lower (`--peak-inaccuracy`).
    #[must_use]
    pub fn peak(&self) -> Option<&MassifSnapshot> {
        let mut snapshots = self.snapshots.iter().chain(&self.end);
        let largest = snapshots.clone().map(|snapshot| snapshot.total).max()?;
        snapshots.find(|snapshot| snapshot.total == largest)
    }

    fn flag(&mut self, flag: MassifFlag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }
}

/// The text of one more snapshot for a file with so many: that at the end of the benchmark, which
/// readers know by a comment.
#[must_use]
pub fn end_snapshot(snapshots: usize, end: &MassifSnapshot) -> String {
    let MassifSnapshot {
        time,
        heap,
        extra,
        stacks,
        ..
    } = end;
    let rule = String::from_utf8_lossy(RULE);
    let comment = String::from_utf8_lossy(END);
    format!(
        "{rule}\nsnapshot={snapshots}\n{rule}\ntime={time}\nmem_heap_B={heap}\n\
         mem_heap_extra_B={extra}\nmem_stacks_B={stacks}\nheap_tree=empty\n{comment}\n"
    )
}

/// Reads the file with this path as [`read`] does.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<MassifProfile>, FileError> {
    read_path(path, read)
}

/// Reads and checks a profile. `None`: the input is empty or blank.
///
/// # Errors
///
/// The input cannot be read, or a line is not one of Massif.
pub fn read(input: impl Read) -> Result<Option<MassifProfile>, ParseError> {
    let mut lines = Lines::new(input);
    let mut reader = MassifReader::default();
    let mut last = LinePosition::default();
    let mut any_text = false;
    while let Some(line) = lines.next()? {
        last = line.position;
        any_text |= !line.text.trim_ascii().is_empty();
        // Massif was stopped inside this line.
        if !line.ended {
            reader.cut = true;
            break;
        }
        reader
            .line(line.text)
            .map_err(|reason| ParseError::syntax(line.position, reason, line.text))?;
    }
    if !any_text {
        return Ok(None);
    }
    let profile = reader
        .finish()
        .map_err(|reason| ParseError::syntax(last, reason, b""))?;
    Ok(Some(profile))
}

/// The state between two lines.
#[derive(Default)]
struct MassifReader {
    profile: MassifProfile,
    has_head: bool,
    has_peak: bool,
    /// A snapshot was seen.
    after_head: bool,
    state: MassifState,
    /// The snapshot that is being read.
    snapshot: MassifSnapshot,
    /// The file ends inside a line.
    cut: bool,
}

/// Kind of line that comes next.
#[derive(Default)]
enum MassifState {
    /// Before the first snapshot, or after one without a tree.
    #[default]
    Between,
    /// The number of a snapshot.
    Number,
    /// The second rule of a snapshot.
    Rule,
    /// The field with this index.
    Field(usize),
    /// A node, or the next snapshot.
    Tree(Tree),
}

const FIELDS: [&str; 5] = [
    "time",
    "mem_heap_B",
    "mem_heap_extra_B",
    "mem_stacks_B",
    "heap_tree",
];

impl MassifReader {
    fn line(&mut self, line: &[u8]) -> Result<(), ParseErrorKind> {
        match &mut self.state {
            MassifState::Between => self.between(line),
            MassifState::Number => {
                let number = single(value(line, "snapshot")?)?;
                if number != self.profile.snapshots.len() as u64 {
                    self.profile.flag(MassifFlag::NumbersJump);
                }
                self.snapshot = MassifSnapshot::default();
                self.state = MassifState::Rule;
                Ok(())
            }
            MassifState::Rule if line == RULE => {
                self.state = MassifState::Field(0);
                Ok(())
            }
            MassifState::Rule => Err(ParseErrorKind::UnknownLine),
            MassifState::Field(index) => {
                let index = *index;
                self.field(index, line)
            }
            MassifState::Tree(_) if line == RULE => {
                self.end_of_tree();
                self.state = MassifState::Number;
                Ok(())
            }
            MassifState::Tree(tree) => tree.node(line),
        }
    }

    fn between(&mut self, line: &[u8]) -> Result<(), ParseErrorKind> {
        if line == RULE {
            if !self.has_head {
                return Err(ParseErrorKind::UnknownLine);
            }
            self.after_head = true;
            self.state = MassifState::Number;
            return Ok(());
        }
        if self.after_head {
            return if line == END {
                self.profile.end = self.profile.snapshots.pop();
                Ok(())
            } else if line.trim_ascii().is_empty() {
                Ok(())
            } else {
                Err(ParseErrorKind::UnknownLine)
            };
        }
        let after = |key: &[u8]| line.strip_prefix(key).map(<[u8]>::trim_ascii);
        if after(b"desc:").is_some() {
            self.has_head = true;
        } else if let Some(command) = after(b"cmd:") {
            // The first one counts: a further line of the command may begin in the same way.
            self.profile.command.get_or_insert(command.to_vec());
        } else if let Some(unit) = after(b"time_unit:") {
            let unit = String::from_utf8_lossy(unit).into_owned();
            self.profile.time_unit = Some(unit);
        }
        Ok(())
    }

    fn field(&mut self, index: usize, line: &[u8]) -> Result<(), ParseErrorKind> {
        let value = value(line, FIELDS[index])?;
        match index {
            0 => self.snapshot.time = signed(value)?,
            1 => self.snapshot.heap = single(value)?,
            2 => self.snapshot.extra = single(value)?,
            3 => self.snapshot.stacks = single(value)?,
            _ => return self.tree(value),
        }
        self.state = MassifState::Field(index + 1);
        Ok(())
    }

    /// `heap_tree=` ends the fields.
    fn tree(&mut self, kind: &[u8]) -> Result<(), ParseErrorKind> {
        let MassifSnapshot {
            heap,
            extra,
            stacks,
            ..
        } = self.snapshot;
        let total = heap
            .checked_add(extra)
            .and_then(|sum| sum.checked_add(stacks));
        self.snapshot.total =
            total.ok_or_else(|| ParseErrorKind::SumOverflow("snapshot".to_owned()))?;
        match kind {
            b"empty" => {
                self.complete();
                self.state = MassifState::Between;
                return Ok(());
            }
            b"peak" if self.has_peak => self.profile.flag(MassifFlag::TwoPeaks),
            b"peak" => self.has_peak = true,
            b"detailed" => {}
            _ => return Err(ParseErrorKind::UnknownLine),
        }
        self.snapshot.detailed = true;
        self.state = MassifState::Tree(Tree::default());
        Ok(())
    }

    fn complete(&mut self) {
        self.profile.snapshots.push(self.snapshot);
    }

    /// The figures of the snapshot are there, whatever became of its tree.
    fn end_of_tree(&mut self) {
        if matches!(&self.state, MassifState::Tree(tree) if !tree.is_whole()) {
            self.profile.flag(MassifFlag::TreeInconsistent);
        }
        self.complete();
    }

    fn finish(mut self) -> Result<MassifProfile, ParseErrorKind> {
        if !self.has_head {
            return Err(ParseErrorKind::UnknownLine);
        }
        match &self.state {
            MassifState::Between => {
                if self.profile.snapshots.is_empty() || self.cut {
                    self.profile.flag(MassifFlag::Incomplete);
                }
            }
            MassifState::Tree(tree) => {
                if !tree.is_whole() || self.cut {
                    self.profile.flag(MassifFlag::Incomplete);
                }
                self.complete();
            }
            // Without all of its figures a snapshot would have too low a total, so it is left out.
            MassifState::Number | MassifState::Rule | MassifState::Field(_) => {
                self.profile.flag(MassifFlag::Incomplete)
            }
        }
        if self.profile.time_unit.is_none() {
            self.profile.flag(MassifFlag::NoTimeUnit);
        }
        Ok(self.profile)
    }
}

/// Position of the reader in a tree. Only the form of the nodes and their numbers of children are
/// checked.
struct Tree {
    /// Numbers of children still to come, on the way from the root; never 0 at the end.
    pending: Vec<u64>,
    /// All nodes so far have the depth that follows from the numbers of children.
    is_regular: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            pending: vec![1], // the root is the only child of nothing
            is_regular: true,
        }
    }
}

impl Tree {
    fn is_whole(&self) -> bool {
        self.is_regular && self.pending.is_empty()
    }

    /// ` n2: 100 0x1091A7: main (a.c:3)`
    fn node(&mut self, line: &[u8]) -> Result<(), ParseErrorKind> {
        let depth = line.iter().take_while(|byte| **byte == b' ').count();
        let Some(node) = line[depth..].strip_prefix(b"n") else {
            return Err(ParseErrorKind::UnknownLine);
        };
        let mut cursor = Cursor(node);
        let children = cursor.decimal()?;
        cursor.0 = cursor
            .0
            .strip_prefix(b":")
            .ok_or(ParseErrorKind::UnknownLine)?;
        // Skips the blanks after the colon.
        cursor.at_end();
        cursor.number()?;
        if self.pending.len() != depth + 1 {
            // From here on no depth can be checked, but each line still has to be a node.
            self.is_regular = false;
        }
        if !self.is_regular {
            return Ok(());
        }
        // In bounds by the check of the depth, and above 0, since finished levels are removed.
        self.pending[depth] -= 1;
        if children > 0 {
            self.pending.push(children);
        }
        while self.pending.last() == Some(&0) {
            self.pending.pop();
        }
        Ok(())
    }
}

/// The value of a line `key=value`.
fn value<'a>(line: &'a [u8], key: &str) -> Result<&'a [u8], ParseErrorKind> {
    let after = line.strip_prefix(key.as_bytes());
    after
        .and_then(|rest| rest.strip_prefix(b"="))
        .ok_or(ParseErrorKind::UnknownLine)
}

fn signed(text: &[u8]) -> Result<i64, ParseErrorKind> {
    // `parse` accepts a plus sign, and Massif writes none.
    if text.first() == Some(&b'+') {
        return Err(ParseErrorKind::NotANumber);
    }
    let text = std::str::from_utf8(text).map_err(|_| ParseErrorKind::NotANumber)?;
    text.parse().map_err(|_| ParseErrorKind::NotANumber)
}
