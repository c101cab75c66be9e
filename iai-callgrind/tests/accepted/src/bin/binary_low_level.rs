//! Groups whose benchmarks are made at run time, by closures and functions in all forms.

use iai_callgrind::__internal::Member;
use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, Bench, BenchmarkId,
    BinaryBenchmark, BinaryBenchmarkConfig, BinaryBenchmarkGroup, Command, Sandbox,
};

#[binary_benchmark(config = BinaryBenchmarkConfig::default().env("A", "b"), setup = println!("setup"))]
#[bench::one("1")]
#[benches::more("2", "3")]
#[benches::iterated(iter = ["4", "5"])]
fn echo(text: &str) -> Command {
    Command::new("echo").arg(text)
}

#[binary_benchmark]
fn plain() -> Command {
    Command::new("true")
}

fn one() -> BinaryBenchmark {
    let mut benchmark = BinaryBenchmark::new("one");
    benchmark.bench(Bench::new("id").command(Command::new("true")));
    benchmark
}

fn add(group: &mut BinaryBenchmarkGroup) {
    group.binary_benchmark(one());
}

mod inner {
    use iai_callgrind::BinaryBenchmarkGroup as Group;

    pub fn add(group: &mut Group) {
        group.binary_benchmark(super::one());
    }

    pub mod deeper {
        iai_callgrind::binary_benchmark_group!(name = above, benchmarks = super::add);
    }
}

// The type need not be imported, can be written as a path, or be left out.
mod not_imported {
    iai_callgrind::binary_benchmark_group!(
        name = by_name,
        benchmarks = |group: &mut BinaryBenchmarkGroup| group.binary_benchmark(super::one())
    );
    iai_callgrind::binary_benchmark_group!(
        name = by_path;
        benchmarks = |group: &mut iai_callgrind::BinaryBenchmarkGroup| { super::add(group); }
    );
    iai_callgrind::binary_benchmark_group!(
        name = untyped;
        benchmarks = |group| { group.binary_benchmark(super::one()) };
    );
    use iai_callgrind::BinaryBenchmarkGroup as Alias;
    iai_callgrind::binary_benchmark_group!(
        name = by_alias;
        benchmarks = |all: &mut Alias| { all.binary_benchmarks([super::one()]) };
    );
}

binary_benchmark_group!(name = by_function, benchmarks = add);
binary_benchmark_group!(name = by_path_of_function, benchmarks = [inner::add]);
binary_benchmark_group!(name = mixed, benchmarks = [echo, inner::add, self::plain]);
binary_benchmark_group!(
    name = pattern,
    benchmarks = move |group @ &mut _: &mut BinaryBenchmarkGroup| {
        for n in [1, 2] {
            if n == 2 {
                return;
            }
            group.binary_benchmark(BinaryBenchmark::new(format!("b{n}")).bench(&Bench::new("x")));
        }
    }
);
binary_benchmark_group!(
    name = everything,
    config = BinaryBenchmarkConfig::default(),
    benchmarks = |group: &mut BinaryBenchmarkGroup| {
        let lines = 10;
        group
            .binary_benchmark(
                BinaryBenchmark::new(BenchmarkId::with_parameter("cat", lines))
                    .config(BinaryBenchmarkConfig::default().sandbox(Sandbox::new(true)))
                    .setup(move || std::fs::write("in.txt", "x\n".repeat(lines)).unwrap())
                    .teardown(delete)
                    .bench(
                        Bench::new(String::from("id"))
                            .config(&BinaryBenchmarkConfig::default())
                            .setup(|| panic!("never"))
                            .command(Command::new("cat").arg("in.txt")),
                    )
                    .bench(
                        Bench::new("several")
                            .commands([Command::new("a"), Command::new("b").arg("c").build()]),
                    ),
            )
            .binary_benchmark(binary_benchmark_attribute!(echo))
            .binary_benchmark(binary_benchmark_attribute!(self::plain).teardown(delete))
    }
);

#[expect(dead_code, reason = "a teardown runs with its benchmark only")]
fn delete() {
    std::fs::remove_file("in.txt").unwrap();
}

mod suite {
    use super::*;

    iai_callgrind::main!(
        binary_benchmark_groups = [
            by_function,
            by_path_of_function,
            mixed,
            pattern,
            everything,
            not_imported::by_name,
            not_imported::by_path,
            not_imported::untyped,
            not_imported::by_alias,
            inner::deeper::above,
        ]
    );

    pub fn _run() {
        main();
    }
}

#[track_caller]
fn check(members: Vec<Member>, expected: &[Option<&BinaryBenchmarkGroup>]) {
    assert_eq!(members.len(), expected.len());
    for (member, expected) in members.into_iter().zip(expected) {
        match (member, expected) {
            (Member::Function(_), None) => {}
            (Member::Build(build), Some(expected)) => {
                let mut group = BinaryBenchmarkGroup::default();
                build.add(&mut group);
                assert_eq!(group, **expected);
            }
            _ => panic!("another kind of member"),
        }
    }
}

fn main() {
    let mut with_one = BinaryBenchmarkGroup::default();
    add(&mut with_one);
    let with_one = Some(&with_one);
    check((by_function::__GROUP.functions)(), &[with_one]);
    check((by_path_of_function::__GROUP.functions)(), &[with_one]);
    check((mixed::__GROUP.functions)(), &[None, with_one, None]);
    check((not_imported::by_name::__GROUP.functions)(), &[with_one]);
    check((not_imported::by_path::__GROUP.functions)(), &[with_one]);
    check((not_imported::untyped::__GROUP.functions)(), &[with_one]);
    check((not_imported::by_alias::__GROUP.functions)(), &[with_one]);
    check((inner::deeper::above::__GROUP.functions)(), &[with_one]);

    let mut expected = BinaryBenchmarkGroup::default();
    expected.binary_benchmark(BinaryBenchmark::new("b1").bench(Bench::new("x")));
    check((pattern::__GROUP.functions)(), &[Some(&expected)]);

    let text = format!("{:?}", binary_benchmark_attribute!(echo));
    for id in ["one", "more_0", "more_1", "iterated_0", "iterated_1"] {
        assert!(text.contains(&format!("BenchmarkId(\"{id}\")")), "{text}");
    }
    assert_eq!(text.matches("setup: Some(Fn())").count(), 5, "{text}");
    assert!(text.contains("\\\"5\\\""), "{text}");
    let text = format!("{:?}", binary_benchmark_attribute!(plain));
    assert_eq!(text.matches("BenchmarkId(\"plain\")").count(), 2, "{text}");
}
