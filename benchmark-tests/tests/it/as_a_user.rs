//! The steps of a user with cargo, in a crate that README describes.

use std::path::PathBuf;
use std::process::Command;

use benchmark_tests::user::{self, Package, PROFILE};
use benchmark_tests::{build, Ended};
use serde_json::Value;

const BENCH: &str = r#"
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::short(10)]
#[bench::long(19)]
fn bench_sum(n: u64) -> u64 {
    (0..n).fold(0, |sum, i| sum + black_box(i))
}

library_benchmark_group!(name = numbers, benchmarks = [bench_sum]);
main!(library_benchmark_groups = [numbers]);
"#;

/// A name for each test, since all have one target directory: that of its function, of which its
/// thread has the path.
fn package_name() -> String {
    let thread = std::thread::current();
    let path = thread.name().unwrap_or("user");
    path.rsplit("::").next().unwrap_or(path).to_owned()
}

/// A crate of a user.
struct User {
    package: Package,
}

impl User {
    /// `lib` is what the manifest says about its library.
    fn new(lib: &str) -> Self {
        let manifest = format!(
            "[dev-dependencies.iai-callgrind]\npath = {:?}\n\n\
             [[bench]]\nname = \"my_benchmark\"\nharness = false\n\n\
             {PROFILE}\n{lib}",
            user::library()
        );
        let files = [("src/lib.rs", ""), ("benches/my_benchmark.rs", BENCH)];
        Self {
            package: Package::new(&package_name(), &manifest, &files),
        }
    }

    /// A command like in a shell, with results in a directory of this user.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = user::command(program);
        command
            .env("IAI_CALLGRIND_HOME", self.package.path().join("results"))
            .env("IAI_CALLGRIND_RUNNER", build::runner());
        command
    }

    /// The dependencies are built once for all users, those of the README's tests too.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(arguments)
            .current_dir(self.package.path())
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/users"),
            );
        command
    }

    /// `cargo bench --quiet -- …`
    fn bench(&self, arguments: &[&str]) -> Ended {
        let arguments = [&["bench", "--quiet"][..], arguments].concat();
        run(&mut self.cargo(&arguments))
    }

    /// The benchmark executable.
    fn executable(&self) -> PathBuf {
        let arguments = ["bench", "--no-run", "--quiet", "--message-format=json"];
        let output = self.cargo(&arguments).output().unwrap();
        let messages = output.stdout.split(|byte| *byte == b'\n');
        let mut benches = messages.filter_map(|line| {
            let message: Value = serde_json::from_slice(line).ok()?;
            let is_bench = message["target"]["kind"][0] == "bench";
            let path = PathBuf::from(message["executable"].as_str()?);
            is_bench.then_some(path)
        });
        benches.next().expect("cargo built it")
    }
}

fn run(command: &mut Command) -> Ended {
    let output = command.output().expect("it starts");
    Ended {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status,
    }
}

#[test]
fn options_reach_the_benchmarks() {
    let user = User::new("[lib]\nbench = false\n");
    let first = user.bench(&[]).code(0).quiet();
    first.shows(&[
        "my_benchmark::numbers::bench_sum short:10\n  Instructions:",
        "my_benchmark::numbers::bench_sum long:19\n  Instructions:",
        "|N/A                  (*********)\n",
        "Iai-Callgrind result: First results. 2 without regressions; 0 regressed; 0 compared; 2 new; 2 benchmarks finished in ",
    ]);
    user.bench(&[]).code(0).quiet().unchanged();

    // The names are values and no filters.
    let saved = user.bench(&["--", "--save-baseline", "main"]).code(0);
    saved.quiet().shows(&[
        "  Baselines:                           main|main (old)\n",
        "; 2 benchmarks finished in ",
    ]);
    let compared = user.bench(&["--", "--baseline", "main"]).code(0).quiet();
    let line = "  Baselines:                               |main\n";
    assert_eq!(compared.stdout.matches(line).count(), 2, "{compared}");
    assert!(!compared.stdout.contains("N/A"), "{compared}");
    let filtered = user.bench(&["--", "--baseline", "main", "short"]).code(0);
    filtered
        .quiet()
        .shows(&["1 filtered; 1 benchmarks finished in "])
        .without("long");

    // Cargo puts `--bench` behind everything.
    user.bench(&["--", "--", "short"])
        .code(0)
        .quiet()
        .shows(&["short:10\n  Instructions:", "(No change)"]);
    user.bench(&["--", "--home"])
        .code(2)
        .says(&["error: a value is required for '--home <DIRECTORY>' but none was supplied\n"]);
    user.bench(&["--", "shrot"]).code(0).says(&[
        "warning: no benchmark matches `shrot`\n",
        "  there is: my_benchmark::numbers::bench_sum::short\n",
    ]);

    // By hand, elsewhere and without cargo it sees the same results.
    let by_hand = run(user
        .command(user.executable())
        .arg("--bench")
        .current_dir("/"));
    by_hand.code(0).quiet().unchanged();
}

