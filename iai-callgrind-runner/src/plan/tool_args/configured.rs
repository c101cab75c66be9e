//! The arguments of one tool of Valgrind for one benchmark, from all places where users give some.

use std::sync::LazyLock;

use iai_callgrind::protocol::options::ToolOption;
use iai_callgrind::protocol::EntryPoint;

use super::super::argument_origin::{ArgumentOrigin, OriginArguments};
use super::super::backend::ConfiguredJob;
use super::instrumentation::{self, InstrumentationFacts};
use super::{build, Instrumentation, Scope, ToolArgs, CALLER_OF_MAIN};
use crate::error::{Error, Result};
use base::tool::Tool;

/// The arguments of a tool of Valgrind. Also returns warnings.
pub(in crate::plan) fn configured(of: ConfiguredJob<'_>) -> Result<(ToolArgs, Vec<String>)> {
    // The entry point is resolved before `count_threads` is judged: the default of a binary benchmark is
    // none, which allows it.
    let said = said_entry_point(of);
    let entry_point = of.target.entry_point(said);
    let entry_point = entry_point.map_err(|reason| cannot(of, reason))?;
    let count_threads = count_threads(of, &entry_point)?;
    let frames = frames(of, said == Some(&EntryPoint::Main));
    let scope = Scope {
        entry_point: &entry_point,
        frames: &frames,
        count_threads,
        instructions_only: instructions_only(of),
        brackets: of.target.has_brackets(),
        of_case: of.target.is_told(),
    };
    let (mut args, mut warnings) =
        build(of.tool, &user(of), scope).map_err(|error| error.of_benchmark(of.benchmark_path))?;
    match instrumentation(of, &args) {
        Ok(chosen) => args.instrumentation = chosen,
        Err(reason) => warnings.push(format!("`fast_setup` has no effect: {reason}")),
    }
    Ok((args, warnings))
}

/// Does Callgrind simulate nothing?
fn instructions_only(of: ConfiguredJob<'_>) -> bool {
    let configured = || of.tools.callgrind.as_ref()?.instructions_only;
    let said = of.settings.instructions_only.or_else(configured);
    said.unwrap_or(false)
}

/// The time in which Callgrind looks at the process, or the reason why it cannot be the wanted one.
fn instrumentation(
    of: ConfiguredJob<'_>,
    args: &ToolArgs,
) -> std::result::Result<Instrumentation, &'static str> {
    if of.tool != Tool::Callgrind {
        return Ok(Instrumentation::default());
    }
    let configured = of.tools.callgrind.as_ref().and_then(|it| it.fast_setup);
    // An option is about all benchmarks, and those that it cannot be about are left out without a word.
    let typed = of.settings.fast_setup;
    let chosen = instrumentation::choose(InstrumentationFacts {
        wanted: typed.or(configured),
        words: &args.words,
        is_told: of.target.is_told(),
        counts_only_the_function: args.counts_only_the_function(),
    });
    match chosen {
        Err(_) if typed.is_some() => Ok(Instrumentation::default()),
        chosen => chosen,
    }
}

/// The arguments that users give, the stronger ones last.
fn user(of: ConfiguredJob<'_>) -> [OriginArguments<'_>; 5] {
    let ConfiguredJob { tool, settings, .. } = of;
    let own = of.tools.general(tool).map(|general| general.args);
    let configured = |words| OriginArguments {
        words,
        origin: ArgumentOrigin::Configuration,
    };
    let typed = |option: String, words| OriginArguments {
        words,
        origin: ArgumentOrigin::option(option, settings),
    };
    [
        configured(without_instructions(of)),
        configured(of.config.valgrind_args.as_slice()),
        configured(own.unwrap_or_default()),
        typed("--valgrind-args".to_owned(), &settings.valgrind_args),
        typed(ToolOption::Args.of(tool), &settings.of_tools[tool].args),
    ]
}

/// The argument for profiles that are not explained. An argument of the user takes precedence.
fn without_instructions(of: ConfiguredJob<'_>) -> &'static [String] {
    static WORDS: LazyLock<[String; 1]> = LazyLock::new(|| ["--dump-instr=no".to_owned()]);
    let callgrind = of
        .tools
        .callgrind
        .as_ref()
        .filter(|_| of.tool == Tool::Callgrind);
    let explain = callgrind.and_then(|callgrind| callgrind.explain.as_ref());
    match explain.and_then(|explain| explain.enabled) {
        Some(false) => WORDS.as_slice(),
        _ => &[],
    }
}

/// The configured entry point of the tool.
fn said_entry_point(of: ConfiguredJob<'_>) -> Option<&EntryPoint> {
    match of.tool {
        Tool::Callgrind => of.tools.callgrind.as_ref()?.entry_point.as_ref(),
        Tool::Dhat => of.tools.dhat.as_ref()?.entry_point.as_ref(),
        _ => None,
    }
}

/// Patterns of further functions that count (DHAT).
fn frames(of: ConfiguredJob<'_>, is_main: bool) -> Vec<String> {
    let dhat = of.tools.dhat.as_ref().filter(|_| of.tool == Tool::Dhat);
    let mut frames = dhat.map_or_else(Vec::new, |dhat| dhat.frames.patterns.clone());
    if is_main && of.tool == Tool::Dhat {
        frames.push(CALLER_OF_MAIN.to_owned());
    }
    frames
}

/// Do all threads count (Callgrind)?
fn count_threads(of: ConfiguredJob<'_>, entry_point: &EntryPoint) -> Result<bool> {
    let callgrind = of.tools.callgrind.as_ref();
    let count_threads = callgrind.and_then(|callgrind| callgrind.count_threads);
    let count_threads = count_threads.unwrap_or(false);
    let of_program = of.tool == Tool::Callgrind && !of.target.is_told();
    if count_threads && of_program && *entry_point != EntryPoint::None {
        return Err(cannot(
            of,
            "`count_threads(true)` and an entry point exclude each other in a binary benchmark; \
             without an entry point all threads of a program count",
        ));
    }
    Ok(count_threads)
}

fn cannot(of: ConfiguredJob<'_>, reason: &str) -> Error {
    Error::Configuration {
        place: format!("configuration of `{}` for {}", of.benchmark_path, of.tool),
        reason: reason.to_owned(),
    }
}
