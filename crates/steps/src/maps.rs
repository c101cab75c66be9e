//! The files that a process has in its memory: from `/proc/<pid>/maps`.

use std::path::{Path, PathBuf};

/// Files and their addresses in the memory of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryMaps(Vec<Map>);

/// A piece of a file in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Map {
    start: u64,
    end: u64,
    /// Offset of the piece in the file.
    offset: u64,
    is_executable: bool,
    /// A path, or a name such as `[vdso]`; empty for memory without a file.
    file: PathBuf,
}

impl MemoryMaps {
    /// Reads the text. Lines of another form are skipped.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self(text.lines().filter_map(map).collect())
    }

    /// The file at an address, and the offset in it.
    #[must_use]
    pub fn file(&self, address: u64) -> Option<(&Path, u64)> {
        let mut maps = self.0.iter();
        let map = maps.find(|map| (map.start..map.end).contains(&address))?;
        Some((&map.file, address - map.start + map.offset))
    }

    /// The address of the code at an offset of a file.
    ///
    /// A page in which constants end and code begins is in memory twice, and only one copy is
    /// executable.
    #[must_use]
    pub fn address(&self, file: &Path, place: u64) -> Option<u64> {
        let maps = self.0.iter();
        let maps = maps.filter(|map| map.is_executable && map.file == file);
        let mut addresses = maps.filter_map(|map| {
            let address = place.checked_sub(map.offset)?.checked_add(map.start)?;
            (address < map.end).then_some(address)
        });
        addresses.next()
    }
}

/// `555555554000-555555560000 r-xp 00001000 fe:00 1234   /path with blanks`
fn map(line: &str) -> Option<Map> {
    let mut rest = line;
    let mut word = || {
        let (word, after) = rest.trim_start().split_once(' ')?;
        rest = after;
        Some(word)
    };
    let (start, end) = word()?.split_once('-')?;
    let (access, offset, _) = (word()?, word()?, word()?);
    // Without a file the inode number is the last word of the line.
    let rest = rest.trim_start();
    let file = rest.split_once(' ').map_or("", |(_, file)| file);
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some(Map {
        start: number(start)?,
        end: number(end)?,
        offset: number(offset)?,
        is_executable: access.contains('x'),
        file: file.trim_start().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
555555554000-555555557000 r--p 00000000 fe:00 77     /a b/exe
555555557000-555555559000 r-xp 00002000 fe:00 77     /a b/exe
7ffff7d00000-7ffff7d01000 rw-p 00000000 00:00 0 
7ffff7fc9000-7ffff7fcb000 r-xp 00000000 00:00 0      [vdso]
odd
";

    #[test]
    fn addresses_have_a_file_and_a_place() {
        let maps = MemoryMaps::read(TEXT);
        let exe = Path::new("/a b/exe");
        assert_eq!(maps.file(0x5555_5555_7010), Some((exe, 0x2010)));
        assert_eq!(maps.file(0x5555_5555_9000), None);
        assert_eq!(maps.file(0x7fff_f7d0_0010), Some((Path::new(""), 0x10)));
        let vdso = Some((Path::new("[vdso]"), 0xa00));
        assert_eq!(maps.file(0x7fff_f7fc_9a00), vdso);
        // The page is in the other piece as well.
        assert_eq!(maps.address(exe, 0x2010), Some(0x5555_5555_7010));
        assert_eq!(maps.address(exe, 0x10), None);
        assert_eq!(maps.address(exe, 0x9999), None);
        assert_eq!(maps.address(Path::new("/exe"), 0x10), None);
    }
}
