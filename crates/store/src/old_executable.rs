//! The executable that a new one is timed with: a copy that is kept with the old result, or one of
//! `--time-base`.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::Input;

use super::executables::kept_below;
use super::Store;
use ::records::layout::{BenchmarkEntry, Slot};
use ::records::summary::RecordedTime;
use ::records::{other_input, KeptRecords};
use base::cargo_hash;
use base::file_operation::{FileContext, FileResult};

/// A place with old executables: `--time-base`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeBase {
    /// A home, whose results name the executables that they were timed with.
    Home(PathBuf),
    /// A directory of builds.
    Builds {
        /// The directory.
        directory: PathBuf,
        /// The executable of the bench target, if there is one.
        bench: Option<PathBuf>,
    },
}

impl TimeBase {
    /// The place at a path, for a bench file of a package: an executable, a home that has the bench
    /// file, or a directory of builds, in which the newest executable of the same name as `ours` is
    /// taken.
    ///
    /// # Errors
    ///
    /// The path cannot be read, or the directory cannot be listed.
    pub fn at(path: &Path, [package, file]: [&str; 2], ours: &Path) -> FileResult<Self> {
        if !fs::metadata(path).context("read", path)?.is_dir() {
            return Ok(Self::Builds {
                directory: path.parent().unwrap_or(path).to_owned(),
                bench: Some(path.to_owned()),
            });
        }
        if path.join(package).join(file).is_dir() {
            return Ok(Self::Home(path.to_owned()));
        }
        // One that was copied may have no hash.
        let target = |name: &str| cargo_hash::without(name).unwrap_or(name).to_owned();
        let ours = ours.file_name().unwrap_or_default().to_string_lossy();
        let ours = target(&ours);
        let entries = fs::read_dir(path).context("list", path)?.flatten();
        let built = entries.filter_map(|entry| {
            let path = entry.path();
            let is_it = target(&path.file_name()?.to_string_lossy()) == ours;
            let data = fs::metadata(&path).ok();
            let data = data.filter(|data| is_it && data.is_file())?;
            Some((data.modified().ok()?, path))
        });
        Ok(Self::Builds {
            directory: path.to_owned(),
            bench: built.max().map(|(_, path)| path),
        })
    }
}

/// The benchmark whose old executable is looked for.
#[derive(Debug, Clone, Copy)]
pub struct TimedBenchmark<'a> {
    /// Its results.
    pub entry: &'a BenchmarkEntry,
    /// Their records.
    pub records: &'a KeptRecords,
    /// The slot of the old result.
    pub compared: &'a Slot,
    /// Arguments of the new side.
    pub input: Option<&'a Input>,
    /// The program of a binary benchmark.
    pub program: Option<&'a Path>,
}

/// An old executable, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldExecutable {
    /// The hash by which it is kept.
    pub name: Option<String>,
    /// Its path.
    pub path: Result<PathBuf, &'static str>,
}

impl OldExecutable {
    fn none(reason: &'static str) -> Self {
        Self {
            name: None,
            path: Err(reason),
        }
    }
}

impl Store {
    /// The old executable of a benchmark: that of the place or, without one, of its old result.
    #[must_use]
    pub fn old_executable(
        &self,
        place: Option<&TimeBase>,
        benchmark: TimedBenchmark<'_>,
    ) -> OldExecutable {
        if let Some(reason) = benchmark.program.and_then(not_kept) {
            return OldExecutable::none(reason);
        }
        let TimedBenchmark {
            entry,
            records,
            compared,
            input,
            program,
        } = benchmark;
        match place {
            None => {
                let named = records
                    .executable(entry, compared)
                    .ok_or(RecordedTime::NEVER_KEPT);
                let old_input = records.input(entry, compared);
                kept(&self.directory, named, old_input.as_ref(), input)
            }
            Some(TimeBase::Home(home)) => {
                let directory = home.join(entry.name());
                let entry = BenchmarkEntry::new(directory, entry.name(), Vec::new());
                let records = KeptRecords::default();
                let named = records.executable(&entry, &Slot::Last);
                let named = named
                    .ok_or("the results of `--time-base` have no executable of this benchmark");
                // The directory is that of a case, below group and bench file.
                let of_bench_file = entry.directory().ancestors().nth(2).unwrap_or(home);
                let old_input = records.input(&entry, &Slot::Last);
                kept(of_bench_file, named, old_input.as_ref(), input)
            }
            Some(TimeBase::Builds { directory, bench }) => OldExecutable {
                name: None,
                path: match program {
                    None => bench.clone().ok_or(
                        "the directory of `--time-base` has no executable of this bench target",
                    ),
                    Some(program) => built(directory, program)
                        .ok_or("the directory of `--time-base` has no program of this name"),
                },
            },
        }
    }
}

