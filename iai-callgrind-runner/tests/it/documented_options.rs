//! `docs/options.md` has every option and command, as they are defined. `SNAPSHOTS=overwrite`
//! writes them there.

use std::collections::HashMap;
use std::path::Path;
use std::{fs, mem};

use clap::{Arg, CommandFactory};
use cli::{Args, CommandLine};

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

/// The names of tools, in whose place rows of several tools say `the tool`.
const TOOLS: [&str; 8] = [
    "Callgrind",
    "Cachegrind",
    "DHAT",
    "Massif",
    "exp-bbv",
    "Memcheck",
    "Helgrind",
    "DRD",
];

/// A row of a table: options with one effect. Those of several tools are one row.
struct Row {
    options: Vec<String>,
    effect: String,
}

impl Row {
    /// The row of several options, if this and the next one differ in the tool alone.
    fn with(&self, next: &Self) -> Option<Self> {
        let effect = of_any_tool(&self.effect);
        (self.effect != next.effect && effect == of_any_tool(&next.effect)).then(|| Self {
            options: [&self.options[..], &next.options[..]].concat(),
            effect,
        })
    }

    fn text(&self) -> String {
        // A bar ends a cell, also in code; `<` begins an element.
        let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
        let options: Vec<String> = self
            .options
            .iter()
            .map(|option| format!("`{}`", option.replace('|', "\\|")))
            .collect();
        format!("| {} | {} |\n", options.join(", "), cell(&self.effect))
    }
}

fn of_any_tool(effect: &str) -> String {
    TOOLS.iter().fold(effect.to_owned(), |text, tool| {
        text.replace(tool, "the tool")
    })
}

/// The rows, those of several tools as one.
fn table(rows: Vec<Row>) -> String {
    let mut joined: Vec<Row> = Vec::new();
    for row in rows {
        match joined.last().and_then(|last| last.with(&row)) {
            Some(both) => *joined.last_mut().unwrap() = both,
            None => joined.push(row),
        }
    }
    joined.iter().map(Row::text).collect()
}

/// Is this what the page says of options without a default?
fn is_off(default: &str) -> bool {
    let default = default
        .strip_prefix("as configured, else ")
        .unwrap_or(default);
    matches!(default, "none" | "no")
}

fn row(arg: &Arg, more: Option<&str>) -> Row {
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
    if let Some(default) = help.default.filter(|default| !is_off(default)) {
        effect += &format!(" Default: {default}.");
    }
    if let Some(variable) = help.variable {
        let long = arg.get_long().unwrap_or_default().to_uppercase();
        if variable != format!("IAI_CALLGRIND_{}", long.replace('-', "_")) {
            effect += &format!(" Variable: `{variable}`.");
        }
    }
    if let Some(chapter) = more {
        effect += &format!(" [More]({chapter})");
    }
    Row {
        options: vec![usage(arg)],
        effect,
    }
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
    let mut rows = Vec::new();
    let mut named = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let long = arg.get_long().map(|long| format!("--{long}"));
        if ["--help", "--version"].contains(&long.as_deref().unwrap_or_default()) {
            continue;
        }
        // Only filters have none, which select as well.
        let of = arg.get_help_heading().unwrap_or("Selection");
        if of != heading {
            text += &table(mem::take(&mut rows));
            text += if text.is_empty() { "" } else { END };
            heading = of;
            text += &format!("\n### {heading}\n\n{HEAD}");
        }
        let more = MORE.iter().find(|(name, _)| Some(*name) == long.as_deref());
        named.extend(more.map(|(name, _)| *name));
        rows.push(row(arg, more.map(|(_, chapter)| *chapter)));
    }
    let gone = MORE.iter().filter(|(name, _)| !named.contains(name));
    assert_eq!(
        gone.count(),
        0,
        "a chapter about an option that is not there"
    );
    text + &table(rows) + "\n"
}

/// The name of an option without its value; one name stands for the limits of all tools.
fn short_name(option: &str) -> String {
    let name = option.split(' ').next().unwrap();
    match name.ends_with("-limits") {
        true => "`--callgrind-limits` and those of other tools".to_owned(),
        false => format!("`{name}`"),
    }
}

/// The runner's commands and their options; those of several commands once, at the end.
fn commands() -> String {
    let mut command = CommandLine::command();
    command.build();
    let commands: Vec<_> = command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
        .map(|command| {
            let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
            let own = shown.filter(|arg| !["help", "version"].contains(&arg.get_id().as_str()));
            (command, own.map(|arg| row(arg, None)).collect::<Vec<_>>())
        })
        .collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for row in commands.iter().flat_map(|(_, rows)| rows) {
        *times.entry(row.text()).or_default() += 1;
    }
    let mut text = String::new();
    let mut shared: Vec<Row> = Vec::new();
    for (command, rows) in commands {
        let name = command.get_name();
        let about = command.get_about().unwrap();
        text += &format!("\n### {name}\n\n{about}.");
        if let Some((_, chapter)) = CHAPTERS.iter().find(|(of, _)| *of == name) {
            text += &format!(" [More]({chapter})");
        }
        let (several, own): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| times[&row.text()] > 1);
        text += "\n";
        if !own.is_empty() {
            text += &format!("\n{HEAD}{}{END}", table(own));
        }
        if !several.is_empty() {
            let names = several.iter().flat_map(|row| &row.options);
            let mut names: Vec<_> = names.map(|name| short_name(name)).collect();
            names.dedup();
            text += &format!(
                "\nAnd [of several commands](#options-of-several-commands): {}.\n",
                names.join(", ")
            );
        }
        for row in several {
            if shared.iter().all(|known| known.text() != row.text()) {
                shared.push(row);
            }
        }
    }
    text += &format!(
        "\n### Options of several commands\n\n{HEAD}{}{END}",
        table(shared)
    );
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
    for (text, rows) in [(&options, 50), (&commands, 40)] {
        let seen = text.lines().filter(|line| line.starts_with("| `")).count();
        assert!(seen > rows, "{seen} rows\n{text}");
    }
    check("options", &options);
    check("commands", &commands);
}
