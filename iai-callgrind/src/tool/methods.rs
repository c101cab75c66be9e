//! Methods that the builders of all tools share, written once.

/// Writes the methods that every tool has. `Builder` wraps the protocol's value, whose part of type
/// `ToolSettings` is found by the path in brackets; `Tools` has it in the field behind the arrow.
macro_rules! tool_methods {
    ($builder:ident [$($settings:tt)+] => $variant:ident, $tool:literal, $groups:ident,
     $metric:ident::$one:ident) => {
        impl $builder {
            #[doc = concat!("Starts with arguments for ", $tool, ", to which [`args`](Self::args) adds others.")]
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::with_args([\"--verbose\"]);")]
            /// ```
            #[must_use]
            pub fn with_args<I, T>(args: I) -> Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                let mut tool = Self::default();
                tool.args(args);
                tool
            }

            #[doc = concat!("Adds arguments for ", $tool, ". A leading `--` may be left out.")]
            ///
            /// They come after those of the outer configurations; where an argument is given twice,
            /// the later one counts. Arguments that are the runner's own, such as the names of
            /// output files, are dropped with a warning.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().args([\"--verbose\", \"--time-stamp=yes\"]);")]
            /// ```
            pub fn args<I, T>(&mut self, args: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
                self.$($settings)+.args.extend(args);
                self
            }

            #[doc = concat!("Runs the benchmark under ", $tool, ", or does not, with `false`.")]
            ///
            /// The default is `true` for every tool that a configuration names. If this is the
            /// default tool, the first of the others takes its place. A benchmark that has no tool
            /// left is an error.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().enable(false);")]
            /// ```
            pub fn enable(&mut self, enable: bool) -> &mut Self {
                self.$($settings)+.enable = Some(enable);
                self
            }

            /// Adds metrics to show, in the order in which they are to appear.
            ///
            #[doc = concat!("By default [`", stringify!($groups), "::Default`] is shown. ")]
            /// Metrics that were not collected are left out. The metrics of an inner configuration
            /// replace those of an outer one.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", ", stringify!($metric), "};")]
            ///
            #[doc = concat!(stringify!($builder), "::default().format([", stringify!($metric), "::", stringify!($one), "]);")]
            /// ```
            pub fn format<I, T>(&mut self, metrics: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: Into<$groups>,
            {
                let format = self.$($settings)+.format.get_or_insert_default();
                for metrics in metrics {
                    for metric in metrics.into().members() {
                        let metric = metric.into();
                        if !format.contains(&metric) {
                            format.push(metric);
                        }
                    }
                }
                self
            }

            /// Adds limits for the change against the old run, in percent: `5.0` or `5`.
            ///
            /// A positive limit is exceeded above it, a negative one below it; the benchmark is
            /// then reported as a regression, and the run ends with exit code 3. A group of metrics
            /// stands for its members; of two limits for a metric the later or inner one counts. By
            /// default nothing is limited.
            ///
            /// # Panics
            ///
            /// If a limit is `NaN`, infinite or `-0.0`: nothing would exceed it.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", ", stringify!($metric), "};")]
            ///
            #[doc = concat!(
                stringify!($builder), "::default()",
                ".soft_limits([(", stringify!($metric), "::", stringify!($one), ", 5)]);"
            )]
            /// ```
            #[track_caller]
            pub fn soft_limits<I, T, P>(&mut self, limits: I) -> &mut Self
            where
                I: IntoIterator<Item = (T, P)>,
                T: Into<$groups>,
                P: Into<$crate::protocol::Percent>,
            {
                for (metrics, percent) in limits {
                    let percent = $crate::tool::checked::soft(percent.into());
                    for metric in metrics.into().members() {
                        self.$($settings)+.limits.set_soft(metric.into(), percent);
                    }
                }
                self
            }

            /// Adds limits for the value itself: whole numbers for counters, fractions for rates.
            ///
            /// A value beyond its limit is a regression, with or without an old run. A group of
            /// metrics stands for its members; of two limits for a metric the later or inner one
            /// counts. By default nothing is limited. For variables of other types than `u64` and
            /// `f64` there is [`Limit::int`](crate::Limit::int).
            ///
            /// # Panics
            ///
            /// If a limit is `NaN`, infinite or `-0.0`: nothing would exceed it.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", ", stringify!($metric), "};")]
            ///
            #[doc = concat!(
                stringify!($builder), "::default()",
                ".hard_limits([(", stringify!($metric), "::", stringify!($one), ", 1_000)]);"
            )]
            /// ```
            #[track_caller]
            pub fn hard_limits<I, T, L>(&mut self, limits: I) -> &mut Self
            where
                I: IntoIterator<Item = (T, L)>,
                T: Into<$groups>,
                L: Into<$crate::protocol::Limit>,
            {
                for (metrics, limit) in limits {
                    let limit = $crate::tool::checked::hard(limit.into());
                    for metric in metrics.into().members() {
                        self.$($settings)+.limits.set_hard(metric.into(), limit);
                    }
                }
                self
            }

            /// Drops the limits of the outer configurations and those that were set before.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().clear_limits();")]
            /// ```
            #[inline]
            pub fn clear_limits(&mut self) -> &mut Self {
                self.$($settings)+.limits = $crate::protocol::Limits {
                    clear: true,
                    ..Default::default()
                };
                self
            }

            /// Stops the run at the first benchmark that exceeds a limit of this tool. The default
            /// is `false`. It sets no limit.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().fail_fast(true);")]
            /// ```
            pub fn fail_fast(&mut self, fail_fast: bool) -> &mut Self {
                self.$($settings)+.fail_fast = Some(fail_fast);
                self
            }

            /// A copy by value, to end a chain of calls with.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!("let tool: ", stringify!($builder), " = ", stringify!($builder), "::default().enable(true).build();")]
            /// ```
            #[must_use]
            #[inline]
            pub fn build(&mut self) -> Self {
                self.clone()
            }
        }

        $crate::tool::methods::tool_config!($builder => $variant);
    };
}

/// Makes a builder, by value or reference, the settings of its tool at one level.
macro_rules! tool_config {
    ($builder:ident => $variant:ident) => {
        impl From<$builder> for $crate::protocol::ToolConfig {
            #[inline]
            fn from(builder: $builder) -> Self {
                Self::$variant(builder.0)
            }
        }

        impl From<&$builder> for $crate::protocol::ToolConfig {
            #[inline]
            fn from(builder: &$builder) -> Self {
                builder.clone().into()
            }
        }

        impl From<&mut $builder> for $crate::protocol::ToolConfig {
            #[inline]
            fn from(builder: &mut $builder) -> Self {
                builder.clone().into()
            }
        }
    };
}

pub(super) use {tool_config, tool_methods};
