//! One benchmark for each edit, of the same name as the function that is edited or calls what is.

use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use lab::{input, kinds, package, swaps, user};

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

#[library_benchmark]
#[bench::all((0..300).collect(), input::keys(100))]
fn generic_function(numbers: Vec<u32>, names: Vec<String>) -> u64 {
    kinds::generic_function(black_box(&numbers), black_box(&names))
}

#[library_benchmark]
#[bench::all(input::words(100))]
fn associated_constant(text: String) -> String {
    kinds::associated_constant(black_box(text.as_bytes()))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn closure_body(text: String) -> usize {
    kinds::closure_body(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn shifted_closures(text: String) -> u64 {
    kinds::shifted_closures(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::numbers(400).collect())]
fn iterator_chain(numbers: Vec<u64>) -> u64 {
    kinds::iterator_chain(black_box(&numbers))
}

#[library_benchmark]
#[bench::all(200)]
fn queue(count: u64) -> u64 {
    kinds::queue(black_box(count))
}

#[library_benchmark]
#[bench::all(kinds::shapes(90))]
fn trait_object(shapes: Vec<Box<dyn kinds::Shape>>) -> f64 {
    kinds::trait_object(black_box(&shapes))
}

#[library_benchmark]
#[bench::all((1..90).map(|n| kinds::Square(f64::from(n))).collect())]
fn default_method(shapes: Vec<kinds::Square>) -> String {
    kinds::default_method(black_box(&shapes))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn overridden_method(text: String) -> usize {
    kinds::overridden_method(black_box(&text))
}

#[library_benchmark]
#[bench::all(kinds::versions(200))]
fn ordering(mut versions: Vec<kinds::Version>) -> Vec<kinds::Version> {
    kinds::ordering(black_box(&mut versions));
    versions
}

#[library_benchmark]
#[bench::all((0..100).map(|n| kinds::Cents(n * 137)).collect())]
fn display(amounts: Vec<kinds::Cents>) -> usize {
    kinds::display(black_box(&amounts))
}

#[library_benchmark]
#[bench::all(100)]
fn dropped(count: u64) -> u64 {
    kinds::dropped(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn collected(count: u32) -> u64 {
    kinds::collected(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn const_generic(count: u64) -> u64 {
    kinds::const_generic(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn two_levels(count: u32) -> u64 {
    kinds::two_levels(black_box(count))
}

#[library_benchmark]
#[bench::all(kinds::labels(200))]
fn type_alias(labels: Vec<kinds::Label>) -> Vec<kinds::Label> {
    kinds::type_alias(black_box(&labels))
}

#[library_benchmark]
#[bench::all("(1+20)*(3+400*(5+6))+70*80+(9+(10+11)*12)*".repeat(20) + "1")]
fn circle(text: String) -> i64 {
    kinds::circle(black_box(&text))
}

#[library_benchmark]
#[bench::all(kinds::Tree::of(7))]
fn recursion(tree: kinds::Tree) -> u64 {
    kinds::recursion(black_box(&tree))
}

#[library_benchmark]
#[bench::all((0..100).map(|n| format!(" {n}.5")).collect())]
fn macro_function(texts: Vec<String>) -> f64 {
    kinds::macro_function(black_box(&texts))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn macro_expression(text: String) -> usize {
    kinds::macro_expression(black_box(&text))
}

#[library_benchmark]
#[bench::all(100)]
fn asynchronous(count: u64) -> u64 {
    kinds::asynchronous(black_box(count))
}

#[library_benchmark]
#[bench::all(input::words(1000))]
fn cold_path(text: String) -> u64 {
    kinds::cold_path(black_box(text.as_bytes()))
}

#[library_benchmark]
#[bench::all(input::keys(100))]
fn error_path(texts: Vec<String>) -> usize {
    kinds::error_path(black_box(&texts))
}

#[library_benchmark]
#[bench::all(input::words(500))]
fn growth(words: String) -> String {
    kinds::growth(black_box(&words))
}

#[library_benchmark]
#[bench::all(input::words(50))]
fn pointer_table(text: String) -> u64 {
    kinds::pointer_table(black_box(text.as_bytes()))
}

#[library_benchmark]
#[bench::all(100)]
fn pointer_target(count: u64) -> u64 {
    kinds::pointer_target(black_box(count))
}

#[library_benchmark]
#[bench::all(100)]
fn pointer_argument(count: u64) -> u64 {
    kinds::pointer_argument(black_box(count))
}

#[library_benchmark]
#[bench::all(5)]
fn rounds(count: u64) -> u64 {
    kinds::rounds(black_box(count))
}

#[library_benchmark]
#[bench::all(1)]
fn sizes(start: u64) -> u64 {
    kinds::sizes(black_box(start))
}

#[library_benchmark]
#[bench::all(input::words(200))]
fn constant(text: String) -> u64 {
    kinds::constant(black_box(text.as_bytes()))
}

#[library_benchmark]
#[bench::all(input::words(200))]
fn flag(words: String) -> usize {
    kinds::flag(black_box(&words))
}

#[library_benchmark]
#[bench::all(input::words(100))]
fn swapped_names(text: String) -> u64 {
    kinds::swapped_names(black_box(text.as_bytes()))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn renamed(text: String) -> usize {
    kinds::renamed(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn renamed_and_edited(text: String) -> usize {
    kinds::renamed_and_edited(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn split(text: String) -> u64 {
    kinds::split(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn joined(text: String) -> usize {
    kinds::joined(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn moved_module(text: String) -> u64 {
    kinds::moved_module(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn moved_and_unchanged(text: String) -> u64 {
    kinds::moved_and_unchanged(black_box(&text))
}

#[library_benchmark]
#[bench::all(input::log(60))]
fn moved_file(text: String) -> String {
    kinds::moved_file(black_box(&text))
}

library_benchmark_group!(
    name = kinds_of_code,
    benchmarks = [
        generic_function,
        associated_constant,
        closure_body,
        shifted_closures,
        iterator_chain,
        queue,
        trait_object,
        default_method,
        overridden_method,
        ordering,
        display,
        dropped,
        collected,
        const_generic,
        two_levels,
        type_alias,
        circle,
        recursion,
        macro_function,
        macro_expression,
        asynchronous,
        cold_path,
        error_path,
        growth,
        pointer_table,
        pointer_target,
        pointer_argument,
        rounds,
        sizes,
        constant,
        flag,
        swapped_names,
        renamed,
        renamed_and_edited,
        split,
        joined,
        moved_module,
        moved_and_unchanged,
        moved_file
    ]
);

main!(library_benchmark_groups = [user_code, packages, swaps_of_code, kinds_of_code]);
