//! The runner's forks against everything else: processes of their own, two servers, other places,
//! other environments, and a runner of a few lines that speaks to the server itself.
//!
//! A usual run takes some of the kernels and endings, `SUITE_FULL=1` all.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use benchmark_tests::server::{self, Case, Options};
use benchmark_tests::{build, executables, sample, valgrinds, Bench, Ended, Home};

/// Results of each kernel that the runner kept: the tool's file without the parts that always
/// differ.
type Results = BTreeMap<String, String>;

/// These are in every run: what they do depends most on where and when they run.
const ALWAYS: [&str; 4] = [
    "hash_by_pointer",
    "deep_stack",
    "closed_descriptors",
    "stdout",
];

/// Kernels that this run takes.
fn kernels() -> Vec<Case> {
    let mut all = server::cases(&build::bench("kernels"));
    all.retain(|case| case.group != "noise");
    assert!(all.len() > 50, "{}", all.len());
    let is_always = |case: &Case| ALWAYS.contains(&&*case.name);
    let (mut taken, rest): (Vec<Case>, Vec<Case>) = all.into_iter().partition(is_always);
    assert_eq!(taken.len(), ALWAYS.len());
    taken.extend(sample::some(rest));
    taken
}

/// The filter for a case.
fn path(case: &Case) -> String {
    format!("kernels::{}::{}", case.group, case.name)
}

/// Runs kernels.
fn run(bench: Bench, valgrind: &Path, arguments: &[&str]) -> (Home, Ended) {
    let home = Home::new();
    let bench = bench
        .measure(&home)
        .arg("--callgrind-args=--branch-sim=yes");
    let bench = bench.args(arguments).arg("--valgrind-bin").arg(valgrind);
    let ended = bench.run().code(0);
    (home, ended)
}

fn results(home: &Home) -> Results {
    let result = |case: Case| {
        let file = home
            .entry(&path(&case))
            .join(format!("callgrind.{}.out", case.name));
        let text = fs::read_to_string(&file).ok()?;
        Some((case.name, server::constant(&text)))
    };
    kernels().into_iter().filter_map(result).collect()
}

/// Runs these kernels, about which there is nothing to say.
fn quiet_results(bench: Bench, valgrind: &Path, kernels: &[Case], arguments: &[&str]) -> Results {
    let names: Vec<String> = kernels.iter().map(path).collect();
    let names = names.iter().map(String::as_str);
    let words: Vec<&str> = names.chain(["--exact"]).collect();
    let (home, ended) = run(bench, valgrind, &[&words, arguments].concat());
    ended.quiet();
    let results = results(&home);
    assert_eq!(results.len(), kernels.len());
    results
}

/// Runs those that this run takes.
fn results_with(valgrind: &Path, arguments: &[&str]) -> Results {
    quiet_results(Bench::new("kernels"), valgrind, &kernels(), arguments)
}

/// These events of every kernel.
fn counts(results: &Results, kinds: &[&str]) -> BTreeMap<String, Vec<u64>> {
    let counts = |text: &str| {
        let events = server::events(text);
        kinds.iter().map(|kind| events[*kind]).collect()
    };
    results
        .iter()
        .map(|(name, text)| (name.clone(), counts(text)))
        .collect()
}

const EXECUTED: &[&str] = &["Ir", "Dr", "Dw", "Bc", "Bi"];

#[track_caller]
fn assert_same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    ours: &BTreeMap<String, T>,
    expected: &BTreeMap<String, T>,
    show: impl Fn(&T) -> String,
) {
    assert!(ours.keys().eq(expected.keys()), "{what}");
    let differing = ours.iter().filter(|(name, ours)| **ours != expected[*name]);
    let texts = differing.map(|(name, ours)| {
        format!(
            "{name}: {}\n  instead of {}",
            show(ours),
            show(&expected[name])
        )
    });
    let texts: Vec<String> = texts.collect();
    assert!(texts.is_empty(), "{what}:\n{}", texts.join("\n"));
}

fn show_events(text: &str) -> String {
    format!("{:?}", server::events(text))
}

#[track_caller]
fn assert_same_counts(what: &str, ours: &Results, expected: &Results) {
    let [ours, expected] = [ours, expected].map(|results| counts(results, EXECUTED));
    assert_same(what, &ours, &expected, |counts| format!("{counts:?}"));
}

