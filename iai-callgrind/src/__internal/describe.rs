//! The `describe` role: from the constant tables to the description that the runner reads.

use std::path::Path;
use std::process::ExitCode;

use super::table::{self, Place};
use super::{benchmarks, check, exit};
use crate::protocol::{self, json, Config, Over, Tool, PROTOCOL, VERSION};

/// Do benchmark functions start and stop Cachegrind?
const BRACKETS: bool = cfg!(feature = "cachegrind");

/// Writes the description as JSON.
pub(super) fn to_file(suite: &table::Suite, path: &Path) -> ExitCode {
    let groups = benchmarks::groups(suite);
    if let Err(mistakes) = check::check(suite, &groups) {
        return exit::with_error(exit::ERROR, mistakes);
    }
    match std::fs::write(path, json::to_string(&describe(suite, groups))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("cannot write `{}`: {error}", path.display());
            exit::with_error(exit::ERROR, text)
        }
    }
}

fn describe(suite: &table::Suite, groups: Vec<benchmarks::Group>) -> protocol::Suite {
    protocol::Suite {
        protocol: PROTOCOL,
        version: VERSION.to_owned(),
        package: package(&suite.package),
        config: config(suite),
        deterministic_random: suite.deterministic_random,
        brackets: BRACKETS,
        hooks: hooks(&suite.hooks),
        groups: groups.into_iter().map(group).collect(),
        unlisted: benchmarks::unlisted(suite)
            .into_iter()
            .map(|function| {
                let Place { file, line, .. } = function.place;
                format!("{file}:{line}: {}", function.name)
            })
            .collect(),
        entries: benchmarks::entries(suite) as u32,
    }
}

/// `config` of `main!`. With the feature `cachegrind` another default tool lies below it.
fn config(suite: &table::Suite) -> Option<Config> {
    let config = suite.config.map(|config| config());
    let below = BRACKETS.then(|| Config {
        default_tool: Some(Tool::Cachegrind),
        ..Config::default()
    });
    config.over(below)
}

fn package(package: &table::Package) -> protocol::Package {
    protocol::Package {
        name: package.name.to_owned(),
        manifest_dir: package.manifest_dir.to_owned(),
        target_tmpdir: package.target_tmpdir.map(str::to_owned),
        file: package.file.to_owned(),
        module: package.module.to_owned(),
    }
}

fn hooks(hooks: &table::Hooks) -> protocol::Hooks {
    protocol::Hooks {
        setup: hooks.setup.is_some(),
        teardown: hooks.teardown.is_some(),
    }
}

fn group(group: benchmarks::Group) -> protocol::Group {
    protocol::Group {
        name: group.name,
        kind: protocol::Kind::Library,
        config: group.config.map(|config| config()),
        compare_by_id: group.compare_by_id,
        max_parallel: group.max_parallel,
        hooks: hooks(group.hooks),
        functions: group.functions.into_iter().map(function).collect(),
    }
}

fn function(function: benchmarks::Function) -> protocol::Function {
    protocol::Function {
        name: function.table.name.to_owned(),
        index: function.index,
        config: function.table.config.map(|config| config()),
        cases: function.cases.into_iter().map(case).collect(),
    }
}

fn case(case: benchmarks::Case) -> protocol::Case {
    protocol::Case {
        id: case.id,
        args: case.args,
        index: case.index,
        element: case.element.index,
        elements: case.element.count,
        config: case.table.config.map(|config| config()),
        hooks: protocol::Hooks::default(),
        command: None,
    }
}
