//! Real repositories of git, in temporary directories.

#![expect(clippy::disallowed_methods, reason = "repositories of the tests")]

use std::fs;
use std::path::{Path, PathBuf};

use base::variables::EnvironmentVariables;
use tempfile::TempDir;

use super::*;
use crate::repository::git;

/// A repository with the commits `one`, `two` and `three` on `main`, in a directory with a blank.
struct Sample {
    directory: TempDir,
}

impl Sample {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let sample = Self { directory };
        fs::create_dir_all(sample.root().join("sub")).unwrap();
        sample.git(&["init", "--quiet", "--initial-branch=main"]);
        for title in ["one", "two", "three"] {
            sample.commit(title);
        }
        sample
    }

    fn root(&self) -> PathBuf {
        self.directory
            .path()
            .canonicalize()
            .unwrap()
            .join("the project")
    }

    fn git(&self, words: &[&str]) -> String {
        in_repository(&self.root(), words)
    }

    fn commit(&self, title: &str) {
        fs::write(self.root().join("file"), title).unwrap();
        fs::write(self.root().join("sub/deep"), title).unwrap();
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", title]);
    }

    fn repository(&self) -> Repository {
        Repository::of(&self.root()).unwrap()
    }

    fn area(&self) -> BaseArea {
        BaseArea::open(&self.repository(), &self.environment(), || {}).unwrap()
    }

    fn environment(&self) -> EnvironmentVariables {
        let caches = self.directory.path().join("caches");
        [("XDG_CACHE_HOME", caches)].into_iter().collect()
    }

    /// Everything of the checkout that a user may see, and the bytes of the index.
    fn state(&self) -> (String, Vec<u8>, String) {
        let status = self.git(&["status", "--porcelain=v2", "--branch"]);
        let index = fs::read(self.root().join(".git/index")).unwrap();
        (status, index, self.git(&["stash", "list"]))
    }
}

fn in_repository(root: &Path, words: &[&str]) -> String {
    let who = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
    git(
        root,
        &[who.as_slice(), &["-c", "commit.gpgsign=false"], words].concat(),
    )
    .unwrap()
}

#[track_caller]
fn error<T: std::fmt::Debug>(result: Result<T, RevisionError>, expected: &[&str]) {
    let text = result.unwrap_err().to_string();
    for part in expected {
        assert!(text.contains(part), "`{part}` in {text}");
    }
}

#[test]
fn revisions_are_those_of_git() {
    let sample = Sample::new();
    sample.git(&["tag", "v1", "HEAD~2"]);
    let repository = sample.repository();
    let title = |revision| repository.base(Some(revision)).unwrap().title;
    assert_eq!(title("HEAD~1"), "two");
    assert_eq!(title("v1"), "one");
    let commit = repository.base(Some("v1")).unwrap();
    assert_eq!(title(commit.short()), "one");
    assert_eq!(title(&commit.hash), "one");
    sample.git(&["tag", "--annotate", "--message", "second", "v2", "HEAD~1"]);
    assert_eq!(
        (title("v2"), title(":/two")),
        ("two".to_owned(), "two".to_owned())
    );
    // A revision that looks like an option is none of git's options.
    error(
        repository.base(Some("--help")),
        &["git does not know the revision `--help`"],
    );
    error(
        repository.base(Some("mian")),
        &[
            "git does not know the revision `mian`; near it are `main`",
            "hint: ",
        ],
    );
    sample.git(&["remote", "add", "origin", "/nowhere"]);
    error(
        repository.base(Some("origin/topic")),
        &["hint: `git fetch origin topic:refs/remotes/origin/topic`"],
    );
}

#[test]
fn without_a_revision_the_base_is_where_the_branch_left() {
    let sample = Sample::new();
    sample.git(&["switch", "--quiet", "--create", "topic"]);
    sample.commit("on the branch");
    sample.git(&["switch", "--quiet", "main"]);
    sample.commit("four");
    sample.git(&["switch", "--quiet", "topic"]);
    let repository = sample.repository();
    let base = repository.base(None).unwrap();
    assert_eq!(
        (&*base.title, &*base.name),
        ("three", "merge base with main")
    );
    // Of a detached head too.
    sample.git(&["switch", "--quiet", "--detach"]);
    assert_eq!(repository.base(None).unwrap(), base);
    // What was fetched goes before a branch here that may be old.
    sample.git(&["update-ref", "refs/remotes/origin/main", "main~2"]);
    let base = repository.base(None).unwrap();
    assert_eq!(
        (&*base.title, &*base.name),
        ("two", "merge base with origin/main")
    );
    sample.git(&["update-ref", "refs/remotes/origin/trunk", "topic~1"]);
    sample.git(&[
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/trunk",
    ]);
    assert_eq!(
        repository.base(None).unwrap().name,
        "merge base with origin/trunk"
    );
}

