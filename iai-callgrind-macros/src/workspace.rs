//! The root of the workspace that is compiled: the one place where it is found.
//!
//! Cargo itself is asked, since only cargo knows which packages are members. `main!` writes the
//! answer into the executable, from where library and runner have it; paths of `file` begin there.
//! `--workspace-root` replaces it in the runner. Where the executable was brought to a place
//! without this directory, benchmarks still run; only what begins there is missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The root of the workspace of the package that is compiled. `None`: nobody says which package
/// that is.
///
/// Cargo is asked once for each package; the process of a compiler has one, that of an editor many.
pub(crate) fn root() -> Option<PathBuf> {
    static KNOWN: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, root)) = known.iter().find(|(of, _)| *of == package) {
        return Some(root.clone());
    }
    let root = locate(&package).unwrap_or_else(|| package.clone());
    known.push((package, root.clone()));
    Some(root)
}

/// A package that is alone is its own workspace. `None`: cargo cannot be asked.
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
    use std::fs;

    use super::*;

    #[test]
    fn the_root_of_this_workspace() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(root().as_deref(), package.parent());
        assert_eq!(locate(Path::new("/nowhere")), None);
    }

    /// Files that look like a root are none: cargo decides.
    #[test]
    fn the_root_is_the_one_that_cargo_knows() {
        let place = std::env::temp_dir().join(format!("iai-callgrind-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = place.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\n");
        write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"member\", \"alone/inner\"]\nexclude = [\"alone\"]\n",
        );
        write("member/Cargo.toml", &package("member"));
        write("member/src/lib.rs", "");
        // Left from the time before it was a member.
        write("member/Cargo.lock", "version = 4\n");
        write("alone/Cargo.toml", &package("alone"));
        write("alone/src/lib.rs", "");
        // In a text it makes no workspace.
        let text = "description = \"\"\"\n[workspace]\n\"\"\"\n";
        write("alone/inner/Cargo.toml", &(package("inner") + text));
        write("alone/inner/src/lib.rs", "");
        let located = |name: &str| locate(&place.join(name));
        let found = [located("member"), located("alone"), located("alone/inner")];
        fs::remove_dir_all(&place).unwrap();
        let place = place.as_path();
        let [member, alone, inner] = found.map(|root| root.unwrap_or_default());
        assert_eq!(member, place);
        assert_eq!(alone, place.join("alone"));
        assert_eq!(inner, place);
    }
}
