//! Answers to questions, and what shells make of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::{Arc, Mutex};

use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;

use super::{answer, script, CommandLines, NameKind};

const HOSTILE: [&str; 10] = [
    "app::g::$(touch made)",
    "app::g::`touch made`",
    "app::g::a b\"c'd",
    "app::g::*",
    "app::g::; touch made; x",
    "app::g::!!$HOME{a,b}",
    "app::g::back\\slash",
    "app::g::[x]",
    "app::g::ü & > made",
    "app::g::x = (1: 2)",
];

fn run_line() -> Command {
    let filters = Arg::new("filters").num_args(1..).value_name("FILTER");
    let option = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).help("Does it")
    };
    Command::new("cargo bench --").no_binary_name(true).args([
        filters,
        option("baseline", "NAME").num_args(0..=1),
        option("skip", "FILTER").action(ArgAction::Append),
        option("tools", "TOOLS").value_delimiter(','),
        option("strict", "BOOL")
            .require_equals(true)
            .num_args(0..=1),
        option("callgrind-metrics", "METRICS"),
        option("dhat-limits", "LIMITS"),
        option("label", "TEXT"),
        option("home", "DIRECTORY").value_parser(clap::value_parser!(PathBuf)),
        option("secret", "TEXT").hide(true),
    ])
}

fn program() -> Command {
    let format = Arg::new("format")
        .long("format")
        .value_parser(["json", "html"]);
    let export = Arg::new("export").long("export").value_name("FORMAT=FILE");
    let results = || Arg::new("results").num_args(1..).value_name("RESULTS");
    let home = Arg::new("home").long("home");
    let compare = Command::new("compare").args([results(), format, export, home]);
    let history = Command::new("history").arg(results());
    let bench = Command::new("bench").arg(Arg::new("words").last(true).num_args(1..));
    Command::new("iai-callgrind-runner").subcommands([compare, history, bench])
}

/// The answer to words, of which the last one may be empty, and the homes that were looked into.
fn asked(shell: Shell, line: &str, names: &[&str]) -> (Vec<String>, Vec<Option<PathBuf>>) {
    let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
    let homes = Arc::new(Mutex::new(Vec::new()));
    let (seen, names) = (homes.clone(), names.join("\u{1}"));
    let source = move |kind, home: Option<&Path>| {
        seen.lock().unwrap().push(home.map(Path::to_owned));
        match kind {
            NameKind::Baselines => ["main", "v1"].map(str::to_owned).into(),
            NameKind::Benchmarks => names.split('\u{1}').map(str::to_owned).collect(),
        }
    };
    let lines = CommandLines {
        program: program(),
        run: run_line(),
    };
    let text = answer(shell, lines, &words, Arc::new(source));
    let homes = homes.lock().unwrap().clone();
    (text.lines().map(str::to_owned).collect(), homes)
}

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    let names = ["app::g::a", "app::g::b", "other::g::c"];
    assert_eq!(asked(Shell::Bash, line, &names).0, expected, "{line}");
}

#[test]
fn values_and_names_are_proposed() {
    check("iai-callgrind-runner c", &["compare"]);
    check("iai-callgrind-runner compare @m", &["@main"]);
    check("iai-callgrind-runner compare ", &["@main", "@v1"]);
    check("iai-callgrind-runner compare x", &[]);
    check("iai-callgrind-runner history @", &[]);
    check("iai-callgrind-runner compare --format ", &["json", "html"]);
    check(
        "iai-callgrind-runner compare --export=j",
        &["--export=json="],
    );
    let all = ["app::g::a", "app::g::b"];
    check("cargo bench -p x -- app", &all);
    check("iai-callgrind-runner bench -- --skip app", &all);
    check("cargo bench -- --skip=o", &["--skip=other::g::c"]);
    check("cargo bench -- app -- o", &["other::g::c"]);
    check("cargo bench -- --baseline ", &["main", "v1"]);
    check("cargo bench -- --baseline=v", &["--baseline=v1"]);
    check("cargo bench -- --baseline app", &all);
    check(
        "cargo bench -- --tools=dhat,ca",
        &["--tools=dhat,callgrind", "--tools=dhat,cachegrind"],
    );
    check("cargo bench -- --strict=", &["--strict=yes", "--strict=no"]);
    check("cargo bench -- --strict app", &all);
    check(
        "cargo bench -- --callgrind-metrics ir,@cacheh",
        &["ir,@cachehits", "ir,@cachehitrates"],
    );
    check("cargo bench -- --dhat-limits totalby", &["totalbytes="]);
    check("cargo bench -- --se", &[]);
    check("cargo bench -- --la", &["--label="]);
    // Shells complete paths.
    check("cargo bench -- --home ", &[]);
    check("cargo bench -- --home=/", &[]);
}

