//! The cases of an annotated function, with one for each element of an iterator or line of a file.

use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};

use super::benchmarks::{Case, Code, Program, Wanted};
use super::elements::Text;
use super::later::{LaterCommand, LaterConfig, LaterHook};
use super::table::{self, Element, Run};
use super::throughput::LaterThroughputs;
use crate::protocol::{Command, Input};
use crate::shared::text::owned;

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
            let (args, text) = (table.args.map(owned), table.input.map(owned));
            let code = Code::new(table.run, element);
            add(table.id.map(owned), args, text, element, code);
            continue;
        }
        if let Wanted::At(address) = wanted {
            if let Some(index) = table.id.and_then(|id| number(id, address)) {
                let element = Element { index, count: 0 };
                let code = Code::new(table.run, element);
                add(numbered(index), None, None, element, code);
            }
            continue;
        }
        let (mut texts, mut commands) = elements(table, matches!(wanted, Wanted::WithCommands));
        let count = texts.len() as u32;
        if let (0, Some(id)) = (count, table.id) {
            empty.push(id);
        }
        for (index, text) in texts.iter_mut().enumerate() {
            let element = Element {
                index: index as u32,
                count,
            };
            let mut code = Code::new(table.run, element);
            if let (Code::Program(program), Some(command)) = (&mut code, commands.get_mut(index)) {
                mem::swap(&mut program.command, command);
            }
            let (shown, input) = (mem::take(&mut text.shown), mem::take(&mut text.input));
            let id = numbered(element.index);
            add(id, Some(shown), Some(input), element, code);
        }
    }
    all
}

/// Texts of all elements, and their commands if they are wanted. The iterator is evaluated once.
fn elements(table: &'static table::Case, with_commands: bool) -> (Vec<Text>, Vec<LaterCommand>) {
    let mut commands = Vec::new();
    let mut texts = match table.elements {
        Some(elements) => elements(),
        None => Vec::new(),
    };
    if let Run::Programs(programs) = table.run {
        (programs.commands)(&mut |text, command| {
            if with_commands {
                commands.push(made(command));
            }
            texts.push(text);
        });
    }
    (texts, commands)
}

/// Makes a command now. A panic of the user's function, which has printed its text already, goes on when
/// somebody asks for the command: the elements behind it have theirs.
fn made(command: &mut dyn FnMut() -> Command) -> LaterCommand {
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(command) => LaterCommand::Known(Box::new(command)),
        Err(_) => LaterCommand::Panicked,
    }
}

/// The number at the end of an address, if it is that of an element of the attribute with this id.
fn number(id: &str, address: &str) -> Option<u32> {
    let last = address.rfind(':')? + 1;
    let number = address[last..].strip_prefix(id)?.strip_prefix('_')?;
    number.parse::<u64>().ok()?.try_into().ok()
}

impl Code {
    fn new(run: Run, element: Element) -> Self {
        let (command, setup, teardown) = match run {
            Run::Function(function) => return Self::Function(function),
            Run::Program(program) => (
                LaterCommand::Of(program.command),
                program.setup,
                program.teardown,
            ),
            Run::Programs(programs) => (
                LaterCommand::OfElement(programs, element),
                programs.setup,
                programs.teardown,
            ),
        };
        let hook = |hook| LaterHook::Of(hook, element);
        Self::Program(Program {
            command,
            setup: setup.map(hook),
            teardown: teardown.map(hook),
        })
    }
}
