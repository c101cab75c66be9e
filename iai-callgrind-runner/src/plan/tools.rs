//! Choice of the tools of a benchmark.

use iai_callgrind::protocol::{Config, Tools};

use crate::settings::Settings;
use base::tool::Tool;

/// Tools of a benchmark, each once; the one whose metrics are shown first is the first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BenchmarkTools {
    /// Tools; empty if all are switched off.
    pub(super) tools: Vec<Tool>,
    /// Default tool that the configuration switches off.
    pub(super) without: Option<Tool>,
}

/// Default tool and, after it, the tools of the command line or else of the configuration. A tool
/// that the command line names runs also if the configuration switches it off.
pub(super) fn choose(config: &Config, tools: &Tools, settings: &Settings) -> BenchmarkTools {
    let is_on = |tool| {
        tools
            .general(tool)
            .is_none_or(|general| general.enable != Some(false))
    };
    let typed = &settings.tools;
    let default = typed.default.or(config.default_tool);
    let default = default.unwrap_or(Tool::Callgrind);
    // A default tool that is typed runs in any case: `enable(false)` is of the configuration.
    let wanted = typed.default.is_some() || is_on(default);
    let configured = || -> Vec<Tool> {
        let all = Tool::ALL.into_iter();
        all.filter(|tool| tools.general(*tool).is_some() && is_on(*tool))
            .collect()
    };
    let further = match typed.further.as_slice() {
        [] => configured(),
        named => named.to_vec(),
    };
    let mut chosen: Vec<Tool> = Vec::new();
    // The default tool first: shown output and errors without a tool belong to the first job.
    for tool in wanted.then_some(default).into_iter().chain(further) {
        if !chosen.contains(&tool) {
            chosen.push(tool);
        }
    }
    BenchmarkTools {
        tools: chosen,
        without: (!wanted).then_some(default),
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::ToolConfig;

    use super::*;
    use cli::env::RunnerEnvironment;
    use cli::Args;
    use Tool::{Cachegrind, Callgrind, Dhat, Massif, Memcheck};

    /// `expected`: tools that run, `without`: the default tool that is switched off.
    #[track_caller]
    fn check(
        default: Option<Tool>,
        configured: &[(Tool, Option<bool>)],
        line: &str,
        expected: &[Tool],
        without: Option<Tool>,
    ) {
        let config = Config {
            default_tool: default,
            ..Config::default()
        };
        let tools = configured
            .iter()
            .map(|(tool, enable)| ToolConfig::new(*tool, *enable, Vec::new()))
            .collect::<Tools>();
        let args = <Args as clap::Parser>::try_parse_from(line.split_whitespace()).unwrap();
        let settings =
            Settings::resolve("/bench".into(), args, RunnerEnvironment::default()).unwrap();
        let chosen = choose(&config, &tools, &settings);
        assert_eq!(chosen.tools, expected);
        assert_eq!(chosen.without, without);
    }

    #[test]
    fn callgrind_comes_first_unless_another_tool_is_the_default() {
        check(None, &[], "", &[Callgrind], None);
        check(
            None,
            &[(Memcheck, None), (Dhat, None)],
            "",
            &[Callgrind, Dhat, Memcheck],
            None,
        );
        check(Some(Dhat), &[(Dhat, None)], "", &[Dhat], None);
        check(
            Some(Dhat),
            &[(Callgrind, None)],
            "",
            &[Dhat, Callgrind],
            None,
        );
        check(Some(Dhat), &[], "--default-tool=massif", &[Massif], None);
    }

    #[test]
    fn the_command_line_replaces_the_further_tools() {
        check(
            None,
            &[(Memcheck, None)],
            "--tools=massif,dhat",
            &[Callgrind, Massif, Dhat],
            None,
        );
        check(
            None,
            &[(Dhat, Some(false))],
            "--tools dhat",
            &[Callgrind, Dhat],
            None,
        );
    }

    #[test]
    fn a_tool_runs_once() {
        check(
            None,
            &[],
            "--tools=dhat,callgrind,dhat",
            &[Callgrind, Dhat],
            None,
        );
    }

    #[test]
    fn tools_can_be_switched_off() {
        let off = Some(false);
        check(None, &[(Dhat, off)], "", &[Callgrind], None);
        check(
            None,
            &[(Callgrind, off), (Dhat, None)],
            "",
            &[Dhat],
            Some(Callgrind),
        );
        check(None, &[(Callgrind, off)], "", &[], Some(Callgrind));
        check(
            None,
            &[(Callgrind, off)],
            "--default-tool=callgrind",
            &[Callgrind],
            None,
        );
        check(
            Some(Cachegrind),
            &[(Callgrind, off)],
            "",
            &[Cachegrind],
            None,
        );
    }
}
