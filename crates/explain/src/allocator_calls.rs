//! Calls of the allocator in a digest: which of them are the allocations and the frees of the
//! program.
//!
//! If each block is known to come from the C library's `malloc`, its calls from outside of the C
//! library are the allocations, whatever the compiler inlined before them. Otherwise the program
//! may have an allocator of its own: then calls of Rust's functions are counted, and only if none
//! of them was inlined. An inlined `dealloc` may leave no instruction at all, so that nothing in
//! the profile shows it; such a program has no number of frees.

use super::allocator_functions::{is_shim, AllocatorAction, AllocatorFunction, AllocatorOwner};
use super::digest::{BodyId, DebugExtent, Digest, DigestCall, DigestNode, NodeFrame};

/// Valgrind's name of an object that it does not know, such as the section `.plt.got` of a library.
const UNKNOWN_OBJECT: &str = "???";

/// File name of glibc. Its `realloc` calls its `free` for a size of zero only; that of musl does to
/// move a block.
const GLIBC: &str = "libc.so.6";

/// Calls of a function of an allocator, with their number.
pub(super) type CountedCalls = Vec<(BodyId, u64)>;

/// The calls that allocate and free. `None`: not all of them are seen as calls.
#[derive(Debug, Default)]
pub(super) struct AllocatorCalls {
    pub(super) allocations: Option<CountedCalls>,
    pub(super) frees: Option<CountedCalls>,
}

/// Number of all these calls.
fn number<'c>(calls: impl Iterator<Item = &'c DigestCall>) -> u64 {
    calls.fold(0, |sum, call| sum.saturating_add(call.count))
}

/// A digest with the functions of allocators in it.
pub(super) struct AllocatorView<'a> {
    digest: &'a Digest,
    /// The body of each node.
    bodies: Vec<BodyId>,
    /// For each function of the source, whether it is one of an allocator.
    functions: Vec<Option<AllocatorFunction>>,
}

impl<'a> AllocatorView<'a> {
    /// `None`: numbers of calls are not true.
    pub(super) fn new(digest: &'a Digest) -> Option<Self> {
        let functions = digest.functions.iter();
        // Callgrind's own `calls=` contain setup and harness: 15281 calls of `malloc` where 41 were
        // made.
        (digest.head.by_instruction && digest.head.true_calls).then(|| Self {
            digest,
            bodies: digest.bodies_of_nodes(),
            functions: functions
                .map(|function| AllocatorFunction::named(digest.text(function.name)))
                .collect(),
        })
    }

    pub(super) fn calls(&self) -> AllocatorCalls {
        match self.is_malloc() {
            true => self.of_malloc(),
            false => AllocatorCalls {
                allocations: self.of_rust(),
                // An empty `dealloc`, as of a bump allocator, leaves no instruction where it is
                // inlined.
                frees: None,
            },
        }
    }

    /// All blocks that the C library's allocator makes, for any caller.
    pub(super) fn blocks_of_malloc(&self) -> Option<CountedCalls> {
        let calls = self.digest.calls.iter();
        let calls = calls.filter(|call| {
            let of_c = |body| self.of_body(body).filter(|function| function.is_of_c());
            // Calls within the allocator, such as `calloc` to `malloc`, make no further block.
            of_c(call.callee).is_some() && of_c(self.caller(call)).is_none()
        });
        self.is_malloc().then(|| self.counted(calls).0)
    }

    /// Does each block of the program come from the C library's `malloc`? With link-time
    /// optimization only an inlined function tells that the allocator is the default one.
    fn is_malloc(&self) -> bool {
        let has = |owner| {
            let mut functions = self.functions.iter().flatten();
            functions.any(|function| function.owner == owner)
        };
        self.digest.head.is_malloc
            || (has(AllocatorOwner::Default) && !has(AllocatorOwner::Program))
    }

    /// Calls of the C library's allocator from outside of it. An allocator that asks it for each
    /// block may be inlined; a part of it without such a call is not understood.
    fn of_malloc(&self) -> AllocatorCalls {
        let calls = self.digest.calls.iter();
        let calls: Vec<&DigestCall> = calls.filter(|call| self.is_into_c(call)).collect();
        let (allocations, frees) = self.counted(calls.iter().copied());
        let has_all = |frees| self.has_all(&calls, frees);
        AllocatorCalls {
            allocations: has_all(false).then_some(allocations),
            frees: has_all(true).then_some(frees),
        }
    }

