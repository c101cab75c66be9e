//! Bounds for the size of a page: selects the details that fit.
//!
//! A page that cannot be sent or opened is useless. So the details of one benchmark have a bound,
//! and those of all have one. The least important details are left out first: machine code, then
//! source lines, then small frames, then the details of unchanged benchmarks. The page says what
//! was left out.
//!
//! The details of a benchmark are made by threads, one after the other, and packed at once, so that
//! never more than a few are in memory. The extent for all is found with a sample of the benchmarks
//! first, since each try costs as much time. Nothing depends on the threads: the same input gives
//! the same page.

use std::io::{self, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

use super::benchmarks::{PageBenchmarks, PageMetrics};
use super::details::DetailedBenchmark;
use super::history::PageHistory;
use super::packed::packed;
use crate::kept_digests::{BenchmarkDetails, DetailSource, WantedDetails};
use explain::ExplainedRow;

/// Bounds of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageBounds {
    /// Bytes of the details of one benchmark, as they stand in the page.
    pub of_one: usize,
    /// Bytes of the page, except for those of the index of many thousand benchmarks.
    pub of_page: usize,
    /// Bytes of all details for which there is always room.
    pub(super) of_details: usize,
}

impl Default for PageBounds {
    fn default() -> Self {
        Self {
            of_one: 40_000,
            of_page: 20_000_000,
            of_details: 2_000_000,
        }
    }
}

/// Bytes that the index has for each benchmark, and the page as a whole.
const INDEX_OF_ONE: usize = 450;
const FRAME: usize = 300_000;

/// Benchmarks of the sample.
const SAMPLE: usize = 24;

/// Threads, at most: more wait for each other.
const MOST_THREADS: usize = 8;

/// Everything that details are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageInputs<'a> {
    pub benchmarks: &'a PageBenchmarks<'a>,
    pub metrics: &'a PageMetrics<'a>,
    pub history: &'a PageHistory,
    pub source: Option<&'a dyn DetailSource>,
    pub bounds: PageBounds,
}

/// Details of all benchmarks that there is room for.
#[derive(Debug, Default)]
pub(super) struct PackedDetails {
    all: Vec<Option<PackedBenchmark>>,
    left_out: Vec<String>,
}

#[derive(Debug)]
struct PackedBenchmark {
    text: String,
    /// The first cause of the change.
    cause: Option<String>,
    /// Steps that this benchmark went further than all.
    is_reduced: bool,
}

/// The parts of the details of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DetailExtent {
    pub assembly: bool,
    pub source: bool,
    /// Smallest frames, in percent of the costs of a side; 0: there are none.
    pub frames: f64,
    /// Functions, at most.
    pub functions: usize,
    pub explanation: bool,
}

const EVERYTHING: DetailExtent = DetailExtent {
    assembly: true,
    source: true,
    frames: 0.1,
    functions: 200,
    explanation: true,
};

/// Extents of the details of a benchmark, each with less than the one before.
const EXTENTS: [DetailExtent; 7] = [
    EVERYTHING,
    DetailExtent {
        assembly: false,
        ..EVERYTHING
    },
    DetailExtent {
        assembly: false,
        source: false,
        ..EVERYTHING
    },
    SMALL,
    DetailExtent {
        functions: 50,
        ..SMALL
    },
    DetailExtent {
        functions: 20,
        frames: 0.0,
        ..SMALL
    },
    DetailExtent {
        functions: 0,
        frames: 0.0,
        explanation: false,
        ..SMALL
    },
];

const SMALL: DetailExtent = DetailExtent {
    assembly: false,
    source: false,
    frames: 0.5,
    ..EVERYTHING
};

/// Extents of all details: the index of an extent in the list of those of one benchmark, and
/// whether unchanged benchmarks have any.
const STEPS: [(usize, bool); 5] = [(0, true), (1, true), (2, true), (3, true), (3, false)];

impl DetailExtent {
    /// Names of the parts that are left out although there are some.
    pub(super) fn left_out(&self, details: &BenchmarkDetails) -> Vec<String> {
        let has = [
            (
                !self.assembly && !details.code.functions.is_empty(),
                "assembly",
            ),
            (!self.source && !details.lines.is_empty(), "source"),
            (
                self.frames > EVERYTHING.frames && details.frames.is_some(),
                "small frames",
            ),
            (self.frames == 0.0 && details.frames.is_some(), "flamegraph"),
            (
                self.functions < details.functions.len(),
                "functions of small costs",
            ),
            (!self.explanation && details.explanation.is_some(), "causes"),
        ];
        let has = has.into_iter().filter(|(is_missing, _)| *is_missing);
        has.map(|(_, part)| part.to_owned()).collect()
    }
}

