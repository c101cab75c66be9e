//! Digests for tests, written by hand.
//!
//! ```text
//! root lab::bench                                     a root
//! any allocator                                       blocks need not come from `malloc`
//! body lab::bench 7                                   the hash of its code; bodies without have one of their own
//! body lab::bench 7 100                               and executions of its first instruction
//! own lab::bench:12 = 100                             own costs at line 12, one number for each event
//! own lab::bench:12 > std::Vec::push:80 = 30          the same in a function that was inlined at line 12
//! call lab::bench:13 > std::f:5 -> malloc 3 = 300     three calls with their inclusive costs
//! instance dep::f dep::f<lab::A>                      name of a function with its generic arguments
//! shape dep::f 7                                      hash of its code without names
//! callees dep::f 7                                    hash of the instances that its code refers to
//! constant dep::f 12 7                                hash of the constant that the instruction at an offset refers to
//! merged dep::f dep::g                                a further name of its code
//! version dep 1.2.0                                   of a package, before its functions
//! build libc.so.6 2                                   build id of an object
//! text lab::bench 12 f(x)                             text of a line of its file
//! code lab::bench e8fbffffffc3 7,7 12,0 0=lab::f      machine code, executions and lines of its instructions, and
//!                                                     what those at an offset refer to
//! ```
//!
//! The first segment of a name is the origin of the function: `lab` is the user's, `std` the
//! standard library, others are packages. Functions without segments are those of the C library.

use std::collections::BTreeMap;

use super::digest::{
    BodyCode, BodyConstant, BodyId, DebugExtent, Digest, DigestBody, DigestCall, DigestFile,
    DigestFunction, DigestNode, DigestObject, DigestRow, FileId, FunctionId, NodeFrame, NodeId,
    ObjectId, SourceOrigin, SourceText, StringId,
};

const OWN: ObjectId = ObjectId(0);
const LIBC: ObjectId = ObjectId(1);

/// Reads a digest of one event.
#[track_caller]
pub fn digest(text: &str) -> Digest {
    let mut sample = Sample::new(&["Ir"]);
    for line in text.lines() {
        sample.line(line.trim());
    }
    sample.finish()
}

/// A digest that is being made.
pub(super) struct Sample {
    pub(super) digest: Digest,
    rows: BTreeMap<DigestRow, Vec<u64>>,
    calls: BTreeMap<(NodeId, u32, BodyId), (u64, Vec<u64>)>,
    entries: BTreeMap<BodyId, u64>,
    versions: BTreeMap<String, String>,
}

impl Sample {
    pub(super) fn new(events: &[&str]) -> Self {
        let mut sample = Self {
            digest: Digest::default(),
            rows: BTreeMap::new(),
            calls: BTreeMap::new(),
            entries: BTreeMap::new(),
            versions: BTreeMap::new(),
        };
        for event in events {
            let event = sample.string(event);
            sample.digest.head.events.push(event);
        }
        sample.digest.head.by_instruction = true;
        sample.digest.head.true_calls = true;
        // The default of real benchmarks; `any allocator` is the exception.
        sample.digest.head.is_malloc = true;
        for (name, is_own) in [("lab", true), ("libc.so.6", false)] {
            let name = sample.string(name);
            sample.digest.objects.push(DigestObject {
                name,
                is_own,
                build_id: [1].into(),
                debug: match is_own {
                    true => DebugExtent::Full,
                    false => DebugExtent::Names,
                },
            });
        }
        sample
    }

