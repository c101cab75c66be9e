//! `docs/options.md` has every option and command, as they are defined. `SNAPSHOTS=overwrite`
//! writes them there.

use std::fs;
use std::path::Path;

use clap::{Arg, CommandFactory};
use iai_callgrind_runner::cli::{Args, CommandLine};

/// Chapters that say more about an option of a run.
const MORE: [(&str, &str); 45] = [
    ("--partition", "many-machines.md"),
    ("--timings", "many-machines.md#run-a-part"),
    ("--save-baseline", "two-commits.md"),
    ("--baseline", "two-commits.md"),
    ("--baseline-lenient", "two-commits.md"),
    ("--load-baseline", "two-commits.md"),
    ("--fork", "tools.md#what-all-tools-have"),
    (
        "--exit-handlers",
        "library-benchmarks.md#the-end-of-the-process",
    ),
    ("--check-determinism", "determinism.md"),
    ("--verify", "verify.md"),
    ("--test", "first-benchmark.md#without-valgrind"),
    ("--tools", "tools.md"),
    ("--default-tool", "tools.md"),
    (
        "--valgrind-args",
        "library-benchmarks.md#arguments-for-tools",
    ),
    (
        "--callgrind-args",
        "library-benchmarks.md#arguments-for-tools",
    ),
    ("--instructions-only", "library-benchmarks.md#fast-setups"),
    ("--fast-setup", "library-benchmarks.md#fast-setups"),
    ("--perf-events", "perf.md"),
    ("--perf-record", "perf.md"),
    ("--perf-run-mode", "perf.md"),
    ("--perf-sampling", "perf.md"),
    ("--perf-limits", "perf.md"),
    ("--callgrind-metrics", "tools.md#callgrind-and-cachegrind"),
    ("--dhat-metrics", "tools.md#dhat"),
    ("--massif-metrics", "tools.md#massif"),
    ("--callgrind-limits", "tools.md#what-all-tools-have"),
    ("--exit-zero", "ci.md"),
    ("--strict", "output.md#results-of-other-conditions"),
    ("--nocapture", "output.md#what-benchmarks-print"),
    (
        "--show-intermediate",
        "output.md#processes-threads-and-parts",
    ),
    ("--show-comparison", "output.md#comparisons-by-id"),
    ("--show-only-comparison", "output.md#comparisons-by-id"),
    ("--explain", "explain.md"),
    ("--flamegraph", "flamegraphs.md"),
    ("--output-format", "json.md"),
    ("--save-summary", "json.md"),
    ("--time", "time.md"),
    ("--time-limits", "time.md#limits-and-ci"),
    ("--time-base", "time.md#limits-and-ci"),
    ("--label", "compare.md"),
    ("--color", "output.md#colours"),
    ("--home", "output.md#kept-results"),
    ("--tool-runner", "tool-runner.md"),
    ("--tool-runner-dest", "tool-runner.md"),
    ("--tool-runner-root", "tool-runner.md"),
];

/// Chapters about commands.
const CHAPTERS: [(&str, &str); 10] = [
    ("accept", "accept.md"),
    ("bench", "two-commits.md#all-bench-files-with-one-verdict"),
    ("compare", "compare.md"),
    ("doctor", "errors.md"),
    ("explain", "explain.md#without-running-anything"),
    ("history", "history.md"),
    ("merge", "compare.md"),
    ("open", "page.md"),
    ("report", "compare.md"),
    ("verify", "verify.md"),
];

/// Help text of an option: its effect, and the default and variable in brackets.
struct Help {
    effect: String,
    default: Option<String>,
    variable: Option<String>,
}

impl Help {
    fn of(arg: &Arg) -> Self {
        let text = arg.get_long_help().or(arg.get_help()).unwrap().to_string();
        let mut help = Self {
            effect: text.split_whitespace().collect::<Vec<_>>().join(" "),
            default: None,
            variable: None,
        };
        while let Some(rest) = help.effect.strip_suffix(']') {
            let Some((effect, facts)) = rest.rsplit_once(" [") else {
                break;
            };
            match facts.split_once(": ") {
                Some(("default", default)) => help.default = Some(default.to_owned()),
                Some((key, name)) if key.starts_with("variable") => {
                    help.variable = Some(name.to_owned());
                }
                _ => break,
            }
            help.effect = effect.to_owned();
        }
        help
    }
}

