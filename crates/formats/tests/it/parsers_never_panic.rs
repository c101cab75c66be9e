//! No input makes a reader panic: any bytes, and real files with changes at random places.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use iai_callgrind_formats::{bbv, cachegrind, callgrind, dhat, log, massif, perf};
use proptest::prelude::*;
use proptest::sample::Index;

/// Small files of different kinds.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let names = [
        "callgrind/3.27.1/plain/callgrind.out.1001-01",
        "callgrind/3.27.1/plain/log.1001",
        "callgrind/3.27.1/jumps_compressed/callgrind.out.1001",
        "callgrind/3.27.1/parts_combined_threads/callgrind.out.1001",
        "malformed/callgrind/compressed",
        "malformed/callgrind/jumps",
        "malformed/cachegrind/good",
        "malformed/dhat/good",
        "malformed/exp-bbv/good",
        "malformed/massif/good",
        "malformed/perf/nan",
        "perf/6.1/repeat_3.out",
        "memcheck/3.27.1/leaks_full/log.1001",
        "helgrind/3.27.1/race/log.1001",
        "dhat/3.27.1/alloc/log.1001",
        "exp-bbv/3.27.1/threads/log.1001",
    ];
    names
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect()
});

fn read_all(bytes: &[u8]) {
    let _ = log::read(bytes);
    let _ = bbv::read(bytes);
    let _ = massif::read(bytes).map(|profile| profile.map(|profile| profile.peak().copied()));
    if let Ok(Some(profile)) = cachegrind::read(bytes) {
        assert_eq!(profile.totals.len(), profile.events.len());
    }
    if let Ok(Some(profile)) = dhat::read(bytes) {
        let all = profile.sum(|_| true).expect("checked by the reader");
        let named = profile.sum(|point| profile.functions(point).next().is_some());
        assert!(named.unwrap().total_bytes <= all.total_bytes);
        let _ = dhat::reduced(bytes, &vec![true; profile.points.len()]);
    }
    if let Ok(Some(profile)) = perf::read(bytes) {
        let groups = profile.groups();
        let grouped: usize = groups.iter().map(|group| group.len()).sum();
        assert!(grouped <= profile.records.len());
        for record in profile.records {
            assert!(
                record
                    .value
                    .is_ok_and(|value| value >= 0.0 && value.is_finite())
                    || record.value.is_err()
            );
        }
    }
    let mut reader = callgrind::CallGraphReader::default();
    let graph = reader.add(bytes);
    let graph = graph.map(|_| ()).map(|()| reader.finish());
    let whole = callgrind::read(bytes);
    assert_eq!(whole.is_ok(), graph.is_ok());
    if let Ok(graph) = graph {
        let ends = graph.arcs.iter().flat_map(|arc| [arc.caller, arc.callee]);
        for function in ends {
            assert_eq!(graph.own(function as usize).len(), graph.events.len());
        }
    }
    let mut reader = callgrind::InstructionReader::default();
    assert_eq!(reader.add(bytes).is_ok(), whole.is_ok());
    let instructions = reader.finish();
    for call in &instructions.calls {
        let function = call.callee.function;
        assert!(instructions
            .name(function)
            .starts_with(instructions.plain_name(function)));
    }
    let totals = callgrind::read_totals(&mut Cursor::new(bytes));
    assert_eq!(whole.is_ok(), totals.is_ok());
    for profile in [whole, totals].into_iter().flatten().flatten() {
        for part in &profile.parts {
            assert_eq!(part.totals.len(), part.events.len());
        }
        let _ = profile.totals();
    }
}

/// Replaces `length` bytes at a place by others.
#[derive(Debug, Clone)]
struct Change {
    place: Index,
    length: usize,
    by: Vec<u8>,
}

fn change() -> impl Strategy<Value = Change> {
    let by = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..8),
        prop::sample::select(vec![
            &b"\n"[..],
            b"totals: ",
            b"fn=(1)",
            b"calls=",
            b"events: Ir",
            b"part: 2\n",
            b"summary: ",
            b"ERROR SUMMARY: ",
            b"#-----------\n",
            b"n1: 1 ",
            b"\"fs\":]",
            b"\"tb\":1",
            b"{\"counter-value\" : \"1\", \"event\" : \"e\"}\n",
            b"nan",
            b"\\",
            b"\"",
            b"[-9,1]",
            b"T:1:1 ",
            b"# Thread 1\n",
            b"==1001== ",
            b"*",
            b"+",
            b"-",
            b"18446744073709551615",
            b"0x",
            b" ",
            b"=",
            b":",
        ])
        .prop_map(<[u8]>::to_vec),
    ];
    let parts = (any::<Index>(), 0_usize..12, by);
    parts.prop_map(|(place, length, by)| Change { place, length, by })
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..512)) {
        read_all(&bytes);
    }

    #[test]
    fn words_of_the_format(words in proptest::collection::vec(change(), 0..64)) {
        read_all(&words.into_iter().flat_map(|word| word.by).collect::<Vec<u8>>());
    }

    #[test]
    fn changed_files(
        file in any::<Index>(),
        changes in proptest::collection::vec(change(), 1..4),
    ) {
        let mut bytes = FILES[file.index(FILES.len())].clone();
        for Change { place, length, by } in changes {
            let start = place.index(bytes.len() + 1);
            let end = bytes.len().min(start + length);
            bytes.splice(start..end, by);
        }
        read_all(&bytes);
    }

    #[test]
    fn cut_files_are_never_taken_as_complete(file in any::<Index>(), end in any::<Index>()) {
        let bytes = &FILES[file.index(FILES.len())];
        let end = end.index(bytes.len());
        read_all(&bytes[..end]);
        if end + 1 < bytes.len() && bytes.starts_with(b"{") {
            prop_assert!(!matches!(dhat::read(&bytes[..end]), Ok(Some(_))));
        }
        if end + 1 < bytes.len() && cachegrind::read(&**bytes).is_ok_and(|profile| profile.is_some()) {
            let cut = cachegrind::read(&bytes[..end]);
            let is_complete = |profile: cachegrind::CachegrindProfile| profile.flags.is_empty();
            prop_assert!(!cut.is_ok_and(|profile| profile.is_some_and(is_complete)), "{end}");
        }
        let Ok(Some(whole)) = callgrind::read(&**bytes) else { return Ok(()) };
        // What is left out must be more than the line end.
        if end + 1 == bytes.len() { return Ok(()) }
        if let Ok(Some(cut)) = callgrind::read(&bytes[..end]) {
            let complete = cut.parts.iter().all(|part| part.flags.is_empty());
            let parts = cut.parts.len();
            // Callgrind leaves out zeros at the end of `totals:`: without them the file says the
            // same.
            let is_same = cut == whole;
            let is_told = !complete || parts < whole.parts.len();
            prop_assert!(is_told || is_same, "{end} of {}", bytes.len());
        }
    }
}
