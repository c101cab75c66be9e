//! The facts in a file of DHAT besides its counters: whether the heap was seen at all, and
//! allocations that do not count.

use iai_callgrind::protocol::wire::HEAP_MARK;

use super::Selection;
use base::tool::STACK_DEPTH;
use formats::dhat::{DhatProfile, ProgramPoint};

/// Functions of the C library that are outermost on the stack of every thread but the first.
const THREAD_STARTS: &[&str] = &[
    "clone",
    "clone3",
    "__clone",
    "__clone3",
    "__clone_internal",
    "start_thread",
    "thread_start",
    "__pthread_start",
];

/// Functions that are outermost on the stack of the first thread. The last one calls the
/// constructors of libraries.
const STARTS: &[&str] = &["main", "(below main)", "_start", "_dl_start_user"];

/// Pieces of the names of functions that call all that runs in the first thread of a library
/// benchmark: `main` of Rust, the library, and the function that makes the arguments.
const HARNESS: &[&str] = &[
    "lang_start",
    "iai_callgrind::__internal",
    "__iai_callgrind_case",
];

/// The facts beside the counters.
pub(super) struct HeapFacts {
    /// Blocks that were made to show whether the heap is seen. `None`: the file cannot tell.
    pub(super) marks: Option<u64>,
    /// Bytes and blocks of the process, if none of them counts.
    pub(super) left_out: Option<(u64, u64)>,
    /// Notes for the user.
    pub(super) notes: Vec<String>,
}

/// Is the point that of the blocks that show whether the heap is seen?
pub(super) fn is_mark(profile: &DhatProfile, point: &ProgramPoint) -> bool {
    profile
        .functions(point)
        .any(|name| name.contains(HEAP_MARK))
}

/// Facts of a profile. `selected`: which points count.
pub(super) fn seen(
    profile: &DhatProfile,
    selected: &[bool],
    selection: Selection<'_>,
) -> HeapFacts {
    let all = profile.points.iter();
    let marks = all.clone().filter(|point| is_mark(profile, point));
    let marks = marks.fold(0, |sum: u64, point| sum.saturating_add(point.total_blocks));
    let left_out: Vec<&ProgramPoint> = all
        .zip(selected)
        .filter_map(|(point, selected)| (!selected).then_some(point))
        .collect();
    let mut notes = Vec::new();
    let depth = selection.stack_depth.unwrap_or(STACK_DEPTH);
    let any_cut = left_out.iter().any(|point| is_cut(profile, point, depth));
    if any_cut {
        notes.push(format!(
            "allocations with stacks of {depth} frames and more are not counted, since DHAT \
             cannot see who began them"
        ));
    }
    notes.extend(of_threads(profile, &left_out, selection));
    let (bytes, blocks) = amount(left_out.iter().filter(|point| !is_mark(profile, point)));
    let is_silent = blocks > 0 && left_out.len() == profile.points.len();
    HeapFacts {
        left_out: is_silent.then_some((bytes, blocks)),
        // Marking blocks may be on stacks that are cut.
        marks: Some(marks).filter(|marks| profile.lifetimes && (*marks > 0 || !any_cut)),
        notes,
    }
}

/// Is the outer end of the stack missing? Functions that were inlined have frames of their own and
/// are not limited, so only a stack that does not begin where stacks do is cut for certain.
fn is_cut(profile: &DhatProfile, point: &ProgramPoint, depth: usize) -> bool {
    let outermost = outermost(profile, point);
    point.frames.len() >= depth
        && !STARTS.contains(&outermost)
        && !THREAD_STARTS.contains(&outermost)
}

/// Bytes and blocks of stacks that lead to nothing known, apart from those that have as many frames
/// as DHAT notes.
pub(super) fn of_unknown_root(
    profile: &DhatProfile,
    selected: &[bool],
    selection: Selection<'_>,
    is_case: bool,
) -> (u64, u64) {
    let depth = selection.stack_depth.unwrap_or(STACK_DEPTH);
    let points = profile.points.iter().zip(selected);
    let unknown: Vec<&ProgramPoint> = points
        .filter(|(point, selected)| {
            !**selected && !is_known(profile, point, is_case) && !is_cut(profile, point, depth)
        })
        .map(|(point, _)| point)
        .collect();
    amount(unknown.iter())
}

/// Does the stack lead to a thread, a constructor, or the harness?
///
/// Without unwind tables Valgrind goes on at the next frame that a register happens to lead to,
/// often that of `main`. So in the first thread of a library benchmark `main` alone proves nothing:
/// what it calls has to be there as well.
fn is_known(profile: &DhatProfile, point: &ProgramPoint, is_case: bool) -> bool {
    let has_main = || profile.functions(point).any(|name| name == "main");
    match outermost(profile, point) {
        // Constructors.
        "_dl_start_user" => true,
        "(below main)" | "_start" if !has_main() => true,
        _ => profile.functions(point).any(|name| {
            THREAD_STARTS.contains(&name)
                || match is_case {
                    true => HARNESS.iter().any(|piece| name.contains(piece)),
                    false => STARTS.contains(&name),
                }
        }),
    }
}

fn outermost<'a>(profile: &'a DhatProfile, point: &'a ProgramPoint) -> &'a str {
    profile.functions(point).last().unwrap_or_default()
}

