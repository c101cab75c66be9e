//! One side of a comparison: own costs and calls of each body, with their places in the source.
//!
//! Bodies of one name add up. A place is the innermost function of the user on the stack of an
//! instruction; it is the same however the compiler inlined.

use std::collections::HashMap;

use super::digest::{BodyId, Digest, FileId, NodeFrame, NodeId, SourceOrigin};
use super::inline_paths::{InlinePaths, PathNumber};
use super::pair::{FunctionPairs, PairNumber};

/// Number of a missing item.
pub(super) const NONE: u32 = u32::MAX;

/// The old side of a pair of arrays.
pub(super) const OLD: usize = 0;
/// The new side of a pair of arrays.
pub(super) const NEW: usize = 1;

/// Place of an instruction in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Site {
    /// The innermost function of the user, or [`NONE`].
    pub(super) user: PairNumber,
    /// The path of inlined functions.
    pub(super) path: PathNumber,
    /// The line in the function of the user.
    pub(super) line: SourceLine,
}

/// A line of a file of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SourceLine {
    /// Number of the path, or [`NONE`].
    pub(super) file: u32,
    /// The line; 0: not known.
    pub(super) line: u32,
}

/// Own costs of a body at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteCost {
    pub(super) site: Site,
    pub(super) cost: f64,
}

/// Calls of a body at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallSite {
    pub(super) site: Site,
    pub(super) callee: PairNumber,
    pub(super) count: f64,
    pub(super) inclusive: f64,
}

/// Bodies of one side, by the number of their pair. The last one is the outside, which calls the
/// roots.
#[derive(Default)]
pub(super) struct SideGraph {
    pub(super) own: Vec<Vec<SiteCost>>,
    pub(super) calls: Vec<Vec<CallSite>>,
    /// The function has a body here.
    pub(super) has_body: Vec<bool>,
    /// The function was inlined here.
    pub(super) is_inlined: Vec<bool>,
    /// Executions of the first instruction.
    pub(super) entries: Vec<f64>,
    /// The code of its instances, ascending.
    pub(super) code: Vec<Vec<InstanceCode>>,
    pub(super) roots: Vec<PairNumber>,
}

/// The machine code of one instance of a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InstanceCode {
    /// Number of its name with generic arguments, or [`NONE`].
    pub(super) instance: u32,
    /// Hash of the code; 0: not known.
    pub(super) hash: u64,
    /// Hash of the instances that it refers to; 0: not known.
    pub(super) callees: u64,
    /// Hashes of the constants that executed instructions refer to, by the places of these.
    pub(super) constants: Vec<(u32, u64)>,
}

/// Texts and paths of inlined functions of both sides.
#[derive(Default)]
pub(super) struct SharedNames<'a> {
    numbers: HashMap<&'a str, u32>,
    /// Paths of files, and names of instances.
    pub(super) texts: Vec<&'a str>,
    pub(super) inlined: InlinePaths,
}

/// Input from which a side of a graph is built.
struct SideSources<'a> {
    digest: &'a Digest,
    values: &'a DigestValues,
    /// Pair of each function.
    pairs: &'a [PairNumber],
    /// For each pair, whether both builds have the function.
    both: &'a [bool],
    /// Number of the path of each file.
    files: Vec<u32>,
    side: usize,
}

/// Values of one metric for a digest.
pub(super) struct DigestValues {
    pub(super) rows: Vec<u64>,
    pub(super) calls: Vec<u64>,
}

/// Place of a node. `line`: the line in the function of the user at which the code was inlined.
#[derive(Clone, Copy)]
struct NodeSite {
    body: PairNumber,
    user: PairNumber,
    path: PathNumber,
    line: Option<SourceLine>,
}

impl<'a> SharedNames<'a> {
    /// The number of the path of each file.
    pub(super) fn files(&mut self, digest: &'a Digest) -> Vec<u32> {
        let files = digest.files.iter();
        files
            .map(|file| self.number(digest.text(file.path)))
            .collect()
    }

