//! Flamegraphs of real runs: what is in them, and which ones there are after which run.

use std::collections::BTreeMap;
use std::fs;

use benchmark_tests::{Bench, Home};

const TREE: &str = "flamegraphs::group::tree::both";

fn bench(home: &Home, benchmark: &str) -> Bench {
    let bench = Bench::new("flamegraphs").measure(home);
    bench.arg(format!("group::{benchmark}"))
}

/// A rectangle of a picture.
#[derive(Debug)]
struct Frame {
    name: String,
    count: u64,
    /// With a sign, in a differential picture.
    change: Option<String>,
    row: u64,
    left: u64,
}

/// The text between two others.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("{start} in {text}"));
    rest.split_once(end)
        .unwrap_or_else(|| panic!("{end} in {rest}"))
        .0
}

fn frames(svg: &str) -> Vec<Frame> {
    let groups = svg.split("<g><title>").skip(1);
    let frames = groups.map(|group| {
        let (title, rest) = group.split_once("</title>").unwrap();
        let (name, counts) = title.rsplit_once(" (").unwrap();
        let digits = counts.split(' ').next().unwrap().replace(',', "");
        let change = counts.split_once("; ").map(|(_, change)| change);
        Frame {
            name: name
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&"),
            count: digits.parse().unwrap(),
            change: change.map(|change| change.trim_end_matches(')').to_owned()),
            row: between(rest, " y=\"", "\"").parse().unwrap(),
            left: between(rest, " fg:x=\"", "\"").parse().unwrap(),
        }
    });
    frames.collect()
}

/// The frames by the names that lead to them, last parts of paths only, as far as they are above
/// each other in a picture that grows to the bottom.
fn paths(svg: &str) -> BTreeMap<String, u64> {
    let frames = frames(svg);
    let path = |frame: &Frame| {
        let mut above: Vec<&Frame> = frames
            .iter()
            .filter(|other| {
                other.row < frame.row
                    && other.left <= frame.left
                    && frame.left + frame.count <= other.left + other.count
            })
            .collect();
        above.sort_by_key(|frame| frame.row);
        let names = above.into_iter().chain([frame]).map(|frame| {
            let name = frame.name.rsplit("::").next().unwrap();
            name.to_owned()
        });
        names.collect::<Vec<_>>().join(";")
    };
    frames
        .iter()
        .map(|frame| (path(frame), frame.count))
        .collect()
}

