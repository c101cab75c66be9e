//! The cases of an annotated function, with one for each element of an iterator or line of a file.

use std::mem;

use super::benchmarks::{Case, Code, Wanted};
use super::later::LaterConfig;
use super::table::{self, Element, Run};
use super::throughput::LaterThroughputs;
use crate::protocol::Input;

/// The cases of a function. Adds the ids of iterators that have no element.
pub(super) fn cases(
    function: &'static table::Function,
    wanted: Wanted<'_>,
    empty: &mut Vec<&'static str>,
) -> Vec<Case> {
    let mut all = Vec::new();
    for (index, table) in function.cases.iter().enumerate() {
        let mut add = |id: Option<String>, args, text: Option<String>, element: Element, code| {
            all.push(Case {
                index: index as u32,
                element,
                id,
                args,
                input: text.map(|text| Input::new(text, table.positional)),
                tears_down: table.has_teardown && table.run.function().is_some(),
                config: table.config.map(LaterConfig::Of),
                scaling: table.scaling.as_ref(),
                throughput: table
                    .throughput
                    .map(|amounts| LaterThroughputs::Of(amounts, element)),
                #[cfg(feature = "registration")]
                title: None,
                code,
            });
        };
        let numbered = |index: u32| table.id.map(|id| format!("{id}_{index}"));
        if !table.has_elements() {
            let element = Element::default();
            let (args, text) = (
                table.args.map(str::to_owned),
                table.input.map(str::to_owned),
            );
            let code = Code::new(table.run, element);
            add(table.id.map(str::to_owned), args, text, element, code);
            continue;
        }
        // A benchmark that is chosen by its name asks the iterator itself, so it is not asked here.
        if let Wanted::At(address) = wanted {
            if let Some(index) = table.id.and_then(|id| number(id, address)) {
                let element = Element { index, count: 0 };
                let code = Code::new(table.run, element);
                add(numbered(index), None, None, element, code);
            }
            continue;
        }
        let (mut texts, mut codes) = match table.run {
            Run::Function(_) => (
                table.elements.map_or_else(Vec::new, |texts| texts()),
                Vec::new(),
            ),
            Run::Program(programs) => programs.elements(matches!(wanted, Wanted::WithCommands)),
        };
        let count = texts.len() as u32;
        if let (0, Some(id)) = (count, table.id) {
            empty.push(id);
        }
        let mut element = Element { index: 0, count };
        for text in &mut texts {
            let made = codes.get_mut(element.index as usize).and_then(Option::take);
            let code = made.unwrap_or_else(|| Code::new(table.run, element));
            let (shown, input) = (mem::take(&mut text.shown), mem::take(&mut text.input));
            let id = numbered(element.index);
            add(id, Some(shown), Some(input), element, code);
            element.index += 1;
        }
    }
    all
}

/// The number at the end of an address, if it is that of an element of the attribute with this id.
fn number(id: &str, address: &str) -> Option<u32> {
    let last = address.rsplit(':').next()?;
    last.strip_prefix(id)?.strip_prefix('_')?.parse().ok()
}

impl Code {
    fn new(run: Run, element: Element) -> Self {
        match run {
            Run::Function(function) => Self::Function(function),
            Run::Program(programs) => programs.program(element),
        }
    }
}
