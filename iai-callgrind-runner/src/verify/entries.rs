//! The beginnings of measured functions: the executable's symbols to offsets in its file.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol};

use crate::execute::Entries;
use base::measured_function::{benchmark_of, is_region};

/// The addresses of the functions whose names are wanted.
fn beginnings(file: &ElfFile64<'_, Endianness>, is_wanted: impl Fn(&str) -> bool) -> Vec<u64> {
    let symbols = file.symbols().filter(|symbol| symbol.size() > 0);
    let named = symbols.filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?)));
    let wanted = named.filter(|(_, name)| is_wanted(name));
    wanted.map(|(address, _)| address).collect()
}

/// Reads the executable. `Err`: the reason why no function can be found in it.
pub(super) fn entries(executable: &Path) -> Result<Entries, String> {
    let path = executable.display();
    let real = executable
        // The kernel names mapped files without links in `/proc/PID/maps`, with which it is
        // compared.
        .canonicalize()
        .and_then(|real| Ok((std::fs::read(&real)?, real)));
    let (bytes, real) = real.map_err(|error| format!("cannot read `{path}`: {error}"))?;
    let file = ElfFile64::<Endianness>::parse(bytes.as_slice())
        .map_err(|error| format!("cannot read `{path}` as a 64-bit ELF file: {error}"))?;
    let places = |found: Vec<u64>| -> Vec<u64> {
        let mut places: Vec<u64> = found
            .into_iter()
            .filter_map(|address| place(&file, address))
            .collect();
        // Functions with the same code may be one for the linker, with several symbols.
        places.sort_unstable();
        places.dedup();
        places
    };
    let entries = Entries {
        functions: places(beginnings(&file, |name| benchmark_of(name).is_some())),
        regions: places(beginnings(&file, is_region)),
        loader: loader(&file, &bytes),
        executable: real,
    };
    match entries.functions.is_empty() {
        true => Err(format!("`{path}` has no symbols of measured functions")),
        false => Ok(entries),
    }
}

/// The loader that the executable names.
fn loader(file: &ElfFile64<'_, Endianness>, bytes: &[u8]) -> Option<PathBuf> {
    let section = file.section_by_name(".interp")?;
    let (start, length) = section.file_range()?;
    let start = usize::try_from(start).ok()?;
    let text = bytes.get(start..)?.get(..usize::try_from(length).ok()?)?;
    let text = text.strip_suffix(b"\0").unwrap_or(text);
    Some(OsStr::from_bytes(text).into())
}

/// The offset in the file of an address of the linker.
fn place(file: &ElfFile64<'_, Endianness>, address: u64) -> Option<u64> {
    let mut segments = file.segments();
    segments.find_map(|segment| {
        let (place, length) = segment.file_range();
        let offset = address.checked_sub(segment.address())?;
        (offset < length).then_some(place + offset)
    })
}
