//! Parts of benchmarks that are made on demand: that may be slow, and it is the user's code.
//!
//! Enums and not boxed functions, which would be one more type to compile for each of them.

use std::panic::resume_unwind;
use std::rc::Rc;

use super::elements::nth_command;
use super::table::{Element, Programs};
use crate::binary::Hook;
use crate::protocol::json::Json;
use crate::protocol::{Command, Config};

/// Command of a program.
pub(super) enum LaterCommand {
    Of(fn() -> Command),
    /// The command of one element of an iterator.
    OfElement(Programs, Element),
    Known(Box<Command>),
    /// The user's function panicked, and has printed its text already.
    Panicked,
}

impl LaterCommand {
    #[inline]
    pub(super) fn get(&self) -> Command {
        match self {
            Self::Of(function) => function(),
            Self::OfElement(programs, element) => nth_command(*programs, *element),
            Self::Known(command) => Command::clone(command),
            // Without the hook: the text of the panic was printed when the function was called.
            Self::Panicked => resume_unwind(Box::new("the function panicked")),
        }
    }
}

/// The configuration of one level, for roles that need little of it. A trait for the reason that
/// `table.rs` gives.
pub trait Configuration {
    /// Writes it as JSON.
    fn describe(&self, out: &mut String);

    /// Sets its variables in this process. Passed-through ones are there already.
    fn set_variables(&self);

    /// The whole configuration.
    fn plain(&self) -> &Config;
}

/// A configuration that was evaluated.
pub type SharedConfig = Rc<dyn Configuration>;

impl Configuration for Config {
    #[inline]
    fn describe(&self, out: &mut String) {
        self.write(out);
    }

    #[inline]
    fn set_variables(&self) {
        for variable in &self.envs {
            if let Some(value) = &variable.value {
                // SAFETY: what we run has one thread so far. Only iterators of the user could have
                // started another, which would have to read the environment past the standard
                // library meanwhile.
                unsafe { std::env::set_var(&variable.name, value) };
            }
        }
    }

    #[inline]
    fn plain(&self) -> &Config {
        self
    }
}

impl Json for SharedConfig {
    fn write(&self, out: &mut String) {
        self.describe(out);
    }
}

/// Configuration of a function or case.
pub(super) enum LaterConfig {
    Of(fn() -> SharedConfig),
    Known(SharedConfig),
}

impl LaterConfig {
    pub(super) fn get(&self) -> SharedConfig {
        match self {
            Self::Of(function) => function(),
            Self::Known(config) => SharedConfig::clone(config),
        }
    }
}

/// Setup or teardown of a program.
pub(super) enum LaterHook {
    Of(fn(Element), Element),
    Known(Hook),
}

impl LaterHook {
    #[inline]
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
