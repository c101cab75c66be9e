//! Copies of benchmark executables, which time is compared with: the next build replaces the file
//! that a result was measured with.
//!
//! They lie in `.executables` of the bench file, once for each content, under the hash of it. No
//! hard link: some linkers write into the file that is there. A record names the one that it was
//! measured with. Those that baselines name stay as long as the baseline, and three others: those
//! of the last results. A bench file with several programs keeps three for each that it runs.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage keeps executables and removes those that nobody needs"
)]

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, Permissions};
use std::hash::Hasher;
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use std::time::SystemTime;

use memchr::memmem;
use twox_hash::XxHash3_64;

use super::records::each_line;
use super::{places, Store};
use ::records::layout::{Slot, OLD_RECORDS, RECORDS};
use base::file_operation::{FileContext, FileResult};
use base::listed_directory::{self, ListedKind};
use base::regular_file;

/// The directory with the executables.
const DIRECTORY: &str = ".executables";

/// Executables that no baseline needs, at most: for each one that this run has measured.
const MOST: usize = 3;

/// The beginning of the field of a record that names its executables.
const FIELD: &[u8] = b"\"executables\":[";

/// Digits of a hash.
const DIGITS: usize = 16;

const PIECE: usize = 64 << 10;

impl Store {
    /// Keeps a copy of an executable, unless there is one, and returns the hash that names it.
    ///
    /// # Errors
    ///
    /// The executable cannot be read, or the copy cannot be written.
    pub fn keep_executable(&self, executable: &Path) -> FileResult<String> {
        let name = self.kept_copy(executable)?;
        self.executables_of_run().insert(name.clone());
        Ok(name)
    }

    fn kept_copy(&self, executable: &Path) -> FileResult<String> {
        let mut file = File::open(executable).context("open", executable)?;
        let name = hash(&mut file, &mut io::sink()).context("read", executable)?;
        let directory = places::real_directory(&self.directory, DIRECTORY);
        let directory = directory.context("keep executables in", &self.directory)?;
        let place = directory.join(&name);
        if is_whole(&place, &name) {
            // It is among the last ones again.
            let again = File::open(&place).and_then(|it| it.set_modified(SystemTime::now()));
            again.context("open", &place)?;
            return Ok(name);
        }
        let work = self.work_directory()?;
        let copy = work.file("executable");
        let mut file = File::open(executable).context("open", executable)?;
        let mut options = OpenOptions::new();
        let written = options.write(true).create_new(true).mode(0o700);
        let mut new = written.open(&copy).context("create", &copy)?;
        // The build may have replaced it since.
        let name = hash(&mut file, &mut new).context("copy", executable)?;
        let place = directory.join(&name);
        let permissions = Permissions::from_mode(0o500);
        new.set_permissions(permissions).context("write", &copy)?;
        fs::rename(&copy, &place).context("replace", &place)?;
        Ok(name)
    }

    /// The path of a kept executable. `None`: there is none with this hash, or it is damaged.
    #[must_use]
    pub fn kept_executable(&self, name: &str) -> Option<PathBuf> {
        kept_below(&self.directory, name)
    }

