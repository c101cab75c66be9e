//! Values that many records have in common, each stored once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::metrics::MetricKind;
use crate::model::tool::Tool;
use crate::records::summary::{Source, System};
use crate::records::Circumstances;

/// Values of the records that were read so far.
#[derive(Debug, Default)]
pub(super) struct SharedValues {
    texts: HashSet<Arc<str>>,
    /// Records of one run stand beside each other, so the last value is most often the next one.
    system: Option<Arc<System>>,
    source: Option<Arc<Source>>,
    circumstances: Vec<Arc<Circumstances>>,
    metrics: HashMap<(Tool, Arc<str>), Option<MetricKind>>,
}

/// The most different circumstances that are looked through. Those of one run differ by tool.
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

    pub(super) fn system(&mut self, system: System) -> Arc<System> {
        latest(&mut self.system, system)
    }

    pub(super) fn source(&mut self, source: Source) -> Arc<Source> {
        latest(&mut self.source, source)
    }

    pub(super) fn circumstances(&mut self, circumstances: Circumstances) -> Arc<Circumstances> {
        let mut recent = self.circumstances.iter();
        if let Some(known) = recent.find(|known| ***known == circumstances) {
            return Arc::clone(known);
        }
        let new = Arc::new(circumstances);
        self.circumstances.insert(0, Arc::clone(&new));
        self.circumstances.truncate(RECENT);
        new
    }

    /// The metric of a tool with this name in the table.
    pub(super) fn metric(&mut self, tool: Tool, name: &str) -> Option<MetricKind> {
        let name = self.text(name);
        *self
            .metrics
            .entry((tool, name))
            .or_insert_with_key(|(tool, name)| MetricKind::named(*tool, name))
    }
}

fn latest<T: PartialEq>(last: &mut Option<Arc<T>>, value: T) -> Arc<T> {
    match last {
        Some(known) if **known == value => Arc::clone(known),
        last => Arc::clone(last.insert(Arc::new(value))),
    }
}
