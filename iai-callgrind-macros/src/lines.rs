//! Files whose lines are arguments.
//!
//! In: the path that a user wrote, relative to the root of the workspace. Out: the absolute path, when
//! the file has lines to give. The file itself is included by the generated code, so that cargo
//! builds the benchmark anew when it changes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use syn::{Error, LitStr};

use crate::model::Lines;

/// Finds and checks a file.
pub(crate) fn find(literal: LitStr) -> syn::Result<Lines> {
    let wrong = |text: String| Error::new(literal.span(), text);
    let path = workspace().map_err(wrong)?.join(literal.value());
    let shown = path.display();
    let content = std::fs::read(&path).map_err(|error| {
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

/// The root of the workspace that is compiled. Cargo is asked once for each process.
fn workspace() -> Result<&'static Path, String> {
    static ROOT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map(PathBuf::from)
            .ok_or("`file` needs cargo, which says where the package is")?;
        Ok(locate(&package).unwrap_or(package))
    });
    root.as_deref().map_err(Clone::clone)
}

/// Outside of any workspace, and when cargo cannot be asked, the package is the root.
fn locate(package: &Path) -> Option<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["locate-project", "--workspace", "--offline"])
        .args(["--message-format", "plain", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let manifest = String::from_utf8(output.stdout).ok()?;
    let root = Path::new(manifest.trim_end()).parent()?;
    Some(root.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_this_workspace() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(locate(package).as_deref(), package.parent());
        assert_eq!(locate(Path::new("/nowhere")), None);
    }

    #[test]
    fn content() {
        assert_eq!(check(b"a\n"), Ok(()));
        assert!(check(b"").unwrap_err().contains("is empty"));
        assert!(check(b"a\n\xff").unwrap_err().contains("line 2"));
    }
}
