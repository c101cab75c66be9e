//! The amount that a benchmark handles.

/// Amount that a benchmark handles in one run: the parameter `throughput` of
/// [`#[library_benchmark]`](crate::library_benchmark) and
/// [`#[binary_benchmark]`](crate::binary_benchmark), of each of their benches, and of
/// [`Bench`](crate::Bench).
///
/// Instructions are shown for each byte or element as well then ([`InstructionsPerByte`] and
/// [`InstructionsPerElement`]): in the output, in JSON and in comparisons, and they can have
/// limits. By default nothing is said, and there are no such figures.
///
/// In an attribute `Bytes` and `Elements` need no import and take any whole number. What stands
/// there is evaluated when the benchmarks are listed, in another process than the one that is
/// measured, so it changes no count.
///
/// [`InstructionsPerByte`]: crate::EventKind::InstructionsPerByte
/// [`InstructionsPerElement`]: crate::EventKind::InstructionsPerElement
///
/// # Errors
///
/// 0 is an error before anything runs. Amounts of one unit add up.
///
/// # Examples
///
/// ```standalone_crate
/// # mod of_the_file {
/// use iai_callgrind::{library_benchmark, library_benchmark_group, main, Throughput};
///
/// /// The names are those of the parameters.
/// #[library_benchmark(throughput = Bytes(text.len()))]
/// #[bench::short("a few words")]
/// #[bench::long(&"word ".repeat(1000))]
/// fn count_words(text: &str) -> usize {
///     text.split(' ').count()
/// }
///
/// fn numbers(n: usize) -> Vec<u64> {
///     (0..n as u64).collect()
/// }
///
/// /// Before the setup there is no `values` yet, so a function gets what the setup gets.
/// #[library_benchmark]
/// #[benches::many(args = [10, 1000], setup = numbers, throughput = |n: usize| [Elements(n), Bytes(8 * n)])]
/// fn sum(values: Vec<u64>) -> u64 {
///     values.iter().sum()
/// }
///
/// fn of_text(text: &str) -> Throughput {
///     Throughput::Bytes(text.len() as u64)
/// }
///
/// /// `()` is no amount: this case has no such figures. So is the `None` of a function.
/// #[library_benchmark(throughput = of_text)]
/// #[bench::line("a line")]
/// #[bench::empty(args = (""), throughput = ())]
/// fn parse(text: &str) -> usize {
///     text.lines().count()
/// }
///
/// library_benchmark_group!(name = texts, benchmarks = [count_words, sum, parse]);
/// main!(library_benchmark_groups = texts);
/// # }
/// # fn main() {}
/// ```
#[doc(alias(
    "BytesDecimal",
    "BytesCount",
    "ItemsCount",
    "CharsCount",
    "counter",
    "counters"
))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Throughput {
    /// Number of bytes.
    Bytes(u64),
    /// Number of elements, or of whatever else the benchmark handles one by one.
    Elements(u64),
}