#[test]
fn servers_side_by_side_write_what_one_writes() {
    valgrinds::with_each(|valgrind| {
        let one = results_with(valgrind, &[]);
        for workers in ["--parallel=2", "--parallel=3"] {
            let several = results_with(valgrind, &[workers]);
            assert_same(workers, &several, &one, |text| show_events(text));
        }
        // Runs of one benchmark each.
        for name in ALWAYS {
            let mut kernel = kernels();
            kernel.retain(|case| case.name == name);
            let alone = quiet_results(Bench::new("kernels"), valgrind, &kernel, &[]);
            let expected = one.iter().filter(|(of, _)| *of == name);
            let expected = expected
                .map(|(name, text)| (name.clone(), text.clone()))
                .collect();
            assert_same("alone", &alone, &expected, |text| show_events(text));
        }
    });
}

#[test]
fn a_process_of_its_own_counts_the_same() {
    valgrinds::with_each(|valgrind| {
        let forks = results_with(valgrind, &["--fork=yes"]);
        let processes = results_with(valgrind, &["--fork=no", "--parallel=2"]);
        assert_same_counts("--fork=no", &processes, &forks);
    });
}

#[test]
fn fast_setup_counts_the_same() {
    valgrinds::with_each(|valgrind| {
        let slow = results_with(valgrind, &["--fast-setup=no"]);
        let fast = results_with(valgrind, &["--fast-setup"]);
        assert_same_counts("--fast-setup", &fast, &slow);
        let two = results_with(valgrind, &["--fast-setup", "--parallel=2"]);
        assert_same("two servers", &two, &fast, |text| show_events(text));
    });
}

/// It keeps fewer variables, so those that look at all of them are left out.
#[test]
fn a_second_runner_counts_the_same() {
    let executable = build::bench("kernels");
    valgrinds::with_each(|valgrind| {
        let theirs = results_with(valgrind, &[]);
        let mut server = Options::new(valgrind, &executable).start();
        let run = |case: Case| (case.name.clone(), server.run(&case).result().to_owned());
        let ours: Results = kernels().into_iter().map(run).collect();
        let [ours, theirs] = [ours, theirs].map(|mut results| {
            results.retain(|name, _| !name.contains("environment"));
            results
        });
        assert_same_counts("the second runner", &ours, &theirs);
    });
}

#[test]
fn neither_the_folder_nor_the_environment_changes_a_count() {
    let folder = tempfile::tempdir().unwrap();
    let results_in = |valgrind: &Path, subfolder: &str, bench: &dyn Fn(Bench) -> Bench| {
        let folder = folder.path().join(subfolder);
        fs::create_dir_all(&folder).unwrap();
        let executable = folder.join("kernels");
        if !executable.exists() {
            executables::copy(build::bench("kernels"), &executable);
        }
        let mut kernels = kernels();
        // These copy the values of all variables.
        kernels.retain(|case| !case.name.contains("environment"));
        quiet_results(bench(Bench::at(&executable)), valgrind, &kernels, &[])
    };
    // Always there, since whoever looks for a variable counts those that are before it.
    let with = |length: usize| move |bench: Bench| bench.env("KERNELS", "x".repeat(length));
    valgrinds::with_each(|valgrind| {
        let expected = results_in(valgrind, "a", &with(1));
        let long = "x".repeat(123);
        for subfolder in sample::some(["a_folder_with_a_much_longer_name", &long]) {
            let ours = results_in(valgrind, subfolder, &with(1));
            assert_same_counts(subfolder, &ours, &expected);
        }
        for length in sample::some([2, 15, 97, 1000, 10_000]) {
            let ours = results_in(valgrind, "a", &with(length));
            assert_same_counts(&format!("{length} bytes"), &ours, &expected);
        }
        // Cargo sets it, and scripts around Valgrind add to it.
        for path in sample::some([None, Some("/a"), Some("/a/longer/path:/and/another")]) {
            let ours = results_in(valgrind, "a", &|bench| {
                let bench = with(1)(bench);
                match path {
                    Some(path) => bench.env("LD_LIBRARY_PATH", path),
                    None => bench.env_remove("LD_LIBRARY_PATH"),
                }
            });
            assert_same_counts(&format!("LD_LIBRARY_PATH={path:?}"), &ours, &expected);
        }
    });
}

