//! The last lines of a run: outcomes of the benchmarks, and their limits.
//!
//! ```text
//! Regressions:
//!   parse::rows::parse_rows rows_100
//!     Instructions 2,163,197 -> 2,343,018: +8.31%, limit +5%
//!
//! Iai-Callgrind result: Regressed. 40 compared (3 more, 1 less, 36 unchanged); 40 benchmarks in 0.52 s
//!   Largest: parse::rows::parse_rows::rows_100 Instructions +8.31% (2,163,197 -> 2,343,018)
//! ```

use std::time::Duration;

use super::totals;
use crate::bench_targets::EndedRuns;
use crate::plan::Job;
use crate::run_report::event::{Event, UnderTool};
use crate::run_report::run_numbers::RunNumbers;
use base::counted::{counted, grouped};
use base::exit::Exit;
use base::tool;
use records::layout::Slot;
use records::summary::{Changes, LargestChange, Status};
use report::numbers::{number, percent, seconds};
use report::room::NO_BREAK;
use report::text::paint::Ink;
use report::text::scaling::FormulaLetters;
use report::text::screen::{exceeded_limit, Screen};
use report::text::{expectations, header, wall_time, Style};
use report::verdict_word::{CHANGED, FIRST_RESULTS, NO_LIMITS, OLD_NEXT, WHAT_NEXT};
use store::{Hint, Hints};
use verdict::{ExceededLimit, UnmetExpectation};

/// The most benchmarks that failed and are named.
const MOST_FAILED: usize = 10;

/// Indent of a line that continues another one.
const INDENT: &str = "      ";

/// Collects the last lines of a run.
#[derive(Debug, Default)]
pub(super) struct RunTotals {
    regressions: Vec<ListedRegression>,
    /// Names of the benchmarks that failed.
    failed: Vec<String>,
    has_limits: bool,
    /// Was a limit on a change exceeded?
    has_grown: bool,
    /// Are these results the old ones of the next run?
    is_old_next: bool,
    /// The baseline that results are saved as.
    saved: Option<String>,
}

/// A regression of a benchmark.
#[derive(Debug)]
struct ListedRegression {
    benchmark: String,
    /// The tool, if the benchmark has several.
    tool: Option<&'static str>,
    /// Lines about exceeded limits and expectations that are not met.
    text: String,
    /// Excess in percent.
    size: f64,
}

impl RunTotals {
    /// Collects the facts of an event for the last lines.
    pub(super) fn event(&mut self, event: Event<'_>, style: Style) {
        match event {
            Event::BenchmarkBegins(benchmark) => {
                let time = benchmark.time.as_ref();
                self.has_limits |= benchmark.jobs.iter().any(Job::has_limits)
                    || time.is_some_and(|time| time.limit.is_some());
            }
            Event::Measured(UnderTool {
                benchmark, result, ..
            }) => {
                let listed = |text: String, size: f64| ListedRegression {
                    benchmark: header::name_on_terminal(&benchmark.path, style),
                    tool: benchmark
                        .names_tools()
                        .then(|| tool::row(result.tool).title),
                    text,
                    size,
                };
                let is_change = |limit: &ExceededLimit| matches!(limit, ExceededLimit::Soft { .. });
                self.has_grown |= result.regressions.iter().any(is_change);
                let exceeded = result.regressions.iter();
                let exceeded =
                    exceeded.map(|limit| listed(exceeded_limit(limit, style), limit.size()));
                self.regressions.extend(exceeded);
                let unmet = result.unmet.iter();
                let unmet = unmet.map(|unmet| {
                    let text = expectations::summary(unmet, FormulaLetters::Unicode, style);
                    listed(text.trim_end().to_owned(), size_of_unmet(unmet))
                });
                self.regressions.extend(unmet);
            }
            Event::RunBegins { plan, settings, .. } => {
                // A loaded result is there already, and `--verify` keeps none.
                let is_saved = plan.baseline.run && settings.verify.is_none();
                let name = plan.baseline.write.name().filter(|_| is_saved);
                self.saved = name.map(str::to_owned);
                self.is_old_next = is_saved
                    && plan.baseline.write == Slot::Last
                    && plan.baseline.compare == Slot::Last;
            }
            Event::Timed { benchmark, time } => {
                let listed = wall_time::exceeded(time, style).map(|text| ListedRegression {
                    benchmark: header::name_on_terminal(&benchmark.path, style),
                    tool: None,
                    text,
                    size: time.ratio.map_or(0.0, |ratio| (ratio - 1.0) * 100.0),
                });
                self.regressions.extend(listed);
            }
            Event::BenchmarkEnds(summary) if summary.status == Status::Failed => {
                self.failed.push(summary.benchmark.path.clone());
            }
            _ => {}
        }
    }

