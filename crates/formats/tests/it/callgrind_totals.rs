//! The short way to the totals: it reads little, and only where that is sound.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use iai_callgrind_formats::callgrind::{self, CallgrindFlag, CallgrindProfile};

/// Counts what is read.
struct Counted {
    input: Cursor<Vec<u8>>,
    read: usize,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.input.seek(to)
    }
}

/// A part with a body of about a megabyte.
fn part(number: u64, summary: &str, totals: &str) -> String {
    let mut text = format!(
        "version: 1\npid: 7\npart: {number}\n\npositions: line\nevents: Ir Dr sysTime\n\
         summary: {summary}\n\nfn=main\n"
    );
    for line in 0..100_000 {
        text += &format!("{line} 1 0 1\n");
    }
    text + "\ntotals: " + totals
}

fn read(text: String) -> (CallgrindProfile, bool) {
    let size = text.len();
    let mut input = Counted {
        input: Cursor::new(text.into_bytes()),
        read: 0,
    };
    let profile = callgrind::read_totals(&mut input).unwrap().unwrap();
    (profile, input.read < size / 2)
}

#[test]
fn totals_of_one_part_come_from_head_and_tail() {
    let (profile, short) = read(part(1, "100002 0 200000", "100000 0 100000\n"));
    assert!(short);
    assert_eq!(profile.parts.len(), 1);
    assert_eq!(profile.parts[0].totals, [100_000, 0, 100_000]);
    assert_eq!(
        profile.parts[0].summary.as_deref(),
        Some(&[100_002, 0, 200_000][..])
    );
    assert_eq!(profile.parts[0].pid, Some(7));
    assert_eq!(profile.parts[0].flags, []);
}

#[test]
fn a_header_ends_where_the_body_begins() {
    let text = part(1, "100000 0 100000", "100000 0 100000\n");
    let text = text.replace("pid: 7\n", "");
    let (profile, short) = read(text.replace("\n\nfn=", "\npid: 8\n\nfn="));
    assert!(short);
    assert_eq!(profile.parts[0].pid, Some(8));
}

#[test]
fn zeros_that_are_left_out_are_filled_in() {
    let text = part(1, "100000", "100000\n").replace(" 1 0 1\n", " 1\n");
    let (profile, short) = read(text);
    assert!(short);
    assert_eq!(profile.parts[0].totals, [100_000, 0, 0]);
}

#[track_caller]
fn check_complete_pass(text: String, totals: &[&[u64]], flags: &[CallgrindFlag]) {
    let (profile, short) = read(text);
    assert!(!short);
    let found: Vec<_> = profile.parts.iter().map(|part| &*part.totals).collect();
    assert_eq!(found, totals);
    assert!(flags.iter().all(|flag| profile.has(*flag)), "{profile:?}");
}

#[test]
fn everything_else_is_read_completely() {
    const SUM: [u64; 3] = [100_000, 0, 100_000];
    // The end is cut off.
    check_complete_pass(
        part(1, "100000 0 100000", ""),
        &[&SUM],
        &[CallgrindFlag::Incomplete, CallgrindFlag::SummaryUsed],
    );
    check_complete_pass(
        part(1, "100000 0 100000", "100000 0 10"),
        &[&SUM],
        &[CallgrindFlag::Incomplete, CallgrindFlag::SummaryUsed],
    );
    check_complete_pass(part(1, "100000 0 100000", "100000 0 100000"), &[&SUM], &[]);
    // Beginning and end disagree.
    check_complete_pass(
        part(1, "999999 0 100000", "100000 0 100000\n"),
        &[&SUM],
        &[],
    );
    check_complete_pass(
        part(1, "100000 0 100000", "100001 0 100000\n"),
        &[&[100_001, 0, 100_000]],
        &[CallgrindFlag::Inconsistent],
    );
    // Several parts.
    let two = part(1, "100000 0 100000", "100000 0 100000\n")
        + "\npart: 2\nevents: Ir Dr sysTime\nsummary: 100000\n\nfn=f\n1 100000\n\ntotals: 100000\n";
    check_complete_pass(two, &[&SUM, &[100_000, 0, 0]], &[]);
}
