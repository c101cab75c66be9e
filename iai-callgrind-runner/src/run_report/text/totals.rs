//! Regressions and the final line.

use std::sync::Arc;
use std::time::Duration;

use crate::bench_targets::{EndedRun, EndedRuns};
use crate::plan::PlannedBenchmark;
use crate::run_report::run_numbers::RunNumbers;
use crate::run_report::OutcomeCounts;
use base::benchmark_path::BenchmarkPath;
use base::counted::counted as counted_as;
use base::exit::Exit;
use base::tool;
use metrics::decimals;
use records::summary::{Counts, Profile, RecordedTime, Regression, Run, Summary};
use report::numbers::{number, percent};
use report::text::exceeded::{regression_summary, OF_OWN_CODE};
use report::text::paint::Ink;
use report::text::scaling::FormulaLetters;
use report::text::{expectations, header, wall_time, Style};
use verdict::ToolResult;

/// Regressions of all benchmarks so far, for the final block.
#[derive(Debug, Default)]
pub(super) struct Regressed {
    lines: String,
    /// Benchmark of the last regression.
    last: Option<Arc<BenchmarkPath>>,
}

impl Regressed {
    pub(super) fn remember(
        &mut self,
        benchmark: &PlannedBenchmark,
        result: &ToolResult,
        letters: FormulaLetters,
        style: Style,
    ) {
        if result.regressions.is_empty() && result.unmet.is_empty() {
            return;
        }
        self.begin(&benchmark.path, style);
        let title = tool::row(result.tool).title;
        for regression in &result.regressions {
            let line = regression_summary(title, regression, style);
            self.lines += &format!("    {line}");
        }
        for unmet in &result.unmet {
            let line = expectations::summary(unmet, letters, style);
            self.lines += &format!("    {title}: {line}");
        }
    }

    /// Remembers a time that exceeds its limit.
    pub(super) fn remember_time(
        &mut self,
        benchmark: &PlannedBenchmark,
        time: &RecordedTime,
        style: Style,
    ) {
        if let Some(line) = wall_time::exceeded(time, style) {
            self.begin(&benchmark.path, style);
            self.lines += &format!("    {line}\n");
        }
    }

    /// Several regressions of one benchmark stand below one headline.
    fn begin(&mut self, benchmark_path: &Arc<BenchmarkPath>, style: Style) {
        if self.last.as_ref() != Some(benchmark_path) {
            self.lines += &format!("  {}:\n", header::name(benchmark_path, style));
            self.last = Some(Arc::clone(benchmark_path));
        }
    }

    /// The block of all regressions, or nothing.
    pub(super) fn block(&self) -> String {
        match self.lines.is_empty() {
            true => String::new(),
            false => format!("Regressions:\n\n{}\n", self.lines),
        }
    }
}

/// `Iai-Callgrind result: Ok. 9 without regressions; 0 regressed; 9 compared; 9 benchmarks finished
/// in 2.96472s`
///
/// All other numbers are mentioned if they are not 0.
pub(super) fn result_line(numbers: &RunNumbers, elapsed: Duration, style: Style) -> String {
    let result = verdict(outcome(numbers), numbers, style);
    let counted = counted(numbers, elapsed);
    format!("Iai-Callgrind result: {result}. {counted}")
}

/// `Iai-Callgrind result of 3 bench targets: Ok. 9 without regressions; …` and, above it, the
/// targets that ended otherwise.
pub(super) fn of_targets(ended: &EndedRuns, elapsed: Duration, style: Style) -> String {
    let endings = other_endings(ended, style);
    let numbers = RunNumbers::of_runs(&ended.runs);
    let result = verdict(ended.exit(), &numbers, style);
    let targets = counted_as((ended.runs.len() + ended.lost) as u64, "bench target");
    let counted = counted(&numbers, elapsed);
    format!("\n{endings}Iai-Callgrind result of {targets}: {result}. {counted}")
}

/// The outcome of a run with these numbers.
pub(super) fn outcome(numbers: &RunNumbers) -> Exit {
    let OutcomeCounts {
        failed, regressed, ..
    } = numbers.counts;
    match (failed, regressed, numbers.gone) {
        (0, 0, 0) => Exit::Ok,
        (0, 0, _) => Exit::NotComparable,
        (0, _, _) => Exit::Regression,
        _ => Exit::Error,
    }
}