    /// Is every inlined function of an allocator of the program known by a call of the C library's?
    fn has_all(&self, calls: &[&DigestCall], frees: bool) -> bool {
        let mut inlined = self.inlined(|function| {
            function.owner == AllocatorOwner::Program && function.frees() == frees
        });
        let calls = calls.iter().filter(|call| {
            let callee = self.of_body(call.callee);
            callee.is_some_and(|callee| callee.frees() == frees)
        });
        for call in calls {
            // The call accounts for the function that has it, and for all that this one was inlined
            // into.
            let mut node = call.node;
            inlined[node.index()] = false;
            while let NodeFrame::Inlined { parent, .. } = self.digest.nodes[node.index()].frame {
                node = parent;
                inlined[node.index()] = false;
            }
        }
        !inlined.contains(&true)
    }

    /// Calls of Rust's functions from outside of the allocator, and those of the C library's from
    /// code that is not called by the allocator alone. `None`: some of Rust's were inlined, or may
    /// have been.
    fn of_rust(&self) -> Option<CountedCalls> {
        let inlined = self.inlined(|function| !function.is_of_c() && !function.frees());
        // An inlined allocation is no call: the number would be too small and look right.
        if !self.knows_inlined() || inlined.contains(&true) {
            return None;
        }
        let is_outside = self.outside_of_rust();
        let calls = self.digest.calls.iter();
        let calls = calls.filter(|call| is_outside[self.caller(call).index()]);
        let shims = calls.clone().filter(|call| is_shim(self.name(call.callee)));
        let of_rust = calls.clone().filter(|call| {
            let callee = self.of_body(call.callee);
            callee.is_some_and(|callee| !callee.is_of_c())
        });
        let first = of_rust.clone().filter(|call| {
            let callee = self.of_body(call.callee);
            callee.is_some_and(|callee| callee.action == AllocatorAction::Allocate)
        });
        let of_c = calls.filter(|call| self.is_into_c(call));
        // Before each allocation the standard library calls a function that does nothing. More of
        // these calls than allocations mean that some allocations were inlined.
        (number(shims) <= number(first)).then(|| self.counted(of_rust.chain(of_c)).0)
    }

    /// For each node, whether it is such a function that was inlined into code outside of the
    /// allocator.
    fn inlined(&self, is_one: impl Fn(AllocatorFunction) -> bool) -> Vec<bool> {
        let nodes = self.digest.nodes.iter().zip(&self.bodies);
        let is_inlined = |(node, body): (&DigestNode, &BodyId)| match node.frame {
            NodeFrame::Inlined { function, .. } => {
                let function = self.functions[function.index()];
                function.is_some_and(&is_one) && self.of_body(*body).is_none()
            }
            NodeFrame::Body(_) => false,
        };
        nodes.map(is_inlined).collect()
    }

    /// Does all code of the program have debug information, which shows what was inlined? Functions
    /// that the compiler generates, such as those before the allocator, have none.
    fn knows_inlined(&self) -> bool {
        let objects = &self.digest.objects;
        let bodies = self.digest.bodies.iter();
        let mut own = bodies.filter(|body| objects[body.object.index()].is_own);
        own.all(|body| {
            if objects[body.object.index()].debug < DebugExtent::Lines {
                return false;
            }
            let name = self.digest.name(body.function);
            self.digest.functions[body.function.index()].file.is_some()
                // Code of C, such as `_start`, has no debug information and does not call Rust's
                // allocator.
                || !name.contains("::")
                || is_shim(name)
                || self.functions[body.function.index()].is_some()
        })
    }

    /// For each body, whether something else than functions of Rust's allocator leads to it.
    fn outside_of_rust(&self) -> Vec<bool> {
        let mut is_outside = vec![false; self.digest.bodies.len()];
        let is_rust = |body| {
            let function = self.of_body(body);
            function.is_some_and(|function| !function.is_of_c())
        };
        let mut callees = vec![Vec::new(); is_outside.len()];
        let mut is_called = vec![false; is_outside.len()];
        for call in &self.digest.calls {
            callees[self.caller(call).index()].push(call.callee);
            is_called[call.callee.index()] = true;
        }
        let mut left: Vec<BodyId> = self.digest.head.roots.clone();
        // Without roots the program begins at functions that nobody calls.
        if left.is_empty() {
            let bodies = (0..is_outside.len()).filter(|body| !is_called[*body]);
            left = bodies.map(|body| BodyId(body as u32)).collect();
        }
        while let Some(body) = left.pop() {
            // The walk ends at the allocator: the `malloc` that only `System` calls is not the
            // program's.
            if !is_rust(body) && !std::mem::replace(&mut is_outside[body.index()], true) {
                left.append(&mut callees[body.index()]);
            }
        }
        is_outside
    }

