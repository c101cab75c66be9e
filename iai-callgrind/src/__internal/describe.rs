//! The `describe` role: from the constant tables to the description that the runner reads.

use std::path::Path;
use std::process::ExitCode;

use super::{check, exit, table};
use crate::protocol::{self, json, PROTOCOL, VERSION};

/// Writes the description as JSON.
pub(super) fn to_file(suite: &table::Suite, path: &Path) -> ExitCode {
    if let Err(mistakes) = check::check(suite) {
        return exit::with_error(exit::ERROR, mistakes);
    }
    match std::fs::write(path, json::to_string(&describe(suite))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("cannot write `{}`: {error}", path.display());
            exit::with_error(exit::ERROR, text)
        }
    }
}

fn describe(suite: &table::Suite) -> protocol::Suite {
    protocol::Suite {
        protocol: PROTOCOL,
        version: VERSION.to_owned(),
        package: package(&suite.package),
        config: suite.config.map(|config| config()),
        deterministic_random: suite.deterministic_random,
        hooks: hooks(&suite.hooks),
        groups: suite
            .groups
            .iter()
            .map(|group| self::group(group))
            .collect(),
    }
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

fn group(group: &table::Group) -> protocol::Group {
    protocol::Group {
        name: group.name.to_owned(),
        config: group.config.map(|config| config()),
        compare_by_id: (group.compare_by_id)(),
        hooks: hooks(&group.hooks),
        functions: group
            .functions
            .iter()
            .map(|function| self::function(function))
            .collect(),
    }
}

fn function(function: &table::Function) -> protocol::Function {
    protocol::Function {
        name: function.name.to_owned(),
        config: function.config.map(|config| config()),
        cases: function.cases.iter().map(case).collect(),
    }
}

fn case(case: &table::Case) -> protocol::Case {
    protocol::Case {
        id: case.id.map(str::to_owned),
        args: case.args.map(str::to_owned),
        config: case.config.map(|config| config()),
    }
}
