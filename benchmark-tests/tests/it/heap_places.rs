//! Limits of DHAT and Massif are reported: allocations that they miss, or show at a different
//! place.

use benchmark_tests::bench::Copied;
use benchmark_tests::binary::{command, Binary};
use benchmark_tests::{valgrinds, Bench, Home};

fn places(home: &Home, arguments: &[&str]) -> benchmark_tests::Ended {
    let bench = Bench::new("heap_places").measure(home);
    bench.arg("--default-tool=dhat").args(arguments).run()
}

#[track_caller]
fn check(home: &Home, benchmark: &str, bytes: u64, blocks: u64) {
    let values = home.values_of(benchmark, "dhat");
    let found = (values["TotalBytes"], values["TotalBlocks"]);
    assert_eq!(found, (Some(bytes), Some(blocks)), "{benchmark}");
}

#[test]
fn an_allocator_that_asks_nobody_is_no_zero() {
    let home = Home::new();
    for tool in ["dhat", "massif"] {
        let bench = Bench::new("own_allocator").measure(&home);
        let ended = bench.arg(format!("--default-tool={tool}")).run().code(1);
        ended.says(&[
            "cannot see what it allocates: its global allocator does not take each block from `malloc`",
            "hint: leave the allocator out where the heap is measured",
        ]);
    }
    let bench = Bench::new("own_allocator").measure(&home);
    bench.run().code(0).quiet();
    // Callgrind counts calls, and this allocator is inlined, but not into the standard library.
    for (function, allocations) in [
        ("allocates", None),
        ("allocates_zeroed", None),
        ("makes_strings", Some(20)),
    ] {
        let path = format!("own_allocator::group::{function}");
        let values = home.values_of(&path, "callgrind");
        assert!(values["Ir"].is_some(), "{values:?}");
        let found = values.get("Allocations").copied().flatten();
        assert_eq!(found, allocations, "{function}");
        // Its `dealloc` leaves no instruction.
        assert!(!values.contains_key("Frees"), "{values:?}");
    }
    let bench = Bench::new("own_allocator").measure(&home);
    let asked = ["makes_strings", "--callgrind-metrics=allocations,frees"];
    bench
        .args(asked)
        .run()
        .code(0)
        .says(&["not collected: Frees"]);
    let pages = ["--default-tool=massif", "--massif-args=--pages-as-heap=yes"];
    let bench = Bench::new("own_allocator").measure(&home).args(pages);
    bench.run().code(0).quiet();
}

#[test]
fn blocks_of_a_setup_that_grow_in_the_benchmark_are_said() {
    valgrinds::with_each(|valgrind| {
        for mode in ["--fork=yes", "--fork=no"] {
            let home = Home::new();
            let valgrind = format!("--valgrind-bin={}", valgrind.display());
            let ended = places(&home, &["grows", mode, &valgrind]).code(0);
            ended.says(&[
                "`heap_places::group::grows::from_100`: blocks that were made before the benchmark \
                 function grew in it, 2 times to 3000 bytes in all, which is not in the figures",
            ]);
            check(&home, "heap_places::group::grows::from_100", 0, 0);
        }
    });
}

#[test]
fn blocks_of_the_benchmark_that_grow_in_its_teardown_are_said() {
    for mode in ["--fork=yes", "--fork=no"] {
        let home = Home::new();
        let ended = places(&home, &["grows_later", mode]).code(0);
        ended.says(&[
            "`heap_places::group::grows_later::of_100`: blocks of the benchmark function grew after its \
             end, once to 5000 bytes, which is in the figures",
        ]);
        check(&home, "heap_places::group::grows_later::of_100", 5100, 2);
    }
}

#[test]
fn blocks_that_grow_elsewhere_are_not() {
    let home = Home::new();
    places(&home, &["only_passes"]).code(0).quiet();
    check(&home, "heap_places::group::only_passes::from_100", 0, 0);
}

#[test]
fn regions_count_in_the_benchmark_function_and_its_thread() {
    let home = Home::new();
    let ended = places(&home, &["regions"]).code(0);
    ended.says(&["which are not counted; regions count in the thread that runs the benchmark"]);
    check(&home, "heap_places::group::regions::of_4000", 100, 1);
}

#[test]
fn a_program_that_becomes_another_one_is_named() {
    let binary = Binary::new()
        .case(
            "becomes",
            command("/bin/sh", &["-c", "exec /bin/cat /dev/null"]),
        )
        .case("stays", command("/bin/sh", &["-c", ": 'two words'"]));
    let lost =
        "the program became `/bin/cat /dev/null` by `exec`, and what it counted before is lost";
    let ended = binary.run(&[]).code(0);
    assert_eq!(
        ended.stderr.matches("by `exec`").count(),
        1,
        "{}",
        ended.stderr
    );
    ended.says(&[
        lost,
        "`--callgrind-args=--dump-before=execve` counts it as well",
    ]);
    let alone = binary.home.count("binary::group::becomes", "Ir");
    let ended = binary.run(&["becomes", "--callgrind-args=--dump-before=execve"]);
    ended.code(0);
    let both = binary.home.count("binary::group::becomes", "Ir");
    assert!(
        both > alone + 50_000,
        "the loader and the shell: {both} {alone}"
    );
}

#[test]
fn an_unknown_allocator_of_a_program_is_said() {
    let program = Copied::new("own_allocator");
    let program = program.path().to_str().unwrap();
    for tool in ["dhat", "massif"] {
        let binary = Binary::new()
            .case("own", command(program, &["--list"]))
            .case("usual", command("/bin/true", &[]));
        let ended = binary.run(&[&format!("--default-tool={tool}")]).code(0);
        let said = "has a global allocator of its own";
        assert_eq!(ended.stderr.matches(said).count(), 1, "{}", ended.stderr);
        ended.says(&["`own_allocator` has a global allocator of its own; "]);
    }
}

/// Memory of the setup does not count, as under Callgrind; `frames` counts it.
#[test]
fn what_a_setup_made_counts_where_it_is_named() {
    let home = Home::new();
    places(&home, &["fills"]).code(0).quiet();
    for (id, bytes, blocks) in [("alone", 0, 0), ("with_its_setup", 100, 1)] {
        let benchmark = format!("heap_places::group::fills::{id}");
        check(&home, &benchmark, bytes, blocks);
        let values = home.values_of(&benchmark, "dhat");
        assert_eq!(values["WritesBytes"], Some(bytes), "{id}");
    }
}
