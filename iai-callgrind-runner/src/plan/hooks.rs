//! `setup` and `teardown` of a level: the file, a group, or a binary benchmark.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::{self, Config, Suite};

use crate::settings::Settings;

/// Variable with the root of the workspace, for setups that copy files to where they run.
const WORKSPACE: &str = "_WORKSPACE_ROOT";

/// `setup` and `teardown` of a level.
#[derive(Debug, Clone, Default)]
pub struct LevelHooks {
    /// The name of the level for the `assist` role.
    pub level: String,
    /// Existing hooks among `setup` and `teardown`.
    pub exist: protocol::Hooks,
    /// Variables of the hooks beside the whole environment of the runner; the last value of a name
    /// wins.
    pub environment: Vec<(OsString, OsString)>,
    /// Working directory, unless the benchmark has a sandbox.
    pub directory: PathBuf,
}

impl LevelHooks {
    /// Hooks of any level. `config` is merged down to the level.
    pub(super) fn new(
        level: String,
        exist: protocol::Hooks,
        config: &Config,
        suite: &Suite,
        settings: &Settings,
    ) -> Self {
        let directory = Path::new(&suite.package.manifest_dir);
        let workspace = settings.workspace(&suite.package);
        let mut environment = vec![(WORKSPACE.into(), workspace.into())];
        // Variables to pass through are there anyway: the environment of a hook is never cleared.
        let set = config.envs.iter();
        environment.extend(set.filter_map(|var| Some((var.name.clone(), var.value.clone()?))));
        Self {
            level,
            exist,
            environment,
            directory: directory.to_owned(),
        }
    }
}
