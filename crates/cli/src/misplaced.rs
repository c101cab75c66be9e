//! Options of the benchmarks among the words for cargo, as in `bench --callgrind-limits=ir=5%`:
//! cargo would not know them, and propose options of its own.

use std::ffi::OsString;

use clap::error::{Error, ErrorKind};
use clap::{Arg, Command, CommandFactory};

use super::{Args, CommandLine};

/// Options of the benchmarks that `cargo bench` has as well.
const OF_CARGO_TOO: [&str; 7] = [
    "bench", "color", "help", "quiet", "test", "timings", "version",
];

/// Fails if an option of the benchmarks is among the words between `bench` and the dashes.
/// `arguments` are the words after these.
pub(super) fn check(words: &[OsString], arguments: &[OsString]) -> Result<(), Error> {
    let mut program = CommandLine::command();
    program.build();
    let Some(bench) = program.find_subcommand_mut("bench") else {
        return Ok(());
    };
    let mut run = Args::command();
    run.build();
    let (mut moved, mut left) = (Vec::new(), Vec::new());
    let mut first = None;
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        let Some((name, arg)) = misplaced(word, bench, &run) else {
            left.push(word);
            continue;
        };
        first = first.or(Some(name));
        moved.push(word);
        let has_value = word.as_encoded_bytes().contains(&b'=');
        if !has_value && arg.get_action().takes_values() && !arg.is_require_equals_set() {
            moved.extend(rest.next_if(|next| !next.as_encoded_bytes().starts_with(b"-")));
        }
    }
    let Some(name) = first else { return Ok(()) };
    let line = left.into_iter().map(|word| word.to_string_lossy());
    let line = line.chain(["--".into()]);
    let after = moved.into_iter().chain(arguments);
    let line = line.chain(after.map(|word| word.to_string_lossy()));
    let line: Vec<_> = line.collect();
    let line = shlex::try_join(line.iter().map(AsRef::as_ref)).unwrap_or_default();
    let text = format!(
        "`{name}` is an option of the benchmarks, and stands after ` -- `\n  \
         hint: `iai-callgrind-runner bench {line}`"
    );
    Err(bench.error(ErrorKind::UnknownArgument, text))
}

/// The option of the benchmarks that the word is, with its name as typed, if neither `bench` nor
/// cargo has it.
fn misplaced<'a>(word: &OsString, bench: &Command, run: &'a Command) -> Option<(String, &'a Arg)> {
    let typed = word.to_str()?.strip_prefix("--")?;
    let name = typed.split('=').next()?;
    if OF_CARGO_TOO.contains(&name) || find(bench, name).is_some() {
        return None;
    }
    Some((format!("--{name}"), find(run, name)?))
}

/// The option with this name.
fn find<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|arg| {
        let aliases = arg.get_all_aliases().unwrap_or_default();
        arg.get_long() == Some(name) || aliases.contains(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command to type instead, if there is a mistake.
    fn instead(line: &str) -> Option<String> {
        let (words, arguments) = line.split_once(" -- ").unwrap_or((line, ""));
        let split =
            |line: &str| -> Vec<OsString> { line.split_whitespace().map(OsString::from).collect() };
        let error = check(&split(words), &split(arguments)).err()?.to_string();
        let (_, hint) = error.split_once("hint: `iai-callgrind-runner bench ")?;
        Some(hint.split('`').next()?.to_owned())
    }

    #[test]
    fn options_of_the_benchmarks_are_moved_with_their_values() {
        let check = |line: &str, expected: &str| {
            assert_eq!(instead(line).as_deref(), Some(expected), "{line}");
        };
        check("--callgrind-limits=ir=5", "-- '--callgrind-limits=ir=5'");
        check("-p a --parallel 2", "-p a -- --parallel 2");
        check("--strict -p a", "-p a -- --strict");
        check("--list sort", "sort -- --list");
        check("--base --nocapture", "--base -- --nocapture");
        check("--no-capture", "-- --no-capture");
        check(
            "--exact -p a --home x -- sort",
            "-p a -- --exact --home x sort",
        );
    }

    #[test]
    fn words_of_cargo_and_of_bench_stay() {
        for line in [
            "",
            "-p a --features x --profile slow sort",
            "--test a --timings --color=always --quiet --bench b --version",
            "--base=v1 --benches=mine --export json=a",
            "--exe file -- --list",
            "--unknown",
            "-p a -- --callgrind-limits=ir=5%",
        ] {
            assert_eq!(instead(line), None, "{line}");
        }
    }

    #[test]
    fn what_cargo_has_as_well_is_ours() {
        let mut run = Args::command();
        run.build();
        for name in OF_CARGO_TOO {
            assert!(find(&run, name).is_some(), "{name}");
        }
    }
}
