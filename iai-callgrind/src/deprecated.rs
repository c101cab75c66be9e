//! Names of earlier versions that still work: each says with a warning what to write now.
//!
//! Everything in here is written with the methods of today and knows nothing that they do not.
//! Names that cannot be served this way are refused by the macros.
// The aliases use each other.
#![allow(deprecated)]

use crate::protocol::ToolConfig;
use crate::{
    BinaryBenchmarkConfig, Cachegrind, CachegrindMetric, Callgrind, EntryPoint, EventKind,
    LibraryBenchmarkConfig, Tool,
};

/// Hides a value from the optimizer.
#[deprecated(since = "0.17.0", note = "write `std::hint::black_box(..)`")]
#[inline]
pub fn black_box<T>(value: T) -> T {
    std::hint::black_box(value)
}

impl LibraryBenchmarkConfig {
    /// Sets the function at whose entry Callgrind's count begins and at whose return it ends.
    #[deprecated(
        since = "0.17.0",
        note = "write `.tool(Callgrind::default().entry_point(..))`"
    )]
    #[inline]
    pub fn entry_point(&mut self, entry_point: EntryPoint) -> &mut Self {
        self.tool(Callgrind::default().entry_point(entry_point))
    }
}

/// Writes the methods that the configurations of library and of binary benchmarks had.
macro_rules! deprecated_config_methods {
    ($builder:ident) => {
        impl $builder {
            /// Starts with arguments for Callgrind.
            #[deprecated(
                since = "0.17.0",
                note = "write `default().tool(Callgrind::with_args(..))`"
            )]
            #[must_use]
            pub fn with_callgrind_args<I, T>(args: I) -> Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                Self::default().callgrind_args(args).build()
            }

            /// Starts with arguments for Callgrind.
            #[deprecated(
                since = "0.17.0",
                note = "write `default().tool(Callgrind::with_args(..))`"
            )]
            #[must_use]
            pub fn with_raw_callgrind_args<I, T>(args: I) -> Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                Self::default().callgrind_args(args).build()
            }

            /// Adds arguments for Callgrind.
            #[deprecated(since = "0.17.0", note = "write `.tool(Callgrind::with_args(..))`")]
            pub fn callgrind_args<I, T>(&mut self, args: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                self.tool($crate::Callgrind::with_args(args))
            }

            /// Adds arguments for Callgrind.
            #[deprecated(since = "0.17.0", note = "write `.tool(Callgrind::with_args(..))`")]
            pub fn raw_callgrind_args<I, T>(&mut self, args: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                self.tool($crate::Callgrind::with_args(args))
            }

            /// Adds arguments for Callgrind.
            #[deprecated(since = "0.17.0", note = "write `.tool(Callgrind::with_args(..))`")]
            pub fn raw_callgrind_args_iter<I, T>(&mut self, args: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                self.raw_callgrind_args(args)
            }

            /// Adds the settings of tools.
            #[deprecated(
                since = "0.17.0",
                note = "write `.tool(..)` for each tool, as in `.tool(Dhat::default()).tool(Massif::default())`"
            )]
            pub fn tools<I, T>(&mut self, tools: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: Into<$crate::protocol::ToolConfig>,
            {
                for tool in tools {
                    self.tool(tool);
                }
                self
            }

            /// Replaces the tools of the outer configurations.
            #[deprecated(
                since = "0.17.0",
                note = "write `.tool_override(..)` for each tool, as in `.tool_override(Dhat::default())`"
            )]
            pub fn tools_override<I, T>(&mut self, tools: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: Into<$crate::protocol::ToolConfig>,
            {
                for tool in tools {
                    self.tool_override(tool);
                }
                self
            }

            /// Sets limits for the metrics of Callgrind.
            #[deprecated(
                since = "0.17.0",
                note = "write `.tool(Callgrind::default().soft_limits([(EventKind::Ir, 5.0)]))`"
            )]
            pub fn regression<T>(&mut self, regression: T) -> &mut Self
            where
                T: Into<$crate::deprecated::RegressionConfig>,
            {
                self.tool(regression.into().0)
            }

            /// Draws flamegraphs.
            #[deprecated(
                since = "0.17.0",
                note = "write `.tool(Callgrind::default().flamegraph(FlamegraphConfig::default()))`"
            )]
            pub fn flamegraph<T>(&mut self, flamegraph: T) -> &mut Self
            where
                T: Into<$crate::protocol::Flamegraph>,
            {
                self.tool($crate::Callgrind::default().flamegraph(flamegraph))
            }

            /// Cuts long descriptions of arguments.
            #[deprecated(
                since = "0.17.0",
                note = "write `.output_format(OutputFormat::default().truncate_description(..))`"
            )]
            pub fn truncate_description(
                &mut self,
                characters: impl Into<Option<usize>>,
            ) -> &mut Self {
                self.output_format($crate::OutputFormat::default().truncate_description(characters))
            }
        }
    };
}

