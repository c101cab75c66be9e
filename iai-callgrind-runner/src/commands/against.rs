//! `bench --base` and `bench --bisect`: the benchmarks of the branch and of another revision, with
//! one verdict.
//!
//! Both sides are measured by `bench` itself, in a process of its own, with the same words, so that
//! nothing of one reaches the other. The branch comes first: if it does not compile, nothing else
//! takes time. With `--time` the base does, whose executables are on the clock with those of the
//! branch. Whether benchmarks ask for time by themselves is known when they have run, so that
//! such a branch is measured again once its base has results.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::results::{compare_results, ComparedResults, OldSide};
use super::with_colored_report;
use crate::error::{Error, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{Args, BaseOptions, BenchArgs, JudgingOptions, Stream, WantedTime};
use iai_callgrind::protocol::options::variable;
use report::Styles;
use revision::bench_files::BenchFiles;
use revision::{
    conditions, BaseArea, BaseSelection, Bisection, Commit, MeasuredRevision, Repository,
    RevisionRun,
};
use verdict::sides::ComparisonOutcome;

pub(super) fn run(bench: &BenchArgs, args: &Args, environment: &RunnerEnvironment) -> Exit {
    with_colored_report(args.output.color, environment, |reports, styles| {
        refuse_conflicts(args, &bench.base, environment)?;
        let here = std::env::current_dir().map_err(Error::Report)?;
        let repository = Repository::of(&here)?;
        let area = BaseArea::open(&repository, environment, || {
            let text = "another run measures a base of this project; waiting for its end";
            let _ = reports.event(Event::Step(text));
        })?;
        if bench.base.prune {
            area.remove()?;
            return Ok(Exit::Ok);
        }
        let cargo = bench.cargo.iter().cloned().chain(bench.base.cargo_word());
        let options = &bench.base;
        let sides = SideMeasurer {
            mine: match options.lays_mine() {
                true => Some(BenchFiles::read(&repository, environment)?),
                false => None,
            },
            runner: std::env::current_exe().map_err(Error::Report)?,
            cargo: cargo.collect(),
            repository,
            area,
            words: &bench.arguments,
            options,
            judging: JudgingOptions::of_base(
                options,
                args.output.color,
                args.metrics.strict == Some(true),
            ),
            environment,
            reports,
            styles,
            time: args.time.time,
        };
        match options.bisect.as_slice() {
            [] => sides.compare(),
            [good, bad @ ..] => sides.bisect(good, bad.first().map_or("HEAD", String::as_str)),
        }
    })
}

/// Options that would lead one of both sides elsewhere.
fn refuse_conflicts(
    args: &Args,
    options: &BaseOptions,
    environment: &RunnerEnvironment,
) -> Result<()> {
    let baselines = &args.baselines;
    // A home of the environment is that of all other runs, and nobody asked for it here.
    let of_environment = environment.get(variable("--home")).map(Path::new);
    let home = args.files.home.as_deref();
    let is_home_typed = home.is_some() && home != of_environment;
    let refused = [
        ("--home", is_home_typed),
        ("--save-baseline", baselines.save_baseline.is_some()),
        ("--baseline", baselines.baseline.is_some()),
        ("--baseline-lenient", baselines.baseline_lenient.is_some()),
        ("--load-baseline", baselines.load_baseline.is_some()),
        ("--list", args.selection.list == Some(true)),
        ("--verify", args.running.verify.is_some()),
        ("--time-base", args.time.time_base.is_some()),
    ];
    let wrong = |option: &str, reason: &str| {
        Err(Error::Setting {
            place: option.to_owned(),
            reason: reason.to_owned(),
        })
    };
    if let Some((option, _)) = refused.into_iter().find(|(_, is_given)| *is_given) {
        return wrong(
            option,
            "has no meaning with `--base` and `--bisect`, whose results have places of their own",
        );
    }
    // Commits would be timed alone, and nothing would be compared.
    let is_timed = !matches!(args.time.time, None | Some(WantedTime::No));
    match is_timed && !options.bisect.is_empty() {
        true => wrong(
            "--time",
            "`--bisect` compares counts\n  hint: `--base=GOOD` measures the time of two commits",
        ),
        false => Ok(()),
    }
}

/// Measures the sides of a comparison.
struct SideMeasurer<'a> {
    repository: Repository,
    area: BaseArea,
    /// The bench files of the branch, if the base is measured with them.
    mine: Option<BenchFiles>,
    runner: PathBuf,
    /// Words for cargo.
    cargo: Vec<OsString>,
    /// Words for the benchmarks.
    words: &'a [OsString],
    options: &'a BaseOptions,
    judging: JudgingOptions,
    environment: &'a RunnerEnvironment,
    reports: &'a Reports,
    styles: Styles,
    /// The wall time that the command line asks for; without it each benchmark decides.
    time: Option<WantedTime>,
}

