//! Names of benchmarks within a group.

use std::fmt::Display;

/// Name of a benchmark in its group: a function, a parameter, or both.
///
/// ```
/// use iai_callgrind_criterion::{BenchmarkId, Criterion};
///
/// fn sorting(c: &mut Criterion) {
///     let mut group = c.benchmark_group("sorting");
///     for size in [10_u64, 100] {
///         // sorting/reversed/10, and `file::sorting::reversed::10`
///         group.bench_with_input(BenchmarkId::new("reversed", size), &size, |b, &size| {
///             b.iter_with_setup(|| (0..size).rev().collect::<Vec<u64>>(), |mut v| v.sort());
///         });
///         // sorting/10, and `file::sorting::10`
///         group.bench_function(BenchmarkId::from_parameter(size), |b| b.iter(|| size + 1));
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    pub(crate) function: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    /// Name of a function with a parameter.
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> Self {
        Self {
            function: Some(function_name.into()),
            parameter: Some(parameter.to_string()),
        }
    }

    /// A parameter alone, in a group of one function.
    pub fn from_parameter<P: Display>(parameter: P) -> Self {
        Self {
            function: None,
            parameter: Some(parameter.to_string()),
        }
    }
}

/// Values that are a name: a [`BenchmarkId`] or a text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name of a benchmark",
    label = "expected a text or a `BenchmarkId`"
)]
pub trait IntoBenchmarkId {
    /// The name.
    fn into_benchmark_id(self) -> BenchmarkId;
}

#[diagnostic::do_not_recommend]
impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId {
            function: Some(self.into()),
            parameter: None,
        }
    }
}
