//! A mark of an executable's machine code, which is equal where the code is the same.

use std::fs;
use std::path::Path;

use object::{Object, ReadCache};

use super::loaded_content;
use base::regular_file;

/// A text that is equal for two executables if they execute the same.
///
/// It is the GNU build id in hexadecimal, otherwise a hash of what the system loads
/// ([`loaded_content()`]): code, constants, and first values of data. Links are
/// followed. `None`: the file is not an executable that can be read.
#[must_use]
pub fn code_mark(executable: &Path) -> Option<String> {
    let executable = fs::canonicalize(executable).ok()?;
    let file = regular_file::open(&executable).ok()?;
    let cache = ReadCache::new(&file);
    let headers = object::File::parse(&cache).ok()?;
    // The linker hashes the content for it, so the rest of the file need not be read.
    if let Some(id) = headers.build_id().ok().flatten() {
        return Some(id.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    Some(format!("{:016x}", loaded_content(&executable)?))
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
        // The same code and constants with different data: in `.data`, and a table of addresses in
        // `.data.rel.ro`.
        for (name, first, second) in [("c.c", 150, "f"), ("d.c", 300, "f"), ("e.c", 150, "g")] {
            let text = format!(
                "int rounds = {first}; static int f(void) {{ return 1; }} static int g(void) {{ return 2; }} \
                 int (*const table[])(void) = {{ f, g, {second} }}; \
                 int main(int n, char **v) {{ return table[n % 3]() + rounds; }}"
            );
            fs::write(place(name), text).unwrap();
        }
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
        let [data, other_data, other_table] =
            ["c.c", "d.c", "e.c"].map(|source| build(source, "data", "-Wl,--build-id=none"));
        assert_ne!(data, other_data);
        assert_ne!(data, other_table);
    }

    #[test]
    fn what_is_no_executable_has_no_mark() {
        assert_eq!(code_mark(Path::new("/no/executable")), None);
        assert_eq!(code_mark(Path::new(file!())), None);
        assert_eq!(code_mark(Path::new("/")), None);
    }
}
