//! Debug sections of an ELF file, read whole into memory.
//!
//! Sections are read and not mapped: a linker that truncates a mapped file in place would kill the
//! process. Sections that were compressed with zlib are inflated; other compressions, and sections
//! that are too long, are errors.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use gimli::{EndianArcSlice, RunTimeEndian, SectionId};
use object::{CompressedFileRange, CompressionFormat, Object, ObjectSection};

use super::debug_facts::UnreadDebug;

/// Sections that lines, functions and their declarations need.
const NEEDED: [SectionId; 9] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// Bytes of all sections of a file together, beyond which none is read.
const MOST: u64 = 1 << 30;

/// A piece of a section. It keeps the section in memory.
pub(super) type DebugReader = EndianArcSlice<RunTimeEndian>;

/// The debug sections of one file.
#[derive(Debug, Default)]
pub(super) struct DebugSections(Vec<(SectionId, Arc<[u8]>)>);

impl DebugSections {
    /// Reads all needed sections that the file has.
    pub(super) fn read<'data>(
        headers: &impl Object<'data>,
        file: &File,
    ) -> Result<Self, UnreadDebug> {
        let mut total = 0;
        let mut sections = Vec::new();
        for id in NEEDED {
            let Some(section) = headers.section_by_name(id.name()) else {
                continue;
            };
            let range = section.compressed_file_range();
            let range = range.map_err(|error| damaged(id, &error))?;
            total += range.uncompressed_size.max(range.compressed_size);
            // Before the bytes are read, since a damaged header may promise any length.
            if total > MOST {
                return Err(UnreadDebug::TooLong);
            }
            sections.push((id, content(file, id, &range)?.into()));
        }
        Ok(Self(sections))
    }

    /// The section, empty if the file has none.
    pub(super) fn get(&self, id: SectionId) -> Arc<[u8]> {
        let section = self.0.iter().find(|(name, _)| *name == id);
        section.map_or_else(Arc::default, |(_, bytes)| Arc::clone(bytes))
    }

    /// Is there information about functions?
    pub(super) fn have_information(&self) -> bool {
        !self.get(SectionId::DebugInfo).is_empty()
    }
}

fn content(
    file: &File,
    id: SectionId,
    range: &CompressedFileRange,
) -> Result<Vec<u8>, UnreadDebug> {
    let bytes = read_at(file, range.offset, range.compressed_size);
    let bytes = bytes.map_err(|error| damaged(id, &error))?;
    match range.format {
        CompressionFormat::None => Ok(bytes),
        CompressionFormat::Zlib => inflated(id, &bytes, range.uncompressed_size),
        CompressionFormat::Zstandard => Err(UnreadDebug::Zstandard),
        _ => Err(damaged(id, &"its compression is unknown")),
    }
}

fn inflated(id: SectionId, bytes: &[u8], length: u64) -> Result<Vec<u8>, UnreadDebug> {
    let most = usize::try_from(length).unwrap_or(usize::MAX);
    let inflated = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(bytes, most)
        .map_err(|error| damaged(id, &error))?;
    match inflated.len() == most {
        true => Ok(inflated),
        false => Err(damaged(id, &"it is shorter than it says")),
    }
}

/// Reads a piece of a file. A length beyond the file's end is an error before memory is taken for
/// it.
pub(super) fn read_at(file: &File, offset: u64, length: u64) -> std::io::Result<Vec<u8>> {
    let end = offset.checked_add(length);
    if end.is_none_or(|end| end > file.metadata().map_or(0, |data| data.len())) {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    // A process of 32 bits has no room for the longest files.
    let length = usize::try_from(length).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
}

fn damaged(id: SectionId, detail: &dyn std::fmt::Display) -> UnreadDebug {
    UnreadDebug::Damaged(format!("section `{}`: {detail}", id.name()))
}
