//! `--verify`: Callgrind's figures against single steps of the processor.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::collections::BTreeMap;
use std::process::Command;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::verified::{verify, Verdict};
use benchmark_tests::{build, sample, Bench, Ended};
use nix::sys::signal::Signal;

/// Every benchmark that the words select is equal, and there are so many.
#[track_caller]
fn all_equal(target: &str, words: &[&str], number: usize) -> BTreeMap<String, Verdict> {
    let (ended, verdicts) = verify(Bench::new(target), words);
    let ended = ended.code(0).quiet();
    assert_eq!(verdicts.len(), number, "{ended}");
    for (name, verdict) in &verdicts {
        assert!(verdict.is_equal(), "{name}\n{ended}");
    }
    ended.shows(&[&format!("\n{number} of {number} equal\n")]);
    verdicts
}

/// Checks the verdict on the only benchmark of the file `steps` with this name.
#[track_caller]
fn other(name: &str, texts: &[&str]) {
    let (ended, verdicts) = verify(Bench::new("steps"), &[name]);
    let ended = ended.code(1).shows(&["\n0 of 1 equal\n"]);
    let [verdict] = Vec::from_iter(verdicts.values())[..] else {
        panic!("{ended}")
    };
    for text in texts {
        assert!(verdict.text.contains(text), "{text:?}\n{ended}");
    }
}

#[test]
fn figures_that_can_be_added_up_by_hand_are_those_of_the_processor() {
    let verdicts = all_equal("counts", &["--skip=fibonacci"], 10);
    let stepped = |benchmark: &str| {
        verdicts[&format!("counts::exact::{benchmark}")]
            .stepped
            .unwrap()
    };
    assert_eq!(stepped("nops_1000") - stepped("nops_0"), 1000);
    assert_eq!(
        stepped("rounds::long") - stepped("rounds::short"),
        2 * (12345 - 10)
    );
}

#[test]
fn regions_are_counted_by_themselves() {
    all_equal(
        "regions",
        &["::one::", "::around::", "::several::", "::values::"],
        8,
    );
}

/// Without choices for a processor, addresses that matter, or what Valgrind does itself. Kernels
/// that copy are not among them: the C library has several `memcpy`, and takes one for the
/// processor that Valgrind shows and another one on some that are newer.
#[test]
fn kernels_without_choices_for_a_processor_are_equal() {
    let kernels = [
        "kernels::compute::recursion",
        "kernels::compute::nested_recursion",
        "kernels::compute::binary_search",
        "kernels::compute::simd",
        "kernels::compute::branches",
        "kernels::compute::dynamic_dispatch",
        "kernels::memory::linked_list",
        "kernels::memory::reference_counts",
        "kernels::state::once_lock",
    ];
    let kernels = sample::some(kernels);
    let words = [&["--exact"][..], &kernels].concat();
    all_equal("kernels", &words, kernels.len());
}

#[test]
fn what_valgrind_counts_otherwise_is_taken_into_account() {
    let verdicts = all_equal("steps", &["::repeat::", "::search::", "::requests::"], 8);
    let [none, one, many] =
        ["none", "one", "many"].map(|id| &verdicts[&format!("steps::group::repeat::{id}")]);
    assert_eq!(many.stepped.unwrap() - one.stepped.unwrap(), 99);
    assert_eq!(one.stepped.unwrap() - none.stepped.unwrap(), 1);
    assert!(one.text.contains("(with +1 for `rep`)"), "{}", one.text);
    assert!(!none.text.contains("`rep`"), "{}", none.text);
    let requests = &verdicts["steps::group::requests::ten"].text;
    assert!(
        requests.contains("(with -40 for client requests)"),
        "{requests}"
    );
}

#[test]
fn a_figure_that_is_not_true_is_said_with_the_function() {
    // 1000 rounds without Valgrind, 10 under it.
    let (ended, verdicts) = verify(Bench::new("steps"), &["lost"]);
    let verdict = &verdicts["steps::group::lost"];
    let difference = verdict.stepped.unwrap() - verdict.callgrind.unwrap();
    assert_eq!(difference, 2 * 990, "{ended}");
    other(
        "lost",
        &[
            "not equal\n",
            "the first to part: `steps::inner` (steps-",
            "__iai_callgrind_wrapper_mod",
        ],
    );
}

