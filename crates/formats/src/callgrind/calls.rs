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
use base::entry_functions::EntryFunctions;
use base::measured_function::{benchmark_of, is_after, is_before, is_region};

/// Calls of the functions that count in one part of a profile: of those that iai-callgrind
/// measures, which are known by their names, or of the entry functions of a program.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnteredCalls {
    /// Names of the benchmark functions, each once. Empty for a program.
    pub benchmarks: Vec<String>,
    /// Number of calls of these functions.
    pub calls: u64,
    /// Inclusive costs of these calls, one count for each event of the part.
    pub costs: Vec<u64>,
    /// A measured function has self costs. These remain if the program sets the counters to zero
    /// inside of the call, which also sets the number of calls to zero.
    pub has_own: bool,
    /// Costs were collected right before a measured function.
    pub before: bool,
    /// Costs were collected right after a measured function.
    pub after: bool,
    /// Costs of the whole thread, from the head of the part.
    pub summary: Vec<u64>,
    /// Costs of all lines of the part, whatever its totals are taken from.
    pub lines: Vec<u64>,
    /// Functions that called a `setjmp` or `getcontext`, each once: a handler can jump into them.
    pub landings: Vec<String>,
    /// Own costs of the functions of each executable and library, by its path.
    pub objects: Vec<(Box<[u8]>, Vec<u64>)>,
}

/// Costs that [`read_calls_of_file`] takes as the totals of a part.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalsOf {
    /// Totals of the file; the costs of the measured function if costs were collected after it.
    All,
    /// Costs of the closures of `iai_callgrind::measure`; 0 without any.
    Regions,
}

/// Reads a file as [`read_file`](super::read_file) does, with the calls of measured functions for
/// each part. Intended for profiles of bench files of iai-callgrind.
///
/// # Errors
///
/// As [`read_file`](super::read_file).
#[doc(hidden)]
pub fn read_calls_of_file(
    path: &Path,
    totals: TotalsOf,
    entry: &EntryFunctions,
) -> Result<Option<(CallgrindProfile, Vec<EnteredCalls>)>, FileError> {
    read_path(path, |input| read_calls(input, totals, entry))
}

impl EnteredCalls {
    /// Was collection on after the measured function, and off before it? It switched an odd number
    /// of times inside.
    #[must_use]
    pub fn is_left_on(&self) -> bool {
        self.after && !self.before
    }
}

/// Kind of a called function.
enum CalleeKind {
    Measured(String),
    /// An entry function of a program.
    Entry,
    Region,
    /// A function that the benchmark executable calls right before a measured one.
    Before,
    /// A function that it calls right after one.
    After,
    Other,
}

/// In the names of all functions of all C libraries that note a place to jump to: the forms of
/// `setjmp`, and `getcontext` and `swapcontext`, to which `setcontext` goes.
static NOTES_A_PLACE: LazyLock<[Finder<'static>; 3]> = LazyLock::new(|| {
    let names: [&[u8]; 3] = [b"setjmp", b"getcontext", b"swapcontext"];
    names.map(Finder::new)
});

