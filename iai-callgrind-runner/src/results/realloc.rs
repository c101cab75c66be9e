//! Blocks that grew elsewhere than where they were made.
//!
//! DHAT books a `realloc` at the stack that made the block first. A vector that a setup made and
//! the benchmark function fills is in no figure of the benchmark then. One file cannot tell when a
//! block grew; two can, of processes that ended right before and right after the benchmark
//! function. So where a block that was made before may have grown, or one of the function in a
//! teardown, the benchmark runs again up to these moments.
//!
//! In: the file of a job, and the heap at these moments. Out: blocks, and notes for the user.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use super::moments::HeapMoments;
use crate::error::Result;
use formats::dhat::{DhatProfile, ProgramPoint};
use metrics::readers::dhat::selected;
use metrics::readers::Selection;

/// A piece of the name of the function that makes the arguments and calls the benchmark function.
const CASE: &str = "__iai_callgrind_case";

/// Reallocations, and the bytes that the blocks had then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Growth {
    blocks: u64,
    bytes: u64,
}

/// Blocks that grew where DHAT does not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GrownElsewhere {
    /// Made before the benchmark function, grown in it: not in the figures.
    in_function: Growth,
    /// Made by the benchmark function, grown after it: in the figures.
    after_function: Growth,
}

/// Blocks of the profile `whole` that grew elsewhere than where they were made.
pub(super) fn grown(
    whole: &DhatProfile,
    selection: Selection<'_>,
    tears_down: bool,
    moments: &HeapMoments<'_>,
) -> Result<GrownElsewhere> {
    // The run up to the begin of the function comes first: where no block grew after it, the run up
    // to the end is needed for a teardown only.
    let mut before = None;
    if may_have_grown(whole, selection, false) {
        before = moments.before()?;
    }
    let grew = |before: &&DhatProfile| growth(before, whole, selection, false) != Growth::default();
    before = before.filter(grew);
    if before.is_none() && !(tears_down && may_have_grown(whole, selection, true)) {
        return Ok(GrownElsewhere::default());
    }
    let after = moments.after()?;
    Ok(after.map_or_else(GrownElsewhere::default, |after| {
        GrownElsewhere::between(before, after, whole, selection)
    }))
}

/// May a block be booked again where it was made? `counted`: a block that counts, or else one that
/// was made outside of the benchmark function.
fn may_have_grown(profile: &DhatProfile, selection: Selection<'_>, counted: bool) -> bool {
    let selected = selected(profile, selection);
    let mut points = profile.points.iter().zip(selected);
    points.any(|(point, selected)| {
        // Each `realloc` is one more block of the point at which the block was made.
        selected == counted && point.total_blocks > 1 && is_of_case(profile, point)
    })
}

fn is_of_case(profile: &DhatProfile, point: &ProgramPoint) -> bool {
    profile.functions(point).any(|name| name.contains(CASE))
}

impl GrownElsewhere {
    fn between(
        before: Option<&DhatProfile>,
        after: &DhatProfile,
        whole: &DhatProfile,
        selection: Selection<'_>,
    ) -> Self {
        let in_function = before.map(|before| growth(before, after, selection, false));
        Self {
            in_function: in_function.unwrap_or_default(),
            after_function: growth(after, whole, selection, true),
        }
    }

    /// Blocks of the benchmark function, where DHAT counts `counted`.
    pub(super) fn moved_back(self, counted: u64) -> u64 {
        counted
            .saturating_add(self.in_function.blocks)
            .saturating_sub(self.after_function.blocks)
    }

    /// Notes for the user.
    pub(super) fn notes(self) -> Vec<String> {
        let Self {
            in_function,
            after_function,
        } = self;
        let mut notes = Vec::new();
        if in_function.blocks > 0 {
            notes.push(format!(
                "blocks that were made before the benchmark function grew in it, {in_function}, which is not in \
                 the figures: DHAT counts a block where it was made"
            ));
        }
        if after_function.blocks > 0 {
            notes.push(format!(
                "blocks of the benchmark function grew after its end, {after_function}, which is in the figures: DHAT \
                 counts a block where it was made"
            ));
        }
        notes
    }
}

impl Display for Growth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { blocks, bytes } = self;
        match blocks {
            1 => write!(f, "once to {bytes} bytes"),
            _ => write!(f, "{blocks} times to {bytes} bytes in all"),
        }
    }
}