#[test]
fn what_there_is_no_base_for_has_a_text_of_its_own() {
    let empty = tempfile::tempdir().unwrap();
    error(
        Repository::of(empty.path()),
        &["is in no git repository", "compare OLD NEW"],
    );
    let sample = Sample::new();
    let repository = sample.repository();
    error(
        repository.base(None),
        &["`HEAD` is the base itself", "--base=HEAD~1"],
    );
    // Uncommitted changes are a branch.
    fs::write(sample.root().join("file"), "changed").unwrap();
    assert_eq!(repository.base(None).unwrap().title, "three");
    assert_eq!(repository.uncommitted().unwrap(), 1);
    fs::write(sample.root().join("new.rs"), "a new file is built as well").unwrap();
    assert_eq!(repository.uncommitted().unwrap(), 2);
    fs::remove_file(sample.root().join("new.rs")).unwrap();
    sample.git(&["checkout", "--quiet", "--orphan", "other"]);
    sample.commit("another beginning");
    error(
        repository.base(None),
        &["no commit in common", "--base=REVISION"],
    );
    sample.git(&["branch", "--quiet", "-D", "main"]);
    error(repository.base(None), &["there is no branch `origin/HEAD`"]);
    let unborn = tempfile::tempdir().unwrap();
    in_repository(unborn.path(), &["init", "--quiet"]);
    error(
        Repository::of(unborn.path()).unwrap().base(None),
        &["has no commit yet"],
    );
}

#[test]
fn configuration_of_the_branch_alone_is_that_which_git_ignores() {
    let sample = Sample::new();
    let root = sample.root();
    let write = |path: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    };
    let ignored = "/.cargo/\nrust-toolchain\nrust-toolchain.toml\n";
    fs::write(root.join(".gitignore"), ignored).unwrap();
    write("rust-toolchain");
    sample.git(&["add", "--force", "rust-toolchain"]);
    sample.commit("ignored, and one that is committed all the same");
    for path in [
        ".cargo/config.toml",
        "sub/rust-toolchain.toml",
        "other/rust-toolchain.toml",
    ] {
        write(path);
    }
    let notes = |directory: &str| {
        let repository = Repository::of(&root.join(directory)).unwrap();
        repository.notes().unwrap()
    };
    let end = "so the branch alone was measured with it";
    // As cargo and rustup look for them: there and above.
    assert_eq!(
        notes("sub"),
        [format!(
            "git ignores `sub/rust-toolchain.toml`, `.cargo/config.toml`, {end}"
        )]
    );
    assert_eq!(
        notes(""),
        [format!("git ignores `.cargo/config.toml`, {end}")]
    );
    // One that is new and not ignored is a file that is not committed.
    write("sub/.cargo/config.toml");
    let new = "the branch was measured with 1 file that is not committed";
    assert_eq!(notes("sub")[0], new);
    assert!(
        !notes("sub")[1].contains("sub/.cargo"),
        "{:?}",
        notes("sub")
    );
}

#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let sample = Sample::new();
    let clone = sample.directory.path().join("clone");
    let from = format!("file://{}", sample.root().display());
    let words = [
        "clone",
        "--quiet",
        "--depth=1",
        &from,
        clone.to_str().unwrap(),
    ];
    in_repository(sample.directory.path(), &words);
    let repository = Repository::of(&clone).unwrap();
    error(
        repository.base(Some("HEAD~1")),
        &["the clone is shallow", "git fetch --unshallow"],
    );
}

