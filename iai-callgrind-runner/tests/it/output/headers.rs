//! Headlines.

use iai_callgrind::protocol::{Command, Kind};

use super::bench::{check, function, Bench};

fn with_cases(bench: &mut Bench, cases: &[(Option<&str>, Option<&str>)]) {
    bench.group("misc", false, vec![function("f", cases)]);
    for (id, _) in cases {
        let place = id.map_or("misc/f".to_owned(), |id| format!("misc/f.{id}"));
        bench.counts(&place, &[("Ir", 1)]);
    }
}

const ONLY_HEADLINES: [&str; 2] = ["--show-only-comparison", "--nosummary"];

#[test]
fn ids_and_arguments_are_optional() {
    check("headers", |bench| {
        let cases = [
            (Some("id"), Some("1, \"two\"")),
            (Some("other"), None),
            (None, None),
        ];
        with_cases(bench, &cases);
        let all = bench.run(&ONLY_HEADLINES);
        bench.suite.groups.clear();
        with_cases(bench, &[(None, Some("vec![\n    1,\n    2\n]"))]);
        all + &bench.run(&ONLY_HEADLINES)
    });
}

#[test]
fn commands_are_relative_to_the_workspace_and_quoted() {
    check("commands", |bench| {
        let command = |program: &str, args: &[&str]| Command {
            program: program.into(),
            args: args.iter().map(|arg| (*arg).into()).collect(),
            ..Command::default()
        };
        let cases = [
            (Some("plain"), Some("\"hello world\"")),
            (Some("far"), None),
            (None, None),
        ];
        with_cases(bench, &cases);
        let group = &mut bench.suite.groups[0];
        group.kind = Kind::Binary;
        let commands = [
            command("/build/target/release/echo-n", &["hello world"]),
            command("/usr/bin/env", &["A=$b"]),
            command("/build/target/release/echo-n", &[]),
        ];
        for (case, command) in group.functions[0].cases.iter_mut().zip(commands) {
            case.command = Some(Box::new(command));
        }
        bench.run(&ONLY_HEADLINES)
    });
}

#[test]
fn long_descriptions_are_cut_in_the_middle() {
    check("truncated", |bench| {
        let args = "\"a very long argument string that goes on and on until its end\", ä, ö";
        with_cases(bench, &[(Some("long"), Some(args))]);
        let mut shown = String::new();
        for limit in ["50", "yes", "5", "1", "0", "no", "1000"] {
            let option = format!("--truncate-description={limit}");
            let words = [&ONLY_HEADLINES[..], &[&option]].concat();
            shown += &bench.run(&words);
        }
        shown
    });
}