deprecated_config_methods!(LibraryBenchmarkConfig);
deprecated_config_methods!(BinaryBenchmarkConfig);

impl BinaryBenchmarkConfig {
    /// Sets the function at whose entry Callgrind's count begins and at whose return it ends.
    #[deprecated(
        since = "0.17.0",
        note = "write `.tool(Callgrind::default().entry_point(EntryPoint::Custom(..)))`"
    )]
    #[inline]
    pub fn entry_point(&mut self, entry_point: impl Into<EntryPoint>) -> &mut Self {
        self.tool(Callgrind::default().entry_point(entry_point.into()))
    }
}

/// Limits for the metrics of Callgrind. Without [`limits`](Self::limits) nothing is limited.
#[deprecated(
    since = "0.17.0",
    note = "write `Callgrind::default().soft_limits([(EventKind::Ir, 5.0)]).fail_fast(true)`"
)]
#[derive(Debug, Clone, Default)]
pub struct RegressionConfig(pub(crate) Callgrind);

impl RegressionConfig {
    /// Adds limits for the change against the old run, in percent.
    #[track_caller]
    pub fn limits<T>(&mut self, limits: T) -> &mut Self
    where
        T: IntoIterator<Item = (EventKind, f64)>,
    {
        self.0.soft_limits(limits);
        self
    }

    /// Stops the run at the first benchmark that exceeds a limit.
    pub fn fail_fast(&mut self, fail_fast: bool) -> &mut Self {
        self.0.fail_fast(fail_fast);
        self
    }
}

impl From<&RegressionConfig> for RegressionConfig {
    #[inline]
    fn from(config: &RegressionConfig) -> Self {
        config.clone()
    }
}

impl From<&mut RegressionConfig> for RegressionConfig {
    #[inline]
    fn from(config: &mut RegressionConfig) -> Self {
        config.clone()
    }
}

impl Callgrind {
    /// Adds limits for the change against the old run, in percent.
    #[deprecated(since = "0.17.0", note = "write `.soft_limits(..)`")]
    #[track_caller]
    pub fn limits<T>(&mut self, limits: T) -> &mut Self
    where
        T: IntoIterator<Item = (EventKind, f64)>,
    {
        self.soft_limits(limits)
    }
}

impl Cachegrind {
    /// Adds limits for the change against the old run, in percent.
    #[deprecated(since = "0.17.0", note = "write `.soft_limits(..)`")]
    #[track_caller]
    pub fn limits<T>(&mut self, limits: T) -> &mut Self
    where
        T: IntoIterator<Item = (CachegrindMetric, f64)>,
    {
        self.soft_limits(limits)
    }
}

impl Tool {
    /// Settings of the tool with this name.
    #[deprecated(
        since = "0.17.0",
        note = "write the tool's own type, as in `Dhat::default()` or `Dhat::with_args(..)`"
    )]
    // `Tool` was a struct; its constructor is all that is left of it.
    #[allow(clippy::new_ret_no_self)]
    #[must_use]
    pub fn new(tool: Self) -> NamedTool {
        NamedTool {
            tool,
            enable: None,
            args: Vec::new(),
        }
    }
}

/// Settings of a tool that is known by its name: what [`Tool::new`] returns.
#[derive(Debug, Clone)]
pub struct NamedTool {
    tool: Tool,
    enable: Option<bool>,
    args: Vec<String>,
}

impl NamedTool {
    /// Runs the benchmark under the tool, or does not.
    pub fn enable(&mut self, enable: bool) -> &mut Self {
        self.enable = Some(enable);
        self
    }

    /// Adds arguments for the tool.
    pub fn args<I, T>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.args.extend(args);
        self
    }
}

impl From<NamedTool> for ToolConfig {
    #[inline]
    fn from(tool: NamedTool) -> Self {
        Self::new(tool.tool, tool.enable, tool.args)
    }
}

impl From<&NamedTool> for ToolConfig {
    #[inline]
    fn from(tool: &NamedTool) -> Self {
        tool.clone().into()
    }
}

impl From<&mut NamedTool> for ToolConfig {
    #[inline]
    fn from(tool: &mut NamedTool) -> Self {
        tool.clone().into()
    }
}
