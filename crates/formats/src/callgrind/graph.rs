//! Call graph of a profile: functions with their own costs, and calls with the inclusive ones.
//!
//! One pass over any number of files; memory grows with the number of functions and of pairs of
//! caller and callee. Costs of the same function or call in several parts and files add up, by the
//! names of the events.

use std::cell::OnceCell;
use std::io::Read;

use rustc_hash::FxHashMap;

use super::super::ParseError;
use super::cost_rows::{CostRows, EventColumns};
use super::interned::{InternedNames, NameId};
use super::reader::{read_with, CallgrindItem, PositionName};
use super::CallgrindProfile;

/// Identity of a function: object, file and name.
type Key = (NameId, NameId, NameId);

/// Functions and calls of profiles, with one cost for each event.
///
/// Methods panic if they get an index that is not in their list.
#[derive(Debug, Clone, Default)]
pub struct CallGraph {
    /// Names of the events, in the order of all costs.
    pub events: Vec<String>,
    /// Functions, each once. Methods take an index into this list.
    pub functions: Vec<CallgrindFunction>,
    /// Arcs, one for each pair of caller and callee. [`Self::inclusive`] takes an index into this
    /// list.
    pub arcs: Vec<CallArc>,
    names: InternedNames,
    own: CostRows,
    inclusive: CostRows,
}

/// Function of an object and a source file; [`CallGraph`] has its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallgrindFunction {
    object: NameId,
    file: NameId,
    name: NameId,
}

/// Arc of the call graph: all calls of one function by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallArc {
    /// Index of the function that calls, in [`CallGraph::functions`].
    pub caller: u32,
    /// Index of the function that is called, in [`CallGraph::functions`].
    pub callee: u32,
    /// Number of calls.
    pub count: u64,
}

impl CallGraph {
    /// The name of a function, as Callgrind writes it: with `'2` for the second level of a
    /// recursion.
    #[must_use]
    pub fn name(&self, function: usize) -> &[u8] {
        self.names.text(self.functions[function].name)
    }

    /// Source file of a function, `???` if Callgrind does not know it.
    #[must_use]
    pub fn file(&self, function: usize) -> &[u8] {
        self.names.text(self.functions[function].file)
    }

    /// Executable or library of a function, `???` if Callgrind does not know it.
    #[must_use]
    pub fn object(&self, function: usize) -> &[u8] {
        self.names.text(self.functions[function].object)
    }

    /// Costs of a function without those of the functions that it calls, one for each event.
    #[must_use]
    pub fn own(&self, function: usize) -> &[u64] {
        self.own.row(function)
    }

    /// Costs of all calls of an arc with everything that the callee calls, one for each event.
    #[must_use]
    pub fn inclusive(&self, arc: usize) -> &[u64] {
        self.inclusive.row(arc)
    }
}

/// Callee as a call names it; other calls may name the same function in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CalleeKey {
    object: NameId,
    file: NameId,
    /// File of the calling function, if the call names no file.
    other_file: Option<NameId>,
    name: NameId,
}

/// Reads any number of files into one [`CallGraph`].
#[derive(Debug, Default)]
pub struct CallGraphReader {
    events: EventColumns,
    names: InternedNames,
    functions: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    own: CostRows,
    callees: FxHashMap<CalleeKey, u32>,
    /// Keys of `callees` in the order of their numbers.
    callee_list: Vec<CalleeKey>,
    arcs: FxHashMap<(u32, u32), u32>,
    calls: Vec<(u32, u32, u64)>,
    inclusive: CostRows,
    place: Place,
}

/// Place of the reader in a file.
#[derive(Debug, Default)]
struct Place {
    object: NameId,
    /// The file of the current function.
    file: NameId,
    /// The file of the current line, which may be inlined from another file.
    line_file: NameId,
    /// Current function; `None` before the first one.
    function: Option<u32>,
    callee_object: Option<NameId>,
    callee_file: Option<NameId>,
    callee: Option<u32>,
}