impl PackedDetails {
    /// Does this benchmark have details?
    pub(super) fn has(&self, place: usize) -> bool {
        self.one(place).is_some()
    }

    /// The first cause of the change of a benchmark.
    pub(super) fn cause(&self, place: usize) -> Option<&str> {
        self.one(place)?.cause.as_deref()
    }

    /// Names of the parts that are left out for all benchmarks.
    pub(super) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Writes the elements with the details. As one text they would need as much memory once more.
    pub(super) fn write_elements(&self, out: &mut dyn Write) -> io::Result<()> {
        for (place, one) in self.all.iter().enumerate() {
            if let Some(PackedBenchmark { text, .. }) = one {
                let kind = "application/octet-stream;base64";
                writeln!(
                    out,
                    "<script type=\"{kind}\" id=\"d{place}\">{text}</script>"
                )?;
            }
        }
        Ok(())
    }

    fn one(&self, place: usize) -> Option<&PackedBenchmark> {
        self.all.get(place)?.as_ref()
    }

    fn size(&self) -> usize {
        let all = self.all.iter().flatten();
        all.map(|one| one.text.len()).sum()
    }
}

/// The details of all benchmarks.
pub(super) fn packed_details(inputs: &PageInputs<'_>) -> io::Result<PackedDetails> {
    let count = inputs.benchmarks.all.len();
    let PageBounds {
        of_page,
        of_details,
        ..
    } = inputs.bounds;
    // The index of many thousand benchmarks may take all of it; the first ones still get details.
    let room = of_page.saturating_sub(FRAME + count * INDEX_OF_ONE);
    let room = room.max(of_details);
    for step in first_step(inputs, room)?..STEPS.len() {
        let all: Vec<usize> = (0..count).collect();
        let is_last = step + 1 == STEPS.len();
        // The last step goes on to its end: who comes first when it stops would depend on the
        // threads.
        let most = if is_last { usize::MAX } else { room };
        let mut details = PackedDetails {
            all: packed_each(inputs, &all, step, most)?,
            left_out: Vec::new(),
        };
        if is_last || details.size() <= room {
            keep(&mut details, room);
            details.left_out = left_out(&details, step);
            return Ok(details);
        }
    }
    Ok(PackedDetails::default())
}

/// The first step at which all details may fit, by those of a sample.
fn first_step(inputs: &PageInputs<'_>, room: usize) -> io::Result<usize> {
    let count = inputs.benchmarks.all.len();
    // Each is within its own bound, so all fit without a try.
    if count * inputs.bounds.of_one <= room || inputs.source.is_none() {
        return Ok(0);
    }
    // Spread over all: reports are sorted by class, and unchanged benchmarks have less to tell.
    let sample: Vec<usize> = (0..SAMPLE).map(|place| place * count / SAMPLE).collect();
    let sizes = by_threads(&sample, |place| {
        let details = found_details(inputs, place, EVERYTHING);
        let size = |step| -> io::Result<usize> {
            let packed = packed_one(inputs, place, step, &details)?;
            Ok(packed.map_or(0, |packed| packed.text.len()))
        };
        (0..STEPS.len()).map(size).collect::<io::Result<Vec<_>>>()
    })?;
    let fits = |step: &usize| {
        let size: usize = sizes.iter().map(|sizes| sizes[*step]).sum();
        size / sample.len() * count <= room
    };
    Ok((0..STEPS.len()).find(fits).unwrap_or(STEPS.len() - 1))
}

/// Packs the details of some benchmarks, in their order. Above `most` bytes it does not go on.
fn packed_each(
    inputs: &PageInputs<'_>,
    places: &[usize],
    step: usize,
    most: usize,
) -> io::Result<Vec<Option<PackedBenchmark>>> {
    let size = AtomicUsize::new(0);
    by_threads(places, |place| {
        let (first, with_unchanged) = STEPS[step];
        let is_left_out = !with_unchanged && inputs.benchmarks.all[place].is_unchanged();
        // Too much already: the caller goes to the next step, and nothing of this one is used. No
        // other memory depends on the sum, so its order is free.
        if is_left_out || size.load(Ordering::Relaxed) > most {
            return Ok(None);
        }
        let details = found_details(inputs, place, EXTENTS[first]);
        let one = packed_one(inputs, place, step, &details)?;
        let length = one.as_ref().map_or(0, |one| one.text.len());
        size.fetch_add(length, Ordering::Relaxed);
        Ok(one)
    })
}

