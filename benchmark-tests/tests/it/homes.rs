//! Where results are kept, and what if they are damaged.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use benchmark_tests::{build, executables, Bench, Home};
use serde_json::Value;

#[test]
fn a_file_is_no_home() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    for path in [file.as_path(), Path::new("/dev/null/x")] {
        let bench = Bench::new("endings").measure(&Home::at(path));
        bench.run().code(1).says(&[
            &format!("error: cannot keep results in `{}`\n", path.display()),
            "  hint: choose another place with `--home=<directory>`\n",
            "  caused by: Not a directory (os error 20)\n",
        ]);
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "text");
}

/// Valgrind ends by a signal where the path of its log is longer than 900 bytes.
#[test]
fn a_home_is_as_long_as_valgrind_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let home = |length: usize| {
        let rest = length - folder.path().as_os_str().len();
        let mut path = folder.path().to_owned();
        for name in [200, 200, 200] {
            path.push("x".repeat(name));
        }
        path.push("y".repeat(rest - 604));
        assert_eq!(path.as_os_str().len(), length);
        path
    };
    // `/measured-benchmarks/endings`
    let below = 28;
    let path = home(876 - below);
    let longest = Home::at(&path);
    let bench = Bench::new("endings").measure(&longest).arg("before");
    bench.run().code(0).quiet();
    assert!(longest.has("endings::group::before"));
    let path = home(877 - below);
    let bench = Bench::new("endings")
        .measure(&Home::at(&path))
        .arg("before");
    bench.run().code(1).says(&[
        &format!("error: cannot keep results in `{}`\n", path.display()),
        "the path of the results of this bench file has 877 bytes, and Valgrind takes no more than 876",
    ]);
    assert!(!path.exists());
}

#[test]
fn a_home_that_may_not_be_written() {
    if nix::unistd::Uid::effective().is_root() {
        eprintln!("not tested: root may write everywhere");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let bench = Bench::new("endings").measure(&Home::at(folder.path()));
    let ended = bench.run().code(1);
    ended.says(&["error: cannot keep results in `", "Permission denied"]);
}

#[test]
fn a_relative_home_is_relative_to_the_workspace() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let target = benchmark_tests::build::target_directory();
    let folder = tempfile::tempdir_in(target.join("tmp")).unwrap();
    // Leads from the target directory up to the root, however deep it is.
    let up: String = workspace.components().skip(1).map(|_| "../").collect();
    let relative = format!("{up}{}", folder.path().strip_prefix("/").unwrap().display());
    let bench = Bench::new("endings").args(["--bench", "--home", &relative]);
    bench.arg("before").run().code(0);
    assert!(Home::at(folder.path()).has("endings::group::before"));
}

#[test]
fn the_home_in_the_environment_gives_way_to_the_command_line() {
    let (variable, option) = (Home::new(), Home::new());
    let bench = || {
        let bench = Bench::new("endings").args(["--bench", "before"]);
        bench.env("IAI_CALLGRIND_HOME", variable.path())
    };
    bench().arg("--home").arg(option.path()).run().code(0);
    assert!(option.has("endings::group::before"));
    assert!(!variable.path().exists());
    bench().run().code(0);
    assert!(variable.has("endings::group::before"));
}

#[test]
fn the_layout() {
    let home = Home::new();
    for _ in 0..2 {
        Bench::new("counts")
            .measure(&home)
            .args(["nops_0", "rounds::short"])
            .run()
            .code(0);
    }
    let expected = [
        ".lock",
        "exact/nops_0/callgrind.nops_0.digest",
        "exact/nops_0/callgrind.nops_0.digest.old",
        "exact/nops_0/callgrind.nops_0.log",
        "exact/nops_0/callgrind.nops_0.log.old",
        "exact/nops_0/callgrind.nops_0.out",
        "exact/nops_0/callgrind.nops_0.out.old",
        "exact/nops_0/summary.json",
        "exact/rounds.short/callgrind.rounds.short.digest",
        "exact/rounds.short/callgrind.rounds.short.digest.old",
        "exact/rounds.short/callgrind.rounds.short.log",
        "exact/rounds.short/callgrind.rounds.short.log.old",
        "exact/rounds.short/callgrind.rounds.short.out",
        "exact/rounds.short/callgrind.rounds.short.out.old",
        "exact/rounds.short/summary.json",
        "history.jsonl",
        "results.jsonl",
        "results.jsonl.old",
    ];
    let expected = expected.map(|name| format!("measured-benchmarks/counts/{name}"));
    assert_eq!(home.names(), expected);
}

