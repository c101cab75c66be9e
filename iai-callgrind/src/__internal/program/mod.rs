//! Programs of binary benchmarks, for the roles of the executable other than measuring.
//!
//! In: the functions of a table or of a low-level group. Out: what the roles ask of a program. All of it is
//! inlined, see [`table`](super::table).

mod run;
mod sandbox;
mod stream;

use std::panic::{catch_unwind, AssertUnwindSafe};

use super::benchmarks::Code;
use super::elements::Text;
use super::later::{LaterCommand, LaterHook, SharedConfig};
use super::run::Hook;
use super::table::{self, Element, Programmed, Suite};
use crate::protocol::json::field;
use crate::protocol::{Command, Hooks, Stdin};

/// A program as the roles see it. It has one implementation, and is a trait for the reason that
/// `table.rs` gives.
pub trait AnyProgram {
    /// Its command. `Err`: a mistake of the user.
    fn command(&self) -> Result<Command, String>;

    /// Writes the field with its command, and tells which hooks it has. `Err`: a mistake of the user.
    fn describe(&self, out: &mut String) -> Result<Hooks, String>;

    /// Runs it once without a tool, as the benchmark with this address, between these levels of configuration.
    /// `Err`: the reason of the failure.
    fn run(
        &self,
        suite: &Suite,
        address: &str,
        levels: &[Option<SharedConfig>],
    ) -> Result<(), String>;

    /// Calls one of its hooks. `false`: there is none.
    fn call(&self, hook: Hook) -> bool;

    /// Its parts.
    fn parts(self: Box<Self>) -> Program;
}

/// The parts of a binary benchmark.
pub struct Program {
    pub(super) command: LaterCommand,
    pub(super) setup: Option<LaterHook>,
    pub(super) teardown: Option<LaterHook>,
}

impl AnyProgram for Program {
    #[inline]
    fn command(&self) -> Result<Command, String> {
        described(self)
    }

    #[inline]
    fn describe(&self, out: &mut String) -> Result<Hooks, String> {
        field("command", &described(self)?, out);
        Ok(Hooks {
            setup: self.setup.is_some(),
            teardown: self.teardown.is_some(),
        })
    }

    #[inline]
    fn run(
        &self,
        suite: &Suite,
        address: &str,
        levels: &[Option<SharedConfig>],
    ) -> Result<(), String> {
        run::run(suite, address, self, levels)
    }

    #[inline]
    fn call(&self, hook: Hook) -> bool {
        let function = match hook {
            Hook::Setup => &self.setup,
            Hook::Teardown => &self.teardown,
        };
        function.as_ref().map(LaterHook::call).is_some()
    }

    #[inline]
    fn parts(self: Box<Self>) -> Program {
        *self
    }
}

/// Calls the benchmark's function, which is the user's code. A panic has printed its text already and
/// is one mistake among others.
#[inline]
fn described(program: &Program) -> Result<Command, String> {
    let command = catch_unwind(AssertUnwindSafe(|| program.command.get()))
        .map_err(|_| "the function panicked before it returned a command".to_owned())?;
    if command.program.is_empty() {
        return Err("the command has no program: write `Command::new(\"my-program\")`".to_owned());
    }
    if matches!(command.stdin, Stdin::Setup(_)) && program.setup.is_none() {
        return Err("`Stdin::Setup` reads what `setup` writes, and there is no `setup`".to_owned());
    }
    Ok(command)
}

impl Programmed for table::Program {
    #[inline]
    fn has_elements(&self) -> bool {
        false
    }

    #[inline]
    fn program(&self, element: Element) -> Code {
        let command = LaterCommand::Of(self.command);
        code(command, self.setup, self.teardown, element)
    }

    #[inline]
    fn elements(&self, _made: bool) -> (Vec<Text>, Vec<Option<Code>>) {
        (Vec::new(), Vec::new())
    }
}

impl Programmed for table::Programs {
    #[inline]
    fn has_elements(&self) -> bool {
        true
    }

    #[inline]
    fn program(&self, element: Element) -> Code {
        let command = LaterCommand::OfElement(*self, element);
        code(command, self.setup, self.teardown, element)
    }

    #[inline]
    fn elements(&self, made: bool) -> (Vec<Text>, Vec<Option<Code>>) {
        let (mut texts, mut commands) = (Vec::new(), Vec::new());
        (self.commands)(&mut |text, command| {
            texts.push(text);
            if made {
                commands.push(self::made(command));
            }
        });
        let mut codes = Vec::new();
        let count = texts.len() as u32;
        for (index, command) in commands.into_iter().enumerate() {
            let index = index as u32;
            let element = Element { index, count };
            codes.push(Some(code(command, self.setup, self.teardown, element)));
        }
        (texts, codes)
    }
}

#[inline]
fn code(
    command: LaterCommand,
    setup: Option<fn(Element)>,
    teardown: Option<fn(Element)>,
    element: Element,
) -> Code {
    let hook = |hook| LaterHook::Of(hook, element);
    Code::Program(Box::new(Program {
        command,
        setup: setup.map(hook),
        teardown: teardown.map(hook),
    }))
}

/// Makes a command now. A panic of the user's function, which has printed its text already, is
/// repeated when the command is asked for, so that the other elements keep theirs.
#[inline]
fn made(command: &mut dyn FnMut() -> Command) -> LaterCommand {
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(command) => LaterCommand::Known(Box::new(command)),
        Err(_) => LaterCommand::Panicked,
    }
}
