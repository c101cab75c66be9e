//! A mark of an executable's machine code, which is equal where the code is the same.

use std::fs;
use std::path::Path;

use iai_callgrind::shared::hash::hash;
use object::{Object, ObjectSection, ReadCache};

use crate::regular_file;

/// Sections that decide what is executed.
const SECTIONS: [&str; 2] = [".text", ".rodata"];

/// The GNU build id, else a hash of code and constants. `None`: the file is no executable that can be read.
pub(crate) fn code_mark(executable: &Path) -> Option<String> {
    let file = regular_file::open(&fs::canonicalize(executable).ok()?).ok()?;
    let cache = ReadCache::new(&file);
    let headers = object::File::parse(&cache).ok()?;
    if let Some(id) = headers.build_id().ok().flatten() {
        return Some(id.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    let sections = SECTIONS.map(|name| headers.section_by_name(name));
    let mut bytes = Vec::new();
    for section in sections.into_iter().flatten() {
        bytes.extend(section.data().ok()?);
    }
    (!bytes.is_empty()).then(|| format!("{:016x}", hash(&bytes)))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "programs of the tests")]
mod tests {
    use std::process::Command;

    use super::*;

    fn said(program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[test]
    fn the_mark_is_the_build_id_or_a_hash_of_the_code() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name).display().to_string();
        fs::write(place("a.c"), "int main(void) { return 3; }").unwrap();
        fs::write(place("b.c"), "int main(void) { return 4; }").unwrap();
        let build = |source: &str, out: &str, option: &str| {
            said("cc", &[option, "-o", &place(out), &place(source)]);
            code_mark(Path::new(&place(out))).unwrap()
        };
        let with_id = build("a.c", "with-id", "-Wl,--build-id=sha1");
        let notes = said("readelf", &["-n", &place("with-id")]);
        assert!(notes.contains(&format!("Build ID: {with_id}\n")), "{notes}");
        let one = build("a.c", "one", "-Wl,--build-id=none");
        assert_eq!(one.len(), 16);
        assert_eq!(build("a.c", "again", "-Wl,--build-id=none"), one);
        assert_ne!(build("b.c", "other", "-Wl,--build-id=none"), one);
    }

    #[test]
    fn what_is_no_executable_has_no_mark() {
        assert_eq!(code_mark(Path::new("/no/executable")), None);
        assert_eq!(code_mark(Path::new(file!())), None);
        assert_eq!(code_mark(Path::new("/")), None);
    }
}
