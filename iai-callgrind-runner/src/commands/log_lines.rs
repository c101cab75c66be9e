//! Log lines of the runner, for `IAI_CALLGRIND_LOG`.

use std::io::Write;

use crate::error::{Error, Result};
use cli::env::RunnerEnvironment;
use report::comparison::without_commands;
use report::{visible, Styles};

/// Starts the log. Log lines look like other messages: `warning: …`. They tell the way of a run;
/// failures are reported independently of the log.
///
/// # Errors
///
/// The variable has an invalid value.
pub(super) fn start(environment: &RunnerEnvironment, styles: Styles) -> Result<()> {
    let filter = environment.log_filter();
    env_logger::Builder::new()
        .parse_filters(filter.as_deref().unwrap_or("warn"))
        .format(move |out, record| {
            let level = styles.err.log_level(record.level());
            let text = record.args().to_string();
            let text = visible(&text);
            match styles.is_log_of_github {
                true => writeln!(out, "{level}: {}", without_commands(&text)),
                false => writeln!(out, "{level}: {text}"),
            }
        })
        .init();
    filter.map(drop).map_err(|reason| Error::Setting {
        place: RunnerEnvironment::LOG.to_owned(),
        reason,
    })
}
