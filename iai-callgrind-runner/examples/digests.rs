//! Makes and explains digests, for `cargo xtask perf`. Writes one line for each round:
//!
//! - `open ROUNDS EXECUTABLE`: the seconds of CPU time that opening it took
//! - `digest ROUNDS EXECUTABLE PROFILE`: the seconds of CPU time from the open executable and the profile to the
//!   bytes of the digest, and the number of places in the profile
//! - `explain ROUNDS EXECUTABLE NEW OLD`: the seconds of CPU time from two digests to the explanation, and the number
//!   of rows in both

use std::fs::{self, File};
use std::path::Path;

use iai_callgrind::protocol::EventKind;
use iai_callgrind_runner::digest::DigestSources;
use iai_callgrind_runner::entry_functions::EVERYTHING;
use iai_callgrind_runner::explain::digest::Digest;
use iai_callgrind_runner::explain::{explain, format};
use iai_callgrind_runner::parse::callgrind::{InstructionProfile, InstructionReader};
use iai_callgrind_runner::symbolize::Symbolizer;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: usize = arguments[1].parse().expect("a number");
    let executable = Path::new(&arguments[2]);
    for _ in 0..rounds {
        match arguments[0].as_str() {
            "open" => open(executable),
            "digest" => digest(executable, &arguments[3]),
            _ => explanation(executable, &arguments[3], &arguments[4]),
        }
    }
}

fn open(executable: &Path) {
    let start = cpu_time();
    let object = Symbolizer::default().object(executable);
    let object = object.expect("an executable");
    let time = cpu_time() - start;
    assert!(object.debug_facts().has_inlined, "no debug information");
    println!("{time}");
}

fn digest(executable: &Path, profile: &str) {
    let symbolizer = Symbolizer::default();
    symbolizer.object(executable).expect("an executable");
    let start = cpu_time();
    let profile = read(profile);
    let digest = made(executable, &profile, &symbolizer);
    let rows = profile.rows.len();
    // As a run does.
    drop(profile);
    let bytes = format::write(&digest);
    let time = cpu_time() - start;
    assert!(bytes.len() > 100);
    println!("{time} {rows}");
}

fn explanation(executable: &Path, new: &str, old: &str) {
    let symbolizer = Symbolizer::default();
    let [new, old] = [new, old].map(|path| made(executable, &read(path), &symbolizer));
    let start = cpu_time();
    let explanation = explain(&old, &new, EventKind::Ir).expect("instructions");
    let time = cpu_time() - start;
    assert!(!explanation.causes.is_empty());
    println!("{time} {}", new.rows.len() + old.rows.len());
}

fn made(executable: &Path, profile: &InstructionProfile, symbolizer: &Symbolizer) -> Digest {
    let sources = DigestSources {
        profile,
        fingerprint: 0,
        entry: &EVERYTHING,
        regions: false,
        symbolizer,
        executable,
        identity: 0,
        workspace: Path::new("/no/such/workspace"),
        target: None,
    };
    sources.digest()
}

fn read(path: &str) -> InstructionProfile {
    let readers = [
        InstructionReader::default(),
        InstructionReader::only_functions(),
    ];
    for mut reader in readers {
        let file = File::open(path).expect("a file");
        reader.add(file).expect("a profile").expect("not empty");
        if !reader.is_full() {
            return reader.finish();
        }
    }
    unreachable!("there are more functions than are kept")
}

/// What this thread, the only one, has used.
fn cpu_time() -> f64 {
    // Otherwise the kernel counts in steps of a few milliseconds.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel");
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}
