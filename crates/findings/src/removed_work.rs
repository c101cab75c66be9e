//! Benchmarks that the compiler seems to have optimized away.
//!
//! In: the instructions of a result of Callgrind, and its call graph. Out: a note. Such a function
//! is reduced to its return, and most often a constant for it.

use std::path::Path;

use base::entry_functions::EntryFunctions;
use base::measured_function::is_region;
use formats::callgrind::{CallGraph, CallGraphReader};
use formats::read_path;

/// Least number of instructions that are work. The return and an argument through `black_box` are
/// fewer.
const WORK: u64 = 10;

/// Note on a benchmark of these functions. `profiles` are read only if it is that short.
pub fn note<'a>(
    instructions: u64,
    entry: &EntryFunctions,
    profiles: impl IntoIterator<Item = &'a Path>,
) -> Option<String> {
    // A run that counted nothing is judged in the runner (`nothing_counted.rs`).
    if instructions == 0 || instructions >= WORK {
        return None;
    }
    let mut reader = CallGraphReader::default();
    for path in profiles {
        // Unreadable profiles have an error or a note of their own.
        read_path(path, |file| reader.add(file)).ok()?;
    }
    is_alone(&reader.finish(), entry).then(|| {
        let ran = match instructions {
            1 => "1 instruction".to_owned(),
            several => format!("{several} instructions"),
        };
        format!(
            "only {ran} ran; if the compiler removed the work, `std::hint::black_box` around \
             arguments and results keeps it"
        )
    })
}

/// Do the measured functions, if there are any, call nothing? With regions, those are measured.
fn is_alone(graph: &CallGraph, entry: &EntryFunctions) -> bool {
    let names = (0..graph.functions.len()).map(|index| String::from_utf8_lossy(graph.name(index)));
    let names: Vec<_> = names.collect();
    let has_regions = names.iter().any(|name| is_region(name));
    let is_measured = |name: &str| match has_regions {
        true => is_region(name),
        false => entry.has(name),
    };
    let mut arcs = graph.arcs.iter();
    names.iter().any(|name| is_measured(name))
        && !arcs.any(|arc| is_measured(&names[arc.caller as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::entry_functions::EVERYTHING;

    /// The case calls the function, which executes this many instructions and calls something if
    /// there is more.
    fn profile(function: &str, own: u64, more: &str) -> tempfile::NamedTempFile {
        let profile = tempfile::NamedTempFile::new().unwrap();
        let text = format!(
            "events: Ir\n\nfn=b::case\ncfn={function}\ncalls=1 0\n0 {own}\n\nfn={function}\n0 {own}\n\
             {more}\n\ntotals: {own}\n"
        );
        std::fs::write(&profile, text).unwrap();
        profile
    }

    #[track_caller]
    fn check(instructions: u64, function: &str, more: &str, expected: Option<&str>) {
        let profile = profile(function, instructions, more);
        let note = note(
            instructions,
            &EntryFunctions::of_patterns(["*::wrapper::*"]),
            [profile.path()],
        );
        let begin = note.as_deref().and_then(|note| note.split(';').next());
        assert_eq!(begin, expected);
    }

    #[test]
    fn a_few_instructions_without_a_call() {
        check(1, "b::wrapper::f", "", Some("only 1 instruction ran"));
        check(9, "b::wrapper::f", "", Some("only 9 instructions ran"));
        check(10, "b::wrapper::f", "", None);
        // Nothing at all is an error of its own.
        check(0, "b::wrapper::f", "", None);
    }

    #[test]
    fn a_call_is_work() {
        let call = "cfn=b::work\ncalls=1 0\n0 3\n\nfn=b::work\n0 3\n";
        check(6, "b::wrapper::f", call, None);
    }

    #[test]
    fn of_a_region_its_own_calls_matter() {
        let region = "iai_callgrind::measure::__iai_callgrind_region_mod::call";
        let call = format!("cfn={region}\ncalls=1 0\n0 1\n\nfn={region}\n0 1\n");
        check(5, "b::wrapper::f", &call, Some("only 5 instructions ran"));
        let call = format!("{call}cfn=b::work\ncalls=1 0\n0 1\n");
        check(5, "b::wrapper::f", &call, None);
    }

    #[test]
    fn another_function_is_not_the_benchmark() {
        check(1, "b::other::f", "", None);
    }

    #[test]
    fn a_profile_that_cannot_be_read_says_nothing() {
        assert_eq!(note(1, &EVERYTHING, [Path::new("/nowhere/at/all")]), None);
    }
}
