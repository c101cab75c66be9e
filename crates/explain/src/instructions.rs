//! Machine code of a function in two builds, instruction by instruction.
//!
//! Executables are gone, so the code is that of the digests. Texts have no addresses, so an
//! instruction that has only moved is the same one.

use std::collections::BTreeMap;

use super::alignment::{align, AlignedItem};
use super::digest::{BodyCode, Digest, FunctionId};
use super::names;
use super::pair::{FunctionPairs, PairNumber};
use super::sides::{NEW, OLD};
use symbols::code::{
    CodeReference, DecodedInstruction, InstructionSet, MachineCode, ReferenceKind, ReferenceName,
};

/// Names that are offered for one that does not exist.
const OFFERED: usize = 3;

/// Machine code of a function in two builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionInstructions {
    /// Canonical name.
    pub function: String,
    /// Number of instructions of the old build.
    pub old: usize,
    /// Number of instructions of the new build.
    pub new: usize,
    /// Instructions of both, in their order. What was replaced stands before its replacement.
    pub instructions: Vec<InstructionDifference>,
}

/// An instruction of one or both builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstructionDifference {
    /// Place in the function, in the new build if it has the instruction.
    pub offset: u64,
    /// Text without addresses.
    pub text: String,
    /// Executions in the old build. `None`: it has no such instruction.
    pub old: Option<u64>,
    /// Executions in the new build. `None`: it has no such instruction.
    pub new: Option<u64>,
    /// Line in the innermost function of the user, of the new build if it has the instruction; 0:
    /// not known.
    pub line: u32,
}

/// Reason why there are no instructions to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoInstructions {
    /// A digest has no code at all.
    #[error(
        "the {0} result has no machine code: its profile has no instructions, its executable was not \
         readable, or its processor is not x86; `cargo bench` without `--dump-instr=no` keeps it"
    )]
    NoCode(&'static str),
    /// The builds are for different processors.
    #[error("the results are of different processors: {old} and {new}; compare results of one")]
    OtherProcessor {
        /// The processor of the old build.
        old: &'static str,
        /// The processor of the new build.
        new: &'static str,
    },
    /// No function with code has this name.
    #[error(
        "no function with machine code is called `{name}`{}; it is kept of functions with at least \
         0.5 % of the instructions, of the {MOST} most expensive ones",
        offer(.nearest), MOST = super::digest::MOST_CODE
    )]
    NoFunction {
        /// The name that was looked for.
        name: String,
        /// Names that are like it, the most similar first.
        nearest: Vec<String>,
    },
    /// One build only has code of the function.
    #[error(
        "`{function}` has machine code in the {side} result only: in the other one it was inlined, not \
         called, or had less than 0.5 % of the instructions"
    )]
    OneSide {
        /// The function.
        function: String,
        /// The build that has it.
        side: &'static str,
    },
}

fn offer(nearest: &[String]) -> String {
    let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; there is {}", names.join(", ")),
    }
}

/// The instructions of all functions with this name: a canonical one, or its last segments.
/// Instances of a generic function are several.
///
/// # Errors
///
/// No function has this name, or there is no code on both sides.
pub fn instruction_differences(
    old: &Digest,
    new: &Digest,
    name: &str,
) -> Result<Vec<FunctionInstructions>, NoInstructions> {
    let builds = [CodeBuild::new(old, "old")?, CodeBuild::new(new, "new")?];
    same_processor(&builds)?;
    let pairs = FunctionPairs::find(old, new);
    let functions = codes_by_function(&builds, &pairs);
    let called = |pair: &PairNumber| shown_name(&pairs, *pair, &builds);
    let chosen = chosen(functions.keys().map(|pair| (*pair, called(pair))), name)?;
    let mut found = Vec::new();
    let mut one_sided = None;
    for pair in chosen {
        let function = called(&pair);
        match &functions[&pair] {
            [old, _] if old.is_empty() => one_sided = Some((function, "new")),
            [_, new] if new.is_empty() => one_sided = Some((function, "old")),
            codes => found.extend(instances(&function, codes, &builds)),
        }
    }
    match one_sided {
        // Another function with this end of a name may have code on both sides.
        Some((function, side)) if found.is_empty() => {
            Err(NoInstructions::OneSide { function, side })
        }
        _ => Ok(found),
    }
}

