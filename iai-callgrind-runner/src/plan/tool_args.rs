//! Which arguments Valgrind gets: ours, what users may change of them, and what they may not.
//!
//! An argument has one of three kinds. *Held once*: a row of [`DEFAULTS`], a user's value replaces
//! ours. *Managed*: output files and whatever would keep us from reading them, refused with a
//! warning. Everything else is passed on in the order given; Valgrind rejects what it does not know.

use iai_callgrind::protocol::EntryPoint;

use crate::error::{Error, Result};

/// The function that the default entry point counts, in the legacy and in the v0 form of its name.
pub(crate) const WRAPPER_PATTERNS: [&str; 2] = [
    "*::__iai_callgrind_wrapper_mod::*",
    "*::__iai_callgrind_wrapper_mod>::*",
];

/// What values an argument accepts.
#[derive(Clone, Copy)]
enum Accepts {
    YesNo,
    /// Valgrind checks it.
    Anything,
}

/// Arguments that are held once, with our values. Sizes of caches are fixed since Valgrind takes
/// those of the machine otherwise, and figures would differ between machines.
const DEFAULTS: &[(&str, &str, Accepts)] = &[
    ("--command-line-only", "yes", Accepts::YesNo),
    ("--error-exitcode", "0", Accepts::Anything),
    ("--trace-children", "yes", Accepts::YesNo),
    ("--fair-sched", "try", Accepts::Anything),
    ("--vgdb", "no", Accepts::Anything),
    ("--I1", "32768,8,64", Accepts::Anything),
    ("--D1", "32768,8,64", Accepts::Anything),
    ("--LL", "8388608,16,64", Accepts::Anything),
    ("--cache-sim", "yes", Accepts::YesNo),
    ("--compress-strings", "no", Accepts::YesNo),
    ("--compress-pos", "no", Accepts::YesNo),
    ("--dump-line", "yes", Accepts::YesNo),
    ("--dump-instr", "no", Accepts::YesNo),
    ("--separate-threads", "yes", Accepts::YesNo),
];

/// Arguments that users cannot give, and why.
const MANAGED: &[(&str, &[&str])] = &[
    (
        "output and log files have their names from the benchmark",
        &[
            "--bb-out-file",
            "--cachegrind-out-file",
            "--callgrind-out-file",
            "--dhat-out-file",
            "--log-fd",
            "--log-file",
            "--log-socket",
            "--massif-out-file",
            "--pc-out-file",
            "--xml",
            "--xml-fd",
            "--xml-file",
            "--xml-socket",
            "--xml-user-comment",
            "--xtree-leak-file",
            "--xtree-memory-file",
        ],
    ),
    (
        "nothing would be measured",
        &[
            "--help",
            "--help-debug",
            "--help-dyn-options",
            "--version",
            "-h",
        ],
    ),
    ("the log is read after the run", &["--quiet", "-q"]),
    ("every part has a file of its own", &["--combine-dumps"]),
    ("the tool is chosen by the benchmark", &["--tool"]),
];

/// The arguments of one tool for one benchmark, without those that name files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolArgs {
    /// As Valgrind gets them.
    pub words: Vec<String>,
    /// Patterns of the functions at which counting begins and ends; empty if it is on from the
    /// start.
    pub entry: Vec<String>,
    /// Every thread counts, so the measuring one has to switch its count off until the entry.
    pub count_threads: bool,
}

