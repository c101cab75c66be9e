use std::collections::BTreeMap;
use std::rc::Rc;

use super::*;
use base::entry_functions::EVERYTHING;
use formats::callgrind::InstructionReader;
use metrics::CounterSet;

/// The entry function calls `f` and, through one instruction, `g` or `h`. A setup has called `f`
/// and `g` before. Above it, `main` has inclusive costs.
const PROFILE: &str = "\
positions: instr line
events: Ir Dr
ob=(1) /no/such/program
fl=(1) src/lib.rs
fn=(1) main
cfn=(2) entry
calls=1 0x100 10
0x50 5 1106 20
fn=(2)
0x100 10 1
0x104 11 3 1
cfn=(3) f
calls=100 0x200 20
0x104 11 30 3
0x108 12 10
cfn=(4) g
calls=15 0x300 30
0x108 12 1000 10
cfn=(5) h
calls=5 0x400 40
0x108 12 50
fn=(3)
0x200 20 3 3
0x204 21 27
fn=(4)
0x300 30 8 8
0x304 31 992 2
fn=(5)
0x400 40 50
fn=(6) f'2
0x204 21 12 3
totals: 1106 17
";

fn profile(text: &str) -> InstructionProfile {
    let mut reader = InstructionReader::default();
    reader.add(text.as_bytes()).unwrap();
    reader.finish()
}

fn with_sources<T>(entry: &EntryFunctions, result: impl FnOnce(DigestSources<'_>) -> T) -> T {
    result(DigestSources {
        entry,
        regions: false,
        symbolizer: &Symbolizer::default(),
        executable: Path::new("/no/such/program"),
        identity: 9,
        workspace: Path::new("/no/such/workspace"),
        target: None,
        is_malloc: None,
    })
}

#[track_caller]
fn digest(text: &str, entry: &EntryFunctions) -> Digest {
    let digest = with_sources(entry, |sources| sources.digest(&profile(text), 7));
    digest.check().unwrap();
    digest
}

fn entry(name: &str) -> EntryFunctions {
    EntryFunctions::of_patterns([name])
}

/// `caller -> callee` with the number of calls.
fn calls(digest: &Digest) -> BTreeMap<String, u64> {
    let bodies = digest.bodies_of_nodes();
    let name = |body: BodyId| digest.name(digest.bodies[body.index()].function);
    let calls = digest.calls.iter().map(|call| {
        let caller = name(bodies[call.node.index()]);
        (format!("{caller} -> {}", name(call.callee)), call.count)
    });
    calls.collect()
}

#[track_caller]
fn check_calls(digest: &Digest, expected: &[(&str, u64)]) {
    let expected = expected
        .iter()
        .map(|(call, count)| ((*call).to_owned(), *count));
    assert_eq!(calls(digest), expected.collect());
}

#[test]
fn calls_are_as_many_as_executions_of_their_instruction() {
    let digest = digest(PROFILE, &entry("entry"));
    assert!(digest.head.true_calls && digest.head.by_instruction);
    // One instruction shares its ten executions among two functions: 15 to 5.
    check_calls(
        &digest,
        &[("entry -> f", 3), ("entry -> g", 8), ("entry -> h", 2)],
    );
}

/// `getdelim` of glibc calls `realloc` through its procedure linkage table, as Callgrind writes it:
/// the jump there is a second instruction of the call. A setup has called it as well. A jump at the
/// end of a function writes nothing.
#[test]
fn a_jump_through_the_linkage_table_is_no_call() {
    let text = "\
positions: instr line
events: Ir Dr Dw
ob=(1) /no/such/program
fl=(1) src/lib.rs
fn=(2) entry
0x100 10 1
0x104 11 3 0 3
cfn=(3) f
calls=100 0x200 20
0x104 11 30 3 0
0x104 11 3 3
0x10c 12 2
cfn=(4) g
calls=9 0x300 30
0x10c 12 20
fn=(3)
0x200 20 30 3
fn=(4)
0x300 30 20
totals: 59 6 3
";
    check_calls(
        &digest(text, &entry("entry")),
        &[("entry -> f", 3), ("entry -> g", 2)],
    );
}

#[test]
fn only_what_the_root_reaches_is_there_and_adds_up() {
    let digest = digest(PROFILE, &entry("entry"));
    assert_eq!(digest.head.totals, [1106, 17]);
    let names: Vec<&str> = digest
        .bodies
        .iter()
        .map(|body| digest.name(body.function))
        .collect();
    assert_eq!(names, ["entry", "f", "g", "h"]);
    assert_eq!(digest.head.roots, [BodyId(0)]);
    let entries: Vec<u64> = digest.bodies.iter().map(|body| body.entries).collect();
    // The first instruction of the root is known by its call.
    assert_eq!(entries, [1, 3, 8, 50]);
    let of_f: u64 = digest
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| digest.name(digest.function_of(row.node)) == "f")
        .map(|(row, _)| digest.row_costs.row(row)[0])
        .sum();
    // With the second level of its recursion.
    assert_eq!(of_f, 42);
}

