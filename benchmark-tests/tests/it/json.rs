//! Objects for programs on stdout: every kind of result, and every kind of end.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use benchmark_tests::bench::{wait_until, Ended};
use benchmark_tests::{build, valgrinds, Bench, Home};
use nix::sys::signal::Signal;
use serde_json::Value;

const JSON: &str = "--output-format=json";

/// The objects of stdout, each on a line; all match the schema and are read by our own types.
#[track_caller]
fn objects(ended: &Ended) -> Vec<Value> {
    check_schema(&ended.stdout);
    let object =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
    let objects: Vec<Value> = ended.stdout.lines().map(object).collect();
    let (run, benchmarks) = objects.split_last().expect("there is an object of the run");
    assert_eq!(run["type"], "run");
    assert!(benchmarks
        .iter()
        .all(|object| object["type"] == "benchmark"));
    let number = |status: &str| {
        benchmarks
            .iter()
            .filter(|object| object["status"] == status)
            .count()
    };
    for status in ["ok", "regressed", "failed"] {
        assert_eq!(run["counts"][status], number(status), "{status} {run:#}");
    }
    objects
}

/// With `examples/check_json.rs` of the runner.
#[track_caller]
fn check_schema(json: &str) {
    let mut checker = Command::new(build::json_checker());
    let checker = checker.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut checker = checker.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = checker.stdin.take().unwrap();
    stdin.write_all(json.as_bytes()).unwrap();
    drop(stdin);
    let output = checker.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap().lines().count();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    let objects = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    assert_eq!(lines, objects.count());
}

fn path(object: &Value) -> &str {
    object["benchmark"]["path"].as_str().unwrap()
}

/// The new value of a metric of the first tool.
fn new(object: &Value, kind: &str) -> u64 {
    let metrics = object["profiles"][0]["metrics"].as_array().unwrap();
    let metric = metrics
        .iter()
        .find(|metric| metric["kind"] == kind)
        .unwrap();
    metric["new"].as_u64().unwrap()
}

#[test]
fn objects_and_files_say_what_the_terminal_says() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        let bench = || {
            Bench::new("endings")
                .measure(&home)
                .arg("--valgrind-bin")
                .arg(valgrind)
        };
        let ended = bench().arg(JSON).run().code(0).quiet();
        let objects = objects(&ended);
        let paths: Vec<&str> = objects[..3].iter().map(path).collect();
        assert_eq!(
            paths,
            [
                "endings::group::before",
                "endings::group::ends",
                "endings::group::after"
            ]
        );
        let text = bench().run().code(0).quiet();
        for object in &objects[..3] {
            text_shows(&text, new(object, "Ir"));
            assert_eq!(new(object, "Ir"), home.count(path(object), "Ir"));
        }
        let run = &objects[3];
        assert_eq!(
            (&run["ending"], &run["exit_code"]),
            (&"ok".into(), &0.into())
        );
        let version = run["valgrind"]["version"].as_str().unwrap();
        let profile = &objects[0]["profiles"][0];
        assert_eq!(profile["environment"]["valgrind_version"], version);
        assert_eq!(run["files"]["home"], home.path().to_str().unwrap());
        // The files are where the objects say.
        let directory = home.path().join(objects[0]["directory"].as_str().unwrap());
        for files in ["out_files", "log_files"] {
            let files = profile[files].as_array().unwrap();
            assert_eq!(files.len(), 1);
            assert!(directory.join(files[0].as_str().unwrap()).is_file());
        }
        let system = &run["system"];
        assert!(
            system["rustc"].as_str().unwrap().starts_with("1."),
            "{system}"
        );
        assert!(
            system["target"].as_str().unwrap().contains("-linux-"),
            "{system}"
        );
    });
}

#[track_caller]
fn text_shows(text: &Ended, count: u64) {
    assert!(
        text.stdout.contains(&format!(" {count}|{count} ")),
        "{count} {text}"
    );
}

