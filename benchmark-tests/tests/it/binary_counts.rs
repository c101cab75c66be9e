//! Counted parts of a command: all of it, its `main` only, its threads and processes.

use benchmark_tests::binary::{command, program, program_path, Binary};
use benchmark_tests::{build, executables};
use iai_callgrind::protocol::{Callgrind, Config, Dhat, EntryPoint, Tools};

fn callgrind(change: impl FnOnce(&mut Callgrind)) -> Config {
    let mut callgrind = Callgrind::default();
    change(&mut callgrind);
    Config {
        tools: Tools {
            callgrind: Some(callgrind),
            ..Tools::default()
        }
        .into(),
        ..Config::default()
    }
}

fn entry_point(entry_point: EntryPoint) -> Config {
    callgrind(|callgrind| callgrind.entry_point = Some(entry_point))
}

#[test]
fn main_leaves_the_start_of_the_process_out() {
    let binary = Binary::new()
        .case("whole", program(&["work", "1000"]))
        .case("default", program(&["work", "1000"]))
        .config(entry_point(EntryPoint::Default))
        .case("main", program(&["work", "1000"]))
        .config(entry_point(EntryPoint::Main))
        .case("named", program(&["work", "1000"]))
        .config(entry_point("binary_program::main".into()))
        .case("more", program(&["work", "2000"]))
        .config(entry_point(EntryPoint::Main))
        .case("much_more", program(&["work", "3000"]))
        .config(entry_point(EntryPoint::Main))
        .case("tuned", program(&["work", "1000"]))
        .config(callgrind(|callgrind| callgrind.count_threads = Some(true)));
    binary.run(&[]).code(0).quiet();
    let ir = |name: &str| binary.home.count(&format!("binary::group::{name}"), "Ir");
    assert_eq!(ir("default"), ir("whole"));
    assert_eq!(ir("tuned"), ir("whole"));
    assert_eq!(ir("named"), ir("main"));
    assert!(
        ir("main") + 50_000 < ir("whole"),
        "{} {}",
        ir("main"),
        ir("whole")
    );
    // Each thousand rounds costs the same.
    assert_eq!(ir("more") - ir("main"), ir("much_more") - ir("more"));
}

/// Requests of a program are seen in its profile only.
#[test]
fn what_client_requests_of_a_program_change_is_said() {
    let binary = Binary::new()
        .case("plain", program(&["work", "1000"]))
        .config(entry_point(EntryPoint::Main))
        .case("stop", program(&["stop", "1000"]))
        .config(entry_point(EntryPoint::Main))
        .case("toggle", program(&["toggle", "1000"]))
        .config(entry_point(EntryPoint::Main));
    for mode in [&[][..], &["--instructions-only"]] {
        let ended = binary.run(mode).code(0);
        let ir = |name: &str| binary.home.count(&format!("binary::group::{name}"), "Ir");
        let (plain, stopped, toggled) = (ir("plain"), ir("stop"), ir("toggle"));
        // Both end after the work of `plain`.
        assert!(stopped.abs_diff(plain) < 1000, "{stopped} {plain}");
        assert!(toggled > plain, "{toggled} {plain}");
        let counted =
            format!("warning: `binary::group::toggle`: {toggled} instructions were counted, ");
        ended.says(&[
            "warning: `binary::group::stop`: the program switched instrumentation off; if that was \
             inside of the entry point, what ran later in it is not counted, also if it was switched on \
             again\n",
            &counted,
            " of them inside of the entry point: `toggle_collect` switched collection on outside of it, as \
             a single one inside does at the return\n",
        ]);
    }
}

/// Before `main`, the runtime of Rust reads the list of what is mapped, in which the path of the
/// program is; the C library looks for the last `/` of `argv[0]`. This program reads no arguments.
#[test]
fn another_path_of_a_program_changes_nothing_below_its_main() {
    let longer = "a".repeat(42);
    let binary = Binary::new();
    let at = |name: &str, original: &str| {
        let folder = binary.folder().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let place = folder.join(original.rsplit('/').next().unwrap());
        executables::copy(original, &place);
        place.to_str().unwrap().to_owned()
    };
    let (own, system) = (build::program("jumping_main"), "/bin/true");
    let own = own.to_str().unwrap();
    let places = ["a", &longer].map(|name| (at(name, own), at(name, system)));
    let [(near, near_true), (far, far_true)] = &places;
    let binary = binary
        .case("near", command(near, &[]))
        .config(entry_point(EntryPoint::Main))
        .case("far", command(far, &[]))
        .config(entry_point(EntryPoint::Main))
        .case("near_whole", command(near, &[]))
        .case("far_whole", command(far, &[]))
        .case("near_true", command(near_true, &[]))
        .case("far_true", command(far_true, &[]));
    binary.run(&[]).code(0);
    let ir = |name: &str| binary.home.count(&format!("binary::group::{name}"), "Ir");
    assert_eq!(ir("near"), ir("far"));
    // As docs/what-is-counted.md says: up to 1 % in Rust, and a few instructions in C, all of them
    // of the search in `argv[0]`.
    for (pair, most) in [("whole", ir("near_whole") / 100), ("true", 40)] {
        let [near, far] = ["near", "far"].map(|place| ir(&format!("{place}_{pair}")));
        assert!(near.abs_diff(far) <= most, "{pair}: {near} {far}");
    }
}

