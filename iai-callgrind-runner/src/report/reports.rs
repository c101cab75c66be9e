//! All reports of a run: who makes something of its events, and where that goes.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::unistd::dup2_stdout;

use super::event::{Event, Report};
use super::json::Json;
use super::streams::{self, Streams};
use super::text::{Messages, Results, Styles};
use crate::cli::Format;
use crate::execute::OutputChannel;
use crate::summary::System;

/// Takes events, and passes each one on to every consumer. Clones are the same reports; some events come from
/// threads that follow the output of a benchmark.
#[derive(Clone)]
pub struct Reports(Arc<Mutex<Inner>>);

struct Inner {
    consumers: Vec<Box<dyn Report>>,
    streams: Streams,
}

/// What is written to stdout.
#[derive(Debug, Clone)]
pub enum Form {
    /// Text for people.
    Text {
        /// Of the results only the final block is shown.
        quiet: bool,
    },
    /// Objects for programs; what people should know goes to stderr.
    Json {
        /// How they are written.
        format: Format,
        /// What figures depend on, until a plan says it more precisely.
        system: Box<System>,
    },
}

impl Form {
    /// Everything there is, as text.
    pub const TEXT: Self = Self::Text { quiet: false };

    /// Who makes something of events. They see each one in this order.
    fn consumers(self, styles: Styles) -> Vec<Box<dyn Report>> {
        match self {
            Self::Text { quiet } => vec![
                Box::new(Results::new(styles.out, quiet)),
                Box::new(Messages::beside_results(styles.err)),
            ],
            Self::Json { format, system } => vec![
                Box::new(Messages::alone(styles.err)),
                Box::new(Json::new(format, *system)),
            ],
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
        // What benchmarks print goes to stderr where stdout belongs to programs.
        let is_one_place = matches!(form, Form::Json { .. });
        Self::with(Streams::new(out, err, is_one_place), styles, form)
    }

    fn with(streams: Streams, styles: Styles, form: Form) -> Self {
        let consumers = form.consumers(styles);
        Self(Arc::new(Mutex::new(Inner { consumers, streams })))
    }

    /// Text on stdout and stderr.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn text(styles: Styles, quiet: bool) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let is_one_place = streams::are_one_place(&out, &err);
        let streams = Streams::new(Box::new(out), Box::new(err), is_one_place);
        Self::with(streams, styles, Form::Text { quiet })
    }

    /// Objects on stdout. What anybody else writes to stdout goes to stderr from now on: a benchmark whose
    /// output is shown, or a library in this process.
    ///
    /// # Errors
    ///
    /// The two streams cannot be exchanged.
    #[expect(clippy::disallowed_methods, reason = "the one door to the two streams")]
    pub fn json(styles: Styles, format: Format, system: System) -> io::Result<Self> {
        let out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        dup2_stdout(io::stderr())?;
        let system = Box::new(system);
        let form = Form::Json { format, system };
        Ok(Self::new(
            Box::new(out),
            Box::new(io::stderr()),
            styles,
            form,
        ))
    }

    /// Tells what happened.
    ///
    /// # Errors
    ///
    /// A report could not be written; those after it have not seen the event.
    pub fn event(&self, event: Event<'_>) -> io::Result<()> {
        let Inner { consumers, streams } = &mut *self.lock();
        let mut consumers = consumers.iter_mut();
        consumers.try_for_each(|consumer| consumer.event(event, streams))
    }

    /// Takes what benchmarks print from here on.
    pub fn channel(&self) -> OutputChannel {
        let reports = self.clone();
        let is_one_place = self.lock().streams.is_one_place;
        OutputChannel::new(is_one_place, move |stream, bytes| {
            // Who does not want to see it any more is no reason to stop; what is reported next notices it.
            let _ = reports.event(Event::Printed { stream, bytes });
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Whoever panicked has ended a line at most in the middle.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
