//! Names, which Callgrind may write as numbers: `(7) text` defines, `(7)` refers.

use rustc_hash::FxHashMap;

use super::super::number::{Cursor, NumberFault};
use super::super::ParseErrorKind;

/// Objects, files and functions number their names apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameSpace {
    Object,
    File,
    Function,
}

#[derive(Debug, Default)]
pub(super) struct CompressedNames {
    /// Decided by the first name of a kind.
    compressed: [Option<bool>; 3],
    spaces: [FxHashMap<u64, Defined>; 3],
}

#[derive(Debug)]
struct Defined {
    part: usize,
    text: Box<[u8]>,
}

/// Name, and whether its number stood for another name in the same part.
pub(super) struct ResolvedName<'a> {
    pub(super) text: &'a [u8],
    pub(super) redefined: bool,
}

impl CompressedNames {
    /// Resolves a name or its number. Definitions hold for the rest of the file; a later part may
    /// give the same number to another name.
    pub(super) fn resolve<'a>(
        &'a mut self,
        space: NameSpace,
        value: &'a [u8],
        part: usize,
    ) -> Result<ResolvedName<'a>, ParseErrorKind> {
        let numbered = split(value);
        // Without compression, a function can be called `(7) not a number`; no file is.
        let style =
            self.compressed[NameSpace::File as usize].filter(|_| space == NameSpace::Function);
        // The file does not say whether it is compressed; the first name of a kind shows it.
        let own = &mut self.compressed[space as usize];
        let compressed = style.unwrap_or(*own.get_or_insert(numbered.is_some()));
        let (true, Some(numbered)) = (compressed, numbered) else {
            return Ok(ResolvedName {
                text: value,
                redefined: false,
            });
        };
        let (id, text) = numbered?;
        let names = &mut self.spaces[space as usize];
        if text.is_empty() {
            let defined = names.get(&id).ok_or(ParseErrorKind::UndefinedName)?;
            return Ok(ResolvedName {
                text: &defined.text,
                redefined: false,
            });
        }
        let new = || Defined {
            part,
            text: text.into(),
        };
        let defined = names.entry(id).or_insert_with(new);
        let is_other = *defined.text != *text;
        // Threads of one dump share their numbers, and a later dump numbers anew.
        let redefined = is_other && defined.part == part;
        if is_other {
            *defined = new();
        }
        Ok(ResolvedName {
            text: &defined.text,
            redefined,
        })
    }
}

/// `(id)` or `(id) text`; `None` if the value has another form.
fn split(value: &[u8]) -> Option<Result<(u64, &[u8]), NumberFault>> {
    let inner = value.strip_prefix(b"(")?;
    // `(below main)` begins with a bracket, too.
    let close = inner.iter().position(|byte| !byte.is_ascii_digit())?;
    let text = match &inner[close..] {
        [b')'] => b"",
        [b')', b' ' | b'\t', text @ ..] => text,
        _ => return None,
    };
    let id = match Cursor(&inner[..close]).decimal() {
        Err(NumberFault::NotANumber) => return None,
        id => id,
    };
    Some(id.map(|id| (id, text.trim_ascii_start())))
}