    /// The executables that this run has kept, once more for those that were there.
    fn executables_of_run(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // Each change is complete in itself.
        self.executables
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the executables that no record names any more, and of those that no baseline names
    /// all but the last ones.
    ///
    /// # Errors
    ///
    /// A directory cannot be listed, a record cannot be read, or a file cannot be removed.
    pub fn remove_executables(&self) -> FileResult<()> {
        let directory = self.directory.join(DIRECTORY);
        if !places::is_real(&directory).context("keep executables in", &directory)? {
            return Ok(());
        }
        let mut of_baselines = BTreeSet::new();
        for baseline in self.baselines()? {
            let records = Slot::Named(baseline).file(RECORDS);
            self.named_in(&records, &mut of_baselines)?;
        }
        let mut of_last = BTreeSet::new();
        self.named_in(RECORDS, &mut of_last)?;
        self.named_in(OLD_RECORDS, &mut of_last)?;
        let listed = listed_directory::list(&directory).context("list", &directory)?;
        let mut last = Vec::new();
        for file in listed.iter().filter(|it| it.kind == ListedKind::File) {
            // A file that is not ours stays.
            if !is_hash(&file.name) || of_baselines.contains(&file.name) {
                continue;
            }
            let path = directory.join(&file.name);
            let modified = path.symlink_metadata().and_then(|data| data.modified());
            let order = (
                of_last.contains(&file.name),
                modified.context("read", &path)?,
            );
            last.push((order, path));
        }
        last.sort();
        let needed = last.iter().filter(|((is_named, _), _)| *is_named).count();
        let measured = self.executables_of_run().len();
        let removed = last.len() - needed.min(MOST * measured.max(1));
        for (_, path) in &last[..removed] {
            fs::remove_file(path).context("remove", path)?;
        }
        Ok(())
    }

    /// Adds the executables that records name.
    fn named_in(&self, records: &str, names: &mut BTreeSet<String>) -> FileResult<()> {
        let path = self.directory.join(records);
        let finder = memmem::Finder::new(FIELD);
        each_line(&path, |line| {
            for place in finder.find_iter(line) {
                let field = line[place..].split(|byte| *byte == b']').next();
                let texts = field.unwrap_or_default().split(|byte| *byte == b'"');
                let texts = texts.filter_map(|text| std::str::from_utf8(text).ok());
                names.extend(texts.filter(|text| is_hash(text)).map(str::to_owned));
            }
            Ok(())
        })
        .context("read", &path)
    }
}

/// The path of an executable that is kept with the results of a bench file, in this directory.
pub(super) fn kept_below(directory: &Path, name: &str) -> Option<PathBuf> {
    let directory = directory.join(DIRECTORY);
    let is_ours = is_hash(name) && places::is_real(&directory).ok()?;
    let place = directory.join(name);
    (is_ours && is_whole(&place, name)).then_some(place)
}

/// Is there a regular file with this content?
fn is_whole(path: &Path, name: &str) -> bool {
    let found = regular_file::open(path);
    let found = found.and_then(|mut file| hash(&mut file, &mut io::sink()));
    found.is_ok_and(|found| found == name)
}

fn is_hash(name: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.len() == DIGITS && name.bytes().all(is_digit)
}

/// Hash of what is read, which is written as well.
fn hash(from: &mut impl Read, to: &mut impl Write) -> io::Result<String> {
    let mut hash = XxHash3_64::new();
    let mut piece = vec![0; PIECE];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok(format!("{:016x}", hash.finish())),
            Ok(length) => {
                hash.write(&piece[..length]);
                to.write_all(&piece[..length])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn store(home: &Path) -> Store {
        Store::open(home, "package", "bench", |_| ()).unwrap()
    }

    /// Keeps an executable of this content, so many seconds after a begin.
    fn keep(store: &Store, content: &str, seconds: u64) -> String {
        let path = store.home().join("executable");
        fs::write(&path, content).unwrap();
        let name = store.keep_executable(&path).unwrap();
        let kept = store.kept_executable(&name).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::open(kept).unwrap().set_modified(time).unwrap();
        name
    }

    fn record(names: [&str; 2]) -> String {
        format!(
            "{{\"time\":{{\"executables\":[\"{}\",\"{}\"]}}}}\n",
            names[0], names[1]
        )
    }

    #[test]
    fn an_executable_is_kept_once_and_found_by_its_hash() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        let (one, other) = (keep(&store, "one", 1), keep(&store, "other", 2));
        assert_eq!(keep(&store, "one", 3), one);
        assert_ne!(one, other);
        let path = store.kept_executable(&one).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o500);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
        for name in [
            "",
            "../../../executable",
            "0123456789abcdef",
            "0123456789ABCDEF",
        ] {
            assert_eq!(store.kept_executable(name), None, "{name}");
        }
    }

    #[test]
    fn each_program_of_a_run_keeps_its_last_ones() {
        let home = tempfile::tempdir().unwrap();
        let bench = home.path().join("package/bench");
        let all =
            |names: &[String]| -> String { names.iter().map(|it| record([it, it])).collect() };
        let first = store(home.path());
        let names: Vec<String> = ["a", "b", "c", "d", "e"]
            .iter()
            .map(|it| keep(&first, it, 1))
            .collect();
        fs::write(bench.join(RECORDS), all(&names)).unwrap();
        let left = |store: &Store| {
            let kept = names
                .iter()
                .filter(|it| store.kept_executable(it).is_some());
            kept.count()
        };
        first.remove_executables().unwrap();
        assert_eq!(left(&first), 5);
        drop(first);
        // A run that needs one of them leaves three.
        let second = store(home.path());
        keep(&second, "a", 2);
        second.remove_executables().unwrap();
        assert_eq!(left(&second), 3);
    }

    #[test]
    fn a_damaged_executable_is_none_and_replaced() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        let name = keep(&store, "one", 1);
        let path = store.kept_executable(&name).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        fs::write(&path, "on").unwrap();
        assert_eq!(store.kept_executable(&name), None);
        assert_eq!(keep(&store, "one", 1), name);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        // A link would be followed by those who start it.
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(store.home().join("executable"), &path).unwrap();
        assert_eq!(store.kept_executable(&name), None);
    }

    #[test]
    fn executables_go_with_the_last_record_that_names_them() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        store.remove_executables().unwrap();
        let names = ["a", "b", "c", "d", "e", "f"];
        let hashes: Vec<String> = (1..)
            .zip(names)
            .map(|(at, it)| keep(&store, it, at))
            .collect();
        // The next run keeps none.
        drop(store);
        let store = self::store(home.path());
        let [a, b, c, d, e, f] = std::array::from_fn(|index| hashes[index].as_str());
        let bench = home.path().join("package/bench");
        fs::write(bench.join(RECORDS), record([c, d]) + &record([e, b])).unwrap();
        let group = bench.join("g/f");
        fs::create_dir_all(&group).unwrap();
        fs::write(group.join("summary.json.base@main"), "").unwrap();
        fs::write(bench.join("results.jsonl.base@main"), record([a, a])).unwrap();
        store.remove_executables().unwrap();
        let left: Vec<bool> = hashes
            .iter()
            .map(|it| store.kept_executable(it).is_some())
            .collect();
        // The baseline's, and the last three of those that records name.
        assert_eq!(left, [true, false, true, true, true, false], "{f}");
        fs::write(bench.join("results.jsonl.base@main"), "").unwrap();
        fs::write(bench.join(RECORDS), "").unwrap();
        store.remove_executables().unwrap();
        assert!(hashes.iter().all(|it| store.kept_executable(it).is_none()));
    }
}
