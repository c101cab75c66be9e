//! The cases of an annotated function, with one for each element of an iterator or line of a file.

use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

use super::benchmarks::{later, Case, Code, Later, Program, Wanted};
use super::elements::{nth_command, Text};
use super::table::{self, Element, Run};
use crate::protocol::{Command, Input};

/// The cases of a function. Adds the ids of iterators that have no element.
pub(super) fn cases(
    function: &'static table::Function,
    wanted: Wanted<'_>,
    empty: &mut Vec<&'static str>,
) -> Vec<Case> {
    let mut all = Vec::new();
    for (table, index) in function.cases.iter().zip(0..) {
        let input = |text| Input::new(text, table.positional);
        let case = |id, args, text: Option<String>, element, code| Case {
            index,
            element,
            id,
            args,
            input: text.map(input),
            tears_down: table.has_teardown && table.run.function().is_some(),
            config: later(table.config),
            code,
        };
        let id = table.id;
        if !table.has_elements() {
            let args = table.args.map(str::to_owned);
            let text = table.input.map(str::to_owned);
            let element = Element::default();
            let code = Code::new(table.run, element);
            all.push(case(id.map(str::to_owned), args, text, element, code));
            continue;
        }
        if let Wanted::At(address) = wanted {
            let found = id.and_then(|id| Some((id, number(id, address)?)));
            if let Some((id, index)) = found {
                let element = Element { index, count: 0 };
                let code = Code::new(table.run, element);
                all.push(case(
                    Some(format!("{id}_{index}")),
                    None,
                    None,
                    element,
                    code,
                ));
            }
            continue;
        }
        let elements = described_elements(table, matches!(wanted, Wanted::WithCommands));
        let count = elements.len() as u32;
        if count == 0 {
            empty.extend(id);
        }
        all.extend(
            elements
                .into_iter()
                .zip(0..)
                .map(|((text, command), index)| {
                    let id = id.map(|id| format!("{id}_{index}"));
                    let (shown, text) = (Some(text.shown), Some(text.input));
                    let element = Element { index, count };
                    let mut code = Code::new(table.run, element);
                    if let (Code::Program(program), Some(command)) = (&mut code, command) {
                        program.command = command;
                    }
                    case(id, shown, text, element, code)
                }),
        );
    }
    all
}

/// Texts of all elements, and their commands if they are wanted. The iterator is evaluated once.
fn described_elements(
    table: &'static table::Case,
    with_commands: bool,
) -> Vec<(Text, Option<Later<Command>>)> {
    let mut all = Vec::new();
    if let Some(elements) = table.elements {
        all.extend(elements().into_iter().map(|text| (text, None)));
    }
    if let Run::Programs(programs) = table.run {
        (programs.commands)(&mut |text, command| {
            let command = with_commands.then(|| made(command));
            all.push((text, command));
        });
    }
    all
}

/// Makes a command now. A panic of the user's function, which has printed its text already, goes on when
/// somebody asks for the command: the elements behind it have theirs.
fn made(command: &mut dyn FnMut() -> Command) -> Later<Command> {
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(command) => Box::new(move || command.clone()),
        Err(_) => Box::new(|| resume_unwind(Box::new("the function panicked"))),
    }
}

/// The number at the end of an address, if it is that of an element of the attribute with this id.
fn number(id: &str, address: &str) -> Option<u32> {
    let last = address.rsplit("::").next()?;
    last.strip_prefix(id)?.strip_prefix('_')?.parse().ok()
}

impl Code {
    fn new(run: Run, element: Element) -> Self {
        match run {
            Run::Function(function) => Self::Function(function),
            Run::Program(table::Program {
                command,
                setup,
                teardown,
            }) => Self::program(Box::new(command), [setup, teardown], element),
            Run::Programs(programs) => {
                let command = move || nth_command(programs, element);
                let hooks = [programs.setup, programs.teardown];
                Self::program(Box::new(command), hooks, element)
            }
        }
    }

    fn program(command: Later<Command>, hooks: [Option<fn(Element)>; 2], element: Element) -> Self {
        let hook = |hook: fn(Element)| -> Later<()> { Box::new(move || hook(element)) };
        let [setup, teardown] = hooks.map(|function| function.map(hook));
        Self::Program(Program {
            command,
            setup,
            teardown,
        })
    }
}
