//! Wall time: spins of known length in two executables, benchmarks that cannot be timed, and the
//! executables that are kept.
//!
//! A machine may be too busy for any statement, and then the runner says so; no test asks for one.
//! With `SUITE_FULL=1` they do, and many comparisons are made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use benchmark_tests::executables::copy_with;
use benchmark_tests::{build, sample, Bench, Ended, Home};
use serde_json::Value;
use tempfile::TempDir;

/// Two percent more than the other executable spins.
const LONGER: &str = "spins for 00265200 ticks";

/// These tests wait for each other: beside each other they would be each other's noise.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn timed(home: &Home, arguments: &[&str]) -> Ended {
    let bench = Bench::new("timed").measure(home);
    bench.arg("--time=200ms").args(arguments).run()
}

#[track_caller]
fn time(home: &Home, benchmark: &str) -> Value {
    let summary = home.summary(&format!("timed::known::{benchmark}"));
    assert!(summary["time"].is_object(), "{summary:#}");
    summary["time"].clone()
}

/// Is there a statement about the time? On a busy machine there may be none, with a reason.
#[track_caller]
fn is_judged(time: &Value) -> bool {
    let is_judged = time["class"] != "not_judged";
    assert!(is_judged || !sample::is_full(), "{time:#}");
    assert!(is_judged || time["reason"].is_string(), "{time:#}");
    is_judged
}

/// Is the ratio known to a tenth of a percent? So it is unless the machine is busy; the interval
/// has this ratio in any case.
#[track_caller]
fn is_known(time: &Value, ratio: f64) -> bool {
    if !is_judged(time) {
        return false;
    }
    let [low, high] = ["ratio_low", "ratio_high"].map(|field| number(time, field));
    assert!((low - 0.001..=high + 0.001).contains(&ratio), "{time:#}");
    high - low < 0.002
}

#[track_caller]
fn number(time: &Value, field: &str) -> f64 {
    let number = time[field].as_f64();
    number.unwrap_or_else(|| panic!("{field} in {time:#}"))
}

