//! Machine code of the bodies that cost the most, kept since the next build replaces the
//! executable.

use rustc_hash::FxHashMap;

use super::bodies::BodyTable;
use super::names::NameTable;
use super::objects::ObjectTable;
use crate::digest::{
    BodyCode, BodyId, DigestNode, DigestRow, FunctionId, NodeFrame, NodeId, SourceOrigin,
    LONGEST_CODE, MOST_CODE,
};
use formats::callgrind::InstructionProfile;
use symbols::code::ReferenceName;

/// Bodies with a smaller part of the first event are not kept.
const LEAST_PART: u64 = 200;

/// Own costs of the bodies, and their executed instructions.
pub(super) struct CodeTable<'a> {
    profile: &'a InstructionProfile,
    /// Own costs of each body, of the first event.
    own: Vec<u64>,
    /// Instructions with costs, ascending by object and address.
    executed: Vec<ExecutedInstruction>,
}

/// Instruction with costs. Profiles have millions.
struct ExecutedInstruction {
    body: BodyId,
    /// Position among the rows of the profile.
    row: u32,
    node: NodeId,
    line: u32,
}

impl<'a> CodeTable<'a> {
    pub(super) fn new(profile: &'a InstructionProfile, bodies: usize) -> Self {
        Self {
            profile,
            own: vec![0; bodies],
            executed: Vec::new(),
        }
    }

    /// Adds a row of the profile with the place of its instruction.
    pub(super) fn add(&mut self, row: usize, body: BodyId, place: DigestRow) {
        if !self.profile.by_instruction {
            return;
        }
        let cost = self.profile.own(row).first().copied().unwrap_or(0);
        let own = &mut self.own[body.index()];
        *own = own.saturating_add(cost);
        self.executed.push(ExecutedInstruction {
            body,
            row: row as u32,
            node: place.node,
            line: place.line,
        });
    }

    /// The code of the most expensive bodies, by their numbers.
    pub(super) fn finish(
        self,
        nodes: &[DigestNode],
        functions: &FxHashMap<BodyId, FunctionId>,
        bodies: &BodyTable<'_>,
        objects: &ObjectTable,
        names: &mut NameTable,
    ) -> Vec<BodyCode> {
        let most = self.most_expensive(bodies, objects);
        if most.is_empty() {
            return Vec::new();
        }
        let lines = lines_of_user(nodes, functions, names);
        let mut executed: Vec<Vec<(u64, u64, u32)>> = vec![Vec::new(); most.len()];
        let ir = self.profile.events.iter().position(|event| event == "Ir");
        for instruction in &self.executed {
            if let Ok(place) = most.binary_search(&instruction.body) {
                let row = instruction.row as usize;
                let executions = ir.and_then(|ir| self.profile.own(row).get(ir)).copied();
                executed[place].push((
                    self.profile.rows[row].address,
                    executions.unwrap_or(0),
                    lines[instruction.node.index()].unwrap_or(instruction.line),
                ));
            }
        }
        let most = most.into_iter().zip(executed);
        most.filter_map(|(body, executed)| code(body, &executed, bodies, objects, names))
            .collect()
    }

    /// Bodies of the user's objects that cost the most, ascending.
    fn most_expensive(&self, bodies: &BodyTable<'_>, objects: &ObjectTable) -> Vec<BodyId> {
        let sum = |sum: u64, own: &u64| sum.saturating_add(*own);
        let total = self.own.iter().fold(0, sum);
        let least = total.div_ceil(LEAST_PART).max(1);
        let is_kept = |index: &usize| {
            let body = &bodies.all()[*index];
            let has_code = (1..=LONGEST_CODE as u64).contains(&body.size);
            has_code && self.own[*index] >= least && objects.get(body.object).own_code().is_some()
        };
        let mut most: Vec<usize> = (0..self.own.len()).filter(is_kept).collect();
        most.sort_by_key(|index| (std::cmp::Reverse(self.own[*index]), *index));
        most.truncate(MOST_CODE);
        let mut most: Vec<BodyId> = most.iter().map(|index| BodyId(*index as u32)).collect();
        // Ascending again, for the binary search and for the order of the digest.
        most.sort_unstable();
        most
    }
}

/// The code of a body. `None`: its instructions cannot be decoded.
fn code(
    id: BodyId,
    executed: &[(u64, u64, u32)],
    bodies: &BodyTable<'_>,
    objects: &ObjectTable,
    names: &mut NameTable,
) -> Option<BodyCode> {
    let body = &bodies.all()[id.index()];
    let object = objects.get(body.object).own_code()?;
    let start = body.start?;
    let (bytes, layout) = object.code_layout(&object.body_at(start)?)?;
    let count = layout.offsets.len();
    let mut code = BodyCode {
        body: id,
        bytes: bytes.into(),
        executions: vec![0; count],
        lines: vec![0; count],
        targets: Vec::with_capacity(layout.references.len()),
    };
    let mut executed = executed.iter().peekable();
    for (index, offset) in layout.offsets.iter().enumerate() {
        let address = start + u64::from(*offset);
        // A jump into the middle of an instruction executes bytes that the decoder reads as another
        // one.
        while executed.next_if(|(place, ..)| *place < address).is_some() {}
        while let Some((_, executions, line)) = executed.next_if(|(place, ..)| *place == address) {
            // An instruction has several rows if Callgrind knew it by several names.
            code.executions[index] = code.executions[index].saturating_add(*executions);
            code.lines[index] = *line;
        }
    }
    for (offset, name) in layout.references {
        let name = match name {
            ReferenceName::Function(name) => names.callee(&name.canonical),
            ReferenceName::Data | ReferenceName::None => names.text("data"),
        };
        code.targets.push((offset, name));
    }
    (count > 0).then_some(code)
}

/// For each stack, the line in its innermost function of the user. `None`: that of the instruction
/// itself; 0: no function is the user's.
fn lines_of_user(
    nodes: &[DigestNode],
    functions: &FxHashMap<BodyId, FunctionId>,
    names: &NameTable,
) -> Vec<Option<u32>> {
    let is_users = |function| names.origin(function) == SourceOrigin::User;
    let mut lines: Vec<Option<u32>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let line = match node.frame {
            NodeFrame::Body(body) => match functions.get(&body) {
                Some(function) if is_users(*function) => None,
                _ => Some(0),
            },
            NodeFrame::Inlined { function, .. } if is_users(function) => None,
            NodeFrame::Inlined { parent, .. } => {
                Some(lines[parent.index()].unwrap_or(node.call_line))
            }
        };
        lines.push(line);
    }
    lines
}