/// Calls `work` for each place on several threads and returns the results in the order of the
/// places.
fn by_threads<T: Send>(
    places: &[usize],
    work: impl Fn(usize) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(places.len()));
    let work = || -> io::Result<()> {
        loop {
            // One place at a time, since benchmarks differ in size. Results pass through the lock,
            // so no other memory depends on the counter.
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = places.get(index) else {
                return Ok(());
            };
            let one = work(*place)?;
            let mut found = found
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            found.push((index, one));
        }
    };
    thread::scope(|scope| {
        // One less, since this thread works as well.
        let others = 1..threads.min(MOST_THREADS).min(places.len().max(1));
        let others: Vec<_> = others.map(|_| scope.spawn(work)).collect();
        let here = work();
        let others = others.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        // All threads end before anything is said.
        let others: Vec<io::Result<()>> = others.collect();
        others.into_iter().chain([here]).collect::<io::Result<()>>()
    })?;
    let mut found = found
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    found.sort_unstable_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, one)| one).collect())
}

/// The details of a benchmark, with less than others if they would be too long. `None`: there are
/// none at this step.
fn packed_one(
    inputs: &PageInputs<'_>,
    place: usize,
    step: usize,
    details: &BenchmarkDetails,
) -> io::Result<Option<PackedBenchmark>> {
    let benchmark = &inputs.benchmarks.all[place];
    let (first, with_unchanged) = STEPS[step];
    if !with_unchanged && benchmark.is_unchanged() {
        return Ok(None);
    }
    let detailed = DetailedBenchmark {
        benchmark,
        metrics: inputs.metrics,
        history: inputs.history,
        details,
    };
    for (extent, is_reduced) in EXTENTS[first..]
        .iter()
        .zip([false].into_iter().chain([true; 7]))
    {
        let text = packed(&detailed.data(*extent)?);
        if text.len() <= inputs.bounds.of_one {
            return Ok(Some(PackedBenchmark {
                text,
                // The index shows it, whatever of the details there is room for.
                cause: cause(details),
                is_reduced,
            }));
        }
    }
    Ok(None)
}

/// All that is known of a benchmark, as far as the extent needs it.
fn found_details(inputs: &PageInputs<'_>, place: usize, extent: DetailExtent) -> BenchmarkDetails {
    let wanted = WantedDetails {
        lines: extent.source,
        code: extent.assembly,
    };
    let main = inputs.benchmarks.all[place].main();
    let details = inputs.source.map(|source| source.details(main, wanted));
    details.unwrap_or_default()
}

/// The first cause, with the function and what it does.
fn cause(details: &BenchmarkDetails) -> Option<String> {
    let causes = &details.explanation.as_ref()?.causes;
    let cause = causes.iter().find_map(ExplainedRow::one)?;
    Some(format!("{}: {}", cause.function, cause.text))
}

/// Keeps the details of the first benchmarks, as far as there is room.
fn keep(details: &mut PackedDetails, room: usize) {
    let mut size = 0;
    for one in &mut details.all {
        size += one.as_ref().map_or(0, |one| one.text.len());
        if size > room {
            *one = None;
        }
    }
}

fn left_out(details: &PackedDetails, step: usize) -> Vec<String> {
    let parts = [
        "assembly",
        "source",
        "frames below 0.5 %",
        "details of unchanged benchmarks",
    ];
    let mut left_out: Vec<String> = parts[..step]
        .iter()
        .map(|part| (*part).to_owned())
        .collect();
    let reduced = details.all.iter().flatten().filter(|one| one.is_reduced);
    match reduced.count() {
        0 => {}
        1 => left_out.push("parts of the details of 1 large benchmark".to_owned()),
        count => left_out.push(format!("parts of the details of {count} large benchmarks")),
    }
    let without = details.all.iter().filter(|one| one.is_none()).count();
    if without > 0 {
        left_out.push(format!("all details of {without} benchmarks"));
    }
    left_out
}
