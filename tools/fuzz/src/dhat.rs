//! The reader of DHAT's files, and the files that are reduced to some of the points.

use crate::{same, Dribble};
use formats::dhat::{self, DhatProfile, DhatSums};

pub(crate) fn check(bytes: &[u8]) {
    let result = dhat::read(bytes);
    same(&result, &dhat::read(Dribble(bytes)));
    let Ok(Some(profile)) = result else { return };
    // Whatever is missing at the end, the file is not taken for a whole one.
    let end = bytes.trim_ascii_end().len() - 1;
    assert!(dhat::read(&bytes[..end]).is_err());

    let all = profile.sum(|_| true).expect("checked by the reader");
    let keep: Vec<bool> = (0..profile.points.len())
        .map(|index| (bytes.len() >> (index % 8)) & 1 == 0)
        .collect();
    let kept = sum(&profile, &keep);
    let dropped: Vec<bool> = keep.iter().map(|keep| !keep).collect();
    let dropped = sum(&profile, &dropped);
    assert_eq!(kept.total_bytes + dropped.total_bytes, all.total_bytes);
    assert_eq!(kept.total_blocks + dropped.total_blocks, all.total_blocks);
    // Keys that nobody knows may hold anything, also what cannot be written again.
    let Ok(reduced) = dhat::reduced(bytes, &keep) else {
        return;
    };
    let reduced = dhat::read(reduced.as_slice())
        .expect("can be read again")
        .expect("has something in it");
    assert_eq!(reduced.sum(|_| true), Ok(kept));
    let names = |profile: &DhatProfile, keep: &dyn Fn(usize) -> bool| -> Vec<Vec<String>> {
        let points = profile.points.iter().enumerate();
        points
            .filter(|(index, _)| keep(*index))
            .map(|(_, point)| profile.functions(point).map(str::to_owned).collect())
            .collect()
    };
    assert_eq!(
        names(&reduced, &|_| true),
        names(&profile, &|index| keep[index])
    );
}

fn sum(profile: &DhatProfile, keep: &[bool]) -> DhatSums {
    let mut keep = keep.iter();
    let sums = profile.sum(|_| *keep.next().expect("one for each"));
    sums.expect("less than all")
}
