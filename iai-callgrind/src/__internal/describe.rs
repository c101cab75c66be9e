//! The `describe` role: from the constant tables to the description that the runner reads.

use std::path::Path;
use std::process::ExitCode;

use super::benchmarks::{self, Code, Wanted};
use super::check::{self, Mistakes};
use super::later::{LaterConfig, SharedConfig};
use super::ratios::RatioPair;
use super::run::PackageDirectory;
use super::table::{self, Scaling, Size};
use super::{exit, heap_source, platform};
use crate::protocol::json::{close, field, name, next, open};
use crate::protocol::{self, Address, PROTOCOL, VERSION};
#[cfg(feature = "cachegrind")]
use crate::protocol::{Config, Tool};

/// Do benchmark functions start and stop Cachegrind?
const BRACKETS: bool = cfg!(feature = "cachegrind");

/// Writes the description as JSON, in the form of `protocol::Suite`. It is written directly: to
/// build that value first, every executable would contain its structure twice.
pub(super) fn to_file(suite: &table::Suite, path: &Path) -> ExitCode {
    // The path is relative to where the process was started.
    let description = match description(suite) {
        Ok(description) => description,
        Err(mistakes) => return exit::with_error(exit::ERROR, format_args!("{mistakes}")),
    };
    match std::fs::write(path, description) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let path = path.display();
            exit::with_error(exit::ERROR, format_args!("cannot write `{path}`: {error}"))
        }
    }
}

fn description(suite: &table::Suite) -> Result<String, Mistakes> {
    let _inside = PackageDirectory::enter(suite);
    let groups = benchmarks::groups_of(suite, Wanted::WithCommands);
    check::check(suite, &groups)?;
    let mut mistakes = Vec::new();
    let mut out = String::new();
    describe(suite, &groups, &mut mistakes, &mut out);
    match mistakes.is_empty() {
        true => Ok(out),
        false => Err(Mistakes(mistakes)),
    }
}

fn describe(
    suite: &table::Suite,
    groups: &[benchmarks::Group],
    mistakes: &mut Vec<String>,
    out: &mut String,
) {
    open('{', out);
    field("protocol", &PROTOCOL, out);
    field("version", &VERSION, out);
    name("package", out);
    package(&suite.package, out);
    field("platform", &platform::platform(), out);
    field("config", &config(suite), out);
    field("deterministic_random", &suite.deterministic_random, out);
    field("brackets", &BRACKETS, out);
    field("is_malloc", &heap_source::is_malloc(), out);
    field("hooks", &hooks(&suite.hooks), out);
    name("groups", out);
    open('[', out);
    for described in groups {
        next(out);
        group(described, mistakes, out);
    }
    close(']', out);
    field("unlisted", &benchmarks::unlisted(suite, groups), out);
    field("empty", &benchmarks::empty(groups), out);
    field("entries", &(benchmarks::entries(suite) as u32), out);
    #[cfg(feature = "registration")]
    field(
        "at_run_time",
        &matches!(suite.groups, table::Groups::AtRunTime),
        out,
    );
    close('}', out);
}

/// `config` of `main!`.
#[cfg(not(feature = "cachegrind"))]
fn config(suite: &table::Suite) -> Option<SharedConfig> {
    suite.config.map(|config| config())
}

/// `config` of `main!`, with Cachegrind as the default tool.
#[cfg(feature = "cachegrind")]
fn config(suite: &table::Suite) -> Option<SharedConfig> {
    let said = suite.config.map(|config| config());
    let mut config = said.map_or_else(Config::default, |said| said.plain().clone());
    config.default_tool.get_or_insert(Tool::Cachegrind);
    Some(std::rc::Rc::new(config))
}

fn package(package: &table::Package, out: &mut String) {
    open('{', out);
    field("name", &package.name, out);
    field("manifest_dir", &package.manifest_dir, out);
    field("workspace", &package.workspace, out);
    field("target_tmpdir", &package.target_tmpdir, out);
    field("file", &package.file, out);
    field("module", &package.module, out);
    close('}', out);
}

fn hooks(hooks: &table::Hooks) -> protocol::Hooks {
    protocol::Hooks {
        setup: hooks.setup.is_some(),
        teardown: hooks.teardown.is_some(),
    }
}

fn group(group: &benchmarks::Group, mistakes: &mut Vec<String>, out: &mut String) {
    open('{', out);
    field("name", &group.name, out);
    field("kind", &group.kind, out);
    field("config", &group.config.map(|config| config()), out);
    field("compare_by_id", &group.compare_by_id, out);
    field("max_parallel", &group.max_parallel, out);
    field("hooks", &hooks(group.hooks), out);
    name("functions", out);
    open('[', out);
    for described in &group.functions {
        next(out);
        function(&group.name, described, mistakes, out);
    }
    close(']', out);
    name("ratios", out);
    open('[', out);
    for pair in &group.ratios {
        next(out);
        ratio(pair, out);
    }
    close(']', out);
    close('}', out);
}

