//! Files whose lines are arguments.
//!
//! In: the path that a user wrote, relative to the root of the workspace. Out: the absolute path,
//! when the file has lines to give. The file itself is included by the generated code, so that
//! cargo builds the benchmark anew when it changes.

use std::fs;
use std::io;
use std::path::Path;

use syn::{Error, LitStr};

use crate::model::Lines;
use crate::workspace;

/// Finds and checks a file.
pub(super) fn find(literal: LitStr) -> syn::Result<Lines> {
    let wrong = |text: String| Error::new(literal.span(), text);
    let root = workspace::root()
        .ok_or_else(|| wrong("`file` needs cargo, which says where the package is".to_owned()))?;
    let path = root.join(literal.value());
    let shown = path.display();
    let content = read(&path).map_err(|error| {
        wrong(format!(
            "cannot read `{shown}`: {error}; the path is relative to the root of the workspace"
        ))
    })?;
    check(&content).map_err(|error| wrong(format!("`{shown}` {error}")))?;
    let path = path
        .to_str()
        .ok_or_else(|| wrong(format!("the path `{shown}` is not UTF-8")))?
        .to_owned();
    Ok(Lines { path, literal })
}

/// Reads a regular file: a FIFO or a device would keep the compiler waiting.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::metadata(path)?.is_file() {
        true => fs::read(path),
        false => Err(io::Error::other("it is no regular file")),
    }
}

fn check(content: &[u8]) -> Result<(), String> {
    if content.is_empty() {
        return Err("is empty; each of its lines is one benchmark".to_owned());
    }
    match std::str::from_utf8(content) {
        Ok(_) => Ok(()),
        Err(error) => {
            let valid = &content[..error.valid_up_to()];
            let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
            Err(format!("is not UTF-8 in line {line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let this = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(read(&this.join("src/lib.rs")).unwrap().starts_with(b"//!"));
        for path in [this, Path::new("/dev/zero")] {
            let error = read(path).unwrap_err();
            let is_told = error.to_string() == "it is no regular file";
            assert!(
                is_told || error.kind() == io::ErrorKind::NotFound,
                "{error}"
            );
        }
    }

    #[test]
    fn content() {
        assert_eq!(check(b"a\n"), Ok(()));
        assert!(check(b"").unwrap_err().contains("is empty"));
        assert!(check(b"a\n\xff").unwrap_err().contains("line 2"));
    }
}