fn kept(home: &Home) -> Vec<PathBuf> {
    let bench = home.entry("timed::known::short");
    let directory = bench.ancestors().nth(2).unwrap().join(".executables");
    let files = fs::read_dir(directory).into_iter().flatten();
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn a_difference_of_two_percent_is_found_and_exceeds_a_limit_of_one() {
    let _alone = alone();
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let longer = folder.path().join("timed");
    let base = build::bench("timed");
    copy_with(&base, &longer, "spins for 00260000 ticks", LONGER);
    let run = |limit: &str| {
        let bench = Bench::at(&longer).measure(&home).arg("--time=300ms");
        let bench = bench.arg("--time-base").arg(&base);
        bench.args([limit, "spins", "regions"]).run()
    };
    // Not that it is proven to be more.
    run("--time-limits=3%").code(0);
    for benchmark in ["spins::ticks", "regions::ticks"] {
        let time = time(&home, benchmark);
        if !is_known(&time, 1.02) {
            return;
        }
        assert_eq!(time["class"], "slower", "{time:#}");
        assert_eq!(time["exceeded_limit"], Value::Null);
        let ratio = number(&time, "ratio");
        assert!((1.019..=1.021).contains(&ratio), "{time:#}");
        // Both spin for 100 us or so, and the regions of one of them are no more.
        let [new, old] = ["median_ns", "old_median_ns"].map(|field| number(&time, field));
        assert!((20_000.0..250_000.0).contains(&new), "{time:#}");
        assert!((1.01..1.03).contains(&(new / old)), "{time:#}");
    }
    let [whole, regions] =
        ["spins::ticks", "regions::ticks"].map(|it| number(&time(&home, it), "median_ns"));
    assert!(
        (0.98..1.02).contains(&(whole / regions)),
        "{whole} {regions}"
    );
    let ended = run("--time-limits=1%");
    let times = ["spins::ticks", "regions::ticks"].map(|it| time(&home, it));
    if !times.iter().all(|time| is_known(time, 1.02)) {
        return;
    }
    let ended = ended.code(3);
    ended.shows(&["(limit 1%)", "2 regressed", "Regressions:", "%, limit +1%"]);
    assert_eq!(number(&time(&home, "spins::ticks"), "exceeded_limit"), 1.0);
    let summary = home.summary("timed::known::spins::ticks");
    assert_eq!(summary["status"], "regressed");
}

#[test]
fn the_executable_of_the_old_result_is_kept_and_compared_with() {
    let _alone = alone();
    let home = Home::new();
    timed(&home, &["works"])
        .code(0)
        .quiet()
        .shows(&["(no old executable)"]);
    assert_eq!(time(&home, "works::steps")["class"], "no_old");
    assert_eq!(kept(&home).len(), 1);
    timed(&home, &["works"]).code(0).quiet().shows(&["steps"]);
    let same = time(&home, "works::steps");
    assert!(
        same["old_median_ns"].is_number() || !is_judged(&same),
        "{same:#}"
    );
    assert_eq!(same["executables"][0], same["executables"][1]);
    // The code is the same, so nothing is measured, and the executable stays known.
    let bench = || Bench::new("timed").measure(&home).arg("works");
    bench()
        .arg("--time=changed")
        .run()
        .code(0)
        .quiet()
        .without("Time");
    let skipped = time(&home, "works::steps");
    assert_eq!(skipped["median_ns"], Value::Null);
    assert_eq!(skipped["executables"], same["executables"]);
    assert_eq!(kept(&home).len(), 1);
    for file in kept(&home) {
        fs::remove_file(file).unwrap();
    }
    timed(&home, &["works"]).code(0).shows(&[
        "(not compared)",
        "time: the old executable is not kept any more",
    ]);
    // Without the option there is no time, and nobody needs executables.
    bench().run().code(0).quiet().without("Time");
    assert!(home.summary("timed::known::works::steps")["time"].is_null());
    timed(&home, &["works"])
        .code(0)
        .shows(&["(no old executable)"]);
}

#[test]
fn what_cannot_be_timed_is_counted() {
    let _alone = alone();
    let home = Home::new();
    timed(&home, &["once", "grows", "short"]).code(0);
    let ended = timed(&home, &["once", "grows", "short"]).code(0);
    ended.shows(&[
        "(not measured)",
        "time: cannot be called again and again: it ended unexpectedly",
    ]);
    // On a busy machine there may be too few starts.
    for (benchmark, reasons) in [
        ("once", &["cannot be called again and again"][..]),
        ("grows", &["calls differ", "too few starts", "too noisy"]),
        ("short", &["too short", "too few starts", "too noisy"]),
    ] {
        assert!(home.count(&format!("timed::known::{benchmark}"), "Ir") > 0);
        // That calls grow is proven where no other process comes between them: not always.
        if benchmark != "once" && !sample::is_full() {
            continue;
        }
        let time = time(&home, benchmark);
        assert_eq!(time["class"], "not_judged", "{time:#}");
        let said = time["reason"].as_str().unwrap();
        let is_known = reasons.iter().any(|reason| said.contains(reason)) || said.contains("CPU");
        assert!(is_known, "{time:#}");
    }
}

#[test]
fn an_executable_without_the_benchmark_is_no_old_one() {
    let _alone = alone();
    let home = Home::new();
    let other = build::bench("counts");
    let ended = timed(&home, &["spins", "--time-base", other.to_str().unwrap()]);
    ended.code(0).shows(&[
        "(not compared)",
        "the old executable cannot be timed: it does not have this benchmark",
    ]);
    let empty = tempfile::tempdir().unwrap();
    let ended = timed(
        &home,
        &["spins", "--time-base", empty.path().to_str().unwrap()],
    );
    ended
        .code(0)
        .shows(&["the directory of `--time-base` has no executable of this bench target"]);
    let ended = timed(&home, &["spins", "--time-base=/does/not/exist"]);
    ended
        .code(2)
        .says(&["--time-base", "cannot read `/does/not/exist`"]);
}

#[test]
fn an_executable_whose_list_has_another_argument_is_not_compared_with() {
    let _alone = alone();
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let base = build::bench("timed");
    let other = folder.path().join("timed");
    copy_with(
        &base,
        &other,
        "one of several texts",
        "one of several words",
    );
    let ended = timed(&home, &["listed", "--time-base", other.to_str().unwrap()]);
    ended.code(0).shows(&["(different input)"]);
    let time = time(&home, "listed::texts_0");
    assert_eq!(time["class"], "no_old", "{time:#}");
    assert!(time["old_median_ns"].is_null() && time["median_ns"].is_number());
}

#[test]
fn a_long_setup_stays_in_its_time() {
    let _alone = alone();
    let home = Home::new();
    let begin = Instant::now();
    timed(&home, &["after_setup"]).code(0);
    timed(&home, &["after_setup"]).code(0);
    let took = begin.elapsed();
    // It would be minutes if all its setups counted as nothing.
    assert!(took.as_secs() < 60, "{took:?}");
    assert!(number(&time(&home, "after_setup::slow"), "calls") < 32.0);
}

#[test]
fn a_benchmark_says_that_it_is_timed_and_the_command_line_wins() {
    let _alone = alone();
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let bench = Bench::new("timed").measure(&home).arg("configured");
        bench.args(arguments).run().code(0)
    };
    let limit = || time(&home, "configured")["limit"].clone();
    run(&[]).quiet().shows(&["(no old executable)"]);
    assert_eq!(limit(), 1000.0);
    assert_eq!(kept(&home).len(), 1);
    run(&["--time-limits=2000%"]).quiet();
    assert_eq!(limit(), 2000.0);
    run(&["--time=no"]).quiet().without("Time");
    assert!(home.summary("timed::known::configured")["time"].is_null());
    run(&["--time=no", "--time-limits=5%"])
        .says(&["`--time-limits` has no effect: no benchmark is timed without `--time`"]);
}

