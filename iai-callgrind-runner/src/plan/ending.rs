//! Does a process end without exit handlers once its benchmark has returned?

use iai_callgrind::protocol::Config;

use super::ToolArgs;
use base::tool::Tool;

/// Only where nothing that runs then can be part of the result: leaks and the heap at exit belong
/// to the results of other tools, another entry point may be a function of the end, and threads may
/// still count. An executable that the compiler has instrumented writes its counters in an exit
/// handler.
pub(super) fn is_quick(
    tool: Tool,
    args: &ToolArgs,
    config: &Config,
    is_instrumented: bool,
) -> bool {
    let counts_only_the_function = match tool {
        Tool::Callgrind => args.counts_only_the_function(),
        Tool::Cachegrind => args.counts_later(),
        _ => false,
    };
    counts_only_the_function && !config.exit_handlers.unwrap_or(is_instrumented)
}
