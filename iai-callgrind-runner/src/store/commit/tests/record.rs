//! The record alone is replaced, and the other files stay.

#[cfg(target_os = "linux")]
use std::os::unix::fs::MetadataExt;
#[cfg(target_os = "linux")]
use std::sync::Arc;

use super::super::super::sync;
#[cfg(target_os = "linux")]
use super::super::super::{
    kept_place::KeptPlace, memory::Memory, record_file::NewFileMode, run_directory::InMemory,
};
use super::*;

/// A replacement of the record of a result whose other file stays.
fn of_record(results: &Generations, text: &str) -> Replacement {
    let (work, files) = results.new_files(&["summary.json"], text);
    of_files(results, work, &files)
}

fn of_files(results: &Generations, work: Vec<RunDirectory>, files: &[NewFile]) -> Replacement {
    let result = NewResult {
        slot: &Slot::Last,
        tools: &[Tool::Callgrind],
        work,
        files,
        stays: &["callgrind.f.out".to_owned()],
        left: Vec::new(),
    };
    let (base, entry) = (results.base(), results.entry());
    collect(base, &entry, &present(&entry), result).unwrap()
}

fn state(texts: [&str; 2]) -> Vec<(String, String)> {
    let names = ["callgrind.f.out", "summary.json"];
    let all = names.into_iter().zip(texts);
    all.map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

fn with_first() -> Generations {
    let results = Generations::new();
    results.replace(&["callgrind.f.out", "summary.json"], "1");
    results
}

/// The record that is there has its name until the disk has the new one, and nothing else is decided.
#[test]
fn it_needs_no_note() {
    let results = with_first();
    let replacement = of_record(&results, "2");
    let record = results.entry().join("summary.json");
    sync::watch::with(move |path| {
        assert_eq!(fs::read(&record).unwrap(), b"1");
        assert!(!path.ends_with(PENDING) && !path.ends_with(".pending.new"));
    });
    results.carry_out(replacement);
    sync::watch::with(|_| {});
    assert_eq!(results.state(), state(["1", "2"]));
    // Nothing is left to be finished, and no private directory.
    assert_eq!(names(results.base()), ["g"]);
}

/// As a run in memory leaves it.
#[cfg(target_os = "linux")]
fn in_memory(results: &Generations, kept: &Arc<KeptPlace>, text: &str) -> Replacement {
    let memory = Memory::open_in(results.base()).unwrap().unwrap();
    let in_memory = InMemory {
        memory: Arc::new(memory),
        kept: Arc::clone(kept),
        free: Arc::default(),
    };
    let work = RunDirectory::in_memory(Path::new(""), &in_memory).unwrap();
    let path = work.path().join("raw");
    fs::write(&path, text).unwrap();
    let file = NewFile {
        path,
        name: "summary.json".to_owned(),
    };
    of_files(results, vec![work], &[file])
}

#[test]
#[cfg(target_os = "linux")]
fn the_file_of_the_old_one_becomes_a_later_one_after_the_next_time_at_which_the_disk_has_all() {
    let results = with_first();
    let kept = Arc::new(KeptPlace::new(results.base().to_owned()));
    let number = |path: PathBuf| path.metadata().unwrap().ino();
    let record = || results.entry().join("summary.json");
    let first = number(record());
    results.carry_out(in_memory(&results, &kept, "2"));
    assert_eq!(results.state(), state(["1", "2"]));
    let take = || kept.replaced.take(1, NewFileMode::detect());
    assert!(take().is_none());
    // Of one record alone it is not known.
    results.carry_out(in_memory(&results, &kept, "3"));
    assert!(take().is_none());
    kept.replaced.are_on_disk();
    let second = take().unwrap().write(b"4").unwrap();
    let again = take().unwrap().write(b"5").unwrap();
    assert!(take().is_none());
    assert!(kept.has(&second) && kept.has(&again));
    assert_eq!(number(again), first);
    assert_eq!(results.state(), state(["1", "3"]));
}

#[test]
fn one_that_fails_leaves_the_old_one_and_nothing_to_be_finished() {
    let results = with_first();
    let replacement = of_record(&results, "2");
    let away = results.base().join("away");
    fs::rename(results.entry(), &away).unwrap();
    let mut unfinished = Unfinished::default();
    let failed = replace(results.base(), vec![replacement], &mut unfinished);
    let [error] = failed.as_slice() else {
        panic!("{failed:?}");
    };
    assert!(error.to_string().starts_with("cannot move `"), "{error}");
    assert!(unfinished.is_empty());
    fs::rename(&away, results.entry()).unwrap();
    assert_eq!(results.state(), state(["1", "1"]));
    assert_eq!(names(results.base()), ["g"]);
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_file_does_not_change_places_with_one() {
    for link in [false, true] {
        let results = with_first();
        let place = results.entry().join("summary.json");
        let kept = Arc::new(KeptPlace::new(results.base().to_owned()));
        let replacement = in_memory(&results, &kept, "2");
        fs::remove_file(&place).unwrap();
        match link {
            true => std::os::unix::fs::symlink("elsewhere", &place).unwrap(),
            false => fs::create_dir(&place).unwrap(),
        }
        let failed = replace(
            results.base(),
            vec![replacement],
            &mut Unfinished::default(),
        );
        // A link has its place in the directory only.
        assert_eq!(failed.len(), usize::from(!link), "{failed:?}");
        let found = fs::symlink_metadata(&place).unwrap();
        assert_eq!((found.is_file(), found.is_dir()), (link, !link));
        kept.replaced.are_on_disk();
        assert!(kept.replaced.take(1, NewFileMode::detect()).is_none());
    }
}

/// What has come to the place of the record meanwhile is no file of ours.
#[test]
fn a_directory_in_its_place_stays() {
    let results = with_first();
    let replacement = of_record(&results, "2");
    let place = results.entry().join("summary.json");
    fs::remove_file(&place).unwrap();
    fs::create_dir(&place).unwrap();
    fs::write(place.join("theirs"), "").unwrap();
    let failed = replace(
        results.base(),
        vec![replacement],
        &mut Unfinished::default(),
    );
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(place.join("theirs").exists());
    assert_eq!(names(results.base()), ["g"]);
}
