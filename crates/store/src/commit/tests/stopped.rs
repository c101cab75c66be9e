//! Replacements that were stopped, at any step.

use super::*;

/// Carries out this number of steps of the decided replacement. `false`: there are no more.
fn stop_after(base: &Path, number: usize) -> bool {
    let Ok(Some(rotations)) = note::read(base) else {
        return false;
    };
    let mut steps: Vec<Box<dyn Fn()>> = Vec::new();
    for rotation in rotations {
        let directory = base.join(&rotation.directory);
        for name in rotation.delete {
            let path = directory.join(name);
            steps.push(Box::new(move || fs::remove_file(&path).unwrap()));
        }
        for name in rotation.retire {
            let (path, old) = (directory.join(&name), directory.join(FileName::old(&name)));
            steps.push(Box::new(move || fs::rename(&path, &old).unwrap()));
        }
        for (source, name) in rotation.take {
            let (path, new) = (base.join(source), directory.join(name));
            steps.push(Box::new(move || fs::rename(&path, &new).unwrap()));
        }
    }
    let note = base.join(PENDING);
    steps.push(Box::new(move || fs::remove_file(&note).unwrap()));
    steps.iter().take(number).for_each(|step| step());
    number <= steps.len()
}

/// Checks that a replacement of `old` by `new` comes to the same end wherever it is stopped, once
/// or twice.
#[track_caller]
fn check_stopped_anywhere(slot: &Slot, before: &[&[&str]], new: &[&str], most: usize) {
    let prepare = || {
        let results = Generations::new();
        for (number, names) in before.iter().enumerate() {
            results.replace_in(slot, names, &number.to_string());
        }
        let (work, files) = results.new_files(new, "new");
        let replacement = results.collect(slot, work, &files).unwrap();
        (results, replacement)
    };
    let (results, replacement) = prepare();
    results.carry_out(replacement);
    let expected = results.state();
    let mut stops = 0;
    for step in 0.. {
        let (results, replacement) = prepare();
        note::write(results.base(), &[&replacement.rotation]).unwrap();
        if !stop_after(results.base(), step) {
            break;
        }
        stops += 1;
        for _ in 0..2 {
            results.finish();
            assert_eq!(results.state(), expected, "{step}");
        }
    }
    assert_eq!(stops, most);
}

/// All states in which a replacement can be stopped after it was decided lead to the same end.
#[test]
fn a_replacement_that_was_stopped_anywhere_is_finished() {
    let both = ["callgrind.f.log", "callgrind.f.out", "summary.json"];
    // Two retired, three moved, the note, and none.
    check_stopped_anywhere(&Slot::Last, &[&both, &both], &both, 7);
    let two = ["callgrind.f.1.out", "callgrind.f.2.out"];
    // Two deleted, one retired.
    check_stopped_anywhere(&Slot::Last, &[&two, &both[1..2]], &both[..2], 7);
    check_stopped_anywhere(&Slot::Last, &[&both], &two, 6);
    check_stopped_anywhere(&Slot::Last, &[], &both, 5);
    // One of the new files has the name of an old one.
    let drawn = ["", ".old"].map(|end| format!("callgrind.f.total.Ir.flamegraph{end}.svg"));
    let drawn = [drawn[1].as_str(), drawn[0].as_str(), "callgrind.f.out"];
    check_stopped_anywhere(&Slot::Last, &[&drawn, &drawn], &drawn, 7);
    let main = Slot::Named("main".to_owned());
    check_stopped_anywhere(
        &main,
        &[&["callgrind.f.1.out", "callgrind.f.out"]],
        &both[..2],
        5,
    );
}

/// Two results in one note: the second is not begun before the first is done.
#[test]
fn all_results_of_a_note_are_finished() {
    for step in 0..=6 {
        let results = Generations::new();
        let other = results.base().join("g/h");
        results.replace(&["callgrind.f.out"], "1");
        let mut prepared = Vec::new();
        for directory in [results.entry(), other.clone()] {
            let (work, files) = results.new_files(&["callgrind.f.out", "summary.json"], "2");
            let result = NewResult {
                slot: &Slot::Last,
                tools: &[Tool::Callgrind],
                work,
                files: &files,
            };
            let present = present(&directory);
            prepared.push(collect(results.base(), &directory, &present, result).unwrap());
        }
        let rotations: Vec<&Rotation> = prepared.iter().map(|it| &it.rotation).collect();
        note::write(results.base(), &rotations).unwrap();
        assert!(stop_after(results.base(), step));
        results.finish();
        let new = [("callgrind.f.out", "2"), ("summary.json", "2")];
        check(&results, &[new[0], ("callgrind.f.out.old", "1"), new[1]]);
        assert_eq!(names(&other), ["callgrind.f.out", "summary.json"]);
    }
}

#[test]
fn nothing_is_left_to_do_where_somebody_removed_the_results() {
    let results = Generations::new();
    let (work, files) = results.new_files(&["callgrind.f.out"], "1");
    let replacement = results.collect(&Slot::Last, work, &files).unwrap();
    note::write(results.base(), &[&replacement.rotation]).unwrap();
    fs::remove_dir(results.entry()).unwrap();
    results.finish();
    assert!(!results.base().join(PENDING).exists());
}

/// It stays in the note, with its files, until it can be done.
#[test]
fn what_cannot_be_finished_is_kept_for_the_next_run() {
    let results = Generations::new();
    results.replace(&["callgrind.f.out"], "1");
    let (work, files) = results.new_files(&["callgrind.f.out"], "2");
    let replacement = results.collect(&Slot::Last, work, &files).unwrap();
    let in_the_way = results.entry().join("callgrind.f.out.old");
    fs::create_dir(&in_the_way).unwrap();
    let mut unfinished = Unfinished::default();
    replace(replacement, &mut unfinished).unwrap_err();
    // Another one that can be done meanwhile.
    let (work, files) = results.new_files(&["callgrind.f.out"], "3");
    let other = results.base().join("g/h");
    let result = NewResult {
        slot: &Slot::Last,
        tools: &[Tool::Callgrind],
        work,
        files: &files,
    };
    let other = collect(results.base(), &other, &[], result).unwrap();
    replace(other, &mut unfinished).unwrap();
    let (unfinished, warning) = finish(results.base()).unwrap();
    assert_eq!(warning, None);
    let reason_of = |directory: &Path| unfinished.reason(results.base(), directory);
    assert_eq!(reason_of(&results.base().join("g/h")), None);
    let reason = reason_of(&results.entry()).unwrap();
    assert!(reason.starts_with("cannot rename `"), "{reason}");
    let works = names(results.base());
    let works: Vec<_> = works.iter().filter(|it| it.starts_with(".work-")).collect();
    assert!(
        matches!(works[..], [work] if unfinished.needs(work)),
        "{works:?}"
    );
    fs::remove_dir(&in_the_way).unwrap();
    results.finish();
    check(
        &results,
        &[("callgrind.f.out", "2"), ("callgrind.f.out.old", "1")],
    );
}