impl CallGraphReader {
    /// Adds the costs of a file. `None`: the file is empty or blank.
    ///
    /// # Errors
    ///
    /// As [`read`](super::read). Costs before the error stay in the graph.
    pub fn add(&mut self, input: impl Read) -> Result<Option<CallgrindProfile>, ParseError> {
        let unknown = self.names.id(b"???");
        self.place = Place {
            object: unknown,
            file: unknown,
            line_file: unknown,
            ..Place::default()
        };
        read_with(input, |event| self.event(event))
    }

    #[inline]
    fn event(&mut self, event: CallgrindItem<'_>) {
        match event {
            CallgrindItem::Own(costs) => {
                // A file that ends within the name of its first function has no costs of it.
                let Some(function) = self.place.function else {
                    return;
                };
                self.own.add(function as usize, costs, &self.events);
            }
            CallgrindItem::Call { count, costs, .. } => self.call(count, costs),
            CallgrindItem::Place(name) => self.at(name),
            CallgrindItem::Callee(name) => self.leads_to(name),
            CallgrindItem::Events { names, .. } => {
                let rows = [&mut self.own, &mut self.inclusive];
                self.events.begin(names, rows);
            }
            CallgrindItem::Part | CallgrindItem::Cost { .. } | CallgrindItem::JumpTo(_) => {}
        }
    }

    fn at(&mut self, name: PositionName<'_>) {
        let mut id = |text| self.names.id(text);
        match name {
            PositionName::Object(text) => self.place.object = id(text),
            PositionName::File(text) | PositionName::InnerFile(text) => {
                self.place.line_file = id(text);
            }
            PositionName::Function(text) => {
                let name = id(text);
                // A function belongs to the file that was set last, whichever way.
                self.place.file = self.place.line_file;
                let key = (self.place.object, self.place.file, name);
                self.place.function = Some(self.function(key));
            }
        }
    }

    fn function(&mut self, key: Key) -> u32 {
        if let Some(function) = self.functions.get(&key) {
            return *function;
        }
        let function = self.keys.len() as u32;
        self.keys.push(key);
        self.functions.insert(key, function);
        self.own.resize(self.keys.len());
        function
    }

    fn leads_to(&mut self, name: PositionName<'_>) {
        let place = &mut self.place;
        match name {
            PositionName::Object(text) => place.callee_object = Some(self.names.id(text)),
            PositionName::File(text) | PositionName::InnerFile(text) => {
                place.callee_file = Some(self.names.id(text));
            }
            PositionName::Function(text) => {
                // Object and file hold for this name only.
                let file = place.callee_file.take();
                let callee = CalleeKey {
                    object: place.callee_object.take().unwrap_or(place.object),
                    file: file.unwrap_or(place.line_file),
                    other_file: file.is_none().then_some(place.file),
                    name: self.names.id(text),
                };
                let list = &mut self.callee_list;
                let known = self.callees.entry(callee).or_insert_with(|| {
                    list.push(callee);
                    list.len() as u32 - 1
                });
                place.callee = Some(*known);
            }
        }
    }

    fn call(&mut self, count: u64, costs: &[u64]) {
        let (Some(caller), Some(callee)) = (self.place.function, self.place.callee) else {
            return;
        };
        let arc = (caller, callee);
        let next = self.calls.len() as u32;
        let index = *self.arcs.entry(arc).or_insert(next) as usize;
        if index == self.calls.len() {
            self.calls.push((arc.0, arc.1, 0));
            self.inclusive.resize(self.calls.len());
        }
        let total = &mut self.calls[index].2;
        *total = total.saturating_add(count);
        self.inclusive.add(index, costs, &self.events);
    }