#[test]
fn stdout_has_nothing_else() {
    let home = Home::new();
    for arguments in [
        &["--nocapture"][..],
        &["--nocapture", "--parallel=2"],
        &["--nocapture", "--fork=no"],
        &["--show-intermediate", "--show-grid", "--color=always"],
    ] {
        let bench = Bench::new("endings").measure(&home).args([JSON, "ends"]);
        let ended = bench.args(arguments).env("ENDING", "talks").run().code(0);
        assert_eq!(objects(&ended).len(), 2);
        if arguments[0] == "--nocapture" {
            ended.says(&["stdout"]);
        }
    }
    // A program that inherits stdout, and hooks that print.
    let bench = Bench::new("binary").measure(&Home::new()).arg(JSON);
    let ended = bench.run();
    assert!(objects(&ended).len() > 1, "{ended}");
    let pretty = Bench::new("endings")
        .measure(&home)
        .arg("--output-format=pretty-json");
    let pretty = pretty.run().code(0).quiet();
    check_schema(&pretty.stdout);
    assert!(pretty.stdout.starts_with("{\n  \"type\": \"benchmark\",\n"));
}

#[test]
fn failures_say_why() {
    for (ending, reason, code, signal) in [
        ("panics", "ended", Some(101), None),
        ("exits 0", "ended", Some(0), None),
        ("segfaults", "ended", None, Some(11)),
    ] {
        let home = Home::new();
        let bench = Bench::new("endings").measure(&home).arg(JSON);
        let ended = bench.env("ENDING", ending).run().code(1);
        let objects = objects(&ended);
        let failures = objects[1]["failures"].as_array().unwrap();
        assert_eq!(failures.len(), 1, "{ending}");
        assert_eq!(failures[0]["tool"], "callgrind");
        assert_eq!(failures[0]["reason"], reason, "{ending}");
        assert_eq!(failures[0]["exit_code"].as_i64(), code, "{ending}");
        assert_eq!(failures[0]["signal"].as_i64(), signal, "{ending}");
        assert_eq!(objects[3]["ending"], "failure");
        assert_eq!(objects[3]["exit_code"], 1);
        ended.says(&["error: benchmark `endings::group::ends` "]);
    }
}

#[test]
fn limits_comparisons_and_baselines() {
    let home = Home::new();
    let bench = |work: &str| Bench::new("limits").measure(&home).env("WORK", work);
    bench("1000")
        .args([JSON, "--save-baseline=main"])
        .run()
        .code(0);
    let ended = bench("20000").args([JSON, "--baseline=main"]).run().code(3);
    let all = objects(&ended);
    let find = |name: &str| {
        all.iter()
            .find(|object| object["benchmark"]["path"] == name)
            .unwrap()
    };
    let soft = find("limits::soft::works");
    assert_eq!(soft["status"], "regressed");
    assert_eq!(soft["baselines"]["old"], "main");
    let regression = &soft["profiles"][0]["regressions"][0];
    assert_eq!(
        (&regression["type"], &regression["limit"]),
        (&"soft".into(), &5.0.into())
    );
    let hard = &find("limits::hard::works")["profiles"][0]["regressions"][0];
    assert_eq!(
        (&hard["type"], &hard["limit"]),
        (&"hard".into(), &10_000.into())
    );
    let excess = hard["excess"].as_u64().unwrap();
    assert_eq!(excess + 10_000, new(find("limits::hard::works"), "Ir"));
    // One line for each on stderr.
    let lines = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with("regression: "));
    assert_eq!(lines.count(), 2, "{ended}");

    let twice = find("limits::by_id::twice::one");
    let comparison = &twice["comparisons"][0];
    assert_eq!(comparison["with"], "limits::by_id::once::one");
    assert_eq!(comparison["tool"], "callgrind");
    let ir = &comparison["metrics"][0];
    assert_eq!(ir["kind"], "Ir");
    assert_eq!(
        ir["new"].as_u64(),
        Some(new(find("limits::by_id::once::one"), "Ir"))
    );
    assert_eq!(ir["old"].as_u64(), Some(new(twice, "Ir")));
    assert_eq!(
        home.summary("limits::by_id::twice::one")["comparisons"],
        twice["comparisons"]
    );

    let load = ["--load-baseline=main", "--baseline=main", JSON];
    let loaded = bench("1")
        .args(load)
        .env("PATH", "/no/such/folder")
        .run()
        .code(0);
    let loaded = objects(&loaded);
    assert_eq!(loaded[0]["baselines"]["new"], "main");
    assert_eq!(loaded[0]["profiles"][0]["started_at"], Value::Null);
    assert_eq!(loaded.last().unwrap()["valgrind"], Value::Null);
    let fast = bench("30000")
        .args([JSON, "--regression-fail-fast"])
        .run()
        .code(3);
    let fast = objects(&fast);
    assert_eq!(fast.last().unwrap()["ending"], "fail_fast");
    assert!(fast.last().unwrap()["counts"]["not_run"].as_u64().unwrap() > 0);
}

