//! Roles of a benchmark executable besides measuring.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use benchmark_tests::{build, Bench, Home};
use snapbox::{assert_data_eq, str};

/// Neither runner nor Valgrind can be found.
fn alone(target: &str) -> Bench {
    let bench = Bench::new(target).env("PATH", "/no/such/folder");
    bench.env_remove("IAI_CALLGRIND_RUNNER")
}

#[test]
fn the_list() {
    let ended = alone("counts")
        .args(["--list", "rounds", "nops_0"])
        .run()
        .code(0)
        .quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"
counts::exact::nops_0: benchmark
counts::exact::rounds::short: benchmark
counts::exact::rounds::long: benchmark

0 tests, 3 benchmarks

"#]]
    );
    let terse = alone("counts")
        .args(["--list", "--format", "terse", "nops_0"])
        .run();
    assert_data_eq!(
        terse.code(0).quiet().stdout,
        str![[r#"
counts::exact::nops_0: benchmark

"#]]
    );
    let none = alone("counts")
        .args(["--list", "--format=terse", "--ignored"])
        .run();
    assert_eq!(none.code(0).quiet().stdout, "");
}

#[test]
fn the_list_asked_of_the_runner_is_the_same() {
    let executable = build::bench("counts");
    let runner = Bench::at(&build::runner()).args(["bench", "--exe"]);
    let ours = runner
        .arg(executable)
        .args(["--", "--list", "--bench"])
        .run();
    let theirs = alone("counts").args(["--list", "--bench"]).run();
    assert_eq!(ours.code(0).stdout, theirs.code(0).stdout);
}

#[test]
fn test_mode() {
    let ended = alone("endings").run().code(0).quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"

running 3 tests
test endings::group::before ... ok
test endings::group::ends ... ok
test endings::group::after ... ok

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in [..]s


"#]]
    );
}

#[test]
fn test_mode_shows_the_output_of_what_fails() {
    let ended = alone("endings")
        .arg("ends")
        .env("ENDING", "panics")
        .run()
        .code(1)
        .quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"

running 1 test
test endings::group::ends ... FAILED

---- endings::group::ends ----
stdout before it panics
stderr before it panics

thread 'main' ([..]) panicked at benchmark-tests/measured/benches/endings.rs:[..]:
on purpose
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
exit status: 101

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 2 filtered out; finished in [..]s


"#]]
    );
    let both = alone("endings")
        .args(["--bench", "--test", "before"])
        .run()
        .code(0);
    both.shows(&["test endings::group::before ... ok"]);
}

#[test]
fn test_mode_survives_any_end() {
    for (ending, how) in [
        ("exits 0", "exit status: 0"),
        ("exits 3", "exit status: 3"),
        ("aborts", "signal: 6 (SIGABRT)"),
        ("segfaults", "signal: 11 (SIGSEGV)"),
    ] {
        let ended = alone("endings").env("ENDING", ending).run().code(1);
        ended.shows(&[
            how,
            "test endings::group::after ... ok",
            "2 passed; 1 failed",
        ]);
    }
}

#[test]
fn running_one_benchmark() {
    let run = |address: &str| {
        let bench = alone("endings").args(["--iai-callgrind", "run", address]);
        bench.env("ENDING", "panics").run()
    };
    run("group::before").code(0).quiet();
    run("group::ends").code(101).says(&["on purpose"]);
    let unknown = run("group::end").code(2);
    assert_data_eq!(
        unknown.stderr,
        str![[r#"
error: there is no benchmark `group::end` in `endings`
  hint: `--list` shows all benchmarks

"#]]
    );
    run("").code(2);
}

#[test]
fn a_role_without_its_words() {
    let ended = alone("endings")
        .args(["--iai-callgrind", "sing"])
        .run()
        .code(2);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: after `--iai-callgrind` one of these is expected:
  describe <file> [<filters>]        write the description of all benchmarks to the file; filters
                                     spare benchmarks that are registered at run time a call
  run <group>::<function>[::<id>]    run one benchmark once, without a tool
  assist <group> setup|teardown      run the setup or teardown of a group (`main!`: of the file),
                                     or with the address of a binary benchmark its own

"#]]
    );
}

#[test]
fn the_description() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.json");
    let bench = alone("counts")
        .args(["--iai-callgrind", "describe"])
        .arg(&file);
    assert_eq!(bench.run().code(0).quiet().stdout, "");
    let suite: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(suite["protocol"], 1);
    assert_eq!(suite["version"], "0.17.0");
    assert_eq!(suite["package"]["name"], "measured-benchmarks");
    assert_eq!(
        suite["groups"][0]["functions"][3]["cases"][1]["args"],
        "12345"
    );
    let nowhere = alone("counts").args(["--iai-callgrind", "describe", "/dev/null/x"]);
    nowhere
        .run()
        .code(1)
        .says(&["error: cannot write `/dev/null/x`"]);
}

