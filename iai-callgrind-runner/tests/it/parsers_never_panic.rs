//! No profile makes its metrics or pictures panic: any bytes, and real files with changes at random
//! places. The readers alone are tested in `crates/formats`.

use std::fs;
use std::io::Cursor;
use std::sync::LazyLock;

use base::entry_functions::EntryFunctions;
use base::tool::Tool;
use explain::heap_stacks::{self, HeapSources, ResolvedProfile};
use flamegraph::FlamegraphSettings;
use flamegraph::{self, FlamegraphInput, PictureTexts};
use formats::{callgrind, dhat};
use iai_callgrind::protocol::flamegraph::Direction;
use iai_callgrind::protocol::{DhatMetric, EventKind, Truncate};
use metrics::Metrics;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::replayed::recorded_files;

/// Small files of different kinds.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = recorded_files();
    let names = [
        "callgrind/3.27.1/plain/callgrind.out.1001-01",
        "callgrind/3.27.1/jumps_compressed/callgrind.out.1001",
        "callgrind/3.27.1/parts_combined_threads/callgrind.out.1001",
        "malformed/callgrind/compressed",
        "malformed/callgrind/jumps",
        "malformed/dhat/good",
    ];
    names
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect()
});

fn draw_all(graphs: &[callgrind::CallGraph]) {
    let settings = FlamegraphSettings {
        regular: true,
        differential: true,
        kinds: Vec::new(),
        direction: Direction::default(),
        negate: false,
        normalize: true,
        title: None,
        subtitle: None,
        truncate: Truncate::Never,
        min_width: 0.0,
    };
    let subject = FlamegraphInput {
        new: graphs,
        old: graphs,
        entry: &EntryFunctions::of_patterns(["main"]),
        regions: false,
        title: "title",
        old_name: "the last run",
    };
    for kind in [EventKind::Ir, EventKind::EstimatedCycles] {
        if let Ok(pictures) = flamegraph::draw(kind, subject, &settings) {
            assert!(pictures.regular.is_some() && pictures.differential.is_some());
        }
    }
}

fn draw_stacks(profile: &dhat::DhatProfile) {
    let sources = HeapSources {
        entry: &EntryFunctions::of_patterns(["main"]),
        regions: false,
        executable: None,
        workspace: std::path::Path::new("/"),
    };
    let selected = vec![true; profile.points.len()];
    let stacks = sources.stacks(&[ResolvedProfile {
        profile,
        selected: &selected,
    }]);
    let texts = PictureTexts {
        title: "title",
        old_name: "the last run",
    };
    let settings = FlamegraphSettings::default();
    let drawn = flamegraph::draw_stacks(
        DhatMetric::TotalBytes,
        &stacks,
        Some(&stacks),
        texts,
        &settings,
    );
    if let Ok(pictures) = drawn {
        assert!(pictures.regular.is_some() && pictures.differential.is_some());
    }
    let kept = heap_stacks::format::write(&stacks).unwrap();
    assert_eq!(heap_stacks::format::read(&kept).unwrap(), stacks);
}

fn use_all(bytes: &[u8]) {
    if let Ok(Some(profile)) = dhat::read(bytes) {
        draw_stacks(&profile);
    }
    let _ = heap_stacks::format::read(bytes);
    let mut reader = callgrind::CallGraphReader::default();
    if reader.add(bytes).is_ok() {
        draw_all(&[reader.finish()]);
    }
    let whole = callgrind::read(bytes);
    let totals = callgrind::read_totals(&mut Cursor::new(bytes));
    for profile in [whole, totals].into_iter().flatten().flatten() {
        let _ = profile
            .totals()
            .and_then(|totals| Metrics::from_counters(Tool::Callgrind, totals));
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
        use_all(&bytes);
    }

    #[test]
    fn words_of_the_format(words in proptest::collection::vec(change(), 0..64)) {
        use_all(&words.into_iter().flat_map(|word| word.by).collect::<Vec<u8>>());
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
        use_all(&bytes);
    }

    #[test]
    fn cut_files(file in any::<Index>(), end in any::<Index>()) {
        let bytes = &FILES[file.index(FILES.len())];
        use_all(&bytes[..end.index(bytes.len())]);
    }
}