    /// Graph of all files that were added.
    #[must_use]
    pub fn finish(mut self) -> CallGraph {
        let callees = self.resolve();
        let mut graph = CallGraph {
            arcs: Vec::with_capacity(self.calls.len()),
            ..CallGraph::default()
        };
        // Several ways to name a callee may lead to the same function.
        let mut arcs: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (index, (caller, callee, count)) in self.calls.into_iter().enumerate() {
            let callee = callees[callee as usize];
            let costs = self.inclusive.row(index);
            let arc = *arcs.entry((caller, callee)).or_insert(graph.arcs.len());
            if arc == graph.arcs.len() {
                graph.arcs.push(CallArc {
                    caller,
                    callee,
                    count,
                });
                graph.inclusive.push(costs);
            } else {
                let total = &mut graph.arcs[arc].count;
                *total = total.saturating_add(count);
                graph.inclusive.add_all(arc, costs);
            }
        }
        let function = |(object, file, name)| CallgrindFunction { object, file, name };
        graph.functions = self.keys.into_iter().map(function).collect();
        graph.own = self.own;
        graph.names = self.names;
        graph.events = self.events.events;
        graph
    }

    /// Finds the functions that calls lead to.
    ///
    /// Callgrind sometimes leaves out the file of a callee although it is not the one of the line,
    /// but that of the calling function.
    fn resolve(&mut self) -> Vec<u32> {
        // A name without a call is no function.
        let mut called = vec![false; self.callee_list.len()];
        for (_, callee, _) in &self.calls {
            called[*callee as usize] = true;
        }
        let defined = self.keys.len();
        let by_name = OnceCell::new();
        let mut resolved = Vec::with_capacity(called.len());
        for (callee, called) in std::mem::take(&mut self.callee_list)
            .into_iter()
            .zip(called)
        {
            if !called {
                // Never looked at, since no call has this callee.
                resolved.push(u32::MAX);
                continue;
            }
            let CalleeKey {
                object, file, name, ..
            } = callee;
            let known = |file| self.functions.get(&(object, file, name)).copied();
            let only = || {
                // Functions that are called only are added meanwhile, and must not make a name
                // ambiguous.
                let by_name = by_name.get_or_init(|| only_ones(&self.keys[..defined]));
                by_name.get(&(object, name)).copied().flatten()
            };
            // The nearest first: the file of the line, that of the caller, then the only function
            // of this name. `lang_start::{{closure}}` of `rt.rs` is called under
            // `fi=…/function.rs`.
            let found = match callee.other_file {
                None => known(file),
                Some(other) => known(file).or_else(|| known(other)).or_else(only),
            };
            let function = found.unwrap_or_else(|| self.function((object, file, name)));
            resolved.push(function);
        }
        resolved
    }
}

