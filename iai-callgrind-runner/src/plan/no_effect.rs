//! Options of the command line without an effect: one warning each.

use iai_callgrind::protocol::options::ToolOption;

use super::{perf, throughput, wall_time, ArgumentOrigin, Job, Plan};
use crate::settings::Settings;
use base::tool::Tool;

/// Does the job have limits on metrics or events?
fn has_limits(job: &Job) -> bool {
    let events = &job.event_limits;
    let on_metrics = !job.soft_limits.is_empty() || !job.hard_limits.is_empty();
    on_metrics || !events.soft.is_empty() || !events.hard.is_empty()
}

/// Looks at the whole plan: an option may have an effect on a single benchmark.
pub(super) fn warnings(plan: &Plan, settings: &Settings) -> Vec<String> {
    // Results that are only loaded were measured with other options.
    if plan.is_empty() || !plan.baseline.run {
        return Vec::new();
    }
    let benchmarks = || plan.groups.iter().flat_map(|group| &group.benchmarks);
    let mut warnings = Vec::new();

    if settings.regression_fail_fast == Some(true) && !plan.jobs().any(has_limits) {
        warnings.push(
            "`--regression-fail-fast` has no effect, since no benchmark has limits; \
             `--callgrind-limits=ir=5%` sets one"
                .to_owned(),
        );
    }
    let repeats = settings.config.check_determinism > Some(1);
    if repeats && plan.jobs().all(|job| job.runs < 2) {
        warnings.push(
            "`--check-determinism` has no effect, since perf, the only tool, never counts the same \
             twice; `--perf-sampling` says how much its figures vary"
                .to_owned(),
        );
    }
    warnings.extend(perf::without_effect(plan, settings));
    warnings.extend(throughput::without_effect(plan));
    warnings.extend(wall_time::without_effect(plan, settings));
    let named = &settings.tools.further;
    // The default tool comes first.
    let adds = |tool: &Tool| benchmarks().any(|benchmark| benchmark.jobs[0].tool != *tool);
    if !named.is_empty() && !named.iter().any(adds) {
        warnings.push(format!(
            "`--tools={}` names no other tool than the default one, which runs in any case",
            named[0]
        ));
    }
    for tool in Tool::ALL {
        if !plan.jobs().any(|job| job.tool == tool) {
            warnings.extend(without_tool(tool, settings));
        }
    }
    warnings
}

/// Options for a tool that no benchmark runs under.
fn without_tool(tool: Tool, settings: &Settings) -> Vec<String> {
    let typed = &settings.of_tools[tool];
    let given = [
        (ToolOption::Args, !typed.args.is_empty()),
        (ToolOption::Metrics, typed.metrics.is_some()),
        (ToolOption::Limits, typed.limits.is_some()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    let warning = |(kind, _): (ToolOption, bool)| {
        let option = ArgumentOrigin::option(kind.of(tool), settings);
        format!(
            "{option} has no effect, since no benchmark runs under {tool}; `--tools={tool}` adds it"
        )
    };
    given.map(warning).collect()
}
