//! The program that measures a job: Valgrind with one of its tools, or perf. It is chosen here,
//! once.
//!
//! A backend is three functions, each in the stage that it belongs to: its arguments (here), a run
//! (`execute::Launch`), and the reading of what it wrote (`results`). All other differences between
//! tools are columns of `tool::row`.

use std::sync::Arc;

use iai_callgrind::protocol::{Config, Tools};

use super::perf::PerfSettings;
use super::{tool_args, Target, ToolArgs};
use crate::error::Result;
use crate::settings::Settings;
use base::benchmark_path::BenchmarkPath;
use base::tool::Tool;

/// The program that measures a job, with the settings that no other one has.
#[derive(Debug, Clone, PartialEq)]
pub enum Backend {
    /// Valgrind, with one of its tools.
    Valgrind,
    /// Linux perf.
    Perf(Box<PerfSettings>),
}

/// A benchmark under one tool, as it is configured.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConfiguredJob<'a> {
    pub(super) benchmark_path: &'a Arc<BenchmarkPath>,
    pub(super) tool: Tool,
    pub(super) config: &'a Config,
    /// The tools of `config`, merged.
    pub(super) tools: &'a Tools,
    pub(super) target: &'a Target,
    pub(super) settings: &'a Settings,
}

impl Backend {
    /// The backend of a tool with its arguments. Also returns warnings.
    pub(super) fn choose(configured: ConfiguredJob<'_>) -> Result<(Self, ToolArgs, Vec<String>)> {
        match configured.tool {
            Tool::Perf => {
                let (perf, args, warnings) = PerfSettings::build(configured)?;
                Ok((Self::Perf(Box::new(perf)), args, warnings))
            }
            _ => {
                let (args, warnings) = tool_args::configured(configured)?;
                Ok((Self::Valgrind, args, warnings))
            }
        }
    }

    /// The settings of perf, if that is the backend.
    pub(crate) fn perf(&self) -> Option<&PerfSettings> {
        match self {
            Self::Valgrind => None,
            Self::Perf(perf) => Some(perf),
        }
    }
}
