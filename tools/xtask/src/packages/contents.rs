//! The files inside of a package: licences and README are there, recorded data are not, and it
//! stays small.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use lab::workspace_root;

use super::published::PublishedPackage;
use super::unpacked::Unpacked;

/// The most that users download of a package, in bytes.
const MOST_COMPRESSED: u64 = 1_200_000;

/// The largest file. The licences of what the runner links have 100 kB.
const LARGEST_FILE: u64 = 150_000;

/// Files with these extensions are source. Recorded results, logs and profiles have others.
const SOURCES: [&str; 11] = [
    "bash", "c", "css", "fish", "html", "js", "md", "rs", "supp", "xsd", "zsh",
];

/// Files beside the source: cargo's own, and ours.
const BESIDE: [&str; 8] = [
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "THIRD-PARTY-LICENSES.txt",
];

/// Licences ask for their text beside the work. In the repository those of packages are links to
/// those at its root, which a file system without links would have written as files with a path in
/// them.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PackagedFile {
    /// Below the directory of the package.
    pub(super) path: String,
    pub(super) bytes: u64,
}

/// All files of a package, by path.
#[derive(Debug, Clone)]
pub(super) struct Contents {
    pub(super) name: String,
    pub(super) compressed: u64,
    pub(super) files: Vec<PackagedFile>,
    /// License files that differ from those at the root of the repository.
    other_licenses: Vec<&'static str>,
}

impl Contents {
    /// Lists what was unpacked of the package.
    pub(super) fn read(package: &PublishedPackage, unpacked: &Unpacked) -> Result<Self> {
        let folder = unpacked.path().join(package.folder());
        let mut files = Vec::new();
        list(&folder, "", &mut files)?;
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let mut other_licenses = Vec::new();
        for license in LICENSES {
            let ours = workspace_root().join(license);
            let ours =
                fs::read(&ours).with_context(|| format!("cannot read `{}`", ours.display()))?;
            if fs::read(folder.join(license)).is_ok_and(|text| text != ours) {
                other_licenses.push(license);
            }
        }
        Ok(Self {
            name: package.name.clone(),
            compressed: unpacked.compressed(package)?,
            files,
            other_licenses,
        })
    }

    /// The largest of the files.
    pub(super) fn largest(&self) -> Option<&PackagedFile> {
        self.files.iter().max_by_key(|file| file.bytes)
    }

    /// Files that are missing, and files that should not be there.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        let mut say = |text: String| mistakes.push(format!("`{}`: {text}", self.name));
        for needed in LICENSES.iter().chain(&["README.md"]) {
            if !self.files.iter().any(|file| file.path == *needed) {
                say(format!("`{needed}` is missing in its directory"));
            }
        }
        for license in &self.other_licenses {
            say(format!(
                "its `{license}` is not that of the repository; it has to be a link to `../{license}`"
            ));
        }
        for PackagedFile { path, bytes } in &self.files {
            if !belongs(path) {
                say(format!(
                    "`{path}` is no source; `include` in its manifest decides what is packed"
                ));
            }
            if *bytes > LARGEST_FILE {
                say(format!(
                    "`{path}` has {bytes} bytes, {LARGEST_FILE} are the most"
                ));
            }
        }
        if self.compressed > MOST_COMPRESSED {
            say(format!(
                "it has {} compressed bytes, {MOST_COMPRESSED} are the most",
                self.compressed
            ));
        }
        mistakes
    }
}

/// Has a package files with this path?
fn belongs(path: &str) -> bool {
    let is_source = || {
        let extension = Path::new(path).extension().and_then(|one| one.to_str());
        extension.is_some_and(|extension| SOURCES.contains(&extension))
    };
    BESIDE.contains(&path) || is_source() && !path.split('/').any(|folder| folder == "data")
}

fn list(folder: &Path, below: &str, files: &mut Vec<PackagedFile>) -> Result<()> {
    let context = || format!("cannot list `{}`", folder.display());
    for entry in fs::read_dir(folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        let metadata = entry.metadata().with_context(context)?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        match metadata.is_dir() {
            true => list(&entry.path(), &format!("{path}/"), files)?,
            false => files.push(PackagedFile {
                path,
                bytes: metadata.len(),
            }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(compressed: u64, files: &[(&str, u64)]) -> Vec<String> {
        let files = files.iter().map(|(path, bytes)| PackagedFile {
            path: (*path).to_owned(),
            bytes: *bytes,
        });
        let contents = Contents {
            name: "p".to_owned(),
            compressed,
            files: files.collect(),
            other_licenses: vec![],
        };
        contents.mistakes()
    }

    #[test]
    fn a_license_that_is_another_text_is_named() {
        let contents = Contents {
            name: "p".to_owned(),
            compressed: 1,
            files: vec![],
            other_licenses: vec!["LICENSE-MIT"],
        };
        assert_eq!(
            contents.mistakes()[3..],
            ["`p`: its `LICENSE-MIT` is not that of the repository; it has to be a link to `../LICENSE-MIT`"]
        );
    }

    const WHOLE: [(&str, u64); 5] = [
        ("Cargo.toml", 1),
        ("LICENSE-APACHE", 1),
        ("LICENSE-MIT", 1),
        ("README.md", 1),
        ("src/report/page.css", LARGEST_FILE),
    ];

    #[test]
    fn a_whole_package_has_no_mistakes() {
        assert_eq!(mistakes(MOST_COMPRESSED, &WHOLE), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(
            mistakes(1, &WHOLE[..2]),
            [
                "`p`: `LICENSE-MIT` is missing in its directory",
                "`p`: `README.md` is missing in its directory"
            ]
        );
    }

    #[test]
    fn recorded_files_are_no_source() {
        for path in [
            "tests/data/a.rs",
            "tests/callgrind.f.out",
            "src/clippy.toml",
            "x",
        ] {
            let files = [&WHOLE[..], &[(path, 1)]].concat();
            let expected = format!(
                "`p`: `{path}` is no source; `include` in its manifest decides what is packed"
            );
            assert_eq!(mistakes(1, &files), [expected]);
        }
    }

    #[test]
    fn sizes_have_limits() {
        let files = [&WHOLE[..], &[("src/a.rs", LARGEST_FILE + 1)]].concat();
        assert_eq!(
            mistakes(MOST_COMPRESSED + 1, &files),
            [
                "`p`: `src/a.rs` has 150001 bytes, 150000 are the most",
                "`p`: it has 1200001 compressed bytes, 1200000 are the most"
            ]
        );
    }
}