/// Texts without numbers and without the widths that depend on them.
fn without_numbers(text: &str) -> String {
    let mut replaced = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' if replaced.ends_with('#') => {}
            '0'..='9' => replaced.push('#'),
            // Blanks, and the dots in times.
            ' ' | '|' if replaced.ends_with(' ') => {}
            ' ' | '|' => replaced.push(' '),
            '.' if replaced.ends_with('#') => {}
            _ => replaced.push(c),
        }
    }
    replaced
}

/// Checks that output and exit code are the same in forks and in processes.
fn check(prepare: impl Fn() -> Bench, arguments: &[&str]) {
    let run = |fork: &str| {
        let home = Home::new();
        let bench = prepare().measure(&home).arg(fork).args(arguments);
        let first = bench.run();
        let again = prepare().measure(&home).arg(fork).args(arguments).run();
        let names = home.names().into_iter().map(|name| without_numbers(&name));
        let ended = |ended: Ended| {
            let [stdout, stderr] = [ended.stdout, ended.stderr].map(|text| without_numbers(&text));
            (stdout, stderr, ended.status)
        };
        (ended(first), ended(again), names.collect::<Vec<_>>())
    };
    let [forks, processes] = ["--fork=yes", "--fork=no"].map(run);
    assert_eq!(forks.0, processes.0);
    assert_eq!(forks.1, processes.1);
    assert_eq!(forks.2, processes.2);
}

#[test]
fn endings_look_the_same() {
    let endings = [
        "talks",
        "panics",
        "exits 0",
        "exits 3",
        "aborts",
        "segfaults",
    ];
    let captures = ["--nocapture=no", "--nocapture"];
    let all = endings.map(|ending| captures.map(|capture| (ending, capture)));
    for (ending, capture) in sample::some(all.concat()) {
        check(|| Bench::new("endings").env("ENDING", ending), &[capture]);
    }
}

#[test]
fn hooks_look_the_same() {
    check(|| Bench::new("hooks"), &[]);
    check(|| Bench::new("hooks"), &["--nocapture"]);
}

/// Output of a benchmark is between its name and its results.
#[test]
fn shown_output_stands_where_it_belongs() {
    let home = Home::new();
    for _ in sample::some(0..20) {
        let bench = Bench::new("kernels").measure(&home);
        let ended = bench.args(["stdout", "--nocapture"]).run().code(0);
        let (first, second) = ended
            .stdout
            .split_once("kernels::system::stdout_without_line_end\n")
            .unwrap();
        assert!(!first.contains("left in the buffer"), "{ended}");
        assert!(second.contains("left in the buffer"), "{ended}");
    }
}

mod in_full_runs {
    use super::*;

    #[test]
    fn kernels_look_the_same() {
        check(|| Bench::new("kernels"), &["::system::"]);
    }

    #[test]
    fn levels_and_environments_look_the_same() {
        check(
            || {
                Bench::new("levels")
                    .env("PASSED", "through")
                    .env("NOT_PASSED", "is there")
            },
            &[],
        );
    }

    #[test]
    fn limits_look_the_same() {
        check(|| Bench::new("limits"), &[]);
    }

    /// Counts are never the same, but everything works, and they are not far from each other.
    #[test]
    fn noise_stays_noise() {
        // And how many times more than the other one may be counted.
        const BENCHMARKS: [(&str, u64); 4] = [
            ("threads", 2),
            // The scheduler decides for each message whether the receiver sleeps and has to be woken.
            ("channels", 20),
            ("output_of_a_process", 2),
            ("digits_of_the_process_id", 2),
        ];
        valgrinds::with_each(|valgrind| {
            let count = |arguments: &[&str]| {
                let arguments = [&["::noise::"], arguments].concat();
                let (home, _) = run(Bench::new("kernels"), valgrind, &arguments);
                BENCHMARKS.map(|(name, _)| home.count(&format!("kernels::noise::{name}"), "Ir"))
            };
            let forks = count(&[]);
            let processes = count(&["--fork=no"]);
            for ((one, other), (name, times)) in forks.into_iter().zip(processes).zip(BENCHMARKS) {
                let range = other / times..=other * times;
                assert!(range.contains(&one), "{name}: {forks:?} {processes:?}");
            }
        });
    }
}
