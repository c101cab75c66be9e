//! The description that a benchmark executable writes, and the plan that is made of it.

use std::path::Path;

use clap::Parser;
use cli::env::RunnerEnvironment;
use cli::Args;
use iai_callgrind::protocol::{PROTOCOL, VERSION};
use iai_callgrind_runner::plan::{self, suite};
use iai_callgrind_runner::settings::Settings;
use serde_json::{Map, Value};

pub(crate) fn check(bytes: &[u8]) {
    let executable = Path::new("/bench");
    let _ = suite::parse(executable, bytes);
    // The same as if this version had written it.
    let Ok(mut description) = serde_json::from_slice::<Map<String, Value>>(bytes) else {
        return;
    };
    description.insert("protocol".to_owned(), PROTOCOL.into());
    description.insert("version".to_owned(), VERSION.into());
    let description = Value::Object(description).to_string();
    let Ok(suite) = suite::parse(executable, description.as_bytes()) else {
        return;
    };
    let args = Args::try_parse_from::<_, &str>([]).expect("nothing is required");
    let settings = Settings::resolve("/bench".into(), args, RunnerEnvironment::default());
    let settings = settings.expect("no argument is wrong");
    let Ok(plan) = plan::build(&suite, &settings) else {
        return;
    };
    // Nothing is selected away without a filter, and nothing runs that was not described.
    assert_eq!(plan.len(), plan::paths(&suite).len());
    assert_eq!(plan.filtered, 0);
    for benchmark in plan.groups.iter().flat_map(|group| &group.benchmarks) {
        for job in &benchmark.jobs {
            let words = &job.args.words;
            let tool = format!("--tool={}", job.tool);
            assert_eq!(words.first(), Some(&tool));
            // Arguments that name files or choose the tool are set by the runner.
            let managed = ["--log-file", "--xml", "--tool", "--callgrind-out-file"];
            let key = |word: &String| word.split('=').next().unwrap_or_default().trim().to_owned();
            assert!(!words[1..]
                .iter()
                .any(|word| managed.contains(&key(word).as_str())));
        }
    }
}
