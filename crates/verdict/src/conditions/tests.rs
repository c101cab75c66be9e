use std::collections::BTreeMap;

use iai_callgrind::protocol::metric::Family;
use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric,
};

use super::table::TABLE;
use super::*;
use base::repository::of_repository;
use base::tool::Tool;
use metrics::MetricKind;
use records::{processor_class, Circumstances, Workspace, LACKS_BLOCKS};

/// Everything is known.
fn known() -> Circumstances {
    let text = |text: &str| Some(text.to_owned());
    Circumstances {
        target: text("x86_64-unknown-linux-gnu"),
        workspace: Some(Workspace {
            root: "/a".to_owned(),
            home: None,
        }),
        build: BTreeMap::from([
            ("lto".to_owned(), "false".to_owned()),
            ("opt-level".to_owned(), "3".to_owned()),
        ]),
        rustc: text("1.85.0"),
        libc: text("glibc 2.36"),
        deterministic_random: Some(true),
        processor: text("one"),
        processor_class: text("with AVX2"),
        valgrind: text("3.19.0"),
        caches: vec!["I1 cache: 32768 B".to_owned()],
        fast_setup: Some(false),
        tunables: text(""),
        loader_variables: text(""),
        arguments: Some(vec!["--simulate-wb=no".to_owned()]),
        counted_part: Some("the benchmark function".to_owned()),
        unknown_calls: String::new(),
        forked: Some(true),
    }
}

/// The known conditions with another value of one fact.
fn with_other(fact: Fact) -> Circumstances {
    let mut other = known();
    let text = |text: &str| Some(text.to_owned());
    match fact {
        Fact::Target => other.target = text("aarch64-unknown-linux-gnu"),
        Fact::Workspace => {
            other.workspace = Some(Workspace {
                root: "/b".to_owned(),
                home: None,
            });
        }
        Fact::Build => drop(other.build.insert("opt-level".to_owned(), "1".to_owned())),
        Fact::Compiler => other.rustc = text("1.86.0"),
        Fact::CLibrary => other.libc = text("glibc 2.41"),
        Fact::DeterministicRandom => other.deterministic_random = Some(false),
        Fact::Processor => other.processor = text("another"),
        Fact::ProcessorClass => other.processor_class = text("with AVX"),
        Fact::Valgrind => other.valgrind = text("3.24.0"),
        Fact::Caches => other.caches = vec!["I1 cache: 16384 B".to_owned()],
        Fact::Tunables => other.tunables = text("glibc.malloc.check=1"),
        Fact::LoaderVariables => other.loader_variables = text("LD_LIBRARY_PATH=/a"),
        Fact::FastSetup => other.fast_setup = Some(true),
        Fact::Arguments => other.arguments = Some(vec!["--simulate-wb=yes".to_owned()]),
        Fact::CountedPart => other.counted_part = text("regions of the benchmark"),
        Fact::UnknownCalls => {
            other.unknown_calls = "system call `futex_waitv` (449)".to_owned();
            other.valgrind = text("3.24.0");
        }
        Fact::Mode => other.forked = Some(false),
    }
    other
}

/// The table again, written down by hand: which of instructions, cache events and memory are
/// judged.
const EXPECTED: [(Fact, [bool; 3]); 17] = [
    (Fact::Target, [false, false, false]),
    (Fact::Workspace, [true, false, true]),
    (Fact::Build, [false, false, false]),
    (Fact::Compiler, [false, false, false]),
    (Fact::CLibrary, [false, false, true]),
    (Fact::DeterministicRandom, [false, false, false]),
    (Fact::Processor, [true, true, true]),
    (Fact::ProcessorClass, [false, false, true]),
    (Fact::Valgrind, [true, false, true]),
    (Fact::Caches, [true, false, true]),
    (Fact::FastSetup, [true, false, true]),
    (Fact::Tunables, [false, false, true]),
    (Fact::LoaderVariables, [false, false, true]),
    (Fact::Arguments, [false, false, false]),
    (Fact::CountedPart, [false, false, false]),
    (Fact::UnknownCalls, [false, false, false]),
    (Fact::Mode, [true, false, true]),
];

