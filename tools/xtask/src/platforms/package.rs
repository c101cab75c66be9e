//! A package of a user, which is compiled for each system: benchmark files with what such files
//! use.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::process::{cargo, output};
use lab::workspace_root;

/// Name, text and number of benchmarks of each benchmark file: one of functions, with setups,
/// futures, regions and client requests, and one of a program.
pub(super) const BENCHES: [(&str, &str, usize); 2] = [
    ("functions", include_str!("functions.rs.txt"), 6),
    ("programs", include_str!("programs.rs.txt"), 2),
];

/// Reads the file that it gets, if it gets one.
const PROGRAM: &str = r#"fn main() {
    for file in std::env::args().skip(1) {
        println!("{}", std::fs::read_to_string(file).unwrap());
    }
}
"#;

/// Places of the package.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) manifest: PathBuf,
    /// That of the workspace, so that the library is compiled once.
    pub(super) target: PathBuf,
}

/// Writes the package below the target directory.
pub(super) fn write() -> Result<Package> {
    let metadata = output(
        cargo()
            .args(["metadata", "--no-deps", "--format-version=1"])
            .current_dir(workspace_root()),
    )?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"]
        .as_str()
        .context("cargo's metadata have no target directory")?;
    let target = PathBuf::from(target);
    let folder = target.join("platforms");
    let library = workspace_root().join("iai-callgrind");
    let mut manifest = format!(
        "[package]\nname = \"platforms\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\nautobenches = false\n\n\
         [dev-dependencies]\niai-callgrind = {{ path = {library:?}, features = [\"client_requests\"] }}\n\n\
         [profile.bench]\ndebug = true\n\n[workspace]\n"
    );
    for (name, ..) in BENCHES {
        manifest += &format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n");
    }
    write_file(&folder, "Cargo.toml", &manifest)?;
    write_file(&folder, "src/main.rs", PROGRAM)?;
    for (name, text, _) in BENCHES {
        write_file(&folder, &format!("benches/{name}.rs"), text)?;
    }
    let lock = workspace_root().join("Cargo.lock");
    fs::copy(&lock, folder.join("Cargo.lock"))
        .with_context(|| format!("cannot copy `{}`", lock.display()))?;
    Ok(Package {
        manifest: folder.join("Cargo.toml"),
        target,
    })
}

fn write_file(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    // A new time would have it compiled again.
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let parent = path.parent().context("a file without a directory")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot make `{}`", parent.display()))?;
    fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
