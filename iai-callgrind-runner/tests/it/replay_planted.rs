//! Results that others have touched: whatever lies in their place, nothing outside of it is
//! touched, nothing waits for ever, and a benchmark has its new figures.

#![expect(clippy::disallowed_methods, reason = "files of the tests")]

use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use crate::replayed::launcher::AroundReplay;
use crate::replayed::{recordings, Replayed, Shown};
use base::exit::Exit;
use store::Store;
use tempfile::TempDir;

/// A first result, and a directory outside of the results with a file that nobody may touch.
struct Planted {
    replayed: Replayed,
    outside: TempDir,
}

impl Planted {
    fn new() -> Self {
        let planted = Self {
            replayed: Replayed::new(),
            outside: tempfile::tempdir().unwrap(),
        };
        planted.replayed.run(&recordings("first"), &["works"]);
        fs::write(planted.victim(), "theirs").unwrap();
        planted
    }

    fn victim(&self) -> PathBuf {
        self.outside.path().join("victim")
    }

    /// The path of the note of replacements that are decided.
    fn pending(&self) -> PathBuf {
        self.replayed.home().join("replayed/bench/.pending")
    }

    /// The directory of the benchmark.
    fn entry(&self) -> PathBuf {
        self.replayed.folder().join("works")
    }

    fn run(&self, words: &[&str]) -> Shown {
        let shown = self
            .replayed
            .run(&recordings("first"), &[&["works"], words].concat());
        assert_eq!(fs::read(self.victim()).unwrap(), b"theirs");
        let names = fs::read_dir(self.outside.path()).unwrap();
        assert_eq!(names.count(), 1, "{}", shown.err);
        shown
    }
}

/// A place among the results.
type Place = fn(&Planted) -> PathBuf;

/// The new figure is there, whatever it is compared with.
#[track_caller]
fn is_measured(shown: &Shown) {
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    assert!(
        shown
            .out
            .contains("Instructions:                        2001|"),
        "{}",
        shown.out
    );
}

#[test]
fn a_planted_note_renames_and_deletes_nothing_outside() {
    for list in ["delete", "retire"] {
        let planted = Planted::new();
        let pending = planted.pending();
        let other = if list == "delete" { "retire" } else { "delete" };
        let victim = planted.victim();
        let note = format!(
            r#"[{{"directory":"kernels/works","{list}":["{}"],"{other}":[],"take":[]}}]"#,
            victim.display()
        );
        fs::write(&pending, note).unwrap();
        let shown = planted.run(&[]);
        is_measured(&shown);
        let expected = format!(
            "warning: `{pending}`, the note of a run that was stopped, is damaged: it names \"{victim}\", which is no file \
             of a result; the results before it stay\n  hint: nothing reads `{folder}/.damaged-1` any more; it may be \
             removed\n",
            pending = pending.display(),
            victim = victim.display(),
            folder = pending.parent().unwrap().display(),
        );
        assert_eq!(shown.err, expected);
        assert!(shown.out.contains("2001|2001 "), "{}", shown.out);
        let shown = planted.run(&[]);
        is_measured(&shown);
        assert_eq!(shown.err, "");
    }
}

