//! Values of options: metrics, limits and arguments for tools. The first line names the option.

use base::tool::Tool;
use clap::Parser;
use cli::env::RunnerEnvironment;
use cli::Args;
use iai_callgrind_runner::settings::Settings;

pub(crate) fn check(bytes: &[u8]) {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (option, value) = text.split_once('\n').unwrap_or(("", text));
    let tool = Tool::ALL
        .into_iter()
        .find(|tool| option.starts_with(tool.id().trim_start_matches("exp-")));
    let kind = option.rsplit('-').next();
    match (tool, kind) {
        (Some(tool), Some("args")) => arguments(tool, option, value),
        (Some(tool), Some("metrics")) => metrics(tool, option, value),
        (Some(tool), Some("limits")) => limits(tool, option, value),
        _ => words(value),
    }
}

fn parse(option: &str, value: &str) -> Option<Args> {
    Args::try_parse_from([format!("--{option}={value}")]).ok()
}

/// Words that were split can be put together again, and mean the same. With another option in
/// front: one word alone that has several options within its quotes is the line that it looks like.
fn arguments(tool: Tool, option: &str, value: &str) {
    let split = |value: &str| {
        let args = parse(option, value)?;
        let settings =
            Settings::resolve("/bench".into(), args, RunnerEnvironment::default()).ok()?;
        Some(settings.of_tools[tool].args.clone())
    };
    let Some(words) = split(value) else { return };
    // No line can hold a zero byte.
    let front = std::iter::once("--verbose".to_owned());
    let words = Vec::from_iter(front.chain(words));
    let Ok(line) = shlex::try_join(words.iter().map(String::as_str)) else {
        return;
    };
    assert_eq!(split(&line), Some(words));
}

/// Each metric once.
fn metrics(tool: Tool, option: &str, value: &str) {
    let Some(args) = parse(option, value) else {
        return;
    };
    let Some(metrics) = args.metrics.metrics(tool) else {
        return;
    };
    let mut sorted = metrics.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), metrics.len());
    assert!(!metrics.is_empty() || value.contains('@'), "{value}");
}

/// One limit of a kind for each metric.
fn limits(tool: Tool, option: &str, value: &str) {
    let Some(args) = parse(option, value) else {
        return;
    };
    let Some(limits) = args.metrics.limits(tool) else {
        return;
    };
    let once = |mut kinds: Vec<_>| {
        let given = kinds.len();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), given);
    };
    once(limits.soft.iter().map(|(kind, _)| *kind).collect());
    once(limits.hard.iter().map(|(kind, _)| *kind).collect());
}

/// A whole command line, one word on each line.
fn words(value: &str) {
    if let Ok(args) = Args::try_parse_from(value.split('\n')) {
        let _ = Settings::resolve("/bench".into(), args, RunnerEnvironment::default());
    }
}