/// Callgrind leaves these blocks out where it simulates caches, whichever they are.
#[test]
fn blocks_that_are_left_out_are_another_part_without_a_simulation() {
    let with = |caches: &[&str], lacks: bool| {
        let mut side = known();
        side.caches = caches.iter().map(|&cache| cache.to_owned()).collect();
        if let Some(part) = side.counted_part.as_mut().filter(|_| lacks) {
            *part += LACKS_BLOCKS;
        }
        side
    };
    let facts = |old: &Circumstances, new: &Circumstances| -> Vec<Fact> {
        discrepancies(old, new).iter().map(|it| it.fact).collect()
    };
    let simulated = ["I1 cache: 32768 B"];
    let (lacking, none) = (with(&simulated, true), with(&["I1 cache:"], false));
    assert_eq!(facts(&none, &lacking), [Fact::CountedPart]);
    assert_eq!(facts(&lacking, &none), [Fact::CountedPart]);
    assert_eq!(
        facts(&lacking, &with(&["I1 cache: 16384 B"], true)),
        [Fact::Caches]
    );
    // A record of an earlier version does not say it.
    assert_eq!(facts(&with(&simulated, false), &lacking), []);
}

/// `docs/what-is-judged.md` is the only page with the table.
#[test]
fn the_page_has_the_same_table() {
    // The package alone has no book.
    let Some(page) = of_repository(env!("CARGO_MANIFEST_DIR"), "docs/what-is-judged.md") else {
        return;
    };
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| what differs |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| !line.is_empty());
    let written: Vec<Vec<&str>> = rows
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let (fact, _) = cells[0].split_once(':').unwrap();
            std::iter::once(fact)
                .chain(cells[1..].iter().copied())
                .collect()
        })
        .collect();
    let expected: Vec<Vec<&str>> = TABLE
        .iter()
        .map(|row| {
            let verdicts = [row.instructions, row.caches, row.memory, row.hardware];
            let words = verdicts.iter().map(|verdict| verdict.words());
            std::iter::once(row.fact.name()).chain(words).collect()
        })
        .collect();
    assert_eq!(written, expected);
}

#[test]
fn each_fact_is_found_and_decides_what_is_judged() {
    for (fact, [instructions, caches, memory]) in EXPECTED {
        let found = discrepancies(&known(), &with_other(fact));
        let [discrepancy] = found.as_slice() else {
            // Another Valgrind is a part of this one.
            assert_eq!(fact, Fact::UnknownCalls, "{found:?}");
            let facts: Vec<Fact> = found.iter().map(|discrepancy| discrepancy.fact).collect();
            assert_eq!(facts, [Fact::Valgrind, fact]);
            assert_eq!(Verdict::of(&found, EventKind::Ir.into()), Verdict::Shown);
            continue;
        };
        assert_eq!(discrepancy.fact, fact);
        let metrics: [(MetricKind, bool); 11] = [
            (EventKind::Ir.into(), instructions),
            (EventKind::Bc.into(), instructions),
            (CachegrindMetric::Dw.into(), instructions),
            (BbvMetric::Reps.into(), instructions),
            (EventKind::EstimatedCycles.into(), caches),
            (EventKind::L1HitRate.into(), caches),
            (EventKind::Bcm.into(), caches),
            (CachegrindMetric::DLmr.into(), caches),
            (DhatMetric::TotalBytes.into(), memory),
            (MassifMetric::PeakHeap.into(), memory),
            (ErrorMetric::Errors.into(), memory),
        ];
        for (kind, judged) in metrics {
            let is_judged = Verdict::of(&found, kind) == Verdict::Judged;
            assert_eq!(is_judged, judged, "{fact:?}: {kind:?}");
        }
        for (tool, judged) in [
            (Tool::Callgrind, instructions && caches),
            (Tool::Bbv, instructions),
            (Tool::Dhat, memory),
            (Tool::Memcheck, memory),
        ] {
            assert_eq!(discrepancy.matters(tool), !judged, "{fact:?}: {tool}");
        }
    }
}

/// A base is often measured in a worktree.
#[test]
fn another_workspace_is_named_only_where_it_withholds_a_judgement() {
    for fact in TABLE.map(|row| row.fact) {
        let instructions = fact.is_named(&[Family::Instructions]);
        assert_eq!(instructions, fact != Fact::Workspace, "{fact:?}");
        let both = [Family::Instructions, Family::Caches];
        assert!(fact.is_named(&both), "{fact:?}");
    }
}

#[test]
fn what_is_equal_or_unknown_is_no_difference() {
    assert_eq!(discrepancies(&known(), &known()), []);
    let unknown = Circumstances::default();
    for (fact, _) in EXPECTED {
        let other = with_other(fact);
        assert_eq!(discrepancies(&unknown, &other), [], "{fact:?}");
        assert_eq!(discrepancies(&other, &unknown), [], "{fact:?}");
    }
}