    /// Is this a call of the C library's allocator from outside of the C library?
    fn is_into_c(&self, call: &DigestCall) -> bool {
        if self
            .of_body(call.callee)
            .is_none_or(|callee| !callee.is_of_c())
        {
            return false;
        }
        let caller = self.caller(call);
        let [from, to] = [caller, call.callee].map(|body| self.object(body));
        if self.text_of_object(from) == UNKNOWN_OBJECT {
            return !self.is_stub_of(caller, to);
        }
        // The allocator calls itself: `realloc` of nothing is `malloc`. Where it is linked into the
        // program, so do those who are not part of it.
        from != to
            || (self.digest.objects[to].is_own
                && self.of_body(caller).is_none_or(|caller| !caller.is_of_c()))
    }

    /// Is the body, whose object is unknown, called by this object alone? Then it is a part of
    /// that.
    fn is_stub_of(&self, body: BodyId, object: usize) -> bool {
        let calls = self.digest.calls.iter().filter(|call| call.callee == body);
        let callers = calls.map(|call| self.object(self.caller(call)));
        let mut known = callers
            .filter(|caller| self.text_of_object(*caller) != UNKNOWN_OBJECT)
            .peekable();
        known.peek().is_some() && known.all(|caller| caller == object)
    }

    /// The calls that allocate, and those that free. A `realloc` to a size of zero frees.
    fn counted<'c>(
        &self,
        calls: impl Iterator<Item = &'c DigestCall>,
    ) -> (CountedCalls, CountedCalls) {
        let (mut allocations, mut frees) = (CountedCalls::new(), CountedCalls::new());
        let mut to_zero = self.reallocs_to_zero();
        for call in calls {
            let function = self.of_body(call.callee);
            let mut count = call.count;
            if function.is_some_and(AllocatorFunction::frees) {
                frees.push((call.callee, count));
                continue;
            }
            let is_realloc = |function: AllocatorFunction| {
                function.is_of_c() && function.action == AllocatorAction::Reallocate
            };
            // A `realloc` to zero bytes makes no block: glibc calls its `free` for it.
            if function.is_some_and(is_realloc) {
                for (free, zeros) in &mut to_zero {
                    // The profile does not tell which call had size zero. Only the sum matters, so
                    // the first ones are taken.
                    let freed = count.min(*zeros);
                    count -= freed;
                    *zeros -= freed;
                    frees.push((*free, freed));
                }
            }
            allocations.push((call.callee, count));
        }
        (allocations, frees)
    }

    /// Calls of `free` that are those of a `realloc` to a size of zero.
    fn reallocs_to_zero(&self) -> CountedCalls {
        let is = |body, action| {
            let function = self.of_body(body);
            function.is_some_and(|function| function.is_of_c() && function.action == action)
        };
        let calls = self.digest.calls.iter().filter(|call| {
            let caller = self.caller(call);
            is(caller, AllocatorAction::Reallocate)
                && is(call.callee, AllocatorAction::Free)
                && self.text_of_object(self.object(caller)) == GLIBC
        });
        calls.map(|call| (call.callee, call.count)).collect()
    }

    fn caller(&self, call: &DigestCall) -> BodyId {
        self.bodies[call.node.index()]
    }

    fn of_body(&self, body: BodyId) -> Option<AllocatorFunction> {
        self.functions[self.digest.bodies[body.index()].function.index()]
    }

    fn name(&self, body: BodyId) -> &str {
        self.digest.name(self.digest.bodies[body.index()].function)
    }

    fn object(&self, body: BodyId) -> usize {
        self.digest.bodies[body.index()].object.index()
    }

    fn text_of_object(&self, object: usize) -> &str {
        self.digest.text(self.digest.objects[object].name)
    }
}
