//! Makes digests, for `cargo xtask perf`. `digest ROUNDS EXECUTABLE PROFILE` writes one line for
//! each round: the seconds of CPU time from the open executable and the profile to the bytes of the
//! digest.

use std::fs::{self, File};
use std::path::Path;

use base::entry_functions::EVERYTHING;
use explain::digest::Digest;
use explain::format;
use explain::new_digest::DigestSources;
use formats::callgrind::{InstructionProfile, InstructionReader};
use symbols::Symbolizer;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: usize = arguments[1].parse().expect("a number");
    let executable = Path::new(&arguments[2]);
    for _ in 0..rounds {
        digest(executable, &arguments[3]);
    }
}

fn digest(executable: &Path, profile: &str) {
    let symbolizer = Symbolizer::default();
    symbolizer.object(executable).expect("an executable");
    let start = cpu_time();
    let profile = read(profile);
    let digest = made(executable, &profile, &symbolizer);
    // A run drops the profile before it writes the digest, too.
    drop(profile);
    let bytes = format::write(&digest);
    let time = cpu_time() - start;
    assert!(bytes.len() > 100);
    println!("{time}");
}

fn made(executable: &Path, profile: &InstructionProfile, symbolizer: &Symbolizer) -> Digest {
    let sources = DigestSources {
        entry: &EVERYTHING,
        regions: false,
        symbolizer,
        executable,
        identity: 0,
        workspace: Path::new("/no/such/workspace"),
        target: None,
        is_malloc: None,
    };
    sources.digest(profile, 0)
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

/// CPU time of this thread, the only one, in seconds.
fn cpu_time() -> f64 {
    // Otherwise the kernel counts in steps of a few milliseconds.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel");
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}
