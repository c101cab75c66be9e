//! One benchmark for each edit, of the same name as the function that is edited or calls what is.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use lab::{input, package, swaps, user};

#[library_benchmark]
#[bench::all(input::records(400))]
fn sort_records(mut records: Vec<user::Record>) -> Vec<user::Record> {
    user::sort_records(black_box(&mut records));
    records
}

#[library_benchmark]
#[bench::all(&input::words(2000))]
fn count_words(text: &str) -> usize {
    user::count_words(black_box(text)).len()
}

#[library_benchmark]
#[bench::all(18)]
fn fib(n: u64) -> u64 {
    user::fib(black_box(n))
}

#[library_benchmark]
#[bench::all(&input::points(2000))]
fn distances(points: &[(f64, f64)]) -> f64 {
    user::distances(black_box(points))
}

#[library_benchmark]
#[bench::all(&input::records(100))]
fn write_json(records: &[user::Record]) -> String {
    user::write_json(black_box(records))
}

#[library_benchmark]
#[bench::all(&input::log(40))]
fn find_dates(text: &str) -> usize {
    user::find_dates(black_box(text))
}

#[library_benchmark]
#[bench::all(&input::markdown(20))]
fn render_markdown(text: &str) -> String {
    user::render_markdown(black_box(text))
}

#[library_benchmark]
#[bench::all(&input::map(200), &input::keys(200))]
fn look_up(map: &indexmap::IndexMap<String, u32, user::Hasher>, keys: &[String]) -> u32 {
    user::look_up(black_box(map), black_box(keys))
}

#[library_benchmark]
#[bench::all(&input::log(100))]
fn count_fields(lines: &str) -> usize {
    user::count_fields(black_box(lines))
}

#[library_benchmark]
#[bench::all(&input::words(1000))]
fn distinct_words(text: &str) -> usize {
    user::distinct_words(black_box(text))
}

#[library_benchmark]
#[bench::all(&input::markdown(40))]
fn find_names(text: &str) -> usize {
    user::find_names(black_box(text))
}

#[library_benchmark]
#[bench::all(&input::log(200))]
fn count_lines(text: &str) -> usize {
    user::count_lines(black_box(text.as_bytes()))
}

library_benchmark_group!(
    name = user_code,
    benchmarks = [
        sort_records,
        count_words,
        fib,
        distances,
        write_json,
        find_dates,
        render_markdown,
        look_up,
        count_fields,
        distinct_words,
        find_names,
        count_lines
    ]
);

#[library_benchmark]
#[bench::all(&input::json(100))]
fn parse_strings(json: &str) -> Vec<String> {
    package::parse_strings(black_box(json))
}

#[library_benchmark]
#[bench::all(&input::strings(100))]
fn write_strings(strings: &[String]) -> String {
    package::write_strings(black_box(strings))
}

#[library_benchmark]
#[bench::all(&input::floats(200))]
fn write_floats(floats: &[f64]) -> String {
    package::write_floats(black_box(floats))
}

#[library_benchmark]
#[bench::all(&input::percent(100))]
fn decode_percent(text: &str) -> String {
    package::decode_percent(black_box(text))
}

#[library_benchmark]
#[bench::all(&input::keys(1000))]
fn grow_table(keys: &[String]) -> usize {
    package::grow_table(black_box(keys)).len()
}

#[library_benchmark]
#[bench::all(input::indices(400))]
fn remove_first(mut map: indexmap::IndexMap<u32, u32, user::Hasher>) -> usize {
    package::remove_first(black_box(&mut map), 100);
    map.len()
}

#[library_benchmark]
#[bench::all(1000)]
fn push_all(count: u32) -> usize {
    package::push_all(black_box(count)).len()
}

#[library_benchmark]
#[bench::all(&input::keys(100))]
fn build_automaton(words: &[String]) -> usize {
    package::build_automaton(black_box(words))
}

#[library_benchmark]
#[bench::all(r"\w+@\w+")]
fn compile_regex(pattern: &str) -> regex::Regex {
    package::compile_regex(black_box(pattern))
}

#[library_benchmark]
#[bench::all(&input::toml(50))]
fn read_toml(text: &str) -> usize {
    package::read_toml(black_box(text)).len()
}

#[library_benchmark]
#[bench::all(&input::markdown(20))]
fn markdown_events(text: &str) -> usize {
    package::markdown_events(black_box(text))
}

#[library_benchmark]
#[bench::all(&(0..500).collect::<Vec<u32>>())]
fn join_numbers(numbers: &[u32]) -> String {
    package::join_numbers(black_box(numbers))
}

library_benchmark_group!(
    name = packages,
    benchmarks = [
        parse_strings,
        write_strings,
        write_floats,
        decode_percent,
        grow_table,
        remove_first,
        push_all,
        build_automaton,
        compile_regex,
        read_toml,
        markdown_events,
        join_numbers
    ]
);

#[library_benchmark]
#[bench::all(&input::words(200))]
fn own_module(text: &str) -> u64 {
    swaps::own_module(black_box(text.as_bytes()))
}

#[library_benchmark]
#[bench::all((0..1000).map(|n| n * 7919 % 6131).collect())]
fn std_module(mut numbers: Vec<u64>) -> u64 {
    swaps::std_module(black_box(&mut numbers))
}

#[library_benchmark]
#[bench::all(&input::markdown(20))]
fn package_module(text: &str) -> usize {
    swaps::package_module(black_box(text))
}

#[library_benchmark]
#[bench::all(100)]
fn const_argument(count: u64) -> u64 {
    swaps::const_argument(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn type_argument(count: u64) -> u64 {
    swaps::type_argument(black_box(count))
}

#[library_benchmark]
#[bench::all(300)]
fn collection(count: u64) -> usize {
    swaps::collection(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn dyn_type(count: u64) -> u64 {
    swaps::dyn_type(black_box(count))
}

#[library_benchmark]
#[bench::all(200)]
fn format_string(count: u64) -> String {
    swaps::format_string(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn data_only(count: usize) -> u64 {
    swaps::data_only(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn merged(count: u64) -> u64 {
    swaps::merged(black_box(count))
}

#[library_benchmark]
#[bench::all(&input::log(100))]
fn temporary(text: &str) -> u64 {
    swaps::temporary(black_box(text))
}

#[library_benchmark]
#[bench::all(10)]
fn argument_only(count: u64) -> u64 {
    swaps::argument_only(black_box(count))
}

library_benchmark_group!(
    name = swaps_of_code,
    benchmarks = [
        own_module,
        std_module,
        package_module,
        const_argument,
        type_argument,
        collection,
        dyn_type,
        format_string,
        data_only,
        merged,
        temporary,
        argument_only
    ]
);

main!(library_benchmark_groups = [user_code, packages, swaps_of_code]);