/// A note on the allocations of other threads, if they do not count.
fn of_threads(
    profile: &DhatProfile,
    left_out: &[&ProgramPoint],
    selection: Selection<'_>,
) -> Option<String> {
    let of_thread = |point: &&&ProgramPoint| THREAD_STARTS.contains(&outermost(profile, point));
    let (bytes, blocks) = amount(left_out.iter().filter(of_thread));
    let how = match selection.regions {
        true => "regions count in the thread that runs the benchmark",
        false => "`Dhat::frames([\"<function of the thread>\"])` counts what is below a function",
    };
    (blocks > 0).then(|| {
        format!(
            "other threads allocated {bytes} bytes in {blocks} blocks, which are not counted; {how}"
        )
    })
}

/// Sums of the bytes and of the blocks.
fn amount<'a>(points: impl Iterator<Item = &'a &'a ProgramPoint>) -> (u64, u64) {
    points.fold((0, 0), |(bytes, blocks): (u64, u64), point| {
        (
            bytes.saturating_add(point.total_bytes),
            blocks.saturating_add(point.total_blocks),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::dhat::selected;
    use super::*;
    use base::entry_functions::EntryFunctions;
    use formats::dhat;

    /// The benchmark function, a region in it, one in its setup, one in a thread, the thread, and
    /// the blocks of ours.
    const FILE: &str = r#"{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,
        "bkacc":false,"tu":"instrs","Mtu":"Minstr","cmd":"x","pid":1,"te":9,"pps":[
        {"tb":1,"tbk":1,"fs":[1,2,3]},
        {"tb":10,"tbk":1,"fs":[1,4,2,3]},
        {"tb":100,"tbk":1,"fs":[1,4,5,3]},
        {"tb":1000,"tbk":1,"fs":[1,4,6,7,8]},
        {"tb":10000,"tbk":2,"fs":[1,6,7,8]},
        {"tb":3,"tbk":3,"fs":[1,9,3]}],
        "ftbl":["[root]","0x1: malloc (in x.so)","0x2: m::__iai_callgrind_wrapper_mod::f (f.rs:2)",
        "0x3: main (f.rs:2)","0x4: iai_callgrind::measure::__iai_callgrind_region_mod::framed (m.rs:1)",
        "0x5: m::setup (f.rs:9)","0x6: m::worker (f.rs:9)","0x7: start_thread (pthread_create.c:442)",
        "0x8: clone (clone.S:100)",
        "0x9: iai_callgrind::__internal::heap_marks::__iai_callgrind_mark_mod::allocate (h.rs:1)"]}"#;

    fn check(selection: Selection<'_>, bytes: u64, note: Option<&str>) {
        let profile = dhat::read(FILE.as_bytes()).unwrap().unwrap();
        let selected = selected(&profile, selection);
        let mut flags = selected.iter();
        let sums = profile.sum(|_| *flags.next().unwrap()).unwrap();
        assert_eq!(sums.total_bytes, bytes);
        let seen = seen(&profile, &selected, selection);
        assert_eq!(seen.marks, Some(3));
        let notes = seen.notes.join("\n");
        match note {
            Some(note) => assert!(notes.starts_with(note), "{notes}"),
            None => assert_eq!(notes, ""),
        }
    }

    #[test]
    fn stacks_that_lead_to_nothing_known() {
        let entry = EntryFunctions {
            measured: true,
            patterns: Vec::new(),
        };
        let selection = Selection {
            entry: &entry,
            ..Selection::default()
        };
        // The setup is called by the harness.
        let known = FILE.replace("m::setup", "m::__iai_callgrind_case");
        let unknown = |file: &str, selection, is_case| {
            let profile = dhat::read(file.as_bytes()).unwrap().unwrap();
            super::super::dhat::of_unknown_root(&profile, selection, is_case)
        };
        assert_eq!(unknown(&known, selection, true), (0, 0));
        // On the stack of a coroutine, and in machine code without unwind tables, whose frame leads
        // to `main`.
        let points = r#""pps":[{"tb":700,"tbk":7,"fs":[1,6,10]},{"tb":20,"tbk":2,"fs":[1,11,3]},"#;
        let frames = r#"(h.rs:1)","0xa: stack_init_trampoline (in x)","0xb: ???"]"#;
        let cut = known
            .replace(r#""pps":["#, points)
            .replace(r#"(h.rs:1)"]"#, frames);
        assert_eq!(unknown(&cut, selection, true), (720, 9));
        // All that a program does is below `main`.
        assert_eq!(unknown(&cut, selection, false), (700, 7));
        // Nobody knows what is beyond the frames that DHAT noted, which has a note of its own.
        let shallow = Selection {
            stack_depth: Some(3),
            ..selection
        };
        assert_eq!(unknown(&cut, shallow, true), (20, 2));
    }

    #[test]
    fn what_counts_is_below_the_function_and_inside_of_regions_if_there_are_some() {
        let entry = EntryFunctions {
            measured: true,
            patterns: Vec::new(),
        };
        let of_function = Selection {
            entry: &entry,
            ..Selection::default()
        };
        let note =
            "other threads allocated 11000 bytes in 3 blocks, which are not counted; `Dhat::";
        check(of_function, 11, Some(note));
        let regions = Selection {
            regions: true,
            ..of_function
        };
        let note =
            "other threads allocated 11000 bytes in 3 blocks, which are not counted; regions";
        check(regions, 10, Some(note));
        // Without an entry point every thread counts, as under Callgrind.
        check(Selection::default(), 11_111, None);
    }
}
