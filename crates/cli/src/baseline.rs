//! The options about baselines.

use clap::Args;

/// The options that name the results to compare with, of which at most one is given.
const COMPARED: &str = "compared_baseline";

/// Which results are kept under a name, and compared with.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Baselines")]
pub struct BaselineOptions {
    /// Save the results as a baseline
    ///
    /// Save the results under this name, and compare with those saved under it before. Results of
    /// the last run stay. Without a name: `default` [default: none]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default"
    )]
    pub save_baseline: Option<String>,

    /// Compare with a baseline
    ///
    /// Compare with this baseline instead of the last run. Fails if a bench file has no result in
    /// it. Without a name: `default` [default: the last run]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default",
        group = COMPARED
    )]
    pub baseline: Option<String>,

    /// Compare with a baseline that may be missing
    ///
    /// Like `--baseline`, but bench files that have no result in it run as well, without a
    /// comparison. Without a name: `default` [default: the last run]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = name,
        num_args = 0..=1,
        default_missing_value = "default",
        group = COMPARED
    )]
    pub baseline_lenient: Option<String>,

    /// Compare two baselines, run nothing
    ///
    /// Run nothing, and compare this baseline with that of `--baseline` or `--baseline-lenient`.
    /// Without a name: `default` [default: none]
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
