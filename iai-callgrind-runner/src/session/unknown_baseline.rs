//! The names of baselines that a run needs, held against those with results: a wrong name would
//! compare nothing.
//!
//! In: the store of a bench file, under its lock. Out: an error that names the baselines that
//! exist, and says how to go on.

use crate::error::{Error, Result};
use crate::plan;
use crate::settings::Baseline;
use base::listed_names::listed_names;
use store::Store;

/// Fails if the bench file has no result at all in a baseline that the run needs.
pub(crate) fn check(store: &Store, baseline: &Baseline) -> Result<()> {
    for name in baseline.needed() {
        if !store.has_baseline(name)? {
            return Err(Error::UnknownBaseline {
                name: name.to_owned(),
                bench_file: store.bench_file(),
                hints: hints(store, name, baseline)?,
            });
        }
    }
    Ok(())
}

fn hints(store: &Store, name: &str, baseline: &Baseline) -> Result<String> {
    let known: Vec<String> = store.baselines()?.into_iter().collect();
    let mut hints = match known.as_slice() {
        [] => "\n  there are: none, nothing was kept under a name yet".to_owned(),
        known => format!("\n  there are: {}", listed_names(known)),
    };
    for near in plan::nearest(&known, &[name.to_owned()])
        .into_iter()
        .take(1)
    {
        hints += &format!("\n  hint: did you mean `{near}`?");
    }
    let elsewhere = store.bench_files_with(name)?;
    if !elsewhere.is_empty() {
        hints += &format!(
            "\n  other bench files have it: {}",
            listed_names(&elsewhere)
        );
    }
    hints += &format!("\n  hint: `cargo bench -- --save-baseline={name}` creates it");
    let is_loaded = !baseline.run && baseline.write.name() == Some(name);
    // A result that is loaded has to be there; only the one to compare with can be done without.
    if !is_loaded {
        hints += &format!("; `--baseline-lenient={name}` runs without it and compares nothing");
    }
    Ok(hints)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use base::exit::Exit;
    use cli::BaselineOptions;
    use records::layout::{Slot, RECORDS};

    /// The error of a run with these options where `main` and `v1` are there, and `elsewhere` in
    /// another bench file.
    fn error(options: &BaselineOptions) -> Option<Error> {
        let home = tempfile::tempdir().unwrap();
        for (name, file) in [("main", "bench"), ("v1", "bench"), ("elsewhere", "other")] {
            let benchmark = home.path().join("package").join(file).join("group/f");
            fs::create_dir_all(&benchmark).unwrap();
            let slot = Slot::Named(name.to_owned());
            fs::write(benchmark.join(slot.file("callgrind.f.out")), "").unwrap();
            fs::write(benchmark.join("../..").join(slot.file(RECORDS)), "").unwrap();
        }
        let store = Store::open(home.path(), "package", "bench", |_| ()).unwrap();
        check(&store, &Baseline::new(options, false)).err()
    }

    fn options(edit: impl FnOnce(&mut BaselineOptions)) -> BaselineOptions {
        let mut options = BaselineOptions::default();
        edit(&mut options);
        options
    }

    fn named(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    #[test]
    fn a_name_without_a_result_is_a_mistake_and_those_that_exist_are_named() {
        let error = error(&options(|it| it.baseline = named("mian"))).unwrap();
        assert_eq!(error.exit(), Exit::Usage);
        assert_eq!(
            error.to_string(),
            "there is no baseline `mian` of `package bench`: no benchmark of this file has a result in it\n  \
             there are: `main`, `v1`\n  \
             hint: did you mean `main`?\n  \
             hint: `cargo bench -- --save-baseline=mian` creates it; `--baseline-lenient=mian` runs without it and \
             compares nothing"
        );
    }

    #[test]
    fn a_new_bench_file_of_a_workspace_says_where_the_baseline_is() {
        let error = error(&options(|it| it.baseline = named("elsewhere")))
            .unwrap()
            .to_string();
        let told = "\n  other bench files have it: `package other`\n";
        assert!(error.contains(told), "{error}");
        assert!(!error.contains("did you mean"), "{error}");
    }

    #[test]
    fn only_names_that_have_to_be_there_are_looked_for() {
        let is_refused = |edit: fn(&mut BaselineOptions)| error(&options(edit)).is_some();
        assert!(!is_refused(|_| ()));
        assert!(!is_refused(|it| it.baseline = named("main")));
        assert!(!is_refused(|it| it.baseline_lenient = named("mian")));
        // It may be the first result of this name.
        assert!(!is_refused(|it| it.save_baseline = named("mian")));
        assert!(is_refused(|it| {
            it.save_baseline = named("v2");
            it.baseline = named("mian");
        }));
        assert!(is_refused(|it| {
            it.load_baseline = named("mian");
            it.baseline = named("main");
        }));
        // Nothing can be shown without it.
        assert!(is_refused(|it| {
            it.load_baseline = named("mian");
            it.baseline_lenient = named("mian");
        }));
    }
}