#[test]
fn a_checkout_leaves_that_of_the_user_as_it_is() {
    let sample = Sample::new();
    fs::write(sample.root().join("file"), "changed").unwrap();
    fs::write(sample.root().join("sub/new"), "untracked").unwrap();
    let hook = sample.root().join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\ntouch \"$(dirname \"$0\")/called\"\n").unwrap();
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let before = sample.state();
    let repository = Repository::of(&sample.root().join("sub")).unwrap();
    let area = sample.area();
    let one = repository.commit("HEAD~2").unwrap();
    let directory = area.check_out(&repository, &one).unwrap();
    assert_eq!(fs::read_to_string(directory.join("deep")).unwrap(), "one");
    assert!(
        directory.ends_with("worktree/sub"),
        "{}",
        directory.display()
    );
    // The same worktree goes to another commit, whatever was done to it.
    fs::write(directory.join("deep"), "by a build").unwrap();
    fs::write(directory.join("left"), "by a build").unwrap();
    let two = repository.commit("HEAD~1").unwrap();
    assert_eq!(area.check_out(&repository, &two).unwrap(), directory);
    assert_eq!(fs::read_to_string(directory.join("deep")).unwrap(), "two");
    assert!(!directory.join("left").exists());
    assert_eq!(sample.state(), before);
    assert!(
        !hook.with_file_name("called").exists(),
        "no hook of the user is called"
    );
    area.remove().unwrap();
    assert_eq!(sample.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(sample.state(), before);
}

#[test]
fn checkouts_of_every_kind_have_a_base() {
    let sample = Sample::new();
    let other = |name: &str| sample.directory.path().join(name);
    let root = sample.root().display().to_string();
    let path = |name: &str| other(name).display().to_string();
    sample.git(&[
        "worktree",
        "add",
        "--quiet",
        "--detach",
        &path("linked"),
        "main",
    ]);
    let clone = [
        "clone",
        "--quiet",
        "--config",
        "core.autocrlf=true",
        &root,
        &path("windows"),
    ];
    in_repository(sample.directory.path(), &clone);
    in_repository(
        sample.directory.path(),
        &["clone", "--quiet", &root, &path("sparse")],
    );
    in_repository(
        &other("sparse"),
        &["sparse-checkout", "set", "--no-cone", "/file"],
    );
    for (name, deep) in [("linked", "two"), ("windows", "two"), ("sparse", "")] {
        let repository = Repository::of(&other(name)).unwrap();
        let base = repository.base(Some("HEAD~1")).unwrap();
        let area = BaseArea::open(&repository, &sample.environment(), || {}).unwrap();
        let checkout = area.check_out(&repository, &base).unwrap();
        let read = |file: &str| fs::read_to_string(checkout.join(file)).unwrap_or_default();
        // What the user leaves out of the checkout is left out of the base.
        assert_eq!(
            (&*read("file"), &*read("sub/deep")),
            ("two", deep),
            "{name}"
        );
        assert_eq!(repository.uncommitted().unwrap(), 0, "{name}");
        area.remove().unwrap();
    }
    assert_eq!(sample.git(&["worktree", "list"]).lines().count(), 2);
}

#[test]
fn a_worktree_that_was_cut_off_is_made_anew() {
    let sample = Sample::new();
    let repository = sample.repository();
    let area = sample.area();
    let two = repository.commit("HEAD~1").unwrap();
    let directory = area.check_out(&repository, &two).unwrap();
    let content = || fs::read_to_string(directory.join("file")).unwrap();
    // A git that was killed leaves its lock.
    let lock = git(
        &directory,
        &[
            "rev-parse",
            "--path-format=absolute",
            "--git-path",
            "index.lock",
        ],
    );
    fs::write(lock.unwrap().trim_end(), "").unwrap();
    fs::remove_file(directory.join("file")).unwrap();
    area.check_out(&repository, &two).unwrap();
    assert_eq!(content(), "two");
    // So does one that was killed while it made the worktree.
    for left in [".git", "file"] {
        fs::remove_file(directory.join(left)).unwrap();
        area.check_out(&repository, &two).unwrap();
        assert_eq!(content(), "two");
    }
    fs::remove_dir_all(&directory).unwrap();
    area.check_out(&repository, &two).unwrap();
    assert_eq!(content(), "two");
}