    fn number(&mut self, text: &'a str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }
}

/// The graphs of both sides.
pub(super) fn side_graphs<'a>(
    digests: [&'a Digest; 2],
    values: &'a [DigestValues; 2],
    pairs: &'a FunctionPairs,
    names: &mut SharedNames<'a>,
) -> [SideGraph; 2] {
    let sides = [&pairs.old[..], &pairs.new[..]];
    let both = pairs.pairs.iter();
    let both: Vec<bool> = both
        .map(|pair| pair.old.is_some() && pair.new.is_some())
        .collect();
    [OLD, NEW].map(|side| {
        let pairs = (sides[side], &both[..]);
        SideGraph::new(side, digests[side], &values[side], pairs, names)
    })
}

impl SideGraph {
    /// The graph of a side. `pairs` has the pair of each function, and `both` whether both sides
    /// have that pair.
    fn new<'a>(
        side: usize,
        digest: &'a Digest,
        values: &'a DigestValues,
        (pairs, both): (&'a [PairNumber], &[bool]),
        names: &mut SharedNames<'a>,
    ) -> Self {
        let sources = SideSources {
            digest,
            values,
            pairs,
            both,
            files: names.files(digest),
            side,
        };
        let all = both.len() + 1;
        let mut graph = Self {
            own: vec![Vec::new(); all],
            calls: vec![Vec::new(); all],
            has_body: vec![false; all],
            is_inlined: vec![false; all],
            entries: vec![0.0; all],
            code: vec![Vec::new(); all],
            roots: Vec::new(),
        };
        graph.add_bodies(digest, pairs, names);
        graph.add_costs(&sources, &mut names.inlined);
        graph.call_roots();
        graph
    }

    fn add_costs(&mut self, sources: &SideSources<'_>, paths: &mut InlinePaths) {
        let SideSources {
            digest,
            values,
            pairs,
            files,
            ..
        } = sources;
        let nodes = self.add_nodes(sources, paths);
        let number = |file: Option<FileId>| file.map_or(NONE, |file| files[file.index()]);
        let site = |node: NodeId, file, line| nodes[node.index()].site(number(file), line);
        for (row, value) in digest.rows.iter().zip(&values.rows) {
            // A row may have costs of other events only.
            if *value > 0 {
                self.own[nodes[row.node.index()].body as usize].push(SiteCost {
                    site: site(row.node, row.file, row.line),
                    cost: *value as f64,
                });
            }
        }
        for (call, value) in digest.calls.iter().zip(&values.calls) {
            let function = digest.functions[digest.function_of(call.node).index()];
            let callee = digest.bodies[call.callee.index()].function;
            self.calls[nodes[call.node.index()].body as usize].push(CallSite {
                site: site(call.node, function.file, call.line),
                callee: pairs[callee.index()],
                // A recorded call was made at least once, whatever its count says; costs are
                // divided by it.
                count: call.count.max(1) as f64,
                inclusive: *value as f64,
            });
        }
    }

    /// Number of the outside.
    pub(super) fn outside(&self) -> PairNumber {
        self.own.len() as u32 - 1
    }

    /// Callees of each body.
    pub(super) fn call_pairs(&self) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        let callers = (0..).zip(&self.calls);
        callers.flat_map(|(caller, calls)| calls.iter().map(move |call| (caller, call.callee)))
    }

    /// Adds calls from the outside.
    pub(super) fn call_from_outside(&mut self, callee: PairNumber, count: f64) {
        let outside = self.outside();
        self.calls[outside as usize].push(CallSite {
            site: Site::NOWHERE,
            callee,
            count,
            inclusive: 0.0,
        });
    }

