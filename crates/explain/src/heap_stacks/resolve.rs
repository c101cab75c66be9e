//! Points of DHAT's profiles to stacks with the names of all functions.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::address_stacks::{addresses, StackAddress};
use super::files::HeapFileTable;
use super::{load_bias, HeapFrame, HeapPoint, HeapStacks};
use crate::new_digest::own_name;
use base::entry_functions::EntryFunctions;
use base::measured_function;
use formats::dhat::{DhatProfile, ProgramPoint};
use symbols::{names, CodeObject};

/// Begin of the names of our own functions, which stand between the entry and the benchmark
/// function.
const OURS: &str = "iai_callgrind::";

/// Function of a point without frames.
const UNKNOWN: &str = "[unknown]";

/// Input from which stacks are built.
#[derive(Debug, Clone, Copy)]
pub struct HeapSources<'a> {
    /// Functions at which stacks begin.
    pub entry: &'a EntryFunctions,
    /// Stacks begin at the regions that the benchmark measured.
    pub regions: bool,
    /// The executable that ran; without it Valgrind's names are used.
    pub executable: Option<&'a CodeObject>,
    /// Root of the sources that are the user's.
    pub workspace: &'a Path,
}

/// Profile of a process, and which of its points count.
#[derive(Debug, Clone, Copy)]
pub struct ResolvedProfile<'a> {
    /// The profile.
    pub profile: &'a DhatProfile,
    /// Whether each point counts.
    pub selected: &'a [bool],
}

