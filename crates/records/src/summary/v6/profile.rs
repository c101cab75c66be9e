//! The result of a tool in version 6.

use std::path::Path;

use serde::Serialize;

use super::metrics::{RegressionV6, ToolMetricsV6};
use super::parts::PartV6;
use crate::summary::{Flamegraph, Graph, Profile, Summary};
use base::tool::Tool;

#[derive(Serialize)]
pub(super) struct ProfileV6<'a> {
    flamegraphs: Vec<FlamegraphV6<'a>>,
    log_paths: Vec<String>,
    out_paths: Vec<String>,
    summaries: ResultsV6<'a>,
    tool: &'static str,
}

#[derive(Serialize)]
struct ResultsV6<'a> {
    parts: Vec<PartV6<'a>>,
    total: TotalV6<'a>,
}

#[derive(Serialize)]
struct TotalV6<'a> {
    regressions: Vec<RegressionV6<'a>>,
    summary: ToolMetricsV6<'a>,
}

/// The flamegraphs of one metric.
#[derive(Debug, PartialEq, Serialize)]
struct FlamegraphV6<'a> {
    base_path: Option<&'a str>,
    diff_path: Option<&'a str>,
    event_kind: &'a str,
    regular_path: Option<&'a str>,
}

/// Directory of the files of a benchmark.
pub(super) fn directory(summary: &Summary) -> String {
    let home = Path::new(&summary.files.home);
    home.join(&summary.directory).display().to_string()
}

/// Name of the tool. `None`: the format does not know the tool.
fn tool_name(tool: Tool) -> Option<&'static str> {
    Some(match tool {
        Tool::Callgrind => "Callgrind",
        Tool::Cachegrind => "Cachegrind",
        Tool::Dhat => "DHAT",
        Tool::Memcheck => "Memcheck",
        Tool::Helgrind => "Helgrind",
        Tool::Drd => "DRD",
        Tool::Massif => "Massif",
        Tool::Bbv => "BBV",
        // The format stays as it is.
        _ => return None,
    })
}

impl<'a> ProfileV6<'a> {
    pub(super) fn of(profile: &'a Profile, summary: &'a Summary) -> Option<Self> {
        let tool: Tool = profile.tool.parse().ok()?;
        let directory = directory(summary);
        let paths = |names: &[String]| -> Vec<String> {
            let names = names.iter();
            names.map(|name| format!("{directory}/{name}")).collect()
        };
        let log_paths = paths(&profile.log_files);
        // Tools that write logs alone have the log in both places.
        let out_paths = match profile.out_files.is_empty() {
            true => log_paths.clone(),
            false => paths(&profile.out_files),
        };
        Some(Self {
            flamegraphs: FlamegraphV6::by_metric(tool, &profile.flamegraphs),
            summaries: ResultsV6 {
                parts: PartV6::all(tool, profile, summary),
                total: TotalV6 {
                    regressions: profile
                        .regressions
                        .iter()
                        .filter_map(|regression| RegressionV6::of(tool, regression))
                        .collect(),
                    summary: ToolMetricsV6::of(tool, &profile.metrics),
                },
            },
            log_paths,
            out_paths,
            tool: tool_name(tool)?,
        })
    }
}

impl<'a> FlamegraphV6<'a> {
    /// The format has names for those of Callgrind alone.
    fn by_metric(tool: Tool, flamegraphs: &'a [Flamegraph]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        if tool != Tool::Callgrind {
            return all;
        }
        for Flamegraph { kind, graph, path } in flamegraphs {
            let known = all.iter().position(|other| other.event_kind == kind);
            let index = known.unwrap_or_else(|| {
                all.push(Self {
                    base_path: None,
                    diff_path: None,
                    event_kind: kind,
                    regular_path: None,
                });
                all.len() - 1
            });
            let place = match graph {
                Graph::Regular => &mut all[index].regular_path,
                Graph::Old => &mut all[index].base_path,
                Graph::Differential => &mut all[index].diff_path,
            };
            *place = Some(path);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flamegraphs_of_a_metric_are_one_entry() {
        let flamegraph = |kind: &str, graph, path: &str| Flamegraph {
            kind: kind.into(),
            graph,
            path: path.into(),
        };
        let drawn = [
            flamegraph("Ir", Graph::Regular, "/new"),
            flamegraph("Ir", Graph::Old, "/old"),
            flamegraph("Dr", Graph::Regular, "/dr"),
            flamegraph("Ir", Graph::Differential, "/difference"),
        ];
        let ir = FlamegraphV6 {
            base_path: Some("/old"),
            diff_path: Some("/difference"),
            event_kind: "Ir",
            regular_path: Some("/new"),
        };
        let dr = FlamegraphV6 {
            base_path: None,
            diff_path: None,
            event_kind: "Dr",
            regular_path: Some("/dr"),
        };
        assert_eq!(FlamegraphV6::by_metric(Tool::Callgrind, &drawn), [ir, dr]);
        assert_eq!(FlamegraphV6::by_metric(Tool::Dhat, &drawn), []);
    }
}
