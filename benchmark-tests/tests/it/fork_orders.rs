//! Counts do not depend on what the server ran before, nor on which server it was.
//!
//! The truth for each kernel is a server of its own that runs nothing else. Everything that
//! Callgrind writes is compared: all events with simulated caches and branches, for each line of
//! each function. `SUITE_SEED` takes other kernels and another shuffled order, `SUITE_FULL=1` takes
//! all kernels, `VALGRINDS` names further Valgrinds:
//!
//! ```text
//! VALGRINDS=/opt/3.24/valgrind:/opt/3.27/valgrind cargo test -p benchmark-tests --test it fork_orders::
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use benchmark_tests::server::{self, Case, Options, Ran};
use benchmark_tests::{build, sample, valgrinds};

/// Expected results of each kernel.
type Truth = BTreeMap<String, Ran>;

fn executable() -> PathBuf {
    build::bench("kernels")
}

/// Kernels whose counts are the same in every run.
fn all_kernels() -> Vec<Case> {
    let mut all = server::cases(&executable());
    all.retain(|case| case.group != "noise");
    assert!(all.len() > 50, "{}", all.len());
    all
}

/// The subset of them that this run takes.
fn kernels() -> Vec<Case> {
    sample::some(all_kernels())
}

/// Each kernel alone in a server of its own; found out once for each Valgrind.
fn truth(valgrind: &Path) -> Arc<Truth> {
    static KNOWN: Mutex<BTreeMap<PathBuf, Arc<Truth>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let find_out = || Arc::new(alone(valgrind, &kernels()));
    Arc::clone(known.entry(valgrind.to_owned()).or_insert_with(find_out))
}

fn alone(valgrind: &Path, kernels: &[Case]) -> Truth {
    let executable = executable();
    let alone = |case: &Case| Options::new(valgrind, &executable).start().run(case);
    // Two at a time; side by side or not makes no difference either.
    let (first, second) = kernels.split_at(kernels.len() / 2);
    let run = |half: &[Case]| -> Truth {
        let named = half.iter().map(|case| (case.name.clone(), alone(case)));
        named
            .inspect(|(name, ran)| assert_counted(name, ran))
            .collect()
    };
    thread::scope(|scope| {
        let first = scope.spawn(|| run(first));
        let mut truth = run(second);
        truth.extend(first.join().unwrap());
        truth
    })
}

/// It ran to its end, and all events were counted.
#[track_caller]
fn assert_counted(name: &str, ran: &Ran) {
    assert_eq!(ran.status.code(), Some(86), "{name}: {ran:?}");
    let events = ran.events();
    let names: Vec<&str> = events.keys().map(String::as_str).collect();
    let all = [
        "Bc", "Bcm", "Bi", "Bim", "D1mr", "D1mw", "DLmr", "DLmw", "Dr", "Dw", "I1mr", "ILmr", "Ir",
    ];
    assert_eq!(names, all, "{name}");
    assert!(events["Ir"] > 0, "{name}: {events:?}");
}

/// One server runs these kernels in this order. Returns the names of those that differ.
fn differing(options: &Options<'_>, order: &[&Case], truth: &Truth) -> Vec<String> {
    let mut server = options.start();
    let run = |case: &&Case| {
        let ran = server.run(case);
        let expected = &truth[&case.name];
        (ran != *expected).then(|| explain(case, &ran, expected))
    };
    order.iter().filter_map(run).collect()
}

/// The first line that differs, and the events.
fn explain(case: &Case, ran: &Ran, expected: &Ran) -> String {
    let name = &case.name;
    if ran.files.keys().ne(expected.files.keys()) || ran.status != expected.status {
        return format!("{name}: {ran:?}\ninstead of {expected:?}");
    }
    let lines = ran.result().lines().zip(expected.result().lines());
    let first = lines.enumerate().find(|(_, (one, other))| one != other);
    format!(
        "{name}: line {first:?}\n  {:?}\n  instead of {:?}",
        ran.events(),
        expected.events()
    )
}

#[track_caller]
fn assert_same(what: &str, differing: &[String]) {
    assert!(differing.is_empty(), "{what}:\n{}", differing.join("\n"));
}