#[test]
fn submodules_come_from_the_checkout_and_only_those_that_it_has() {
    let sample = Sample::new();
    let library = Sample::new();
    let url = library.root().display().to_string();
    let allowed = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
    ];
    for name in ["has", "lacks"] {
        sample.git(&[allowed.as_slice(), &[&*url, name]].concat());
    }
    sample.commit("with submodules");
    library.commit("later");
    sample.commit("later");
    sample.git(&["submodule", "--quiet", "deinit", "lacks"]);
    fs::remove_dir_all(sample.root().join(".git/modules/lacks")).unwrap();
    // They cannot be fetched any more.
    fs::rename(library.root(), library.directory.path().join("gone")).unwrap();
    let repository = sample.repository();
    let area = sample.area();
    let base = repository.commit("HEAD~1").unwrap();
    let directory = area.check_out(&repository, &base).unwrap();
    assert_eq!(
        fs::read_to_string(directory.join("has/file")).unwrap(),
        "three"
    );
    assert!(!directory.join("lacks/file").exists());
    let configured = sample.git(&["config", "--get", "submodule.has.url"]);
    assert_eq!(configured.trim(), url, "the user's configuration stays");
}

#[test]
fn results_are_kept_whole_or_not_at_all() {
    let sample = Sample::new();
    let commit = sample.repository().commit("HEAD").unwrap();
    let area = sample.area();
    let kept = area.results(&commit, &[b"rustc 1.95".to_vec(), b"sort".to_vec()]);
    assert_ne!(
        kept,
        area.results(&commit, &[b"rustc 1.95s".to_vec(), b"ort".to_vec()])
    );
    let write = |text: &'static str, is_whole: bool| {
        area.make(&kept, |directory| -> Result<bool, RevisionError> {
            fs::create_dir_all(directory).unwrap();
            assert_eq!(
                fs::read_dir(directory).unwrap().count(),
                0,
                "it begins empty"
            );
            fs::write(directory.join("results"), text).unwrap();
            Ok(is_whole)
        })
        .unwrap()
    };
    let cut_off = write("cut off", false);
    assert_eq!(
        fs::read_to_string(cut_off.join("results")).unwrap(),
        "cut off"
    );
    assert!(!area.has(&kept));
    assert_eq!(write("first", true), kept);
    assert!(area.has(&kept));
    assert_eq!(write("second", true), kept);
    assert_eq!(fs::read_to_string(kept.join("results")).unwrap(), "second");
    write("cut off", false);
    assert_eq!(fs::read_to_string(kept.join("results")).unwrap(), "second");
}

#[test]
fn what_nobody_used_for_two_weeks_is_removed() {
    let sample = Sample::new();
    let commit = sample.repository().commit("HEAD").unwrap();
    let area = sample.area();
    let make = |name: &'static [u8], days: u64| {
        let kept = area.results(&commit, &[name.to_vec()]);
        fs::create_dir_all(&kept).unwrap();
        let age = std::time::Duration::from_secs(days * 24 * 60 * 60);
        let directory = fs::File::open(&kept).unwrap();
        directory
            .set_modified(std::time::SystemTime::now() - age)
            .unwrap();
        kept
    };
    let (old, new) = (make(b"old", 15), make(b"new", 13));
    drop(area);
    sample.area();
    assert_eq!((old.exists(), new.exists()), (false, true));
}

#[test]
fn areas_of_projects_that_nobody_measures_are_removed() {
    let sample = Sample::new();
    let other = Sample::new();
    let used = |days: u64| {
        let area = BaseArea::open(&other.repository(), &sample.environment(), || {}).unwrap();
        let commit = other.repository().commit("HEAD").unwrap();
        let worktree = area.check_out(&other.repository(), &commit).unwrap();
        fs::create_dir_all(area.results(&commit, &[])).unwrap();
        let lock = fs::File::open(worktree.with_file_name("lock")).unwrap();
        let age = std::time::Duration::from_secs(days * 24 * 60 * 60);
        lock.set_modified(std::time::SystemTime::now() - age)
            .unwrap();
        (area, worktree)
    };
    let worktrees = || other.git(&["worktree", "list"]).lines().count();
    let (area, worktree) = used(13);
    drop(area);
    sample.area();
    assert!(worktree.exists());
    let (area, worktree) = used(15);
    sample.area();
    assert!(worktree.exists(), "it is in use");
    drop(area);
    sample.area();
    assert!(!worktree.parent().unwrap().exists());
    assert_eq!(worktrees(), 1, "git has forgotten it as well");
}

