//! The options about running.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::Args;
use iai_callgrind::protocol::EnvVar;
use iai_callgrind::shared::yes_no::yes_or_no;

use super::time::time_above_zero;

/// How benchmarks are run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Running")]
pub struct RunningOptions {
    /// Run N benchmarks at the same time
    ///
    /// Run up to N benchmarks of a group at the same time; without a number, one for each CPU.
    /// Counts do not depend on it [default: 1]
    #[arg(
        long,
        value_name = "N",
        value_parser = workers,
        num_args = 0..=1,
        default_missing_value = "auto"
    )]
    pub parallel: Option<usize>,

    /// Stop benchmarks that take longer
    ///
    /// Stop benchmarks that take longer than this, such as `30s`, `500ms` or `0.5` (seconds). They
    /// fail, and the others run on [default: never]
    #[arg(long, value_name = "TIME", value_parser = time_above_zero)]
    pub timeout: Option<Duration>,

    /// Start Valgrind once for all benchmarks
    ///
    /// Start Valgrind once and measure each library benchmark in a fork of its process, instead of
    /// starting Valgrind for each benchmark. Counts do not depend on it [default: as configured,
    /// else yes]
    #[arg(long)]
    pub fork: Option<bool>,

    /// Run exit handlers after each benchmark
    ///
    /// Run exit handlers (`atexit`, destructors of statics) after library benchmarks, instead of
    /// ending the process when the count ends [default: as configured, else no]
    #[arg(long)]
    pub exit_handlers: Option<bool>,

    /// Run each benchmark N times, and compare
    ///
    /// Run each benchmark N times under each tool, without a number twice, and compare all counts.
    /// Benchmarks whose counts differ fail, with likely reasons; `no` runs each once [default: as
    /// configured, else no]
    #[arg(
        long,
        value_name = "N",
        value_parser = runs,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "2"
    )]
    pub check_determinism: Option<u32>,

    /// Run each benchmark once, without Valgrind
    ///
    /// Run each benchmark once, without Valgrind, to see that it works: the test mode. Nothing is
    /// counted and nothing is written [default: no, if the executable is started with `--bench` as
    /// `cargo bench` does, else yes]
    #[arg(long)]
    pub test: Option<bool>,

    /// Count without Valgrind as well, and compare
    ///
    /// Count library benchmarks under Callgrind and again without Valgrind, in single steps of the
    /// CPU, and compare. Benchmarks with more instructions than this are left out, and no results
    /// are kept [default: not at all; without a number 10000000]
    #[arg(
        long,
        value_name = "INSTRUCTIONS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10000000"
    )]
    pub verify: Option<u64>,

    /// Clear the environment of the benchmarks
    ///
    /// Clear the environment of the benchmarks, so that counts do not depend on it. Variables that
    /// the loader and Valgrind need stay; those of `--envs` and of the configuration are added
    /// [default: as configured, else yes]
    #[arg(long)]
    pub env_clear: Option<bool>,

    /// Set or pass on variables to the benchmarks
    ///
    /// Set variables of the benchmarks (`NAME=VALUE`) or pass them on (`NAME`), in addition to
    /// those of the configuration. Several are split as in a shell; can be repeated [default: none]
    #[arg(
        long,
        value_name = "VARIABLES",
        value_parser = OsStringValueParser::new().try_map(|text| variables(&text)),
        action = clap::ArgAction::Append
    )]
    envs: Vec<EnvVars>,

    /// Keep addresses random
    ///
    /// Leave address space layout randomization (ASLR) on. Counts under Valgrind hardly depend on
    /// it; it also stays on in containers that forbid to disable it [default: no]
    #[arg(long)]
    pub allow_aslr: Option<bool>,
}

impl RunningOptions {
    /// `--envs`, in the order in which they were given.
    pub fn envs(&self) -> Vec<EnvVar> {
        let all = self.envs.iter().flat_map(|EnvVars(variables)| variables);
        all.cloned().collect()
    }
}

/// The variables of one `--envs`. Not a list for clap, which would take several values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EnvVars(Vec<EnvVar>);

fn variables(text: &OsString) -> Result<EnvVars, String> {
    // A value may have any bytes but 0.
    let words = shlex::bytes::split(text.as_bytes());
    let words = words.ok_or_else(|| "a quote is not closed".to_owned())?;
    let variable = |word: Vec<u8>| {
        let equals = word.iter().position(|byte| *byte == b'=');
        let (name, value) = match equals {
            Some(place) => (&word[..place], Some(&word[place + 1..])),
            None => (&word[..], None),
        };
        if name.is_empty() {
            return Err("a variable has a name: `NAME` or `NAME=VALUE`".to_owned());
        }
        let owned = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        Ok(EnvVar {
            name: owned(name),
            value: value.map(owned),
        })
    };
    words
        .into_iter()
        .map(variable)
        .collect::<Result<_, _>>()
        .map(EnvVars)
}

/// A positive number of workers, or `auto`.
fn workers(text: &str) -> Result<usize, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(std::thread::available_parallelism().map_or(1, Into::into));
    }
    text.parse()
        .ok()
        .filter(|workers| *workers > 0)
        .ok_or_else(|| "expected a number above 0, or `auto` for one for each processor".to_owned())
}

/// A number of runs above 1; `yes` is 2, `no` is 1.
fn runs(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|runs| *runs > 1);
    let yes = |_| yes_or_no(text).map(|yes| if yes { 2 } else { 1 });
    number
        .ok_or(())
        .or_else(yes)
        .map_err(|_| "expected a number of runs above 1, `yes` or `no`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_a_number_or_two() {
        for (text, expected) in [
            ("2", 2),
            ("10", 10),
            ("yes", 2),
            ("1", 2),
            ("no", 1),
            ("0", 1),
        ] {
            assert_eq!(runs(text), Ok(expected), "{text}");
        }
        for bad in ["", "-1", "two", "2.5"] {
            runs(bad).unwrap_err();
        }
    }

    #[test]
    fn variables_are_words_of_a_shell() {
        #[track_caller]
        fn check(text: &[u8], expected: &[(&[u8], Option<&[u8]>)]) {
            let EnvVars(variables) = variables(&OsString::from_vec(text.to_vec())).unwrap();
            let seen: Vec<(&[u8], Option<&[u8]>)> = variables
                .iter()
                .map(|var| {
                    (
                        var.name.as_bytes(),
                        var.value.as_ref().map(|v| v.as_bytes()),
                    )
                })
                .collect();
            assert_eq!(seen, expected);
        }
        check(b"A", &[(b"A", None)]);
        check(b"A=", &[(b"A", Some(b""))]);
        check(b"A=b=c B", &[(b"A", Some(b"b=c")), (b"B", None)]);
        check(
            b"A='b c' \"B=\xff d\"",
            &[(b"A", Some(b"b c")), (b"B", Some(b"\xff d"))],
        );
        check(b" ", &[]);
        for bad in ["=a", "A ''", "A='b"] {
            variables(&OsString::from(bad)).unwrap_err();
        }
    }
}
