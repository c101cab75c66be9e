//! Paths of the sources in a repository, for formats that name files.
//!
//! Records name sources relative to the workspace of cargo; hosts of repositories want them
//! relative to the root of the repository, which may be above.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::super::markdown::address;
use base::variables::EnvironmentVariables;
use verdict::sides::ReportRow;

/// The place of the sources in a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePlaces {
    /// Directory of the workspace below the root of the repository, with `/` at its end; empty if
    /// it is the root.
    below: String,
    /// The address before the path of a file in the repository, without the commit:
    /// `https://github.com/o/p/blob/`.
    files: Option<String>,
}

/// Variables that a repository host, such as GitHub, sets for its jobs.
#[derive(Debug, Clone, Default)]
struct RepositoryHost {
    /// The checked-out repository.
    checkout: Option<PathBuf>,
    /// The address of its files, before a commit.
    files: Option<String>,
}

impl RepositoryHost {
    /// GitHub or GitLab, if this is a job there.
    fn detect(environment: &EnvironmentVariables) -> Self {
        let text = |name: &str| environment.get(name).and_then(OsStr::to_str);
        let path = |name: &str| environment.get(name).map(PathBuf::from);
        let on_github = text("GITHUB_SERVER_URL").zip(text("GITHUB_REPOSITORY"));
        let on_github = on_github.map(|(server, name)| format!("{server}/{name}/blob/"));
        let on_gitlab = || Some(format!("{}/-/blob/", text("CI_PROJECT_URL")?));
        Self {
            checkout: path("GITHUB_WORKSPACE").or_else(|| path("CI_PROJECT_DIR")),
            files: on_github.or_else(on_gitlab),
        }
    }
}

impl SourcePlaces {
    /// The sources of a workspace of cargo. A workspace outside of the checkout is its own root.
    #[must_use]
    pub fn detect(environment: &EnvironmentVariables, workspace: Option<&Path>) -> Self {
        let host = RepositoryHost::detect(environment);
        let pair = host.checkout.as_deref().zip(workspace);
        let below = pair.and_then(|(checkout, workspace)| workspace.strip_prefix(checkout).ok());
        let below = below.map(|below| below.display().to_string());
        Self {
            below: match below.filter(|below| !below.is_empty()) {
                Some(below) => below + "/",
                None => String::new(),
            },
            files: host.files,
        }
    }

    /// The file of a row in the repository.
    pub fn path(&self, row: &ReportRow) -> Option<String> {
        let file = row.source_file.as_deref()?;
        Some(format!("{}{file}", self.below))
    }

    /// The address before the path of a source file at a commit.
    pub fn address(&self, commit: Option<&str>) -> Option<String> {
        // The commit is that of a record, which may be anybody's, and becomes a part of addresses.
        let is_commit = |commit: &&str| {
            !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let commit = commit.filter(is_commit)?;
        let files = self.files.as_deref()?;
        Some(format!("{files}{commit}/{}", address(&self.below)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::sides::sample;

    #[test]
    fn sources_are_below_the_root_of_the_repository() {
        #[track_caller]
        fn check(variables: &[(&str, &str)], workspace: &str, path: &str, address: Option<&str>) {
            let environment: EnvironmentVariables = variables.iter().copied().collect();
            let places = SourcePlaces::detect(&environment, Some(Path::new(workspace)));
            let row = &sample::report().rows[0];
            assert_eq!(places.path(row).as_deref(), Some(path));
            assert_eq!(places.address(Some("f3ab7")).as_deref(), address);
            assert_eq!(places.address(Some("no commit")), None);
        }
        let github = [
            ("GITHUB_WORKSPACE", "/ci/repo"),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("GITHUB_REPOSITORY", "o/p"),
        ];
        let file = "benches/app.rs";
        let address = "https://github.com/o/p/blob/f3ab7/";
        check(&github, "/ci/repo", file, Some(address));
        check(&github, "/elsewhere", file, Some(address));
        let below = format!("{address}rust%20code/");
        check(
            &github,
            "/ci/repo/rust code",
            "rust code/benches/app.rs",
            Some(&below),
        );
        let gitlab = [
            ("CI_PROJECT_DIR", "/ci/repo"),
            ("CI_PROJECT_URL", "https://gitlab.com/o/p"),
        ];
        check(
            &gitlab,
            "/ci/repo",
            file,
            Some("https://gitlab.com/o/p/-/blob/f3ab7/"),
        );
        check(&[], "/ci/repo", file, None);
    }
}
