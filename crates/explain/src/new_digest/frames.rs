//! Places of a profile to nodes of a digest: stacks of inlined functions.

use rustc_hash::FxHashMap;

use super::names::NameTable;
use super::objects::ObjectTable;
use crate::digest::{BodyId, DigestNode, DigestRow, FileId, FunctionId, NodeFrame, NodeId};
use formats::callgrind::{CostPlace, InstructionProfile, ProfileName};
use symbols::SourceFrame;

/// Callgrind's name of an unknown file.
pub(super) const NO_FILE: &[u8] = b"???";

/// The stacks that were met.
pub(super) struct FrameTable<'a> {
    profile: &'a InstructionProfile,
    objects: &'a ObjectTable,
    names: &'a mut NameTable,
    nodes: Vec<DigestNode>,
    bodies: FxHashMap<BodyId, NodeId>,
    inlined: FxHashMap<(NodeId, FunctionId, Option<FileId>, u32), NodeId>,
    functions: FxHashMap<BodyId, FunctionId>,
    frames: Vec<SourceFrame>,
}

impl<'a> FrameTable<'a> {
    pub(super) fn new(
        profile: &'a InstructionProfile,
        objects: &'a ObjectTable,
        names: &'a mut NameTable,
    ) -> Self {
        Self {
            profile,
            objects,
            names,
            nodes: Vec::new(),
            bodies: FxHashMap::default(),
            inlined: FxHashMap::default(),
            functions: FxHashMap::default(),
            frames: Vec::new(),
        }
    }

    /// The place of an instruction of a body. Without debug information it is the body, with the
    /// line that Valgrind knows.
    pub(super) fn of(&mut self, place: &CostPlace, body: BodyId) -> DigestRow {
        let object = self.objects.id(place.object);
        self.frames.clear();
        // Locked for this place only: threads that lock several objects in different orders would
        // deadlock.
        let code = self.objects.get(object).own_code();
        let mut reader = code.and_then(|code| code.frames());
        if let Some(reader) = reader.as_mut().filter(|_| self.profile.by_instruction) {
            // Copied, since the reader is asked for names while the frames are walked.
            self.frames.extend_from_slice(reader.at(place.address));
        }
        let mut node = self.of_body(body);
        let (Some(reader), Some((first, rest))) = (&reader, self.frames.split_first()) else {
            let name = self.profile.name(place.file);
            let is_known = place.line > 0 && name != NO_FILE;
            let library = self.objects.get(object).library();
            let name = String::from_utf8_lossy(name);
            let file = is_known.then(|| self.names.file(&name, library));
            let line = if is_known { place.line } else { 0 };
            return DigestRow { node, file, line };
        };
        if !self.functions.contains_key(&body) {
            let function = self.names.source_function(object, reader, first.function);
            self.functions.insert(body, function);
        }
        // A frame has the place of the call that was inlined as the next frame.
        let mut outer = first;
        for frame in rest {
            let function = self.names.source_function(object, reader, frame.function);
            let call_file = outer
                .file
                .map(|file| self.names.source_file(object, reader, file));
            let call_line = outer.line.unwrap_or(0);
            let key = (node, function, call_file, call_line);
            let next = NodeId(self.nodes.len() as u32);
            let parent = node;
            node = *self.inlined.entry(key).or_insert(next);
            if node == next {
                self.nodes.push(DigestNode {
                    frame: NodeFrame::Inlined { parent, function },
                    call_file,
                    call_line,
                });
            }
            outer = frame;
        }
        DigestRow {
            node,
            file: outer
                .file
                .map(|file| self.names.source_file(object, reader, file)),
            line: outer.line.unwrap_or(0),
        }
    }

    /// The place of a call; line 0 if the line is in another file than the function.
    pub(super) fn of_call(
        &mut self,
        place: &CostPlace,
        body: BodyId,
        file_of_body: ProfileName,
    ) -> DigestRow {
        let row = self.of(place, body);
        let function = match self.nodes[row.node.index()].frame {
            NodeFrame::Inlined { function, .. } => Some(function),
            NodeFrame::Body(body) => self.functions.get(&body).copied(),
        };
        // A call of a digest has a line and no file: its file is that of the function. A macro, or
        // an inlined function without debug information, has the line of another file.
        let is_there = match function {
            Some(function) => self.names.file_of(function) == row.file,
            None => place.file == file_of_body,
        };
        let line = if is_there { row.line } else { 0 };
        DigestRow { line, ..row }
    }

    fn of_body(&mut self, body: BodyId) -> NodeId {
        let next = NodeId(self.nodes.len() as u32);
        let node = *self.bodies.entry(body).or_insert(next);
        if node == next {
            self.nodes.push(DigestNode {
                frame: NodeFrame::Body(body),
                call_file: None,
                call_line: 0,
            });
        }
        node
    }

    /// All nodes, and the functions of the bodies that have debug information.
    pub(super) fn finish(self) -> (Vec<DigestNode>, FxHashMap<BodyId, FunctionId>) {
        (self.nodes, self.functions)
    }
}
