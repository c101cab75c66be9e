//! Which arguments Valgrind gets: ours, what users may change of them, and what they may not.
//!
//! An argument has one of three kinds. *Held once*: a default in [`tool`], a user's value
//! replaces ours. *Managed*: output files and whatever would keep us from reading them, refused with a
//! warning. Everything else is passed on in the order given; Valgrind rejects what it does not know.

use iai_callgrind::protocol::EntryPoint;

use crate::error::{Error, Result};
use crate::tool::{self, Accepts, Tool};

/// The function that the default entry point counts, in the legacy and in the v0 form of its name.
pub(crate) const WRAPPER_PATTERNS: [&str; 2] = [
    "*::__iai_callgrind_wrapper_mod::*",
    "*::__iai_callgrind_wrapper_mod>::*",
];

/// For tools that find errors: 0 takes them as figures, everything else (the default) as a failure.
/// Valgrind never gets it: the exit code of the process has to stay what the benchmark made it.
const ERROR_EXITCODE: &str = "--error-exitcode";

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
    /// Patterns of the functions that count, with all that they call; empty if everything does.
    pub entry: Vec<String>,
    /// Every thread counts, so the measuring one has to switch its count off until the entry.
    pub count_threads: bool,
    /// Errors that the tool finds are a failure of the benchmark.
    pub errors_fail: bool,
}

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    /// Where the count begins and ends; only Callgrind and DHAT know such a place.
    pub(super) entry_point: &'a EntryPoint,
    /// Further functions that count (DHAT).
    pub(super) frames: &'a [String],
    /// Count every thread that runs inside of the entry point (Callgrind).
    pub(super) count_threads: bool,
    /// The executable switches Cachegrind on for the benchmark.
    pub(super) brackets: bool,
}

/// Puts the arguments for a tool together. `user` holds those of the configuration and of the
/// command line, the stronger ones last. Also returns warnings.
pub(super) fn build<'a>(
    tool: Tool,
    user: impl IntoIterator<Item = &'a String>,
    scope: Scope<'_>,
) -> Result<(ToolArgs, Vec<String>)> {
    let row = tool::row(tool);
    let errors = if row.finds_errors { "201" } else { "0" };
    let own = row
        .defaults
        .iter()
        .chain((tool == Tool::Cachegrind && scope.brackets).then_some(&tool::LATER));
    let mut held: Vec<(&str, String, Accepts)> = tool::COMMON
        .iter()
        .chain([&(ERROR_EXITCODE, errors, Accepts::Anything)])
        .chain(own)
        .map(|(key, value, accepts)| (*key, (*value).to_owned(), *accepts))
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
                "the argument `{key}` for {tool} is ignored: {reason}"
            ));
        } else if let Some(row) = held.iter_mut().find(|(default, ..)| *default == key) {
            row.1 = checked(tool, key, value, row.2)?;
        } else {
            others.push(word);
        }
    }
    let entry = entry(tool, scope);
    let mut errors_fail = false;
    let mut words = vec![format!("--tool={tool}")];
    for (key, value, _) in held {
        if key == ERROR_EXITCODE {
            errors_fail = row.finds_errors && value != "0";
            words.push(format!("{key}=0"));
        } else {
            words.push(format!("{key}={value}"));
        }
    }
    words.extend(others);
    if tool == Tool::Callgrind {
        // After the user's arguments: the last of `--collect-atstart` and `--toggle-collect` wins.
        let toggles = entry
            .iter()
            .map(|pattern| format!("--toggle-collect={pattern}"));
        words.extend(toggles);
    }
    let count_threads = tool == Tool::Callgrind && scope.count_threads && !entry.is_empty();
    if count_threads {
        // New threads begin with the count on; the measuring one switches its own off.
        words.push("--collect-atstart=yes".to_owned());
    }
    let args = ToolArgs {
        words,
        entry,
        count_threads,
        errors_fail,
    };
    Ok((args, warnings))
}

/// The functions that count.
fn entry(tool: Tool, scope: Scope<'_>) -> Vec<String> {
    if !matches!(tool, Tool::Callgrind | Tool::Dhat) {
        return Vec::new();
    }
    let mut patterns: Vec<String> = match scope.entry_point {
        EntryPoint::None => Vec::new(),
        EntryPoint::Default => WRAPPER_PATTERNS.map(str::to_owned).to_vec(),
        // The target has looked up a better name if there is one.
        EntryPoint::Main => vec!["main".to_owned()],
        EntryPoint::Custom(pattern) => vec![pattern.clone()],
    };
    patterns.extend(scope.frames.iter().cloned());
    patterns
}

