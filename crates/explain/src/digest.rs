//! The digest of a result: a condensed profile with facts about its executables.
//!
//! A digest is made when a benchmark was measured, since the executable is replaced by the next
//! build. It has the costs by stack of inlined functions and line, the calls, and hashes that show
//! whether the machine code of a function changed. `format/` writes and reads it,
//! [`super::explain`] compares two. `check.rs` knows which indices and orders are right.
//!
//! Processes, threads and parts of a benchmark are added up. All costs are of what the roots reach,
//! so rows add up to the totals of the head, for each event.

pub use super::costs::CostTable;
pub use symbols::SourceOrigin;

/// Defines the index of an item of a section of the digest.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its section.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Position of a text in [`Digest::strings`].
    StringId
);
index!(
    /// Position of an object in [`Digest::objects`].
    ObjectId
);
index!(
    /// Position of a file in [`Digest::files`].
    FileId
);
index!(
    /// Position of a function in [`Digest::functions`].
    FunctionId
);
index!(
    /// Position of a body in [`Digest::bodies`].
    BodyId
);
index!(
    /// Position of a node in [`Digest::nodes`].
    NodeId
);

/// A condensed profile, with the debug information about its instructions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Digest {
    /// Facts about the whole profile.
    pub head: DigestHead,
    /// All texts. One that is used twice is here once.
    pub strings: Vec<Box<str>>,
    /// Executables and libraries.
    pub objects: Vec<DigestObject>,
    /// Files of functions, rows and calls.
    pub files: Vec<DigestFile>,
    /// Functions of the source: inlined ones and those with a body. Instances have one function
    /// each.
    pub functions: Vec<DigestFunction>,
    /// Functions of the machine code that were executed, or called.
    pub bodies: Vec<DigestBody>,
    /// Stacks of inlined functions. The parent of a node stands before it. A body has one node
    /// without a parent, which stands for the body itself; bodies without costs and calls need
    /// none.
    pub nodes: Vec<DigestNode>,
    /// Places with own costs, ascending by node, file (none first) and line, without repetition.
    pub rows: Vec<DigestRow>,
    /// Own costs of the rows, one list for each.
    pub row_costs: CostTable,
    /// Call sites, ascending by node, line and callee, without repetition.
    pub calls: Vec<DigestCall>,
    /// Inclusive costs of the calls, one list for each. Those of a recursion overlap, as Callgrind
    /// has them.
    pub call_costs: CostTable,
    /// Executed lines of the user's files and two around each, ascending by file and line.
    pub texts: Vec<SourceText>,
    /// Machine code of the bodies that cost the most, ascending by body.
    pub code: Vec<BodyCode>,
    /// Constants that executed instructions refer to, ascending by body and offset.
    pub constants: Vec<BodyConstant>,
    /// Further names of bodies whose code the compiler or the linker merged, ascending by body.
    pub merged: Vec<(BodyId, StringId)>,
}

/// Facts about the whole profile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DigestHead {
    /// Hash of all that the digest was made of, but for sources: with the same one, nothing is made
    /// anew. 0: not known.
    pub fingerprint: u64,
    /// Number of the executable that ran, and of its state. 0: not known.
    pub executable: u64,
    /// Callgrind's names of the events, such as `Ir`, in the order of all lists of costs.
    pub events: Vec<StringId>,
    /// Costs of everything below the roots, one for each event.
    pub totals: Vec<u64>,
    /// Kind of the roots.
    pub root: DigestRoot,
    /// Bodies where counting began, ascending: the measured function, an entry point of the user,
    /// the function of the regions. Without one the costs begin at bodies that nobody calls.
    pub roots: Vec<BodyId>,
    /// `DW_AT_producer` of the executable, such as `clang LLVM (rustc version 1.95.0 (…))`.
    pub producer: Option<StringId>,
    /// Target triple or architecture.
    pub target: Option<StringId>,
    /// The profile has instructions. Otherwise nodes are those of bodies only.
    pub by_instruction: bool,
    /// [`DigestCall::count`] is true. Otherwise it is Callgrind's `calls=`, and no cause is found.
    pub true_calls: bool,
    /// Source files were newer than the executable, so their texts are missing.
    pub newer_sources: bool,
    /// Each block of the program is known to come from the C library's `malloc`.
    pub is_malloc: bool,
}

/// Kind of the place where counting began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DigestRoot {
    /// The measured function, or an entry point of the user.
    #[default]
    EntryPoint,
    /// The regions that the benchmark measured itself.
    Regions,
}

/// An executable or a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestObject {
    /// File name without cargo's hash.
    pub name: StringId,
    /// The executable, or a library below the workspace or the target directory.
    pub is_own: bool,
    /// Build id; empty: it has none.
    pub build_id: Box<[u8]>,
    /// Extent of the debug information.
    pub debug: DebugExtent,
}

/// Extent of the debug information of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DebugExtent {
    /// Neither names nor lines.
    None,
    /// Symbols only.
    Names,
    /// Lines and stacks of inlined functions.
    Lines,
    /// Everything.
    Full,
}

/// A source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestFile {
    /// Path relative to the workspace, the root of the package, or that of the library.
    pub path: StringId,
    /// Owner of the file.
    pub origin: SourceOrigin,
    /// `name version` of the package, crate of the standard library, or member of the workspace.
    pub package: Option<StringId>,
}

