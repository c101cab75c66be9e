//! The names in the results of a project, for completions: nothing else of a record is read, and
//! whatever cannot be read has no names.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use super::argument::visit_project;
use super::project_home::ProjectHome;
use crate::layout::{Slot, LONGEST_RECORD, RECORDS};
use base::regular_file;

/// The part of a record that names the benchmark.
#[derive(Deserialize)]
struct WithBenchmark {
    benchmark: PathOfBenchmark,
}

#[derive(Deserialize)]
struct PathOfBenchmark {
    path: String,
}

/// The whole names of the benchmarks whose last results a project has.
#[must_use]
pub fn benchmark_names(home: &ProjectHome) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    // Files that were visited before an error have told their names.
    let _ = visit_project(home, &|name| name == RECORDS, &mut |_, place| {
        add_names(place, &mut names);
        Ok(())
    });
    names
}

fn add_names(records: &Path, names: &mut BTreeSet<String>) {
    let Ok(file) = regular_file::open(records) else {
        return;
    };
    let mut lines = BufReader::new(file.take(LONGEST_RECORD));
    let mut line = Vec::new();
    while lines
        .read_until(b'\n', &mut line)
        .is_ok_and(|read| read > 0)
    {
        if let Ok(WithBenchmark { benchmark }) = serde_json::from_slice(&line) {
            names.insert(benchmark.path);
        }
        line.clear();
    }
}

/// The names of the baselines that a project has.
#[must_use]
pub fn baseline_names(home: &ProjectHome) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let is_one = |name: &str| Slot::of_records(name).is_some();
    let _ = visit_project(home, &is_one, &mut |_, place| {
        let name = place.file_name().and_then(|name| name.to_str());
        names.extend(name.and_then(Slot::of_records).map(str::to_owned));
        Ok(())
    });
    names
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sample;
    use crate::Workspace;

    fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
        names.map(str::to_owned).into()
    }

    #[test]
    fn the_names_of_last_results_and_baselines_of_this_project() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let home = |root: &str| ProjectHome {
            directory: root.into(),
            workspace: None,
        };
        let here = home(root.path().to_str().unwrap());
        assert_eq!(benchmark_names(&here), names([]));
        assert_eq!(baseline_names(&home("/nothing/here")), names([]));
        let record = |name: &str| sample::benchmark(name, 1).to_string();
        let damaged = "{\"benchmark\": {\"path\": 3}}\nnot JSON\n\u{0}\n";
        let text = [
            &record("a"),
            "\n",
            damaged,
            &record("b $(x)\n"),
            "\n{\"benchm",
        ];
        write("p/app/results.jsonl", &text.concat());
        write("p/app/results.jsonl.old", &record("gone"));
        write("p/app/results.jsonl.base@main", &record("c"));
        write("p/other/results.jsonl.base@v1.0", "");
        write("p/other/results.jsonl.base@", "");
        write("p/other/history.jsonl", "");
        let found = names(["app::g::a", "app::g::b $(x)\n"]);
        assert_eq!(benchmark_names(&here), found);
        assert_eq!(baseline_names(&here), names(["main", "v1.0"]));
        // A directory that several projects share.
        let of = |workspace: &str| ProjectHome {
            workspace: Some(Workspace {
                root: workspace.to_owned(),
                home: None,
            }),
            ..here.clone()
        };
        assert_eq!(benchmark_names(&of("/w")), found);
        assert_eq!(benchmark_names(&of("/elsewhere")), names([]));
        assert_eq!(baseline_names(&of("/elsewhere")), names(["v1.0"]));
    }
}