/// `--tolerance [PERCENT]`, `--strict[=BOOL]`, `FILTER...`.
fn usage(arg: &Arg) -> String {
    let value = arg.get_value_names().map(|names| names[0].to_string());
    let number = arg.get_num_args().unwrap_or_default();
    let is_list = number.max_values() > 1;
    let dots = if is_list { "..." } else { "" };
    let Some(long) = arg.get_long() else {
        // Where one name stands for two, it has their brackets.
        return format!("{}{dots}", value.unwrap().replace("> <", " "));
    };
    let short = arg.get_short().map(|short| format!("-{short}, "));
    let name = format!("{}--{long}", short.unwrap_or_default());
    match value.filter(|_| number.takes_values()) {
        None => name,
        Some(value) if number.min_values() > 0 => format!("{name} {value}{dots}"),
        Some(value) if arg.is_require_equals_set() => format!("{name}[={value}]"),
        Some(value) => format!("{name} [{value}]"),
    }
}

fn row(arg: &Arg, more: Option<&str>) -> String {
    let help = Help::of(arg);
    let mut effect = help.effect;
    effect += match effect.ends_with(['.', '…']) {
        true => "",
        false => ".",
    };
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| {
            arg.get_num_args()
                .is_some_and(|number| number.takes_values())
                && !value.is_hide_set()
        })
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !values.is_empty() && !arg.is_hide_possible_values_set() {
        effect += &format!(" Values: {}.", values.join(", "));
    }
    if let Some(default) = help.default {
        effect += &format!(" Default: {default}.");
    }
    if let Some(variable) = help.variable {
        effect += &format!(" Variable: `{variable}`.");
    }
    if let Some(chapter) = more {
        effect += &format!(" [More]({chapter})");
    }
    // A bar ends a cell, also in code; `<` begins an element.
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
    format!(
        "| `{}` | {} |\n",
        usage(arg).replace('|', "\\|"),
        cell(&effect)
    )
}

/// The begin of a table; the class is the book's.
const HEAD: &str = "<div class=\"options\">\n\n| option | effect |\n| --- | --- |\n";
const END: &str = "\n</div>\n";

/// All options of a run that the help shows, in its order.
fn options() -> String {
    let mut command = Args::command();
    command.build();
    let mut text = String::new();
    let mut heading = "";
    let mut named = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let long = arg.get_long().map(|long| format!("--{long}"));
        if ["--help", "--version"].contains(&long.as_deref().unwrap_or_default()) {
            continue;
        }
        // Only filters have none, which select as well.
        let of = arg.get_help_heading().unwrap_or("Selection");
        if of != heading {
            text += if text.is_empty() { "" } else { END };
            heading = of;
            text += &format!("\n### {heading}\n\n{HEAD}");
        }
        let more = MORE.iter().find(|(name, _)| Some(*name) == long.as_deref());
        named.extend(more.map(|(name, _)| *name));
        text += &row(arg, more.map(|(_, chapter)| *chapter));
    }
    let gone = MORE.iter().filter(|(name, _)| !named.contains(name));
    assert_eq!(
        gone.count(),
        0,
        "a chapter about an option that is not there"
    );
    text + "\n"
}

/// The runner's commands and their options.
fn commands() -> String {
    let mut command = CommandLine::command();
    command.build();
    let mut text = String::new();
    for command in command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        let name = command.get_name();
        let about = command.get_about().unwrap();
        text += &format!("\n### {name}\n\n{about}.");
        if let Some((_, chapter)) = CHAPTERS.iter().find(|(of, _)| *of == name) {
            text += &format!(" [More]({chapter})");
        }
        text += &format!("\n\n{HEAD}");
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        for arg in shown.filter(|arg| !["help", "version"].contains(&arg.get_id().as_str())) {
            text += &row(arg, None);
        }
        text += END;
    }
    text + "\n"
}

#[expect(
    clippy::disallowed_methods,
    reason = "how the test is run, and no setting of the runner"
)]
#[track_caller]
fn check(part: &str, expected: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/options.md");
    // Without it the package is alone.
    let Ok(page) = fs::read_to_string(&file) else {
        return;
    };
    let begin = format!("<!-- {part}: generated -->\n");
    let (before, rest) = page.split_once(&begin).unwrap();
    let (seen, after) = rest
        .split_once("<!-- end of what is generated -->")
        .unwrap();
    if seen == expected {
        return;
    }
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        let end = "<!-- end of what is generated -->";
        fs::write(&file, format!("{before}{begin}{expected}{end}{after}")).unwrap();
        return;
    }
    panic!("docs/options.md is not what the definitions say (SNAPSHOTS=overwrite writes it):\n{expected}");
}

/// One test, since both write one file.
#[test]
fn the_page_has_every_option_and_every_command() {
    let (options, commands) = (options(), commands());
    for (text, rows) in [(&options, 70), (&commands, 40)] {
        let seen = text.lines().filter(|line| line.starts_with("| `")).count();
        assert!(seen > rows, "{seen} rows\n{text}");
    }
    check("options", &options);
    check("commands", &commands);
}