/// Machine code of several functions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InstructionTables {
    /// The functions: first those whose code changed, then by the difference of executed
    /// instructions, then by their number.
    pub functions: Vec<FunctionInstructions>,
    /// Functions for whose instructions there was no room.
    pub left_out: Vec<String>,
}

/// The instructions of all functions with code, as far as there are not more than `most`. A
/// function that one build has no code of has its instructions on one side.
///
/// # Errors
///
/// The builds are for different processors.
pub fn all_instructions(
    old: &Digest,
    new: &Digest,
    most: usize,
) -> Result<InstructionTables, NoInstructions> {
    let builds = [CodeBuild::of(old), CodeBuild::of(new)];
    if builds.iter().all(|build| !build.digest.code.is_empty()) {
        same_processor(&builds)?;
    }
    let pairs = FunctionPairs::find(old, new);
    let functions = codes_by_function(&builds, &pairs);
    let mut order: Vec<_> = functions.iter().collect();
    order.sort_by_cached_key(|(_, codes)| {
        // Code of one side alone may be below the limit of what is kept: nothing shows a change.
        let hashes = [OLD, NEW].map(|side| hashes(&codes[side], &builds[side]));
        let has_both = hashes.iter().all(|hashes| !hashes.is_empty());
        let is_changed = has_both && hashes[OLD] != hashes[NEW];
        let [old, new] = codes.each_ref().map(|codes| executed(codes));
        std::cmp::Reverse((is_changed, old.abs_diff(new), old.max(new)))
    });
    let mut tables = InstructionTables::default();
    let mut room = most;
    for (pair, codes) in order {
        let function = shown_name(&pairs, *pair, &builds);
        // Known before anything is decoded and aligned, which takes most of the time.
        let lengths = codes.iter().map(|codes| instructions_of(codes));
        let length = lengths.max().unwrap_or(0);
        let Some(left) = room.checked_sub(length) else {
            tables.left_out.push(function);
            continue;
        };
        room = left;
        match codes {
            [old, new] if old.is_empty() || new.is_empty() => {
                let side = if old.is_empty() { NEW } else { OLD };
                let alone = codes[side].iter();
                let alone = alone.map(|code| one_sided(&function, code, side, &builds));
                tables.functions.extend(alone);
            }
            _ => tables
                .functions
                .extend(instances(&function, codes, &builds)),
        }
    }
    Ok(tables)
}

/// Hashes of the code of all instances.
fn hashes(codes: &[&BodyCode], build: &CodeBuild<'_>) -> Vec<u64> {
    let mut hashes: Vec<u64> = codes.iter().map(|code| build.hash(code)).collect();
    hashes.sort_unstable();
    hashes
}

/// Executed instructions of all instances.
fn executed(codes: &[&BodyCode]) -> u64 {
    let executions = codes.iter().flat_map(|code| &code.executions);
    executions.fold(0, |sum, count| sum.saturating_add(*count))
}

/// Number of the instructions of all instances.
fn instructions_of(codes: &[&BodyCode]) -> usize {
    codes.iter().map(|code| code.executions.len()).sum()
}

fn same_processor(builds: &[CodeBuild<'_>; 2]) -> Result<(), NoInstructions> {
    let [old, new] = [OLD, NEW].map(|side| builds[side].set);
    match old == new {
        true => Ok(()),
        false => Err(NoInstructions::OtherProcessor {
            old: old.name(),
            new: new.name(),
        }),
    }
}

/// The code of the instances of each function.
fn codes_by_function<'a>(
    builds: &[CodeBuild<'a>; 2],
    pairs: &FunctionPairs,
) -> BTreeMap<PairNumber, [Vec<&'a BodyCode>; 2]> {
    let mut functions: BTreeMap<PairNumber, [Vec<&BodyCode>; 2]> = BTreeMap::new();
    for (side, numbers) in [(OLD, &pairs.old), (NEW, &pairs.new)] {
        for code in &builds[side].digest.code {
            let pair = numbers[builds[side].function(code).index()];
            functions.entry(pair).or_default()[side].push(code);
        }
    }
    functions
}

/// The digest of a build with code.
#[derive(Clone, Copy)]
struct CodeBuild<'a> {
    digest: &'a Digest,
    set: InstructionSet,
}

