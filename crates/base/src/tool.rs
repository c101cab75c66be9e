//! The facts about each tool, one row each: its title, files and arguments, and how it runs and
//! counts.
//!
//! A new tool is a row here, a reader in `metrics::readers` with a parser in `formats` and, if it
//! has metrics of its own, a table in `protocol::metric`. Stages ask a column, not which tool it
//! is.

pub use iai_callgrind::protocol::Tool;

/// The facts about a tool.
pub struct ToolFacts {
    /// The name of the tool, as its authors write it: `DHAT`.
    pub title: &'static str,
    /// The options that name its files, each with the file.
    pub files: &'static [(&'static str, ToolFile)],
    /// Arguments of this tool that are held once, with our values, which the user's values replace.
    pub defaults: &'static [DefaultArgument],
    /// Environment variables of the runner that stay when the environment is cleared.
    pub environment: &'static [&'static str],
    /// The tool looks for errors: a benchmark with errors fails.
    pub finds_errors: bool,
    /// The processor that executes the benchmark.
    pub execution: Execution,
    /// Condition on which a fork of a server counts as a process of the benchmark's own does.
    pub forks: ForkCondition,
    /// The unit that has figures and files of its own.
    pub counted_unit: CountedUnit,
}

/// The processor that executes a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// Valgrind's: a program that does the same counts the same. There is a log of each process.
    Simulated,
    /// Counted by the hardware: counts are never the same twice.
    Native,
}

/// A condition on which a fork of a server counts as a process of the benchmark's own does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkCondition {
    /// None: it always does.
    Always,
    /// The count begins at the entry of a function.
    WithEntryPoint,
    /// The tool has this argument.
    With(&'static str),
    /// There is none: it never does.
    Never,
}

/// The unit that has figures and files of its own. Its number is in the names of the files while
/// the tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedUnit {
    /// A process, which may have threads and parts.
    Process,
    /// A set of events, each in runs of its own that do not add up.
    EventSet,
}

/// Does the hardware count for this tool, so that figures are never the same twice?
pub fn is_of_hardware(tool: Tool) -> bool {
    row(tool).execution == Execution::Native
}

/// A file that a tool writes for each process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolFile {
    /// The profile; a process may write several.
    Out,
    /// Valgrind's log.
    Log,
    /// The addresses of the basic blocks of exp-bbv.
    Pc,
    /// DHAT's own profile, where the result was reduced to the entry functions.
    Original,
    /// The samples of `perf record`.
    Data,
    /// The log of `perf record`.
    RecordLog,
    /// Allocations by function, in Callgrind's format (`--xtree-memory=full`).
    XTree,
    /// Leaks by function, in Callgrind's format (`--xtree-leak=yes`).
    XLeak,
    /// Costs of a Callgrind result by function and line, from which differences are explained.
    Digest,
}

impl ToolFile {
    /// Files that tools write themselves.
    pub const WRITTEN: [Self; 7] = [
        Self::Out,
        Self::Log,
        Self::Pc,
        Self::XTree,
        Self::XLeak,
        Self::Data,
        Self::RecordLog,
    ];

    /// Begin of the names of these files while the tool runs; the process id follows.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Out => "out.",
            Self::Log => "log.",
            Self::Pc => "pc.",
            Self::Original => "original.",
            Self::XTree => "xtree.",
            Self::XLeak => "xleak.",
            Self::Data => "data.",
            Self::RecordLog => "record.",
            Self::Digest => "digest.",
        }
    }
}

/// An argument that is held once: key, our value, accepted values.
pub type DefaultArgument = (&'static str, &'static str, Accepts);

/// The values that an argument accepts.
#[derive(Debug, Clone, Copy)]
pub enum Accepts {
    /// One of these.
    OneOf(&'static [&'static str]),
    /// The exit code of a process.
    ExitCode,
    /// Any value; Valgrind checks it.
    Anything,
}

use Accepts::{Anything, OneOf};

const YES_NO: Accepts = OneOf(&["yes", "no"]);

/// The arguments of every tool.
pub const COMMON: &[DefaultArgument] = &[
    ("--command-line-only", "yes", YES_NO),
    ("--trace-children", "yes", YES_NO),
    ("--fair-sched", "try", OneOf(&["no", "yes", "try"])),
    ("--vgdb", "no", OneOf(&["no", "yes", "full"])),
];