fn ratio(pair: &RatioPair, out: &mut String) {
    let side =
        |label: &'static str, (function, id): &(String, Option<String>), out: &mut String| {
            name(label, out);
            open('{', out);
            field("function", function, out);
            field("id", id, out);
            close('}', out);
        };
    open('{', out);
    side("limited", &pair.limited, out);
    field("ratio", &pair.number, out);
    side("of", &pair.of, out);
    close('}', out);
}

fn function(
    group: &str,
    function: &benchmarks::Function,
    mistakes: &mut Vec<String>,
    out: &mut String,
) {
    open('{', out);
    field("name", &function.name, out);
    field("index", &function.index, out);
    field("file", &function.place.file, out);
    field("line", &function.place.line, out);
    said(function.config.as_ref(), out);
    field("equal_counts", &function.equal_counts, out);
    name("cases", out);
    open('[', out);
    for described in &function.cases {
        next(out);
        if let Err(mistake) = case(described, out) {
            let address = Address {
                group,
                function: &function.name,
                id: described.id.as_deref(),
            };
            let benchmarks::Place { file, line, .. } = function.place;
            mistakes.push(format!("{file}:{line}: `{address}`: {mistake}"));
        }
    }
    close(']', out);
    close('}', out);
}

/// The configuration of a function or case.
fn said(config: Option<&LaterConfig>, out: &mut String) {
    field("config", &config.map(LaterConfig::get), out);
}

fn case(case: &benchmarks::Case, out: &mut String) -> Result<(), String> {
    open('{', out);
    field("id", &case.id, out);
    field("args", &case.args, out);
    field("input", &case.input, out);
    field("index", &case.index, out);
    field("element", &case.element.index, out);
    field("elements", &case.element.count, out);
    said(case.config.as_ref(), out);
    if let Some(scaling) = case.scaling {
        self::scaling(scaling, case, out);
    }
    if let Some(amounts) = &case.throughput {
        field("throughput", &amounts.get(), out);
    }
    #[cfg(feature = "registration")]
    field("title", &case.title, out);
    let hooks = match &case.code {
        Code::Function(_) => protocol::Hooks {
            setup: false,
            teardown: case.tears_down,
        },
        Code::Program(program) => program.describe(out)?,
    };
    field("hooks", &hooks, out);
    close('}', out);
    Ok(())
}