#[test]
fn a_file_that_a_feature_leaves_empty_is_an_error_only_where_it_is_measured() {
    let user = User::new("[lib]\nbench = false\n");
    let empty = "#[cfg(any())]\n#[iai_callgrind::library_benchmark]\nfn slow() {}\niai_callgrind::main!();\n";
    std::fs::write(user.package.path().join("benches/my_benchmark.rs"), empty).unwrap();
    let said = "no function with `#[library_benchmark]` or `#[binary_benchmark]` was found";
    user.bench(&["--", "--list"])
        .code(0)
        .shows(&["0 tests, 0 benchmarks\n"])
        .says(&[said]);
    run(&mut user.cargo(&["test", "--quiet", "--benches"]))
        .code(0)
        .says(&[said]);
    user.bench(&[])
        .code(1)
        .says(&[&format!("error: benches/my_benchmark.rs: {said}")]);
}

#[test]
fn another_profile_is_said_and_not_judged() {
    let user = User::new("[lib]\nbench = false\n");
    let limit = ["--", "--callgrind-limits=ir=1%", "long"];
    user.bench(&limit).code(0).quiet();
    // The function counts more, and that is no regression of it.
    let other = run(user
        .cargo(&["bench", "--quiet"])
        .args(limit)
        .env("CARGO_PROFILE_BENCH_OPT_LEVEL", "0"));
    other.code(0).says(&[
        "the last run was built with `opt-level = 3`, this one with `opt-level = 0`",
        "1 benchmark changed beyond limits that are not checked, since the results were made under different conditions; \
         the largest change: `my_benchmark::numbers::bench_sum::long`: Callgrind: Instructions (",
        "exceeds limit of +1.00000%",
    ]);
}

/// Only the compiler can show that debug symbols change no instruction: a limit of 0 % holds on the
/// way there and back.
#[test]
fn debug_symbols_are_no_other_build() {
    let user = User::new("[lib]\nbench = false\n");
    let built = |debug: &str, strip: &str| {
        let ended = run(user
            .cargo(&["bench", "--quiet"])
            .args(["--", "--callgrind-limits=ir=0%"])
            .env("CARGO_PROFILE_BENCH_DEBUG", debug)
            .env("CARGO_PROFILE_BENCH_STRIP", strip));
        ended.code(0).quiet()
    };
    built("false", "none");
    built("line-tables-only", "none");
    built("false", "debuginfo");
    built("false", "none");
}

#[test]
fn a_test_harness_refuses_options_but_variables_reach_all_targets() {
    let user = User::new("");
    user.bench(&["--", "--save-baseline", "main"])
        .code(101)
        .says(&["error: Unrecognized option: 'save-baseline'\n"])
        .without("Instructions:");
    // The command of the README.
    user.bench(&["--bench", "my_benchmark", "--", "--save-baseline", "main"])
        .code(0)
        .shows(&["main|main (old)\n"]);
    let variable = run(user
        .cargo(&["bench", "--quiet"])
        .env("IAI_CALLGRIND_BASELINE", "main"));
    variable.code(0).shows(&["|main\n", "(No change)"]);
}

const FIXTURE_BENCH: &str = r#"
use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, main, BinaryBenchmarkConfig, Command, Sandbox,
};

#[binary_benchmark]
fn bench_cat() -> Command {
    Command::new("cat").arg("in.txt").build()
}

binary_benchmark_group!(name = programs, benchmarks = [bench_cat]);
main!(
    config = BinaryBenchmarkConfig::default()
        .sandbox(Sandbox::new(true).fixtures(["fixtures/in.txt"])),
    binary_benchmark_groups = [programs]
);
"#;

/// Under `cargo bench` and under `cargo test`, the root of the workspace is the one that cargo
/// knows: a lock file that a member has from the time before it was one makes no root.
#[test]
fn fixtures_of_a_member_begin_at_the_root_that_cargo_knows() {
    let member = format!(
        "[package]\nname = \"member\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [lib]\nbench = false\ntest = false\n\
         [dev-dependencies.iai-callgrind]\npath = {:?}\n\
         [[bench]]\nname = \"with_fixture\"\nharness = false\n",
        user::library()
    );
    let files = [
        ("src/lib.rs", ""),
        ("fixtures/in.txt", "text\n"),
        ("member/Cargo.toml", &member),
        ("member/Cargo.lock", "version = 4\n"),
        ("member/src/lib.rs", ""),
        ("member/benches/with_fixture.rs", FIXTURE_BENCH),
    ];
    // A path dependency inside of the package's directory is a member.
    let manifest = format!(
        "[dependencies]\nmember = {{ path = \"member\" }}\n[lib]\nbench = false\n{PROFILE}"
    );
    let user = User {
        package: Package::new(&package_name(), &manifest, &files),
    };
    let bench = user.bench(&["--package", "member", "--bench", "with_fixture"]);
    bench
        .code(0)
        .shows(&["with_fixture::programs::bench_cat", "Instructions:"]);
    let arguments = ["test", "--quiet", "--package", "member", "--benches"];
    let test = run(&mut user.cargo(&arguments)).code(0);
    test.shows(&["test with_fixture::programs::bench_cat ... ok\n"]);
}