    /// The last lines. `told` remembers hints that are given only once.
    pub(super) fn text(
        &self,
        screen: Screen,
        numbers: &RunNumbers,
        elapsed: Duration,
        told: Option<&Hints>,
    ) -> String {
        let Screen { style, .. } = screen;
        let verdict = verdict(totals::outcome(numbers), numbers, style);
        let line = line(numbers, elapsed, style);
        let mut text = format!("\n{}", self.regressions());
        text += &format!("Iai-Callgrind result: {verdict}. {line}\n");
        text += &self.below_result(numbers, style, told);
        screen.wrapped(&text, INDENT)
    }

    /// The lines below the result of a run whose last line has another form.
    pub(super) fn below_other_result(
        &self,
        screen: Screen,
        numbers: &RunNumbers,
        told: Option<&Hints>,
    ) -> String {
        let text = changed(&numbers.changes, screen.style);
        screen.wrapped(
            &(text + &self.below_result(numbers, screen.style, told)),
            INDENT,
        )
    }

    /// The largest change, what failed, and a hint.
    fn below_result(&self, numbers: &RunNumbers, style: Style, told: Option<&Hints>) -> String {
        let changes = &numbers.changes;
        let mut text = String::new();
        if numbers.done() > 1 {
            text += &largest(changes, style);
        }
        text += &self.failed();
        let has_results = numbers.counts.ok + numbers.counts.regressed > 0;
        if let Some(name) = self.saved.as_ref().filter(|_| has_results) {
            text += &format!(
                "  Saved as a baseline: `cargo bench -- --baseline={name}` compares with it\n"
            );
        }
        let is_first = || told.is_some_and(|told| told.is_first_time(Hint::NoLimits));
        if changes.worse > 0 && !self.has_limits && is_first() {
            text += NO_LIMITS;
        }
        let is_first = || told.is_some_and(|told| told.is_first_time(Hint::OldNext));
        if self.has_grown && self.is_old_next && is_first() {
            text += OLD_NEXT;
        }
        text
    }

    /// The exceeded limits, the largest first.
    fn regressions(&self) -> String {
        if self.regressions.is_empty() {
            return String::new();
        }
        // Regressions of one benchmark are adjacent.
        let of_one =
            |one: &ListedRegression, other: &ListedRegression| one.benchmark == other.benchmark;
        let mut benchmarks: Vec<Vec<&ListedRegression>> = Vec::new();
        for regressions in self.regressions.chunk_by(of_one) {
            let mut sorted: Vec<&ListedRegression> = regressions.iter().collect();
            sorted.sort_by(|one, other| other.size.total_cmp(&one.size));
            benchmarks.push(sorted);
        }
        benchmarks.sort_by(|one, other| other[0].size.total_cmp(&one[0].size));
        let mut text = "Regressions:\n".to_owned();
        for regressions in benchmarks {
            text += &format!("  {}\n", regressions[0].benchmark);
            for regression in regressions {
                let tool = regression.tool.map(|tool| format!("{tool}: "));
                let tool = tool.unwrap_or_default();
                text += &format!("    {tool}{}\n", regression.text);
            }
        }
        text + "\n"
    }

    fn failed(&self) -> String {
        let mut text = String::new();
        for name in self.failed.iter().take(MOST_FAILED) {
            text += &format!("  Failed: {name}\n");
        }
        match self.failed.len().saturating_sub(MOST_FAILED) {
            0 => text,
            more => text + &format!("  and {more} more failed; see above\n"),
        }
    }
}

/// The hint what to do next, if these are the first results of a suite.
pub(super) fn what_next(numbers: &RunNumbers, told: &Hints) -> &'static str {
    let word = numbers.faultless_word();
    let is_first = totals::outcome(numbers) == Exit::Ok && word == FIRST_RESULTS;
    match is_first && told.is_first_time(Hint::WhatNext) {
        true => WHAT_NEXT,
        false => "",
    }
}

/// The lines on all bench targets of a workspace.
pub(super) fn of_targets(screen: Screen, ended: &EndedRuns, elapsed: Duration) -> String {
    let style = screen.style;
    let numbers = RunNumbers::of_runs(&ended.runs);
    let targets = counted((ended.runs.len() + ended.lost) as u64, "bench target");
    let verdict = verdict(ended.exit(), &numbers, style);
    let text = format!(
        "\n{}Iai-Callgrind result of {targets}: {verdict}. {}\n{}",
        totals::other_endings(ended, style),
        line(&numbers, elapsed, style),
        largest(&numbers.changes, style)
    );
    screen.wrapped(&text, INDENT)
}

/// The lines on all bench targets of a workspace below a result that has another form.
pub(super) fn below_targets(screen: Screen, ended: &EndedRuns) -> String {
    let changes = RunNumbers::of_runs(&ended.runs).changes;
    let text = changed(&changes, screen.style) + &largest(&changes, screen.style);
    screen.wrapped(&text, INDENT)
}