/// The word that sums up a run.
fn verdict(exit: Exit, numbers: &RunNumbers, style: Style) -> String {
    let (word, ink) = match exit {
        Exit::Ok if numbers.changes.compared() > 0 => (numbers.faultless_word(), Ink::Fine),
        Exit::Ok => (numbers.faultless_word(), Ink::Strong),
        Exit::NotComparable => (INCOMPLETE, Ink::Strong),
        Exit::Regression => ("Regressed", Ink::Worse),
        Exit::Error | Exit::Usage => ("Failed", Ink::Worse),
    };
    style.paint(ink, word)
}

/// The word for a run whose suite lacks benchmarks of the old result.
pub(super) const INCOMPLETE: &str = "Incomplete";

/// Regressions of a bench target that the summary of several names.
const MOST_REGRESSIONS: usize = 20;

/// The targets that ended otherwise than they should, a line for each, and what regressed.
pub(super) fn other_endings(ended: &EndedRuns, style: Style) -> String {
    let mut text = String::new();
    for EndedRun { run, regressed } in &ended.runs {
        let Some(what) = other_ending(run) else {
            continue;
        };
        let name = [run.package.as_deref(), run.file.as_deref()];
        let name: Vec<&str> = name.into_iter().flatten().collect();
        let name = style.paint(Ink::Strong, &name.join(" "));
        text += &format!("  {name}: {}\n", style.paint(Ink::Worse, &what));
        text += &regressed_lines(regressed);
    }
    if ended.lost > 0 {
        let targets = counted_as(ended.lost as u64, "bench target");
        let what = format!("{targets} ended without a result");
        text += &format!("  {}; see above\n", style.paint(Ink::Worse, &what));
    }
    text
}

/// A line for each metric that regressed: `    parse::g::f::n_10  Instructions 6009 -> 7809
/// (+30.0%)`
fn regressed_lines(regressed: &[Summary]) -> String {
    let mut lines = Vec::new();
    for summary in regressed {
        for profile in &summary.profiles {
            let words = profile.regressions.iter();
            let words = words.map(|regression| regression_words(profile, regression));
            lines.extend(words.map(|words| format!("    {}  {words}\n", summary.benchmark.path)));
        }
    }
    let more = lines.len().saturating_sub(MOST_REGRESSIONS);
    lines.truncate(MOST_REGRESSIONS);
    if more > 0 {
        lines.push(format!("    and {more} more\n"));
    }
    lines.concat()
}

fn regression_words(profile: &Profile, regression: &Regression) -> String {
    let label = |kind: &str| {
        let mut metrics = profile.metrics.iter();
        let metric = metrics.find(|metric| metric.kind == kind);
        metric.map_or_else(
            || kind.to_owned(),
            |metric| metric.label.clone().into_owned(),
        )
    };
    match regression {
        Regression::Soft {
            kind,
            new,
            old,
            diff_pct,
            own,
            ..
        } => {
            let of = if *own { OF_OWN_CODE } else { "" };
            let percent = percent(diff_pct.unwrap_or(f64::INFINITY));
            let [old, new] = [*old, *new].map(number);
            format!("{}{of} {old} -> {new} ({percent})", label(kind))
        }
        Regression::Hard {
            kind, new, limit, ..
        } => {
            let [new, limit] = [*new, *limit].map(number);
            format!("{} {new}, limit {limit}", label(kind))
        }
        Regression::Unequal {
            kind, new, other, ..
        } => {
            let [new, other] = [*new, *other].map(number);
            format!("{} {new}, not {other} as in its first case", label(kind))
        }
        Regression::Ratio {
            kind, ratio, of, ..
        } => {
            format!("{} more than {ratio} * {of}", label(kind))
        }
        Regression::Growth { kind, stated, .. } => {
            format!("{} grows faster than {stated}", label(kind))
        }
    }
}

/// The outcome of a run that is not as it should be.
fn other_ending(run: &Run) -> Option<String> {
    let Counts {
        regressed, failed, ..
    } = run.counts;
    let counts = [(failed, "failed"), (regressed, "regressed")].into_iter();
    let counts: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match (run.exit_code, counts.as_slice()) {
        (Some(0), _) => None,
        (_, []) => Some(first_line(run).unwrap_or("ended with an error").to_owned()),
        (_, counts) => Some(counts.join(", ")),
    }
}