/// Puts the arguments for Callgrind together. `user` holds those of the configuration and of the
/// command line, the stronger ones last. Also returns warnings.
pub(super) fn callgrind<'a>(
    user: impl IntoIterator<Item = &'a String>,
    entry_point: &EntryPoint,
    count_threads: bool,
) -> Result<(ToolArgs, Vec<String>)> {
    let mut held: Vec<(&str, String)> = DEFAULTS
        .iter()
        .map(|(key, value, _)| (*key, (*value).to_owned()))
        .collect();
    let mut others = Vec::new();
    let mut warnings = Vec::new();
    for word in user
        .into_iter()
        .map(|word| word.trim())
        .filter(|word| !word.is_empty())
    {
        let word = match word.starts_with('-') {
            true => word.to_owned(),
            false => format!("--{word}"),
        };
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim())),
            None => (word.as_str(), None),
        };
        if let Some((reason, _)) = MANAGED.iter().find(|(_, keys)| keys.contains(&key)) {
            warnings.push(format!(
                "the argument `{key}` for callgrind is ignored: {reason}"
            ));
        } else if let Some(row) = DEFAULTS.iter().position(|(default, ..)| *default == key) {
            held[row].1 = checked(key, value, DEFAULTS[row].2)?;
        } else {
            others.push(word);
        }
    }
    let entry: Vec<String> = match entry_point {
        EntryPoint::None => Vec::new(),
        EntryPoint::Default => WRAPPER_PATTERNS.map(str::to_owned).to_vec(),
        EntryPoint::Custom(pattern) => vec![pattern.clone()],
    };
    let mut words = vec!["--tool=callgrind".to_owned()];
    words.extend(
        held.into_iter()
            .map(|(key, value)| format!("{key}={value}")),
    );
    words.extend(others);
    // After the user's arguments: the last of `--collect-atstart` and `--toggle-collect` wins.
    words.extend(
        entry
            .iter()
            .map(|pattern| format!("--toggle-collect={pattern}")),
    );
    let count_threads = count_threads && !entry.is_empty();
    if count_threads {
        // New threads begin with the count on; the measuring one switches its own off.
        words.push("--collect-atstart=yes".to_owned());
    }
    let args = ToolArgs {
        words,
        entry,
        count_threads,
    };
    Ok((args, warnings))
}

fn checked(key: &str, value: Option<&str>, accepts: Accepts) -> Result<String> {
    match (value, accepts) {
        (Some(value @ ("yes" | "no")), Accepts::YesNo) => Ok(value.to_owned()),
        (Some(value), Accepts::Anything) if !value.is_empty() => Ok(value.to_owned()),
        _ => Err(Error::Setting {
            place: format!("argument `{key}` for callgrind"),
            reason: match accepts {
                Accepts::YesNo => {
                    format!(
                        "`{}` is not one of `yes` and `no`",
                        value.unwrap_or_default()
                    )
                }
                Accepts::Anything => "a value is missing".to_owned(),
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(user: &[&str], entry_point: &EntryPoint) -> Result<(ToolArgs, Vec<String>)> {
        let user: Vec<String> = user.iter().map(|word| (*word).to_owned()).collect();
        callgrind(&user, entry_point, false)
    }

    #[track_caller]
    fn check(user: &[&str], present: &[&str], absent: &[&str]) {
        let (args, _) = build(user, &EntryPoint::Default).unwrap();
        for word in present {
            assert!(
                args.words.iter().any(|w| w == word),
                "{word} in {:?}",
                args.words
            );
        }
        for word in absent {
            assert!(
                !args.words.iter().any(|w| w == word),
                "{word} in {:?}",
                args.words
            );
        }
    }

    #[test]
    fn users_values_replace_ours_and_the_last_wins() {
        check(
            &["--cache-sim=no"],
            &["--cache-sim=no"],
            &["--cache-sim=yes"],
        );
        check(
            &["--I1=1,2,3", "I1=4,5,6"],
            &["--I1=4,5,6"],
            &["--I1=1,2,3"],
        );
    }

    #[test]
    fn dashes_may_be_left_out_and_empty_words_are_dropped() {
        check(
            &["branch-sim=yes", "", " "],
            &["--branch-sim=yes"],
            &["", "--"],
        );
        check(&["-v"], &["-v"], &["---v"]);
    }

    #[test]
    fn managed_arguments_are_refused_in_either_form() {
        for word in [
            "--log-file=x",
            "--log-file",
            "log-file=x",
            "--tool=dhat",
            "-q",
        ] {
            let (args, warnings) = build(&[word], &EntryPoint::Default).unwrap();
            assert_eq!(warnings.len(), 1, "{word}");
            assert_eq!(args, build(&[], &EntryPoint::Default).unwrap().0, "{word}");
        }
    }

    #[test]
    fn toggles_add_up_and_the_entry_points_come_last() {
        let (args, _) = build(&["--toggle-collect=mine"], &"main".into()).unwrap();
        let toggles: Vec<&str> = args
            .words
            .iter()
            .filter_map(|w| w.strip_prefix("--toggle-collect="))
            .collect();
        assert_eq!(toggles, ["mine", "main"]);
        assert_eq!(args.entry, ["main"]);
        assert!(build(&[], &EntryPoint::None).unwrap().0.entry.is_empty());
    }

    #[test]
    fn wrong_values_say_what_is_accepted() {
        let error = build(&["--cache-sim=maybe"], &EntryPoint::None)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "argument `--cache-sim` for callgrind: `maybe` is not one of `yes` and `no`"
        );
        build(&["--I1"], &EntryPoint::None).unwrap_err();
    }
}
