//! The argument with which a benchmark chooses the routine that is measured.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{self, AssertUnwindSafe};

use iai_callgrind::__internal::{discard, measured};

use crate::counter::{AsCountUInt, Counter, Counters, IntoCounter};

/// Says which routine of a benchmark is measured. One call of it is counted, whatever Divan would
/// do to time it.
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// #[divan::bench]
/// fn copy(bencher: divan::Bencher) {
///     let source: Vec<u32> = (0..100).collect();
///     let mut target = vec![0; source.len()];
///     bencher.bench_local(move || divan::black_box(&mut target).copy_from_slice(&source));
/// }
/// ```
pub struct Bencher<'a, 'b, C = BencherConfig> {
    purpose: Purpose<'a>,
    config: C,
    marker: PhantomData<&'b ()>,
}

/// Why the function of a benchmark is called.
enum Purpose<'a> {
    Measure,
    /// The counters that it sets are of interest, and no routine is called.
    Describe(&'a Cell<Counters>),
}

/// Configuration of a [`Bencher`]: the source of its inputs.
pub struct BencherConfig<G = NoInputs> {
    inputs: RefCell<G>,
}

/// There are no inputs.
#[non_exhaustive]
pub struct NoInputs;

impl Bencher<'_, '_> {
    pub(crate) fn measuring() -> Self {
        Self::new(Purpose::Measure)
    }
}

impl<'a, 'b> Bencher<'a, 'b> {
    fn new(purpose: Purpose<'a>) -> Self {
        let inputs = RefCell::new(NoInputs);
        Self {
            purpose,
            config: BencherConfig { inputs },
            marker: PhantomData,
        }
    }

    /// Measures a call of the routine.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn sum(bencher: divan::Bencher) {
    ///     let numbers = [1, 2, 3];
    ///     bencher.bench(|| divan::black_box(&numbers).iter().sum::<i32>());
    /// }
    /// ```
    pub fn bench<O, B>(self, benched: B)
    where
        B: Fn() -> O + Sync,
    {
        self.bench_local(benched);
    }

    /// Measures a call of a routine that may change what it captures.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn push(bencher: divan::Bencher) {
    ///     let mut numbers = Vec::new();
    ///     bencher.bench_local(|| numbers.push(1));
    /// }
    /// ```
    pub fn bench_local<O, B>(self, mut benched: B)
    where
        B: FnMut() -> O,
    {
        if let Purpose::Measure = self.purpose {
            discard(measured(move |()| benched(), ()));
        }
    }

    /// The routine gets an input, which is made before the count begins.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn sort(bencher: divan::Bencher) {
    ///     bencher
    ///         .with_inputs(|| vec![3, 1, 2])
    ///         .bench_refs(|numbers| numbers.sort());
    /// }
    /// ```
    pub fn with_inputs<G>(self, gen_input: G) -> Bencher<'a, 'b, BencherConfig<G>> {
        Bencher {
            purpose: self.purpose,
            config: BencherConfig {
                inputs: RefCell::new(gen_input),
            },
            marker: PhantomData,
        }
    }
}

impl<GenI> Bencher<'_, '_, BencherConfig<GenI>> {
    /// Says what one call handles. It replaces a counter of the same type.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::BytesCount;
    ///
    /// #[divan::bench]
    /// fn count(bencher: divan::Bencher) {
    ///     let text = "some text";
    ///     bencher
    ///         .counter(BytesCount::of_str(text))
    ///         .bench(|| divan::black_box(text).chars().count());
    /// }
    /// ```
    pub fn counter<C>(self, counter: C) -> Self
    where
        C: IntoCounter,
    {
        if let Purpose::Describe(counters) = self.purpose {
            let mut all = counters.get();
            all.set(counter);
            counters.set(all);
        }
        self
    }
}

