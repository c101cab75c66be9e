//! The reader of Massif's files.

use crate::{same, Dribble};
use formats::massif;

pub(crate) fn check(bytes: &[u8]) {
    let result = massif::read(bytes);
    same(&result, &massif::read(Dribble(bytes)));
    let Ok(Some(profile)) = result else { return };
    let peak = profile.peak();
    assert_eq!(peak.is_none(), profile.snapshots.is_empty());
    for snapshot in &profile.snapshots {
        let parts = [snapshot.heap, snapshot.extra, snapshot.stacks];
        let sum: u128 = parts.into_iter().map(u128::from).sum();
        assert_eq!(u128::from(snapshot.total), sum);
        assert!(peak.is_some_and(|peak| peak.total >= snapshot.total));
    }
    // Every snapshot has its own line.
    let lines = bytes.split(|byte| *byte == b'\n');
    let begun = lines.filter(|line| line.starts_with(b"snapshot=")).count();
    assert!(profile.snapshots.len() <= begun);
    if profile.flags.is_empty() {
        // A last line without its end is never taken.
        let cut = bytes.trim_ascii_end();
        let is_whole = |profile: massif::MassifProfile| profile.flags.is_empty();
        assert!(!massif::read(cut).is_ok_and(|profile| profile.is_some_and(is_whole)));
    }
}
