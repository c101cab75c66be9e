//! All reports of a run, and the streams that they write to.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::unistd::dup2_stdout;

use super::event::{Event, Report};
use super::json::Json;
use super::json_v6::JsonV6;
use super::kept_records::RecordKeeper;
use super::patient::PatientWriter;
use super::streams::{self, Streams};
use super::text::{Explanations, FlamegraphPlaces, Messages, Results};
use crate::error::{Error, Result};
use crate::execute::OutputChannel;
use base::exit::Exit;
use cli::{JsonFormat, ShownComparisons, ShownExplanations};
use records::summary::{Run, Summary, System};
use records::MeasuredBenchmarks;
use report::links::FileLinks;
use report::text::Styles;
use store::NewRecords;

/// Passes each event on to every report. Clones share the reports: some events come from threads
/// that follow the output of a benchmark.
#[derive(Clone)]
pub struct Reports(Arc<Mutex<ReportsState>>);

struct ReportsState {
    consumers: Vec<Box<dyn Report>>,
    keeper: RecordKeeper,
    streams: Streams,
}

/// Form of the results on stdout.
#[derive(Debug, Clone)]
pub enum Form {
    /// Text for people.
    Text {
        /// Only the final block of the results is shown.
        quiet: bool,
        /// Changes of which the reasons are shown.
        explain: ShownExplanations,
        /// Form of comparisons by id.
        comparisons: ShownComparisons,
        /// Form of the files that results name.
        links: FileLinks,
    },
    /// Objects for programs; messages for people go to stderr.
    Json {
        /// Layout of the objects.
        format: JsonFormat,
        /// The system as far as it is known without a plan.
        system: Box<System>,
    },
    /// Objects for programs that read version 6 of the public format, in this layout; messages for
    /// people go to stderr.
    JsonV6(JsonFormat),
    /// Messages for people on stderr; another process writes the results.
    Messages,
}

impl Form {
    /// All results, as text.
    pub const TEXT: Self = Self::Text {
        quiet: false,
        explain: ShownExplanations::Auto,
        comparisons: ShownComparisons::Auto,
        links: FileLinks::PLAIN,
    };

    /// Is stdout for programs?
    fn is_json(&self) -> bool {
        !matches!(self, Self::Text { .. })
    }

    /// The reports of this form. Each event passes them in this order.
    fn consumers(self, styles: Styles) -> Vec<Box<dyn Report>> {
        match self {
            Self::Text {
                quiet,
                explain,
                comparisons,
                links,
            } => vec![
                // Rows first: programs read them, and stop at a line that they do not know.
                Box::new(Results::new(styles, quiet, comparisons)),
                Box::new(Explanations::new(styles, quiet, explain)),
                Box::new(FlamegraphPlaces::new(styles, quiet, links)),
                Box::new(Messages::beside_results(styles.err, quiet)),
            ],
            Self::Json { format, system } => vec![
                Box::new(Messages::alone(styles.err)),
                Box::new(Json::new(format, *system)),
            ],
            Self::JsonV6(format) => vec![
                Box::new(Messages::alone(styles.err)),
                Box::new(JsonV6 { format }),
            ],
            Self::Messages => vec![Box::new(Messages::alone(styles.err))],
        }
    }
}

impl Reports {
    /// Reports that write to these sinks.
    pub fn new(
        out: Box<dyn Write + Send>,
        err: Box<dyn Write + Send>,
        styles: Styles,
        form: Form,
    ) -> Self {
        // The output of benchmarks goes to stderr where stdout belongs to programs.
        let is_one_place = form.is_json();
        let mut streams = Streams::new(out, err, is_one_place);
        streams.is_log_of_github = styles.is_log_of_github;
        Self::with(streams, styles, form)
    }

    fn with(streams: Streams, styles: Styles, form: Form) -> Self {
        let consumers = form.consumers(styles);
        Self(Arc::new(Mutex::new(ReportsState {
            consumers,
            keeper: RecordKeeper::new(),
            streams,
        })))
    }

    /// Text on stdout and stderr, in this form.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn text(styles: Styles, form: Form) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let is_one_place = streams::are_one_place(&out, &err);
        let mut streams = Streams::new(
            Box::new(PatientWriter(out)),
            Box::new(PatientWriter(err)),
            is_one_place,
        );
        // The columns are those of stdout.
        streams.is_log_of_github = styles.is_log_of_github;
        streams.message_width = styles.terminal_width().filter(|_| is_one_place);
        Self::with(streams, styles, form)
    }

    /// Objects on stdout. From now on the descriptor of stdout leads to stderr, for everybody else
    /// who writes to it: a benchmark whose output is shown, or a library in this process.
    ///
    /// # Errors
    ///
    /// The descriptors cannot be duplicated.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn objects(styles: Styles, form: Form) -> io::Result<Self> {
        let out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        dup2_stdout(io::stderr())?;
        Ok(Self::new(
            Box::new(PatientWriter(out)),
            Box::new(PatientWriter(io::stderr())),
            styles,
            form,
        ))
    }

    /// Passes an event to every report.
    ///
    /// # Errors
    ///
    /// A report could not be written; those after it have not seen the event.
    pub fn event(&self, event: Event<'_>) -> io::Result<()> {
        let ReportsState {
            consumers,
            keeper,
            streams,
        } = &mut *self.lock();
        // It keeps what is measured also where nobody can read a report.
        keeper.event(event);
        let mut consumers = consumers.iter_mut();
        consumers.try_for_each(|consumer| consumer.event(event, streams))
    }

    /// Keeps the records of the run, from the next benchmark on, in these.
    pub fn keep_records(&self, records: NewRecords, measured: MeasuredBenchmarks) {
        self.lock().keeper.keep_in(records, measured);
    }

    /// Ends the kept records by that of the run, and puts them in their place.
    ///
    /// # Errors
    ///
    /// The records cannot be written.
    pub fn end_records(&self, exit: Exit, error: Option<&Error>) -> Result<()> {
        let warning = self.lock().keeper.end(exit, error)?;
        if let Some(warning) = &warning {
            // A warning that cannot be written does not change the outcome of the run.
            let _ = self.event(Event::Warning(warning));
        }
        Ok(())
    }

    /// Record of the run, once it has ended, behind those of its regressed benchmarks.
    pub fn take_run(&self) -> Option<(Vec<Summary>, Run)> {
        self.lock().keeper.take_run()
    }

    /// A channel that reports the output of benchmarks.
    pub fn channel(&self) -> OutputChannel {
        let reports = self.clone();
        let is_one_place = self.lock().streams.is_one_place;
        OutputChannel::new(is_one_place, move |stream, bytes| {
            // A closed stream is no reason to stop a benchmark; the next report notices it.
            let _ = reports.event(Event::Printed { stream, bytes });
        })
    }

    fn lock(&self) -> MutexGuard<'_, ReportsState> {
        // A panic in a report leaves at most a line without its end.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
