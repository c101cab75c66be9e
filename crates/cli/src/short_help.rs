//! The text that `-h` shows after `cargo bench --`: all options in two screens, the most used ones
//! first.
//!
//! `--help` and `docs/options.md` have the headings of the definitions.

use clap::{Arg, ArgAction, Command, CommandFactory};
use iai_callgrind::protocol::options::ToolOption;
use iai_callgrind::protocol::Tool;

use super::args::is_yes_no;
use super::Args;

/// The options that most users need, in this order.
const MOST_USED: [&str; 12] = [
    "list",
    "save-baseline",
    "baseline",
    "callgrind-limits",
    "callgrind-metrics",
    "tools",
    "instructions-only",
    "parallel",
    "explain",
    "flamegraph",
    "nocapture",
    "output-format",
];

/// The heading of what is left of metrics and limits: the most used ones have a place of their own,
/// and those of other tools are not shown.
const LEFT_OF_METRICS: &str = "Limits and exit code";

const OTHER_TOOLS: &str =
    "Every tool has the options that Callgrind has: `--dhat-metrics`, `--memcheck-args`, …
Each option has a variable, such as IAI_CALLGRIND_PARALLEL; see --help.";

/// The command line with the help for `-h`.
pub(super) fn command() -> Command {
    let all = Args::command();
    let most_used = MOST_USED.iter().filter_map(|name| {
        let mut arguments = all.get_arguments();
        let found = arguments.find(|arg| arg.get_long() == Some(name))?;
        Some(found.clone().help_heading("Most used"))
    });
    let others = all.get_arguments().filter(|arg| !is_most_used(arg));
    let others = others.map(|arg| {
        let arg = arg.clone().hide_short_help(is_of_other_tool(arg));
        match arg.get_help_heading() {
            Some("Metrics and limits") => arg.help_heading(LEFT_OF_METRICS),
            _ => arg,
        }
    });
    let arguments = most_used.chain(others).map(without_yes_no);
    // They still know the order of their definitions.
    let arguments = arguments
        .enumerate()
        .map(|(at, arg)| match arg.is_positional() {
            true => arg,
            false => arg.display_order(at),
        });
    let exit_codes = all.get_after_help().cloned().unwrap_or_default();
    Command::new(all.get_name().to_owned())
        .no_binary_name(true)
        .version(all.get_version().unwrap_or_default().to_owned())
        .about(all.get_about().cloned().unwrap_or_default())
        .after_help(format!("{OTHER_TOOLS}\n\n{exit_codes}"))
        .args(arguments)
}

/// `--strict` for `--strict[=<BOOL>]`, whose value few type.
fn without_yes_no(arg: Arg) -> Arg {
    match is_yes_no(&arg) {
        true => arg
            .action(ArgAction::SetTrue)
            .num_args(0)
            .require_equals(false),
        false => arg,
    }
}

fn is_most_used(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| MOST_USED.contains(&name))
}

/// Is it the option of another tool that Callgrind has as well?
fn is_of_other_tool(arg: &Arg) -> bool {
    let others = || {
        Tool::ALL
            .into_iter()
            .filter(|tool| *tool != Tool::Callgrind)
    };
    let options = [ToolOption::Args, ToolOption::Metrics, ToolOption::Limits];
    let mut names = options
        .into_iter()
        .flat_map(|option| others().map(move |tool| option.of(tool)));
    let long = arg.get_long().unwrap_or_default();
    names.any(|name| name.trim_start_matches('-') == long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_fits_on_two_screens_with_the_most_used_first() {
        let help = command().term_width(80).render_help().to_string();
        let lines: Vec<&str> = help.lines().collect();
        assert!(lines.len() <= 100, "{} lines\n{help}", lines.len());
        let widest = lines.iter().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{help}");
        let begin = lines.iter().position(|line| *line == "Most used:");
        let begin = begin.unwrap_or_else(|| panic!("no group\n{help}"));
        let other = lines.iter().position(|line| *line == "Selection:");
        assert!(Some(begin) < other, "{help}");
        for (line, name) in lines[begin + 1..].iter().zip(MOST_USED) {
            assert!(line.contains(&format!("--{name}")), "{name}: {line}");
        }
        // Neither metrics nor values of limits are left there.
        let left = lines
            .iter()
            .position(|line| *line == "Limits and exit code:");
        let left = left.unwrap_or_else(|| panic!("no group\n{help}"));
        for (line, name) in
            lines[left + 1..]
                .iter()
                .zip(["regression-fail", "exit-zero", "strict", ""])
        {
            assert!(line.contains(name), "{name}: {line}");
            assert_eq!(line.is_empty(), name.is_empty(), "{help}");
        }
        assert!(!help.contains("Metrics and limits"), "{help}");
    }
}
