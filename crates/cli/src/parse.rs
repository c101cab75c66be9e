//! The command line and the environment together.
//!
//! A variable is an option that the command line does not have: it stands before the command line
//! as a word of its own, so that grammar, conflicts and requirements are the same. Errors name it.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{ArgAction, Command, CommandFactory, Parser};
use iai_callgrind::protocol::options::{self, Word, FILTER_VARIABLE};

use super::env::{OptionVariable, RunnerEnvironment};
use super::renamed::renamed;
use super::short_help;
use super::time_options::WantedTime;
use super::unknown::with_tip;
use super::Args;

/// The words after `cargo bench --`, together with the options that the environment sets.
///
/// # Errors
///
/// A mistake, or a text to be printed such as the help.
pub fn parse(line: &[OsString], environment: &RunnerEnvironment) -> Result<Args, Error> {
    let command = Args::command();
    let given = options::words(line);
    let mut variables = environment.options();
    variables.retain(|variable| adds(&command, variable) || !is_given(&command, &given, variable));
    let mut words: Vec<OsString> = variables.iter().map(OptionVariable::word).collect();
    words.extend_from_slice(line);
    let has_filter = given.iter().any(|word| matches!(word, Word::Filter(_)));
    if let Some(filter) = environment.get(FILTER_VARIABLE).filter(|_| !has_filter) {
        // Behind dashes, since a filter may begin with one itself.
        if !line.iter().any(|word| word == "--") {
            words.push("--".into());
        }
        words.push(filter.to_owned());
    }
    let args = Args::try_parse_from(&words).map_err(|error| match Args::try_parse_from(line) {
        // The usage in the error has to be that of the line alone.
        Err(own) if own.kind() == ErrorKind::UnknownArgument => with_tip(own),
        Err(own) if is_short_help(&own, line) => {
            let asked = short_help::command().try_get_matches_from(["-h"]);
            asked.err().unwrap_or(own)
        }
        _ => about(error, &variables),
    })?;
    match &args.libtest.regression {
        None => Ok(with_named_time(args)),
        Some(limits) => Err(renamed(limits)),
    }
}

/// `--tools=callgrind,time` is `--tools=callgrind --time`.
fn with_named_time(mut args: Args) -> Args {
    if args.tools.names_time() {
        args.time.time.get_or_insert(WantedTime::All(None));
    }
    args
}

fn is_short_help(error: &Error, line: &[OsString]) -> bool {
    error.kind() == ErrorKind::DisplayHelp && !line.iter().any(|word| word == "--help")
}

/// Do the values of the command line come after those of the environment, instead of replacing
/// them?
fn adds(command: &Command, variable: &OptionVariable) -> bool {
    let mut arguments = command.get_arguments();
    let found = arguments.find(|arg| arg.get_long() == Some(variable.name()));
    found.is_some_and(|arg| matches!(arg.get_action(), ArgAction::Append))
}

/// Does the command line have the option, under one of its names?
fn is_given(command: &Command, given: &[Word], variable: &OptionVariable) -> bool {
    let is_same = |long: &str| {
        command.get_arguments().any(|arg| {
            let others = arg.get_all_aliases().unwrap_or_default();
            arg.get_long() == Some(variable.name())
                && (arg.get_long() == Some(long) || others.contains(&long))
        })
    };
    given.iter().any(|word| match word {
        Word::Option { name, .. } => name.strip_prefix("--").is_some_and(is_same),
        Word::Filter(_) => false,
    })
}

/// The error with the names of variables where it is about their options.
fn about(mut error: Error, variables: &[OptionVariable]) -> Error {
    if error.kind() == ErrorKind::InvalidUtf8 {
        // The error does not name the argument.
        let is_bad = |variable: &&OptionVariable| {
            let alone = Args::try_parse_from([variable.word()]);
            alone.is_err_and(|error| error.kind() == ErrorKind::InvalidUtf8)
        };
        return match variables.iter().find(is_bad) {
            Some(OptionVariable { name, .. }) => {
                let text = format!("invalid UTF-8 in the variable {name}");
                Args::command().error(ErrorKind::InvalidUtf8, text)
            }
            None => error,
        };
    }
    let value = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => Some(value.clone()),
        _ => None,
    };
    let with_variable = |argument: &str| {
        let option = argument.split([' ', '=', '[']).next();
        let set = variables.iter().find(|variable| {
            // A list may have values from both places.
            let is_value = |value: &String| variable.value.to_string_lossy() == value.as_str();
            Some(variable.option.as_str()) == option && value.as_ref().is_none_or(is_value)
        });
        // clap puts the text between quotes.
        set.map(|variable| format!("{argument}' of '{}", variable.name))
    };
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        let named = match error.get(kind) {
            Some(ContextValue::String(argument)) => {
                with_variable(argument).map(ContextValue::String)
            }
            _ => None,
        };
        if let Some(named) = named {
            error.insert(kind, named);
        }
    }
    error
}

