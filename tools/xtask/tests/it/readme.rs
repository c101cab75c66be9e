//! Checks the README: its code compiles, its example counts, its commands exist. Rust code in other
//! documents has to compile and run as well.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use lab::fresh_crate::FreshCrate;
use lab::readme;

/// The runner, which `cargo suite` builds before the tests.
fn runner() -> PathBuf {
    std::env::var_os("IAI_CALLGRIND_RUNNER")
        .expect("IAI_CALLGRIND_RUNNER names the runner; `cargo suite` builds it and sets this")
        .into()
}

/// A cargo command in this crate. All of them, the next run and the tests `as_a_user` use what one
/// has compiled.
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
            ["rust", "toml", "sh", "text", "yaml"].contains(&language),
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
    let files = 1 + samples.len();
    let blocks: Vec<_> = readme::read().unwrap().into_iter().chain(samples).collect();
    let project = FreshCrate::new("blocks", &blocks).unwrap();
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
    let project = FreshCrate::new("counted", &readme::read().unwrap()).unwrap();
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
fn the_first_chapter_has_the_example_of_the_readme() {
    let files = |blocks: Vec<readme::Block>| -> Vec<(String, String)> {
        let named = blocks.into_iter();
        named
            .filter_map(|block| Some((block.file()?.to_owned(), block.code)))
            .collect()
    };
    let chapters = readme::chapters().unwrap().into_iter();
    let chapter = chapters.filter(|(file, _)| file == "docs/first-benchmark.md");
    let chapter = files(chapter.map(|(_, block)| block).collect());
    assert_eq!(chapter.len(), 2);
    assert_eq!(files(readme::read().unwrap()), chapter);
}

#[test]
fn blocks_of_chapters_are_in_known_languages_and_toml_is_toml() {
    for (file, block) in readme::chapters().unwrap() {
        let language = block.language.as_str();
        let place = format!("{file}:{}", block.line);
        // `rust,ignore` is code of others, or code that needs crates of others.
        let known = [
            "rust",
            "rust,ignore",
            "toml",
            "sh",
            "console",
            "text",
            "yaml",
            "json",
            "starlark",
        ];
        assert!(known.contains(&language), "{place}: `{language}`");
        if language == "toml" {
            let parsed = toml::from_str::<toml::Table>(&block.code);
            assert!(parsed.is_ok(), "{place}: {parsed:?}");
        }
    }
}

/// Recipes for CI and for many machines are run by other tests.
#[test]
fn commands_in_chapters_name_options_that_are_there() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let (mut seen, mut mistakes) = (0, Vec::new());
    for (file, block) in readme::chapters().unwrap() {
        let is_shell = ["sh", "console"].contains(&block.language.as_str());
        for line in block.code.lines().filter(|_| is_shell) {
            let line = line.trim_start_matches("$ ").split(" #").next().unwrap();
            let words = line
                .split_whitespace()
                .skip_while(|word| word.contains('='));
            let words: Vec<&str> = words.collect();
            let (command, options) = match words[..] {
                // Words before the dashes are for cargo.
                ["cargo", "bench", ref rest @ ..]
                | ["iai-callgrind-runner", "bench", ref rest @ ..] => {
                    let dashes = rest.iter().position(|word| *word == "--");
                    ("bench", &rest[dashes.unwrap_or(rest.len())..])
                }
                ["iai-callgrind-runner", command, ref rest @ ..] => (command, rest),
                _ => continue,
            };
            let help = helps
                .entry(command.to_owned())
                .or_insert_with(|| match command {
                    "bench" => help(),
                    command => stdout(Command::new(runner()).args([command, "--help"])),
                });
            for word in options
                .iter()
                .filter(|word| word.len() > 2 && word.starts_with("--"))
            {
                let name = word.split('=').next().unwrap();
                seen += 1;
                if !help.contains(&format!(" {name}")) {
                    mistakes.push(format!("{file}:{}: `{name}` in `{line}`", block.line));
                }
            }
        }
    }
    assert!(seen > 20, "{seen}");
    assert_eq!(mistakes, [""; 0]);
}

#[test]
fn commands_name_our_aliases_and_our_version() {
    let config = lab::workspace_root().join(".cargo/config.toml");
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
                // Words before the dashes are for cargo.
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
        .current_dir(lab::workspace_root());
    let id = stdout(&mut pkgid);
    id.trim().rsplit(['#', '@']).next().unwrap().to_owned()
}