/// A picture of a benchmark, by the end of its name.
fn svg(home: &Home, benchmark: &str, end: &str) -> String {
    let stem = benchmark.splitn(3, "::").nth(2).unwrap().replace("::", ".");
    let name = format!("callgrind.{stem}.total.{end}.svg");
    let path = home.entry(benchmark).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The ends of the names of all pictures.
fn pictures(home: &Home) -> Vec<String> {
    let names = home
        .results()
        .into_keys()
        .filter(|name| name.ends_with(".svg"));
    names
        .map(|name| name.split_once(".flamegraph").unwrap().1.to_owned())
        .collect()
}

#[test]
fn a_tree_of_calls_is_drawn_as_it_was_counted() {
    let home = Home::new();
    bench(&home, "tree").run().code(0).quiet();
    let svg = svg(&home, TREE, "Ir.flamegraph");
    assert!(
        svg.contains(">flamegraphs::group::tree both:amounts()</text>"),
        "{svg}"
    );
    let total = home.count(TREE, "Ir");
    assert!(
        svg.contains(&format!(">Instructions: {total}</text>")),
        "{svg}"
    );

    let paths = paths(&svg);
    assert_eq!(paths["all"], total);
    assert_eq!(paths["all;tree"], total);
    let on_the_left = paths["all;tree;left;shared"];
    let on_the_right = paths["all;tree;right;shared"];
    // Two instructions a round and those around it, which are the same in both.
    assert_eq!(on_the_right - on_the_left, 2 * 2000);
    assert!((2000..2050).contains(&on_the_left), "{on_the_left}");
    // Both callers do the same beside it, and lie beside each other.
    let of_left = paths["all;tree;left"] - on_the_left;
    assert_eq!(of_left, paths["all;tree;right"] - on_the_right);
    assert!((1..50).contains(&of_left), "{of_left}");
    // The rounds were inlined, and have nearly all of it.
    let rounds = "shared;rounds [inlined]";
    let inlined = ["left", "right"].map(|side| paths[&format!("all;tree;{side};{rounds}")]);
    assert_eq!(inlined[0] + inlined[1], 2 * (1000 + 3000));
    assert_eq!(paths.len(), 8, "{paths:?}");
}

#[test]
fn processes_of_their_own_give_the_same_picture() {
    let [forked, direct] = [Home::new(), Home::new()];
    bench(&forked, "tree").run().code(0).quiet();
    bench(&direct, "tree")
        .arg("--fork=no")
        .run()
        .code(0)
        .quiet();
    assert_eq!(forked.profile(TREE, "callgrind")["mode"], "fork");
    assert_eq!(direct.profile(TREE, "callgrind")["mode"], "direct");
    let svg = |home| svg(home, TREE, "Ir.flamegraph");
    assert_eq!(svg(&forked), svg(&direct));
}

#[test]
fn pictures_are_kept_with_their_results() {
    let home = Home::new();
    bench(&home, "tree").run().code(0).quiet();
    assert_eq!(pictures(&home), [".svg"]);
    let before = home.count(TREE, "Ir");

    let more = || bench(&home, "tree").env("WORK", "more");
    more().run().code(0).quiet();
    assert_eq!(pictures(&home), [".diff.old.svg", ".old.svg", ".svg"]);
    let old = svg(&home, TREE, "Ir.flamegraph.old");
    assert!(
        old.contains(&format!(">Instructions: {before} (the last run)</text>")),
        "{old}"
    );
    assert_eq!(paths(&old)["all"], before);
    let now = home.count(TREE, "Ir");
    assert_eq!(now, before + 2 * 2000);
    let difference = frames(&svg(&home, TREE, "Ir.flamegraph.diff.old"));
    // Only the rounds on the right changed. What `shared` does beside them is divided in
    // proportion, rounded.
    let percent = |frame: &Frame| -> Option<f64> {
        let change = frame.change.as_deref()?;
        Some(change.trim_end_matches('%').parse().unwrap())
    };
    let changed: Vec<(&Frame, f64)> = difference
        .iter()
        .filter_map(|frame| Some((frame, percent(frame)?)))
        .filter(|(_, change)| change.abs() > 0.02)
        .collect();
    let [(rounds, change)] = changed[..] else {
        panic!("{changed:?}");
    };
    assert!(rounds.name.ends_with("::rounds [inlined]") && rounds.count > 9_990);
    assert!(
        (change - 4000.0 * 100.0 / now as f64).abs() < 0.03,
        "{change}"
    );

    // Programs find them.
    let said = home.profile(TREE, "callgrind")["flamegraphs"].clone();
    let said = said.as_array().unwrap();
    let graphs: Vec<&str> = said
        .iter()
        .map(|one| one["graph"].as_str().unwrap())
        .collect();
    assert_eq!(graphs, ["regular", "old", "differential"]);
    for one in said {
        assert_eq!(one["kind"], "Ir");
        assert!(fs::metadata(one["path"].as_str().unwrap())
            .unwrap()
            .is_file());
    }

    // A benchmark that fails changes nothing.
    let results = home.results();
    let failed = bench(&home, "tree").env("WORK", "nothing").run();
    failed.code(1).says(&["panicked"]);
    assert_eq!(home.results(), results);
}

#[test]
fn baselines_have_pictures_of_their_own() {
    let home = Home::new();
    let run = |arguments: &[&str]| bench(&home, "tree").args(arguments).run().code(0).quiet();
    run(&["--save-baseline=main"]);
    assert_eq!(pictures(&home), [".base@main.svg"]);
    run(&["--baseline=main"]);
    let with_last = [".base@main.svg", ".diff.base@main.svg", ".svg"];
    assert_eq!(pictures(&home), with_last);
    run(&["--save-baseline=v1.1", "--baseline=main"]);
    let loaded = [
        ".base@main.svg",
        ".base@v1.1.diff.base@main.svg",
        ".base@v1.1.svg",
        ".diff.base@main.svg",
        ".svg",
    ];
    assert_eq!(pictures(&home), loaded);

    // Without a run they are drawn again.
    for (name, _) in home.results() {
        if name.ends_with(".base@v1.1.svg") || name.contains(".base@v1.1.diff") {
            fs::remove_file(home.path().join(name)).unwrap();
        }
    }
    assert_eq!(pictures(&home), with_last);
    run(&["--load-baseline=v1.1", "--baseline=main"]);
    assert_eq!(pictures(&home), loaded);
    let svg = svg(&home, TREE, "Ir.flamegraph.base@v1.1.diff.base@main");
    assert!(svg.contains("of the baseline `main`; red is more"), "{svg}");

    // A picture that compares with a baseline is removed when the baseline is replaced.
    run(&["--save-baseline=main"]);
    let saved = [
        ".base@main.diff.base@main.svg",
        ".base@main.svg",
        ".base@v1.1.svg",
        ".svg",
    ];
    assert_eq!(pictures(&home), saved);
    // A run takes the picture of the last one along.
    run(&[]);
    let last = [".diff.old.svg", ".old.svg", ".svg"];
    assert_eq!(pictures(&home)[..3], saved[..3]);
    assert_eq!(pictures(&home)[3..], last);
}

#[test]
fn settings_say_what_is_drawn() {
    let home = Home::new();
    let ended = bench(&home, "one").run().code(0);
    ended.says(&["`flamegraphs::group::one::cycles`: no flamegraph: Bc was not collected"]);
    let cycles = "flamegraphs::group::one::cycles";
    let picture = svg(&home, cycles, "EstimatedCycles.flamegraph");
    let total = home.count(cycles, "EstimatedCycles");
    assert!(
        picture.contains(&format!(">Estimated Cycles: {total}</text>")),
        "{picture}"
    );
    assert!(picture.contains(">A &amp; B</text>"), "{picture}");
    // The callers are at the bottom.
    let frames = frames(&picture);
    let row = |end: &str| {
        frames
            .iter()
            .find(|frame| frame.name.ends_with(end))
            .unwrap()
            .row
    };
    assert!(row("all") > row("::one") && row("::one") > row("::left"));

    let everything = svg(
        &home,
        "flamegraphs::group::one::everything",
        "Ir.flamegraph",
    );
    let paths = paths(&everything);
    assert_eq!(
        paths["all"],
        home.count("flamegraphs::group::one::everything", "Ir")
    );
    assert!(
        paths.keys().any(|path| path.ends_with(";main")),
        "{paths:?}"
    );
    // The second run of what is drawn as regular picture only, and of what is not drawn.
    bench(&home, "one").run().code(0);
    let names: Vec<String> = home.results().into_keys().collect();
    let of = |benchmark: &str| {
        let folder = format!("/one.{benchmark}/");
        let pictures = names
            .iter()
            .filter(|name| name.contains(&folder) && name.ends_with(".svg"));
        pictures.count()
    };
    assert_eq!((of("cycles"), of("everything"), of("none")), (2, 3, 0));

    let strict = bench(&home, "one::cycles").arg("--strict").run();
    strict
        .code(1)
        .says(&["no flamegraph: Bc was not collected"]);
}

#[test]
fn rates_are_refused_before_anything_runs() {
    let home = Home::new();
    let ended = bench(&home, "refused").run();
    ended.code(2).says(&[
        "configuration of `flamegraphs::group::refused` for callgrind: a flamegraph of L1 Hit Rate \
         cannot be drawn, since rates do not add up",
    ]);
    assert_eq!(home.results().len(), 0);
}

#[test]
fn without_callgrind_nothing_is_drawn_and_a_warning_says_so() {
    let home = Home::new();
    let ended = bench(&home, "tree")
        .arg("--default-tool=dhat")
        .arg("--tools=massif")
        .run();
    ended
        .code(0)
        .says(&["warning: flamegraphs are made of Callgrind's profiles"]);
    assert_eq!(pictures(&home).len(), 0);
}

#[test]
fn regions_and_threads_are_drawn() {
    let home = Home::new();
    bench(&home, "region").run().code(0).quiet();
    let total = home.count("flamegraphs::group::region", "Ir");
    let region = paths(&svg(&home, "flamegraphs::group::region", "Ir.flamegraph"));
    assert_eq!(region["all"], total);
    assert!(total < 3000, "{total}");
    assert!(
        region.keys().any(|path| path.ends_with(";left;shared")),
        "{region:?}"
    );
    assert!(
        !region.keys().any(|path| path.contains("right")),
        "{region:?}"
    );

    bench(&home, "threads").run().code(0).quiet();
    let total = home.count("flamegraphs::group::threads", "Ir");
    let threads = paths(&svg(&home, "flamegraphs::group::threads", "Ir.flamegraph"));
    assert_eq!(threads["all"], total);
    let shared = |caller: &str| {
        let end = format!(";{caller};shared");
        let mut found = threads.iter().filter(|(path, _)| path.ends_with(&end));
        let (path, count) = found
            .next()
            .unwrap_or_else(|| panic!("{end} in {threads:?}"));
        assert!(found.next().is_none(), "{threads:?}");
        (path.clone(), *count)
    };
    let (of_thread, counted) = shared("left");
    assert!((200_000..200_050).contains(&counted), "{counted}");
    let (of_main, _) = shared("right");
    assert!(of_main.starts_with("all;threads;right"), "{of_main}");
    assert!(!of_thread.contains("threads"), "{of_thread}");
}

#[test]
fn stacks_that_allocate_are_drawn_with_the_names_of_the_executable() {
    const HEAP: &str = "flamegraphs::group::heap::both";
    let home = Home::new();
    let run = || {
        bench(&home, "heap")
            .arg("--default-tool=dhat")
            .arg("--nosummary")
    };
    let ended = run().run().code(0);
    ended.shows(&["heap.both.total.TotalBytes.flamegraph.svg (and 2 more)"]);
    let picture = |end: &str| {
        let path = home
            .entry(HEAP)
            .join(format!("dhat.heap.both.total.{end}.svg"));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    for metric in ["TotalBytes", "TotalBlocks", "AtTGmaxBytes"] {
        let svg = picture(&format!("{metric}.flamegraph"));
        let profile = home.profile(HEAP, "dhat");
        let mut rows = profile["metrics"].as_array().unwrap().iter();
        let count = &rows.find(|row| row["kind"] == metric).unwrap()["new"];
        assert_eq!(Some(paths(&svg)["all"]), count.as_u64(), "{metric}");
        // Valgrind has no names for what was inlined from other crates.
        assert!(!svg.contains("UnknownInlinedFun"), "{svg}");
        assert!(
            !svg.contains("__iai_callgrind") && !svg.contains("iai_callgrind::"),
            "{svg}"
        );
    }
    let bytes = paths(&picture("TotalBytes.flamegraph"));
    assert_eq!(bytes["all;heap"], bytes["all"]);
    let of_numbers = bytes.iter().find(|(path, _)| path.ends_with(";numbers"));
    let of_numbers = of_numbers.map(|(_, count)| *count);
    assert_eq!(of_numbers, Some(bytes["all"] - 1000), "{bytes:#?}");
    assert!(
        bytes.keys().any(|path| path.ends_with(" [inlined]")),
        "{bytes:?}"
    );

    // The old side has the same names, although its executable could be another one.
    let ended = run().env("WORK", "more").arg("--explain=yes").run().code(0);
    let profile = home.profile(HEAP, "dhat");
    let found = &profile["heap_sites"];
    let sites = found["sites"].as_array().unwrap();
    // Only the function that collects more numbers allocates otherwise, at one line.
    assert_eq!(sites.len(), 1, "{found}");
    let site = &sites[0];
    assert_eq!(site["function"], "flamegraphs::numbers");
    assert_eq!(site["origin"], "user");
    assert_eq!(site["old"]["bytes"], bytes["all"] - 1000);
    assert_eq!(site["diff"], found["bytes"]["diff"]);
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/measured/benches/flamegraphs.rs"
    );
    let source = fs::read_to_string(source).unwrap();
    let lines = source.lines().zip(1..);
    let line = lines
        .filter(|(text, _)| text.contains("(0..n).filter("))
        .map(|(_, line)| line);
    assert_eq!(line.collect::<Vec<u64>>(), [site["line"].as_u64().unwrap()]);
    let diff = found["bytes"]["diff"].as_i64().unwrap();
    // Of five or six digits.
    let diff = format!("+{},{:03}", diff / 1000, diff % 1000);
    ended.shows(&[
        &format!("  Why  Total bytes {diff} (+"),
        &format!("{diff}  flamegraphs::numbers  "),
        site["text"].as_str().unwrap(),
    ]);
    let difference = frames(&picture("TotalBytes.flamegraph.diff.old"));
    let of_first = difference.iter().filter(|frame| frame.count == 1000);
    let is_same = |frame: &Frame| {
        frame
            .change
            .as_deref()
            .is_none_or(|change| change == "0.00%")
    };
    assert!(of_first.clone().count() > 0 && of_first.into_iter().all(is_same));
    assert_eq!(
        paths(&picture("TotalBytes.flamegraph.old"))["all"],
        bytes["all"]
    );
}

#[test]
fn programs_are_drawn() {
    let home = Home::new();
    Bench::new("flamegraphs_of_programs")
        .measure(&home)
        .run()
        .code(0)
        .quiet();
    for case in ["whole", "from_main"] {
        let benchmark = format!("flamegraphs_of_programs::group::program::{case}");
        let paths = paths(&svg(&home, &benchmark, "Ir.flamegraph"));
        assert_eq!(paths["all"], home.count(&benchmark, "Ir"));
        let is_main = |path: &&String| path.split(';').any(|name| name == "main");
        let main = paths
            .keys()
            .find(is_main)
            .unwrap_or_else(|| panic!("{paths:?}"));
        assert_eq!(main.starts_with("all;main"), case == "from_main", "{main}");
    }
}