    fn add_bodies<'a>(
        &mut self,
        digest: &'a Digest,
        pairs: &[PairNumber],
        names: &mut SharedNames<'a>,
    ) {
        let mut constants = digest.constants.iter().peekable();
        for (id, body) in (0..).map(BodyId).zip(&digest.bodies) {
            // Both lists are ascending by body, so one walk is enough.
            let constants = std::iter::from_fn(|| constants.next_if(|found| found.body == id));
            let constants = constants.map(|found| (found.offset, found.hash)).collect();
            let pair = pairs[body.function.index()] as usize;
            self.has_body[pair] = true;
            self.entries[pair] += body.entries as f64;
            let instance = digest.functions[body.function.index()].instance;
            self.code[pair].push(InstanceCode {
                instance: instance.map_or(NONE, |name| names.number(digest.text(name))),
                hash: body.code_hash,
                callees: body.instances,
                constants,
            });
        }
        // Grouped by instance, as `code_of_function` expects; equal instances count once.
        for code in &mut self.code {
            code.sort_unstable();
            code.dedup();
        }
        let roots = digest.head.roots.iter();
        let roots = roots.map(|root| pairs[digest.bodies[root.index()].function.index()]);
        self.roots = roots.collect();
        self.roots.sort_unstable();
        self.roots.dedup();
    }

    fn add_nodes(&mut self, sources: &SideSources<'_>, paths: &mut InlinePaths) -> Vec<NodeSite> {
        let SideSources {
            digest,
            pairs,
            both,
            files,
            ..
        } = sources;
        let mut nodes: Vec<NodeSite> = Vec::with_capacity(digest.nodes.len());
        let mut sites = Vec::with_capacity(digest.nodes.len());
        for node in &digest.nodes {
            let (mut site, function) = match node.frame {
                NodeFrame::Body(body) => {
                    let function = digest.bodies[body.index()].function;
                    (NodeSite::body(pairs[function.index()]), function)
                }
                NodeFrame::Inlined { parent, function } => {
                    self.is_inlined[pairs[function.index()] as usize] = true;
                    let mut site = nodes[parent.index()];
                    // The outermost call below the user's function has the line in it. Deeper calls
                    // have lines of other functions.
                    site.line.get_or_insert(SourceLine {
                        file: node.call_file.map_or(NONE, |file| files[file.index()]),
                        line: node.call_line,
                    });
                    (site, function)
                }
            };
            let pair = pairs[function.index()];
            site.path = paths.of(site.path, pair);
            let file = node.call_file.map_or(NONE, |file| files[file.index()]);
            sites.push((site.path, file, node.call_line));
            // An inlined function that only one build has is attributed to its caller, like a
            // called one.
            let is_asked_for = site.user != NONE && !both[pair as usize];
            if digest.origin(function) == SourceOrigin::User && !is_asked_for {
                site.user = pair;
                site.line = None;
            }
            nodes.push(site);
        }
        paths.count_sites(sources.side, &mut sites);
        nodes
    }

    /// Adds calls of the roots from the outside: the entries that no recorded call explains.
    fn call_roots(&mut self) {
        let mut called = vec![0.0; self.own.len()];
        for call in self.calls.iter().flatten() {
            called[call.callee as usize] += call.count;
        }
        for root in self.roots.clone() {
            let entries = self.entries[root as usize] - called[root as usize];
            // A recursive root is called by itself as well; from the outside at least once.
            self.call_from_outside(root, entries.max(1.0));
        }
    }
}

impl Site {
    const NOWHERE: Self = Self {
        user: NONE,
        path: NONE,
        line: SourceLine::UNKNOWN,
    };

    /// The place of code that was inlined at a call of this side.
    pub(super) fn inlined_at(self, call: Self, side: usize, paths: &mut InlinePaths) -> Self {
        let path = paths.inlined_at(self.path, call.path, side);
        match self.user {
            // Code outside of the user's functions belongs to the place of the call, as its callees
            // do.
            NONE => Self { path, ..call },
            _ => Self { path, ..self },
        }
    }
}

impl SourceLine {
    pub(super) const UNKNOWN: Self = Self {
        file: NONE,
        line: 0,
    };
}

impl NodeSite {
    fn body(body: PairNumber) -> Self {
        Self {
            body,
            user: NONE,
            path: NONE,
            line: None,
        }
    }

    fn site(self, file: u32, line: u32) -> Site {
        let line = match self.user {
            NONE => SourceLine::UNKNOWN,
            _ => self.line.unwrap_or(SourceLine { file, line }),
        };
        Site {
            user: self.user,
            path: self.path,
            line,
        }
    }
}
