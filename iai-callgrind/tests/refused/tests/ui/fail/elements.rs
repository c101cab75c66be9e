use iai_callgrind::library_benchmark;

#[library_benchmark]
#[benches::both(args = [1], iter = 0..3)]
#[benches::three(file = "x", args = [1], iter = 0..3)]
#[benches::positional(1, iter = 0..3)]
#[benches::no_path(file = 1)]
#[bench::one(iter = 0..3)]
fn sources(_: u64) {}

#[library_benchmark]
#[benches::two(iter = 0..3)]
fn two_parameters(_: u64, _: u64) {}

#[library_benchmark]
#[bench::no_list(1, consts = 4)]
#[bench::too_few(1, consts = (4))]
#[bench::too_many(1, consts = [4, 5, 6])]
#[benches::no_array(1, 2, consts = (4, 5))]
#[benches::empty(1, 2, consts = [])]
#[benches::one_short(1, 2, consts = [(4, 5), 6])]
#[benches::with_iter(iter = 0..3, consts = [(4, 5), (6, 7)])]
fn consts<const M: usize, const N: usize>(_: u64) -> [u64; M] {
    [N as u64; M]
}

#[library_benchmark]
#[bench::given(1, consts = (4))]
fn no_const_generics<T>(_: T) {}

#[library_benchmark]
#[bench::empty(1, label = "")]
#[bench::lines(1, label = "a\nb")]
#[bench::no_text(1, label = 3)]
#[bench::plural(1, labels = ["a"])]
#[benches::too_few(1, 2, labels = ["a"])]
#[benches::no_array(1, 2, labels = "a")]
#[benches::with_iter(iter = 0..3, labels = ["a", "b", "c"])]
fn labels(_: u64) {}

fn main() {}