/// The word that sums up a run. It is green only where nothing is worse than before.
fn verdict(exit: Exit, numbers: &RunNumbers, style: Style) -> String {
    let changes = &numbers.changes;
    let (word, ink) = match exit {
        Exit::Ok if changes.worse > 0 => (CHANGED, Ink::Strong),
        Exit::Ok if changes.compared() > 0 => (numbers.faultless_word(), Ink::Good),
        Exit::Ok => (numbers.faultless_word(), Ink::Strong),
        Exit::NotComparable => (totals::INCOMPLETE, Ink::Strong),
        Exit::Regression => ("Regressed", Ink::Bad),
        Exit::Error | Exit::Usage => ("Failed", Ink::Bad),
    };
    style.paint(ink, word)
}

/// `40 compared (3 more, 1 less, 36 unchanged), 2 new; 42 benchmarks in 0.52 s`
fn line(numbers: &RunNumbers, elapsed: Duration, style: Style) -> String {
    let changes = &numbers.changes;
    let mut compared = format!("{} compared", grouped(changes.compared()));
    let kinds = kinds(changes, style);
    if !kinds.is_empty() {
        compared += &format!(" ({kinds})");
    }
    let exceptions = numbers.exceptions().map(|(count, what)| {
        let ink = match what {
            "failed" => Ink::Bad,
            "new" | "filtered" => Ink::Plain,
            _ => Ink::Strong,
        };
        painted(count, what, ink, style)
    });
    let parts: Vec<String> = [compared].into_iter().chain(exceptions).collect();
    let elapsed = seconds(elapsed).replace(' ', &NO_BREAK.to_string());
    let done = counted(numbers.done() as u64, "benchmark");
    format!("{}; {done} in {elapsed}", parts.join(", "))
}

/// `  Changed: 3 more, 1 less, 36 unchanged`, or nothing where nothing did.
fn changed(changes: &Changes, style: Style) -> String {
    match changes.worse + changes.better {
        0 => String::new(),
        _ => format!("  Changed: {}\n", kinds(changes, style)),
    }
}

/// `3 more, 1 less, 36 unchanged`
fn kinds(changes: &Changes, style: Style) -> String {
    let kinds = [
        (changes.worse, "more", Ink::Bad),
        (changes.better, "less", Ink::Good),
        (changes.same, "unchanged", Ink::Plain),
        (changes.noise, "noise", Ink::Plain),
    ];
    let kinds = kinds.into_iter().filter(|(count, ..)| *count > 0);
    let kinds: Vec<String> = kinds
        .map(|(count, what, ink)| painted(count, what, ink, style))
        .collect();
    kinds.join(", ")
}

fn painted(count: u64, what: &str, ink: Ink, style: Style) -> String {
    style.paint(ink, &format!("{} {what}", grouped(count)))
}

/// `  Largest: parse::rows::parse_rows::rows_100 Instructions +8.31% (2,163,197 -> 2,343,018)`
fn largest(changes: &Changes, style: Style) -> String {
    let Some(largest) = &changes.largest else {
        return String::new();
    };
    let LargestChange {
        benchmark,
        metric,
        new,
        old,
        diff_pct,
        worse,
    } = largest;
    let change = diff_pct.map_or("from 0".to_owned(), percent);
    let ink = if *worse { Ink::Bad } else { Ink::Good };
    let change = style.paint(ink, &change);
    let [old, new] = [*old, *new].map(number);
    format!("  Largest: {benchmark} {metric} {change} ({old} -> {new})\n")
}

