//! Calls of the functions that iai-callgrind measures, and of their regions, in a profile.
//!
//! Callgrind writes the number of calls at each call site and their inclusive costs. So a profile
//! shows whether the measured function was entered, and whether the total is its cost; and the
//! costs of the calls of the function that runs the closures of `iai_callgrind::measure` are the
//! costs of the regions, as exact as the totals.

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::{read_path, FileError, ParseError};
use super::reader::read_with;
use super::{CallgrindItem, CallgrindProfile, PositionName};
use base::measured_function::{benchmark_of, is_region};

/// Calls of the functions that iai-callgrind measures in one part of a profile. They are known by
/// their names, so profiles of other programs have none.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnteredCalls {
    /// Names of the benchmark functions, each once.
    pub benchmarks: Vec<String>,
    /// Number of calls of these functions.
    pub calls: u64,
    /// Inclusive costs of these calls, one count for each event of the part.
    pub costs: Vec<u64>,
    /// A measured function has self costs. These remain if the program sets the counters to zero
    /// inside of the call, which also sets the number of calls to zero.
    pub has_own: bool,
    /// Costs of the whole thread, from the head of the part.
    pub summary: Vec<u64>,
    /// Functions that called a `setjmp`, each once: a handler can jump into them.
    pub landings: Vec<String>,
    /// Own costs of the functions of each executable and library, by its path.
    pub objects: Vec<(Box<[u8]>, Vec<u64>)>,
}

/// Costs that [`read_calls_of_file`] takes as the totals of a part.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalsOf {
    /// Totals of the file.
    All,
    /// Costs of the closures of `iai_callgrind::measure`; 0 without any.
    Regions,
}

/// As [`read_file`](super::read_file), with the calls of measured functions for each part: for
/// profiles of bench files of iai-callgrind.
///
/// # Errors
///
/// As [`read_file`](super::read_file).
#[doc(hidden)]
pub fn read_calls_of_file(
    path: &Path,
    totals: TotalsOf,
) -> Result<Option<(CallgrindProfile, Vec<EnteredCalls>)>, FileError> {
    read_path(path, |input| read_calls(input, totals))
}

/// Kind of a called function.
enum CalleeKind {
    Measured(String),
    Region,
    Other,
}

/// In the names of all forms of `setjmp` of all C libraries.
static SETJMP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"setjmp"));

fn read_calls(
    input: impl Read,
    totals: TotalsOf,
) -> Result<Option<(CallgrindProfile, Vec<EnteredCalls>)>, ParseError> {
    let mut parts: Vec<(EnteredCalls, Vec<u64>)> = Vec::new();
    let mut callee = CalleeKind::Other;
    let mut is_inside = false;
    let mut function: Vec<u8> = Vec::new();
    // The object of the lines that follow, and that of the function whose costs come at its end.
    let (mut object, mut object_of_function) = (None, None);
    let visit = |event: CallgrindItem<'_>| match event {
        CallgrindItem::Part => {
            parts.push(<_>::default());
            (object, object_of_function) = (None, None);
        }
        CallgrindItem::Callee(PositionName::Function(name)) => {
            callee = called(name);
            if let (Some(_), Some((entered, _))) = (SETJMP.find(name), parts.last_mut()) {
                let caller = String::from_utf8_lossy(&function).into_owned();
                if !entered.landings.contains(&caller) {
                    entered.landings.push(caller);
                }
            }
        }
        CallgrindItem::Place(PositionName::Function(name)) => {
            function.clear();
            function.extend_from_slice(name);
            is_inside = matches!(called(name), CalleeKind::Measured(_));
            object_of_function = object;
        }
        CallgrindItem::Place(PositionName::Object(name)) => {
            if let Some((entered, _)) = parts.last_mut() {
                object = Some(place_of(&mut entered.objects, name));
            }
        }
        CallgrindItem::Own(costs) => {
            if let Some((entered, _)) = parts.last_mut() {
                entered.has_own |= is_inside && costs.iter().any(|cost| *cost > 0);
                let object = object_of_function.and_then(|object| entered.objects.get_mut(object));
                if let Some((_, sums)) = object {
                    add(sums, costs);
                }
            }
        }
        CallgrindItem::Call { count, costs, .. } => {
            let Some((entered, regions)) = parts.last_mut() else {
                return;
            };
            match &callee {
                // A loop that begins with the function is a call of it by itself to Callgrind.
                CalleeKind::Measured(_) if is_inside => {}
                CalleeKind::Measured(benchmark) => {
                    if !entered.benchmarks.contains(benchmark) {
                        entered.benchmarks.push(benchmark.clone());
                    }
                    entered.calls = entered.calls.saturating_add(count);
                    add(&mut entered.costs, costs);
                }
                CalleeKind::Region => add(regions, costs),
                CalleeKind::Other => {}
            }
        }
        _ => {}
    };
    let profile = read_with(input, visit)?;
    let Some(mut profile) = profile else {
        return Ok(None);
    };
    let mut all_entered = Vec::new();
    for (part, (mut entered, mut regions)) in profile.parts.iter_mut().zip(parts) {
        entered.costs.resize(part.events.len(), 0);
        entered.summary = part.summary.clone().unwrap_or_default();
        regions.resize(part.events.len(), 0);
        if totals == TotalsOf::Regions {
            part.totals = regions;
        }
        all_entered.push(entered);
    }
    Ok(Some((profile, all_entered)))
}