/// A copy that results of a bench file name.
fn kept(
    directory: &Path,
    named: Result<String, &'static str>,
    old_input: Option<&Input>,
    input: Option<&Input>,
) -> OldExecutable {
    let name = match named {
        Ok(name) => name,
        Err(reason) => return OldExecutable::none(reason),
    };
    let other = other_input(old_input, input);
    let path = match other.is_some_and(|other| !other.compared) {
        true => Err(RecordedTime::DIFFERENT_INPUT),
        false => kept_below(directory, &name).ok_or("the old executable is not kept any more"),
    };
    OldExecutable {
        name: Some(name),
        path,
    }
}

/// The program of the same name in a directory of builds; cargo puts programs above `deps`.
fn built(directory: &Path, program: &Path) -> Option<PathBuf> {
    let name = program.file_name()?;
    let above = directory.parent().filter(|_| directory.ends_with("deps"));
    let places = [Some(directory), above].into_iter().flatten();
    let mut programs = places.map(|place| place.join(name));
    programs.find(|program| program.is_file())
}

/// The reason why no copy of a program is kept: it would not do what the program does.
#[must_use]
pub fn not_kept(program: &Path) -> Option<&'static str> {
    if !program.is_absolute() {
        return Some("its program has a relative path, so it belongs to its directory");
    }
    let mut begin = [0; 2];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut begin));
    let is_script = read.is_ok() && begin == *b"#!";
    is_script.then_some("its program is a script, and the programs that it starts are not kept")
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use ::records::sample;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_directory_has_the_executable_of_the_same_target() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            path
        };
        let ours = Path::new("/target/release/deps/app-00112233445566aa");
        let at = |path: &Path, ours: &Path| TimeBase::at(path, ["package", "app"], ours);
        let found = |ours: &Path| match at(folder.path(), ours).unwrap() {
            TimeBase::Builds { bench, .. } => bench,
            other => panic!("{other:?}"),
        };
        write("apple-0123456789abcdef");
        write("app-0123456789abcdef.d");
        assert_eq!(found(ours), None);
        let other = write("app-0123456789abcdef");
        assert_eq!(found(ours), Some(other.clone()));
        let itself = TimeBase::Builds {
            directory: folder.path().to_owned(),
            bench: Some(other.clone()),
        };
        assert_eq!(at(&other, ours).unwrap(), itself);
        // A copy without a hash is no copy of every other file without one.
        let copy = Path::new("/elsewhere/app");
        assert_eq!(found(copy), Some(other));
        assert_eq!(found(Path::new("/elsewhere/unknown")), None);
        let missing = at(Path::new("/does/not/exist"), ours).unwrap_err();
        assert!(missing.to_string().contains("/does/not/exist"), "{missing}");
    }

    #[test]
    fn programs_lie_beside_or_above_executables_of_bench_targets() {
        let folder = tempfile::tempdir().unwrap();
        let deps = folder.path().join("deps");
        fs::create_dir(&deps).unwrap();
        let program = Path::new("/elsewhere/release/app");
        assert_eq!(built(&deps, program), None);
        fs::write(folder.path().join("app"), "").unwrap();
        assert_eq!(built(&deps, program), Some(folder.path().join("app")));
        assert_eq!(
            built(folder.path(), program),
            Some(folder.path().join("app"))
        );
        let sub = folder.path().join("sub");
        fs::create_dir(&sub).unwrap();
        assert_eq!(built(&sub, program), None);
    }

    #[test]
    fn scripts_and_relative_paths_have_no_copy() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |content: &str| {
            let path = folder.path().join("program");
            fs::write(&path, content).unwrap();
            not_kept(&path)
        };
        assert!(reason("#!/bin/sh\n").unwrap().contains("is a script"));
        assert_eq!(reason("\x7fELF"), None);
        assert_eq!(reason(""), None);
        assert_eq!(not_kept(&folder.path().join("absent")), None);
        let relative = not_kept(Path::new("./program")).unwrap();
        assert!(relative.contains("relative path"), "{relative}");
    }

    /// A home with a result of a benchmark, timed with a kept executable.
    struct Timed {
        home: tempfile::TempDir,
        store: Store,
        name: String,
    }

    impl Timed {
        fn new(input: &str) -> Self {
            let home = tempfile::tempdir().unwrap();
            let store = Store::open(home.path(), "package", "bench", |_| ()).unwrap();
            let executable = home.path().join("executable");
            fs::write(&executable, "content").unwrap();
            let name = store.keep_executable(&executable).unwrap();
            let time = RecordedTime::of(None, None, None, [Some(name.clone()), None]);
            let mut record = sample::benchmark("function", 1);
            record["time"] = json!(time);
            record["benchmark"]["input"] = json!({"text": input, "positional": true});
            let timed = Self { home, store, name };
            let entry = timed.entry();
            fs::create_dir_all(entry.directory()).unwrap();
            fs::write(entry.summary(&Slot::Last), record.to_string()).unwrap();
            timed
        }

        fn entry(&self) -> BenchmarkEntry {
            let name = "package/bench/group/function.id".to_owned();
            BenchmarkEntry::new(self.home.path().join(&name), name, Vec::new())
        }
    }

    #[test]
    fn results_name_the_executable_of_their_home() {
        let old = Timed::new("1");
        let new = Timed::new("1");
        let found = |timed: &Timed, place: Option<&TimeBase>, text: &str| {
            let input = Input {
                text: text.to_owned(),
                positional: true,
            };
            timed.store.old_executable(
                place,
                TimedBenchmark {
                    entry: &timed.entry(),
                    records: &KeptRecords::default(),
                    compared: &Slot::Last,
                    input: Some(&input),
                    program: None,
                },
            )
        };
        let ours = Path::new("/target/release/deps/bench-00112233445566aa");
        let place = TimeBase::at(old.home.path(), ["package", "bench"], ours).unwrap();
        assert_eq!(place, TimeBase::Home(old.home.path().to_owned()));
        for place in [None, Some(&place)] {
            let timed = place.map_or(&new, |_| &old);
            let executable = found(&new, place, "1");
            assert_eq!(executable.name.as_ref(), Some(&timed.name));
            let path = executable.path.unwrap();
            assert!(path.starts_with(timed.home.path()), "{path:?}");
            // Its number in a list has another value now.
            let other = found(&new, place, "2");
            assert_eq!(other.path, Err(RecordedTime::DIFFERENT_INPUT));
            fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
            fs::write(&path, "other content").unwrap();
            let damaged = found(&new, place, "1");
            assert_eq!(damaged.path, Err("the old executable is not kept any more"));
            fs::write(timed.entry().summary(&Slot::Last), "").unwrap();
            let reason = found(&new, place, "1").path.unwrap_err();
            let expected = match place {
                None => RecordedTime::NEVER_KEPT,
                Some(_) => "the results of `--time-base` have no executable of this benchmark",
            };
            assert_eq!(reason, expected);
        }
        let elsewhere = TimeBase::at(old.home.path(), ["other", "bench"], ours).unwrap();
        assert!(matches!(elsewhere, TimeBase::Builds { bench: None, .. }));
    }
}