/// The function of each name of an object, unless there are several.
fn only_ones(keys: &[Key]) -> FxHashMap<(NameId, NameId), Option<u32>> {
    let mut by_name = FxHashMap::default();
    for (function, (object, _, name)) in keys.iter().enumerate() {
        by_name
            .entry((*object, *name))
            .and_modify(|only| *only = None)
            .or_insert(Some(function as u32));
    }
    by_name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(texts: &[&str]) -> CallGraph {
        let mut reader = CallGraphReader::default();
        for text in texts {
            reader.add(text.as_bytes()).unwrap();
        }
        reader.finish()
    }

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    /// `object file name own`, and `caller -> callee count inclusive`.
    #[track_caller]
    fn check(texts: &[&str], functions: &[&str], arcs: &[&str]) {
        let graph = graph(texts);
        let function = |index: usize| {
            let [object, file, name] =
                [graph.object(index), graph.file(index), graph.name(index)].map(text);
            format!("{object} {file} {name} {:?}", graph.own(index))
        };
        let found: Vec<String> = (0..graph.functions.len()).map(function).collect();
        assert_eq!(found, functions);
        let arc = |(index, arc): (usize, &CallArc)| {
            let [caller, callee] = [arc.caller, arc.callee].map(|f| text(graph.name(f as usize)));
            let inclusive = graph.inclusive(index);
            format!("{caller} -> {callee} {} {inclusive:?}", arc.count)
        };
        let found: Vec<String> = graph.arcs.iter().enumerate().map(arc).collect();
        assert_eq!(found, arcs);
    }

    #[test]
    fn inlined_code_belongs_to_the_function_around_it() {
        check(
            &["events: Ir\nob=o\nfl=a.c\nfn=f\n1 1\nfi=b.h\n2 2\nfe=a.c\n3 4\nfn=g\n4 8\n"],
            &["o a.c f [7]", "o a.c g [8]"],
            &[],
        );
    }

    #[test]
    fn object_and_file_of_a_callee_hold_once() {
        let text = "events: Ir\nob=o\nfl=a.c\nfn=f\n1 1\ncob=p\ncfi=c.c\ncfn=h\ncalls=2 1\n1 5\n\
                    cfn=g\ncalls=3 1\n1 8\nfn=g\n4 8\nob=p\nfl=c.c\nfn=h\n1 5\n";
        check(
            &[text],
            &["o a.c f [1]", "o a.c g [8]", "p c.c h [5]"],
            &["f -> h 2 [5]", "f -> g 3 [8]"],
        );
    }

    /// Callgrind leaves out the file of the callee, which is not that of the line.
    #[test]
    fn a_callee_below_inlined_code_is_no_new_function() {
        let text = "events: Ir\nob=o\nfl=a.c\nfn=f\n1 1\nfi=b.h\n2 2\ncfn=g\ncalls=1 1\n2 8\n\
                    fl=a.c\nfn=g\n4 8\n";
        check(&[text], &["o a.c f [3]", "o a.c g [8]"], &["f -> g 1 [8]"]);
        // The only one of this name in the object.
        let elsewhere = text.replace("fl=a.c\nfn=g", "fl=d.c\nfn=g");
        check(
            &[&elsewhere],
            &["o a.c f [3]", "o d.c g [8]"],
            &["f -> g 1 [8]"],
        );
        // One that executed nothing itself.
        check(
            &["events: Ir\nob=o\nfl=a.c\nfn=f\n1 1\ncfn=g\ncalls=1 1\n2 0\n"],
            &["o a.c f [1]", "o a.c g [0]"],
            &["f -> g 1 [0]"],
        );
    }

    #[test]
    fn positions_that_count_on_over_functions_are_read() {
        check(
            &["positions: instr line\nevents: Ir\nfn=a\n0x1083c6a 0 6350\nfn=b\n-88 0 2230\n"],
            &["??? ??? a [6350]", "??? ??? b [2230]"],
            &[],
        );
    }

    #[test]
    fn parts_and_files_add_up_by_the_names_of_events() {
        let first = "events: Ir Dr\nfn=f\n1 1 10\ncfn=g\ncalls=1 1\n1 7 70\ntotals: 1 10\n\
                     part: 2\nevents: Dw Ir\nfn=f\n1 100 2\ntotals: 100 2\n";
        let second = "events: Dr\nfn=f\n1 20\ncfn=g\ncalls=4 1\n1 30\ntotals: 20\n";
        check(
            &[first, second],
            &["??? ??? f [3, 30, 100]", "??? ??? g [0, 0, 0]"],
            &["f -> g 5 [7, 100, 0]"],
        );
    }

    #[test]
    fn a_file_may_end_before_the_name_of_its_first_function() {
        check(&["events: Ir Dr\nfn=(1) "], &[], &[]);
        let whole = "events: Ir\nfn=f\n1 1\n";
        check(&[whole, "events: Ir\nfn=(1) "], &["??? ??? f [1]"], &[]);
    }

    #[test]
    fn a_call_without_calls_is_none() {
        check(
            &["events: Ir\nfn=f\n1 1\ncfn=g\n2 5\ncfn=h\ncalls=1 1\n1 7\nfn=h\n1 7\n"],
            &["??? ??? f [6]", "??? ??? h [7]"],
            &["f -> h 1 [7]"],
        );
    }
}
