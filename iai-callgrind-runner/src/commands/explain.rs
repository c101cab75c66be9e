//! `explain`: why kept results differ, without running anything.

use iai_callgrind::protocol::EventKind;

use super::home::home;
use super::with_report;
use crate::error::{Error, Result};
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{selecting, ExplainArgs};
use explain::digest::Digest;
use explain::kept_digest;
use explain::{self, CallTree, ExplainError, NoInstructions};
use report::kept_digests::{self, KeptDigest};
use report::ExplainedResult;

pub(super) fn run(options: &ExplainArgs, environment: &RunnerEnvironment) -> Exit {
    with_report(environment, |report| explain(options, environment, report))
}

fn explain(
    options: &ExplainArgs,
    environment: &RunnerEnvironment,
    report: &Reports,
) -> Result<Exit> {
    let filter = selecting(&options.filters).map_err(mistake)?;
    let home = home(options.home.as_deref(), environment)?;
    let (found, others) = kept_digests::find(&home, &filter);
    let home = home.directory;
    if let Some(note) = others.note(&home) {
        report.event(Event::Warning(&note))?;
    }
    if found.is_empty() {
        let home = home.display();
        return Err(mistake(match options.filters.as_slice() {
            [] => format!(
                "no result in `{home}` can be explained; `cargo bench` keeps what explains a result of Callgrind"
            ),
            filters => format!(
                "no benchmark in `{home}` whose result can be explained matches `{}`",
                filters.join("` or `")
            ),
        }));
    }
    let mut exit = Exit::Ok;
    let mut explained = Vec::new();
    let mut without_code = Vec::new();
    let (mut missing, mut alone) = (Vec::new(), Vec::new());
    for kept in found {
        match explained_result(&kept, options) {
            Ok((result, reason)) => {
                without_code.extend(reason.map(|reason| (kept.benchmark, reason)));
                explained.push(result);
            }
            Err(NotExplained { reason, is_alone }) => {
                let warning = format!("`{}`: {reason}", kept.benchmark);
                match is_alone && options.filters.is_empty() {
                    true => alone.push(warning),
                    false => missing.push(warning),
                }
            }
        }
    }
    // Nobody asked for a benchmark that has one result, or was renamed, unless there is no other.
    if explained.is_empty() {
        missing.extend(alone);
    }
    for warning in missing {
        exit = Exit::Error;
        report.event(Event::Warning(&warning))?;
    }
    // A missing reason is an error only if no benchmark calls the function: most do not.
    if explained
        .iter()
        .all(|result| result.instructions.is_empty())
    {
        for (benchmark, reason) in without_code {
            exit = Exit::Error;
            report.event(Event::Warning(&format!("`{benchmark}`: {reason}")))?;
        }
    }
    if options.filters.is_empty() {
        explained.retain(|result| !result.explanation.is_empty());
    }
    // An empty report would say that nothing differs, which is unknown for results that cannot be
    // read.
    if explained.is_empty() && exit == Exit::Error {
        return Ok(exit);
    }
    report.event(Event::Explained {
        results: &explained,
        functions: options.functions,
    })?;
    Ok(exit)
}

/// Explains the difference of a result from the one before, or from a baseline, and why there are
/// no instructions if there should be. The error says what is missing.
fn explained_result(
    kept: &KeptDigest,
    options: &ExplainArgs,
) -> std::result::Result<(ExplainedResult, Option<NoInstructions>), NotExplained> {
    let (old, new) = digests(kept, options.baseline.as_deref())?;
    let metric = options.metric.unwrap_or(EventKind::Ir);
    let text = |error: ExplainError| NotExplained::from(error.to_string());
    let tree = match options.depth {
        0 => CallTree::default(),
        depth => explain::call_tree(&old, &new, metric, depth).map_err(text)?,
    };
    let lines = match options.lines {
        true => Some(explain::line_differences(&old, &new, metric).map_err(text)?),
        false => None,
    };
    let function = options.asm.as_deref();
    let instructions = function.map(|name| explain::instruction_differences(&old, &new, name));
    let (instructions, reason) = match instructions {
        Some(Ok(instructions)) => (instructions, None),
        Some(Err(reason)) => (Vec::new(), Some(reason)),
        None => (Vec::new(), None),
    };
    let result = ExplainedResult {
        benchmark: kept.benchmark.clone(),
        explanation: explain::explain(&old, &new, metric).map_err(text)?,
        tree,
        lines,
        instructions,
    };
    Ok((result, reason))
}

/// The digests of the last result and of the one that it is compared with.
fn digests(
    kept: &KeptDigest,
    baseline: Option<&str>,
) -> std::result::Result<(Digest, Digest), NotExplained> {
    let other = kept.other(baseline);
    let reason = match baseline {
        None => "there is no result before the last one to compare with".to_owned(),
        Some(name) => format!(
            "it has no result in the baseline `{name}`; `cargo bench -- \
             --save-baseline={name}` makes one"
        ),
    };
    let [old, new] = [&other, &kept.last].map(|file| kept_digest::read_whole(file));
    match (old?, new?) {
        (Some(old), Some(new)) => Ok((old, new)),
        _ => Err(NotExplained {
            reason,
            is_alone: baseline.is_none(),
        }),
    }
}

/// A benchmark without an explanation.
struct NotExplained {
    reason: String,
    /// Is there one result only?
    is_alone: bool,
}

impl From<String> for NotExplained {
    fn from(reason: String) -> Self {
        Self {
            reason,
            is_alone: false,
        }
    }
}

fn mistake(reason: String) -> Error {
    Error::Setting {
        place: "command line".to_owned(),
        reason,
    }
}