/// A function of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestFunction {
    /// Canonical name, by which functions of two builds are paired.
    pub name: StringId,
    /// Name with generic arguments, if it has some.
    pub instance: Option<StringId>,
    /// File of the declaration; else of the place where it was inlined; else of its rows with a
    /// line.
    pub file: Option<FileId>,
    /// Line of the declaration; 0: not known.
    pub line: u32,
}

/// A function of the machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestBody {
    /// The function.
    pub function: FunctionId,
    /// The object that it is in.
    pub object: ObjectId,
    /// Size of its code in bytes; 0: not known.
    pub bytes: u32,
    /// Hash of its code without addresses; 0: not known.
    pub code_hash: u64,
    /// Hash of its code without the names of functions; 0: not known.
    pub shape: u64,
    /// Hash of the instances that its code refers to; 0: not known.
    pub instances: u64,
    /// Executions of its first instruction.
    pub entries: u64,
}

/// A constant that an instruction of a body refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyConstant {
    /// The body.
    pub body: BodyId,
    /// Place of the instruction in the body.
    pub offset: u32,
    /// Hash of the constant.
    pub hash: u64,
}

/// A stack of inlined functions, as its innermost one and the node of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestNode {
    /// The innermost function.
    pub frame: NodeFrame,
    /// File of the call that was inlined.
    pub call_file: Option<FileId>,
    /// Line of the call that was inlined; 0: a body, or not known.
    pub call_line: u32,
}

/// The innermost function of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeFrame {
    /// A body itself.
    Body(BodyId),
    /// A function that was inlined into that of the parent.
    Inlined {
        /// The node of the caller, which stands before this one.
        parent: NodeId,
        /// The inlined function.
        function: FunctionId,
    },
}

/// A place with own costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DigestRow {
    /// The stack of functions.
    pub node: NodeId,
    /// The file of the line.
    pub file: Option<FileId>,
    /// The line; 0: the compiler gave none.
    pub line: u32,
}

/// The calls of a body from one line of a stack of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DigestCall {
    /// The stack of functions that has the call instruction.
    pub node: NodeId,
    /// The line of the call; 0: the compiler gave none. Its file is that of the innermost function.
    pub line: u32,
    /// The called body.
    pub callee: BodyId,
    /// Number of calls: `min(calls, executions of the instruction)`. An instruction with several
    /// callees shares its executions in proportion.
    pub count: u64,
}

/// A line of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceText {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The text without its end of line, cut at 200 bytes.
    pub text: StringId,
}

/// Bodies whose machine code is kept, at most.
pub const MOST_CODE: usize = 24;

/// Bytes of the longest machine code that is kept.
pub const LONGEST_CODE: usize = 32 << 10;

/// The machine code of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyCode {
    /// The body.
    pub body: BodyId,
    /// The code.
    pub bytes: Box<[u8]>,
    /// Executions of each of its instructions in their order; 0: not executed.
    pub executions: Vec<u64>,
    /// Line of each of its instructions in the innermost function of the user; 0: not known, or not
    /// executed.
    pub lines: Vec<u32>,
    /// Offsets of instructions that refer to something outside, ascending, with the name of it.
    /// Names, and no functions: one that never ran is no function of the digest.
    pub targets: Vec<(u32, StringId)>,
}

impl Digest {
    /// A digest of the same counters in which nothing ran: the other side of a result that has
    /// none.
    #[must_use]
    pub fn without_costs(&self) -> Self {
        Self {
            head: DigestHead {
                events: self.head.events.clone(),
                by_instruction: self.head.by_instruction,
                true_calls: self.head.true_calls,
                is_malloc: self.head.is_malloc,
                ..DigestHead::default()
            },
            // The events of the head are numbers of these texts.
            strings: self.strings.clone(),
            ..Self::default()
        }
    }

    /// A text.
    #[must_use]
    pub fn text(&self, id: StringId) -> &str {
        &self.strings[id.index()]
    }

    /// The canonical name of a function.
    #[must_use]
    pub fn name(&self, function: FunctionId) -> &str {
        self.text(self.functions[function.index()].name)
    }

    /// Owner of the file of a function.
    #[must_use]
    pub fn origin(&self, function: FunctionId) -> SourceOrigin {
        let file = self.functions[function.index()].file;
        file.map_or(SourceOrigin::Unknown, |file| {
            self.files[file.index()].origin
        })
    }

    /// The innermost function of a node.
    #[must_use]
    pub fn function_of(&self, node: NodeId) -> FunctionId {
        match self.nodes[node.index()].frame {
            NodeFrame::Body(body) => self.bodies[body.index()].function,
            NodeFrame::Inlined { function, .. } => function,
        }
    }

    /// The body of each node.
    #[must_use]
    pub fn bodies_of_nodes(&self) -> Vec<BodyId> {
        // Parents stand before their nodes, so their bodies are known.
        let mut bodies: Vec<BodyId> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            bodies.push(match node.frame {
                NodeFrame::Body(body) => body,
                NodeFrame::Inlined { parent, .. } => bodies[parent.index()],
            });
        }
        bodies
    }
}
