//! Completions of command lines in shells: of the runner's own, and of the words after
//! `cargo bench --`, although that is cargo's command line.
//!
//! **In**: the definitions of both command lines, the words up to the cursor, and a function that
//! looks up names in results. **Out**: the [`script()`] of a shell, and the [`answer()`] that it
//! asks for at each completion.
//!
//! clap's engine finds out what is being completed; `values` says what options take where their
//! parsers do not. The scripts are ours: names in results may have been chosen by strangers, and
//! those of clap expand them (bash finds files for a `*`) or put them on the command line without
//! quotes, where `$(…)` runs at the next Enter. Here, names are data all the way: each is a line,
//! those with control characters are left out, and the shell quotes what it inserts.
//!
//! Paths are completed by the shells themselves, where there is nothing to propose.

mod answer;
mod script;
#[cfg(test)]
mod tests;
mod values;

pub use self::answer::{answer, CommandLines};
pub use self::script::script;
pub use self::values::{NameKind, NameSource};
