//! Verdicts of `--verify`: both counts of each benchmark, and the functions in which they differ.
//!
//! ```text
//! counts::exact::rounds long:12345
//!   Callgrind:       24694
//!   single steps:    24694
//!   equal
//! ```

use super::paint::Ink;
use super::{header, Style};
use base::benchmark_path::BenchmarkPath;

/// Both counts of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The benchmark.
    pub benchmark_path: BenchmarkPath,
    /// Callgrind's figure, as a run reports it.
    pub callgrind: Option<u64>,
    /// The count in single steps; `Err`: the reason why there is none.
    pub stepped: Result<SteppedCount, String>,
}

/// Count in single steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteppedCount {
    /// Instructions of the benchmark function, or of the regions in it.
    pub count: i64,
    /// Instructions of the count for the last checks of `rep` instructions, which no step shows.
    pub of_repeats: i64,
    /// Instructions of the count for client requests; negative, since each is several steps.
    pub of_requests: i64,
    /// Number of calls of signal handlers.
    pub handlers: u64,
    /// Functions whose counts differ, in the order in which they were entered.
    pub partings: Vec<Parting>,
}

impl Verification {
    /// Are both counts equal?
    #[must_use]
    pub fn is_equal(&self) -> bool {
        let stepped = self.stepped.as_ref().ok();
        // With its corrections a count may be below 0, which is equal to no result.
        let stepped = stepped.and_then(|stepped| u64::try_from(stepped.count).ok());
        stepped.is_some() && stepped == self.callgrind
    }
}

/// A function that executed more in one way of counting than in the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// Name of the function.
    pub function: String,
    /// The file name of the executable or library.
    pub object: String,
    /// The function from which this one was reached first, if it was reached without Valgrind.
    pub reached_from: Option<String>,
    /// Own cost under Callgrind.
    pub callgrind: u64,
    /// Own cost in single steps.
    pub stepped: i64,
}

/// The most functions that are named where the counts differ.
const MOST: usize = 5;

/// All verdicts, and how many benchmarks have equal counts.
pub fn text(verdicts: &[Verification], style: Style) -> String {
    let mut text: String = verdicts.iter().map(|verdict| one(verdict, style)).collect();
    let equal = verdicts.iter().filter(|verdict| verdict.is_equal()).count();
    text += &format!("\n{equal} of {} equal\n", verdicts.len());
    text
}

fn one(verdict: &Verification, style: Style) -> String {
    let mut text = header::name(&verdict.benchmark_path, style) + "\n";
    match verdict.callgrind {
        Some(count) => text += &format!("  Callgrind:    {count:>15}\n"),
        None => text += "  Callgrind:                no result\n",
    }
    let stepped = match &verdict.stepped {
        Ok(stepped) => stepped,
        Err(reason) => {
            let label = style.paint(Ink::Warning, "not verified");
            return text + &format!("  {label}: {reason}\n");
        }
    };
    text += &format!("  single steps: {:>15}{}\n", stepped.count, with(stepped));
    if stepped.handlers > 0 {
        let times = match stepped.handlers {
            1 => "once".to_owned(),
            several => format!("{several} times"),
        };
        text += &format!("  signal handlers ran {times}, which Callgrind does not count\n");
    }
    if verdict.is_equal() {
        return text + &format!("  {}\n", style.paint(Ink::Fine, "equal"));
    }
    text += &format!("  {}\n", style.paint(Ink::Error, "not equal"));
    let mut first = "the first to part";
    for parting in stepped.partings.iter().take(MOST) {
        text += &format!("  {first}: {}\n", line(parting));
        first = "then";
    }
    match stepped.partings.len().saturating_sub(MOST) {
        0 => {}
        more => text += &format!("  and {more} more\n"),
    }
    if stepped.partings.is_empty() {
        text +=
            "  every function executed as much by itself: what is counted differs, not what ran\n";
    }
    text
}

/// Corrections of the stepped count, for `rep` instructions and client requests.
fn with(stepped: &SteppedCount) -> String {
    let mut parts = Vec::new();
    if stepped.of_repeats != 0 {
        parts.push(format!("{:+} for `rep`", stepped.of_repeats));
    }
    if stepped.of_requests != 0 {
        parts.push(format!("{:+} for client requests", stepped.of_requests));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(" (with {})", parts.join(" and ")),
    }
}

fn line(parting: &Parting) -> String {
    let Parting {
        function,
        object,
        reached_from,
        callgrind,
        stepped,
    } = parting;
    let from = match reached_from {
        Some(from) => format!(", reached from `{from}`"),
        None => String::new(),
    };
    format!("`{function}` ({object}): Callgrind {callgrind}, single steps {stepped}{from}")
}

#[cfg(test)]
mod tests {
    use snapbox::{assert_data_eq, str};

    use super::*;

    #[test]
    fn equal_and_different_counts_and_none() {
        let benchmark_path = |id: &str| BenchmarkPath {
            file: "f".to_owned(),
            group: "g".to_owned(),
            function: "b".to_owned(),
            id: Some(id.to_owned()),
            args: None,
        };
        let stepped = |count, partings| SteppedCount {
            count,
            of_repeats: 2,
            of_requests: 0,
            handlers: 0,
            partings,
        };
        let parting = Parting {
            function: "memcpy".to_owned(),
            object: "libc.so.6".to_owned(),
            reached_from: Some("b".to_owned()),
            callgrind: 23,
            stepped: 12,
        };
        let verdicts = [
            Verification {
                benchmark_path: benchmark_path("equal"),
                callgrind: Some(1734),
                stepped: Ok(stepped(1734, Vec::new())),
            },
            Verification {
                benchmark_path: benchmark_path("other"),
                callgrind: Some(23),
                stepped: Ok(stepped(4_000_047, vec![parting])),
            },
            Verification {
                benchmark_path: benchmark_path("none"),
                callgrind: Some(7),
                stepped: Err("it is a program".to_owned()),
            },
        ];
        assert_data_eq!(
            text(&verdicts, Style::default()),
            str![[r#"
f::g::b equal
  Callgrind:               1734
  single steps:            1734 (with +2 for `rep`)
  equal
f::g::b other
  Callgrind:                 23
  single steps:         4000047 (with +2 for `rep`)
  not equal
  the first to part: `memcpy` (libc.so.6): Callgrind 23, single steps 12, reached from `b`
f::g::b none
  Callgrind:                  7
  not verified: it is a program

1 of 3 equal

"#]]
        );
    }
}
