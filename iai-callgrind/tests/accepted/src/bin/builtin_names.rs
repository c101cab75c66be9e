//! Functions and groups with the names of attributes and macros of the compiler.

use iai_callgrind::__internal::Member;
use iai_callgrind::{binary_benchmark_attribute, Command};

/// Defines a module with a benchmark and a group of each name.
macro_rules! named {
    ($module:ident: $($name:ident)*) => {
        mod $module {
            pub(crate) mod library {
                use iai_callgrind::{library_benchmark, library_benchmark_group as group};

                $(#[library_benchmark]
                #[bench::$name(1)]
                fn $name(n: u64) -> u64 {
                    n
                })*
                group!(name = all, benchmarks = [$($name),*]);

                pub(crate) mod groups {
                    use iai_callgrind::library_benchmark_group as group;

                    $(group!(name = $name, benchmarks = super::$name);)*
                }
            }
            pub(crate) mod binary {
                use iai_callgrind::{binary_benchmark, binary_benchmark_group as group, Command};

                $(#[binary_benchmark]
                #[bench::$name()]
                fn $name() -> Command {
                    Command::new(stringify!($name)).build()
                })*
                group!(name = all, benchmarks = [$($name),*]);

                pub(crate) mod groups {
                    use iai_callgrind::binary_benchmark_group as group;

                    $(group!(name = $name, benchmarks = super::$name);)*
                }
            }
            pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        }
    };
}

named! { attributes:
    allow bench cfg cfg_attr cold deprecated derive doc expect feature global_allocator ignore inline
    link_section macro_export must_use naked no_mangle path proc_macro repr should_panic target_feature
    test test_case used
}

named! { macros:
    asm assert column concat dbg env file format global_asm include line matches panic println thread_local
    todo vec write
}

#[iai_callgrind::binary_benchmark]
fn bench() -> Command {
    Command::new("true").build()
}

fn main() {
    let library = [
        (&attributes::library::all::__GROUP, attributes::NAMES),
        (&macros::library::all::__GROUP, macros::NAMES),
    ];
    for (group, names) in library {
        let found: Vec<_> = group.functions.iter().map(|table| table.name).collect();
        assert_eq!(found, names);
    }
    let binary = [
        (&attributes::binary::all::__GROUP, attributes::NAMES),
        (&macros::binary::all::__GROUP, macros::NAMES),
    ];
    for (group, names) in binary {
        let members = (group.functions)().into_iter();
        let found: Vec<_> = members
            .map(|member| match member {
                Member::Function(table) => table.0.name,
                Member::Build(_) => panic!("it has an attribute"),
            })
            .collect();
        assert_eq!(found, names);
    }
    let named = attributes::library::groups::bench::__GROUP.functions[0];
    assert_eq!(named.name, "bench");
    assert_eq!(
        (attributes::binary::groups::cfg::__GROUP.functions)().len(),
        1
    );
    let _ = binary_benchmark_attribute!(bench);
}