#[test]
fn several_differences_have_the_order_of_the_table() {
    let other = Circumstances {
        valgrind: Some("3.24.0".to_owned()),
        libc: Some("glibc 2.41".to_owned()),
        ..known()
    };
    let facts = discrepancies(&known(), &other).into_iter();
    let facts: Vec<Fact> = facts.map(|discrepancy| discrepancy.fact).collect();
    assert_eq!(facts, [Fact::CLibrary, Fact::Valgrind]);
}

#[test]
fn perf_depends_on_the_processor_and_not_on_valgrind() {
    for (fact, matters) in [
        (Fact::Processor, true),
        (Fact::ProcessorClass, false),
        (Fact::Valgrind, false),
        (Fact::CLibrary, true),
        (Fact::Compiler, true),
    ] {
        let found = discrepancies(&known(), &with_other(fact));
        assert_eq!(found[0].matters(Tool::Perf), matters, "{fact:?}");
    }
}

#[test]
fn results_in_a_project_move_with_it() {
    let at = |root: &str, home: Option<&str>| Circumstances {
        workspace: Some(Workspace {
            root: root.to_owned(),
            home: home.map(str::to_owned),
        }),
        ..Circumstances::default()
    };
    let is_same = |old, new| discrepancies(&old, &new).is_empty();
    let home = Some("target/iai");
    assert!(is_same(at("/a", home), at("/b", home)));
    assert!(is_same(at("/a", None), at("/a", None)));
    // One target directory of both, in the first of them or outside of them.
    assert!(!is_same(at("/a", home), at("/b", None)));
    assert!(!is_same(at("/a", None), at("/b", None)));
}

#[test]
fn settings_that_one_side_does_not_know_are_equal() {
    let with = |settings: &[(&str, &str)]| Circumstances {
        build: settings
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        ..Circumstances::default()
    };
    let old = with(&[("lto", "false"), ("opt-level", "3"), ("panic", "unwind")]);
    let new = with(&[
        ("debug", "true"),
        ("lto", "fat"),
        ("opt-level", "1"),
        ("panic", "unwind"),
    ]);
    let found = discrepancies(&old, &new);
    assert_eq!(found[0].old, "lto = false, opt-level = 3");
    assert_eq!(found[0].new, "lto = fat, opt-level = 1");
    let flags = |flags| with(&[("rustflags", flags)]);
    let found = discrepancies(&flags(""), &flags("-Ctarget-cpu=native"));
    assert_eq!(found[0].old, "no rustflags");
    assert_eq!(discrepancies(&with(&[("debug", "true")]), &old), []);
}

/// Debug symbols change no instruction: `benchmark-tests/tests/it/as_a_user.rs` counts it.
#[test]
fn debug_symbols_are_no_difference() {
    let with = |debug: &str, strip: &str, opt: &str| Circumstances {
        build: [("debug", debug), ("opt-level", opt), ("strip", strip)]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        ..Circumstances::default()
    };
    let [bare, full] = [with("false", "symbols", "3"), with("true", "none", "3")];
    assert_eq!(discrepancies(&bare, &full), []);
    assert_eq!(discrepancies(&full, &bare), []);
    let found = discrepancies(&full, &with("false", "symbols", "2"));
    assert_eq!(
        (found[0].old.as_str(), found[0].new.as_str()),
        ("opt-level = 3", "opt-level = 2")
    );
}

#[test]
fn caches_that_were_not_simulated_are_no_others() {
    let with = |caches: &[&str]| Circumstances {
        caches: caches.iter().map(|cache| (*cache).to_owned()).collect(),
        ..Circumstances::default()
    };
    let simulated = with(&["I1 cache: 32768 B", "D1 cache: 32768 B"]);
    assert_eq!(discrepancies(&with(&["I1 cache:"]), &simulated), []);
    assert_eq!(discrepancies(&with(&[]), &simulated), []);
}

#[test]
fn classes_of_processors() {
    #[track_caller]
    fn check(target: &str, features: &[&str], expected: Option<&str>) {
        let features: Vec<String> = features.iter().map(|name| (*name).to_owned()).collect();
        let class = processor_class(Some(target), &features);
        assert_eq!(class.as_deref(), expected);
    }
    let x86 = "x86_64-unknown-linux-gnu";
    check(x86, &["sse4_2", "avx", "avx2", "bmi2"], Some("with AVX2"));
    // Neither of these reaches a program.
    check(x86, &["sse4_2", "avx", "avx2"], Some("with AVX2"));
    check(x86, &["sse4_2", "avx"], Some("with AVX"));
    check("i686-unknown-linux-gnu", &["sse4_2"], Some("with SSE4.2"));
    check(x86, &["cx16", "pni"], Some("without SSE4.2"));
    check(x86, &[], None);
    check(
        "aarch64-unknown-linux-gnu",
        &["asimd", "crc32"],
        Some("with asimd, crc32"),
    );
}

