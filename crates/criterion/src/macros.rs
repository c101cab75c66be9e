//! The two macros that a benchmark file ends with.

use std::process::ExitCode;

use iai_callgrind::__internal::registration::{self, Framework};
use iai_callgrind::__internal::Package;

use crate::command_line;

/// Defines a function with this name that registers the benchmarks of its targets, which are
/// functions with a `&mut Criterion`.
///
/// In the second form they get the [`Criterion`](crate::Criterion) of `config`. The name is the
/// group of benchmarks that are in no [`BenchmarkGroup`](crate::BenchmarkGroup):
/// `file::benches::function`.
///
/// ```
/// use iai_callgrind_criterion::{criterion_group, Criterion};
///
/// fn numbers(c: &mut Criterion) {
///     c.bench_function("add", |b| b.iter(|| 1 + 2));
/// }
///
/// criterion_group!(benches, numbers);
/// criterion_group! {
///     name = others;
///     config = Criterion::default().sample_size(10);
///     targets = numbers
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        /// Registers the benchmarks of this group.
        pub fn $name() {
            // The measurement is what `config` says.
            let mut criterion: $crate::Criterion<_> = $config;
            $($crate::__private::target(::core::stringify!($name), ::core::stringify!($target), &mut || {
                $target(&mut criterion);
            });)+
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = <$crate::Criterion as ::core::default::Default>::default();
            targets = $($target),+
        }
    };
}

/// Defines the `main` of a benchmark file, with the groups that
/// [`criterion_group!`](crate::criterion_group) defined.
///
/// ```standalone_crate
/// # mod of_the_file {
/// use iai_callgrind_criterion::{criterion_group, criterion_main, Criterion};
///
/// fn numbers(c: &mut Criterion) {
///     c.bench_function("add", |b| b.iter(|| 1 + 2));
/// }
///
/// criterion_group!(benches, numbers);
/// criterion_main!(benches);
/// # }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)*) => {
        // So that a `HashMap` counts the same in each run.
        $crate::iai_callgrind::__internal::__random!($crate::iai_callgrind);

        fn main() -> ::std::process::ExitCode {
            $crate::__private::main(
                $crate::iai_callgrind::__internal::__package!($crate::iai_callgrind),
                || {
                    $($group();)+
                    $crate::__private::registered();
                },
            )
        }
    };
}

/// Body of the `main` that `criterion_main!` generates.
pub fn main(package: Package, register: fn()) -> ExitCode {
    registration::main(
        package,
        Framework {
            register,
            words: command_line::ours,
            deterministic_random: true,
        },
    )
}
