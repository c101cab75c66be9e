//! Texts of records to one side.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;
use proptest::prelude::*;
use serde_json::{json, Value};

use super::*;
use records::sample::{benchmark, run, set};
use records::{RecordInput, RecordReader, ResultsPlace};

fn side(texts: &[&str]) -> ResultSide {
    ResultSide::of(set(texts), &SideOptions::default())
}

fn part(part: u64, parts: u64) -> impl Fn(&mut Value) {
    move |all| {
        all[2]["partition"] = json!({"kind": "hash", "part": part, "parts": parts});
        all[2]["counts"]["ok"] = json!(1);
        all.as_array_mut().unwrap().remove((part % 2) as usize);
    }
}

/// The errors have to be these beginnings.
#[track_caller]
fn fails(texts: &[&str], expected: &[&str]) {
    let errors = side(texts).errors;
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_record_is_read_with_all_that_later_stages_need() {
    let text = format!("compiling…\n{}finished\n", run(|_| {}));
    let side = side(&[&text]);
    assert_eq!(
        (side.errors.len(), side.notes.len(), side.runs.len()),
        (0, 0, 1)
    );
    let [a, b] = side.benchmarks.as_slice() else {
        panic!("{side:?}")
    };
    assert_eq!(a.identity.to_string(), "exp1 app::g::a");
    assert_eq!(
        (a.line, b.source_file.as_deref()),
        (Some(31), Some("benches/app.rs"))
    );
    let tool = &a.tools[0];
    assert_eq!(tool.own(EventKind::Ir.into()), Some(90));
    assert_eq!(tool.functions[0].own, 90);
    let metrics = tool.to_metrics();
    let value = |name| {
        metrics
            .get(tool.kind(name).unwrap())
            .map(|value| value.to_string())
    };
    assert_eq!(value("Ir").as_deref(), Some("100"));
    assert_eq!(value("L1HitRate").as_deref(), Some("100.000"));
    assert_eq!(metrics.unknown, [("allocCount".to_owned(), 3)]);
    assert_eq!(side.source.commit.as_deref(), Some("1111111aaaa"));
}

#[test]
fn equal_results_are_kept_once_and_contradictions_are_errors() {
    let one = run(|_| {});
    let twice = side(&[&one, &one]);
    assert_eq!(twice.benchmarks.len(), 2);
    assert_eq!(
        twice.notes,
        ["2 results are there more than once, with the same counts"]
    );
    fails(&[&one, &one], &[]);
    let other = run(|all| {
        all[1] = benchmark("b", 201);
        all[1]["system"]["libc"] = json!("glibc 2.41");
    });
    fails(
        &[&one, &other],
        &["exp1 app::g::b has different counts in `0.jsonl` and `1.jsonl`: not deterministic, or machines that \
           are not comparable (C library: glibc 2.36 | glibc 2.41)"],
    );
    let other = run(|all| {
        all[1] = benchmark("b", 201);
        all[1]["profiles"][0]["environment"]["valgrind_version"] = json!("3.24.0");
    });
    let one = run(|all| {
        all[1]["profiles"][0]["environment"]["valgrind_version"] = json!("3.19.0");
    });
    let text = side(&[&one, &other]).errors[0].clone();
    assert!(text.ends_with(" (Valgrind: 3.19.0 | 3.24.0)"), "{text}");
}

#[test]
fn tools_of_different_runs_stand_beside_each_other() {
    let dhat = run(|all| {
        all[0]["profiles"][0]["tool"] = json!("dhat");
        // No tool has limits on metrics of another one.
        all[0]["profiles"][0]["limits"] = json!([]);
    });
    let both = side(&[&run(|_| {}), &dhat]);
    assert_eq!((both.errors.len(), both.benchmarks.len()), (0, 3));
}

#[test]
fn parts_have_to_be_complete_and_to_belong_together() {
    let [one, two] = [part(1, 2), part(2, 2)].map(run);
    fails(&[&one, &two], &[]);
    assert_eq!(side(&[&two, &one]).benchmarks.len(), 2);
    fails(
        &[&one],
        &["part 2 of 2 of exp1 app is missing: `--partition=hash:2/2` measures it"],
    );
    let thirds = run(part(2, 3));
    fails(
        &[&one, &thirds],
        &["the parts of exp1 app in `0.jsonl` and `1.jsonl` are divided in different ways"],
    );
    let filtered = run(|all| {
        part(2, 2)(all);
        all[1]["filters"] = json!(["x"]);
    });
    fails(&[&one, &filtered], &["are of different filters"]);
    let other_suite = run(|all| {
        part(2, 2)(all);
        all[1]["suite"]["hash"] = json!("88");
    });
    fails(&[&one, &other_suite], &["are of different benchmarks"]);
}

#[test]
fn missing_parts_are_notes_if_that_is_wanted_and_their_benchmarks_were_not_run() {
    let options = SideOptions {
        allow_missing: true,
        ..SideOptions::default()
    };
    let half = ResultSide::of(set(&[&run(part(1, 2))]), &options);
    assert_eq!((half.errors.len(), half.notes.len()), (0, 1));
    let whole = side(&[&run(|_| {})]);
    assert_eq!(
        half.not_run(&whole.benchmarks[0]),
        Some(NotRunReason::MissingPart)
    );
    assert_eq!(whole.not_run(&whole.benchmarks[0]), None);
    let filtered = side(&[&run(|all| {
        all[2]["filters"] = json!(["::b"]);
        all[2]["counts"]["ok"] = json!(1);
    })]);
    assert_eq!(
        filtered.not_run(&whole.benchmarks[0]),
        Some(NotRunReason::Filtered)
    );
    assert_eq!(filtered.not_run(&whole.benchmarks[1]), None);
}

#[test]
fn the_newest_commit_stays() {
    let newer = run(|all| {
        for record in all.as_array_mut().unwrap() {
            record["source"]["commit"] = json!("2222222bbbb");
            record["started_at"] = json!("2026-11-21T10:00:00.000Z");
        }
    });
    for texts in [[&*newer, &run(|_| {})], [&*run(|_| {}), &newer]] {
        let side = side(&texts);
        assert_eq!(side.source.commit.as_deref(), Some("2222222bbbb"));
        assert_eq!((side.benchmarks.len(), side.runs.len()), (2, 1));
        assert!(side.has_other_commits);
        let [note] = side.notes.as_slice() else {
            panic!("{:?}", side.notes)
        };
        assert!(
            note.starts_with("results of other commits than 2222222 are left out: 1111111 in `"),
            "{note}"
        );
    }
}

#[test]
fn killed_runs_and_those_that_ended_early_are_errors() {
    let killed = run(|all| {
        all.as_array_mut().unwrap().pop();
    });
    fails(
        &[&killed],
        &["has results of exp1 app and no record of a run at their end"],
    );
    let interrupted = run(|all| {
        all[2]["ending"] = json!("interrupted");
        all[2]["message"] = json!("stopped by SIGINT");
    });
    fails(
        &[&interrupted],
        &["the run of exp1 app in `0.jsonl` was interrupted: stopped by SIGINT"],
    );
    fails(&["nothing\n"], &["no results in "]);
    let whole = run(|_| {});
    let cut = set(&[&format!("{whole}{{\"type\":\"run\",\"vers")]);
    assert_eq!((cut.benchmarks.len(), cut.runs.len()), (2, 1));
    assert_eq!(
        cut.notes,
        ["`0.jsonl`: the record in line 4 is cut off, and left out"]
    );
}

#[test]
fn what_runs_left_unchecked_is_a_note_of_the_new_side() {
    let text =
        "`equal_counts` of `g::f` was checked for 1 of 2 cases, since the others were not selected";
    let part = |part_of: u64| {
        run(move |all| {
            part(part_of, 2)(all);
            all[1]["unchecked"] = json!([text]);
        })
    };
    let new = side(&[&part(1), &part(2)]);
    for old in [None, Some(side(&[&run(|_| {})]))] {
        let report = compare_sides(
            old.as_ref(),
            &new,
            &ComparisonOptions::default(),
            &NothingAgreed,
        );
        assert_eq!((report.notes, report.exit_code), (vec![text.to_owned()], 0));
    }
}

/// A run that stopped at its first regression ends with 3, and so does the comparison that sees it.
#[test]
fn a_run_that_stopped_at_a_regression_is_regressed_where_the_other_side_shows_it() {
    let stopped = |count: u64| {
        side(&[&run(|all| {
            all[2]["ending"] = json!("fail_fast");
            all[2]["counts"] =
                json!({"ok": 0, "regressed": 1, "failed": 0, "filtered": 0, "not_run": 1});
            all[0]["profiles"][0]["metrics"][0]["new"] = json!(count);
            all.as_array_mut().unwrap().remove(1);
        })])
    };
    let old = side(&[&run(|_| {})]);
    let against_old = |new: &ResultSide| {
        let report = compare_sides(
            Some(&old),
            new,
            &ComparisonOptions::default(),
            &NothingAgreed,
        );
        let said = [report.notes.len(), report.errors.len()];
        (report.exit_code, report.counts.not_run, said)
    };
    assert_eq!(against_old(&stopped(200)), (3, 1, [1, 0]));
    // Compared with results that had it before, half of the suite says too little.
    assert_eq!(against_old(&stopped(100)), (1, 1, [0, 1]));
}

/// `accept` takes the regression at which a run stopped, though half of the suite is missing.
#[test]
fn a_regression_at_which_a_run_stopped_can_be_accepted() {
    use crate::accepted::{accept_regressions, AcceptedDocument};
    let new = side(&[&run(|all| {
        all[2]["ending"] = json!("fail_fast");
        all[2]["counts"] =
            json!({"ok": 0, "regressed": 1, "failed": 0, "filtered": 0, "not_run": 1});
        all[0]["profiles"][0]["metrics"][0]["new"] = json!(200);
        all.as_array_mut().unwrap().remove(1);
    })]);
    assert_eq!(new.errors_of_results().count(), 0, "{:?}", new.errors);
    // Afterwards the rest of the suite is what is missing.
    let hint = "; run it again without `--regression-fail-fast`, which measures all benchmarks";
    let error =
        format!("the run of exp1 app in `0.jsonl` stopped at the first exceeded limit{hint}");
    assert_eq!(new.errors, [error]);
    let old = side(&[&run(|_| {})]);
    let options = ComparisonOptions::default();
    let report = compare_sides(Some(&old), &new, &options, &NothingAgreed);
    let mut document = AcceptedDocument::parse("version = 1\n").unwrap();
    let changes = accept_regressions(&mut document, &BTreeMap::new(), &report, &new, None);
    assert_eq!((changes.lines.len(), changes.refused), (1, Vec::new()));
}

#[test]
fn a_run_has_as_many_records_as_it_counted() {
    let lacks = "`0.jsonl` lacks records of exp1 app: its run counted 2, and 1 are there";
    let cut = |all: &mut Value| {
        all.as_array_mut().unwrap().remove(0);
    };
    fails(&[&run(cut)], &[lacks]);
    // Failed benchmarks have a record, and those that were left out have none.
    fails(
        &[&run(|all| {
            all[2]["counts"] =
                json!({"ok": 0, "regressed": 1, "failed": 1, "filtered": 5, "not_run": 0});
            cut(all);
        })],
        &[lacks],
    );
    let options = SideOptions {
        allow_missing: true,
        ..SideOptions::default()
    };
    let allowed = ResultSide::of(set(&[&run(cut)]), &options);
    assert_eq!((allowed.errors.len(), allowed.notes.len()), (0, 1));
    // Lines that were lost from one of several parts.
    let lost = run(|all| {
        part(2, 2)(all);
        cut(all);
    });
    fails(
        &[&run(part(1, 2)), &lost],
        &["lacks records of exp1 app: its run counted 2, and 1 are there"],
    );
    fails(
        &[&run(|all| {
            all[2]["counts"]["ok"] = json!(u64::MAX);
            all[2]["counts"]["failed"] = json!(u64::MAX);
        })],
        &["its run counted 18446744073709551615, and 2 are there"],
    );
}

#[test]
fn lines_of_several_runs_are_as_many_as_must_be_there() {
    // A later run with a filter.
    let later = |counted: u64| {
        run(|all| {
            all[2]["filters"] = json!(["::b"]);
            all[2]["counts"]["ok"] = json!(counted);
            all[2]["started_at"] = json!("2026-11-20T11:00:00.000Z");
            all.as_array_mut().unwrap().remove(0);
        })
    };
    let whole = run(|_| {});
    fails(&[&whole, &later(1)], &[]);
    fails(
        &[&whole, &later(2)],
        &["its run counted 2, and 1 are there"],
    );
    let cut = run(|all| {
        all.as_array_mut().unwrap().remove(0);
    });
    fails(&[&cut, &later(1)], &["its run counted 2, and 1 are there"]);
    // The suite has fewer benchmarks since, so lines of the first run may be gone rightly.
    let other_suite = later(1).replace("\"77\"", "\"78\"");
    fails(&[&cut, &other_suite], &[]);
    // A run that another one replaced.
    let replaced = run(|all| all[2]["counts"]["ok"] = json!(9));
    let whole_later = whole.replace("T10:00", "T11:00");
    fails(&[&replaced, &whole_later], &[]);
}

#[test]
fn filters_match_titles_of_other_frameworks() {
    let titled = |title: &str| {
        run(|all| {
            all[2]["filters"] = json!(["x<y"]);
            all[2]["counts"]["ok"] = json!(1);
            all[1]["benchmark"]["input"] = json!({"text": title, "positional": true});
        })
    };
    fails(&[&titled("x<y")], &[]);
    let lost = titled("x>y");
    fails(&[&lost], &["its run counted 1, and 0 are there"]);
}

/// Results of one side as text, if its records can be read.
fn merged(texts: &[&[u8]]) -> Option<String> {
    let mut reader = RecordReader::with_texts();
    for text in texts {
        let input = RecordInput {
            name: "x".to_owned(),
        };
        reader.read(input, *text).ok()?;
    }
    Some(ResultSide::of(reader.finish(), &SideOptions::default()).to_text())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Lines of runs in any order, and bytes that were changed in them.
    #[test]
    fn any_bytes_are_read_and_merged_results_are_merged(
        lines in proptest::collection::vec(0..8_usize, 0..12),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let runs = [run(|_| {}), run(part(1, 2)), run(part(2, 2))].concat();
        let all: Vec<&str> = runs.lines().chain(["{", "text"]).collect();
        let mut bytes: Vec<u8> = Vec::new();
        for line in lines {
            bytes.extend(all[line % all.len()].bytes().chain([b'\n']));
        }
        for (place, byte) in edits {
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
        }
        if let Some(once) = merged(&[&bytes]) {
            prop_assert_eq!(merged(&[once.as_bytes()]), Some(once.clone()));
            prop_assert_eq!(merged(&[once.as_bytes(), once.as_bytes()]), Some(once));
        }
    }

    #[test]
    fn the_order_of_inputs_does_not_matter(counts in proptest::collection::vec(0..3_u64, 3)) {
        let texts: Vec<String> = counts
            .iter()
            .enumerate()
            .map(|(file, count)| run(|all| {
                all[0] = benchmark(&format!("a{}", file % 2), 100 + count);
                all[1] = benchmark(&format!("b{file}"), 200);
            }))
            .collect();
        let bytes = |order: [usize; 3]| merged(&order.map(|file| texts[file].as_bytes()));
        let one = bytes([0, 1, 2]);
        prop_assert!(one.is_some());
        prop_assert_eq!(&one, &bytes([2, 0, 1]));
        prop_assert_eq!(&one, &bytes([1, 2, 0]));
        prop_assert_eq!(&one, &bytes([2, 1, 0]));
    }
}

/// Lines of a home, in which later runs replaced those of their benchmarks.
#[test]
fn several_runs_beside_each_other_are_whole_if_the_suite_is() {
    // `printf 'app::g::a\napp::g::b'` through the published FNV-1a.
    let suite = json!({"benchmarks": 2, "hash": "4f290c87c8157164"});
    let whole = run(|all| all[2]["suite"] = suite.clone());
    let lines: Vec<&str> = whole.lines().collect();
    let filtered = |only: &str, part: Option<u64>| {
        let mut run: Value = serde_json::from_str(lines[2]).unwrap();
        run["started_at"] = json!("2026-11-20T11:00:00.000Z");
        run["filters"] = json!([only]);
        if let Some(part) = part {
            run["partition"] = json!({"kind": "hash", "part": part, "parts": 2});
        }
        run
    };
    let gone = side(&[&format!("{}\n", benchmark("gone", 3))]);
    let gone = &gone.benchmarks[0];
    for part in [None, Some(1)] {
        let home = [
            lines[0],
            lines[2],
            lines[1],
            &filtered("app::g::b", part).to_string(),
        ];
        let home = side(&[&home.join("\n")]);
        assert_eq!(home.errors, [""; 0]);
        assert_eq!(home.not_run(gone), None);
        // The line of the whole run is missing.
        let home = [lines[1], &filtered("app::g::b", part).to_string()];
        let home = side(&[&home.join("\n")]);
        assert!(home.not_run(gone).is_some(), "{part:?}");
    }
}

#[test]
fn results_of_an_older_build_are_told_apart() {
    let built = |run: &mut Value, of: [&str; 2]| {
        run[0]["source"]["code"] = json!(of[0]);
        run[1]["source"]["code"] = json!(of[1]);
        run[1]["started_at"] = json!("2026-11-20T12:00:01.000Z");
    };
    let one = side(&[&run(|all| built(all, ["77", "77"]))]);
    assert_eq!((one.notes.len(), one.has_other_builds), (0, false));
    let two = side(&[&run(|all| built(all, ["66", "77"]))]);
    assert!(two.has_other_builds);
    assert!(
        two.notes[0]
            .starts_with("1 result is of an older build of exp1 app: the last run measured others"),
        "{:?}",
        two.notes
    );
    // The benchmark ran again, under another tool.
    let tools = side(&[&run(|all| {
        built(all, ["77", "77"]);
        let mut older = all[1].clone();
        older["profiles"][0]["tool"] = json!("dhat");
        // No tool has limits on metrics of another one.
        older["profiles"][0]["limits"] = json!([]);
        older["source"]["code"] = json!("66");
        older["started_at"] = json!("2026-11-20T09:00:00.000Z");
        all.as_array_mut().unwrap().insert(0, older);
    })]);
    assert_eq!(
        tools.notes,
        [
            "1 result is of an older build of exp1 app: the last run had other tools, and \
          `cargo bench -- --default-tool=dhat` measures again"
        ]
    );
    let parts = side(&[&run(|all| {
        built(all, ["66", "77"]);
        all[2]["partition"] = json!({"kind": "hash", "part": 1, "parts": 1});
    })]);
    assert!(!parts.has_other_builds);
}

/// A home where a filtered run of a later commit left the line of another benchmark alone.
#[test]
fn results_of_an_older_commit_that_a_filter_left_alone_are_compared_with() {
    let filtered = |all: &mut Value, filter: &str| {
        let [a, b, run] = [0, 1, 2].map(|index| all[index].clone());
        let mut later = [a, run.clone()];
        for record in &mut later {
            record["source"]["commit"] = json!("2222222bbbb");
            record["started_at"] = json!("2026-11-21T10:00:00.000Z");
        }
        later[1]["filters"] = json!([filter]);
        later[1]["counts"] =
            json!({"ok": 1, "regressed": 0, "failed": 0, "filtered": 1, "not_run": 0});
        let [a, later] = later;
        *all = json!([b, run, a, later]);
    };
    let new = side(&[&run(|all| {
        all[1]["profiles"][0]["metrics"][0]["new"] = json!(300);
        for record in all.as_array_mut().unwrap() {
            record["source"]["commit"] = json!("3333333cccc");
        }
    })]);
    let class = |old: &ResultSide| {
        let report = compare_sides(
            Some(old),
            &new,
            &ComparisonOptions::default(),
            &NothingAgreed,
        );
        let row = report.rows.iter().find(|row| row.path == "app::g::b");
        (row.unwrap().class, report.exit_code)
    };
    let left_alone = side(&[&run(|all| filtered(all, "app::g::a"))]);
    assert_eq!(class(&left_alone), (RowClass::Regressed, 3));
    // The later run was to measure it, and it is gone.
    let gone = side(&[&run(|all| filtered(all, "app"))]);
    assert_eq!(class(&gone).0, RowClass::New);
}

/// Two bench targets, of which the last run measured one, at a later commit.
#[test]
fn a_bench_target_of_an_older_commit_is_not_gone() {
    let of_target = |file: &'static str, commit: &'static str| {
        run(move |all| {
            for record in all.as_array_mut().unwrap() {
                record["source"]["commit"] = json!(commit);
                if commit.starts_with('3') {
                    record["started_at"] = json!("2026-11-22T10:00:00.000Z");
                }
            }
            for index in [0, 1] {
                let name = all[index]["benchmark"]["function"].as_str().unwrap();
                let path = format!("{file}::g::{name}");
                all[index]["benchmark"]["path"] = json!(path);
                all[index]["benchmark"]["file"] = json!(file);
            }
            all[2]["file"] = json!(file);
        })
    };
    let old = side(&[
        &of_target("app", "1111111aaaa"),
        &of_target("other", "1111111aaaa"),
    ]);
    let new = side(&[
        &of_target("app", "2222222bbbb"),
        &of_target("other", "3333333cccc"),
    ]);
    let report = compare_sides(
        Some(&old),
        &new,
        &ComparisonOptions::default(),
        &NothingAgreed,
    );
    assert_eq!((report.counts.gone, report.exit_code), (0, 0));
    assert_eq!(report.counts.not_run, 2);
}

/// Such as `--check-determinism` and `--strict` leave them: the figures were kept, and the next run
/// compares with them.
#[test]
fn old_figures_of_a_run_that_failed_are_compared_with() {
    let failed = |all: &mut Value| {
        all[0]["failures"] = json!([{"tool": "callgrind", "reason": "strict", "message": "x"}]);
        all[2]["counts"] =
            json!({"ok": 1, "regressed": 0, "failed": 1, "filtered": 0, "not_run": 0});
    };
    let old = side(&[&run(failed)]);
    let new = side(&[&run(|all| {
        all[0]["profiles"][0]["metrics"][0]["new"] = json!(150);
    })]);
    let report = compare_sides(
        Some(&old),
        &new,
        &ComparisonOptions::default(),
        &NothingAgreed,
    );
    assert_eq!((report.counts.regressed, report.counts.new), (1, 0));
    // A new side that failed is a failure, whatever its figures are.
    let report = compare_sides(
        Some(&new),
        &old,
        &ComparisonOptions::default(),
        &NothingAgreed,
    );
    assert_eq!((report.counts.failed, report.exit_code), (1, 1));
}

/// A run that is killed between both of its files leaves old records that are those of the results.
#[test]
fn no_result_is_compared_with_itself() {
    let home = tempfile::tempdir().unwrap();
    let check = |old: &str, expected: usize| {
        for (name, text) in [("results.jsonl", &*run(|_| {})), ("results.jsonl.old", old)] {
            std::fs::write(home.path().join(name), text).unwrap();
        }
        let mut reader = RecordReader::default();
        let place = ResultsPlace::Path(home.path().join("results.jsonl"));
        place.read(&mut reader, std::io::empty()).unwrap();
        let new = ResultSide::of(reader.finish(), &SideOptions::default());
        let old = previous_side(&new, RecordReader::default()).unwrap();
        assert_eq!(old.errors.len(), expected, "{:?}", old.errors);
    };
    let mut before = benchmark("a", 100);
    before["started_at"] = json!("2026-11-20T09:00:00.000Z");
    check(&format!("{before}\n"), 0);
    check(&format!("{}\n", benchmark("a", 100)), 1);
}
