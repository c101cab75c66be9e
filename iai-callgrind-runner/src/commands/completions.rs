//! `completions`: the script of a shell, and the answers that this asks for. Nothing is built or
//! run for an answer but `cargo metadata`, and where there is none, nothing is printed.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use clap::CommandFactory;

use super::finish;
use super::home::home;
use crate::run_report::{Event, Form, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{Args, CommandLine, CompletionsArgs};
use completions::{CommandLines, NameKind};
use report::Styles;

pub(super) fn run(options: &CompletionsArgs, environment: &RunnerEnvironment) -> Exit {
    let report = Reports::text(Styles::default(), Form::TEXT);
    let mut program = CommandLine::command();
    let text = match options.words.as_slice() {
        [] => completions::script(options.shell, &mut program),
        words => {
            let run = Args::command();
            let environment = environment.clone();
            let names =
                Arc::new(move |kind, named: Option<&Path>| names(kind, named, &environment));
            completions::answer(options.shell, CommandLines { program, run }, words, names)
        }
    };
    let shown = report.event(Event::Script(&text));
    finish(shown.map(|()| Exit::Ok).map_err(Into::into), &report)
}

fn names(
    kind: NameKind,
    named: Option<&Path>,
    environment: &RunnerEnvironment,
) -> BTreeSet<String> {
    let Ok(home) = home(named, environment) else {
        return BTreeSet::new();
    };
    match kind {
        NameKind::Baselines => records::baseline_names(&home),
        NameKind::Benchmarks => records::benchmark_names(&home),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::error::ErrorKind;
    use clap::{Arg, Parser};
    use clap_complete::Shell;

    use super::*;

    /// The lines for a word after `cargo bench --`.
    fn answer(word: &str) -> Vec<String> {
        let lines = CommandLines {
            program: CommandLine::command(),
            run: Args::command(),
        };
        let words = ["cargo", "bench", "--", word].map(OsString::from);
        let names = Arc::new(|_, _: Option<&Path>| ["main".to_owned()].into());
        let text = completions::answer(Shell::Bash, lines, &words, names);
        text.lines().map(str::to_owned).collect()
    }

    /// Each word that is proposed as a value is one for the parser, once it has an end.
    #[test]
    fn every_proposed_value_is_accepted() {
        let command = Args::command();
        let visible = command.get_arguments().filter(|arg| !arg.is_hide_set());
        let takes_value = |arg: &&Arg| arg.get_action().takes_values();
        let mut options = 0;
        for option in visible.filter(takes_value).filter_map(Arg::get_long) {
            let proposed = answer(&format!("--{option}="));
            options += usize::from(!proposed.is_empty());
            for word in proposed {
                let whole = match word.chars().last() {
                    Some('=') => word + "5%",
                    Some(':') => word + "1/2",
                    _ => word,
                };
                let error = Args::try_parse_from([&whole]).err();
                let kind = error.map(|error| error.kind());
                assert!(
                    matches!(kind, None | Some(ErrorKind::MissingRequiredArgument)),
                    "{whole}: {kind:?}"
                );
            }
        }
        assert!(options > 45, "{options}");
    }

    #[test]
    fn options_that_people_type_are_proposed() {
        assert_eq!(answer("--save-b"), ["--save-baseline"]);
        assert_eq!(answer("--save-baseline="), ["--save-baseline=main"]);
        assert_eq!(answer("--skip=m"), ["--skip=main"]);
        assert_eq!(answer("--shuffl"), [""; 0]);
    }
}