#[test]
fn options_of_time_need_it() {
    let _alone = alone();
    let home = Home::new();
    let bench = Bench::new("timed").measure(&home);
    bench
        .args(["--time-limits=5%", "short"])
        .run()
        .code(0)
        .says(&["`--time-limits` has no effect: no benchmark is timed without `--time`"]);
    let bench = Bench::new("timed").measure(&home);
    let ended = bench.args(["--time-limits=5", "short"]).run().code(2);
    ended.says(&["expected a percentage that is not negative, such as `5%`"]);
}

/// A copy of the benchmark executable, in a folder of its own, with other words.
fn copied(folder: &TempDir, [text, instead]: [&str; 2]) -> PathBuf {
    let copy = folder.path().join("timed");
    copy_with(build::bench("timed"), &copy, text, instead);
    copy
}

/// Times a benchmark of this executable in pairs with another one.
fn against(new: &Path, old: &Path, arguments: &[&str]) -> (Home, Ended) {
    let home = Home::new();
    let bench = Bench::at(new).measure(&home).arg("--instructions-only");
    let ended = bench.arg("--time-base").arg(old).args(arguments).run();
    (home, ended)
}

#[test]
fn what_happens_to_the_old_executable_costs_no_counts() {
    let _alone = alone();
    let new = build::bench("timed");
    let version = iai_callgrind::protocol::VERSION;
    let older: String = version.replace(|it: char| it.is_ascii_digit(), "0");
    let returns = "every call returns";
    let ends = [
        ([returns, "every call is lost"], "it ended unexpectedly"),
        ([version, &older], &*format!("iai-callgrind {older}")),
    ];
    // Nothing is heard of a process that was stopped, until patience ends.
    let stopped = ([returns, "every call is held"], "did not answer");
    let ends = ends.into_iter().chain(sample::is_full().then_some(stopped));
    for (words, reason) in ends {
        let folder = tempfile::tempdir().unwrap();
        let old = copied(&folder, words);
        let (home, ended) = against(&new, &old, &["ends", "--time=50ms"]);
        ended.code(0).shows(&["(not compared)"]);
        let time = time(&home, "ends");
        let said = time["reason"].as_str().unwrap();
        assert!(
            said.starts_with("the old executable cannot be timed: "),
            "{said}"
        );
        assert!(said.contains(reason), "{said}");
        assert!(
            time["median_ns"].is_number() && time["ratio"].is_null(),
            "{time:#}"
        );
        assert!(home.count("timed::known::ends", "Ir") > 0);
    }
}

/// A chase through 16 MiB finds what the sample before has left in the caches: only strictly in
/// turn both sides find the same. Processes that spin on each processor make both sides slower
/// alike.
#[test]
fn neither_order_nor_neighbours_make_equal_executables_differ() {
    if !sample::is_full() {
        return;
    }
    let _alone = alone();
    let base = build::bench("timed");
    let compared = |benchmark: &str, entry: &str, duration: &str| {
        let (home, ended) = against(&base, &base, &[benchmark, duration]);
        ended.code(0);
        let time = time(&home, entry);
        println!("{entry}: {time}");
        assert!(
            time["class"] != "slower" && time["class"] != "faster",
            "{time:#}"
        );
        time
    };
    let chased = compared("chases", "chases::of_memory", "--time=8s");
    let ratio = number(&chased, "ratio");
    let is_near = (0.97..1.03).contains(&ratio);
    assert!(is_near || chased["class"] == "not_judged", "{chased:#}");
    let alone = compared("tokens", "tokens::of_text", "--time=1s");
    let processors = std::thread::available_parallelism().unwrap().get();
    let spin = || {
        Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap()
    };
    let mut spinners: Vec<Child> = (0..processors).map(|_| spin()).collect();
    let beside = std::panic::catch_unwind(|| compared("tokens", "tokens::of_text", "--time=1s"));
    for spinner in &mut spinners {
        spinner.kill().unwrap();
        spinner.wait().unwrap();
    }
    let beside = beside.unwrap();
    let [alone, beside] = [alone, beside].map(|time| number(&time, "median_ns"));
    println!("{alone} ns alone, {beside} ns beside {processors} processes that spin");
}