/// Wrong revisions and bases that do not compile leave no directory, lock or worktree.
#[test]
fn an_area_without_results_is_gone_after_its_first_run() {
    let sample = Sample::new();
    let caches = sample.directory.path().join("caches");
    fs::create_dir(&caches).unwrap();
    let is_empty = || fs::read_dir(&caches).unwrap().next().is_none();
    drop(sample.area());
    assert!(is_empty());
    let repository = sample.repository();
    let commit = repository.commit("HEAD~1").unwrap();
    let not_compiled = || {
        let area = sample.area();
        area.check_out(&repository, &commit).unwrap();
        fs::create_dir_all(area.builds()).unwrap();
        fs::create_dir_all(area.of_branch().unwrap()).unwrap();
        let made = area.make(&area.results(&commit, &[]), |_| {
            Ok::<_, RevisionError>(false)
        });
        assert!(!made.unwrap().exists());
    };
    not_compiled();
    assert!(is_empty());
    assert_eq!(sample.git(&["worktree", "list"]).lines().count(), 1);
    // Results, or what was there before, stay.
    let area = sample.area();
    let worktree = area.check_out(&repository, &commit).unwrap();
    let make = |home: &Path| -> Result<bool, RevisionError> {
        fs::create_dir_all(home).unwrap();
        Ok(true)
    };
    let kept = area.make(&area.results(&commit, &[]), make).unwrap();
    drop(area);
    assert!(kept.is_dir() && worktree.is_dir());
    fs::remove_dir_all(kept.parent().unwrap()).unwrap();
    not_compiled();
    assert!(worktree.is_dir());
}

#[test]
fn two_at_once_wait_for_each_other() {
    let sample = Sample::new();
    let first = sample.area();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let waits = || tell.send(()).unwrap();
            BaseArea::open(&sample.repository(), &sample.environment(), waits).unwrap();
        });
        told.recv().unwrap();
        assert!(!second.is_finished());
        drop(first);
    });
}

#[test]
fn who_waits_for_an_area_that_is_removed_has_a_new_one() {
    let sample = Sample::new();
    let repository = sample.repository();
    let first = sample.area();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let waits = || tell.send(()).unwrap();
            BaseArea::open(&sample.repository(), &sample.environment(), waits).unwrap()
        });
        told.recv().unwrap();
        first.remove().unwrap();
        let area = second.join().unwrap();
        let commit = repository.commit("HEAD~1").unwrap();
        let worktree = area.check_out(&repository, &commit).unwrap();
        assert!(worktree.with_file_name("lock").is_file());
    });
}

#[test]
fn bench_files_of_the_branch_are_laid_over_the_base() {
    let sample = Sample::new();
    let root = sample.root();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let manifest = |benches: &str| {
        let package = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        format!("{package}{benches}\n[workspace]\n")
    };
    write("src/lib.rs", "");
    write("Cargo.toml", &manifest(""));
    sample.commit("without benchmarks");
    write("benches/sorting.rs", "fn main() {}");
    write("benches/common/mod.rs", "// shared");
    write(
        "Cargo.toml",
        &manifest("[[bench]]\nname = \"sorting\"\nharness = false\n"),
    );
    sample.commit("with a benchmark");
    let repository = sample.repository();
    let cargo: EnvironmentVariables = [("CARGO", env!("CARGO"))].into_iter().collect();
    let files = bench_files::BenchFiles::read(&repository, &cargo).unwrap();
    let area = sample.area();
    let base = repository.commit("HEAD~1").unwrap();
    let worktree = area.check_out(&repository, &base).unwrap();
    files.lay(&worktree).unwrap();
    let read = |path: &str| fs::read_to_string(worktree.join(path)).unwrap_or_default();
    assert_eq!(read("benches/sorting.rs"), "fn main() {}");
    assert_eq!(read("benches/common/mod.rs"), "// shared");
    assert!(
        read("Cargo.toml").contains("name = \"sorting\""),
        "{}",
        read("Cargo.toml")
    );
    // The next checkout has its own again.
    area.check_out(&repository, &base).unwrap();
    assert_eq!(read("benches/sorting.rs"), "");
    assert!(!read("Cargo.toml").contains("sorting"));
    assert!(files.without(&["other".to_owned()]).is_none());
    let none = files.without(&["sorting".to_owned()]).unwrap();
    assert_ne!(none.contents(), files.contents());
    none.lay(&worktree).unwrap();
    assert_eq!(read("benches/sorting.rs"), "");
}
