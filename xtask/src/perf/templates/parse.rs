//! `parse FILE ROUNDS`: the seconds that reading the totals took, the seconds of CPU time that reading
//! everything took, and the instructions found; one line for each round, after one that is not
//! counted.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use iai_callgrind_runner::parse::callgrind;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let path = Path::new(&arguments[1]);
    let rounds: usize = arguments[2].parse().expect("a number");
    for round in 0..=rounds {
        let start = Instant::now();
        let short = callgrind::read_file(path).expect("a profile").expect("not empty");
        let totals = start.elapsed().as_secs_f64();
        let start = cpu_time();
        let long = callgrind::read(File::open(path).expect("a file"));
        let long = long.expect("a profile").expect("not empty");
        let everything = cpu_time() - start;
        assert_eq!(short.totals().expect("totals"), long.totals().expect("totals"));
        if round > 0 {
            println!("{totals} {everything} {}", short.totals().expect("totals")[0].1);
        }
    }
}

/// What this thread, the only one, has used. The kernel counts in steps of a few milliseconds.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel");
    let nanoseconds: f64 = text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    nanoseconds / 1e9
}