/// A `main` that has ended with a jump is not on the stack of what it jumped to.
#[test]
fn dhat_counts_what_main_ends_with() {
    let program = build::program("jumping_main");
    let dhat = Dhat {
        entry_point: Some(EntryPoint::Main),
        ..Dhat::default()
    };
    let binary = Binary::new()
        .case("main", command(program.to_str().unwrap(), &[]))
        .config(Config {
            tools: Tools {
                dhat: Some(dhat),
                ..Tools::default()
            }
            .into(),
            ..Config::default()
        });
    binary.run(&[]).code(0).quiet();
    let profile = binary.home.profile("binary::group::main", "dhat");
    let bytes = &profile["metrics"][0];
    assert_eq!(bytes["kind"], "TotalBytes");
    assert_eq!(bytes["new"], 5000, "{profile:#}");
}

#[test]
fn main_of_a_renamed_program_and_of_one_in_another_language() {
    let binary = Binary::new();
    let copy = binary.place("another-name");
    executables::copy(program_path(), &copy);
    let binary = binary
        .case("copy", command(&copy, &["work", "1000"]))
        .config(entry_point(EntryPoint::Main))
        .case("original", program(&["work", "1000"]))
        .config(entry_point(EntryPoint::Main));
    binary.run(&[]).code(0).quiet();
    let ir = |name: &str| binary.home.count(&format!("binary::group::{name}"), "Ir");
    // The path of the program is one of its arguments, and a longer one is a little more work.
    let (copy, original) = (ir("copy"), ir("original"));
    assert!(copy.abs_diff(original) < 2000, "{copy} {original}");
}

#[test]
fn an_entry_point_that_does_not_exist_is_an_error() {
    let binary = Binary::new()
        .case("typo", program(&["work", "1000"]))
        .config(entry_point("binary_program::mian".into()))
        .case("both", program(&["work", "1000"]));
    let binary = binary
        .case("stripped", command("true", &[]))
        .config(entry_point(EntryPoint::Main));
    binary.run(&[]).code(1).says(&[
        "error: benchmark `binary::group::typo` counted nothing: ",
        "the executable has no function whose name matches `binary_program::mian`\n",
        "error: benchmark `binary::group::stripped` counted nothing: the executable has no symbols",
    ]);
    let binary = self::Binary::new()
        .case("both", program(&["work", "1000"]))
        .config(callgrind(|callgrind| {
            callgrind.count_threads = Some(true);
            callgrind.entry_point = Some(EntryPoint::Main);
        }));
    binary.run(&[]).code(1).says(&[
        "configuration of `binary::group::both` for callgrind: `count_threads(true)` and an entry \
         point exclude each other in a binary benchmark",
    ]);
}

#[test]
fn threads_and_processes_count() {
    const MUCH: &str = "100000";
    let binary = Binary::new()
        .case("nothing", program(&["nothing"]))
        .case("work", program(&["work", MUCH]))
        .case("thread", program(&["thread", MUCH]))
        .case("process", program(&["spawn", "work", MUCH]))
        .case("parent", program(&["spawn", "work", MUCH]))
        .config(Config {
            valgrind_args: vec!["--trace-children=no".into()],
            ..Config::default()
        });
    let ended = binary.run(&["--show-intermediate"]).code(0).quiet();
    let ir = |name: &str| binary.home.count(&format!("binary::group::{name}"), "Ir");
    let work = ir("work") - ir("nothing");
    assert!(ir("thread") > ir("nothing") + work, "{ended}");
    // The parent and the child start.
    assert!(ir("process") > ir("nothing") + ir("work"), "{ended}");
    assert!(ir("parent") < ir("process") - ir("work") / 2, "{ended}");
    ended.shows(&["## Total\n", " work 100000\n", " spawn work 100000\n"]);
}

#[test]
fn a_thread_outside_of_main_is_said_not_to_count() {
    let binary = Binary::new()
        .case("thread", program(&["thread", "1000"]))
        .config(entry_point(EntryPoint::Main));
    binary.run(&[]).code(0).says(&[
        "further threads ran in its process and were not counted; without an entry point all threads \
         and processes count\n",
    ]);
}