#[test]
fn costs_outside_of_the_entry_have_roots_of_their_own() {
    let with_thread = PROFILE.replace(
        "totals: 1106 17",
        "fn=(7) thread\n0x900 1 94\ntotals: 1200 17",
    );
    let digest = digest(&with_thread, &entry("entry"));
    assert_eq!(digest.head.totals, [1200, 17]);
    let roots = digest.head.roots.iter();
    let roots: Vec<&str> = roots
        .map(|root| digest.name(digest.bodies[root.index()].function))
        .collect();
    assert_eq!(roots, ["entry", "thread"]);
    // Where everything counts, nobody calls the roots.
    let everything = super::tests::digest(PROFILE, &EntryFunctions::default());
    assert_eq!(everything.head.totals, [1106, 17]);
    assert_eq!(everything.head.roots.len(), 1);
}

#[test]
fn without_instructions_there_are_functions_and_lines() {
    let lines: String = PROFILE
        .lines()
        .map(|line| match line {
            "positions: instr line" => "positions: line\n".to_owned(),
            line if line.starts_with("0x") => line.split_once(' ').unwrap().1.to_owned() + "\n",
            line if line.starts_with("calls=") => "calls=9 1\n".to_owned(),
            line => line.to_owned() + "\n",
        })
        .collect();
    let digest = digest(&lines, &entry("entry"));
    assert!(!digest.head.true_calls && !digest.head.by_instruction);
    assert_eq!(digest.head.totals, [1106, 17]);
    check_calls(
        &digest,
        &[("entry -> f", 9), ("entry -> g", 9), ("entry -> h", 9)],
    );
}

#[test]
fn files_give_a_digest_that_adds_up_and_the_same_files_give_it_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out");
    std::fs::write(&path, PROFILE).unwrap();
    let sets = |ir| {
        let counters = [("Ir", ir), ("Dr", 17)].map(|(event, count)| (event.to_owned(), count));
        [CounterSet {
            counters: counters.to_vec(),
            ..CounterSet::default()
        }]
    };
    with_sources(&entry("entry"), |sources| {
        let made = sources.of_files(&[&path], &sets(1106), |_| None).unwrap();
        let kept = |fingerprint| made.is_of(fingerprint).then(|| Rc::clone(&made));
        let again = sources.of_files(&[&path], &sets(1106), kept).unwrap();
        assert!(Rc::ptr_eq(&made, &again));
        let error = |path, ir| {
            let digest = sources.of_files(&[path], &sets(ir), |_| None);
            digest.unwrap_err()
        };
        assert_eq!(
            error(&path, 1107),
            "threads or parts of the profile do not count"
        );
        let missing = error(Path::new("/no/such/file"), 1106);
        assert!(
            missing.starts_with("cannot read `/no/such/file`: "),
            "{missing}"
        );
    });
}

#[test]
fn the_fingerprint_is_that_of_the_content_and_the_settings() {
    let fingerprint = |text: &str, root: &str| {
        with_sources(&entry(root), |sources| {
            sources.fingerprint_of(&[&text.as_bytes().to_vec().into()])
        })
    };
    let head = "# callgrind format\npid: 7\ncmd: program x\npart: 1\ndesc: Timerange: 0 - 7\n";
    let text = format!("{head}{PROFILE}");
    let one = fingerprint(&text, "entry");
    assert_ne!(one, 0);
    for same in [
        ("pid: 7", "pid: 81"),
        ("program x", "program y z"),
        ("0 - 7", "0 - 8"),
    ] {
        assert_eq!(fingerprint(&text.replace(same.0, same.1), "entry"), one);
    }
    assert_ne!(fingerprint(&text, "f"), one);
    for (old, new) in [
        ("0x200 20 3 3", "0x200 20 3 4"),
        ("calls=15 ", "calls=16 "),
        ("(4) g", "(4) i"),
        ("0x300", "0x310"),
        ("part: 1", "part: 2"),
    ] {
        let changed = text.replace(old, new);
        assert_ne!(changed, text);
        assert_ne!(fingerprint(&changed, "entry"), one, "{new}");
    }
}