#[test]
fn setups_and_teardowns_alone() {
    let folder = tempfile::tempdir().unwrap();
    let order = folder.path().join("order");
    let assist = |level: &str, hook: &str| {
        let bench = alone("hooks").args(["--iai-callgrind", "assist", level, hook]);
        bench.env("ORDER", &order).run()
    };
    assist("main!", "setup").code(0).quiet();
    assist("with_hooks", "teardown").code(0).quiet();
    assert_eq!(
        std::fs::read_to_string(&order).unwrap(),
        "main setup\ngroup teardown\n"
    );
    assist("without_hooks", "setup")
        .code(2)
        .says(&["`without_hooks` has no such function"]);
    assist("nothing", "setup")
        .code(2)
        .says(&["there is no group `nothing` in `hooks`"]);
}

/// Argument and environment that are no UTF-8 are no reason to panic in any role.
#[test]
fn words_that_are_no_text() {
    let odd = || OsString::from(OsStr::from_bytes(b"\xff\xfe"));
    let home = Home::new();
    let bench = || Bench::new("endings").env("ODD", odd()).env(odd(), "value");
    bench().arg(odd()).run().without("panicked");
    bench()
        .args(["--list"])
        .arg(odd())
        .run()
        .code(2)
        .says(&["error: invalid UTF-8"])
        .without("panicked");
    bench()
        .args(["--iai-callgrind", "run"])
        .arg(odd())
        .run()
        .code(2)
        .without("panicked");
    bench()
        .arg("--iai-callgrind")
        .arg(odd())
        .run()
        .code(2)
        .without("panicked");
    bench()
        .measure(&home)
        .arg(odd())
        .run()
        .code(2)
        .without("panicked");
    bench().measure(&home).run().code(0).quiet();
}

/// A process that a benchmark starts inherits the variable, but not the socket.
#[test]
fn the_variable_of_the_server_alone_changes_no_role() {
    for value in ["7", "0", "yes"] {
        let alone = || alone("endings").env("IAI_CALLGRIND_SERVER", value);
        let list = alone().args(["--list", "before"]).run().code(0).quiet();
        list.shows(&["endings::group::before: benchmark"]);
        let test = alone().args(["--test", "before"]).run().code(0).quiet();
        test.shows(&["test endings::group::before ... ok"]);
        let run = alone().args(["--iai-callgrind", "run", "group::before"]);
        run.run().code(0).quiet();
    }
    // Something else has the number.
    let output = Command::new("sh")
        .args(["-c", "exec \"$EXECUTABLE\" --list before 7</dev/null"])
        .env("EXECUTABLE", build::bench("endings"))
        .env("IAI_CALLGRIND_SERVER", "7")
        .output()
        .unwrap();
    let listed = String::from_utf8_lossy(&output.stdout);
    assert!(listed.starts_with("endings::group::before: "), "{output:?}");
    let home = Home::new();
    let bench = Bench::new("endings").measure(&home).arg("before");
    let bench = bench.env("IAI_CALLGRIND_SERVER", "7");
    bench.run().code(0).quiet();
}

#[test]
fn a_server_without_its_socket_says_so() {
    let ended = alone("endings").env("IAI_CALLGRIND_SERVER", "7").run();
    assert_data_eq!(
        ended.code(1).stderr,
        str![[r#"
error: IAI_CALLGRIND_SERVER says that this process is to be measured, but its descriptor 7 is no socket of the runner
  hint: unset IAI_CALLGRIND_SERVER, which only the runner sets; where the runner has started this, a program in between closes descriptors

"#]]
    );
}

#[test]
fn a_reader_that_has_seen_enough() {
    let head = |executable: &OsStr, arguments: &str| {
        let line = format!("{arguments} | head -1");
        let output = Command::new("sh")
            .args(["-c", &format!("\"$EXECUTABLE\" {line}")])
            .env("EXECUTABLE", executable)
            .env("IAI_CALLGRIND_RUNNER", build::runner())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(stderr, "", "{line}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let counts = build::bench("counts");
    let home = Home::new();
    assert_eq!(
        head(counts.as_os_str(), "--list"),
        "counts::exact::nops_0: benchmark\n"
    );
    assert_eq!(head(counts.as_os_str(), "--test nops"), "\n");
    let measure = format!("--bench nops --home {}", home.path().display());
    assert_eq!(
        head(counts.as_os_str(), &measure),
        "counts::exact::nops_0\n"
    );
    assert!(
        !home.names().iter().any(|name| name.contains("/.work-")),
        "{:?}",
        home.names()
    );
}
