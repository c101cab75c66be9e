//! A result that is the same as the two before: the files that are there stay, since they are those of the new one but for the
//! numbers of processes.
//!
//! To rename new files and old ones, and to free on the disk those that are replaced, takes longer than to look whether they differ.

use super::Surroundings;
use crate::results::{NewResults, OldResults};
use crate::store::{FileName, NewFile, Slot};

/// The names of the kept files that are these new ones, of the last result and of that before, which the last one becomes.
pub(super) fn stays(
    files: &[NewFile],
    new: &NewResults<'_>,
    old: &OldResults,
    around: &Surroundings<'_>,
) -> Option<Vec<String>> {
    let [out, log] = files else {
        return None;
    };
    if !old.is_like_new || !around.replaces_old() {
        return None;
    }
    let (slot, entry) = (&around.baseline.write, &around.entry);
    let names = [out, log].map(|file| slot.file(&file.name));
    let are_there = names.iter().all(|name| entry.file(name).is_some());
    let is_before_like = || {
        let [out, log] = names
            .each_ref()
            .map(|name| entry.file(&FileName::old(name)));
        Some(new.files.are_like(&out?, &log?))
    };
    let stay = are_there && (*slot != Slot::Last || is_before_like() == Some(true));
    stay.then(|| names.into())
}
