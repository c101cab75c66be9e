//! Calls to the kernel that Valgrind does not know: the program may have gone another way than it
//! goes without Valgrind, and its figures are those of that way.

use crate::results::ToolFiles;
use formats::log::UnknownCall;

impl ToolFiles {
    /// The calls of all processes, each once.
    pub(in crate::results) fn unknown_calls(&self) -> Vec<UnknownCall> {
        let logs = self.logs.iter().map(|(_, log)| log);
        let mut calls: Vec<UnknownCall> =
            logs.flat_map(|log| &log.unknown_calls).copied().collect();
        calls.sort_unstable();
        calls.dedup();
        calls
    }
}

/// The note about a call.
pub(in crate::results) fn note(call: UnknownCall) -> String {
    match call.is_refused() {
        true => format!(
            "Valgrind does not know the {call} and let it fail, so the way that the program takes without it was \
             measured\n  hint: a newer Valgrind may know it"
        ),
        false => format!(
            "Valgrind does not know the {call}: the kernel carried it out, and the tool does not see what it wrote"
        ),
    }
}