/// Cache sizes are fixed, since Valgrind takes those of the machine otherwise, and figures would
/// differ between machines.
const CALLGRIND: &[DefaultArgument] = &[
    ("--I1", "32768,8,64", Anything),
    ("--D1", "32768,8,64", Anything),
    ("--LL", "8388608,16,64", Anything),
    ("--cache-sim", "yes", YES_NO),
    ("--compress-strings", "yes", YES_NO),
    ("--compress-pos", "yes", YES_NO),
    ("--dump-line", "yes", YES_NO),
    ("--dump-instr", "yes", YES_NO),
    ("--combine-dumps", "no", YES_NO),
    ("--separate-threads", "yes", YES_NO),
];

const CACHEGRIND: &[DefaultArgument] = &[
    ("--I1", "32768,8,64", Anything),
    ("--D1", "32768,8,64", Anything),
    ("--LL", "8388608,16,64", Anything),
    ("--cache-sim", "yes", YES_NO),
];

/// Makes Cachegrind count only between requests of the benchmark, in Valgrind 3.22 and later.
pub const LATER: DefaultArgument = ("--instr-at-start", "no", YES_NO);

/// The greatest depth that Valgrind accepts: a stack that is cut before it reaches the benchmark
/// would not be counted. Deep stacks cost time and memory only where there are some.
pub const STACK_DEPTH: usize = 500;

const DHAT: &[DefaultArgument] = &[("--num-callers", "500", Anything)];

/// Time in bytes instead of instructions: bytes begin at zero in a fork as well. The peak is exact
/// to the byte instead of to one percent.
const MASSIF: &[DefaultArgument] = &[
    ("--time-unit", "B", Anything),
    ("--peak-inaccuracy", "0.0", Anything),
];

const XTREE: (&str, ToolFile) = ("--xtree-memory-file", ToolFile::XTree);
const XLEAK: (&str, ToolFile) = ("--xtree-leak-file", ToolFile::XLeak);

const NOTHING: ToolFacts = ToolFacts {
    title: "",
    files: &[],
    defaults: &[],
    environment: &[],
    finds_errors: false,
    execution: Execution::Simulated,
    forks: ForkCondition::Always,
    counted_unit: CountedUnit::Process,
};

/// The row of a tool.
#[must_use]
pub fn row(tool: Tool) -> &'static ToolFacts {
    match tool {
        Tool::Callgrind => &ToolFacts {
            title: "Callgrind",
            files: &[("--callgrind-out-file", ToolFile::Out)],
            defaults: CALLGRIND,
            // Without entry point the start of the process counts as well.
            forks: ForkCondition::WithEntryPoint,
            ..NOTHING
        },
        Tool::Cachegrind => &ToolFacts {
            title: "Cachegrind",
            files: &[("--cachegrind-out-file", ToolFile::Out)],
            defaults: CACHEGRIND,
            // Valgrind 3.22 can begin to count later; older ones refuse the option.
            forks: ForkCondition::With("--instr-at-start=no"),
            ..NOTHING
        },
        Tool::Dhat => &ToolFacts {
            title: "DHAT",
            files: &[("--dhat-out-file", ToolFile::Out)],
            defaults: DHAT,
            ..NOTHING
        },
        Tool::Massif => &ToolFacts {
            title: "Massif",
            files: &[("--massif-out-file", ToolFile::Out), XTREE],
            defaults: MASSIF,
            // The clock of the process has run before; bytes are counted from the fork on.
            forks: ForkCondition::With("--time-unit=B"),
            ..NOTHING
        },
        Tool::Bbv => &ToolFacts {
            title: "exp-bbv",
            files: &[
                ("--bb-out-file", ToolFile::Out),
                ("--pc-out-file", ToolFile::Pc),
            ],
            // A child would write into the file of its parent.
            forks: ForkCondition::Never,
            ..NOTHING
        },
        Tool::Memcheck => &ToolFacts {
            title: "Memcheck",
            files: &[XTREE, XLEAK],
            // For the search of debug information.
            environment: &["PATH", "HOME", "DEBUGINFOD_URLS"],
            finds_errors: true,
            ..NOTHING
        },
        Tool::Helgrind => &ToolFacts {
            title: "Helgrind",
            files: &[XTREE],
            finds_errors: true,
            ..NOTHING
        },
        Tool::Drd => &ToolFacts {
            title: "DRD",
            finds_errors: true,
            ..NOTHING
        },
        // The command line of perf has nothing in common with Valgrind's: `plan/perf/`.
        Tool::Perf => &ToolFacts {
            title: "perf",
            execution: Execution::Native,
            // The counters of perf belong to the process.
            forks: ForkCondition::Never,
            counted_unit: CountedUnit::EventSet,
            ..NOTHING
        },
    }
}
