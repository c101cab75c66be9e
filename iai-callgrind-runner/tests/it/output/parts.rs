//! Processes, threads and parts.

use iai_callgrind::protocol::OutputFormat;

use super::bench::{check, function, Bench, Process, Unit, BENCH};

fn process(pid: u32, parent: u32, command: &str) -> Process<'_> {
    Process {
        pid,
        parent,
        command,
    }
}

fn threads_and_a_child(bench: &mut Bench) {
    bench.group(
        "g",
        false,
        vec![function("threads", &[(Some("two"), Some("2"))])],
    );
    bench.config().output_format = Some(OutputFormat {
        show_intermediate: Some(true),
        ..OutputFormat::default()
    });
}

#[test]
fn threads_and_processes_stand_above_their_total() {
    check("intermediate", |bench| {
        threads_and_a_child(bench);
        let folder = bench.results("g/threads.two");
        process(15969, 1, BENCH).write(&folder, &[(1, 1, &[("Ir", 9091)]), (2, 1, &[("Ir", 5)])]);
        let echo = "/build/target/release/echo-n x\\ y";
        process(15970, 15969, echo).write(&folder, &[(1, 1, &[("Ir", 6174)])]);
        let first = bench.run(&["--nosummary"]);
        // One thread more, another child, and other numbers.
        let folder = bench.results("g/threads.two");
        let threads: [Unit<'_>; 3] = [
            (1, 1, &[("Ir", 9185)]),
            (2, 1, &[("Ir", 5)]),
            (3, 1, &[("Ir", 4)]),
        ];
        process(16034, 1, BENCH).write(&folder, &threads);
        process(16035, 16034, "/usr/bin/cat").write(&folder, &[(1, 1, &[("Ir", 70)])]);
        let second = bench.run(&["--nosummary"]);
        let grid = bench.run(&["--nosummary", "--show-grid"]);
        first + &second + &grid + &bench.run(&["--nosummary", "--show-intermediate=no"])
    });
}

#[test]
fn parts_are_paired_by_their_numbers() {
    check("parts", |bench| {
        threads_and_a_child(bench);
        for count in [10, 12] {
            let folder = bench.results("g/threads.two");
            let parts: [Unit<'_>; 4] = [
                (1, 1, &[("Ir", count)]),
                (2, 1, &[("Ir", 2 * count)]),
                (1, 2, &[("Ir", 3 * count)]),
                (2, 2, &[("Ir", 4 * count)]),
            ];
            process(7, 1, BENCH).write(&folder, &parts);
            if count == 10 {
                bench.run(&[]);
            }
        }
        bench.run(&["--nosummary"])
    });
}

#[test]
fn processes_under_other_tools_name_their_parents() {
    check("processes", |bench| {
        threads_and_a_child(bench);
        bench.recorded("g/threads.two", "memcheck", "fork_exec");
        bench.run(&[
            "--default-tool=memcheck",
            "--save-baseline=main",
            "--nosummary",
        ])
    });
}
