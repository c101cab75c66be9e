//! Each row of what users may give, for each tool.

use super::*;

fn given(words: &[String]) -> OriginArguments<'_> {
    OriginArguments {
        words,
        origin: ArgumentOrigin::Option {
            name: "--valgrind-args".to_owned(),
            variable: None,
        },
    }
}

fn build_for(
    tool: Tool,
    user: &[&str],
    entry_point: &EntryPoint,
) -> Result<(ToolArgs, Vec<String>)> {
    let words: Vec<String> = user.iter().map(|word| (*word).to_owned()).collect();
    let scope = Scope {
        entry_point,
        frames: &[],
        count_threads: false,
        instructions_only: false,
        brackets: false,
        of_case: true,
    };
    build(tool, &[given(&words)], scope)
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
    assert_eq!(args.entry, EntryFunctions::of_patterns(["main"]));
    let (args, _) = build_callgrind(&[], &EntryPoint::None).unwrap();
    assert!(args.entry.is_everything());
}

/// A change between results of different entry points is not the program's, and records tell them
/// apart by this.
#[test]
fn each_entry_point_is_recorded() {
    let recorded = |entry_point: EntryPoint, count_threads| {
        let (mut args, _) = build_callgrind(&[], &entry_point).unwrap();
        args.count_threads = count_threads;
        args.recorded()
    };
    let default = recorded(EntryPoint::Default, false);
    let others = [
        recorded(EntryPoint::Default, true),
        recorded(EntryPoint::None, false),
        recorded(EntryPoint::Main, false),
        recorded(EntryPoint::Custom("other".to_owned()), false),
    ];
    for other in others {
        assert_ne!(other, default);
    }
    let (user, _) = build_callgrind(&["--collect-atstart=no"], &EntryPoint::None).unwrap();
    let said = user.words.iter().filter(|word| word.contains("atstart"));
    assert_eq!(said.collect::<Vec<_>>(), ["--collect-atstart=no"]);
}

#[test]
fn measured_functions_are_named_when_the_executable_is_known() {
    let (mut args, _) = build_callgrind(&["--toggle-collect=mine"], &EntryPoint::Default).unwrap();
    assert!(args.entry.measured);
    let of_entry = |args: &ToolArgs| {
        let words = args.command_line(["<me::W>::a", "<me::W>::b"]);
        let about = |word: &String| word.contains("-collect");
        words.into_iter().filter(about).collect::<Vec<_>>()
    };
    let [mine, off, a, b] = [
        "--toggle-collect=mine",
        "--collect-atstart=no",
        "--toggle-collect=<me::W>::a",
        "--toggle-collect=<me::W>::b",
    ];
    assert_eq!(of_entry(&args), [mine, off, a, b]);
    assert_eq!(args.recorded(), args.words);
    args.count_threads = true;
    let on = "--collect-atstart=yes";
    assert_eq!(of_entry(&args), [mine, off, a, b, on]);
    assert_eq!(args.recorded().last().map(String::as_str), Some(on));
    // Other tools have no such argument.
    let (dhat, _) = build_for(Tool::Dhat, &[], &EntryPoint::Default).unwrap();
    assert!(dhat.entry.measured);
    assert_eq!(dhat.command_line(["a"]), dhat.words);
}

#[test]
fn wrong_values_say_what_is_accepted() {
    let error = build_callgrind(&["--cache-sim=maybe"], &EntryPoint::None)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "argument `--cache-sim` for callgrind in `--valgrind-args`: `maybe` is none of `yes`, `no`"
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
    check(Tool::Callgrind, &["--I1=32768,8,64"], &[toggle]);
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
        instructions_only: false,
        brackets: true,
        of_case: true,
    };
    let words = |tool, user: &[String]| build(tool, &[given(user)], scope).unwrap().0.words;
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
            instructions_only: false,
            brackets: false,
            of_case: true,
        };
        build(Tool::Dhat, &[], scope).unwrap().0.entry
    };
    let worker = EntryFunctions::of_patterns(["*::worker"]);
    assert_eq!(patterns(EntryPoint::None), worker);
    let main = EntryFunctions::of_patterns(["main", "*::worker"]);
    assert_eq!(patterns("main".into()), main);
    let measured = true;
    assert_eq!(
        patterns(EntryPoint::Default),
        EntryFunctions { measured, ..worker }
    );
}

