//! Likely reasons for counts that differ from run to run, found by the functions that were
//! executed.
//!
//! A profile of Callgrind names functions and the source files of functions that were inlined into
//! them; a profile of DHAT names functions that allocate. A function may be there without being the
//! reason: so these are hints.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use iai_callgrind::protocol::Kind;
use memchr::memmem;

use crate::plan::Job;

/// A likely reason, the names by which it is found, and its cure.
struct HintRow {
    /// Parts of names, of functions or of source files.
    names: &'static [&'static str],
    /// Reason, as a sentence about the program.
    reason: &'static str,
    /// Cure, as a clause that follows the reason.
    cure: &'static str,
    /// Effect of `deterministic_random`.
    random: Random,
}

/// Source of a program's random numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Random {
    /// From the system, through C functions that `deterministic_random` replaces.
    Reached,
    /// From the system, by the C function `syscall`, which `deterministic_random` replaces only
    /// where `main!` asks for it.
    BySystemCall,
    /// They come from another source, or the program uses none.
    No,
}

/// Cure of library benchmarks whose random numbers `deterministic_random` reaches, but that
/// switched it off.
const DETERMINISTIC: &str =
    "`deterministic_random`, which is switched off here, gives it the same ones in every run";

const ROWS: &[HintRow] = &[
    HintRow {
        names: &["std::hash::random", "hash/random.rs", "hashmap_random_keys"],
        reason: "it makes hash maps with random keys (`std::hash::RandomState`)",
        cure: "a hasher without random keys has one order",
        random: Random::Reached,
    },
    HintRow {
        names: &["ahash::"],
        reason: "it hashes with `ahash`, whose keys are from `getrandom` and from addresses",
        cure: "`ahash::RandomState::with_seeds(..)` has keys of your own",
        random: Random::Reached,
    },
    HintRow {
        names: &["foldhash::seed", "foldhash-", "foldhash::fast::RandomState"],
        reason: "it hashes with `foldhash`, whose keys are from addresses and the clock",
        cure: "`foldhash::fast::FixedState` always has the same keys",
        random: Random::No,
    },
    HintRow {
        names: &["fastrand::", "fastrand-"],
        reason: "it draws random numbers of `fastrand`, seeded from the clock",
        cure: "`fastrand::Rng::with_seed(..)` always draws the same ones",
        random: Random::No,
    },
    HintRow {
        names: &[
            "getrandom",
            "getentropy",
            "rand::rngs::thread",
            "ThreadRng",
            "OsRng",
        ],
        reason: "it asks the system for random numbers (`getrandom`)",
        cure: "a generator with a seed always draws the same ones",
        random: Random::Reached,
    },
    HintRow {
        names: &[") syscall", "=syscall"],
        reason: "it calls the kernel by the C function `syscall`, as crates do that ask for random numbers",
        cure: "`main!(deterministic_random = true, ..)` gives them the same ones in every run",
        random: Random::BySystemCall,
    },
    HintRow {
        names: &["arc4random"],
        reason: "it asks the C library for random numbers (`arc4random`)",
        cure: "a generator with a seed always draws the same ones",
        random: Random::No,
    },
    HintRow {
        names: &[
            "clock_gettime",
            "gettimeofday",
            "std::time::",
            "std/src/time.rs",
            "std/src/sys/time",
        ],
        reason: "it reads the clock",
        cure: "give it a time as an argument",
        random: Random::No,
    },
    HintRow {
        names: &["getpid", "gettid", "std::process::id"],
        reason: "it asks for the number of its process or thread",
        cure: "give it a number as an argument",
        random: Random::No,
    },
    HintRow {
        names: &[
            "pthread_create",
            "pthread_join",
            "pthread_cond_wait",
            "futex_wait",
            "futex::Mutex::lock_contended",
            "std::thread::spawn",
            "JoinHandle",
            "rayon_core::",
            "crossbeam_",
            "tokio::runtime",
        ],
        reason: "it works with several threads, whose order and waiting is never quite the same",
        cure: "`LibraryBenchmarkConfig::single_cpu(true)` makes this less",
        random: Random::No,
    },
    HintRow {
        names: &["std::fs::", "std/src/fs.rs", "open64", "readdir"],
        reason: "it opens files or lists directories, which may have changed",
        cure: "a sandbox with fixtures has the same ones in every run",
        random: Random::No,
    },
    HintRow {
        names: &["getenv", "std::env::", "std/src/env.rs"],
        reason: "it reads variables or its directory, which may have changed",
        cure: "`env(..)` and `sandbox(true)` of the configuration set them",
        random: Random::No,
    },
];

/// Hint if no name suggests another one.
const ADDRESSES: &str =
    "it may hash or order addresses (pointers as keys), or read something that \
                         changed";

