//! The options about baselines.

use clap::Args;

/// The options that name the results to compare with, of which at most one is given.
const COMPARED: &str = "compared_baseline";

/// Which results are kept under a name, and compared with.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Baselines")]
pub struct BaselineOptions {
    /// Keep the results under a name
    ///
    /// Keep the results under this name, without touching those of the last run, and compare them
    /// with what was kept under it before. Without a name: `default` [default: none]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default"
    )]
    pub save_baseline: Option<String>,

    /// Compare with results kept under a name
    ///
    /// Compare with the results that were kept under this name, instead of the last run. It is an
    /// error if a bench file has no result under this name. Without a name: `default` [default: the
    /// last run]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default",
        group = COMPARED
    )]
    pub baseline: Option<String>,

    /// Like `--baseline`, which may be missing
    ///
    /// Like `--baseline`, but a bench file without any result under this name runs as well, and its
    /// benchmarks are not compared. Without a name: `default` [default: the last run]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default",
        group = COMPARED
    )]
    pub baseline_lenient: Option<String>,

    /// Compare kept results, run nothing
    ///
    /// Run nothing, compare the results that were kept under this name with those of `--baseline`
    /// or `--baseline-lenient`, one of which has to be given as well. Without a name: `default`
    /// [default: none]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default",
        requires = COMPARED,
        conflicts_with = "save_baseline"
    )]
    pub load_baseline: Option<String>,
}

/// Names are parts of file names.
fn name(text: &str) -> Result<String, String> {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    match text {
        "" => Err("a baseline has a name of at least one character".to_owned()),
        text if text.starts_with('.') => Err("the name of a baseline begins with no `.`".to_owned()),
        text => match text.chars().find(|c| !is_known(*c)) {
            Some(c) => Err(format!(
                "baseline names may contain only ASCII letters, digits, `_`, `-` and `.`; found `{}`",
                c.escape_debug()
            )),
            None => Ok(text.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names() {
        for good in ["main", "v1.0", "feature-x", "_", "a.old", "0"] {
            assert_eq!(name(good).as_deref(), Ok(good));
        }
        for bad in ["", ".", ".main", "a/b", "a b", "ä", "a\n", "a@b", "*"] {
            name(bad).unwrap_err();
        }
    }
}
