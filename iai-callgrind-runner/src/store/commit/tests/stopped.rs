//! Replacements that were stopped, at any step.

use super::*;

/// A step of a replacement; `false`: there are no more.
fn stop_before(pending: &Path, step: usize) -> bool {
    let Ok(Some(found)) = pending::read(pending) else {
        return false;
    };
    let directory = pending.parent().unwrap();
    let rotation = found.rotation.unwrap();
    let take = rotation.take.as_ref().unwrap();
    let mut steps: Vec<Box<dyn Fn()>> = Vec::new();
    for name in rotation.delete.clone() {
        let path = directory.join(name);
        steps.push(Box::new(move || fs::remove_file(&path).unwrap()));
    }
    for name in rotation.retire.clone() {
        let (path, old) = (directory.join(&name), directory.join(FileName::old(&name)));
        steps.push(Box::new(move || fs::rename(&path, &old).unwrap()));
    }
    for (source, name) in take.clone() {
        let (path, new) = (pending.join(source), directory.join(name));
        steps.push(Box::new(move || fs::rename(&path, &new).unwrap()));
    }
    let note = pending.join(NOTE);
    steps.push(Box::new(move || fs::remove_file(&note).unwrap()));
    steps.iter().take(step).for_each(|step| step());
    step <= steps.len()
}

/// Checks that a replacement of `old` by `new` comes to the same end wherever it is stopped, once or twice.
#[track_caller]
fn check_stopped_anywhere(slot: &Slot, before: &[&[&str]], new: &[&str], most: usize) {
    let prepare = || {
        let results = Generations::new();
        for (number, names) in before.iter().enumerate() {
            results.replace_in(slot, names, &number.to_string());
        }
        let (work, files) = results.new_files(new, "new");
        let mut replacement = results.collect(slot, work, &files).unwrap();
        replacement.decide().unwrap();
        (results, replacement)
    };
    let (results, replacement) = prepare();
    replacement.carry_out().unwrap();
    let expected = results.state();
    let mut stops = 0;
    for step in 0.. {
        let (results, _) = prepare();
        let pending = results.entry().join(PENDING);
        if !stop_before(&pending, step) {
            break;
        }
        stops += 1;
        assert_eq!(finish(&results.entry()).unwrap(), None, "{step}");
        assert_eq!(results.state(), expected, "{step}");
        assert_eq!(finish(&results.entry()).unwrap(), None, "{step}");
        assert_eq!(results.state(), expected, "{step}");
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

/// A baseline loses files only for those that take their place.
#[test]
fn a_baseline_whose_replacement_an_earlier_version_was_stopped_at_is_finished() {
    let slot = Slot::Named("main".to_owned());
    let new = ["callgrind.f.log", "callgrind.f.out"].map(|name| slot.file(name));
    let obsolete = slot.file("callgrind.f.1.out");
    for stopped_after in 0..=4 {
        let results = Generations::new();
        results.replace(&["callgrind.f.out"], "0");
        results.replace_in(&slot, &["callgrind.f.1.out", "callgrind.f.out"], "1");
        let entry = results.entry();
        let pending = entry.join(PENDING);
        fs::create_dir(&pending).unwrap();
        for name in &new {
            fs::write(pending.join(name), "2").unwrap();
        }
        let rotation = Rotation {
            delete: vec![obsolete.clone(), new[1].clone()],
            retire: Vec::new(),
            take: None,
        };
        fs::write(pending.join(NOTE), rotation.to_bytes()).unwrap();
        let steps: [&dyn Fn(); 4] = [
            &|| fs::remove_file(entry.join(&obsolete)).unwrap(),
            &|| fs::remove_file(entry.join(&new[1])).unwrap(),
            &|| fs::remove_file(pending.join(NOTE)).unwrap(),
            &|| fs::rename(pending.join(&new[0]), entry.join(&new[0])).unwrap(),
        ];
        steps[..stopped_after].iter().for_each(|step| step());
        finish(&entry).unwrap();
        let expected = [
            ("callgrind.f.log.base@main", "2"),
            ("callgrind.f.out", "0"),
            ("callgrind.f.out.base@main", "2"),
        ];
        check(&results, &expected);
    }
}

/// The same for a note of an earlier version.
#[test]
fn a_replacement_that_an_earlier_version_was_stopped_at_is_finished() {
    let names = ["callgrind.f.log", "callgrind.f.out"];
    let expected = [
        ("callgrind.f.log", "3"),
        ("callgrind.f.log.old", "2"),
        ("callgrind.f.out", "3"),
        ("callgrind.f.out.old", "2"),
    ];
    for stopped_after in 0..=5 {
        let results = Generations::new();
        results.replace(&["callgrind.f.1.out", "callgrind.f.2.out"], "1");
        results.replace(&names, "2");
        let entry = results.entry();
        let pending = entry.join(PENDING);
        fs::create_dir(&pending).unwrap();
        for name in names {
            fs::write(pending.join(name), "3").unwrap();
        }
        let rotation = Rotation {
            delete: vec![
                "callgrind.f.1.out.old".into(),
                "callgrind.f.2.out.old".into(),
            ],
            retire: names.map(str::to_owned).to_vec(),
            take: None,
        };
        fs::write(pending.join(NOTE), rotation.to_bytes()).unwrap();
        let steps: [&dyn Fn(); 5] = [
            &|| fs::remove_file(entry.join("callgrind.f.1.out.old")).unwrap(),
            &|| fs::rename(entry.join(names[0]), entry.join("callgrind.f.log.old")).unwrap(),
            &|| {
                let _ = fs::remove_file(entry.join("callgrind.f.2.out.old"));
                fs::rename(entry.join(names[1]), entry.join("callgrind.f.out.old")).unwrap();
            },
            &|| fs::remove_file(pending.join(NOTE)).unwrap(),
            &|| fs::rename(pending.join(names[0]), entry.join(names[0])).unwrap(),
        ];
        steps[..stopped_after].iter().for_each(|step| step());
        finish(&entry).unwrap();
        check(&results, &expected);
        finish(&entry).unwrap();
        check(&results, &expected);
    }
}