/// The place of the object with this path, which is added if it is new. There are few.
fn place_of(objects: &mut Vec<(Box<[u8]>, Vec<u64>)>, path: &[u8]) -> usize {
    let known = objects.iter().position(|(other, _)| **other == *path);
    known.unwrap_or_else(|| {
        objects.push((path.into(), Vec::new()));
        objects.len() - 1
    })
}

fn called(name: &[u8]) -> CalleeKind {
    // To prepare a search takes longer than to search a name.
    static OURS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"__iai_callgrind_"));
    // Most names are those of other functions.
    if OURS.find(name).is_none() {
        return CalleeKind::Other;
    }
    let name = String::from_utf8_lossy(name);
    match benchmark_of(&name) {
        Some(benchmark) => CalleeKind::Measured(benchmark),
        None if is_region(&name) => CalleeKind::Region,
        None => CalleeKind::Other,
    }
}

fn add(sums: &mut Vec<u64>, costs: &[u64]) {
    if sums.len() < costs.len() {
        sums.resize(costs.len(), 0);
    }
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(*cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measured function calls the region twice and something else once.
    const SAMPLE: &str = "\
events: Ir Dr
fn=(0) case
1 0 0
cfn=(1) b::__iai_callgrind_wrapper_mod::bench
calls=1 1
1 1142 13
fn=(1)
1 100 10
cfn=(2) iai_callgrind::measure::__iai_callgrind_region_mod::call
calls=1 5
2 30 3
cfn=(3) b::__iai_callgrind_wrapper_mod::bench::inner
calls=1 6
3 1000 0
cfn=(2)
calls=1 5
4 12
fn=(2)
5 42 3
fn=(3)
6 1000 0

totals: 1142 13
";

    #[track_caller]
    fn check(sample: &str, totals: TotalsOf, expected: [u64; 2], calls: u64, costs: [u64; 2]) {
        let (profile, entered) = read_calls(sample.as_bytes(), totals).unwrap().unwrap();
        let [ir, dr] = expected;
        assert_eq!(profile.totals().unwrap(), [("Ir", ir), ("Dr", dr)]);
        assert_eq!(entered.len(), 1);
        assert_eq!(entered[0].calls, calls);
        assert_eq!(entered[0].costs, costs);
        let names: &[&str] = if calls > 0 { &["bench"] } else { &[] };
        assert_eq!(entered[0].benchmarks, names);
        assert_eq!(entered[0].has_own, calls > 0);
    }

    #[test]
    fn the_calls_of_measured_functions_and_of_regions_add_up() {
        check(SAMPLE, TotalsOf::All, [1142, 13], 1, [1142, 13]);
        check(SAMPLE, TotalsOf::Regions, [42, 3], 1, [1142, 13]);
        let twice = SAMPLE.replacen("calls=1 1\n", "calls=2 1\n", 1);
        check(&twice, TotalsOf::All, [1142, 13], 2, [1142, 13]);
    }

    #[test]
    fn a_loop_at_the_begin_of_the_function_is_no_further_call() {
        let looping = SAMPLE.replace(
            "fn=(1)\n1 100 10\n",
            "fn=(1)\n1 100 10\ncfn=(4) b::__iai_callgrind_wrapper_mod::bench'2\ncalls=99 1\n1 7 7\n",
        );
        check(&looping, TotalsOf::All, [1142, 13], 1, [1142, 13]);
    }

    #[test]
    fn callers_of_setjmp_are_known() {
        let sample = SAMPLE.replace(
            "(3) b::__iai_callgrind_wrapper_mod::bench::inner",
            "(3) __sigsetjmp",
        );
        let (_, entered) = read_calls(sample.as_bytes(), TotalsOf::All)
            .unwrap()
            .unwrap();
        assert_eq!(
            entered[0].landings,
            ["b::__iai_callgrind_wrapper_mod::bench"]
        );
    }

    #[test]
    fn own_costs_are_added_up_by_object() {
        let sample = "\
events: Ir Dr
ob=(1) /t/app
fn=(1) a
1 10 1
cob=(2) /lib/libc.so.6
cfn=(2) memcpy
calls=1 1
1 500 50
2 5
ob=(2)
fn=(2)
1 500 50
ob=(1)
fn=(3) b
1 7 7

totals: 522 58
";
        let read = |sample: &str| {
            read_calls(sample.as_bytes(), TotalsOf::All)
                .unwrap()
                .unwrap()
        };
        let (_, entered) = read(sample);
        let objects: [(Box<[u8]>, Vec<u64>); 2] = [
            (b"/t/app"[..].into(), vec![22, 8]),
            (b"/lib/libc.so.6"[..].into(), vec![500, 50]),
        ];
        assert_eq!(entered[0].objects, objects);
        // Each part names its objects anew.
        let twice = format!("{sample}\n{sample}");
        let (_, entered) = read(&twice);
        assert_eq!(entered.len(), 2);
        assert!(entered.iter().all(|part| part.objects == objects));
        assert_eq!(read(SAMPLE).1[0].objects, []);
    }

    #[test]
    fn without_such_calls_there_is_nothing() {
        let sample = SAMPLE.replace("__iai_callgrind_region_mod", "elsewhere");
        check(&sample, TotalsOf::Regions, [0, 0], 1, [1142, 13]);
        let sample = SAMPLE.replace("wrapper_mod::bench\n", "wrapper_mod::bench::f\n");
        check(&sample, TotalsOf::All, [1142, 13], 0, [0, 0]);
        assert_eq!(read_calls(&b""[..], TotalsOf::All).unwrap(), None);
    }
}