#[test]
fn the_fingerprint_is_that_of_the_executables() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program");
    let text = PROFILE.replace("/no/such/program", &program.display().to_string());
    let fingerprint = || {
        with_sources(&EVERYTHING, |sources| {
            sources.fingerprint_of(&[&text.as_bytes().to_vec().into()])
        })
    };
    let none = fingerprint();
    assert_eq!(fingerprint(), none);
    // It is not opened, or this would be refused.
    std::fs::write(&program, "no executable").unwrap();
    let one = fingerprint();
    assert_ne!(one, none);
    assert_eq!(fingerprint(), one);
    // The same bytes, but somebody wrote them.
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(&program, "no executable").unwrap();
    assert_ne!(fingerprint(), one);
}

/// Own costs by the name of the function.
fn own(digest: &Digest) -> BTreeMap<String, u64> {
    let mut own = BTreeMap::new();
    for (index, row) in digest.rows.iter().enumerate() {
        let name = digest.name(digest.function_of(row.node)).to_owned();
        *own.entry(name).or_default() += digest.row_costs.row(index)[0];
    }
    own
}

#[test]
fn callers_that_are_told_apart_are_added_up() {
    // `--separate-callers=2`: the functions have those that call them behind their names.
    let contexts = PROFILE
        .replace("(3) f", "(3) f'entry")
        .replace("fn=(6) f'2", "fn=(6) f'g'entry")
        .replace("(4) g", "(4) g'entry");
    let digest = digest(&contexts, &entry("entry"));
    assert_eq!(own(&digest)["f"], 42);
    assert_eq!(digest.head.totals, [1106, 17]);
    check_calls(
        &digest,
        &[("entry -> f", 3), ("entry -> g", 8), ("entry -> h", 2)],
    );
}

#[test]
fn code_without_file_or_name_is_one_function_of_its_object() {
    // Code that was made at run time has neither an object nor a name, and may lie anywhere.
    let unknown = PROFILE.replace(
        "fn=(5)\n0x400 40 50",
        "fn=(5)\n0x400 40 30\nob=(2) ???\nfl=(2) ???\nfn=(8) ???\n0x7f0000000000 0 12\n0x7f0000010000 0 8",
    );
    let digest = digest(&unknown, &EntryFunctions::of_patterns::<&str>([]));
    assert_eq!(digest.head.totals, [1106, 17]);
    assert_eq!((own(&digest)["h"], own(&digest)["???"]), (30, 20));
    let bodies = digest.bodies.iter();
    let unknown = bodies.filter(|body| digest.name(body.function) == "???");
    assert_eq!(unknown.count(), 1);
    assert!(digest.texts.is_empty() && digest.code.is_empty());
}

#[test]
fn twenty_thousand_functions_beside_a_long_name_add_up() {
    let long = "x".repeat(10_000);
    let mut profile = format!(
        "positions: instr line\nevents: Ir\nob=(1) /no/such/program\nfl=(1) src/lib.rs\nfn=(1) entry::{long}\n"
    );
    for function in 0..20_000_u32 {
        profile += &format!("0x{:x} 1 1\nfn=f{function}\n", 0x1000 + function * 16);
    }
    profile += "0xff00000 1 1\ntotals: 20001\n";
    let digest = digest(&profile, &EntryFunctions::of_patterns::<&str>([]));
    assert_eq!(
        (digest.head.totals[0], digest.bodies.len()),
        (20_001, 20_001)
    );
    let explanation =
        crate::explain(&digest, &digest, iai_callgrind::protocol::EventKind::Ir).unwrap();
    assert!(explanation.causes.is_empty() && explanation.diff == 0);
}

#[test]
fn lines_of_calls_are_those_of_the_functions_file() {
    let lines = |text: &str| {
        let digest = digest(text, &entry("entry"));
        let lines = digest.calls.iter().map(|call| call.line);
        lines.filter(|line| *line > 0).collect::<Vec<_>>()
    };
    assert_eq!(lines(PROFILE), [11, 12, 12]);
    // The call of `f` was inlined from another file.
    let inlined = PROFILE
        .replace("0x104 11 3 1\ncfn", "fi=(2) macros.rs\n0x104 911 3 1\ncfn")
        .replace("0x104 11 30 3\n", "0x104 911 30 3\nfe=(1)\n");
    assert_ne!(inlined, PROFILE);
    assert_eq!(lines(&inlined), [12, 12]);
}