impl<'a> CodeBuild<'a> {
    fn new(digest: &'a Digest, side: &'static str) -> Result<Self, NoInstructions> {
        match digest.code.is_empty() {
            true => Err(NoInstructions::NoCode(side)),
            false => Ok(Self::of(digest)),
        }
    }

    fn of(digest: &'a Digest) -> Self {
        let target = digest.head.target.map(|target| digest.text(target));
        Self {
            digest,
            set: InstructionSet::named(target.unwrap_or_default()),
        }
    }

    fn function(&self, code: &BodyCode) -> FunctionId {
        self.digest.bodies[code.body.index()].function
    }

    fn instance(&self, code: &BodyCode) -> Option<&'a str> {
        let function = &self.digest.functions[self.function(code).index()];
        function.instance.map(|name| self.digest.text(name))
    }

    fn hash(&self, code: &BodyCode) -> u64 {
        self.digest.bodies[code.body.index()].code_hash
    }

    fn decoded(&self, code: &BodyCode) -> Vec<DecodedInstruction> {
        let machine_code = MachineCode {
            set: self.set,
            // The address is not known any more. Texts have none, so any will do.
            start: 0,
            bytes: &code.bytes,
        };
        machine_code.instructions(&mut |reference: CodeReference| {
            let target = |at: &(u32, _)| u64::from(at.0).cmp(&reference.offset);
            let target = code.targets.binary_search_by(target);
            match (target, reference.kind) {
                (Ok(target), _) => {
                    let name = self.digest.text(code.targets[target].1);
                    ReferenceName::Function(names::shown(name).as_str().into())
                }
                // Of numbers, digests keep only those that are addresses (`x86::layout`).
                (Err(_), ReferenceKind::Number) => ReferenceName::None,
                (Err(_), ReferenceKind::Branch | ReferenceKind::Memory) => ReferenceName::Data,
            }
        })
    }
}