impl HeapSources<'_> {
    /// The stacks of all processes. They add up to the figures.
    #[must_use]
    pub fn stacks(&self, profiles: &[ResolvedProfile<'_>]) -> HeapStacks {
        let mut table = StackTable::default();
        let mut files = HeapFileTable::new(self.workspace);
        for one in profiles {
            let units = one.profile.block_unit.as_deref();
            table.stacks.is_ad_hoc |= units == Some("events");
            self.add(*one, &mut files, &mut table);
        }
        table.stacks.files = files.finish();
        table.finish()
    }

    fn add(&self, one: ResolvedProfile<'_>, files: &mut HeapFileTable<'_>, table: &mut StackTable) {
        let points = one.profile.points.iter().zip(one.selected);
        let points: Vec<(&ProgramPoint, Vec<StackAddress<'_>>)> = points
            .filter(|(_, counts)| **counts)
            .map(|(point, _)| (point, addresses(one.profile, point)))
            .collect();
        // The functions of all stacks together decide at which address the executable was loaded.
        let placed = self.executable.and_then(|executable| {
            let all = points.iter().flat_map(|(_, stack)| stack);
            let named = all.filter_map(|one| Some((one.address?, one.function()?)));
            let functions: BTreeMap<u64, &str> = named.collect();
            Some((executable, load_bias::find(executable, &functions)?))
        });
        let mut names = FrameNames {
            placed,
            known: HashMap::new(),
        };
        for (point, stack) in points {
            let counted = &stack[self.begin(&stack)..];
            let frames = counted.iter().flat_map(|address| names.of(address, files));
            table.add(point, without_ours(frames.collect()));
        }
    }

    /// Position of the function at which the stack begins.
    fn begin(&self, stack: &[StackAddress<'_>]) -> usize {
        let begins = |name: &str| match self.regions {
            true => measured_function::is_region(name),
            false => !self.entry.is_everything() && self.entry.has(name),
        };
        let found = stack
            .iter()
            .position(|address| address.names.iter().any(|name| begins(name)));
        // Stacks of threads, and those that `--num-callers` cut, do not have the entry.
        found.unwrap_or(0)
    }
}

/// The frames without those that we add above the benchmark function; at least one.
fn without_ours(mut frames: Vec<HeapFrame>) -> Vec<HeapFrame> {
    let is_ours = |frame: &HeapFrame| frame.name.starts_with(OURS);
    let ours = frames.iter().take_while(|frame| is_ours(frame)).count();
    // A block that we allocate ourselves needs a frame as well, so that stacks add up to the
    // figures.
    frames.drain(..ours.min(frames.len().saturating_sub(1)));
    if frames.is_empty() {
        frames.push(frame(UNKNOWN, 0));
    }
    frames
}

/// Functions by address.
struct FrameNames<'a> {
    /// The executable, and where it was loaded.
    placed: Option<(&'a CodeObject, u64)>,
    /// Functions that the executable has at an address; `None`: it knows none there.
    known: HashMap<u64, Option<Vec<HeapFrame>>>,
}

impl FrameNames<'_> {
    /// The functions at an address, outermost first.
    fn of(&mut self, address: &StackAddress<'_>, files: &mut HeapFileTable<'_>) -> Vec<HeapFrame> {
        let (Some(place), Some((object, bias))) = (address.address, self.placed) else {
            return of_valgrind(address);
        };
        let look_up = || {
            let at = place.checked_sub(bias)?;
            // Addresses of libraries are in no function of the executable.
            object.body_at(at)?;
            looked_up(object, at, files)
        };
        let known = self.known.entry(place).or_insert_with(look_up);
        known.clone().unwrap_or_else(|| of_valgrind(address))
    }
}

/// The functions that the debug information has. `None`: it does not know the address.
fn looked_up(
    object: &CodeObject,
    at: u64,
    files: &mut HeapFileTable<'_>,
) -> Option<Vec<HeapFrame>> {
    let mut reader = object.frames()?;
    let found = reader.at(at).to_vec();
    let frames = found.iter().enumerate().map(|(depth, found)| {
        let function = reader.function(found.function);
        let file = found.file.or(function.file);
        HeapFrame {
            file: file.map(|file| files.id(reader.file(file))),
            line: found.file.and(found.line),
            ..frame(&function.name, depth)
        }
    });
    let frames: Vec<HeapFrame> = frames.collect();
    (!frames.is_empty()).then_some(frames)
}

/// The functions as Valgrind names them.
fn of_valgrind(address: &StackAddress<'_>) -> Vec<HeapFrame> {
    let names = address.names.iter().enumerate();
    names
        .map(|(depth, name)| frame(&names::canonical(name), depth))
        .collect()
}

/// A function whose file is not known; `depth` is 0 for the one that was compiled.
fn frame(name: &str, depth: usize) -> HeapFrame {
    HeapFrame {
        name: own_name(name).into_owned(),
        is_inlined: depth > 0,
        file: None,
        line: None,
    }
}

/// Stacks that are being gathered: equal ones are one.
#[derive(Default)]
struct StackTable {
    stacks: HeapStacks,
    frames: HashMap<HeapFrame, u32>,
    points: BTreeMap<Vec<u32>, HeapPoint>,
}

impl StackTable {
    fn frame(&mut self, frame: HeapFrame) -> u32 {
        let next = self.stacks.frames.len() as u32;
        let list = &mut self.stacks.frames;
        *self.frames.entry(frame).or_insert_with_key(|frame| {
            list.push(frame.clone());
            next
        })
    }

    fn add(&mut self, point: &ProgramPoint, frames: Vec<HeapFrame>) {
        let stack = frames.into_iter().map(|frame| self.frame(frame)).collect();
        let sums = self.points.entry(stack).or_default();
        let add = |sum: &mut u64, value: u64| *sum = sum.saturating_add(value);
        add(&mut sums.bytes, point.total_bytes);
        add(&mut sums.blocks, point.total_blocks);
        add(&mut sums.gmax_bytes, point.gmax_bytes.unwrap_or(0));
    }

    fn finish(mut self) -> HeapStacks {
        let points = self.points.into_iter();
        let points = points.map(|(stack, point)| HeapPoint { stack, ..point });
        self.stacks.points = points.collect();
        self.stacks
    }
}

#[cfg(test)]
mod tests {
    use base::entry_functions::EVERYTHING;
    use symbols::SourceOrigin;

    use super::*;
    use crate::compiled_program::compiled_program;
    use crate::heap_stacks::format;

    fn profile(entries: &[&str], points: &[(u64, &[u32])]) -> DhatProfile {
        DhatProfile {
            frames: entries.iter().map(|entry| (*entry).to_owned()).collect(),
            points: points
                .iter()
                .map(|(bytes, frames)| {
                    let mut point = ProgramPoint::default();
                    point.total_bytes = *bytes;
                    point.total_blocks = 1;
                    point.gmax_bytes = Some(bytes / 2);
                    point.frames = frames.to_vec();
                    point
                })
                .collect(),
            ..DhatProfile::default()
        }
    }

    /// `outermost > … [inlined] bytes`
    fn lines(stacks: &HeapStacks) -> Vec<String> {
        let points = stacks.points.iter();
        let mut lines: Vec<String> = points
            .map(|point| {
                let frames = stacks.stack(point).map(|frame| match frame.is_inlined {
                    true => format!("{} [inlined]", frame.name),
                    false => frame.name.clone(),
                });
                format!("{} {}", frames.collect::<Vec<_>>().join(" > "), point.bytes)
            })
            .collect();
        lines.sort_unstable();
        lines
    }

    fn sources<'a>(
        entry: &'a EntryFunctions,
        executable: Option<&'a CodeObject>,
    ) -> HeapSources<'a> {
        HeapSources {
            entry,
            regions: false,
            executable,
            workspace: Path::new(env!("CARGO_MANIFEST_DIR")),
        }
    }

    const FRAMES: [&str; 8] = [
        "[root]",
        "0x484: malloc (in /usr/libexec/valgrind/vgpreload_dhat.so)",
        "0x10A: UnknownInlinedFun (alloc.rs:1)",
        "0x10A: UnknownInlinedFun (raw_vec.rs:2)",
        "0x10A: b::__iai_callgrind_wrapper_mod::f (b.rs:3)",
        "0x10B: iai_callgrind::__internal::frames::__iai_callgrind_frame_mod::call (frames.rs:4)",
        "0x10C: main (b.rs:5)",
        "0x10D: lab::helper<u8> (lib.rs:6)",
    ];

    #[test]
    fn stacks_begin_below_what_calls_the_benchmark() {
        let profile = profile(
            &FRAMES,
            &[
                (10, &[1, 2, 3, 4, 5, 6]),
                (5, &[1, 7, 4, 5, 6]),
                (3, &[1, 7, 4, 5, 6]),
                (100, &[1, 6]),
                (7, &[1, 5, 6]),
            ],
        );
        let one = ResolvedProfile {
            profile: &profile,
            selected: &[true, true, true, false, true],
        };
        let entry = EntryFunctions {
            measured: true,
            patterns: Vec::new(),
        };
        let stacks = sources(&entry, None).stacks(&[one]);
        assert_eq!(
            lines(&stacks),
            [
                "b::f > UnknownInlinedFun [inlined] > UnknownInlinedFun [inlined] > malloc 10",
                "b::f > lab::helper > malloc 8",
                "malloc 7",
            ]
        );
        // The same in two processes adds up.
        let both = sources(&entry, None).stacks(&[one, one]);
        assert_eq!(both.points.len(), 3);
        let sum = |stacks: &HeapStacks| stacks.points.iter().map(|point| point.bytes).sum();
        assert_eq!((sum(&stacks), sum(&both)), (25_u64, 50_u64));
        // Where everything counts, nothing is cut.
        let everything = sources(&EVERYTHING, None).stacks(&[one]);
        let main = lines(&everything)
            .into_iter()
            .filter(|line| line.starts_with("main > "));
        assert_eq!(main.count(), 3);
    }

    #[test]
    fn stacks_without_frames_are_shown() {
        let profile = profile(&FRAMES, &[(4, &[]), (5, &[99]), (6, &[5])]);
        let one = ResolvedProfile {
            profile: &profile,
            selected: &[true; 3],
        };
        let stacks = sources(&EVERYTHING, None).stacks(&[one]);
        assert_eq!(
            lines(&stacks),
            ["[unknown] 9", "iai_callgrind::__internal::frames::call 6"]
        );
    }

    /// Names as Valgrind would have them.
    #[test]
    fn names_come_from_the_executable() {
        let object = compiled_program();
        let name = "program::with_inlined";
        let body = object
            .bodies()
            .find(|body| names::canonical(body.symbol) == name);
        let body = body.unwrap();
        let mut reader = object.frames().unwrap();
        let inlined = (body.start..body.start + body.size)
            .find(|address| reader.at(*address).len() > 1)
            .unwrap();
        drop(reader);
        let bias = 0x7_0000;
        let profile = profile(
            &[
                "[root]",
                &format!("0x{:X}: UnknownInlinedFun (program.rs:1)", inlined + bias),
                &format!("0x{:X}: {name} (program.rs:2)", inlined + bias),
            ],
            &[(8, &[1, 2])],
        );
        let one = ResolvedProfile {
            profile: &profile,
            selected: &[true],
        };
        let stacks = sources(&EVERYTHING, Some(&object)).stacks(&[one]);
        let found = lines(&stacks);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with(&format!("{name} > ")) && !found[0].contains("Unknown"),
            "{found:?}"
        );
        assert!(found[0].contains("innermost [inlined]"), "{found:?}");
        let owned = stacks.stack(&stacks.points[0]).all(|frame| {
            let file = stacks.file(frame).unwrap();
            let is_ours = file.path.ends_with("src/program.rs");
            match is_ours {
                true => stacks.origin(frame) == SourceOrigin::User && frame.line.is_some(),
                false => stacks.origin(frame) != SourceOrigin::User,
            }
        });
        assert!(owned, "{stacks:?}");
        let users = stacks.frames.iter();
        let users = users.filter(|frame| stacks.origin(frame) == SourceOrigin::User);
        assert!(users.count() >= 2, "{stacks:?}");
        let bytes = format::write(&stacks).unwrap();
        assert_eq!(format::read(&bytes).unwrap(), stacks);
    }

    #[test]
    fn kept_stacks_are_read_as_they_were() {
        let profile = profile(&FRAMES, &[(10, &[1, 2, 3, 4, 5, 6])]);
        let one = ResolvedProfile {
            profile: &profile,
            selected: &[true],
        };
        let stacks = sources(&EVERYTHING, None).stacks(&[one]);
        let bytes = format::write(&stacks).unwrap();
        assert_eq!(format::read(&bytes).unwrap(), stacks);
        for length in 0..bytes.len() {
            format::read(&bytes[..length]).unwrap_err();
        }
        let text = String::from_utf8(bytes).unwrap();
        let frame = "\"is_inlined\":false";
        let missing = text.replacen(frame, &format!("{frame},\"file\":3"), 1);
        let error = format::read(missing.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "a file of a frame is missing");
        // Files of version 1 had no table of source files.
        let older = text.replace("\"version\":2", "\"version\":1");
        let older = older.replace("\"files\":[],", "");
        let error = format::read(older.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "its version is 1, and this program knows version 2");
        let missing = text.replace("\"stack\":[0", "\"stack\":[77");
        let error = format::read(missing.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "a frame of a stack is missing");
        let end = text.find("\"stack\":[").unwrap() + "\"stack\":[".len();
        let none = text[..end].to_owned() + "]}]}}";
        assert!(matches!(
            format::read(none.as_bytes()),
            Err(format::StacksFault::MissingFrame)
        ));
    }
}
