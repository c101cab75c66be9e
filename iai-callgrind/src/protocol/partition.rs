//! One part of the selected benchmarks, for machines that share them.
//!
//! `hash:1/3` takes a benchmark by its path alone, so it stays in its part whatever else is added
//! or filtered. `count:1/3` deals the selected benchmarks of a file out in turn, so that the parts
//! have the same size. `time:1/3` divides by the times of earlier results, which the runner reads.
//! The parts of `/N` together are everything, and no two of them share a benchmark.

use std::fmt;
use std::str::FromStr;

use crate::shared::hash::{hash, hash_all};

/// One part of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partition {
    kind: Kind,
    /// Index of the part, from 0.
    part: u64,
    parts: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hash,
    Count,
    Time,
}

/// Error in the text of a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidPartition(&'static str);

impl Partition {
    /// The way of dividing: `hash`, `count` or `time`.
    #[must_use]
    #[inline]
    pub fn kind(self) -> &'static str {
        match self.kind {
            Kind::Hash => "hash",
            Kind::Count => "count",
            Kind::Time => "time",
        }
    }

    /// The number of the part, from 1.
    #[must_use]
    #[inline]
    pub fn part(self) -> u64 {
        self.part + 1
    }

    /// The number of parts.
    #[must_use]
    #[inline]
    pub fn parts(self) -> u64 {
        self.parts
    }

    /// Does it take times to know the parts?
    #[must_use]
    #[inline]
    pub fn needs_times(self) -> bool {
        self.kind == Kind::Time
    }

    /// The number of the first benchmark of a bench file. `count` begins elsewhere in each file, so
    /// that many files of a few benchmarks fill all parts.
    #[must_use]
    pub fn first_number(self, package: &str, file: &str) -> usize {
        match self.kind {
            Kind::Hash | Kind::Time => 0,
            Kind::Count => {
                let place = hash_all(&[package.as_bytes(), b"/", file.as_bytes()]);
                (place % self.parts) as usize
            }
        }
    }

    /// Is this benchmark in the part? `number` counts what the filters select, from
    /// [`Self::first_number`]. Benchmarks whose time is not known are divided by their path.
    #[must_use]
    pub fn takes(self, number: usize, path: &str) -> bool {
        let place = match self.kind {
            Kind::Hash | Kind::Time => hash(path.as_bytes()),
            Kind::Count => number as u64,
        };
        place % self.parts == self.part
    }
}

impl FromStr for Partition {
    type Err = InvalidPartition;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some(mut read) = read(text) else {
            return Err(InvalidPartition(
                "expected `hash:M/N`, `count:M/N` or `time:M/N`, such as `count:1/3`",
            ));
        };
        if read.part == 0 || read.part > read.parts {
            return Err(InvalidPartition("M must be one of the numbers from 1 to N"));
        }
        read.part -= 1;
        Ok(read)
    }
}

/// Reads a partition, with a part that is counted from 1.
fn read(text: &str) -> Option<Partition> {
    let (kind, numbers) = text.split_once(':')?;
    let (part, parts) = numbers.split_once('/')?;
    let kind = match kind {
        "hash" => Kind::Hash,
        "count" => Kind::Count,
        "time" => Kind::Time,
        _ => return None,
    };
    Some(Partition {
        kind,
        part: part.parse().ok()?,
        parts: parts.parse().ok()?,
    })
}

impl fmt::Display for Partition {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.kind(), self.part(), self.parts)
    }
}

impl fmt::Display for InvalidPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for InvalidPartition {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_files_fill_all_parts() {
        let mut sizes = [0; 8];
        for file in 0..37 {
            let file = format!("bench_{file}");
            for (part, size) in sizes.iter_mut().enumerate() {
                let partition = format!("count:{}/8", part + 1);
                let partition: Partition = partition.parse().unwrap();
                let first = partition.first_number("package", &file);
                let taken = (0..2).filter(|number| partition.takes(first + number, ""));
                *size += taken.count();
            }
        }
        assert_eq!(sizes.iter().sum::<usize>(), 74);
        // All of them begin with the first part without it: 37, 37 and six empty ones.
        assert!(
            sizes.iter().all(|size| (4..=16).contains(size)),
            "{sizes:?}"
        );
        let by_path: Partition = "hash:1/8".parse().unwrap();
        assert_eq!(by_path.first_number("package", "bench_1"), 0);
    }

    #[test]
    fn texts() {
        for text in [
            "hash:1/1",
            "count:3/3",
            "time:2/3",
            "hash:1/18446744073709551615",
        ] {
            assert_eq!(text.parse::<Partition>().unwrap().to_string(), text);
        }
        for text in ["", "1/2", "hash", "hash:", "hash:1", "hash:/", "slice:1/2"] {
            let error = text.parse::<Partition>().unwrap_err().to_string();
            assert!(error.starts_with("expected `hash:M/N`,"), "{text}: {error}");
        }
        for text in ["count:-1/2", "count:1/2/3", "count:a/b", "hash: 1/2"] {
            text.parse::<Partition>().unwrap_err();
        }
        for text in ["count:0/2", "hash:3/2", "hash:0/0", "hash:1/0"] {
            let error = text.parse::<Partition>().unwrap_err().to_string();
            assert_eq!(error, "M must be one of the numbers from 1 to N", "{text}");
        }
    }
}