fn checked(tool: Tool, key: &str, value: Option<&str>, accepts: Accepts) -> Result<String> {
    match (value, accepts) {
        (Some(value @ ("yes" | "no")), Accepts::YesNo) => Ok(value.to_owned()),
        (Some(value), Accepts::Anything) if !value.is_empty() => Ok(value.to_owned()),
        _ => Err(Error::Setting {
            place: format!("argument `{key}` for {tool}"),
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

    fn build_for(
        tool: Tool,
        user: &[&str],
        entry_point: &EntryPoint,
    ) -> Result<(ToolArgs, Vec<String>)> {
        let user: Vec<String> = user.iter().map(|word| (*word).to_owned()).collect();
        let scope = Scope {
            entry_point,
            frames: &[],
            count_threads: false,
            brackets: false,
        };
        build(tool, &user, scope)
    }

    fn build_callgrind(user: &[&str], entry_point: &EntryPoint) -> Result<(ToolArgs, Vec<String>)> {
        build_for(Tool::Callgrind, user, entry_point)
    }

    #[track_caller]
    fn check(user: &[&str], present: &[&str], absent: &[&str]) {
        let (args, _) = build_callgrind(user, &EntryPoint::Default).unwrap();
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
        for tool in Tool::ALL {
            for word in [
                "--log-file=x",
                "--log-file",
                "log-file=x",
                "--tool=dhat",
                "--xtree-leak-file=x",
                "--xml=no",
                "-q",
            ] {
                let (args, warnings) = build_for(tool, &[word], &EntryPoint::Default).unwrap();
                assert_eq!(warnings.len(), 1, "{word}");
                let without = build_for(tool, &[], &EntryPoint::Default).unwrap().0;
                assert_eq!(args, without, "{word}");
            }
        }
    }

    #[test]
    fn toggles_add_up_and_the_entry_points_come_last() {
        let (args, _) = build_callgrind(&["--toggle-collect=mine"], &"main".into()).unwrap();
        let toggles: Vec<&str> = args
            .words
            .iter()
            .filter_map(|w| w.strip_prefix("--toggle-collect="))
            .collect();
        assert_eq!(toggles, ["mine", "main"]);
        assert_eq!(args.entry, ["main"]);
        let (args, _) = build_callgrind(&[], &EntryPoint::None).unwrap();
        assert!(args.entry.is_empty());
    }

    #[test]
    fn wrong_values_say_what_is_accepted() {
        let error = build_callgrind(&["--cache-sim=maybe"], &EntryPoint::None)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "argument `--cache-sim` for callgrind: `maybe` is not one of `yes` and `no`"
        );
        build_callgrind(&["--I1"], &EntryPoint::None).unwrap_err();
    }

    #[test]
    fn each_tool_has_its_own_defaults() {
        #[track_caller]
        fn check(tool: Tool, present: &[&str], absent: &[&str]) {
            let (args, _) = build_for(tool, &[], &EntryPoint::Default).unwrap();
            let has = |start: &&str| args.words.iter().any(|word| word.starts_with(start));
            assert!(present.iter().all(has), "{args:?}");
            assert!(!absent.iter().any(has), "{args:?}");
            assert_eq!(args.words[0], format!("--tool={tool}"));
        }
        let toggle = "--toggle-collect";
        check(Tool::Callgrind, &["--I1=32768,8,64", toggle], &[]);
        let own = &["--instr-at-start", "--dump-line", toggle];
        check(Tool::Cachegrind, &["--I1=32768,8,64"], own);
        check(Tool::Dhat, &["--num-callers=500"], &["--I1", toggle]);
        check(
            Tool::Massif,
            &["--time-unit=B", "--peak-inaccuracy=0.0"],
            &["--I1", toggle],
        );
        for tool in [Tool::Bbv, Tool::Memcheck, Tool::Helgrind, Tool::Drd] {
            check(
                tool,
                &["--trace-children=yes"],
                &["--I1", toggle, "--num-callers"],
            );
        }
    }

    #[test]
    fn cachegrind_begins_later_if_the_benchmark_switches_it_on() {
        let scope = Scope {
            entry_point: &EntryPoint::Default,
            frames: &[],
            count_threads: false,
            brackets: true,
        };
        let words = |tool, user: &[String]| build(tool, user, scope).unwrap().0.words;
        let later = "--instr-at-start=no".to_owned();
        assert!(words(Tool::Cachegrind, &[]).contains(&later));
        assert!(!words(Tool::Callgrind, &[]).contains(&later));
        let user = ["--instr-at-start=yes".to_owned()];
        let words = words(Tool::Cachegrind, &user);
        assert!(words.contains(&user[0]) && !words.contains(&later));
    }

    #[test]
    fn errors_are_failures_unless_the_user_takes_them_as_figures() {
        for (tool, user, expected) in [
            (Tool::Memcheck, "", true),
            (Tool::Helgrind, "--error-exitcode=7", true),
            (Tool::Drd, "--error-exitcode=0", false),
            (Tool::Callgrind, "", false),
            (Tool::Callgrind, "--error-exitcode=7", false),
        ] {
            let (args, _) = build_for(tool, &[user], &EntryPoint::None).unwrap();
            assert_eq!(args.errors_fail, expected, "{tool} {user}");
            assert!(args.words.contains(&"--error-exitcode=0".to_owned()));
        }
    }

    #[test]
    fn allocations_count_below_the_entry_point_and_below_frames() {
        let frames = ["*::worker".to_owned()];
        let patterns = |entry_point: EntryPoint| {
            let scope = Scope {
                entry_point: &entry_point,
                frames: &frames,
                count_threads: false,
                brackets: false,
            };
            build(Tool::Dhat, &[], scope).unwrap().0.entry
        };
        assert_eq!(patterns(EntryPoint::None), ["*::worker"]);
        assert_eq!(patterns("main".into()), ["main", "*::worker"]);
        assert_eq!(patterns(EntryPoint::Default).len(), 3);
    }
}
