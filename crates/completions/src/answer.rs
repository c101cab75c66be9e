//! The answer to the question of a shell: what may the last of these words become?

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{complete, CompletionCandidate};
use clap_complete::Shell;

use super::values::{is_plain, with_values, Lookup, NameSource};

/// The two command lines.
#[derive(Debug, Clone)]
pub struct CommandLines {
    /// The one of the runner.
    pub program: Command,
    /// The command line after `cargo bench --`, and after `bench --` of the runner.
    pub run: Command,
}

/// Returns the completions of the last one of these words, which may be empty: a line each. For
/// shells that show it, help follows after a tab.
///
/// The first word is the program. Nothing is proposed where a path is meant, or nothing is known.
#[must_use]
pub fn answer(shell: Shell, lines: CommandLines, words: &[OsString], names: NameSource) -> String {
    let mut text = String::new();
    for candidate in candidates(lines, words, names) {
        let value = candidate.get_value().to_str();
        let Some(value) = value.filter(|value| is_plain(value)) else {
            continue;
        };
        text += value;
        // Bash shows words alone.
        let help = candidate.get_help().map(ToString::to_string);
        let help = help.filter(|_| shell != Shell::Bash).unwrap_or_default();
        if let Some(help) = help.lines().next().filter(|help| is_plain(help)) {
            text.push('\t');
            text += help;
        }
        text.push('\n');
    }
    text
}

fn candidates(
    lines: CommandLines,
    words: &[OsString],
    source: NameSource,
) -> Vec<CompletionCandidate> {
    let Some((typed, before)) = words.split_last() else {
        return Vec::new();
    };
    let lookup = Lookup {
        source,
        home: home(before),
    };
    let (command, before) = match of_run(before) {
        Some(words) => (lines.run, words),
        None => (lines.program, before),
    };
    let needing_value = needing_value(&command, before);
    let mut command = with_values(command, &lookup);
    let mut asked = before.to_vec();
    let only_with_equals = only_with_equals(&command);
    for word in &mut asked {
        // The engine would take the next word for the value.
        if only_with_equals.contains(word) {
            word.push("=");
        }
    }
    asked.push(typed.clone());
    let index = asked.len() - 1;
    let mut found = complete(&mut command, asked, index, None).unwrap_or_default();
    // A parser may take the empty value that an option without a value stands for.
    let is_same = |it: &CompletionCandidate| it.get_value() == typed && !is_word(typed);
    found.retain(|it| !it.is_hide_set() && !is_same(it));
    if !is_option(typed) {
        // Values, then words of the command, then options: the first kind that there is.
        let first = found.first().map(|first| first.get_tag().cloned());
        let are_values = found.first().is_some_and(|it| !is_option(it.get_value()));
        if let Some(kind) = first.filter(|_| are_values) {
            found.retain(|it| it.get_tag() == kind.as_ref());
        }
    }
    let with_equals = |it: CompletionCandidate| match needing_value.contains(it.get_value()) {
        true => {
            let mut value = it.get_value().to_owned();
            value.push("=");
            CompletionCandidate::new(value).help(it.get_help().cloned())
        }
        false => it,
    };
    found.into_iter().map(with_equals).collect()
}

/// The options that cannot stand without a value, of the command that these words name. Without
/// those of paths: shells complete `~` only in a word of its own.
fn needing_value(command: &Command, before: &[OsString]) -> HashSet<OsString> {
    let mut named = before.iter().skip(1);
    let named = named.find_map(|word| command.find_subcommand(word));
    let all = named.unwrap_or(command).get_arguments();
    let needs_value = |arg: &&Arg| {
        let least = arg.get_num_args().map_or(1, |range| range.min_values());
        arg.get_action().takes_values() && least > 0
    };
    let all = all.filter(needs_value);
    let all = all.filter(|arg| !is_path(arg.get_value_hint()));
    let names = all.filter_map(|arg| Some(format!("--{}", arg.get_long()?).into()));
    names.collect()
}

fn is_path(hint: ValueHint) -> bool {
    use ValueHint::{AnyPath, DirPath, ExecutablePath, FilePath};
    matches!(hint, AnyPath | DirPath | ExecutablePath | FilePath)
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

fn is_word(word: &OsStr) -> bool {
    !word.as_encoded_bytes().ends_with(b"=")
}

/// The words after the dashes of `cargo bench --` or `iai-callgrind-runner bench --`.
fn of_run(words: &[OsString]) -> Option<&[OsString]> {
    let bench = words.iter().skip(1).position(|word| word == "bench")? + 2;
    let dashes = words[bench..].iter().position(|word| word == "--")?;
    words.get(bench + dashes + 1..)
}

/// The value of `--home`.
fn home(words: &[OsString]) -> Option<PathBuf> {
    let mut values = words.iter().enumerate().filter_map(|(index, word)| {
        match word.to_str()?.strip_prefix("--home")? {
            "" => words.get(index + 1).map(PathBuf::from),
            value => value.strip_prefix('=').map(PathBuf::from),
        }
    });
    values.next_back()
}

/// The options that take a value only behind a `=`, of a command and of its commands.
fn only_with_equals(command: &Command) -> HashSet<OsString> {
    let commands = std::iter::once(command).chain(command.get_subcommands());
    let all = commands.flat_map(Command::get_arguments);
    let all = all.filter(|arg| arg.is_require_equals_set());
    let names = all.filter_map(|arg| Some(format!("--{}", arg.get_long()?).into()));
    names.collect()
}