/// The same machine code at other addresses takes another time, which is no change of the code.
#[test]
fn another_place_of_the_same_code_is_told_from_a_division() {
    if !sample::is_full() {
        return;
    }
    let _alone = alone();
    const ALIGNED: &str = "-Cllvm-args=-align-all-functions=6";
    const DIVIDES: &str = "--cfg=divides";
    let built = |flags: &[&str]| build::flagged_bench("timed", flags);
    let once = |old: &Path, new: &Path, benchmark: &str| {
        let home = Home::new();
        // The old result has the counts that the layout is judged by.
        for executable in [old, new] {
            let bench = Bench::at(executable).measure(&home).arg("--time=1s");
            let bench = bench.args([benchmark, "--instructions-only"]);
            bench.run().code(0);
        }
        let time = time(&home, benchmark);
        println!("{time}");
        time["class"].as_str().unwrap().to_owned()
    };
    // A machine whose processors others take, as those of a host do, tells nothing at times.
    let expect = |old: &Path, flags: &[&str], expected: &[&str]| {
        println!("{flags:?}");
        let new = built(flags);
        for benchmark in ["tokens::of_text", "parse::of_text"] {
            let mut attempts = (0..5).map(|_| once(old, &new, benchmark));
            match attempts.find(|class| class != "not_judged") {
                Some(class) => assert!(expected.contains(&&*class), "{benchmark}: {class}"),
                None => println!("{benchmark} cannot be judged on this machine"),
            }
        }
    };
    let plain = build::bench("timed");
    expect(&plain, &["--cfg=shifted"], &["layout", "unchanged"]);
    expect(&plain, &["--cfg=shifted", DIVIDES], &["slower"]);
    // With functions at multiples of 64 the same code takes the same time.
    let aligned = built(&[ALIGNED]);
    expect(&aligned, &[ALIGNED, "--cfg=shifted"], &["unchanged"]);
    expect(&aligned, &[ALIGNED, "--cfg=shifted", DIVIDES], &["slower"]);
}

/// Equal executables, and the time of one of them with a planted difference: 300 and 20 comparisons
/// with `SUITE_FULL=1`, else none. Prints what was found.
#[test]
fn equal_executables_are_equal_and_planted_differences_are_found() {
    if !sample::is_full() {
        return;
    }
    let _alone = alone();
    let (comparisons, planted) = (300, 20);
    let folder = tempfile::tempdir().unwrap();
    let base = build::bench("timed");
    // The same name, so the same length of everything that depends on it.
    let copy = |ticks: u64| {
        let directory = folder.path().join(ticks.to_string());
        fs::create_dir(&directory).unwrap();
        let text = format!("spins for {ticks:08} ticks");
        copy_with(
            &base,
            directory.join("timed"),
            "spins for 00260000 ticks",
            &text,
        );
        directory.join("timed")
    };
    let compared = |new: &PathBuf, benchmark: &str| {
        let home = Home::new();
        let bench = Bench::at(new).measure(&home).arg("--time=250ms");
        let bench = bench.args([benchmark, "--instructions-only", "--time-base"]);
        bench.arg(&base).run().code(0);
        let entry = match benchmark {
            "works" => "works::steps",
            _ => "spins::ticks",
        };
        time(&home, entry)
    };
    let equal = copy(260_000);
    let mut alarms = 0;
    for number in 0..comparisons {
        let benchmark = ["works", "spins"][number % 2];
        let time = compared(&equal, benchmark);
        let is_alarm = ["slower", "faster"]
            .iter()
            .any(|class| time["class"] == *class);
        if is_alarm {
            println!("{benchmark}: {time}");
        }
        alarms += usize::from(is_alarm);
    }
    println!("{alarms} of {comparisons} comparisons of equal executables are alarms");
    assert!(alarms <= 1, "{alarms} of {comparisons}");
    for percent in [1, 2, 5] {
        let slower = copy(260_000 + 2_600 * percent);
        let found = (0..planted).filter(|_| compared(&slower, "spins")["class"] == "slower");
        let found = found.count();
        println!("+{percent} % is found in {found} of {planted} comparisons");
        assert!(found * 10 >= planted * 9, "{percent}: {found} of {planted}");
    }
}
