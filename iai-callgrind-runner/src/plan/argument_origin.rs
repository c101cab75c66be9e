//! User's arguments for tools with their origin: a message about an argument has to say where to
//! look.

use std::fmt;

use iai_callgrind::protocol::options::variable;

use crate::error::Error;
use crate::settings::Settings;
use base::tool::Tool;

/// Place where a user gives arguments for tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentOrigin {
    /// The configuration of the benchmark.
    Configuration,
    /// An option of the command line.
    Option {
        /// Name with its dashes.
        name: String,
        /// Environment variable of the option, if that is set as well.
        variable: Option<String>,
    },
}

impl ArgumentOrigin {
    /// Origin of an option, with its environment variable if that has a value.
    pub(super) fn option(name: String, settings: &Settings) -> Self {
        let variable = variable(&name);
        let is_set = settings.environment.get(&variable).is_some();
        Self::Option {
            name,
            variable: is_set.then_some(variable),
        }
    }

    /// Error about a refused argument, which names its origin.
    pub(crate) fn refused(&self, tool: Tool, argument: &str, reason: String) -> Error {
        let place = format!("argument `{argument}` for {tool} in {self}");
        match self {
            Self::Configuration => Error::Configuration { place, reason },
            Self::Option { .. } => Error::Setting { place, reason },
        }
    }
}

impl fmt::Display for ArgumentOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Configuration => f.write_str("the configuration"),
            Self::Option { name, variable } => {
                write!(f, "`{name}`")?;
                match variable {
                    Some(variable) => write!(f, " or {variable}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Arguments from one place.
#[derive(Debug, Clone)]
pub(super) struct OriginArguments<'a> {
    pub(super) words: &'a [String],
    pub(super) origin: ArgumentOrigin,
}

impl OriginArguments<'_> {
    /// Every argument, without those that are empty.
    pub(super) fn each(&self) -> impl Iterator<Item = (&ArgumentOrigin, &str)> {
        let words = self.words.iter().map(|word| word.trim());
        let words = words.filter(|word| !word.is_empty());
        words.map(|word| (&self.origin, word))
    }
}

/// One argument as Valgrind gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginArgument {
    /// Argument: `--key=value`, or any other form.
    pub word: String,
    /// Origin of the argument.
    pub origin: ArgumentOrigin,
}