/// The size may be evaluated by the user's code.
fn scaling(scaling: &Scaling, case: &benchmarks::Case, out: &mut String) {
    let size = match scaling.size {
        Size::Number(size) => size,
        Size::Of(size) => size(case.element),
    };
    name("scaling", out);
    open('{', out);
    field("bench", &scaling.bench, out);
    field("growth", &scaling.growth, out);
    field("size", &size, out);
    close('}', out);
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use std::rc::Rc;

    use super::super::later::{LaterCommand, LaterHook};
    use super::super::program::Program;
    use super::super::table::{Element, Groups, Hooks};
    use super::super::throughput::LaterThroughputs;
    use super::*;
    use crate::protocol::{
        Case, Command, Config, Function, Group, Input, Kind, Package, Ratio, RatioSide, Suite,
    };

    const HOOKS: Hooks = Hooks {
        setup: Some(|| {}),
        teardown: None,
    };

    fn config_of(argument: &str) -> Config {
        Config {
            valgrind_args: vec![argument.to_owned()],
            ..Config::default()
        }
    }

    fn program(name: &str) -> Command {
        Command {
            program: name.into(),
            ..Command::default()
        }
    }

    /// A suite with a value for everything that can be said.
    fn suite() -> table::Suite {
        table::Suite {
            package: table::Package {
                name: "package",
                manifest_dir: "/a \"b\"/c",
                workspace: "/a",
                target_tmpdir: Some("/t"),
                file: "benches/b.rs",
                module: "b",
                runner: None,
            },
            config: Some(|| Rc::new(config_of("--main"))),
            deterministic_random: true,
            hooks: HOOKS,
            groups: Groups::Library(&[]),
        }
    }

    fn case_with(code: Code) -> benchmarks::Case {
        let known = |argument| Some(LaterConfig::Known(Rc::new(config_of(argument))));
        benchmarks::Case {
            index: 2,
            element: Element { index: 3, count: 4 },
            id: Some("größe".to_owned()),
            args: Some("\"x\"".to_owned()),
            input: Some(Input::new("\"x\"".to_owned(), true)),
            tears_down: true,
            config: known("--case"),
            scaling: Some(&Scaling {
                bench: "größe",
                growth: "n log n",
                size: Size::Of(|element| u64::from(element.index) * 10),
            }),
            throughput: Some(LaterThroughputs::Of(
                |element| protocol::Throughput {
                    bytes: Some(u64::from(element.index)),
                    elements: None,
                },
                Element { index: 3, count: 4 },
            )),
            #[cfg(feature = "registration")]
            title: Some("group/größe".to_owned()),
            code,
        }
    }

    fn group_with(cases: Vec<benchmarks::Case>) -> benchmarks::Group {
        benchmarks::Group {
            name: "group".to_owned(),
            kind: Kind::Binary,
            config: Some(|| Rc::new(config_of("--group"))),
            compare_by_id: true,
            max_parallel: 5,
            hooks: &HOOKS,
            functions: vec![benchmarks::Function {
                index: 1,
                table: None,
                name: "function".to_owned(),
                place: benchmarks::Place {
                    file: "benches/b.rs",
                    line: 7,
                    column: 1,
                },
                config: Some(LaterConfig::Of(|| Rc::new(config_of("--function")))),
                equal_counts: true,
                cases,
                empty: vec!["no_element"],
            }],
            ratios: vec![RatioPair {
                limited: ("fast".to_owned(), None),
                number: "0.5",
                of: ("slow".to_owned(), Some("größe".to_owned())),
            }],
            mistakes: Vec::new(),
        }
    }

    fn code(command: LaterCommand) -> Code {
        Code::Program(Box::new(Program {
            command,
            setup: Some(LaterHook::Of(|_| {}, Element::default())),
            teardown: None,
        }))
    }

    #[test]
    fn serde_reads_what_is_written() {
        let cases = vec![
            case_with(code(LaterCommand::Of(|| program("/p")))),
            case_with(Code::Function(|_| {})),
        ];
        let (suite, groups) = (suite(), [group_with(cases)]);
        let (mut mistakes, mut out) = (Vec::new(), String::new());
        describe(&suite, &groups, &mut mistakes, &mut out);
        assert_eq!(mistakes, [""; 0]);
        let read: Suite = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));

        let hooks = protocol::Hooks {
            setup: true,
            teardown: false,
        };
        let expected = |hooks, command: Option<Command>| Case {
            id: Some("größe".to_owned()),
            args: Some("\"x\"".to_owned()),
            input: Some(Input::new("\"x\"".to_owned(), true)),
            index: 2,
            element: 3,
            elements: 4,
            config: Some(Box::new(config_of("--case"))),
            scaling: Some(protocol::Scaling {
                bench: "größe".to_owned(),
                growth: "n log n".to_owned(),
                size: 30,
            }),
            throughput: Some(Box::new(protocol::Throughput {
                bytes: Some(3),
                elements: None,
            })),
            title: cfg!(feature = "registration").then(|| "group/größe".to_owned()),
            hooks,
            command: command.map(Box::new),
        };
        let torn_down = protocol::Hooks {
            setup: false,
            teardown: true,
        };
        let expected = Suite {
            protocol: PROTOCOL,
            version: VERSION.to_owned(),
            package: Package {
                name: "package".to_owned(),
                manifest_dir: "/a \"b\"/c".to_owned(),
                workspace: "/a".to_owned(),
                target_tmpdir: Some("/t".to_owned()),
                file: "benches/b.rs".to_owned(),
                module: "b".to_owned(),
            },
            platform: platform::platform(),
            config: config(&suite).map(|config| config.plain().clone()),
            deterministic_random: true,
            brackets: BRACKETS,
            // Threads of other tests allocate at the same time, so a second answer may be another one.
            is_malloc: read.is_malloc,
            hooks,
            groups: vec![Group {
                name: "group".to_owned(),
                kind: Kind::Binary,
                config: Some(config_of("--group")),
                compare_by_id: true,
                max_parallel: 5,
                hooks,
                functions: vec![Function {
                    name: "function".to_owned(),
                    index: 1,
                    file: "benches/b.rs".to_owned(),
                    line: 7,
                    config: Some(Box::new(config_of("--function"))),
                    equal_counts: true,
                    cases: vec![
                        expected(hooks, Some(program("/p"))),
                        expected(torn_down, None),
                    ],
                }],
                ratios: vec![Ratio {
                    limited: RatioSide {
                        function: "fast".to_owned(),
                        id: None,
                    },
                    ratio: "0.5".to_owned(),
                    of: RatioSide {
                        function: "slow".to_owned(),
                        id: Some("größe".to_owned()),
                    },
                }],
            }],
            unlisted: Vec::new(),
            empty: benchmarks::empty(&groups),
            entries: benchmarks::entries(&suite) as u32,
            at_run_time: false,
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn mistakes_of_all_commands_are_said() {
        let cases = vec![
            case_with(code(LaterCommand::Of(|| program("")))),
            case_with(code(LaterCommand::Panicked)),
        ];
        let mut mistakes = Vec::new();
        describe(
            &suite(),
            &[group_with(cases)],
            &mut mistakes,
            &mut String::new(),
        );
        let place = "benches/b.rs:7: `group::function::größe`";
        let texts = [
            "the command has no program: write `Command::new(\"my-program\")`",
            "the function panicked before it returned a command",
        ];
        assert_eq!(mistakes, texts.map(|text| format!("{place}: {text}")));
    }
}