fn shown_name(pairs: &FunctionPairs, pair: PairNumber, builds: &[CodeBuild<'_>; 2]) -> String {
    let pair = pairs.pairs[pair as usize];
    let new = pair.new.map(|function| builds[NEW].digest.name(function));
    let old = pair.old.map(|function| builds[OLD].digest.name(function));
    names::shown(new.or(old).unwrap_or_default())
}

/// The functions with this name, else those that end with it.
fn chosen(
    functions: impl Iterator<Item = (PairNumber, String)>,
    name: &str,
) -> Result<Vec<PairNumber>, NoInstructions> {
    let functions: Vec<(PairNumber, String)> = functions.collect();
    let with = |is_one: &dyn Fn(&str) -> bool| -> Vec<PairNumber> {
        let found = functions.iter().filter(|(_, known)| is_one(known));
        found.map(|(pair, _)| *pair).collect()
    };
    let end = format!("::{name}");
    let mut found = with(&|known| known == name);
    if found.is_empty() {
        found = with(&|known| known.ends_with(&end));
    }
    if !found.is_empty() && !name.is_empty() {
        return Ok(found);
    }
    Err(NoInstructions::NoFunction {
        name: name.to_owned(),
        nearest: nearest(functions.into_iter().map(|(_, known)| known), name),
    })
}

/// The names that are most like this one; one within a name is more than a few equal letters.
fn nearest(functions: impl Iterator<Item = String>, name: &str) -> Vec<String> {
    let likeness = |known: &str| match known.contains(name) {
        true => 2.0,
        false => {
            let last = names::last(known, 1);
            strsim::jaro_winkler(known, name).max(strsim::jaro_winkler(last, name))
        }
    };
    let mut functions: Vec<(f64, String)> =
        functions.map(|known| (likeness(&known), known)).collect();
    functions.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let names = functions.into_iter().map(|(_, known)| known);
    names.take(OFFERED).collect()
}

/// The instances of one function, paired by their types, then by their code, then by their order.
fn instances(
    function: &str,
    [old, new]: &[Vec<&BodyCode>; 2],
    builds: &[CodeBuild<'_>; 2],
) -> Vec<FunctionInstructions> {
    let mut left: Vec<&BodyCode> = old.clone();
    let mut pairs: Vec<(&BodyCode, Option<&BodyCode>)> =
        new.iter().map(|code| (*code, None)).collect();
    type IsAlike<'a> = &'a dyn Fn(&BodyCode, &BodyCode) -> bool;
    let rules: [IsAlike<'_>; 3] = [
        &|old, new| {
            let instance = builds[NEW].instance(new);
            instance.is_some() && builds[OLD].instance(old) == instance
        },
        &|old, new| builds[OLD].hash(old) == builds[NEW].hash(new),
        &|_, _| true,
    ];
    for is_alike in rules {
        for (new, found) in pairs.iter_mut().filter(|(_, found)| found.is_none()) {
            if let Some(place) = left.iter().position(|old| is_alike(old, new)) {
                *found = Some(left.remove(place));
            }
        }
    }
    let pairs = pairs.into_iter();
    let pairs = pairs.filter_map(|(new, old)| Some((old?, new)));
    pairs
        .map(|(old, new)| compared(function, old, new, builds))
        .collect()
}

fn compared(
    function: &str,
    old: &BodyCode,
    new: &BodyCode,
    builds: &[CodeBuild<'_>; 2],
) -> FunctionInstructions {
    let decoded = [builds[OLD].decoded(old), builds[NEW].decoded(new)];
    let texts = decoded.each_ref().map(|decoded| {
        let texts = decoded.iter().map(|instruction| &*instruction.text);
        texts.collect::<Vec<&str>>()
    });
    let instruction = |item| match item {
        AlignedItem::Both(before, now) => InstructionDifference {
            offset: decoded[NEW][now].offset,
            text: texts[NEW][now].to_owned(),
            old: Some(executions(old, before)),
            new: Some(executions(new, now)),
            line: line(new, now),
        },
        AlignedItem::Old(before) => alone(old, before, &decoded[OLD], OLD),
        AlignedItem::New(now) => alone(new, now, &decoded[NEW], NEW),
    };
    let aligned = align(&texts[OLD], &texts[NEW]);
    FunctionInstructions {
        function: function.to_owned(),
        old: texts[OLD].len(),
        new: texts[NEW].len(),
        instructions: aligned.into_iter().map(instruction).collect(),
    }
}

fn executions(code: &BodyCode, at: usize) -> u64 {
    code.executions.get(at).copied().unwrap_or(0)
}

fn line(code: &BodyCode, at: usize) -> u32 {
    code.lines.get(at).copied().unwrap_or(0)
}

/// An instruction of one build.
fn alone(
    code: &BodyCode,
    at: usize,
    decoded: &[DecodedInstruction],
    side: usize,
) -> InstructionDifference {
    let executions = Some(executions(code, at));
    InstructionDifference {
        offset: decoded[at].offset,
        text: decoded[at].text.clone(),
        old: executions.filter(|_| side == OLD),
        new: executions.filter(|_| side == NEW),
        line: line(code, at),
    }
}

/// The instructions of a function that one build has code of.
fn one_sided(
    function: &str,
    code: &BodyCode,
    side: usize,
    builds: &[CodeBuild<'_>; 2],
) -> FunctionInstructions {
    let decoded = builds[side].decoded(code);
    let count = |of: usize| if of == side { decoded.len() } else { 0 };
    let instructions = 0..decoded.len();
    FunctionInstructions {
        function: function.to_owned(),
        old: count(OLD),
        new: count(NEW),
        instructions: instructions
            .map(|at| alone(code, at, &decoded, side))
            .collect(),
    }
}

impl FunctionInstructions {
    /// Number of instructions that both builds have.
    #[must_use]
    pub fn alike(&self) -> usize {
        let both = self.instructions.iter();
        both.filter(|one| one.old.is_some() && one.new.is_some())
            .count()
    }
}
