//! Calls and how often they happened while it counted.
//!
//! Callgrind's own numbers (`calls=`) count the calls of setups, teardowns and the harness as well.
//! A call happened as often as its instruction was executed, which is in the profile.

use super::bodies::BodyTable;
use super::frames::FrameTable;
use super::objects::ObjectTable;
use super::row_table::add;
use crate::digest::{BodyId, CostTable, DigestCall, ObjectId};
use base::apportion::divide;
use formats::callgrind::InstructionProfile;

/// Call of a profile, with bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundCall {
    /// Position among the calls of the profile.
    pub(super) index: usize,
    pub(super) caller: BodyId,
    pub(super) callee: BodyId,
    /// Number of calls.
    pub(super) count: u64,
}

impl FoundCall {
    /// The call with other numbers for its bodies. `None`: one of them has none.
    pub(super) fn renumbered(&self, number: impl Fn(BodyId) -> Option<BodyId>) -> Option<Self> {
        Some(Self {
            caller: number(self.caller)?,
            callee: number(self.callee)?,
            ..*self
        })
    }
}

/// Executions of each instruction of a profile, by object and address; empty if it has none.
pub(super) struct Executions(Vec<ExecutedInstruction>);

struct ExecutedInstruction {
    place: (ObjectId, u64),
    count: u64,
    /// Writes to memory, if they were counted.
    writes: u64,
}

impl Executions {
    /// Executions of each instruction: its `Ir` count.
    pub(super) fn new(profile: &InstructionProfile, objects: &ObjectTable) -> Self {
        let ir = profile.events.iter().position(|event| event == "Ir");
        let (Some(ir), true) = (ir, profile.by_instruction) else {
            return Self(Vec::new());
        };
        let writes = profile.events.iter().position(|event| event == "Dw");
        let rows = profile.rows.iter().enumerate();
        let mut executions: Vec<_> = rows
            .map(|(row, place)| ExecutedInstruction {
                place: (objects.id(place.object), place.address),
                count: profile.own(row)[ir],
                writes: writes.map_or(0, |writes| profile.own(row)[writes]),
            })
            .collect();
        executions.sort_unstable_by_key(|instruction| instruction.place);
        Self(executions)
    }

    /// Executions of an instruction. `None`: it has no costs.
    pub(super) fn of(&self, object: ObjectId, address: u64) -> Option<u64> {
        self.find(object, address)
            .map(|instruction| instruction.count)
    }

    /// Executions of an instruction that calls.
    fn of_call(&self, object: ObjectId, address: u64) -> Option<u64> {
        let instruction = self.find(object, address)?;
        // Callgrind adds the jump through the procedure linkage table, which it skips
        // (`--skip-plt`), to the call before it. The call writes its return address, and the jump
        // writes nothing.
        Some(match instruction.writes {
            0 => instruction.count,
            writes => instruction.count.min(writes),
        })
    }

    fn find(&self, object: ObjectId, address: u64) -> Option<&ExecutedInstruction> {
        let instructions = &self.0;
        let found = instructions.binary_search_by_key(&(object, address), |known| known.place);
        found.ok().map(|index| &instructions[index])
    }
}

/// All calls with their true numbers; without instructions, with Callgrind's numbers.
pub(super) fn found(
    profile: &InstructionProfile,
    objects: &ObjectTable,
    executions: &Executions,
    bodies: &mut BodyTable<'_>,
) -> Vec<FoundCall> {
    let calls = profile.calls.iter().enumerate();
    let mut found: Vec<FoundCall> = calls
        .map(|(index, call)| FoundCall {
            index,
            caller: bodies.of(&call.site),
            callee: bodies.called(&call.callee),
            count: call.raw_count,
        })
        .collect();
    if !profile.by_instruction {
        return found;
    }
    let site = |call: &FoundCall| {
        let site = &profile.calls[call.index].site;
        (objects.id(site.object), site.address)
    };
    found.sort_by_key(site);
    for calls in found.chunk_by_mut(|a, b| site(a) == site(b)) {
        let (object, address) = site(&calls[0]);
        let executed = executions.of_call(object, address).unwrap_or(0);
        let counts: Vec<u64> = calls.iter().map(|call| call.count).collect();
        // One instruction that calls several functions shares its executions among them.
        if counts
            .iter()
            .fold(0, |sum: u64, count| sum.saturating_add(*count))
            > executed
        {
            for (call, count) in calls.iter_mut().zip(divide(executed, &counts)) {
                call.count = count;
            }
        }
    }
    found
}

/// Merges calls of the same stack, line and callee for the digest.
pub(super) fn by_line(
    profile: &InstructionProfile,
    calls: impl Iterator<Item = FoundCall>,
    bodies: &BodyTable<'_>,
    frames: &mut FrameTable<'_>,
) -> (Vec<DigestCall>, CostTable) {
    let mut placed: Vec<(DigestCall, u32)> = Vec::with_capacity(profile.calls.len());
    for call in calls {
        let file = bodies.all()[call.caller.index()].file;
        let place = frames.of_call(&profile.calls[call.index].site, call.caller, file);
        let call_of_digest = DigestCall {
            node: place.node,
            line: place.line,
            callee: call.callee,
            count: call.count,
        };
        placed.push((call_of_digest, call.index as u32));
    }
    let place = |call: &DigestCall| (call.node, call.line, call.callee);
    placed.sort_unstable_by_key(|(call, _)| place(call));
    let (mut found, mut table) = (Vec::new(), CostTable::default());
    let mut sums = vec![0; profile.events.len()];
    for calls in placed.chunk_by(|(a, _), (b, _)| place(a) == place(b)) {
        let mut sum = calls[0].0;
        sum.count = 0;
        sums.fill(0);
        for (call, index) in calls {
            sum.count = sum.count.saturating_add(call.count);
            add(&mut sums, profile.inclusive(*index as usize));
        }
        found.push(sum);
        table.push(&sums);
    }
    (found, table)
}
