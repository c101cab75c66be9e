//! What the README says is true: its code compiles, its example counts, its commands exist. So does the Rust code
//! in other documents compile and run.

use std::path::PathBuf;
use std::process::Command;

use xtask::fresh_crate::FreshCrate;
use xtask::readme;

/// The runner, which `cargo suite` builds before the tests.
fn runner() -> PathBuf {
    std::env::var_os("IAI_CALLGRIND_RUNNER")
        .expect("IAI_CALLGRIND_RUNNER names the runner; `cargo suite` builds it and sets this")
        .into()
}

/// A cargo command in this crate. All of them, the next run and the tests `as_a_user` use what one has compiled.
fn cargo(project: &FreshCrate, arguments: &[&str]) -> Command {
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/users");
    let mut cargo = project.cargo(arguments);
    cargo
        .env("CARGO_TARGET_DIR", target)
        .env("IAI_CALLGRIND_HOME", project.path().join("results"));
    cargo
}

fn stdout(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_block_has_a_language_that_is_tested() {
    for block in readme::read().unwrap() {
        let language = block.language.as_str();
        assert!(
            ["rust", "toml", "sh", "text"].contains(&language),
            "README.md:{}: no test checks blocks of the language `{language}`",
            block.line
        );
    }
}

#[test]
fn every_block_compiles_and_runs_without_valgrind() {
    let samples = readme::samples().unwrap();
    assert!(samples.len() > 15, "{samples:?}");
    assert_eq!(readme::documents_not_compiled().unwrap(), [""; 0]);
    let files = 2 + samples.len();
    let blocks: Vec<_> = readme::read().unwrap().into_iter().chain(samples).collect();
    let project = FreshCrate::new(&blocks).unwrap();
    let manifest = project.path().join("Cargo.toml");
    let lints =
        std::fs::read_to_string(&manifest).unwrap() + "\n[lints.rust]\nwarnings = \"deny\"\n";
    // One document is about requests that act.
    let plain = "iai-callgrind = \"0.17\"\n";
    assert!(lints.contains(plain), "{lints}");
    let acting = "iai-callgrind = { version = \"0.17\", features = [\"client_requests\"] }\n";
    let lints = lints.replace(plain, acting);
    std::fs::write(&manifest, lints).unwrap();
    let test = || {
        let mut test = cargo(&project, &["test", "--quiet", "--offline", "--benches"]);
        // Neither Valgrind nor the runner has a part in this.
        test.env("IAI_CALLGRIND_RUNNER", "not there");
        test
    };
    let passed = stdout(&mut test());
    assert!(
        passed.contains("test my_benchmark::numbers::bench_fibonacci::short ... ok"),
        "{passed}"
    );
    assert_eq!(
        passed.matches("test result: ok.").count(),
        files,
        "{passed}"
    );

    // A block that does not compile is noticed.
    let file = project.path().join("benches/my_benchmark.rs");
    let code = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, code.replace("bench_fibonacci]", "bench_fibonaci]")).unwrap();
    let output = test().output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(stderr.contains("bench_fibonaci"), "{stderr}");
}

#[test]
fn the_example_counts_and_the_second_run_shows_no_change() {
    let project = FreshCrate::new(&readme::read().unwrap()).unwrap();
    let bench = || {
        let mut bench = cargo(&project, &["bench", "--offline", "--bench", "my_benchmark"]);
        bench.env("IAI_CALLGRIND_RUNNER", runner());
        stdout(&mut bench)
    };

    let first = bench();
    assert!(
        first.contains("my_benchmark::numbers::bench_fibonacci short:10"),
        "{first}"
    );
    assert!(first.contains("|N/A"), "{first}");
    let second = bench();
    let instructions = second.lines().filter(|line| line.contains("Instructions:"));
    let unchanged = instructions
        .filter(|line| line.contains("(No change)"))
        .count();
    assert_eq!(unchanged, 2, "{second}");
}

#[test]
fn every_option_in_a_table_is_in_the_help() {
    // Help is printed before the executable is looked at.
    let help = help();
    let readme = std::fs::read_to_string(xtask::workspace_root().join("README.md")).unwrap();
    let rows = readme.lines().filter(|line| line.starts_with("| `--"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    for option in cells.flat_map(|cell| cell.split(", ")) {
        let name = option.trim().trim_matches('`');
        let name = name.split([' ', '=']).next().unwrap();
        assert!(help.contains(name), "`{name}` is not in:\n{help}");
    }
}

#[test]
fn every_option_of_the_help_is_in_a_table() {
    let arguments = ["bench", "--exe", "any", "--", "-h"];
    let help = stdout(Command::new(runner()).args(arguments));
    let readme = std::fs::read_to_string(xtask::workspace_root().join("README.md")).unwrap();
    let tables: Vec<&str> = readme
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .collect();
    // Those of single tools have one row for all.
    let of_tool = |name: &str| {
        ["-args", "-metrics", "-limits"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    let names = help.lines().filter_map(|line| {
        let words = line.split([' ', '=', '[']);
        words.map(str::trim).find(|word| word.starts_with("--"))
    });
    let names: Vec<&str> = names.filter(|name| !of_tool(name)).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names
        .iter()
        .filter(|name| !["--help", "--version"].contains(name))
    {
        let is_there = tables.iter().any(|row| row.contains(&format!("`{name}")));
        assert!(is_there, "`{name}` is in no table of the README");
    }
}

#[test]
fn commands_name_our_aliases_and_our_version() {
    let config = xtask::workspace_root().join(".cargo/config.toml");
    let aliases = std::fs::read_to_string(config).unwrap();
    let help = help();
    let blocks = readme::read().unwrap();
    for block in blocks.iter().filter(|block| block.language == "sh") {
        let is_of_help = |option: &&str| -> bool {
            let name = option.split('=').next().unwrap_or_default();
            help.contains(&format!(" {name}"))
        };
        for line in block.code.lines().filter(|line| !line.starts_with('#')) {
            // `NAME=value cargo bench`: the variables are not of interest here.
            let words: Vec<&str> = line
                .split(' ')
                .skip_while(|word| word.contains('='))
                .collect();
            let is_known = match words[..] {
                ["cargo", "bench"] => true,
                ["cargo", "bench", "--", ref options @ ..] => options.iter().all(is_of_help),
                // What stands before the dashes is for cargo.
                ["iai-callgrind-runner", "bench", ref rest @ ..] => {
                    let ours = rest.iter().skip_while(|word| **word != "--").skip(1);
                    ours.filter(|word| word.starts_with('-')).all(is_of_help)
                }
                ["cargo", alias] => aliases.contains(&format!("\n{alias} = ")),
                ["cargo", "install", "iai-callgrind-runner", "--version", version] => {
                    version == library_version()
                }
                ["cargo", "binstall", package] => {
                    package == format!("iai-callgrind-runner@{}", library_version())
                }
                _ => false,
            };
            assert!(is_known, "README.md:{}: what is `{line}`?", block.line);
        }
    }
}

fn help() -> String {
    let arguments = ["bench", "--exe", "any", "--", "--help"];
    stdout(Command::new(runner()).args(arguments))
}

/// The version as cargo sees it: `path+file:///…/iai-callgrind#0.17.0`.
fn library_version() -> String {
    let mut pkgid = Command::new(env!("CARGO"));
    pkgid
        .args(["pkgid", "--package=iai-callgrind"])
        .current_dir(xtask::workspace_root());
    let id = stdout(&mut pkgid);
    id.trim().rsplit(['#', '@']).next().unwrap().to_owned()
}