/// A value may follow some options, and must follow others.
#[test]
fn options_that_need_a_value_end_with_equals() {
    check("cargo bench -- --dhat-lim", &["--dhat-limits="]);
    check("cargo bench -- --dhat-limits", &["--dhat-limits="]);
    check("cargo bench -- --base", &["--baseline"]);
    check("cargo bench -- --stri", &["--strict"]);
    check("iai-callgrind-runner bench -- --sk", &["--skip="]);
    check("iai-callgrind-runner compare --form", &["--format="]);
    check("iai-callgrind-runner history --form", &[]);
    // Shells complete `~` in a word of its own.
    check("cargo bench -- --hom", &["--home"]);
}

#[test]
fn names_are_looked_up_only_where_they_are_asked_for() {
    let homes = |line| asked(Shell::Bash, line, &[]).1;
    assert!(homes("cargo bench -- --la").is_empty());
    assert!(homes("iai-callgrind-runner compare --format ").is_empty());
    assert!(homes("iai-callgrind-runner compare file").is_empty());
    let line = "iai-callgrind-runner compare --home a --home=b @";
    assert_eq!(homes(line), [Some("b".into())]);
    let line = "iai-callgrind-runner compare --home a @";
    assert_eq!(homes(line), [Some("a".into())]);
    assert_eq!(homes("iai-callgrind-runner compare @"), [None]);
}

#[test]
fn help_follows_where_a_shell_shows_it() {
    let found = |shell| asked(shell, "cargo bench -- --lab", &[]).0;
    assert_eq!(found(Shell::Bash), ["--label="]);
    assert_eq!(found(Shell::Zsh), ["--label=\tDoes it"]);
    assert_eq!(found(Shell::Fish), ["--label=\tDoes it"]);
}

#[test]
fn names_that_are_no_word_are_left_out() {
    let long = "x".repeat(1001);
    let names = [
        "-rf",
        "~root",
        "",
        "a\nb",
        "a\tb",
        "a\u{7f}",
        "\u{1b}[31m",
        "a\u{202e}b",
        &long,
        "ok $(x)",
    ];
    assert_eq!(asked(Shell::Fish, "cargo bench -- ", &names).0, ["ok $(x)"]);
}

#[test]
fn other_shells_have_the_script_of_clap() {
    for shell in [Shell::Elvish, Shell::PowerShell] {
        let text = script(shell, &mut program());
        assert!(
            text.contains("compare") && text.contains("format"),
            "{text}"
        );
    }
}

/// A directory with a runner that answers any question with these lines. `sh` is the runner: its
/// first word names the file that it reads.
fn project(lines: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    std::fs::create_dir(place("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/sh", place("bin/iai-callgrind-runner")).unwrap();
    std::fs::write(
        place("completions"),
        "printf '%s\\n' \"$@\" >asked; cat names",
    )
    .unwrap();
    std::fs::write(place("names"), lines.join("\n") + "\n").unwrap();
    folder
}

/// Runs a shell program that contains our script, in a directory, and returns its output. `None`:
/// there is no shell.
#[expect(clippy::disallowed_methods, reason = "a shell completes for us")]
fn printed(shell: Shell, folder: &Path, before: &str, after: &str) -> Option<String> {
    let text = [before, &script(shell, &mut program()), after].join("\n");
    std::fs::write(folder.join("program"), text).unwrap();
    let name = shell.to_string();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = vec![folder.join("bin")];
    all.extend(std::env::split_paths(&path));
    let mut process = Process::new(&name);
    let process = process
        .arg("program")
        .current_dir(folder)
        .env("HOME", folder);
    let output = match process
        .env("PATH", std::env::join_paths(all).unwrap())
        .output()
    {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: `{name}` does not start: {error}");
            return None;
        }
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && error.is_empty(),
        "{name}: {error}"
    );
    assert!(!folder.join("made").exists(), "a name was run");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
#[expect(clippy::disallowed_methods, reason = "shellcheck reads the script")]
fn shellcheck_finds_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shells/completions.bash");
    match Process::new("shellcheck")
        .args(["--shell=bash", path])
        .output()
    {
        Ok(output) => assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        ),
        Err(error) => eprintln!("skipped: `shellcheck` does not start: {error}"),
    }
}

