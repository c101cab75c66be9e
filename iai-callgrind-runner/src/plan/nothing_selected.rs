//! The message for a run that selects no benchmark: the reason, and benchmarks with similar names.

use std::ffi::OsString;

use crate::plan;
use crate::settings::Settings;

/// The message. `paths` are the benchmark paths of all benchmarks.
pub(crate) fn reason(paths: &[String], settings: &Settings, words: &[OsString]) -> String {
    if settings.ignored {
        return "no benchmark is ignored, and `--ignored` wants only these".to_owned();
    }
    if paths.iter().any(|path| settings.filter.selects(path)) {
        return "no benchmark is in this part, `--partition` left out all".to_owned();
    }
    let filters = settings.filter.select.join("`, `");
    let mut text = match paths {
        [] => "there are no benchmarks in this file".to_owned(),
        _ if filters.is_empty() => "all benchmarks are skipped".to_owned(),
        _ => format!("no benchmark matches `{filters}`"),
    };
    for path in plan::nearest(paths, &settings.filter.select) {
        text.push_str("\n  there is: ");
        text.push_str(path);
    }
    for option in cli::meant_for_option(words) {
        text.push_str(&format!("\n  hint: `{option}` gives the option this value"));
    }
    text
}
