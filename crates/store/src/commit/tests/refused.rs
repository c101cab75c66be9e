//! Generations that are not taken, and replacements that are not finished.

use super::*;

#[test]
fn before_the_decision_nothing_changes() {
    let results = Generations::new();
    results.replace(&["callgrind.f.out"], "1");
    let (work, mut files) = results.new_files(&["callgrind.f.out"], "2");
    files.push(NewFile {
        path: work[0].path().join("missing"),
        name: "callgrind.f.log".into(),
    });
    // In another directory, from which it would be moved.
    let elsewhere = tempfile::tempdir().unwrap();
    files[1].path = elsewhere.path().join("missing");
    results.collect(&Slot::Last, work, &files).unwrap_err();
    check(&results, &[("callgrind.f.out", "1")]);
}

#[test]
fn a_new_file_that_is_gone_replaces_nothing() {
    let results = Generations::new();
    results.replace(&["callgrind.f.out"], "1");
    let (work, files) = results.new_files(&["callgrind.f.out"], "2");
    fs::remove_file(&files[0].path).unwrap();
    let error = results.collect(&Slot::Last, work, &files).unwrap_err();
    let expected = format!("cannot keep `{}`", files[0].path.display());
    assert_eq!(error.to_string(), expected);
    check(&results, &[("callgrind.f.out", "1")]);
}

#[test]
fn a_directory_in_the_place_of_a_file_is_said_before_anything_changes() {
    for name in ["callgrind.f.out", "callgrind.f.log.old", "summary.json"] {
        let results = Generations::new();
        results.replace(&["callgrind.f.x.out"], "1");
        let place = results.entry().join(name);
        fs::create_dir(&place).unwrap();
        let (work, files) = results.new_files(&["callgrind.f.out"], "2");
        let error = results.collect(&Slot::Last, work, &files).unwrap_err();
        let expected = format!("cannot replace `{}`", place.display());
        assert_eq!(error.to_string(), expected);
        fs::remove_dir(&place).unwrap();
        check(&results, &[("callgrind.f.x.out", "1")]);
    }
}

/// Puts something at the path of the note.
type Plant<'a> = &'a dyn Fn(&Path);

/// Every note that no run can have written as a whole.
#[test]
fn a_damaged_note_is_set_aside_and_the_results_stay() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    let victim = victim.to_str().unwrap();
    let note = |directory: &str, delete: &str, retire: &str, take: &str| {
        format!(
            r#"[{{"directory":"{directory}","delete":[{delete}],"retire":[{retire}],"take":[{take}]}}]"#
        )
    };
    let quoted = format!("\"{victim}\"");
    let no_place = "which is no directory of a benchmark";
    let no_file = "which is no file of a result";
    let taken =
        |source: &str, name: &str| note("g/f", "", "", &format!(r#"["{source}","{name}"]"#));
    let out = "callgrind.f.out";
    let notes = [
        (String::new(), "it cannot be read: EOF"),
        ("[".into(), "it cannot be read: EOF"),
        ("{}".into(), "it cannot be read: "),
        (
            r#"[{"directory":"g/f","delete":[]}]"#.into(),
            "it cannot be read: missing field `retire`",
        ),
        (note("g/f", &quoted, "", ""), no_file),
        (note("g/f", "", &quoted, ""), no_file),
        (
            note("g/f", r#""callgrind.x/../../victim.out""#, "", ""),
            no_file,
        ),
        (taken(".work-a/x", victim), no_file),
        (taken(victim, out), "which is no file of a run"),
        (
            taken(".work-a/../../victim", out),
            "which is no file of a run",
        ),
        (taken(".work-a/..", out), "which is no file of a run"),
        (taken("g/f", out), "which is no file of a run"),
        (
            taken(".work-link/victim", out),
            "links among results are not followed",
        ),
        (taken(".work-a/link", out), "of which it tells, is no file"),
        (note("../g/f", "", "", ""), no_place),
        (note("g/..", "", "", ""), no_place),
        (note(".work-a/f", "", "", ""), no_place),
        (note("g", "", "", ""), no_place),
        (
            note("link/victim", "", "", ""),
            "links among results are not followed",
        ),
        (
            note("g/link", "", "", ""),
            "links among results are not followed",
        ),
    ];
    for (note, expected) in notes {
        check_set_aside(expected, |pending| {
            fs::write(victim, "theirs").unwrap();
            let base = pending.parent().unwrap();
            let link = |place: &str| {
                let _ = std::os::unix::fs::symlink(outside.path(), base.join(place));
            };
            fs::create_dir(base.join(".work-a")).unwrap();
            fs::write(base.join(".work-a/x"), "new").unwrap();
            for place in [".work-link", ".work-a/link", "link", "g/link"] {
                link(place);
            }
            fs::write(pending, &note).unwrap();
        });
        assert_eq!(fs::read_to_string(victim).unwrap(), "theirs", "{note}");
    }
    let others: [(&str, Plant<'_>); 3] = [
        ("it cannot be read, it is a symbolic link", &|pending| {
            std::os::unix::fs::symlink(victim, pending).unwrap();
        }),
        ("it cannot be read, it is a directory", &|pending| {
            fs::create_dir(pending).unwrap();
        }),
        ("it cannot be read, it is a FIFO", &|pending| {
            nix::unistd::mkfifo(pending, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }),
    ];
    for (expected, plant) in others {
        check_set_aside(expected, plant);
        assert_eq!(fs::read_to_string(victim).unwrap(), "theirs");
    }
}

#[track_caller]
fn check_set_aside(expected: &str, plant: impl Fn(&Path)) {
    let results = Generations::new();
    results.replace(&["callgrind.f.out"], "1");
    let base = results.base();
    let pending = base.join(PENDING);
    for number in 1..=2 {
        plant(&pending);
        let (_, warning) = finish(base).unwrap();
        let warning = warning.unwrap();
        assert!(warning.contains(expected), "{warning}");
        let aside = base.join(format!(".damaged-{number}"));
        let hint = format!("hint: nothing reads `{}` any more", aside.display());
        assert!(warning.contains(&hint), "{warning}");
        assert!(fs::symlink_metadata(&pending).is_err());
        assert!(fs::symlink_metadata(aside.join(PENDING)).is_ok());
        assert!(!base.join(".work-a").exists());
    }
    results.finish();
    let kept = fs::read_to_string(results.entry().join("callgrind.f.out"));
    assert_eq!(kept.unwrap(), "1");
    // The next result is kept as always.
    results.replace(&["callgrind.f.out"], "2");
    let old = fs::read_to_string(results.entry().join("callgrind.f.out.old"));
    assert_eq!(old.unwrap(), "1");
}

/// The note is written beside what somebody put in its way, and never through it.
#[test]
fn a_link_in_the_place_of_the_new_note_is_not_followed() {
    let results = Generations::new();
    let victim = results.base().join("victim");
    fs::write(&victim, "theirs").unwrap();
    std::os::unix::fs::symlink(&victim, results.base().join(".pending.new")).unwrap();
    results.replace(&["callgrind.f.out"], "1");
    assert_eq!(fs::read_to_string(victim).unwrap(), "theirs");
    check(&results, &[("callgrind.f.out", "1")]);
}
