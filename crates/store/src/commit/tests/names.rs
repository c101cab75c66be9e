//! The names that files have after a replacement.

use super::*;

#[test]
fn current_becomes_old_and_new_becomes_current() {
    let results = Generations::new();
    results.replace(&["callgrind.f.out", "summary.json"], "1");
    check(&results, &[("callgrind.f.out", "1"), ("summary.json", "1")]);
    results.replace(&["callgrind.f.out", "summary.json"], "2");
    results.replace(&["callgrind.f.out", "summary.json"], "3");
    check(
        &results,
        &[
            ("callgrind.f.out", "3"),
            ("callgrind.f.out.old", "2"),
            ("summary.json", "3"),
        ],
    );
}

#[test]
fn files_of_a_run_with_more_threads_do_not_stay() {
    let results = Generations::new();
    results.replace(&["callgrind.f.t1.p1.out", "callgrind.f.t2.p1.out"], "1");
    results.replace(&["callgrind.f.out"], "2");
    results.replace(&["callgrind.f.out"], "3");
    check(
        &results,
        &[("callgrind.f.out", "3"), ("callgrind.f.out.old", "2")],
    );
}

#[test]
fn a_baseline_replaces_itself_only() {
    let results = Generations::new();
    let named = |name: &str| Slot::Named(name.to_owned());
    let two = ["callgrind.f.t1.p1.out", "callgrind.f.t2.p1.out"];
    results.replace(&["callgrind.f.out", "summary.json"], "1");
    results.replace_in(&named("main"), &two, "2");
    results.replace_in(&named("other"), &["callgrind.f.out"], "3");
    results.replace_in(&named("main"), &["callgrind.f.out", "summary.json"], "4");
    results.replace(&["callgrind.f.out"], "5");
    check(
        &results,
        &[
            ("callgrind.f.out", "5"),
            ("callgrind.f.out.base@main", "4"),
            ("callgrind.f.out.base@other", "3"),
            ("callgrind.f.out.old", "1"),
            ("summary.json", "4"),
            ("summary.json.base@main", "4"),
        ],
    );
}

#[test]
fn flamegraphs_go_with_their_results() {
    let results = Generations::new();
    let name = |end: &str| format!("callgrind.f.total.Ir.flamegraph{end}.svg");
    let replace = |slot: &Slot, ends: &[&str], text: &str| {
        let names: Vec<String> = ends.iter().map(|end| name(end)).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.push("callgrind.f.out");
        results.replace_in(slot, &names, text);
    };
    let kept = |text: &str| {
        let kept = results.state().into_iter().filter(|(_, kept)| kept == text);
        let names: Vec<String> = kept.map(|(name, _)| name).collect();
        names
            .join(" ")
            .replace("callgrind.f.total.Ir.flamegraph", "*")
    };
    let main = &Slot::Named("main".to_owned());
    replace(&Slot::Last, &[""], "1");
    replace(main, &[".base@main"], "2");
    // Nothing was drawn: the picture of the run before stays with it.
    replace(&Slot::Last, &[], "3");
    assert_eq!(kept("1"), "callgrind.f.out.old *.old.svg");
    replace(&Slot::Last, &["", ".diff.base@main"], "4");
    assert_eq!(kept("1"), "");
    replace(&Slot::Last, &["", ".old", ".diff.old"], "5");
    assert_eq!(kept("5"), "callgrind.f.out *.diff.old.svg *.old.svg *.svg");
    assert_eq!(kept("4"), "callgrind.f.out.old");
    assert_eq!(kept("2"), "callgrind.f.out.base@main *.base@main.svg");
    // A file that was compared with the baseline loses this difference when the baseline is
    // replaced.
    replace(&Slot::Last, &["", ".diff.base@main"], "6");
    replace(main, &[".base@main", ".base@main.diff.base@main"], "7");
    assert_eq!(kept("6"), "callgrind.f.out *.svg");
    assert_eq!(
        kept("7"),
        "callgrind.f.out.base@main *.base@main.diff.base@main.svg *.base@main.svg"
    );
}

#[test]
fn files_of_others_are_not_touched() {
    let results = Generations::new();
    fs::create_dir_all(results.entry()).unwrap();
    for name in ["dhat.f.out", "notes.txt"] {
        fs::write(results.entry().join(name), "theirs").unwrap();
    }
    results.replace(&["callgrind.f.out"], "1");
    results.replace(&["callgrind.f.out"], "2");
    check(
        &results,
        &[
            ("callgrind.f.out", "2"),
            ("callgrind.f.out.old", "1"),
            ("dhat.f.out", "theirs"),
            ("notes.txt", "theirs"),
        ],
    );
}

#[test]
fn files_beside_the_new_ones_go_with_their_directory() {
    let results = Generations::new();
    let (work, files) = results.new_files(&["callgrind.f.out"], "1");
    let place = |name: &str| work[0].path().join(name);
    fs::write(place("output"), "").unwrap();
    fs::create_dir_all(place("sandbox/more")).unwrap();
    results.carry_out(results.collect(&Slot::Last, work, &files).unwrap());
    check(&results, &[("callgrind.f.out", "1")]);
    assert_eq!(names(results.base()), ["g"]);
}

#[test]
fn of_several_directories_the_last_file_of_a_name_is_kept() {
    let results = Generations::new();
    let (mut work, mut files) = results.new_files(&["callgrind.f.out", "callgrind.f.log"], "1");
    let (others, theirs) = results.new_files(&["callgrind.f.out"], "2");
    work.extend(others);
    files.extend(theirs);
    results.carry_out(results.collect(&Slot::Last, work, &files).unwrap());
    check(
        &results,
        &[("callgrind.f.log", "1"), ("callgrind.f.out", "2")],
    );
    assert_eq!(names(results.base()), ["g"]);
}
