//! The reader of what `perf stat -j` writes.

use crate::{same, Dribble};
use formats::perf;

pub(crate) fn check(bytes: &[u8]) {
    let result = perf::read(bytes);
    same(&result, &perf::read(Dribble(bytes)));
    let Ok(Some(profile)) = result else { return };
    assert!(!profile.records.is_empty() || !profile.flags.is_empty());
    for record in &profile.records {
        assert!(
            record.value.is_err()
                || record
                    .value
                    .is_ok_and(|value| value.is_finite() && value >= 0.0)
        );
        let times = [record.runtime, record.running].into_iter().flatten();
        assert!(times.into_iter().all(f64::is_finite));
    }
    // A record is a line.
    let lines = bytes.split(|byte| *byte == b'\n').count();
    assert!(profile.records.len() <= lines);
    let groups = profile.groups();
    assert_eq!(groups.is_empty(), profile.records.is_empty());
    let grouped: usize = groups.iter().map(|group| group.len()).sum();
    assert!(grouped <= profile.records.len());
    for group in &groups {
        assert_eq!(group.len(), groups[0].len());
        let first = &group[0].event;
        assert_eq!(
            group.iter().filter(|record| record.event == *first).count(),
            1
        );
    }
    // A record that is cut is none, and is not passed over in silence.
    let whole = bytes.trim_ascii_end();
    let last = whole
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let is_record = last.trim_ascii().starts_with(b"{") && last.ends_with(b"}");
    if let (true, Ok(Some(cut))) = (is_record, perf::read(&whole[..whole.len() - 1])) {
        assert!(cut.records.len() <= profile.records.len());
        assert!(cut.flags.contains(&perf::PerfFlag::Incomplete));
    }
}
