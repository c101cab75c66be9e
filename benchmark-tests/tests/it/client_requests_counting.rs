//! Requests to Callgrind, Cachegrind and DHAT: what they count. A round of a kernel is two
//! instructions.

use std::path::Path;

use benchmark_tests::requests::{Made, Requests};
use benchmark_tests::valgrinds::{number, with_each};

/// Instructions beside those of the kernels: of requests, calls and closures.
const FEW: u64 = 30;

fn callgrind(valgrind: &Path, scenario: &str, arguments: &[&str]) -> Made {
    let requests = Requests::under(valgrind, "callgrind");
    let requests = arguments.iter().fold(requests, Requests::arg);
    requests.make(&format!("callgrind::{scenario}"))
}

/// The result without parts.
fn total(made: &Made) -> u64 {
    made.instructions()[""]
}

#[track_caller]
fn assert_rounds(count: u64, rounds: u64) {
    assert!(
        (2 * rounds..2 * rounds + FEW).contains(&count),
        "{count} instructions in {rounds} rounds"
    );
}

#[test]
fn what_is_between_toggles_is_collected() {
    with_each(|valgrind| {
        let made = callgrind(valgrind, "toggle", &["--collect-atstart=no"]);
        assert_rounds(total(&made), 1000);
        let made = callgrind(valgrind, "toggle_empty", &["--collect-atstart=no"]);
        assert!(total(&made) <= 3, "{}", total(&made));
    });
}

#[test]
fn dumps_are_parts_with_their_reason() {
    with_each(|valgrind| {
        let made = callgrind(valgrind, "dump", &["--collect-atstart=no"]);
        let counts = made.instructions();
        assert_eq!(counts.len(), 3, "{counts:?}");
        assert_rounds(counts[".1"], 1000);
        assert_rounds(counts[".2"], 2000);
        assert_rounds(counts[""], 4000);
        let files = made.files();
        assert!(files[".1"].contains("\ndesc: Trigger: Client Request\n"));
        assert!(files[".2"].contains("\ndesc: Trigger: Client Request: after two thousand\n"));
    });
}

#[test]
fn counts_can_be_zeroed() {
    with_each(|valgrind| {
        let made = callgrind(valgrind, "zero", &["--collect-atstart=no"]);
        assert_rounds(total(&made), 2000);
        let made = callgrind(valgrind, "zero_dump", &["--collect-atstart=yes"]);
        let counts = made.instructions();
        assert_rounds(counts[".1"], 2000);
        assert_rounds(counts[".2"], 4000);
    });
}

#[test]
fn what_is_between_start_and_stop_is_observed() {
    with_each(|valgrind| {
        let made = callgrind(valgrind, "instrumentation", &["--instr-atstart=no"]);
        assert_rounds(total(&made), 1000);
        // Why results are taken from `totals:`.
        assert!(made.files()[""].contains("\nsummary: 0\n"));
        let both_off = ["--instr-atstart=no", "--collect-atstart=no"];
        let made = callgrind(valgrind, "instrumentation_and_toggle", &both_off);
        assert_rounds(total(&made), 1000);
        let made = callgrind(valgrind, "instrumentation", &both_off);
        assert_eq!(total(&made), 0);
    });
}

#[test]
fn closures_are_pairs_of_requests() {
    with_each(|valgrind| {
        let both_off = ["--instr-atstart=no", "--collect-atstart=no"];
        let made = callgrind(valgrind, "closures", &both_off);
        assert_rounds(total(&made), 1000);
        // The unwinding of a panic is counted, the 100,000 rounds after it are not.
        let made = callgrind(valgrind, "closures_panic", &["--collect-atstart=no"]);
        assert!((1..100_000).contains(&total(&made)), "{}", total(&made));
    });
}

#[test]
fn each_thread_has_a_switch_of_its_own() {
    with_each(|valgrind| {
        let arguments = ["--collect-atstart=no", "--separate-threads=yes"];
        let counts = callgrind(valgrind, "threads", &arguments).instructions();
        assert_eq!(counts["-01"], 0, "{counts:?}");
        let mut threads = [counts["-02"], counts["-03"]];
        threads.sort_unstable();
        assert_rounds(threads[0], 1000);
        assert_rounds(threads[1], 2000);
    });
}

#[test]
fn cachegrind_observes_what_is_between_start_and_stop() {
    with_each(|valgrind| {
        let knows_it = number(valgrind) >= (3, 22);
        let instructions = |scenario: &str| {
            let requests = Requests::under(valgrind, "cachegrind");
            let requests = match knows_it {
                true => requests.arg("--instr-at-start=no"),
                false => requests,
            };
            let made = requests.make(&format!("cachegrind::{scenario}"));
            let file = &made.files()[""];
            let mut lines = file
                .lines()
                .filter_map(|line| line.strip_prefix("summary: "));
            let counts = lines.next().expect("there is a result");
            counts.split(' ').next().unwrap().parse::<u64>().unwrap()
        };
        let [one, closure] = ["instrumentation", "closure"].map(instructions);
        if knows_it {
            assert_rounds(one, 1000);
            assert_rounds(closure, 1000);
            assert!(instructions("instrumentation_empty") <= 3);
        } else {
            // Everything, with the start of the process.
            assert!(one > 14_000 && closure > 14_000, "{one} {closure}");
        }
    });
}

#[test]
fn dhat_adds_up_what_events_weigh() {
    with_each(|valgrind| {
        let requests = Requests::under(valgrind, "dhat").arg("--mode=ad-hoc");
        let made = requests.make("dhat::events");
        made.logs(&[("Total:     10 units in 2 events", 1)]);
    });
}

#[test]
fn dhat_watches_large_blocks_if_asked_to() {
    with_each(|valgrind| {
        let watched = |scenario: &str| {
            let made = Requests::under(valgrind, "dhat").make(&format!("dhat::{scenario}"));
            // 17 bytes without, one with 100 accesses.
            made.files()[""].contains("\"acc\":[-17,0,100,")
        };
        assert!(!watched("no_histogram"));
        assert_eq!(watched("histogram"), number(valgrind) >= (3, 21));
    });
}
