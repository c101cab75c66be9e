//! The `describe` role: from the constant tables to the description that the runner reads.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;

use super::benchmarks::{self, Code, Program, Wanted};
use super::check::{self, Mistakes};
use super::run::PackageDirectory;
use super::table::{self, Place};
use super::{exit, heap_source, platform};
use crate::protocol::{self, json, Address, Command, Config, Stdin, Tool, PROTOCOL, VERSION};
use crate::shared::text::owned;

/// Do benchmark functions start and stop Cachegrind?
const BRACKETS: bool = cfg!(feature = "cachegrind");

/// Writes the description as JSON.
pub(super) fn to_file(suite: &table::Suite, path: &Path) -> ExitCode {
    // The path is relative to where the process was started.
    let description = match description(suite) {
        Ok(description) => json::to_string(&description),
        Err(mistakes) => return exit::with_error(exit::ERROR, mistakes),
    };
    match std::fs::write(path, description) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("cannot write `{}`: {error}", path.display());
            exit::with_error(exit::ERROR, text)
        }
    }
}

fn description(suite: &table::Suite) -> Result<protocol::Suite, Mistakes> {
    let _inside = PackageDirectory::enter(suite);
    let groups = benchmarks::groups_of(suite, Wanted::WithCommands);
    check::check(suite, &groups)?;
    describe(suite, &groups)
}

fn describe(
    suite: &table::Suite,
    groups: &[benchmarks::Group],
) -> Result<protocol::Suite, Mistakes> {
    let mut mistakes = Vec::new();
    let empty = benchmarks::empty(groups);
    let mut described = Vec::new();
    for found in groups {
        described.push(group(found, &mut mistakes));
    }
    if !mistakes.is_empty() {
        return Err(Mistakes(mistakes));
    }
    let mut unlisted = Vec::new();
    for function in &benchmarks::unlisted(suite, groups) {
        let Place { file, line, .. } = function.place;
        unlisted.push(format!("{file}:{line}: {}", function.name));
    }
    Ok(protocol::Suite {
        protocol: PROTOCOL,
        version: owned(VERSION),
        package: package(&suite.package),
        platform: platform::platform(),
        config: config(suite),
        deterministic_random: suite.deterministic_random,
        brackets: BRACKETS,
        is_malloc: heap_source::is_malloc(),
        hooks: hooks(&suite.hooks),
        groups: described,
        unlisted,
        empty,
        entries: benchmarks::entries(suite) as u32,
    })
}

/// `config` of `main!`. With the feature `cachegrind` another default tool lies below it.
fn config(suite: &table::Suite) -> Option<Config> {
    let mut config = suite.config.map(|config| config());
    if BRACKETS {
        let tool = &mut config.get_or_insert_default().default_tool;
        *tool = tool.or(Some(Tool::Cachegrind));
    }
    config
}

fn package(package: &table::Package) -> protocol::Package {
    protocol::Package {
        name: owned(package.name),
        manifest_dir: owned(package.manifest_dir),
        workspace: owned(package.workspace),
        target_tmpdir: package.target_tmpdir.map(owned),
        file: owned(package.file),
        module: owned(package.module),
    }
}

fn hooks(hooks: &table::Hooks) -> protocol::Hooks {
    protocol::Hooks {
        setup: hooks.setup.is_some(),
        teardown: hooks.teardown.is_some(),
    }
}

fn group(group: &benchmarks::Group, mistakes: &mut Vec<String>) -> protocol::Group {
    let mut functions = Vec::new();
    for described in &group.functions {
        functions.push(function(&group.name, described, mistakes));
    }
    protocol::Group {
        functions,
        name: group.name.clone(),
        kind: group.kind,
        config: group.config.map(|config| config()),
        compare_by_id: group.compare_by_id,
        max_parallel: group.max_parallel,
        hooks: hooks(group.hooks),
    }
}

fn function(
    group: &str,
    function: &benchmarks::Function,
    mistakes: &mut Vec<String>,
) -> protocol::Function {
    let mut cases = Vec::new();
    for described in &function.cases {
        match case(described) {
            Ok(case) => cases.push(case),
            Err(mistake) => {
                let address = Address {
                    group,
                    function: &function.name,
                    id: described.id.as_deref(),
                };
                let benchmarks::Place { file, line, .. } = function.place;
                mistakes.push(format!("{file}:{line}: `{address}`: {mistake}"));
            }
        }
    }
    protocol::Function {
        name: function.name.clone(),
        index: function.index,
        config: function
            .config
            .as_ref()
            .map(|config| Box::new(config.get())),
        cases,
    }
}

fn case(case: &benchmarks::Case) -> Result<protocol::Case, String> {
    let (hooks, command) = match &case.code {
        Code::Function(_) => {
            let hooks = protocol::Hooks {
                setup: false,
                teardown: case.tears_down,
            };
            (hooks, None)
        }
        Code::Program(program) => {
            let hooks = protocol::Hooks {
                setup: program.setup.is_some(),
                teardown: program.teardown.is_some(),
            };
            (hooks, Some(Box::new(command(program)?)))
        }
    };
    Ok(protocol::Case {
        id: case.id.clone(),
        args: case.args.clone(),
        input: case.input.clone(),
        index: case.index,
        element: case.element.index,
        elements: case.element.count,
        config: case.config.as_ref().map(|config| Box::new(config.get())),
        hooks,
        command,
    })
}

/// Calls the benchmark's function, which is the user's code. A panic has printed its text already and
/// is one mistake among others.
fn command(program: &Program) -> Result<Command, String> {
    let command = catch_unwind(AssertUnwindSafe(|| program.command.get()))
        .map_err(|_| owned("the function panicked before it returned a command"))?;
    if command.program.is_empty() {
        return Err(owned(
            "the command has no program: write `Command::new(\"my-program\")`",
        ));
    }
    if matches!(command.stdin, Stdin::Setup(_)) && program.setup.is_none() {
        return Err(owned(
            "`Stdin::Setup` reads what `setup` writes, and there is no `setup`",
        ));
    }
    Ok(command)
}
