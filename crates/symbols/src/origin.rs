//! Whose code a source file is, by its path alone.
//!
//! In: the path as the compiler wrote it, and the root of the workspace. Out: the user's own code,
//! a package with its version, the standard library, or a library of the system, with the path
//! below the root of that. No file is looked at.

use std::path::Path;

/// Owner of a source file.
// The schemas of records have these sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SourceOrigin {
    /// The workspace of the user.
    User,
    /// A package of a registry or a repository.
    Package,
    /// The standard library of Rust.
    Std,
    /// A library of the system.
    System,
    /// Nobody knows.
    Unknown,
}

/// Owner of a source file, with the path below the root of its workspace, package or library.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceOwner {
    /// Kind of the owner.
    pub origin: SourceOrigin,
    /// Name and version of the package, or the name of the library; empty where there is none.
    pub package: String,
    /// Path below the root of the workspace, package or library; the whole path if there is none.
    pub path: String,
}

impl SourceOwner {
    /// Finds the owner by the path that the compiler wrote into the debug information; no file is
    /// looked at. `library` is the name of the library that the code is in, if it is not the
    /// program.
    #[must_use]
    pub fn of(path: &str, workspace: &Path, library: Option<&str>) -> Self {
        // Before the workspace: CI systems often put `CARGO_HOME` below it.
        let found = standard(path)
            .or_else(|| registry(path))
            .or_else(|| repository(path));
        if let Some((origin, package, path)) = found {
            return Self {
                origin,
                package,
                path: path.to_owned(),
            };
        }
        if let Some(library) = library {
            return Self::new(SourceOrigin::System, library, path);
        }
        let below = Path::new(path).strip_prefix(workspace).ok();
        match below.and_then(Path::to_str) {
            Some(below) => Self::new(SourceOrigin::User, "", below),
            // Distributions compile the C library with paths relative to its build directory.
            None if path.starts_with("./") => Self::new(SourceOrigin::System, "", path),
            None => Self::new(SourceOrigin::Unknown, "", path),
        }
    }

    fn new(origin: SourceOrigin, package: &str, path: &str) -> Self {
        Self {
            origin,
            package: package.to_owned(),
            path: path.to_owned(),
        }
    }
}

type Found<'a> = (SourceOrigin, String, &'a str);

/// The standard library has paths of its own, `/rustc/<hash>/library/core/src/…`, or lies in a
/// toolchain.
fn standard(path: &str) -> Option<Found<'_>> {
    if let Some(rest) = path.strip_prefix("/rust/deps/") {
        let (package, rest) = rest.split_once('/')?;
        return Some((SourceOrigin::Std, versioned(package), rest));
    }
    let rest = match path.strip_prefix("/rustc/") {
        Some(rest) => rest.split_once('/')?.1,
        None => path.split_once("/lib/rustlib/src/rust/")?.1,
    };
    let inner = rest.strip_prefix("library/").unwrap_or(rest);
    // Packages of others that it is linked with.
    let inner = inner.strip_prefix("vendor/").unwrap_or(inner);
    let (library, file) = inner.split_once('/').unwrap_or((inner, inner));
    Some((SourceOrigin::Std, versioned(library), file))
}

/// `…/registry/src/<index>/<name>-<version>/…`
fn registry(path: &str) -> Option<Found<'_>> {
    let (_, rest) = path.split_once("/registry/src/")?;
    let (_, rest) = rest.split_once('/')?;
    let (package, rest) = rest.split_once('/')?;
    Some((SourceOrigin::Package, versioned(package), rest))
}

/// `…/git/checkouts/<name>-<hash>/<commit>/…`
fn repository(path: &str) -> Option<Found<'_>> {
    let (_, rest) = path.split_once("/git/checkouts/")?;
    let (checkout, rest) = rest.split_once('/')?;
    let (commit, rest) = rest.split_once('/')?;
    let name = checkout.rsplit_once('-').map_or(checkout, |(name, _)| name);
    Some((SourceOrigin::Package, format!("{name} {commit}"), rest))
}

/// `name-1.2.3-alpha` as `name 1.2.3-alpha`.
fn versioned(package: &str) -> String {
    // Names may have dashes before digits as well, but no dot after these: `sha-1-0.10.1`.
    let dashes = package.match_indices('-');
    let mut versions = dashes.filter(|(place, _)| {
        let version = &package[place + 1..];
        let rest = version.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < version.len() && rest.starts_with('.')
    });
    match versions.next() {
        Some((place, _)) => format!("{} {}", &package[..place], &package[place + 1..]),
        None => package.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: SourceOrigin, package: &str, rest: &str) {
        let origin = SourceOwner::of(path, Path::new("/home/me/lab"), None);
        assert_eq!(origin, SourceOwner::new(expected, package, rest), "{path}");
    }

    #[test]
    fn files_of_the_workspace_are_the_users() {
        check(
            "/home/me/lab/src/lib.rs",
            SourceOrigin::User,
            "",
            "src/lib.rs",
        );
        check(
            "/home/me/laboratory/src/lib.rs",
            SourceOrigin::Unknown,
            "",
            "/home/me/laboratory/src/lib.rs",
        );
        check("src/lib.rs", SourceOrigin::Unknown, "", "src/lib.rs");
        check("", SourceOrigin::Unknown, "", "");
    }

    #[test]
    fn packages_are_known_by_the_directories_of_cargo() {
        check(
            "/home/me/lab/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde_json-1.0.120/src/ser.rs",
            SourceOrigin::Package,
            "serde_json 1.0.120",
            "src/ser.rs",
        );
        check(
            "/root/.cargo/registry/src/x/md-5-0.10.0-rc.1/src/lib.rs",
            SourceOrigin::Package,
            "md-5 0.10.0-rc.1",
            "src/lib.rs",
        );
        check(
            "/root/.cargo/git/checkouts/my-crate-0123456789abcdef/8f31c22/crates/a/src/lib.rs",
            SourceOrigin::Package,
            "my-crate 8f31c22",
            "crates/a/src/lib.rs",
        );
    }

    #[test]
    fn the_standard_library_is_known_wherever_it_lies() {
        let file = "library/core/src/slice/mod.rs";
        for root in [
            "/rustc/59807616e1/",
            "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/",
        ] {
            check(
                &format!("{root}{file}"),
                SourceOrigin::Std,
                "core",
                "src/slice/mod.rs",
            );
        }
        check(
            "/rust/deps/hashbrown-0.15.5/src/raw/mod.rs",
            SourceOrigin::Std,
            "hashbrown 0.15.5",
            "src/raw/mod.rs",
        );
        check("/rustc/59807616e1/x.rs", SourceOrigin::Std, "x.rs", "x.rs");
    }

    #[test]
    fn files_of_libraries_have_the_name_of_the_library() {
        let path = "./string/../sysdeps/x86_64/multiarch/memmove.S";
        check(path, SourceOrigin::System, "", path);
        let origin = SourceOwner::of(path, Path::new("/"), Some("libc.so.6"));
        assert_eq!(
            origin,
            SourceOwner::new(SourceOrigin::System, "libc.so.6", path)
        );
        let path = "/home/me/lab/vendor/x.c";
        let origin = SourceOwner::of(path, Path::new("/home/me/lab"), Some("libx.so"));
        assert_eq!(origin.origin, SourceOrigin::System);
    }
}
