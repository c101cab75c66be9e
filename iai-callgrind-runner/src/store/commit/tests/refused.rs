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
fn what_cannot_be_written_to_the_disk_replaces_nothing() {
    let results = Generations::new();
    results.replace(&["callgrind.f.out"], "1");
    let (work, files) = results.new_files(&["callgrind.f.out"], "2");
    let mut replacement = results.collect(&Slot::Last, work, &files).unwrap();
    fs::remove_file(replacement.new.join("raw-callgrind.f.out")).unwrap();
    let error = replacement.sync().unwrap_err().to_string();
    assert!(error.starts_with("cannot write to the disk `"), "{error}");
    drop(replacement);
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

/// Puts something at the path of a pending replacement.
type Plant<'a> = &'a dyn Fn(&Path);

/// Everything in `.pending` that no run can have written as a whole.
#[test]
fn a_damaged_replacement_is_set_aside_and_the_result_stays() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    let victim = victim.to_str().unwrap();
    let delete = format!(r#"{{"delete":["{victim}"],"retire":[]}}"#);
    let retire = format!(r#"{{"delete":[],"retire":["callgrind.f.out","{victim}"]}}"#);
    let up = r#"{"delete":["callgrind.x/../../victim.out"],"retire":[]}"#;
    let empty = r#"{"delete":[],"retire":[]}"#;
    let notes = [
        ("", "its note cannot be read: EOF"),
        ("{", "its note cannot be read: EOF"),
        ("[]", "its note cannot be read: "),
        (
            r#"{"delete":[]}"#,
            "its note cannot be read: missing field `retire`",
        ),
        (&delete, "/victim\", which is no file of a result"),
        (&retire, "/victim\", which is no file of a result"),
        (
            up,
            "its note names \"callgrind.x/../../victim.out\", which is no",
        ),
    ];
    for (note, expected) in notes {
        check_set_aside(expected, |pending| {
            fs::write(victim, "theirs").unwrap();
            fs::create_dir(pending).unwrap();
            fs::write(pending.join("callgrind.f.out"), "new").unwrap();
            fs::write(pending.join(NOTE), note).unwrap();
        });
        assert_eq!(fs::read_to_string(victim).unwrap(), "theirs");
    }
    let others: [(&str, Plant<'_>); 5] = [
        ("it is no directory", &|pending| {
            std::os::unix::fs::symlink(outside.path(), pending).unwrap();
        }),
        ("it is no directory", &|pending| {
            fs::write(pending, "").unwrap()
        }),
        (r#""evil.txt" in it is no file of a result"#, &|pending| {
            fs::create_dir(pending).unwrap();
            fs::write(pending.join("evil.txt"), "").unwrap();
        }),
        (
            r#""callgrind.f.out" in it is no file of a result"#,
            &|pending| {
                fs::create_dir(pending).unwrap();
                fs::write(pending.join(NOTE), empty).unwrap();
                std::os::unix::fs::symlink(victim, pending.join("callgrind.f.out")).unwrap();
            },
        ),
        (r#"".rotation" in it is no file of a result"#, &|pending| {
            fs::create_dir(pending).unwrap();
            nix::unistd::mkfifo(&pending.join(NOTE), nix::sys::stat::Mode::S_IRWXU).unwrap();
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
    let pending = results.entry().join(PENDING);
    for number in 1..=2 {
        plant(&pending);
        let warning = finish(&results.entry()).unwrap().unwrap();
        assert!(warning.contains(expected), "{warning}");
        let aside = results.entry().join(format!(".damaged-{number}"));
        let hint = format!("hint: nothing reads `{}` any more", aside.display());
        assert!(warning.contains(&hint), "{warning}");
        assert!(fs::symlink_metadata(&pending).is_err());
        assert!(fs::symlink_metadata(&aside).is_ok());
    }
    assert_eq!(finish(&results.entry()).unwrap(), None);
    let kept = fs::read_to_string(results.entry().join("callgrind.f.out"));
    assert_eq!(kept.unwrap(), "1");
    // The next result is kept as always.
    results.replace(&["callgrind.f.out"], "2");
    let old = fs::read_to_string(results.entry().join("callgrind.f.out.old"));
    assert_eq!(old.unwrap(), "1");
}
