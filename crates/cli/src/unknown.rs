//! Options that do not exist, and what to write instead of those that others tools have.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error};
use clap::{Arg, CommandFactory};

use super::Args;

/// Options that people try, and what does what they want. Where an option has nearly the name of
/// one of ours, clap finds it.
const TRIED: &[(&[&str], &str)] = &[
    (
        &["--metrics", "--metric", "--events", "--show"],
        "each tool has its own: `--callgrind-metrics=ir,@hits`, `--dhat-metrics=totalbytes`",
    ),
    (
        &["--limits", "--limit", "--threshold", "--max-regression"],
        "each tool has its own: `--callgrind-limits=ir=5%`",
    ),
    (
        &["--args", "--tool-args"],
        "each tool has its own: `--callgrind-args=--branch-sim=yes`; `--valgrind-args` is for all",
    ),
    (
        &["--verbose", "-v", "-vv", "--debug"],
        "`IAI_CALLGRIND_LOG=debug` shows what the runner does, `--nocapture` what benchmarks print, and \
         `--show-intermediate` each process and thread",
    ),
    (
        &["--jobs", "-j", "--threads"],
        "`--parallel=4` runs benchmarks side by side",
    ),
    (
        &[
            "--sample-size",
            "--sample-count",
            "--measurement-time",
            "--warm-up-time",
            "--nresamples",
            "--noise-threshold",
            "--significance-level",
            "--confidence-level",
        ],
        "a benchmark runs once and is counted, so there are neither samples nor times to choose",
    ),
    (
        &["--filter", "--only", "--bench-filter"],
        "a filter stands alone: `cargo bench -- sort`; `--skip` leaves out",
    ),
    (
        &["--json", "--format-json", "--message-format"],
        "`--output-format=json` writes JSON",
    ),
    (
        &["--no-run", "--release", "--package", "-p", "--features", "--profile"],
        "this is an option of cargo, which stands before `--`",
    ),
    (
        &[
            "--base",
            "--bisect",
            "--benches",
            "--branch",
            "--export",
            "--prune",
            "--remeasure",
            "--with",
        ],
        "this is an option of `iai-callgrind-runner bench`, and stands before `--` there",
    ),
    (
        &["--save", "--save-as"],
        "`--save-baseline=NAME` keeps results under a name",
    ),
    (
        &["--compare", "--against", "--compare-with"],
        "`--baseline=NAME` compares with results that `--save-baseline=NAME` kept",
    ),
    (
        &["--valgrind", "--valgrind-path"],
        "`--valgrind-bin=PATH` names another Valgrind",
    ),
    (
        &["--output-dir", "--target-dir", "--out-dir"],
        "`--home=DIRECTORY` is another place for the results",
    ),
    (
        &["--tool"],
        "`--tools=dhat,memcheck` runs further tools, `--default-tool=dhat` another one first",
    ),
];

/// The error of an unknown option with a tip, if it is one that people try.
pub(super) fn with_tip(mut error: Error) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let option = unknown.split('=').next().unwrap_or_default();
    let tried = TRIED.iter().find(|(names, _)| names.contains(&option));
    let tip = match tried {
        Some((_, tip)) => (*tip).to_owned(),
        None if is_of_valgrind(option) => format!(
            "options of Valgrind are arguments of a tool: `--callgrind-args={unknown}`, or \
             `--valgrind-args` for all tools"
        ),
        None => {
            if let Some(nearest) = nearer(&error, option) {
                error.insert(ContextKind::SuggestedArg, ContextValue::String(nearest));
                // It has the option that clap proposes.
                let usage = ContextValue::StyledStr(Args::command().render_usage());
                error.insert(ContextKind::Usage, usage);
            }
            return error;
        }
    };
    error.remove(ContextKind::SuggestedArg);
    let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tips);
    error
}

/// Most edits of a typing mistake.
const MOST_EDITS: usize = 2;

/// The option with fewer edits from the unknown one than that which clap proposes, if the user made
/// a typing mistake: clap takes `--load-baseline` for nearer to `--sav-baseline` than
/// `--save-baseline`, since it compares where letters are.
fn nearer(error: &Error, option: &str) -> Option<String> {
    let Some(ContextValue::String(proposed)) = error.get(ContextKind::SuggestedArg) else {
        return None;
    };
    let edits = |name: &str| strsim::osa_distance(option, name);
    let command = Args::command();
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let names = shown.filter_map(Arg::get_long);
    let names = names.map(|name| format!("--{name}"));
    let nearest = names.min_by_key(|name| edits(name))?;
    let most = MOST_EDITS.min(edits(proposed).saturating_sub(1));
    (edits(&nearest) <= most).then_some(nearest)
}

/// Is this an option of Valgrind or of Callgrind that people use?
fn is_of_valgrind(option: &str) -> bool {
    const BEGINS: [&str; 6] = [
        "--toggle-collect",
        "--dump-",
        "--collect-",
        "--cache-sim",
        "--branch-sim",
        "--trace-children",
    ];
    let begins = BEGINS.iter().any(|begin| option.starts_with(begin));
    begins || ["--I1", "--D1", "--LL"].contains(&option)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[track_caller]
    fn check(option: &str, tip: &str) {
        let error = with_tip(Args::try_parse_from([option]).unwrap_err()).to_string();
        assert!(error.contains(&format!("tip: {tip}")), "{error}");
        assert_eq!(error.matches("tip: ").count(), 1, "{error}");
    }

    #[test]
    fn options_that_people_try_have_tips() {
        check(
            "--metrics=ir",
            "each tool has its own: `--callgrind-metrics=ir,@hits`",
        );
        check("--verbose", "`IAI_CALLGRIND_LOG=debug` shows");
        check("-v", "`IAI_CALLGRIND_LOG=debug` shows");
        check("-j4", "`--parallel=4` runs");
        check("--no-run", "this is an option of cargo");
        check(
            "--base=main",
            "this is an option of `iai-callgrind-runner bench`",
        );
        check("--sample-size=10", "a benchmark runs once");
        check(
            "--branch-sim=yes",
            "options of Valgrind are arguments of a tool: `--callgrind-args=--branch-sim",
        );
        check("--LL=1,2,3", "options of Valgrind");
        // clap knows the nearest one.
        check(
            "--callgrind-arg",
            "a similar argument exists: '--callgrind-args'",
        );
    }

    #[test]
    fn the_option_with_the_fewest_edits_is_proposed() {
        for (typed, expected) in [
            ("--sav-baseline=x", "--save-baseline"),
            ("--save-baselin", "--save-baseline"),
            ("--lod-baseline", "--load-baseline"),
            ("--baselien", "--baseline"),
            ("--load", "--load-baseline"),
        ] {
            check(typed, &format!("a similar argument exists: '{expected}'\n"));
        }
        let error = with_tip(Args::try_parse_from(["--sav-baseline"]).unwrap_err()).to_string();
        assert!(!error.contains("load-baseline"), "{error}");
        assert!(error.contains("\nUsage: cargo bench -- "), "{error}");
    }

    #[test]
    fn no_option_of_ours_is_in_the_table() {
        let command = Args::command();
        let ours: Vec<String> = command
            .get_arguments()
            .flat_map(|arg| arg.get_long_and_visible_aliases().unwrap_or_default())
            .map(|long| format!("--{long}"))
            .collect();
        for name in TRIED.iter().flat_map(|(names, _)| names.iter()) {
            assert!(!ours.iter().any(|our| our == name), "{name}");
        }
    }
}
