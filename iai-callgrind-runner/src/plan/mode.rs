//! Whether a benchmark is measured in a fork of a server or in a process of its own.
//!
//! One pure function of all facts that matter. A fork has the same counts, but some tools and
//! options do not work in one: their output would be that of the server, or go to one place for
//! all.

use base::tool::{self, ForkCondition, Tool};
use records::summary::Mode;

/// Options that belong to the whole process or to one output for all, and the values that are
/// harmless.
const DIRECT_OPTIONS: &[(&str, &[&str])] = &[
    // A fork would write no log.
    ("--child-silent-after-fork", &["no"]),
    // The blocks that the server has executed count as well.
    ("--dump-every-bb", &["0"]),
    ("--gen-suppressions", &["no"]),
    // One output for all processes.
    ("--log-fd", &[]),
    ("--log-socket", &[]),
    // The list has the descriptors of the server as well.
    ("--track-fds", &["no"]),
    ("--vgdb", &["no"]),
    ("--xml-socket", &[]),
];

/// Facts that decide about the mode.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModeFacts<'a> {
    pub(super) tool: Tool,
    /// All arguments of Valgrind.
    pub(super) args: &'a [String],
    /// Is there a function at whose entry the count begins?
    pub(super) has_entry_point: bool,
    /// Did the user allow forks?
    pub(super) allowed: bool,
    /// Is this a platform on which forks were tested?
    pub(super) tested_platform: bool,
}

pub(super) fn choose(facts: ModeFacts<'_>) -> Mode {
    let has = |argument| facts.args.iter().any(|given| given == argument);
    let possible = match tool::row(facts.tool).forks {
        ForkCondition::Always => true,
        ForkCondition::WithEntryPoint => facts.has_entry_point,
        ForkCondition::With(argument) => has(argument),
        ForkCondition::Never => false,
    };
    if possible && facts.allowed && facts.tested_platform && !facts.args.iter().any(|a| direct(a)) {
        Mode::Fork
    } else {
        Mode::Direct
    }
}

/// Does this argument need a process of the benchmark's own?
fn direct(argument: &str) -> bool {
    let (key, value) = match argument.split_once('=') {
        Some((key, value)) => (key, value),
        None => (argument, ""),
    };
    DIRECT_OPTIONS
        .iter()
        .any(|(option, harmless)| *option == key && !harmless.contains(&value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &[&str], change: impl Fn(&mut ModeFacts<'_>), expected: Mode) {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut facts = ModeFacts {
            tool: Tool::Callgrind,
            args: &args,
            has_entry_point: true,
            allowed: true,
            tested_platform: true,
        };
        change(&mut facts);
        assert_eq!(choose(facts), expected, "{args:?}");
    }

    #[test]
    fn callgrind_with_an_entry_point_forks() {
        check(&[], |_| {}, Mode::Fork);
        check(&["--cache-sim=yes", "--vgdb=no"], |_| {}, Mode::Fork);
        check(&[], |facts| facts.has_entry_point = false, Mode::Direct);
    }

    #[test]
    fn other_tools_have_their_own_conditions() {
        for (tool, args, expected) in [
            (Tool::Cachegrind, "", Mode::Direct),
            (Tool::Cachegrind, "--instr-at-start=yes", Mode::Direct),
            (Tool::Cachegrind, "--instr-at-start=no", Mode::Fork),
            (Tool::Dhat, "", Mode::Fork),
            (Tool::Massif, "--time-unit=i", Mode::Direct),
            (Tool::Massif, "--time-unit=B", Mode::Fork),
            (Tool::Bbv, "", Mode::Direct),
            (Tool::Memcheck, "", Mode::Fork),
            (Tool::Helgrind, "", Mode::Fork),
            (Tool::Drd, "", Mode::Fork),
            (Tool::Perf, "", Mode::Direct),
        ] {
            let change = |facts: &mut ModeFacts<'_>| {
                facts.tool = tool;
                facts.has_entry_point = false;
            };
            check(&[args], change, expected);
        }
    }

    #[test]
    fn users_and_platforms_decide() {
        check(&[], |facts| facts.allowed = false, Mode::Direct);
        check(&[], |facts| facts.tested_platform = false, Mode::Direct);
    }

    #[test]
    fn options_of_the_whole_process_need_one() {
        for option in [
            "--child-silent-after-fork=yes",
            "--dump-every-bb=1000",
            "--gen-suppressions=yes",
            "--gen-suppressions=all",
            "--log-fd=9",
            "--log-socket=localhost",
            "--track-fds=yes",
            "--track-fds=all",
            "--vgdb=yes",
            "--vgdb=full",
            "--xml-socket=localhost",
        ] {
            check(&[option], |_| {}, Mode::Direct);
        }
        check(
            &["--track-fds=no", "--gen-suppressions=no"],
            |_| {},
            Mode::Fork,
        );
    }
}