    #[track_caller]
    fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "any" => self.digest.head.is_malloc = false,
            "root" => {
                let root = self.body(rest);
                self.digest.head.roots.push(root);
            }
            "body" => {
                let mut numbers = rest.rsplitn(3, ' ').collect::<Vec<_>>();
                numbers.reverse();
                let (name, hash, entries) = match numbers[..] {
                    [name, hash, entries] if hash.parse::<u64>().is_ok() => {
                        (name.to_owned(), hash, entries.parse().ok())
                    }
                    _ => {
                        let (name, hash) = rest.rsplit_once(' ').unwrap();
                        (name.to_owned(), hash, None)
                    }
                };
                let body = self.body(&name);
                self.digest.bodies[body.index()].code_hash = hash.parse().unwrap();
                if let Some(entries) = entries {
                    self.entries.insert(body, entries);
                }
            }
            "own" => {
                let (stack, costs) = rest.split_once(" = ").unwrap();
                self.own(stack, &numbers(costs));
            }
            "call" => {
                let (stack, rest) = rest.split_once(" -> ").unwrap();
                let (callee, costs) = rest.split_once(" = ").unwrap();
                let (callee, count) = callee.rsplit_once(' ').unwrap();
                self.call(stack, callee, count.parse().unwrap(), &numbers(costs));
            }
            "instance" => {
                let (name, instance) = rest.split_once(' ').unwrap();
                let function = self.function(name);
                let instance = self.string(instance);
                self.digest.functions[function.index()].instance = Some(instance);
            }
            "shape" | "callees" => {
                let (name, hash) = rest.rsplit_once(' ').unwrap();
                let body = self.body(name);
                let body = &mut self.digest.bodies[body.index()];
                let hash = hash.parse().unwrap();
                match word {
                    "shape" => body.shape = hash,
                    _ => body.instances = hash,
                }
            }
            "constant" => {
                let mut words = rest.rsplitn(3, ' ');
                let hash = words.next().unwrap().parse().unwrap();
                let offset = words.next().unwrap().parse().unwrap();
                let body = self.body(words.next().unwrap());
                self.digest
                    .constants
                    .push(BodyConstant { body, offset, hash });
            }
            "merged" => {
                let (name, other) = rest.rsplit_once(' ').unwrap();
                let body = self.body(name);
                let other = self.string(other);
                self.digest.merged.push((body, other));
            }
            "version" => {
                let (name, version) = rest.split_once(' ').unwrap();
                self.versions.insert(name.to_owned(), version.to_owned());
            }
            "build" => {
                let (name, id) = rest.split_once(' ').unwrap();
                let strings = &self.digest.strings;
                let mut objects = self.digest.objects.iter_mut();
                let object = objects.find(|object| *strings[object.name.index()] == *name);
                object.unwrap().build_id = [id.parse().unwrap()].into();
            }
            "text" => {
                let mut parts = rest.splitn(3, ' ');
                let function = self.function(parts.next().unwrap());
                let line = parts.next().unwrap().parse().unwrap();
                let file = self.digest.functions[function.index()].file.unwrap();
                let text = self.string(parts.next().unwrap());
                self.digest.texts.push(SourceText { file, line, text });
            }
            "code" => self.code(rest),
            _ => panic!("{line}"),
        }
    }

    #[track_caller]
    fn code(&mut self, text: &str) {
        let mut words = text.split(' ');
        let body = self.body(words.next().unwrap());
        let hex = words.next().unwrap().as_bytes();
        let hex = hex
            .chunks(2)
            .map(|digits| std::str::from_utf8(digits).unwrap());
        let bytes = hex.map(|digits| u8::from_str_radix(digits, 16).unwrap());
        let bytes = bytes.collect();
        let mut lists = words.by_ref().take(2).map(|list| {
            let numbers = list.split(',').map(|number| number.parse().unwrap());
            numbers.collect::<Vec<u64>>()
        });
        let executions = lists.next().unwrap();
        let lines = lists.next().unwrap().into_iter().map(|line| line as u32);
        let lines = lines.collect();
        drop(lists);
        let targets = words.map(|target| {
            let (offset, name) = target.split_once('=').unwrap();
            (offset.parse().unwrap(), self.string(name))
        });
        let targets = targets.collect();
        self.digest.head.target = Some(self.string("x86_64"));
        self.digest.code.push(BodyCode {
            body,
            bytes,
            executions,
            lines,
            targets,
        });
    }

    pub(super) fn own(&mut self, stack: &str, costs: &[u64]) {
        let (node, line) = self.node(stack);
        let file = self.file_of(node);
        let row = DigestRow { node, file, line };
        add(self.rows.entry(row).or_default(), costs);
    }

    pub(super) fn call(&mut self, stack: &str, callee: &str, count: u64, costs: &[u64]) {
        let (node, line) = self.node(stack);
        let callee = self.body(callee);
        let (counts, sums) = self.calls.entry((node, line, callee)).or_default();
        *counts += count;
        add(sums, costs);
    }

    pub(super) fn string(&mut self, text: &str) -> StringId {
        let mut strings = self.digest.strings.iter();
        let found = strings.position(|known| **known == *text);
        StringId(found.unwrap_or_else(|| {
            self.digest.strings.push(text.into());
            self.digest.strings.len() - 1
        }) as u32)
    }

    fn file(&mut self, name: &str) -> Option<FileId> {
        let (owner, _) = name.split_once("::")?;
        let version = self.versions.get(owner);
        let version = version.map_or("1.0.0", String::as_str).to_owned();
        let (path, origin, package) = match owner {
            "lab" => (
                "src/lib.rs".to_owned(),
                SourceOrigin::User,
                "lab 0.1.0".to_owned(),
            ),
            "std" => (
                "std/src/lib.rs".to_owned(),
                SourceOrigin::Std,
                "std".to_owned(),
            ),
            _ => (
                "src/lib.rs".to_owned(),
                SourceOrigin::Package,
                format!("{owner} {version}"),
            ),
        };
        let file = DigestFile {
            path: self.string(&path),
            origin,
            package: Some(self.string(&package)),
        };
        let found = self.digest.files.iter().position(|known| *known == file);
        Some(FileId(found.unwrap_or_else(|| {
            self.digest.files.push(file);
            self.digest.files.len() - 1
        }) as u32))
    }

    fn function(&mut self, name: &str) -> FunctionId {
        let file = self.file(name);
        let name = self.string(name);
        let mut functions = self.digest.functions.iter();
        let found = functions.position(|known| known.name == name);
        FunctionId(found.unwrap_or_else(|| {
            self.digest.functions.push(DigestFunction {
                name,
                instance: None,
                file,
                line: 0,
            });
            self.digest.functions.len() - 1
        }) as u32)
    }

    pub(super) fn body(&mut self, name: &str) -> BodyId {
        let function = self.function(name);
        // Different for each name, so that a body without a given hash is equal in both builds.
        let hash = name
            .bytes()
            .fold(1000, |hash, byte| hash * 31 % 1_000_003 + u64::from(byte));
        let mut bodies = self.digest.bodies.iter();
        let found = bodies.position(|known| known.function == function);
        BodyId(found.unwrap_or_else(|| {
            self.digest.bodies.push(DigestBody {
                function,
                object: if name.contains("::") { OWN } else { LIBC },
                bytes: 100,
                code_hash: hash,
                shape: 0,
                instances: 0,
                entries: 0,
            });
            self.digest.bodies.len() - 1
        }) as u32)
    }

    /// The node of a stack, and the line in its innermost function.
    fn node(&mut self, stack: &str) -> (NodeId, u32) {
        let mut node = None;
        let mut line = 0;
        for part in stack.split(" > ") {
            let (name, number) = part.rsplit_once(':').unwrap();
            let frame = match node {
                None => NodeFrame::Body(self.body(name)),
                Some(parent) => NodeFrame::Inlined {
                    parent,
                    function: self.function(name),
                },
            };
            let inlined = DigestNode {
                frame,
                call_file: node.and_then(|parent| self.file_of(parent)),
                call_line: line,
            };
            let found = self.digest.nodes.iter().position(|known| *known == inlined);
            node = Some(NodeId(found.unwrap_or_else(|| {
                self.digest.nodes.push(inlined);
                self.digest.nodes.len() - 1
            }) as u32));
            line = number.parse().unwrap();
        }
        (node.unwrap(), line)
    }

    fn file_of(&self, node: NodeId) -> Option<FileId> {
        let function = self.digest.function_of(node);
        self.digest.functions[function.index()].file
    }

    #[track_caller]
    pub(super) fn finish(self) -> Digest {
        let mut digest = self.digest;
        digest.head.totals = vec![0; digest.head.events.len()];
        for (row, costs) in self.rows {
            add(&mut digest.head.totals, &costs);
            digest.rows.push(row);
            digest.row_costs.push(&costs);
        }
        for ((node, line, callee), (count, costs)) in self.calls {
            digest.bodies[callee.index()].entries += count;
            digest.calls.push(DigestCall {
                node,
                line,
                callee,
                count,
            });
            digest.call_costs.push(&costs);
        }
        digest.head.roots.sort_unstable();
        for root in &digest.head.roots {
            digest.bodies[root.index()].entries += 1;
        }
        for (body, entries) in self.entries {
            digest.bodies[body.index()].entries = entries;
        }
        digest.texts.sort_unstable();
        digest.code.sort_by_key(|code| code.body);
        digest.constants.sort_unstable();
        digest.merged.sort_unstable();
        digest.check().unwrap();
        digest
    }
}

fn add(sums: &mut Vec<u64>, costs: &[u64]) {
    sums.resize(sums.len().max(costs.len()), 0);
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum += cost;
    }
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(' ')
        .map(|number| number.parse().unwrap())
        .collect()
}
