//! Selects the user's arguments for perf: all that change neither what is measured nor what is read
//! afterwards.

/// A command of perf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PerfCommand {
    /// `perf stat`
    Stat,
    /// `perf record`
    Record,
}

/// Reason why arguments are refused, the arguments, and whether they take a value.
type RefusedArguments = (&'static str, &'static [&'static str], bool);

const BOTH: &[RefusedArguments] = &[
    (
        "events are chosen by `Perf::event_set` and `--perf-events`",
        &["-e", "--event", "--pfm-events"],
        true,
    ),
    (
        "output files have their names from the benchmark",
        &["-o", "--output"],
        true,
    ),
    (
        "the benchmark is what is measured",
        &["-p", "--pid", "-t", "--tid"],
        true,
    ),
    ("the runner switches the counters", &["--control"], true),
    (
        "what it prints is read after the run",
        &["-q", "--quiet", "-v", "--verbose"],
        false,
    ),
];

const STAT: &[RefusedArguments] = &[
    (
        "what it prints is read after the run",
        &[
            "--log-fd",
            "-I",
            "--interval-print",
            "--interval-count",
            "-x",
            "--field-separator",
        ],
        true,
    ),
    (
        "what it prints is read after the run",
        &["--append", "-B", "--big-num", "--interval-clear"],
        false,
    ),
    (
        "`Perf::sample_duration` and `--perf-sampling` repeat the benchmark",
        &["-r", "--repeat"],
        true,
    ),
    ("it chooses events itself", &["-T", "--transaction"], false),
    (
        "the benchmark is what is measured",
        &["-b", "--bpf-prog"],
        true,
    ),
];

const RECORD: &[RefusedArguments] = &[
    ("the benchmark is what is measured", &["-u", "--uid"], true),
    (
        "it writes one file",
        &[
            "--switch-max-files",
            "--switch-output-event",
            "--switch-output",
            "--threads",
        ],
        true,
    ),
    ("its output is not read", &["--setup-filter"], true),
    ("nothing would be recorded", &["--dry-run"], false),
];

/// Removes the refused arguments. Also returns warnings.
///
/// An option takes the word after it as its value, if that is one.
pub(super) fn filter<'a>(
    command: PerfCommand,
    words: impl IntoIterator<Item = &'a String>,
) -> (Vec<String>, Vec<String>) {
    let (own, others): (&str, &[RefusedArguments]) = match command {
        PerfCommand::Stat => ("stat", STAT),
        PerfCommand::Record => ("record", RECORD),
    };
    let mut kept = Vec::new();
    let mut warnings = Vec::new();
    let mut refuse = |word: &str, reason: &str| {
        warnings.push(format!(
            "the argument `{word}` for perf {own} is ignored: {reason}"
        ));
    };
    let mut words = words
        .into_iter()
        .map(|word| word.trim())
        .filter(|word| !word.is_empty())
        .peekable();
    let is_command =
        |word: &str| matches!(word, "record" | "report") && command == PerfCommand::Stat;
    let value = |word: &&str| !word.starts_with('-') && !is_command(word);
    while let Some(word) = words.next() {
        if is_command(word) {
            refuse(
                word,
                "commands of `perf stat` itself do not run the benchmark",
            );
            // The words behind it are that command's, of which perf's own options know nothing.
            break;
        }
        if !word.starts_with('-') {
            refuse(word, "it is no option, and perf would run it");
            continue;
        }
        let key = key(word);
        let rows = BOTH.iter().chain(others);
        let row = rows
            .into_iter()
            .find(|(_, keys, _)| keys.iter().any(|known| is(key, known)));
        match row {
            Some((reason, _, takes_value)) => {
                refuse(key, reason);
                // `-r5` and `--repeat=5` have their value with them; the next word is another
                // argument then.
                if *takes_value && word == key {
                    words.next_if(value);
                }
            }
            None => {
                kept.push(word.to_owned());
                if !word.contains('=') {
                    kept.extend(words.next_if(value).map(str::to_owned));
                }
            }
        }
    }
    (kept, warnings)
}

/// The option without its value: `--repeat` of `--repeat=5`, `-r` of `-r5`.
fn key(word: &str) -> &str {
    if word.starts_with("--") {
        return word.split('=').next().unwrap_or(word);
    }
    let end = word
        .char_indices()
        .nth(2)
        .map_or(word.len(), |(index, _)| index);
    &word[..end]
}

/// Is the option `known`? perf accepts the begin of a long option for the option.
fn is(key: &str, known: &str) -> bool {
    const LEAST: usize = "--out".len();
    key == known || (key.len() >= LEAST && known.starts_with(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: PerfCommand, line: &str, expected: &str, refused: &[&str]) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (kept, warnings) = filter(command, &words);
        assert_eq!(kept.join(" "), expected, "{line}");
        assert_eq!(warnings.len(), refused.len(), "{warnings:?}");
        for (warning, word) in warnings.iter().zip(refused) {
            assert!(warning.contains(&format!("`{word}`")), "{warning}");
        }
    }

    #[test]
    fn options_of_the_runner_are_refused_in_every_form() {
        use PerfCommand::{Record, Stat};
        check(Stat, "-d --no-scale", "-d --no-scale", &[]);
        check(Stat, "-r 5 -d", "-d", &["-r"]);
        check(
            Stat,
            "-r5 --repeat=5 --repeat 5",
            "",
            &["-r", "--repeat", "--repeat"],
        );
        check(
            Stat,
            "-e cycles --event=x -ex",
            "",
            &["-e", "--event", "-e"],
        );
        check(Stat, "--outp=x -o file", "", &["--outp", "-o"]);
        check(Stat, "-v -q --append", "", &["-v", "-q", "--append"]);
        check(Stat, "-q word", "", &["-q", "word"]);
        check(Stat, "--cpu 0,1 word", "--cpu 0,1", &["word"]);
        check(Stat, "--cpu=0 word", "--cpu=0", &["word"]);
        check(Stat, "-d record -g x", "-d", &["record"]);
        check(Record, "-g -F 99 -r 5", "-g -F 99 -r 5", &[]);
        check(
            Record,
            "--switch-output=1M -u 0 --dry-run",
            "",
            &["--switch-output", "-u", "--dry-run"],
        );
        check(Record, "-I", "-I", &[]);
    }
}
