//! Descriptions of benchmark files, as large as needed.

use iai_callgrind::protocol::{
    Callgrind, Case, Config, EventKind, Function, Group, Hooks, Input, Kind, Package, Platform,
    Suite, Tools, PROTOCOL, VERSION,
};

/// A file with one group of so many functions, `works`, `works_1` and so on, with so many cases
/// each, `case_0` and so on.
pub fn suite(functions: usize, cases: usize) -> Suite {
    let mut callgrind = Callgrind::default();
    callgrind.settings.limits.soft = vec![(EventKind::Ir.into(), 5.0)];
    let tools = Tools {
        callgrind: Some(callgrind),
        ..Tools::default()
    };
    Suite {
        protocol: PROTOCOL,
        version: VERSION.to_owned(),
        package: Package {
            name: "replayed".to_owned(),
            manifest_dir: "/build".to_owned(),
            workspace: "/build".to_owned(),
            target_tmpdir: None,
            file: "benches/bench.rs".to_owned(),
            module: "bench".to_owned(),
        },
        platform: Platform {
            target: "x86_64-unknown-linux-gnu".to_owned(),
            libc: Some("glibc 2.36".to_owned()),
            ..Platform::default()
        },
        config: Some(Config {
            tools: tools.into(),
            ..Config::default()
        }),
        deterministic_random: false,
        brackets: false,
        is_malloc: None,
        hooks: Hooks::default(),
        groups: vec![Group {
            name: "kernels".to_owned(),
            kind: Kind::Library,
            config: None,
            compare_by_id: false,
            ratios: Vec::new(),
            max_parallel: 0,
            hooks: Hooks::default(),
            functions: (0..functions).map(|index| function(index, cases)).collect(),
        }],
        unlisted: Vec::new(),
        empty: Vec::new(),
        entries: u32::try_from(functions * cases).expect("a number of benchmarks"),
        at_run_time: false,
    }
}

fn function(index: usize, cases: usize) -> Function {
    let index = u32::try_from(index).expect("a number of functions");
    Function {
        name: match index {
            0 => "works".to_owned(),
            index => format!("works_{index}"),
        },
        index,
        file: String::new(),
        line: 0,
        config: None,
        equal_counts: false,
        cases: (0..cases).map(case).collect(),
    }
}

fn case(index: usize) -> Case {
    Case {
        id: Some(format!("case_{index}")),
        args: Some(format!("work({index})")),
        input: Some(Input {
            text: format!("work({index})"),
            positional: false,
        }),
        index: u32::try_from(index).expect("a number of cases"),
        element: 0,
        elements: 0,
        config: None,
        scaling: None,
        throughput: None,
        title: None,
        hooks: Hooks::default(),
        command: None,
    }
}