/// Treatment of a user's argument.
enum Becomes {
    /// The argument takes the place of the runner's own.
    Replaced,
    /// Valgrind gets the argument unchanged.
    PassedOn,
    /// Valgrind never gets the argument; the text of the warning.
    Ignored(&'static str),
    /// The argument is an error; the text of it.
    Refused(&'static str),
}

use Becomes::{Ignored, PassedOn, Refused, Replaced};

#[track_caller]
fn check_argument(tool: Tool, word: &str, becomes: &Becomes) {
    let built = build_for(tool, &[word], &EntryPoint::Default);
    let place = format!("{tool} {word}");
    let (plain, _) = build_for(tool, &[], &EntryPoint::Default).unwrap();
    let (args, warnings) = match (built, becomes) {
        (Ok(built), Replaced | PassedOn | Ignored(_)) => built,
        (Err(error), Refused(reason)) => {
            let error = error.to_string();
            assert!(error.contains(reason), "{place}: {error}");
            assert!(
                error.contains(" in `--valgrind-args`: "),
                "{place}: {error}"
            );
            return;
        }
        (built, _) => panic!("{place}: {built:?}"),
    };
    let dashed = format!("--{}", word.trim_start_matches("--"));
    let key = dashed.split('=').next().unwrap();
    let has = |words: &[String]| words.contains(&dashed);
    let same_key = |words: &[String]| {
        let same = |word: &&String| word.split('=').next() == Some(key);
        words.iter().filter(same).count()
    };
    match becomes {
        Replaced => {
            assert!(has(&args.words), "{place}: {args:?}");
            assert_eq!(same_key(&args.words), 1, "{place}: {args:?}");
            assert_eq!(same_key(&plain.words), 1, "{place}: it is no default");
            assert_eq!(warnings, Vec::<String>::new(), "{place}");
        }
        PassedOn => {
            assert!(has(&args.words), "{place}: {args:?}");
            assert_eq!(args.words.len(), plain.words.len() + 1, "{place}");
            assert_eq!(warnings, Vec::<String>::new(), "{place}");
        }
        Ignored(reason) => {
            assert_eq!(args, plain, "{place}");
            assert_eq!(
                warnings,
                [format!(
                    "the argument `{key}` for {tool} in `--valgrind-args` is ignored: {reason}"
                )]
            );
        }
        Refused(_) => unreachable!("it was no error"),
    }
}

#[test]
fn arguments_that_are_held_once() {
    for tool in Tool::ALL {
        for (word, becomes) in [
            ("--trace-children=no", Replaced),
            (
                "--trace-children=maybe",
                Refused("`maybe` is none of `yes`, `no`"),
            ),
            ("--trace-children", Refused("a value is missing")),
            ("--fair-sched=yes", Replaced),
            (
                "--fair-sched=often",
                Refused("`often` is none of `no`, `yes`, `try`"),
            ),
            ("--vgdb=full", Replaced),
            ("vgdb=yes", Replaced),
            ("--vgdb=2", Refused("`2` is none of `no`, `yes`, `full`")),
            ("--command-line-only=no", Replaced),
            ("--command-line-only=", Refused("a value is missing")),
            ("--error-exitcode=many", Refused("`many` is no exit code")),
            ("--error-exitcode=256", Refused("a number from 0 to 255")),
            ("--error-exitcode", Refused("a value is missing")),
        ] {
            check_argument(tool, word, &becomes);
        }
    }
}

#[test]
fn arguments_of_the_simulation() {
    for word in [
        "--I1=1024,1,32",
        "D1=1024,1,32",
        "--LL=4096,2,64",
        "--cache-sim=no",
    ] {
        check_argument(Tool::Callgrind, word, &Replaced);
        check_argument(Tool::Cachegrind, word, &Replaced);
        // Valgrind itself refuses what a tool does not know.
        check_argument(Tool::Memcheck, word, &PassedOn);
    }
    for word in [
        "--dump-instr=yes",
        "--dump-line=no",
        "--separate-threads=no",
        // The reader knows all forms of the file.
        "--compress-strings=yes",
        "--compress-pos=yes",
        "--combine-dumps=yes",
    ] {
        check_argument(Tool::Callgrind, word, &Replaced);
        check_argument(Tool::Cachegrind, word, &PassedOn);
    }
    for word in [
        "--cache-sim=on",
        "--dump-instr=1",
        "--dump-line=",
        "--separate-threads",
        "--combine-dumps=maybe",
    ] {
        let reason = match word.split_once('=') {
            Some((_, value)) if !value.is_empty() => "is none of `yes`, `no`",
            _ => "a value is missing",
        };
        check_argument(Tool::Callgrind, word, &Refused(reason));
    }
}

#[test]
fn arguments_that_are_managed() {
    let names = "output and log files have their names from the benchmark";
    let nothing = "nothing would be measured";
    let log = "the log is read after the run";
    for tool in Tool::ALL {
        for (word, reason) in [
            ("--dhat-out-file=x", names),
            ("--massif-out-file=x", names),
            ("--callgrind-out-file=x", names),
            ("--cachegrind-out-file=x", names),
            ("--bb-out-file=x", names),
            ("--pc-out-file=x", names),
            ("--log-file=x", names),
            ("--log-file", names),
            ("log-file=x", names),
            ("log-file", names),
            ("--log-fd=9", names),
            ("--log-socket=x", names),
            ("--xml=yes", names),
            ("--xml", names),
            ("--xml-file=x", names),
            ("--xml-fd=9", names),
            ("--xml-socket=x", names),
            ("--xml-user-comment=x", names),
            ("--xtree-leak-file=x", names),
            ("--xtree-memory-file=x", names),
            ("-h", nothing),
            ("--help", nothing),
            ("help", nothing),
            ("--help-debug", nothing),
            ("--help-dyn-options", nothing),
            ("--version", nothing),
            ("-q", log),
            ("--quiet", log),
            ("quiet", log),
            ("--quiet=yes", log),
            ("--tool=dhat", "the tool is chosen by the benchmark"),
            ("--tool", "the tool is chosen by the benchmark"),
        ] {
            // The key in the message is as it was given.
            if word.starts_with('-') && !word.starts_with("--") {
                let (args, warnings) = build_for(tool, &[word], &EntryPoint::Default).unwrap();
                let plain = build_for(tool, &[], &EntryPoint::Default).unwrap().0;
                assert_eq!(args, plain, "{word}");
                assert!(warnings[0].contains(&format!("`{word}`")), "{warnings:?}");
                assert!(warnings[0].ends_with(reason), "{warnings:?}");
            } else {
                check_argument(tool, word, &Ignored(reason));
            }
        }
        // The value is Valgrind's default.
        check_argument(tool, "--xml=no", &PassedOn);
    }
}

#[test]
fn other_arguments_are_passed_on_and_bare_words_are_not() {
    for tool in Tool::ALL {
        for word in [
            "--toggle-collect=mine",
            "--no-such-option=1",
            "--collect-atstart=yes",
            "branch-sim=yes",
            "--verbose",
            "verbose",
            "--suppressions=/a b/c=d",
        ] {
            check_argument(tool, word, &PassedOn);
        }
        for word in ["main", "branch-sim", "toggle-collect"] {
            check_argument(
                tool,
                word,
                &Refused("the value is missing; values stand behind a `=`"),
            );
        }
    }
}

#[test]
fn messages_name_the_place_of_an_argument() {
    let words = |word: &str| vec![word.to_owned()];
    let (configured, typed) = (words("--log-file=x"), words("--I1="));
    let scope = Scope {
        entry_point: &EntryPoint::None,
        frames: &[],
        count_threads: false,
        instructions_only: false,
        brackets: false,
        of_case: true,
    };
    let places = [
        OriginArguments {
            origin: ArgumentOrigin::Configuration,
            words: &configured,
        },
        OriginArguments {
            origin: ArgumentOrigin::Option {
                name: "--callgrind-args".to_owned(),
                variable: None,
            },
            words: &typed,
        },
    ];
    let (_, warnings) = build(Tool::Callgrind, &places[..1], scope).unwrap();
    assert_eq!(
        warnings,
        [
            "the argument `--log-file` for callgrind in the configuration is ignored: output and \
             log files have their names from the benchmark"
        ]
    );
    let error = build(Tool::Callgrind, &places, scope).unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument `--I1` for callgrind in `--callgrind-args`: a value is missing, which stands \
         behind a `=`"
    );
}