impl<I, GenI> Bencher<'_, '_, BencherConfig<GenI>>
where
    GenI: FnMut() -> I,
{
    /// Says what one call handles, by the input. One is made for this alone.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::BytesCount;
    ///
    /// #[divan::bench]
    /// fn count(bencher: divan::Bencher) {
    ///     bencher
    ///         .with_inputs(|| "some text".to_owned())
    ///         .input_counter(BytesCount::of_str)
    ///         .bench_refs(|text| text.chars().count());
    /// }
    /// ```
    pub fn input_counter<C, F>(self, make_counter: F) -> Self
    where
        F: Fn(&I) -> C + Sync + 'static,
        C: IntoCounter,
    {
        match self.purpose {
            // The measured process makes no input but the one that its routine gets.
            Purpose::Measure => self,
            Purpose::Describe(_) => {
                let counter = make_counter(&self.input());
                self.counter(counter)
            }
        }
    }

    /// The input itself is the number of what one call handles.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// use divan::counter::ItemsCount;
    ///
    /// #[divan::bench]
    /// fn collect(bencher: divan::Bencher) {
    ///     bencher
    ///         .with_inputs(|| 100_usize)
    ///         .count_inputs_as::<ItemsCount>()
    ///         .bench_values(|n| (0..n).collect::<Vec<_>>());
    /// }
    /// ```
    pub fn count_inputs_as<C>(self) -> Self
    where
        C: Counter,
        I: AsCountUInt,
    {
        match self.purpose {
            Purpose::Measure => self,
            Purpose::Describe(counters) => {
                let mut all = counters.get();
                all.set_number::<C>(self.input().as_count());
                counters.set(all);
                self
            }
        }
    }

    /// Measures a call that gets the input. What the routine drops of it is counted.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn append(bencher: divan::Bencher) {
    ///     bencher
    ///         .with_inputs(|| "a".to_owned())
    ///         .bench_values(|text| text + "b");
    /// }
    /// ```
    pub fn bench_values<O, B>(self, benched: B)
    where
        B: Fn(I) -> O + Sync,
        GenI: Fn() -> I + Sync,
    {
        self.bench_local_values(benched);
    }

    /// Measures a call that gets the input, of a routine that may change what it captures.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn push(bencher: divan::Bencher) {
    ///     let mut texts = Vec::new();
    ///     bencher
    ///         .with_inputs(|| "a".to_owned())
    ///         .bench_local_values(|text| texts.push(text));
    /// }
    /// ```
    pub fn bench_local_values<O, B>(self, benched: B)
    where
        B: FnMut(I) -> O,
    {
        if let Purpose::Measure = self.purpose {
            let input = self.input();
            discard(measured(benched, input));
        }
    }

    /// Measures a call that gets a reference to the input, which is dropped after it.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn append(bencher: divan::Bencher) {
    ///     bencher
    ///         .with_inputs(|| "a".to_owned())
    ///         .bench_refs(|text| text.push('b'));
    /// }
    /// ```
    pub fn bench_refs<O, B>(self, benched: B)
    where
        B: Fn(&mut I) -> O + Sync,
        GenI: Fn() -> I + Sync,
    {
        self.bench_local_refs(benched);
    }

    /// Measures a call that gets a reference to the input, of a routine that may change what it
    /// captures.
    ///
    /// ```no_run
    /// # use iai_callgrind_divan as divan;
    /// #[divan::bench]
    /// fn count(bencher: divan::Bencher) {
    ///     let mut bytes = 0;
    ///     bencher
    ///         .with_inputs(|| "a".to_owned())
    ///         .bench_local_refs(|text| bytes += text.len());
    /// }
    /// ```
    pub fn bench_local_refs<O, B>(self, mut benched: B)
    where
        B: FnMut(&mut I) -> O,
    {
        if let Purpose::Measure = self.purpose {
            let mut input = self.input();
            discard(measured(move |input: &mut I| benched(input), &mut input));
            discard(input);
        }
    }

    fn input(&self) -> I {
        (self.config.inputs.borrow_mut())()
    }
}

impl<C> fmt::Debug for Bencher<'_, '_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bencher").finish_non_exhaustive()
    }
}

/// The counters that the function of a benchmark sets. One that panics has none: its run will say
/// why.
pub(crate) fn described(function: impl Fn(Bencher<'_, '_>)) -> Counters {
    let counters = Cell::new(Counters::default());
    let hook = panic::take_hook();
    // Silent: the run of this benchmark panics as well, and shows it.
    panic::set_hook(Box::new(|_| {}));
    let ended = panic::catch_unwind(AssertUnwindSafe(|| {
        function(Bencher::new(Purpose::Describe(&counters)));
    }));
    panic::set_hook(hook);
    match ended {
        Ok(()) => counters.get(),
        Err(_) => Counters::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{BytesCount, ItemsCount};

    #[test]
    fn a_description_takes_counters_and_calls_no_routine() {
        let counters = described(|bencher| {
            bencher
                .counter(5_u8)
                .with_inputs(|| 7_u32)
                .count_inputs_as::<BytesCount>()
                .input_counter(|n| ItemsCount::new(*n + 1))
                .bench_values(|_| panic!("called"));
        });
        let throughput = counters.throughput().unwrap();
        assert_eq!((throughput.bytes, throughput.elements), (Some(7), Some(8)));
    }

    #[test]
    fn a_function_that_panics_has_no_counters() {
        let counters = described(|bencher| {
            let _ = bencher.counter(5_u8);
            panic!("no file");
        });
        assert!(counters.throughput().is_none());
    }
}