/// The checkout of a base.
struct BaseCheckout {
    directory: PathBuf,
    /// The directory of its results, if there are any yet.
    results: PathBuf,
    /// The part of the selection that the checkout lacks, in words.
    lacks: Option<String>,
}

/// The results of a revision.
struct MeasuredBase {
    /// The directory, or the reason why there are none.
    home: std::result::Result<PathBuf, String>,
    notes: Vec<String>,
}

impl SideMeasurer<'_> {
    fn compare(&self) -> Result<Exit> {
        let base = self.repository.base(self.options.revision())?;
        let (measured, branch) = self.both(&base)?;
        let mut compared = self.compared(measured.home.as_deref().ok(), &branch)?;
        let report = &mut compared.report;
        report.notes.extend(measured.notes);
        report.notes.extend(self.repository.notes()?);
        let described = base.described();
        match measured.home {
            Ok(_) => report
                .headlines
                .insert(0, format!("the base is {described}")),
            Err(reason) => {
                report.lacks_base(format!("the base {described} has no results: {reason}"))
            }
        }
        self.write(compared, [&base.name, "the branch"])
    }

    /// The results of a base and of the branch. A branch is timed in pairs with the executables of
    /// its base, so these come first then.
    fn both(&self, base: &Commit) -> Result<(MeasuredBase, PathBuf)> {
        let is_given = self.options.branch.is_some();
        let comes_first = match self.time {
            // Mistakes in given results are told before the base takes time.
            _ if is_given => false,
            Some(WantedTime::No) => false,
            Some(_) => true,
            None => self.has_times(base)?,
        };
        if comes_first {
            let measured = self.base(base)?;
            let branch = self.branch(measured.home.as_deref().ok())?;
            return Ok((measured, branch));
        }
        let branch = self.branch(None)?;
        let measured = self.base(base)?;
        let branch = match &measured.home {
            Ok(home) if self.time.is_none() && !is_given && self.are_timed(&branch)? => {
                self.branch(Some(home))?
            }
            _ => branch,
        };
        Ok((measured, branch))
    }

    fn bisect(&self, good: &str, bad: &str) -> Result<Exit> {
        let good = self.repository.commit(good)?;
        let bad = self.repository.commit(bad)?;
        let mut search = Bisection::between(&self.repository, &good, &bad)?;
        let lacks = |which, commit: &Commit, reason| {
            Error::Results(format!(
                "the {which} commit {} has no results: {reason}\n  \
                 hint: name a commit whose benchmarks run: `--bisect GOOD BAD`",
                commit.described()
            ))
        };
        let start = self.base(&good)?.home;
        let start = start.map_err(|reason| lacks("good", &good, reason))?;
        // What failed or was compared with nothing may be either.
        let is_good = |home: &Path| {
            let report = self.compared(Some(&start), home)?.report;
            if report.limits.is_empty() {
                return Err(no_limits());
            }
            let is_whole = report.outcome == ComparisonOutcome::Ok && report.counts.compared > 0;
            Ok(match report.counts.regressed {
                0 => is_whole.then_some(true),
                _ => Some(false),
            })
        };
        let last = self.base(&bad)?.home;
        let last = last.map_err(|reason| lacks("bad", &bad, reason))?;
        // Before the search, which would end at a commit that is not to blame.
        if is_good(&last)? != Some(false) {
            return Err(Error::Results(format!(
                "the bad commit {} exceeds no limit against {}\n  \
                 hint: lower the limit, or name another bad commit",
                bad.described(),
                good.described(),
            )));
        }
        while let Some(next) = search.next().cloned() {
            let home = self.base(&next)?.home;
            let (word, verdict) = match &home {
                Ok(home) => match is_good(home)? {
                    Some(true) => ("good", Some(true)),
                    Some(false) => ("bad", Some(false)),
                    None => ("skipped: not all of it was compared", None),
                },
                Err(_) => ("skipped: it has no results", None),
            };
            search.tell(&next, verdict);
            self.step(&format!(
                "{} is {word}; {} more at most",
                next.described(),
                search.left()
            ))?;
        }
        let before = search.good().unwrap_or(&good);
        let first = search.bad();
        let [old, new] = [before, first].map(|commit| self.base(commit));
        let no_results =
            |reason| Error::Results(format!("the results were removed meanwhile: {reason}"));
        let (old, new) = (
            old?.home.map_err(no_results)?,
            new?.home.map_err(no_results)?,
        );
        let mut compared = self.compared(Some(&old), &new)?;
        let report = &mut compared.report;
        let unknown: Vec<String> = search
            .unknown()
            .into_iter()
            .map(Commit::described)
            .collect();
        if !unknown.is_empty() {
            report.notes.push(format!(
                "these were skipped, and may be the first bad one as well: {}",
                unknown.join(", ")
            ));
        }
        report
            .headlines
            .insert(0, format!("the first bad commit is {}", first.described()));
        self.write(compared, [&before.name, &first.name])
    }

    /// Writes the comparison of two sides with these names. Out: the verdict.
    fn write(&self, mut compared: ComparedResults, [old, new]: [&str; 2]) -> Result<Exit> {
        let report = &mut compared.report;
        if let Some(side) = &mut report.old {
            side.name = Some(old.to_owned());
        }
        report.new.name = Some(new.to_owned());
        compared.write(&self.judging, self.environment, self.reports, self.styles)
    }

    fn compared(&self, old: Option<&Path>, new: &Path) -> Result<ComparedResults> {
        let old = old.map_or(OldSide::None, |old| OldSide::Argument(old.into()));
        compare_results(&old, &[new.into()], &self.judging, self.environment)
    }

    /// The given results of what is checked out, or new ones, timed with the executables of a home.
    fn branch(&self, time_base: Option<&Path>) -> Result<PathBuf> {
        if let Some(given) = &self.options.branch {
            // Mistakes are told before the base takes time.
            self.compared(None, given)?;
            return Ok(given.clone());
        }
        self.step("measuring the branch")?;
        let home = self.area.of_branch()?;
        let time_base = time_base.map(|base| {
            let mut word = OsString::from("--time-base=");
            word.push(base);
            word
        });
        let words: Vec<_> = self.words.iter().cloned().chain(time_base).collect();
        let side = MeasuredRevision {
            words: &words,
            ..self.side(Path::new("."), &home, &self.runner, &self.cargo)
        };
        let run = self.run(&side)?;
        match run.has_results {
            true => Ok(home),
            false => Err(Error::Results(format!(
                "the benchmarks of the branch have no results: {}",
                run.reason()
            ))),
        }
    }

    /// The kept results of a commit, or new ones.
    fn base(&self, commit: &Commit) -> Result<MeasuredBase> {
        match self.checked_out(commit)? {
            Ok(checkout) if self.is_kept(&checkout) => Ok(MeasuredBase {
                home: Ok(checkout.results),
                notes: checkout.lacks.into_iter().collect(),
            }),
            Ok(checkout) => self.measured(commit, checkout),
            Err(reason) => Ok(MeasuredBase {
                home: Err(reason),
                notes: Vec::new(),
            }),
        }
    }

    /// Are there kept results of a commit, with wall times?
    fn has_times(&self, commit: &Commit) -> Result<bool> {
        match self.checked_out(commit)? {
            Ok(checkout) if self.is_kept(&checkout) => self.are_timed(&checkout.results),
            _ => Ok(false),
        }
    }

    /// Has a benchmark of these results a wall time?
    fn are_timed(&self, home: &Path) -> Result<bool> {
        let compared = self.compared(None, home)?;
        let mut benchmarks = compared.new_side().benchmarks.iter();
        Ok(benchmarks.any(|benchmark| benchmark.time.is_some()))
    }

    fn is_kept(&self, checkout: &BaseCheckout) -> bool {
        !self.options.remeasure && self.area.has(&checkout.results)
    }

    /// The checkout of a commit, or why it cannot be measured.
    fn checked_out(&self, commit: &Commit) -> Result<std::result::Result<BaseCheckout, String>> {
        let directory = self.area.check_out(&self.repository, commit)?;
        if !directory.is_dir() {
            let prefix = self.repository.prefix.display();
            return Ok(Err(format!("it has no directory `{prefix}`")));
        }
        if let Some(mine) = &self.mine {
            mine.lay(&self.area.worktree())?;
        }
        // Told of kept results as well.
        let selection = self.selection(&directory);
        let lacks = selection.lacks.filter(|_| selection.is_any);
        let command = self.options.with.as_slice();
        let words = [self.cargo.as_slice(), self.words, command];
        let mut all = conditions(&directory, self.environment, &words);
        all.extend(self.mine.as_ref().map(BenchFiles::contents));
        // Results without times are not those of a comparison that has them.
        all.extend(self.is_bisection().then(|| b"without time".to_vec()));
        Ok(Ok(BaseCheckout {
            results: self.area.results(commit, &all),
            lacks: lacks.map(|lacks| format!("the base has {lacks}; the benchmarks there are new")),
            directory,
        }))
    }

    /// New results of a commit.
    fn measured(&self, commit: &Commit, checkout: BaseCheckout) -> Result<MeasuredBase> {
        let BaseCheckout {
            directory,
            results,
            lacks,
        } = checkout;
        let runner = self
            .area
            .runner(&directory, &self.runner, self.environment)?;
        self.step(&format!("measuring {}", commit.described()))?;
        let mut notes = Vec::new();
        let mut last = None;
        let home = self.area.make(&results, |home| -> Result<bool> {
            let run = self.with_mine(commit, &directory, home, &runner, &mut notes)?;
            // Notes are not kept with results.
            let is_kept = run.is_whole && notes.is_empty();
            last = Some(run);
            Ok(is_kept)
        })?;
        Ok(MeasuredBase {
            home: match last {
                Some(run) if !run.has_results => Err(run.reason().to_owned()),
                _ => Ok(home),
            },
            notes: lacks.into_iter().chain(notes).collect(),
        })
    }

    fn is_bisection(&self) -> bool {
        !self.options.bisect.is_empty()
    }

    /// The words for cargo in the checkout of a base.
    fn selection(&self, checkout: &Path) -> BaseSelection {
        let worktree = self.area.worktree();
        let words = BaseSelection::moved(&self.cargo, &self.repository.root, &worktree);
        BaseSelection::of(&words, checkout, self.environment)
    }

    /// Measures a checkout, with the bench files of the branch as far as these compile there.
    fn with_mine(
        &self,
        commit: &Commit,
        checkout: &Path,
        home: &Path,
        runner: &Path,
        notes: &mut Vec<String>,
    ) -> Result<RevisionRun> {
        let builds = self.area.builds();
        let mut mine = self.mine.clone();
        loop {
            if let Some(mine) = &mine {
                mine.lay(&self.area.worktree())?;
            }
            let selection = self.selection(checkout);
            if !selection.is_any {
                let lacks = selection.lacks.unwrap_or_default();
                return Ok(RevisionRun::none(format!("it has {lacks}")));
            }
            let run = self.run(&MeasuredRevision {
                builds: Some(&builds),
                ..self.side(checkout, home, runner, &selection.words)
            })?;
            let fewer = mine
                .as_ref()
                .and_then(|mine| mine.without(&run.not_compiled));
            let Some(fewer) = fewer else {
                return Ok(run);
            };
            notes.push(format!(
                "the bench files of the branch do not compile with the base, so its own were measured: `{}`",
                run.not_compiled.join("`, `")
            ));
            mine = Some(fewer);
            // Puts the bench files of the base back in the place of those of the branch.
            self.area.check_out(&self.repository, commit)?;
        }
    }

    /// One side, measured by the user's builds with the words of the command line.
    fn side<'a>(
        &'a self,
        directory: &'a Path,
        home: &'a Path,
        runner: &'a Path,
        cargo: &'a [OsString],
    ) -> MeasuredRevision<'a> {
        MeasuredRevision {
            runner,
            directory,
            home,
            builds: None,
            command: self.options.with.as_deref(),
            cargo,
            words: self.words,
            // A bisection compares counts.
            is_untimed: self.is_bisection(),
            is_colored: self.styles.is_colored_terminal(),
        }
    }

    fn run(&self, side: &MeasuredRevision<'_>) -> Result<RevisionRun> {
        Ok(side.run(|bytes| {
            let stream = Stream::Stderr;
            // A closed stream is no reason to stop; the next report notices it.
            let _ = self.reports.event(Event::Printed { stream, bytes });
        })?)
    }

    fn step(&self, text: &str) -> Result<()> {
        Ok(self.reports.event(Event::Step(text))?)
    }
}

fn no_limits() -> Error {
    Error::Results(
        "no limit says what is bad\n  hint: `-- --callgrind-limits=ir=5%`, or limits in the configuration".to_owned(),
    )
}