#[test]
fn texts_say_what_differs_and_what_it_means() {
    #[track_caller]
    fn check(fact: Fact, expected: &str) {
        let found = discrepancies(&known(), &with_other(fact));
        assert_eq!(found[0].text("the last run", Tool::Callgrind), expected);
    }
    check(
        Fact::CLibrary,
        "the last run was made with glibc 2.36, this one with glibc 2.41; the functions of the C library \
         may count differently: instructions are judged on own code, cache events and cycles are not judged",
    );
    check(
        Fact::Build,
        "the last run was built with `opt-level = 3`, this one with `opt-level = 1`; the same source may \
         have become other code: nothing is judged",
    );
    check(
        Fact::Compiler,
        "the last run was compiled by rustc 1.85.0, this one by rustc 1.86.0; the same source may have \
         become other code: nothing is judged",
    );
    check(
        Fact::DeterministicRandom,
        "the last run was made with `deterministic_random`, this one without; what depends on random \
         numbers may count differently: nothing is judged",
    );
    check(
        Fact::ProcessorClass,
        "the last run was made on a processor with AVX2, this one on one with AVX; functions may be \
         chosen by what the processor has: instructions, cache events and cycles are not judged",
    );
    check(
        Fact::Valgrind,
        "the last run was made by Valgrind 3.19.0, this one by 3.24.0; the simulation may give other hits \
         and misses: cache events and cycles are not judged",
    );
    check(
        Fact::FastSetup,
        "the last run was made without `fast_setup`, this one with; caches are empty or not when the \
         benchmark begins: cache events and cycles are not judged",
    );
    check(
        Fact::CountedPart,
        "the last run counted the benchmark function, this one regions of the benchmark; other code counts: \
         nothing is judged",
    );
    check(
        Fact::Mode,
        "the last run was made in a fork, this one in a process of its own; cache misses and \
         mispredicted branches may differ a little: cache events and cycles are not judged",
    );
    check(
        Fact::Arguments,
        "the last run was made with other arguments for callgrind: `--simulate-wb=no` instead of \
         `--simulate-wb=yes`; the tool may count differently: nothing is judged",
    );
    check(
        Fact::Workspace,
        "the last run is one of the workspace `/a`, this one of `/b`; other sources, or the same with \
         their code in other places: cache events and cycles are not judged\n  hint: `--home=<directory>` keeps the results of each workspace apart",
    );
    check(
        Fact::Target,
        "the last run was built for `x86_64-unknown-linux-gnu`, this one for \
         `aarch64-unknown-linux-gnu`; the same source may have become other code: nothing is judged\n  hint: `--separate-targets` keeps the results of each target apart",
    );
}

/// Where no caches are simulated, there are no figures of them to compare.
#[test]
fn arguments_about_simulations_are_said_by_the_caches_themselves() {
    let with = |words: &[&str]| Circumstances {
        arguments: Some(words.iter().map(|word| (*word).to_owned()).collect()),
        ..known()
    };
    let simulating = with(&["--cache-sim=yes", "--branch-sim=yes", "--LL=1048576,16,64"]);
    assert_eq!(discrepancies(&simulating, &with(&["--cache-sim=no"])), []);
    let other = with(&["--cache-sim=no", "--collect-systime=yes"]);
    assert_eq!(discrepancies(&simulating, &other).len(), 1);
}

/// Results of before costs were written by instruction compare with those of now.
#[test]
fn arguments_about_the_file_matter_to_no_count() {
    let with = |words: &[&str]| Circumstances {
        arguments: Some(words.iter().map(|word| (*word).to_owned()).collect()),
        ..known()
    };
    let lines = with(&[
        "--dump-instr=no",
        "--compress-strings=no",
        "--compress-pos=no",
    ]);
    let instructions = with(&["--dump-instr=yes", "--compress-strings=yes"]);
    assert_eq!(discrepancies(&lines, &instructions), []);
}

#[test]
fn empty_caches_matter_where_something_is_simulated() {
    let mut fast = with_other(Fact::FastSetup);
    assert_eq!(discrepancies(&known(), &fast).len(), 1);
    fast.caches = Vec::new();
    assert_eq!(discrepancies(&known(), &fast), []);
}