fn in_bash(folder: &Path, before: &str, line: &str, words: &str) -> Option<String> {
    let after = format!(
        "COMP_WORDBREAKS=$' \\t\\n\"\\'@><=;|&(:' COMP_LINE='{line}' COMP_WORDS=({words})\n\
         COMP_POINT=${{#COMP_LINE}} COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
         f=$(complete -p ${{COMP_WORDS[0]}}) f=${{f#*-F }}\n\
         ${{f%% *}} ${{COMP_WORDS[0]}}\n\
         for reply in \"${{COMPREPLY[@]}}\"; do eval \"args=($reply)\"; printf '%s|' \"${{args[@]}}\"; done"
    );
    printed(Shell::Bash, folder, before, &after)
}

/// The word that bash puts on the command line is the name again, once bash has read it.
#[test]
fn bash_expands_no_name() {
    let project = project(&HOSTILE);
    let line = "iai-callgrind-runner history ";
    let words = "iai-callgrind-runner history ''";
    let Some(found) = in_bash(project.path(), "", line, words) else {
        return;
    };
    assert_eq!(found, HOSTILE.join("|") + "|");
}

#[test]
fn bash_is_asked_with_whole_words_and_replaces_the_last_part() {
    let project = project(&["--skip=app::g::a b", "--skip=app::g::c"]);
    let line = "cargo bench -- --baseline x\\ y --skip=app::g::";
    let words = "cargo bench -- --baseline 'x\\ y' --skip = app :: g ::";
    let Some(found) = in_bash(project.path(), "", line, words) else {
        return;
    };
    assert_eq!(found, "a b|c|");
    let asked = std::fs::read_to_string(project.path().join("asked")).unwrap();
    let expected = [
        "bash",
        "--",
        "cargo",
        "bench",
        "--",
        "--baseline",
        "x y",
        "--skip=app::g::",
    ];
    assert_eq!(asked.lines().collect::<Vec<_>>(), expected);
    let line = "iai-callgrind-runner compare @m";
    std::fs::write(project.path().join("names"), "@main\n").unwrap();
    let found = in_bash(project.path(), "", line, "iai-callgrind-runner compare @ m");
    assert_eq!(found.as_deref(), Some("main|"));
}

#[test]
fn bash_leaves_the_rest_of_cargo_to_others() {
    let project = project(&["--valgrind-bin"]);
    let theirs = "_theirs() { COMPREPLY=(theirs); }; complete -F _theirs cargo";
    let complete = |line: &str| in_bash(project.path(), theirs, line, line);
    let Some(found) = complete("cargo bench --be") else {
        return;
    };
    assert_eq!(found, "theirs|");
    assert_eq!(
        complete("cargo test -- --valgrind-b").as_deref(),
        Some("theirs|")
    );
    assert_eq!(
        complete("cargo bench -- --valgrind-b").as_deref(),
        Some("--valgrind-bin|")
    );
}

/// `compadd` quotes what it inserts; the names have to reach it as they are.
#[test]
fn zsh_expands_no_name() {
    let project = project(&HOSTILE);
    let after = "compadd() { while [[ $1 != -- ]]; do shift; done; shift; printf '%s|' \"$@\" }\n\
                 _files() { printf files }\n\
                 words=(iai-callgrind-runner 'a\\ b' '') CURRENT=3 PREFIX=\n_iai_callgrind_propose";
    let Some(found) = printed(Shell::Zsh, project.path(), "", after) else {
        return;
    };
    assert_eq!(found, HOSTILE.join("|") + "|");
    let asked = std::fs::read_to_string(project.path().join("asked")).unwrap();
    assert_eq!(asked, "zsh\n--\niai-callgrind-runner\na b\n\n");
    std::fs::write(project.path().join("names"), "").unwrap();
    let found = printed(Shell::Zsh, project.path(), "", after);
    assert_eq!(found.as_deref(), Some("files"));
}

/// No blank follows an option that needs a value: `_describe` gets such words with `-S ''`.
#[test]
fn zsh_adds_no_blank_after_equals() {
    let project = project(&["--limits=\tSet limits", "--list\tPrint names", "a="]);
    let after = "compadd() { printf '%s ' compadd \"$@\"; print }\n\
                 _describe() {\n  \
                 local name; shift\n  \
                 for name; do\n    \
                 case $name in described|valued) print -r -- $name ${(P)name};; *) print -r -- ${(qq)name};; esac\n  \
                 done\n\
                 }\n\
                 words=(iai-callgrind-runner '--li') CURRENT=2 PREFIX=--li\n_iai_callgrind_propose";
    let Some(found) = printed(Shell::Zsh, project.path(), "", after) else {
        return;
    };
    let expected = "compadd -S  -- a= \n\
                    described --list:Print names\n'--'\n\
                    valued --limits=:Set limits\n'-S'\n''\n";
    assert_eq!(found, expected);
}

#[test]
fn fish_expands_no_name() {
    let project = project(&HOSTILE);
    let after = "complete -C 'iai-callgrind-runner a\\ b '";
    let Some(found) = printed(Shell::Fish, project.path(), "", after) else {
        return;
    };
    let mut expected = HOSTILE;
    let mut found: Vec<&str> = found.lines().collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    let asked = std::fs::read_to_string(project.path().join("asked")).unwrap();
    assert_eq!(asked, "fish\n--\niai-callgrind-runner\na b\n\n");
}