/// Growth of stacks from an earlier moment to a later one. `counted`: only stacks that count, else
/// only the others.
fn growth(
    earlier: &DhatProfile,
    later: &DhatProfile,
    selection: Selection<'_>,
    counted: bool,
) -> Growth {
    let mut known: HashMap<Vec<&str>, Growth> = HashMap::new();
    for (point, selected) in earlier.points.iter().zip(selected(earlier, selection)) {
        if selected == counted && is_of_case(earlier, point) {
            // Stacks as text, since frames are numbered anew in each file.
            let sums = known.entry(stack(earlier, point)).or_default();
            sums.blocks = sums.blocks.saturating_add(point.total_blocks);
            sums.bytes = sums.bytes.saturating_add(point.total_bytes);
        }
    }
    let mut growth = Growth::default();
    for point in &later.points {
        if let Some(known) = known.get_mut(&stack(later, point)) {
            // Two runs need not allocate alike; a stack with fewer blocks has not grown.
            let blocks = point.total_blocks.saturating_sub(known.blocks);
            let bytes = point.total_bytes.saturating_sub(known.bytes);
            growth.blocks = growth.blocks.saturating_add(blocks);
            growth.bytes = growth.bytes.saturating_add(bytes);
        }
    }
    growth
}

fn stack<'a>(profile: &'a DhatProfile, point: &ProgramPoint) -> Vec<&'a str> {
    let frames = point.frames.iter();
    let frames = frames.filter_map(|frame| profile.frames.get(*frame as usize));
    frames.map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::entry_functions::EntryFunctions;
    use formats::dhat;

    /// The setup makes a block, the function another one.
    fn profile(of_setup: (u64, u64), of_function: (u64, u64)) -> DhatProfile {
        let (bytes, blocks) = of_setup;
        let (own_bytes, own_blocks) = of_function;
        let own = match own_blocks {
            0 => String::new(),
            _ => format!(r#",{{"tb":{own_bytes},"tbk":{own_blocks},"fs":[1,3,4,5]}}"#),
        };
        let file = format!(
            r#"{{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":false,"bkacc":false,
            "tu":"instrs","Mtu":"Minstr","cmd":"x","pid":1,"te":9,"pps":[
            {{"tb":{bytes},"tbk":{blocks},"fs":[1,2,4,5]}},
            {{"tb":{bytes},"tbk":{blocks},"fs":[1,5]}}{own}],
            "ftbl":["[root]","0x1: malloc (in x.so)","0x2: m::setup (f.rs:2)",
            "0x3: m::__iai_callgrind_wrapper_mod::f (f.rs:3)",
            "0x4: m::__iai_callgrind_case (f.rs:1)","0x5: main (f.rs:9)"]}}"#
        );
        dhat::read(file.as_bytes()).unwrap().unwrap()
    }

    fn with_selection(check: impl FnOnce(Selection<'_>)) {
        let entry = EntryFunctions {
            measured: true,
            patterns: Vec::new(),
        };
        check(Selection {
            entry: &entry,
            ..Selection::default()
        });
    }

    #[test]
    fn blocks_of_a_setup_that_grow_in_the_function_are_said() {
        let before = profile((1000, 1), (0, 0));
        let after = profile((7000, 3), (50, 1));
        with_selection(|selection| {
            assert!(!may_have_grown(&before, selection, false));
            assert!(may_have_grown(&after, selection, false));
            assert!(!may_have_grown(&after, selection, true));
            let grown = GrownElsewhere::between(Some(&before), &after, &after, selection);
            assert_eq!(grown.moved_back(4), 6);
            let notes = grown.notes();
            let expected = "blocks that were made before the benchmark function grew in it, 2 times to \
                            6000 bytes in all, which is not in the figures: DHAT counts a block where \
                            it was made";
            assert_eq!(notes, [expected]);
        });
    }

    #[test]
    fn blocks_of_the_function_that_grow_after_it_are_said() {
        let after = profile((1000, 1), (50, 1));
        let whole = profile((9000, 2), (350, 2));
        with_selection(|selection| {
            assert!(!may_have_grown(&after, selection, true));
            assert!(may_have_grown(&whole, selection, true));
            let grown = GrownElsewhere::between(None, &after, &whole, selection);
            assert_eq!(grown.moved_back(4), 3);
            let notes = grown.notes();
            let expected =
                "blocks of the benchmark function grew after its end, once to 300 bytes, which \
                            is in the figures: DHAT counts a block where it was made";
            assert_eq!(notes, [expected]);
        });
    }
}
