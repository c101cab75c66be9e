//! Parts of benchmarks that are made only when somebody asks: that may be slow, and it is the user's code.
//!
//! Enums and not boxed functions, which would be one more type to compile for each of them.

use std::panic::resume_unwind;

use super::elements::nth_command;
use super::table::{Element, Programs};
use crate::binary::Hook;
use crate::protocol::{Command, Config};

/// Command of a program.
pub(super) enum LaterCommand {
    Of(fn() -> Command),
    /// One of those that the elements of an iterator have.
    OfElement(Programs, Element),
    Known(Box<Command>),
    /// The user's function panicked, and has printed its text already.
    Panicked,
}

impl LaterCommand {
    pub(super) fn get(&self) -> Command {
        match self {
            Self::Of(function) => function(),
            Self::OfElement(programs, element) => nth_command(*programs, *element),
            Self::Known(command) => Command::clone(command),
            Self::Panicked => resume_unwind(Box::new("the function panicked")),
        }
    }
}

/// Configuration of a function or case.
pub(super) enum LaterConfig {
    Of(fn() -> Config),
    Known(Box<Config>),
}

impl LaterConfig {
    pub(super) fn get(&self) -> Config {
        match self {
            Self::Of(function) => function(),
            Self::Known(config) => Config::clone(config),
        }
    }
}

/// Setup or teardown of a program.
pub(super) enum LaterHook {
    Of(fn(Element), Element),
    Known(Hook),
}

impl LaterHook {
    pub(super) fn call(&self) {
        match self {
            Self::Of(function, element) => function(*element),
            Self::Known(hook) => hook.call(),
        }
    }

    #[inline]
    pub(super) fn into_hook(self) -> Hook {
        match self {
            Self::Of(hook, element) => Hook::new(move || hook(element)),
            Self::Known(hook) => hook,
        }
    }
}