#[test]
fn an_empty_note_is_told_and_the_old_result_stays() {
    let mut planted = Planted::new();
    fs::write(planted.pending(), "").unwrap();
    planted.replayed.json = Some(cli::JsonFormat::Json);
    let shown = planted.run(&[]);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    assert!(
        shown.out.contains("the results before it stay"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains(r#""old":2001"#), "{}", shown.out);
}

#[test]
fn links_are_not_followed() {
    let places: [(bool, Place); 5] = [
        (false, |planted| planted.pending()),
        (true, |planted| planted.entry()),
        (true, |planted| planted.replayed.folder()),
        (false, |planted| {
            planted.replayed.home().join("replayed/bench/.work-link")
        }),
        (false, |planted| planted.entry().join("summary.json")),
    ];
    for (fails, place) in places {
        let planted = Planted::new();
        let place = place(&planted);
        let moved = tempfile::tempdir().unwrap();
        let _ = fs::rename(&place, moved.path().join("moved"));
        symlink(planted.outside.path(), &place).unwrap();
        let shown = planted.run(&[]);
        if fails {
            assert_eq!(shown.exit, Exit::Error);
            let expected = format!("`{}` is a symbolic link, and links", place.display());
            assert!(shown.err.contains(&expected), "{}", shown.err);
        } else {
            is_measured(&shown);
        }
    }
}

/// Puts something at a path.
type Put = fn(&Path, &Planted);

/// Everything that can be in the place of a file, and what is said of it.
const THINGS: [(&str, Put); 8] = [
    ("it is a FIFO", |path, _| {
        nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    }),
    ("it is a symbolic link", |path, _| {
        symlink("/dev/zero", path).unwrap()
    }),
    ("it is a symbolic link", |path, _| {
        symlink(path, path).unwrap()
    }),
    ("it is a symbolic link", |path, planted| {
        symlink(planted.victim(), path).unwrap()
    }),
    ("it is no regular file", |path, _| {
        drop(UnixListener::bind(path).unwrap())
    }),
    ("", |path, _| {
        fs::File::create(path).unwrap().set_len(10 << 30).unwrap()
    }),
    ("", |path, _| fs::write(path, "").unwrap()),
    ("", |path, _| fs::write(path, [0xff; 1000]).unwrap()),
];

#[test]
fn other_things_in_the_place_of_files_are_named_and_replaced() {
    for name in ["callgrind.works.out", "callgrind.works.log", "summary.json"] {
        for (expected, put) in THINGS {
            let planted = Planted::new();
            let path = planted.entry().join(name);
            fs::remove_file(&path).unwrap();
            put(&path, &planted);
            let shown = planted.run(&[]);
            is_measured(&shown);
            // Only the process id is read from the log.
            if name != "callgrind.works.log" {
                let named = format!("`{}` cannot be read: {expected}", path.display());
                let is_absent = expected.is_empty() && shown.out.contains("2001|N/A");
                assert!(
                    shown.err.contains(&named) || is_absent,
                    "{name}: {}",
                    shown.err
                );
            }
            assert!(path.symlink_metadata().unwrap().is_file(), "{name}");
            // The run after it compares with a result again.
            let shown = planted.run(&[]);
            is_measured(&shown);
            assert_eq!(shown.err, "");
            assert!(shown.out.contains("2001|2001 "), "{}", shown.out);
        }
    }
}

#[test]
fn other_things_in_the_place_of_a_baseline_are_named() {
    for name in ["callgrind.works.out", "callgrind.works.log", "summary.json"] {
        for (expected, put) in THINGS {
            if name == "summary.json" && expected.is_empty() {
                // Every run here checks all records that are files.
                continue;
            }
            let planted = Planted::new();
            planted.run(&["--save-baseline=main"]);
            let path = planted.entry().join(format!("{name}.base@main"));
            fs::remove_file(&path).unwrap();
            put(&path, &planted);
            let shown = planted.run(&["--baseline=main"]);
            is_measured(&shown);
            if name == "callgrind.works.out" && !expected.is_empty() {
                let named = format!("`{}` cannot be read: {expected}", path.display());
                assert!(shown.err.contains(&named), "{}", shown.err);
            }
            let shown = planted.run(&["--save-baseline=main"]);
            is_measured(&shown);
            assert!(path.symlink_metadata().unwrap().is_file(), "{name}");
        }
    }
}

#[test]
fn a_result_that_cannot_be_kept_fails_the_run() {
    let mut planted = Planted::new();
    let in_the_way = planted.pending().join("mine");
    let launch = AroundReplay::new(&recordings("first"), |job, _, replayed| {
        if job.benchmark_path.function == "works" {
            fs::create_dir_all(&in_the_way).unwrap();
        }
        replayed()
    });
    let before = planted.replayed.files();
    let shown = planted.replayed.run_by(&launch, &[]);
    assert_eq!(shown.exit, Exit::Error);
    assert!(
        shown.err.contains("  caused by: cannot keep results in `"),
        "{}",
        shown.err
    );
    assert!(
        shown
            .out
            .contains("Failed. 1 without regressions; 0 regressed; 0 compared; 1 new; 1 failed;"),
        "{}",
        shown.out
    );
    let mut after = planted.replayed.files();
    after.retain(|(name, _)| name.starts_with("works/"));
    assert_eq!(after, before);
    planted.replayed.json = Some(cli::JsonFormat::Json);
    let shown = planted.replayed.run_by(&launch, &[]);
    assert!(
        shown
            .out
            .contains(r#""message":"could not be measured\ncaused by: cannot keep results in `"#),
        "{}",
        shown.out
    );
}

fn mode(directory: &Path) -> u32 {
    fs::metadata(directory).unwrap().permissions().mode() & 0o777
}

/// The place of private directories can be read by everybody; they cannot.
#[test]
fn private_directories_are_private() {
    let replayed = Replayed::new();
    let launch = AroundReplay::new(&recordings("first"), |_, directory, replayed| {
        assert_eq!(mode(directory), 0o700);
        replayed()
    });
    let shown = replayed.run_by(&launch, &["works"]);
    is_measured(&shown);
}

/// Behind a tool runner another user may write there.
#[test]
fn the_umask_decides_who_enters_a_store_that_is_open_to_others() {
    let home = tempfile::tempdir().unwrap();
    let usual = home.path().join("usual");
    fs::create_dir(&usual).unwrap();
    let nobody = |owner: &str| panic!("{owner} has the lock");
    let store = Store::open(home.path(), "package", "bench", nobody).unwrap();
    assert_eq!(mode(store.work_directory().unwrap().path()), 0o700);
    let store = store.open_to_others();
    assert_eq!(mode(store.work_directory().unwrap().path()), mode(&usual));
}