fn first_line(run: &Run) -> Option<&str> {
    let said = run.message.as_ref().or(run.errors.first());
    said.and_then(|said| said.lines().next())
}

/// `9 without regressions; 0 regressed; 7 compared; 2 new; 9 benchmarks finished in 2.96472s`
fn counted(numbers: &RunNumbers, elapsed: Duration) -> String {
    let OutcomeCounts { ok, regressed, .. } = numbers.counts;
    let exceptions = numbers.exceptions();
    let exceptions: String = exceptions
        .map(|(count, what)| format!(" {count} {what};"))
        .collect();
    let compared = numbers.changes.compared();
    let finished = ok + regressed;
    let seconds = elapsed.as_secs_f64();
    format!(
        "{ok} without regressions; {regressed} regressed; {compared} compared;{exceptions} {finished} benchmarks \
         finished in {seconds:.*}s\n",
        decimals(seconds)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::summary::Changes;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };

    #[track_caller]
    fn check_result(numbers: RunNumbers, seconds: f64, expected: &str) {
        let elapsed = Duration::from_secs_f64(seconds);
        let line = result_line(&numbers, elapsed, PLAIN);
        assert_eq!(line, format!("Iai-Callgrind result: {expected}\n"));
    }

    /// The numbers of a run that had so many benchmarks within limits, and above them.
    fn numbers(ok: usize, regressed: usize, changes: Changes) -> RunNumbers {
        RunNumbers {
            counts: OutcomeCounts {
                ok,
                regressed,
                ..OutcomeCounts::default()
            },
            changes,
            ..RunNumbers::default()
        }
    }

    #[test]
    fn the_final_line_always_says_how_many_were_compared_and_else_what_is_not_0() {
        let same = |same| Changes {
            same,
            ..Changes::default()
        };
        check_result(
            numbers(9, 0, same(9)),
            2.96472,
            "Ok. 9 without regressions; 0 regressed; 9 compared; 9 benchmarks finished in 2.96472s",
        );
        check_result(
            numbers(4, 5, Changes { worse: 5, ..same(4) }),
            12.24183,
            "Regressed. 4 without regressions; 5 regressed; 9 compared; 9 benchmarks finished in 12.2418s",
        );
        let mut all = numbers(
            4,
            2,
            Changes {
                new: 1,
                not_compared: 2,
                not_judged: 1,
                ..same(3)
            },
        );
        all.counts.failed = 1;
        all.counts.filtered = 3;
        all.not_run = 5;
        all.gone = 6;
        check_result(
            all,
            0.0,
            "Failed. 4 without regressions; 2 regressed; 3 compared; 1 new; 2 not compared; 1 not judged; 1 failed; \
             5 not run; 6 gone; 3 filtered; 6 benchmarks finished in 0.00000s",
        );
    }

    #[test]
    fn ok_is_said_of_what_was_compared() {
        let word = |changes: Changes, gone| {
            let numbers = RunNumbers {
                gone,
                ..numbers(2, 0, changes)
            };
            let line = result_line(&numbers, Duration::ZERO, PLAIN);
            let word = line.trim_start_matches("Iai-Callgrind result: ");
            word.split('.').next().unwrap().to_owned()
        };
        let of = |same, new, not_compared| Changes {
            same,
            new,
            not_compared,
            ..Changes::default()
        };
        assert_eq!(word(of(2, 0, 0), 0), "Ok");
        assert_eq!(word(of(1, 1, 0), 0), "Ok");
        assert_eq!(word(of(1, 0, 1), 0), "Ok");
        assert_eq!(word(of(0, 2, 0), 0), "First results");
        assert_eq!(word(of(0, 0, 2), 0), "Not compared");
        assert_eq!(word(of(0, 1, 1), 0), "Not compared");
        assert_eq!(word(of(2, 0, 0), 1), "Incomplete");
        let nothing = result_line(&RunNumbers::default(), Duration::ZERO, PLAIN);
        assert!(
            nothing.starts_with("Iai-Callgrind result: Nothing ran. "),
            "{nothing}"
        );
    }
}
