//! Ways to count threads.

use std::hint::black_box;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, EntryPoint, LibraryBenchmarkConfig,
};
use inside_benchmarks::rounds;

/// A function that is in the binary under its own name.
#[inline(never)]
fn elsewhere(n: u64) {
    rounds(n);
    black_box(());
}

fn on_threads(threads: u64, n: u64) {
    let threads: Vec<_> = (0..threads)
        .map(|_| thread::spawn(move || elsewhere(n)))
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

fn config(callgrind: &Callgrind) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default().tool(callgrind).build()
}

/// A thread that works while the arguments are made.
fn worked_before(n: u64) -> u64 {
    on_threads(1, 10 * n);
    n
}

#[library_benchmark]
#[bench::uncounted(2, 100_000)]
#[bench::counted(args = (2, 100_000), config = config(&Callgrind::default().count_threads(true)))]
#[bench::counted_twice(args = (2, 200_000), config = config(&Callgrind::default().count_threads(true)))]
#[bench::toggled(
    args = (2, 100_000),
    config = config(&Callgrind::with_args(["--toggle-collect=*elsewhere*"]))
)]
#[bench::everything(
    args = (2, 100_000),
    config = config(
        Callgrind::with_args(["--collect-atstart=yes"]).entry_point(EntryPoint::None)
    )
)]
fn work(threads: u64, n: u64) {
    on_threads(threads, n);
}

/// Without threads, counting them changes nothing.
#[library_benchmark]
#[bench::plain(5000)]
#[bench::counted(args = (5000), config = config(&Callgrind::default().count_threads(true)))]
fn alone(n: u64) -> Vec<u64> {
    rounds(n);
    (0..n).rev().collect()
}

#[library_benchmark]
#[bench::before(args = (100_000), setup = worked_before, config = config(&Callgrind::default().count_threads(true)))]
#[bench::plain(args = (100_000), config = config(&Callgrind::default().count_threads(true)))]
fn after_others(n: u64) {
    rounds(n);
}

/// A thread that works each time it is asked.
struct Worker {
    ask: mpsc::Sender<u64>,
    answer: mpsc::Receiver<()>,
}

impl Worker {
    fn new(_: u64) -> Self {
        let (ask, asked) = mpsc::channel();
        let (done, answer) = mpsc::channel();
        thread::spawn(move || {
            for n in asked {
                elsewhere(n);
                let _ = done.send(());
            }
        });
        Self { ask, answer }
    }

    fn work(&self, n: u64) {
        self.ask.send(n).unwrap();
        self.answer.recv().unwrap();
    }
}

fn work_on(worker: Worker) {
    worker.work(1_000_000);
}

/// Work of the worker for the teardown does not count for the benchmark.
#[library_benchmark(config = config(&Callgrind::default().count_threads(true)))]
#[bench::after(args = (0), setup = Worker::new, teardown = work_on)]
fn worker(worker: Worker) -> Worker {
    worker.work(100_000);
    worker
}

fn started_before(n: u64) -> u64 {
    assert!(Command::new("/bin/true").status().unwrap().success());
    n
}

fn start_after(_: ()) {
    assert!(Command::new("/bin/true").status().unwrap().success());
}

/// Processes of a setup and a teardown are no part of the benchmark.
#[library_benchmark(config = config(&Callgrind::default().count_threads(true)))]
#[bench::plain(100_000)]
#[bench::around(args = (100_000), setup = started_before, teardown = start_after)]
fn between(n: u64) {
    rounds(n);
}

fn serve() -> Child {
    let mut cat = Command::new("/bin/cat");
    cat.stdin(Stdio::piped()).spawn().unwrap()
}

fn stop(mut server: Child) {
    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
}

/// Runs before, while and after the benchmark.
#[library_benchmark(config = config(&Callgrind::default().count_threads(true)))]
#[bench::cat(args = (), setup = serve, teardown = stop)]
fn server(server: Child) -> Child {
    server
}

#[library_benchmark]
#[bench::uncounted(Command::new("/bin/true"))]
#[bench::counted(
    args = (Command::new("/bin/true")),
    config = config(&Callgrind::default().count_threads(true))
)]
#[bench::everything(
    args = (Command::new("/bin/true")),
    config = config(
        Callgrind::with_args(["--collect-atstart=yes"]).entry_point(EntryPoint::None)
    )
)]
// The entry point is a function of this process, too.
#[bench::toggled(args = (), setup = run_again)]
fn process(mut command: Command) -> Command {
    assert!(command.status().unwrap().success());
    command
}

fn run_again() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--iai-callgrind", "run", "group::alone::plain"])
        .env_clear();
    command
}

library_benchmark_group!(
    name = group,
    benchmarks = [work, alone, after_others, worker, between, server, process]
);
main!(library_benchmark_groups = [group]);
