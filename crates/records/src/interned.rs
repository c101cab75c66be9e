//! Values that many records have in common, each stored once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Error;

use super::text::PartText;
use crate::summary::{Environment, Files, Source, System};
use crate::Circumstances;
use base::tool::Tool;
use metrics::MetricKind;

/// Values of the records that were read so far.
#[derive(Debug, Default)]
pub(super) struct SharedValues {
    texts: HashSet<Arc<str>>,
    systems: RecentParts<System>,
    files: RecentParts<Files>,
    sources: RecentParts<Source>,
    environments: RecentParts<Environment>,
    circumstances: Vec<Arc<Circumstances>>,
    metrics: HashMap<(Tool, Arc<str>), Option<MetricKind>>,
}

/// Parts that were read last, by their texts: records of one run have few, so each is parsed once.
#[derive(Debug)]
struct RecentParts<T>(Vec<(Box<str>, Arc<T>)>);

/// The most different conditions and parts that are looked through. Those of one run differ by
/// tool.
const RECENT: usize = 16;

impl SharedValues {
    pub(super) fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&new));
        new
    }

    pub(super) fn system(&mut self, system: PartText<'_>) -> Result<Arc<System>, Error> {
        self.systems.read(system, PartText::read)
    }

    pub(super) fn files(&mut self, files: PartText<'_>) -> Result<Arc<Files>, Error> {
        self.files.read(files, PartText::read)
    }

    pub(super) fn source(&mut self, source: PartText<'_>) -> Result<Arc<Source>, Error> {
        self.sources.read(source, PartText::or_default)
    }

    pub(super) fn environment(&mut self, part: PartText<'_>) -> Result<Arc<Environment>, Error> {
        self.environments.read(part, PartText::read)
    }

    pub(super) fn circumstances(&mut self, circumstances: Circumstances) -> Arc<Circumstances> {
        let mut recent = self.circumstances.iter();
        if let Some(known) = recent.find(|known| ***known == circumstances) {
            return Arc::clone(known);
        }
        let new = Arc::new(circumstances);
        // The newest first: records of a run follow each other, so most look-ups end with the
        // first.
        self.circumstances.insert(0, Arc::clone(&new));
        self.circumstances.truncate(RECENT);
        new
    }

    /// The metric of a tool with this name in the table.
    pub(super) fn metric(&mut self, tool: Tool, name: &str) -> Option<MetricKind> {
        let name = self.text(name);
        // Also that a name has no metric: counters of unknown names come with each record.
        *self
            .metrics
            .entry((tool, name))
            .or_insert_with_key(|(tool, name)| MetricKind::named(*tool, name))
    }
}

impl<T> RecentParts<T> {
    fn read<'a>(
        &mut self,
        part: PartText<'a>,
        read: fn(PartText<'a>) -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let mut recent = self.0.iter();
        if let Some((_, known)) = recent.find(|(text, _)| **text == *part.text()) {
            return Ok(Arc::clone(known));
        }
        let new = Arc::new(read(part)?);
        self.0.insert(0, (part.text().into(), Arc::clone(&new)));
        self.0.truncate(RECENT);
        Ok(new)
    }
}

impl<T> Default for RecentParts<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}