fn read_calls(
    input: impl Read,
    totals: TotalsOf,
    entry: &EntryFunctions,
) -> Result<Option<(CallgrindProfile, Vec<EnteredCalls>)>, ParseError> {
    let mut parts: Vec<(EnteredCalls, Vec<u64>)> = Vec::new();
    let mut callee = CalleeKind::Other;
    let mut caller = CalleeKind::Other;
    let of_program = !entry.measured && !entry.patterns.is_empty();
    let called = |name: &[u8]| match called(name) {
        CalleeKind::Other if of_program && entry.has(&String::from_utf8_lossy(name)) => {
            CalleeKind::Entry
        }
        kind => kind,
    };
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
            if NOTES_A_PLACE.iter().any(|it| it.find(name).is_some()) {
                let caller = String::from_utf8_lossy(&function);
                if let Some((entered, _)) = parts.last_mut() {
                    if !entered.landings.iter().any(|known| *known == caller) {
                        entered.landings.push(caller.into_owned());
                    }
                }
            }
        }
        CallgrindItem::Place(PositionName::Function(name)) => {
            function.clear();
            function.extend_from_slice(name);
            caller = called(name);
            object_of_function = object;
        }
        CallgrindItem::Place(PositionName::Object(name)) => {
            if let Some((entered, _)) = parts.last_mut() {
                object = Some(place_of(&mut entered.objects, name));
            }
        }
        CallgrindItem::Own(costs) => {
            if let Some((entered, _)) = parts.last_mut() {
                let has_costs = costs.iter().any(|cost| *cost > 0);
                match caller {
                    CalleeKind::Measured(_) => entered.has_own |= has_costs,
                    CalleeKind::Before => entered.before |= has_costs,
                    CalleeKind::After => entered.after |= has_costs,
                    _ => {}
                }
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
                CalleeKind::Measured(_) if matches!(caller, CalleeKind::Measured(_)) => {}
                CalleeKind::Entry if matches!(caller, CalleeKind::Entry) => {}
                CalleeKind::Entry => {
                    entered.calls = entered.calls.saturating_add(count);
                    add(&mut entered.costs, costs);
                }
                CalleeKind::Measured(benchmark) => {
                    if !entered.benchmarks.contains(benchmark) {
                        entered.benchmarks.push(benchmark.clone());
                    }
                    entered.calls = entered.calls.saturating_add(count);
                    add(&mut entered.costs, costs);
                }
                CalleeKind::Region => add(regions, costs),
                CalleeKind::Before | CalleeKind::After | CalleeKind::Other => {}
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
        entered.lines.clone_from(&part.totals);
        // Their sums would be those of the whole program.
        if of_program && totals == TotalsOf::All {
            entered.objects.clear();
        }
        match totals {
            TotalsOf::Regions => part.totals = regions,
            TotalsOf::All if entered.is_left_on() => part.totals.clone_from(&entered.costs),
            TotalsOf::All => {}
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
    static INTERNAL: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"__internal"));
    // Most names are those of other functions.
    let is_ours = OURS.find(name).is_some();
    if !is_ours && INTERNAL.find(name).is_none() {
        return CalleeKind::Other;
    }
    let name = String::from_utf8_lossy(name);
    if !is_ours {
        return match () {
            () if is_before(&name) => CalleeKind::Before,
            () if is_after(&name) => CalleeKind::After,
            () => CalleeKind::Other,
        };
    }
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

    const MEASURED: EntryFunctions = EntryFunctions {
        measured: true,
        patterns: Vec::new(),
    };

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
        let (profile, entered) = read_calls(sample.as_bytes(), totals, &MEASURED)
            .unwrap()
            .unwrap();
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

    /// A single toggle inside of the function switches collection on at its return.
    #[test]
    fn what_is_collected_after_the_function_does_not_count() {
        let rest = "\
fn=(7) iai_callgrind::__internal::call::end
1 12 4
fn=(8) exit
1 300 40

totals: 1454 57";
        let sample = SAMPLE.replace("\ntotals: 1142 13", rest);
        check(&sample, TotalsOf::All, [1142, 13], 1, [1142, 13]);
        check(&sample, TotalsOf::Regions, [42, 3], 1, [1142, 13]);
        let (_, entered) = read_calls(sample.as_bytes(), TotalsOf::All, &MEASURED)
            .unwrap()
            .unwrap();
        assert!(entered[0].is_left_on());
        assert_eq!(entered[0].lines, [1454, 57]);
        // Collection was on before it already: by a setup.
        let sample = sample.replace("call::end", "call::begin") + "\n";
        check(&sample, TotalsOf::All, [1454, 57], 1, [1142, 13]);
    }

    #[test]
    fn calls_of_the_entry_functions_of_programs_are_added_up() {
        let sample = "\
events: Ir
fn=(1) begin
cfn=(2) pr::main
calls=2 1
1 30
fn=(2)
1 20
cfn=(3) pr::other
calls=1 1
1 10
fn=(3)
1 10
fn=(4) exit
1 500

totals: 530
";
        let entry = EntryFunctions::of_patterns(["pr::*"]);
        let (_, entered) = read_calls(sample.as_bytes(), TotalsOf::All, &entry)
            .unwrap()
            .unwrap();
        let entered = &entered[0];
        assert_eq!((entered.calls, &*entered.costs), (2, &[30][..]));
        assert_eq!(entered.lines, [530]);
        assert!(entered.benchmarks.is_empty() && !entered.is_left_on());
    }

    #[test]
    fn callers_of_functions_that_note_a_place_to_jump_to_are_known() {
        for (name, expected) in [
            ("__sigsetjmp", 1),
            ("_setjmp", 1),
            ("getcontext@@GLIBC_2.2.5", 1),
            ("swapcontext", 1),
            ("siglongjmp", 0),
            ("setcontext", 0),
        ] {
            let sample = SAMPLE.replace(
                "(3) b::__iai_callgrind_wrapper_mod::bench::inner",
                &format!("(3) {name}"),
            );
            let (_, entered) = read_calls(sample.as_bytes(), TotalsOf::All, &MEASURED)
                .unwrap()
                .unwrap();
            let caller = ["b::__iai_callgrind_wrapper_mod::bench"];
            assert_eq!(entered[0].landings, caller[..expected], "{name}");
        }
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
            read_calls(sample.as_bytes(), TotalsOf::All, &MEASURED)
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
        assert_eq!(
            read_calls(&b""[..], TotalsOf::All, &MEASURED).unwrap(),
            None
        );
    }
}