/// One hint for each likely reason that the profiles show; at least one hint.
pub(super) fn hints(profiles: &[&Path], job: &Job) -> Vec<String> {
    // A profile that cannot be read costs hints only; the failure that they follow is more
    // important.
    let profiles = profiles.iter().filter_map(|path| fs::read(path).ok());
    let profiles: Vec<Vec<u8>> = profiles.collect();
    let names = profiles.iter().flat_map(|profile| names(profile));
    of_names(
        names,
        job.target.kind() == Kind::Library,
        job.deterministic_random,
    )
}

/// The lines of a profile that name a function or a source file, each once.
fn names(profile: &[u8]) -> BTreeSet<&[u8]> {
    const OF_CALLGRIND: [&[u8]; 7] = [b"fn=", b"cfn=", b"fl=", b"fi=", b"fe=", b"cfi=", b"cfl="];
    let lines = profile.split(|byte| *byte == b'\n');
    // Compared as they stand, without Callgrind's ids: a name stands in full where it is first
    // used.
    let names = lines.filter(|line| {
        // DHAT: `,"0x10A7B3: std::hash::random::… (random.rs:3)"`.
        let of_dhat = || memmem::find(line, b"\"0x").is_some();
        OF_CALLGRIND.iter().any(|start| line.starts_with(start)) || of_dhat()
    });
    names.collect()
}

fn of_names<'a>(
    names: impl Iterator<Item = &'a [u8]>,
    is_library: bool,
    deterministic: bool,
) -> Vec<String> {
    let mut seen = [false; ROWS.len()];
    for name in names {
        for (seen, row) in seen.iter_mut().zip(ROWS) {
            let has = |part: &&str| memmem::find(name, part.as_bytes()).is_some();
            // A row that was seen once is not searched for again, since a profile has thousands of
            // names.
            *seen = *seen || row.names.iter().any(has);
        }
    }
    let mut hints = Vec::new();
    for (_, row) in seen.iter().zip(ROWS).filter(|(seen, _)| **seen) {
        let HintRow { reason, cure, .. } = row;
        hints.push(match row.random {
            // The random numbers are the same already.
            Random::Reached if deterministic => continue,
            // Without `deterministic_random` it is said of `getrandom`.
            Random::BySystemCall if !deterministic => continue,
            // Only the executable of a library benchmark brings `deterministic_random` with it.
            Random::Reached if is_library => format!("{reason}; {DETERMINISTIC}"),
            _ => format!("{reason}; {cure}"),
        });
    }
    if hints.is_empty() {
        hints.push(ADDRESSES.to_owned());
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(profile: &str, (is_library, deterministic): (bool, bool), expected: &[&str]) {
        let hints = of_names(
            names(profile.as_bytes()).into_iter(),
            is_library,
            deterministic,
        );
        let is_there = |part: &&str| hints.iter().any(|hint| hint.contains(*part));
        assert!(expected.iter().all(is_there), "{hints:?}");
        assert_eq!(hints.len(), expected.len(), "{hints:?}");
    }

    #[test]
    fn names_of_functions_and_of_inlined_files() {
        let function = "fn=std::hash::random::RandomState::new\n+3 17\n";
        let inlined = "fi=/rustc/59807616e/library/std/src/hash/random.rs\n+3 17\n";
        for profile in [function, inlined] {
            check(
                profile,
                (true, false),
                &["`deterministic_random`, which is switched off here,"],
            );
            check(profile, (false, false), &["a hasher without random keys"]);
            // The keys are the same already, so there must be another reason.
            check(profile, (true, true), &["addresses"]);
            let by_syscall = format!("{profile}cfn=(12) syscall\n");
            check(
                &by_syscall,
                (true, true),
                &["`main!(deterministic_random = true, ..)`"],
            );
        }
        let dhat = "  ,\"0x10A7B3: ahash::random_state::RandomState::new (x.rs:3)\"\n";
        check(dhat, (false, false), &["`ahash`"]);
    }

    #[test]
    fn several_reasons_are_all_said() {
        check(
            "cfn=clock_gettime@@GLIBC_2.17\nfn=getpid\ncfn=pthread_create@@GLIBC_2.34\n",
            (true, false),
            &["the clock", "number of its process", "several threads"],
        );
    }

    #[test]
    fn where_nothing_is_named_addresses_remain() {
        check("", (true, false), &["addresses"]);
        check(
            "fn=main\ncalls=1 2\n3 getrandom\n",
            (true, false),
            &["addresses"],
        );
    }

    #[test]
    fn texts_are_lines_of_a_message() {
        for HintRow {
            names,
            reason,
            cure,
            ..
        } in ROWS
        {
            assert!(!names.is_empty());
            for text in [reason, cure] {
                assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
            }
            assert!(reason.starts_with("it "), "{reason}");
        }
    }
}