#[test]
fn what_the_kernel_answers_without_a_call_is_named() {
    let (ended, verdicts) = verify(Bench::new("kernels"), &["system::clock"]);
    let ended = ended.code(1).quiet();
    let verdict = &verdicts["kernels::system::clock"];
    assert!(!verdict.is_equal(), "{ended}");
    assert!(
        verdict.text.contains("the first to part: `clock_gettime"),
        "{ended}"
    );
    assert!(verdict.text.contains("([vdso])"), "{ended}");
}

#[test]
fn what_ends_otherwise_without_valgrind_is_said() {
    other(
        "exits_natively",
        &["not verified: without Valgrind the benchmark ended with exit code 3 before it returned"],
    );
    other(
        "panics_natively",
        &["not verified: without Valgrind the benchmark panicked before it returned"],
    );
}

#[test]
fn signal_handlers_are_said() {
    let texts = [
        "signal handlers ran once",
        "`steps::handler`",
        "Callgrind 0, single steps",
    ];
    other("signal", &texts);
}

#[test]
fn other_threads_cannot_be_verified() {
    other(
        "with_threads",
        &["not verified: `count_threads(true)` counts other threads as well"],
    );
}

#[test]
fn what_is_too_large_is_said() {
    let (ended, verdicts) = verify(Bench::new("counts"), &["--verify=1000", "rounds"]);
    let ended = ended.code(1).shows(&["\n1 of 2 equal\n"]);
    assert!(
        verdicts["counts::exact::rounds::short"].is_equal(),
        "{ended}"
    );
    let long = &verdicts["counts::exact::rounds::long"].text;
    let expected = "not verified: it is too large to be executed in single steps: more than 1000 \
                    instructions\n  hint: `--verify=<number>` allows more";
    assert!(long.contains(&expected.replace("\n  ", "\n")), "{ended}");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let check = |options: &[&str], reason: &str| {
        let (ended, _) = verify(Bench::new("counts"), &[&["nops_0"], options].concat());
        ended
            .code(2)
            .says(&[&format!("error: --verify: excludes {reason}")]);
    };
    check(
        &["--output-format=json"],
        "`--output-format`: it prints text for people only",
    );
    check(
        &["--tool-runner=docker"],
        "`--tool-runner`: the processor has to run the benchmark where Valgrind does",
    );
    check(
        &["--load-baseline=a", "--baseline=b"],
        "`--load-baseline`: it has to run the benchmarks",
    );
}

/// Single steps may have taken minutes by then.
#[test]
fn what_was_verified_before_a_signal_is_shown() {
    let copied = Copied::new("endings");
    let started = copied.beside("started");
    let bench = copied.bench().args(["--bench", "--verify"]);
    let run = bench
        .env("ENDING", "spins")
        .env("STARTED", &started)
        .start();
    wait_until("the second benchmark runs", || started.exists());
    run.signal(Signal::SIGINT);
    let ended = run.wait().signalled(Signal::SIGINT);
    ended
        .shows(&["endings::group::before\n", "  equal\n\n1 of 1 equal\n"])
        .says(&["error: stopped by signal 2 (SIGINT)\n"]);
}

#[test]
fn the_runner_takes_an_executable() {
    let mut command = Command::new(build::runner());
    let executable = build::bench("counts");
    command.current_dir(executable.parent().unwrap());
    command.args(["verify", "--max-instructions=500", "--exe"]);
    command.arg(executable.file_name().unwrap());
    let output = command
        .args(["nops", "--skip", "nops_1000"])
        .output()
        .unwrap();
    let ended = Ended {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status,
    };
    ended
        .code(0)
        .quiet()
        .shows(&["counts::exact::nops_1\n", "\n2 of 2 equal\n"]);
}