#[test]
fn what_is_around_benchmarks_fails() {
    let folder = tempfile::tempdir().unwrap();
    let bench = |fails: &str| {
        let order = folder.path().join(fails);
        let bench = Bench::new("hooks").measure(&Home::at(&folder.path().join("home")));
        let ended = bench
            .arg(JSON)
            .env("ORDER", order)
            .env("FAILS", fails)
            .run()
            .code(1);
        objects(&ended)
    };
    let group = bench("group setup");
    let statuses: Vec<&Value> = group[..3].iter().map(|object| &object["status"]).collect();
    assert_eq!(statuses, ["failed", "failed", "ok"]);
    let failure = &group[0]["failures"][0];
    assert_eq!(
        (&failure["tool"], &failure["reason"]),
        (&Value::Null, &"setup".into())
    );
    assert_eq!(failure["exit_code"], 101);
    let all = bench("main setup");
    assert_eq!(all[3]["counts"]["failed"], 3);
    let teardown = bench("group teardown");
    assert_eq!(teardown[3]["counts"]["ok"], 3);
    assert_eq!(teardown[3]["ending"], "failure");
    let errors = teardown[3]["errors"].as_array().unwrap();
    assert!(
        errors[0]
            .as_str()
            .unwrap()
            .starts_with("teardown of `with_hooks` "),
        "{errors:?}"
    );
}

#[test]
fn several_tools_and_threads() {
    let home = Home::new();
    let tools = "--tools=dhat,massif,memcheck,helgrind,drd,cachegrind,exp-bbv";
    let bench = Bench::new("endings")
        .measure(&home)
        .args([JSON, tools, "ends"]);
    let ended = bench.env("ENDING", "talks").run();
    let several = objects(&ended);
    assert_eq!(
        several[0]["profiles"].as_array().unwrap().len(),
        8,
        "{ended}"
    );
    let threads = Bench::new("threads").measure(&home).arg(JSON).run();
    let threads = objects(&threads);
    let parts = |object: &Value| {
        object["profiles"][0]["parts"]
            .as_array()
            .map_or(0, Vec::len)
    };
    let with_parts = threads.iter().find(|object| parts(object) > 1).unwrap();
    assert!(with_parts["profiles"][0]["parts"][0]["new"]["thread"].is_u64());

    let bench = Bench::new("tools_errors").measure(&home).arg(JSON);
    let tool = ["reads_behind", "--default-tool=memcheck"];
    let ended = bench.args(tool).run().code(1);
    let found = &objects(&ended)[0];
    let failure = &found["failures"][0];
    assert_eq!(failure["reason"], "errors");
    assert!(Path::new(failure["log"].as_str().unwrap()).is_file());
    let errors = &found["profiles"][0]["errors"][0];
    assert_eq!(
        (&errors["errors"], &errors["log"]),
        (&3.into(), &failure["log"])
    );
    let lines = errors["lines"].as_array().unwrap();
    assert!(lines.contains(&"Invalid read of size 1".into()), "{errors}");
}