#[test]
fn neither_order_nor_server_changes_anything() {
    let (executable, kernels) = (executable(), kernels());
    let seed = sample::seed();
    valgrinds::with_each(|valgrind| {
        let truth = truth(valgrind);
        let options = Options::new(valgrind, &executable);
        let file_order: Vec<&Case> = kernels.iter().collect();
        let reverse: Vec<&Case> = kernels.iter().rev().collect();
        let shuffled = sample::shuffled(&file_order, seed);
        // A benchmark may also stand behind itself.
        let twice: Vec<&Case> = kernels.iter().flat_map(|case| [case, case]).collect();
        let check = |what: &str, order: &[&Case]| {
            assert_same(what, &differing(&options, order, &truth));
        };
        // Two servers at a time.
        thread::scope(|scope| {
            scope.spawn(|| check("file order", &file_order));
            scope.spawn(|| check("reverse order", &reverse));
        });
        thread::scope(|scope| {
            scope.spawn(|| check(&format!("SUITE_SEED={seed}"), &shuffled));
            scope.spawn(|| check("each twice", &twice));
        });
    });
}

#[test]
fn three_hundred_forks_change_neither_counts_nor_the_memory_of_the_server() {
    let (executable, kernels) = (executable(), all_kernels());
    let three = [
        "hash_map",
        "branch_on_the_stack_address",
        "closed_descriptors",
    ];
    let three = three.map(|name| {
        let mut cases = kernels.iter().filter(|case| case.name == name);
        cases.next().unwrap().clone()
    });
    valgrinds::with_each(|valgrind| {
        let truth = alone(valgrind, &three);
        let mut server = Options::new(valgrind, &executable).start();
        let before = server.memory();
        for round in 0..100 {
            for case in &three {
                let ran = server.run(case);
                let expected = &truth[&case.name];
                assert!(
                    ran == *expected,
                    "{round}: {}",
                    explain(case, &ran, expected)
                );
            }
        }
        assert_eq!(server.memory(), before);
    });
}

/// Without an entry point Callgrind goes on counting from the start of the server, so that totals
/// show what the loop did in each round.
#[test]
fn every_round_of_the_loop_is_the_same() {
    let (executable, kernels) = (executable(), all_kernels());
    valgrinds::with_each(|valgrind| {
        let options = Options {
            at_entry: false,
            warm_ups: 0,
            ..Options::new(valgrind, &executable)
        };
        let mut server = options.start();
        let rounds: Vec<BTreeMap<String, u64>> =
            (0..12).map(|_| server.run(&kernels[0]).events()).collect();
        let difference = |pair: &[BTreeMap<String, u64>]| {
            let kinds = pair[0].keys().map(String::as_str);
            kinds
                .map(|kind| (kind.to_owned(), pair[1][kind] as i64 - pair[0][kind] as i64))
                .collect::<BTreeMap<_, _>>()
        };
        let differences: Vec<_> = rounds.windows(2).map(difference).collect();
        // Executed instructions are the same from the first round on, simulated events from the
        // fifth.
        for (round, difference) in differences.iter().enumerate() {
            for kind in ["Ir", "Dr", "Dw", "Bc", "Bi"] {
                assert_eq!(difference[kind], differences[0][kind], "{round}: {kind}");
            }
        }
        assert!(differences[0]["Ir"] > 0);
        for (round, difference) in differences.iter().enumerate().skip(4) {
            assert_eq!(difference, &differences[4], "{round}");
        }
    });
}

mod in_full_runs {
    use super::*;

    /// So many kernels are run as the first one.
    const COLD: usize = 18;

    /// Else this file would prove nothing.
    #[test]
    fn without_warm_ups_it_would_fail() {
        let (executable, kernels) = (executable(), kernels());
        valgrinds::with_each(|valgrind| {
            let cold = Options {
                warm_ups: 0,
                ..Options::new(valgrind, &executable)
            };
            let truth = truth(valgrind);
            let first = sample::shuffled(&kernels, sample::seed());
            let first = first.iter().take(COLD).filter(|case| {
                let expected = &truth[&case.name];
                let ran = cold.start().run(case);
                // Instructions and accesses are the same, only what is simulated is not.
                for event in ["Ir", "Dr", "Dw", "Bc", "Bi"] {
                    assert_eq!(
                        ran.events()[event],
                        expected.events()[event],
                        "{}",
                        case.name
                    );
                }
                ran != *expected
            });
            let first = first.count();
            println!("without warm-ups {first} kernels are different as the first one");
            assert!(first > 0);
        });
    }

    #[test]
    fn the_first_counts_as_much_as_the_one_after_fifty() {
        let (executable, kernels) = (executable(), kernels());
        valgrinds::with_each(|valgrind| {
            let truth = truth(valgrind);
            let options = Options::new(valgrind, &executable);
            let fifty = kernels.iter().cycle().skip(7).take(50);
            let order: Vec<&Case> = fifty.chain(&kernels).collect();
            assert_same("after fifty others", &differing(&options, &order, &truth));
        });
    }
}
