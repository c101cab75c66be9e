//! `parse FILE ROUNDS`: the seconds that reading the totals and reading everything took, one line of
//! two numbers for each round, after one round that is not counted.

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
        let start = Instant::now();
        let long = callgrind::read(File::open(path).expect("a file"));
        let long = long.expect("a profile").expect("not empty");
        let everything = start.elapsed().as_secs_f64();
        assert_eq!(short.totals().expect("totals"), long.totals().expect("totals"));
        if round > 0 {
            println!("{totals} {everything} {}", short.totals().expect("totals")[0].1);
        }
    }
}