/// What cargo tells a program at compile time is its directory for builds, where nobody looks for
/// results.
#[test]
fn results_are_in_the_target_directory_whatever_the_directory_for_builds_is() {
    let user = User::new("[lib]\nbench = false\n");
    let path = |name: &str| user.package.path().join(name);
    let builds = concat!(env!("CARGO_TARGET_TMPDIR"), "/users");
    let cargo = |words: &[&str]| {
        let mut command = user.cargo(words);
        command
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("IAI_CALLGRIND_HOME");
        command
    };
    let report = || {
        let mut command = user.command(build::runner());
        let command = command.arg("report").current_dir(user.package.path());
        run(command
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("IAI_CALLGRIND_HOME"))
    };
    let measured = |command: &mut Command| {
        run(command).code(0);
        assert!(path("target/iai").is_dir());
        report()
            .code(0)
            .shows(&["my_benchmark::numbers::bench_sum::short"]);
        std::fs::remove_dir_all(path("target/iai")).unwrap();
    };
    measured(cargo(&["bench", "--quiet"]).env("CARGO_BUILD_BUILD_DIR", builds));
    let option = format!("build.build-dir={builds:?}");
    measured(&mut cargo(&["bench", "--quiet", "--config", &option]));
    std::fs::create_dir(path(".cargo")).unwrap();
    let config = format!("[build]\nbuild-dir = {builds:?}\n");
    std::fs::write(path(".cargo/config.toml"), config).unwrap();
    measured(&mut cargo(&["bench", "--quiet"]));
}

/// Six commits, of which the third does not build and the fifth makes it slow, and the recipe as it
/// stands in `docs/history.md`.
#[test]
fn git_bisect_finds_the_commit_that_made_a_benchmark_slow() {
    let page = include_str!("../../../docs/history.md");
    let blocks = page.split("```sh\n").skip(1);
    let mut blocks = blocks.map(|block| block.split("```").next().unwrap());
    let recipe = blocks.find(|block| block.contains("git bisect")).unwrap();
    let manifest = format!(
        "[dev-dependencies.iai-callgrind]\npath = {:?}\n\n[lib]\nbench = false\n\n\
         [[bench]]\nname = \"app\"\nharness = false\n\n{PROFILE}",
        user::library()
    );
    let bench = BENCH
        .replace("bench::short(10)", "bench::n_0(bisected::LENGTH)")
        .replace("bench_sum", "json_write")
        .replace("numbers", "g");
    let user = User {
        package: Package::new("bisected", &manifest, &[("benches/app.rs", &bench)]),
    };
    let shell = |lines: &str| {
        let mut command = user.cargo(&[]);
        let target = command
            .get_envs()
            .find(|(name, _)| *name == "CARGO_TARGET_DIR");
        let target = target.unwrap().1.unwrap().to_owned();
        command = user.command("sh");
        command
            .args(["-ec", lines])
            .current_dir(user.package.path())
            .env("CARGO_TARGET_DIR", target)
            .envs([
                ("GIT_CONFIG_GLOBAL", "/dev/null"),
                ("GIT_CONFIG_NOSYSTEM", "1"),
            ])
            .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@b")])
            .envs([("GIT_COMMITTER_NAME", "a"), ("GIT_COMMITTER_EMAIL", "a@b")]);
        run(&mut command)
    };
    shell("git init -q").code(0);
    let lengths = ["100", "101", "no number", "102", "9000", "9001"];
    for (number, length) in lengths.iter().enumerate() {
        let source = format!("pub const LENGTH: u64 = {length};\n");
        std::fs::create_dir_all(user.package.path().join("src")).unwrap();
        std::fs::write(user.package.path().join("src/lib.rs"), source).unwrap();
        shell(&format!(
            "git add src benches Cargo.toml Cargo.lock; git commit -qm {number}; git tag c{number}"
        ))
        .code(0);
    }
    let ended = shell(&recipe.replace("BAD GOOD", "c5 c0")).code(0);
    let first = shell("git rev-parse c4");
    let expected = format!("{} is the first bad commit", first.stdout.trim());
    assert!(ended.stdout.contains(&expected), "{ended:?}");
}