#[test]
fn the_run_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("home"));
    let started = folder.path().join("started");
    let bench = Bench::new("endings").measure(&home).arg(JSON);
    let run = bench
        .env("ENDING", "spins")
        .env("STARTED", &started)
        .start();
    wait_until("the benchmark runs", || started.exists());
    run.signal(Signal::SIGTERM);
    let interrupted = objects(&run.wait().signalled(Signal::SIGTERM));
    let run = interrupted.last().unwrap();
    assert_eq!(
        (&run["ending"], &run["signal"]),
        (&"interrupted".into(), &15.into())
    );
    assert_eq!(
        (&run["exit_code"], &run["counts"]["not_run"]),
        (&Value::Null, &2.into())
    );

    let bench = || Bench::new("endings").measure(&home).arg(JSON);
    let without = bench().env("PATH", "/no/such/folder").run().code(1);
    let without = objects(&without);
    assert_eq!(without[0]["ending"], "error");
    assert!(without[0]["message"]
        .as_str()
        .unwrap()
        .contains("valgrind was not found"));
    assert_eq!(without[0]["counts"]["not_run"], 3);
    let nothing = objects(&bench().arg("nothing like it").run().code(0));
    assert_eq!(nothing[0]["counts"]["filtered"], 3);
    assert!(nothing[0]["warnings"][0]
        .as_str()
        .unwrap()
        .starts_with("no benchmark matches"));

    // Whoever reads has seen enough.
    let mut command = bench().command();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Instructions by object, as `callgrind_annotate` adds them up: names of files without their
/// directories.
fn annotated(profile: &Path) -> BTreeMap<String, u64> {
    let mut annotate = Command::new("callgrind_annotate");
    annotate.args([
        "--threshold=100",
        "--auto=no",
        "--show-percs=no",
        "--show=Ir",
    ]);
    let output = annotate.arg(profile).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // `12  file:function [object]`; lines of another file inside of a function have no object.
    let rows = text.lines().filter_map(|line| {
        let (count, place) = line.trim_start().split_once("  ")?;
        let (_, function) = place.split_once(':')?;
        let (function, object) = match function.strip_suffix(']') {
            Some(both) => both
                .rsplit_once(" [")
                .map(|(name, object)| (name, Some(object)))?,
            None => (function, None),
        };
        Some((
            count.replace(',', "").parse::<u64>().ok()?,
            function,
            object,
        ))
    });
    let rows: Vec<(u64, &str, Option<&str>)> = rows.collect();
    let mut objects = BTreeMap::new();
    for (count, function, _) in &rows {
        let mut same = rows.iter().filter(|(_, other, _)| other == function);
        let object = same.find_map(|(_, _, object)| *object);
        let file = Path::new(object.expect("a function has an object")).file_name();
        *objects
            .entry(file.unwrap().to_str().unwrap().to_owned())
            .or_default() += count;
    }
    objects.retain(|_, count| *count > 0);
    objects
}

#[test]
fn own_code_is_told_from_libraries() {
    let home = Home::new();
    let benchmark = "copies::sizes::copy::at_8192";
    Bench::new("copies")
        .measure(&home)
        .arg(benchmark)
        .run()
        .code(0);
    let kept = home.records("copies");
    let (objects, total) = (&kept[0]["profiles"][0]["objects"], new(&kept[0], "Ir"));
    let out = home.entry(benchmark).join("callgrind.copy.at_8192.out");
    let mut expected = annotated(&out);
    let list = objects.as_array().unwrap();
    let name = |object: &Value| object["name"].as_str().unwrap().to_owned();
    for object in list {
        let own = name(object) == "copies";
        assert_eq!(object["own"], own, "{object}");
        // The file has cargo's hash.
        let file = expected.keys().find(|file| match own {
            true => file.starts_with("copies-"),
            false => **file == name(object),
        });
        let file = file
            .unwrap_or_else(|| panic!("{object} in {expected:?}"))
            .clone();
        assert_eq!(object["Ir"].as_u64(), expected.remove(&file), "{object}");
    }
    assert!(expected.is_empty(), "{expected:?}");
    let sum: u64 = list
        .iter()
        .map(|object| object["Ir"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, total);
    assert!(list.iter().any(|object| object["own"] == true), "{objects}");
    assert!(
        list.iter().any(|object| name(object).starts_with("libc")),
        "{objects}"
    );
}