/// Filters that may have been meant as the value of the option before them, which takes one only
/// with a `=`: `--nocapture no`.
pub fn meant_for_option(line: &[OsString]) -> Vec<String> {
    let pairs = line.windows(2).filter_map(|pair| match pair {
        [option, value] => Some((option.to_str()?, value.to_str()?)),
        _ => None,
    });
    let command = Args::command();
    let with_equals = |option: &str| {
        let name = option.strip_prefix("--");
        let mut arguments = command.get_arguments();
        let found = arguments.find(|arg| arg.get_long().is_some() && arg.get_long() == name);
        found.is_some_and(|arg| arg.is_require_equals_set())
    };
    pairs
        .filter(|(option, value)| {
            let both = OsString::from(format!("{option}={value}"));
            with_equals(option) && Args::try_parse_from([both]).is_ok()
        })
        .map(|(option, value)| format!("{option}={value}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::options::ShownStreams;

    use super::*;

    fn parse(line: &str, variables: &[(&str, &str)]) -> Result<Args, Error> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let name = |name: &str| format!("IAI_CALLGRIND_{name}");
        let set = variables.iter().map(|(n, value)| (name(n), *value));
        super::parse(&words, &set.collect())
    }

    fn good(line: &str, variables: &[(&str, &str)]) -> Args {
        parse(line, variables).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn filters_may_be_meant_for_options() {
        let meant = |line: &str| {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            meant_for_option(&words)
        };
        assert_eq!(meant("--nocapture no --bench"), ["--nocapture=no"]);
        assert_eq!(
            meant("--strict yes --fork off"),
            ["--strict=yes", "--fork=off"]
        );
        assert_eq!(meant("--nocapture sort --strict --fork no_sort"), [""; 0]);
        assert_eq!(meant("--baseline main no"), [""; 0]);
    }

    #[track_caller]
    fn fails(line: &str, variables: &[(&str, &str)], expected: &str) {
        let error = parse(line, variables).unwrap_err().to_string();
        assert!(error.starts_with(&format!("error: {expected}")), "{error}");
    }

    #[test]
    fn the_command_line_replaces_a_variable() {
        let set = [("NOCAPTURE", "no"), ("HOME", "a"), ("PARALLEL", "3")];
        let args = good("--no-capture --home=b --parallel 4", &set);
        assert_eq!(args.output.nocapture, Some(ShownStreams::Both));
        assert_eq!(args.files.home, Some("b".into()));
        assert_eq!(args.running.parallel, Some(4));
        let args = good("", &set);
        assert_eq!(args.output.nocapture, Some(ShownStreams::None));
        assert_eq!(args.files.home, Some("a".into()));
        assert_eq!(args.running.parallel, Some(3));
        // Nobody looks at what is replaced.
        assert!(parse("--color never", &[("COLOR", "maybe")]).is_ok());
    }

    #[test]
    fn lists_of_both_places_are_joined_and_tools_are_replaced() {
        use iai_callgrind::protocol::Tool;
        let set = [("CALLGRIND_ARGS", "--a"), ("TOOLS", "dhat,massif")];
        let args = good("--callgrind-args=--b", &set);
        assert_eq!(args.tools.args(Tool::Callgrind), ["--a", "--b"]);
        let further = |args: &Args| args.tools.further().collect::<Vec<_>>();
        assert_eq!(further(&args), [Tool::Dhat, Tool::Massif]);
        assert_eq!(further(&good("--tools=drd", &set)), [Tool::Drd]);
    }

    #[test]
    fn time_among_the_tools_is_the_option_of_its_name() {
        use iai_callgrind::protocol::Tool;
        let time = |line: &str, set: &[(&str, &str)]| {
            let args = good(line, set);
            (args.tools.further().collect::<Vec<_>>(), args.time.time)
        };
        let all = Some(WantedTime::All(None));
        assert_eq!(time("--tools=dhat,Time", &[]), (vec![Tool::Dhat], all));
        assert_eq!(time("", &[("TOOLS", "time")]), (vec![], all));
        let changed = Some(WantedTime::Changed);
        assert_eq!(time("--tools=time --time=changed", &[]), (vec![], changed));
        assert_eq!(time("--tools=dhat", &[]), (vec![Tool::Dhat], None));
    }

    #[test]
    fn a_filter_of_the_environment_is_one_word() {
        let set = [("FILTER", "-a b")];
        assert_eq!(good("--exact", &set).selection.filters, ["-a b"]);
        assert_eq!(good("--", &set).selection.filters, ["-a b"]);
        assert_eq!(good("c d", &set).selection.filters, ["c", "d"]);
    }

    #[test]
    fn empty_variables_are_unset() {
        let set = [
            ("TOOLS", ""),
            ("BASELINE", ""),
            ("FILTER", ""),
            ("COLOR", ""),
        ];
        let args = good("", &set);
        assert!(args.tools.further().next().is_none() && args.selection.filters.is_empty());
        assert_eq!(args.baselines.baseline, None);
    }

    #[test]
    fn errors_name_the_variable() {
        fails(
            "",
            &[("COLOR", "x")],
            "invalid value 'x' for '--color <WHEN>' of 'IAI_CALLGRIND_COLOR'",
        );
        fails(
            "--color=y",
            &[("COLOR", "x")],
            "invalid value 'y' for '--color <WHEN>'\n",
        );
        fails(
            "",
            &[("NOCAPTURE", "maybe")],
            "invalid value 'maybe' for '--nocapture[=<STREAMS>]' of 'IAI_CALLGRIND_NOCAPTURE'",
        );
        fails(
            "--envs==b",
            &[("ENVS", "=a")],
            "invalid value '=a' for '--envs <VARIABLES>' of 'IAI_CALLGRIND_ENVS': ",
        );
        fails(
            "--envs==b",
            &[("ENVS", "a")],
            "invalid value '=b' for '--envs <VARIABLES>': ",
        );
        let odd = <OsString as std::os::unix::ffi::OsStringExt>::from_vec(b"\xff".to_vec());
        let set = [("IAI_CALLGRIND_TOOLS", odd)].into_iter().collect();
        let error = super::parse(&[], &set).unwrap_err().to_string();
        let expected = "error: invalid UTF-8 in the variable IAI_CALLGRIND_TOOLS";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn conflicts_and_requirements_hold_for_variables() {
        let load = ("LOAD_BASELINE", "a");
        assert!(parse("--baseline=b", &[load]).is_ok());
        assert!(parse("--load-baseline=b", &[("BASELINE", "a")]).is_ok());
        fails(
            "",
            &[load],
            "the following required arguments were not provided:\n  <--baseline [<NAME>]|--baseline-lenient",
        );
        assert!(parse("--baseline-lenient=b", &[load]).is_ok());
        fails(
            "--baseline-lenient=b",
            &[("BASELINE", "a")],
            "the argument '--baseline [<NAME>]' of 'IAI_CALLGRIND_BASELINE' cannot be used with '--baseline-lenient",
        );
        fails(
            "--save-baseline=c --baseline=b",
            &[load],
            "the argument '--load-baseline [<NAME>]' of 'IAI_CALLGRIND_LOAD_BASELINE' cannot be used \
             with '--save-baseline [<NAME>]'",
        );
        fails(
            "",
            &[("TOOL_RUNNER_DEST", "/a")],
            "the following required arguments were not provided:\n  --tool-runner <PROGRAM>",
        );
    }

    #[test]
    fn an_unknown_option_is_named_with_the_one_that_was_meant() {
        let error = parse("--callgrind-arg", &[]).unwrap_err().to_string();
        assert!(
            error.contains("unexpected argument '--callgrind-arg' found")
                && error.contains("tip: a similar argument exists: '--callgrind-args'"),
            "{error}"
        );
    }

    #[test]
    fn old_limits_are_translated() {
        let new = "`--regression` has another name now; write `--callgrind-limits=";
        fails("--regression=Ir=5", &[], &format!("{new}ir=5%`"));
        fails("--regression default", &[], &format!("{new}ir=10%`"));
        let both = "--regression=Ir=0.5,EstimatedCycles=10";
        fails(both, &[], &format!("{new}ir=0.5%,estimatedcycles=10%`"));
    }
}