/// Distance of the counts from those that the source expects, in percent.
fn size_of_unmet(unmet: &UnmetExpectation) -> f64 {
    match unmet {
        UnmetExpectation::Unequal { count, .. } => {
            let difference = count.new.abs_diff(count.other);
            difference as f64 / count.other as f64 * 100.0
        }
        UnmetExpectation::Ratio(exceeded) => {
            let most = exceeded.ratio.most(exceeded.of.count);
            let excess = exceeded.limited.count.saturating_sub(most);
            excess as f64 / most as f64 * 100.0
        }
        // It is so much more for the next size.
        UnmetExpectation::Growth { .. } => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use snapbox::{assert_data_eq, str};

    use super::*;
    use crate::bench_targets::EndedRun;
    use crate::run_report::OutcomeCounts;
    use records::summary::Number;
    use records::summary::{Ending, Record};

    fn run(file: &str, exit_code: i32, failed: u64, changes: Changes) -> EndedRun {
        let text = r#"{"type":"run","version":1,"ending":"ok","exit_code":0,"counts":{"ok":2,"regressed":0,
            "failed":0,"filtered":0,"not_run":1},"started_at":"","duration_ns":0,"baselines":{},
            "system":{"runner":"","cpu_features":[]},"warnings":[],"errors":[]}"#;
        let Some(Ok(Record::Run(mut run))) = records::summary::read(text).next() else {
            panic!("no record");
        };
        run.file = Some(file.to_owned());
        run.exit_code = Some(exit_code);
        run.ending = Ending::Failure;
        run.counts.failed = failed;
        run.changes = changes;
        EndedRun {
            run: *run,
            regressed: Vec::new(),
        }
    }

    fn changes(benchmark: &str, percent: Option<f64>) -> Changes {
        Changes {
            worse: 1,
            same: 1200,
            largest: Some(LargestChange {
                benchmark: benchmark.to_owned(),
                metric: "Instructions".to_owned(),
                new: Number::Count(2_343_018),
                old: Number::Count(2_163_197),
                diff_pct: percent,
                worse: true,
            }),
            ..Changes::default()
        }
    }

    fn shown(ended: &EndedRuns, width: usize) -> String {
        let style = Style::default();
        let text = of_targets(Screen { width, style }, ended, Duration::from_millis(1520));
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{line}");
        }
        text
    }

    /// The end is where people look: which benchmarks of which package.
    #[test]
    fn bench_targets_name_what_regressed() {
        let line = records::sample::benchmark("n_10", 7809).to_string();
        let Some(Ok(Record::Benchmark(mut summary))) = records::summary::read(&line).next() else {
            panic!("no benchmark");
        };
        let soft =
            r#"{"type":"soft","kind":"Ir","new":7809,"old":6009,"diff_pct":29.9551,"limit":5.0}"#;
        let hard = r#"{"type":"hard","kind":"Ir","new":7809,"limit":7000,"excess":809}"#;
        let regressions = [soft, hard].map(|text| serde_json::from_str(text).unwrap());
        summary.profiles[0].regressions = regressions.to_vec();
        let mut ended = run("bench", 3, 0, Changes::default());
        ended.run.package = Some("p1".to_owned());
        ended.run.counts.regressed = 1;
        ended.regressed = vec![*summary];
        let ended = EndedRuns {
            runs: vec![ended],
            lost: 0,
        };
        let text = totals::other_endings(&ended, Style::default());
        assert_data_eq!(
            text,
            str![[r#"
  p1 bench: 1 regressed
    app::g::n_10  Instructions 6,009 -> 7,809 (+30.0%)
    app::g::n_10  Instructions 7,809, limit 7,000

"#]]
        );
    }

    #[test]
    fn bench_targets_are_summed_up_once() {
        let parse = changes("parse::rows::parse_rows::rows_100", Some(8.31));
        let ended = EndedRuns {
            runs: vec![
                run("parse", 0, 0, parse),
                run("sort", 1, 3, changes("sort::g::f", Some(1.0))),
            ],
            lost: 1,
        };
        assert_data_eq!(
            shown(&ended, 100),
            str![[r#"

  sort: 3 failed
  1 bench target ended without a result; see above
Iai-Callgrind result of 3 bench targets: Failed. 2,402 compared (2 more, 2,400 unchanged), 3 failed,
      2 not run; 7 benchmarks in 1.52 s
  Largest: parse::rows::parse_rows::rows_100 Instructions +8.31% (2,163,197 -> 2,343,018)

"#]]
        );
        shown(&ended, 60);
    }

    #[test]
    fn green_is_what_is_not_worse() {
        let color = Style {
            color: true,
            grid: false,
        };
        let counts = OutcomeCounts {
            ok: 3,
            ..OutcomeCounts::default()
        };
        let check = |exit, worse, same, expected: &str| {
            let numbers = RunNumbers {
                counts,
                changes: Changes {
                    worse,
                    same,
                    new: 1,
                    ..Changes::default()
                },
                ..RunNumbers::default()
            };
            assert_eq!(verdict(exit, &numbers, color), expected);
        };
        let nothing = verdict(Exit::Ok, &RunNumbers::default(), color);
        assert_eq!(nothing, "\x1b[1mNothing ran\x1b[0m");
        check(Exit::Ok, 0, 3, "\x1b[32mOk\x1b[0m");
        check(Exit::Ok, 1, 3, "\x1b[1mChanged\x1b[0m");
        check(Exit::Ok, 0, 0, "\x1b[1mFirst results\x1b[0m");
        check(Exit::NotComparable, 0, 3, "\x1b[1mIncomplete\x1b[0m");
        check(Exit::Regression, 1, 3, "\x1b[1;31mRegressed\x1b[0m");
        check(Exit::Error, 0, 3, "\x1b[1;31mFailed\x1b[0m");
    }
}