/// The last result is damaged: this run has nothing to compare with and says why, the next one has.
fn check_damaged(damage: fn(Vec<u8>) -> Vec<u8>) {
    let home = Home::new();
    let run = || {
        Bench::new("endings")
            .measure(&home)
            .arg("ends")
            .run()
            .code(0)
    };
    run().quiet();
    let out = home
        .entry("endings::group::ends")
        .join("callgrind.ends.out");
    fs::write(&out, damage(fs::read(&out).unwrap())).unwrap();
    let ended = run();
    for line in ended.stdout.lines().filter(|line| line.starts_with("  ")) {
        assert!(
            line.ends_with("|N/A                  (*********)"),
            "{ended}"
        );
    }
    ended.says(&[&format!(
        "warning: `endings::group::ends`: the last result cannot be compared with, `{}` cannot be \
         read: ",
        out.display()
    )]);
    run().quiet().unchanged();
}

#[test]
fn the_last_result_was_cut() {
    check_damaged(|mut bytes| {
        bytes.truncate(bytes.len() / 2);
        bytes
    });
}

#[test]
fn the_last_result_is_garbage() {
    check_damaged(|bytes| bytes.iter().rev().copied().collect());
    check_damaged(|_| b"\xff\x00\xfe garbage\n".to_vec());
}

#[test]
fn the_last_result_is_empty() {
    let home = Home::new();
    let run = || {
        Bench::new("endings")
            .measure(&home)
            .arg("ends")
            .run()
            .code(0)
    };
    run();
    let out = home
        .entry("endings::group::ends")
        .join("callgrind.ends.out");
    fs::write(&out, "").unwrap();
    run().shows(&["|N/A "]);
    run().quiet().unchanged();
}

/// A copy of a bench executable as on a machine without the directories of the one that built it,
/// and the root of the workspace that is missing there.
fn as_elsewhere(target: &str, folder: &Path) -> (PathBuf, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let root = root.to_str().unwrap();
    let elsewhere = format!("{}?", &root[..root.len() - 1]);
    let copied = folder.join(format!("{target}-0123456789abcdef"));
    executables::copy_with(build::bench(target), &copied, root, &elsewhere);
    (copied, elsewhere)
}

/// Neither the directory of the package nor that of the program is there.
#[test]
fn programs_of_another_machine_are_found_beside_the_executable() {
    let folder = tempfile::tempdir().unwrap();
    let (copied, _) = as_elsewhere("binary", folder.path());
    let home = Home::new();
    let run = || {
        let bench = Bench::at(&copied).measure(&home);
        bench.arg("attributes::exits").run()
    };
    let program = build::program("binary_program");
    if program.starts_with(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()) {
        run().code(1).says(&["/binary_program`"]);
    }
    executables::copy(program, folder.path().join("binary_program"));
    run().code(0).quiet();
    assert!(home.count("binary::attributes::exits", "Ir") > 50_000);
}

#[test]
fn an_executable_of_another_machine_needs_a_home() {
    let folder = tempfile::tempdir().unwrap();
    let (copied, elsewhere) = as_elsewhere("counts", folder.path());
    let ended = Bench::at(&copied).arg("--bench").run().code(1);
    ended.says(&[
        &format!(
            "error: there is no place for the results of `{}`: ",
            copied.display()
        ),
        &format!("the workspace that it was built in, `{elsewhere}`, is not there\n"),
        "  hint: say where they go with `--home=<directory>`\n",
    ]);
    assert!(!Path::new(&elsewhere).exists());

    // By the runner, with a path and a home that begin at the current directory.
    let mut runner = std::process::Command::new(build::runner());
    runner
        .current_dir(folder.path())
        .args(["bench", "--exe", "./counts-0123456789abcdef"]);
    let words = ["--", "--home", "results", "exact", "--skip=rounds"];
    let output = runner.args(words).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!Path::new(&elsewhere).exists());

    let (here, there) = (Home::new(), Home::at(&folder.path().join("results")));
    let bench = Bench::new("counts").measure(&here);
    bench.args(["exact", "--skip=rounds"]).run().code(0);
    let results = |home: &Home| {
        let records = home.records("counts").into_iter();
        let benchmarks = records.filter(|record| record["type"] == "benchmark");
        let result = |record: Value| {
            let profile = &record["profiles"][0];
            let own = profile["objects"][0].clone();
            (
                record["benchmark"].clone(),
                profile["metrics"][0].clone(),
                own["name"].clone(),
            )
        };
        benchmarks.map(result).collect::<Vec<_>>()
    };
    let expected = results(&here);
    assert!(expected.len() > 2, "{expected:?}");
    assert_eq!(results(&there), expected);
    let file = &expected[0].0["source_file"];
    assert_eq!(file, "benchmark-tests/measured/benches/counts.rs");
}
