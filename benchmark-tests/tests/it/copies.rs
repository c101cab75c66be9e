//! Large copies and fills, which Valgrind would count by the byte.

#![cfg(all(target_arch = "x86_64", target_env = "gnu"))]

use benchmark_tests::{Bench, Home};

fn measured(words: &[&str]) -> Home {
    let home = Home::new();
    let bench = Bench::new("copies").measure(&home).args(words);
    bench.run().code(0).quiet();
    home
}

#[track_caller]
fn count(home: &Home, case: &str) -> u64 {
    home.count(&format!("copies::sizes::{case}"), "Ir")
}

#[test]
fn one_byte_more_is_no_more_than_a_step_more() {
    let home = measured(&[]);
    for (below, above) in [
        ("fill::at_2048", "fill::at_2049"),
        ("copy::at_8192", "copy::at_8193"),
    ] {
        let (below, above) = (count(&home, below), count(&home, above));
        assert!(above.abs_diff(below) < 50, "{below} {above}");
    }
    // No register of a processor that Valgrind knows has less than 16 or more than 32 bytes; a
    // step is an access and its share of the loop.
    for case in ["fill::at_64k", "copy::at_64k"] {
        let count = count(&home, case);
        assert!(
            (65_536 / 32..65_536 / 4).contains(&count),
            "{case}: {count}"
        );
    }
}

#[test]
fn variables_of_the_user_win() {
    let shown = |words: &[&str]| {
        let bench = Bench::new("copies").measure(&Home::new());
        let bench = bench.args(["sees", "--nocapture"]).args(words);
        bench.run().code(0).stdout
    };
    assert!(shown(&[]).contains("x86_rep_movsb_threshold="));
    let own = "--envs=GLIBC_TUNABLES=glibc.malloc.arena_max=1";
    let expected = "tunables: Some(\"glibc.malloc.arena_max=1\")\n";
    assert!(shown(&[own]).contains(expected));
}

#[test]
fn what_was_made_otherwise_is_said_once() {
    let home = measured(&["--envs=GLIBC_TUNABLES="]);
    let bytes = count(&home, "fill::at_64k");
    let bench = Bench::new("copies").measure(&home);
    let ended = bench.args(["--tolerance=100", "fill"]).run().code(0);
    let said = "the last run was made without `GLIBC_TUNABLES`, this one with `GLIBC_TUNABLES=";
    assert_eq!(ended.stderr.matches(said).count(), 1, "{}", ended.stderr);
    assert!(count(&home, "fill::at_64k") < bytes);
    let environment = &home.profile("copies::sizes::fill::at_64k", "callgrind")["environment"];
    assert!(environment["glibc_tunables"].is_string());
}
