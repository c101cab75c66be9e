//! The types of the JSON output: the state of the source that was measured.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};

/// State of the source that was measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// The commit: `IAI_CALLGRIND_COMMIT`, else the one that git has checked out. Absent if git
    /// does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The time of the commit, as git writes it: `2026-11-20T10:11:12+01:00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed_at: Option<String>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Were files changed that git follows? Absent if git does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty: Option<bool>,
    /// The machine code of the benchmark executable: its GNU build id, else a hash of its code and
    /// constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Source {
    /// Is there nothing to tell?
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// The beginning of a commit's hash, as people write it: 7 characters.
#[must_use]
pub fn short_commit(commit: &str) -> String {
    commit.chars().take(7).collect()
}

/// State of the source, for which nobody waits before a record needs it. Clones share it.
#[derive(Debug, Clone)]
pub struct LazySource(Arc<Mutex<SourceState>>);

#[derive(Debug)]
enum SourceState {
    /// A thread finds it out; absent while somebody waits for the thread.
    Wanted(Option<JoinHandle<Source>>),
    Known(Source),
}

impl LazySource {
    /// The state that a thread finds out.
    #[must_use]
    pub fn of_thread(thread: JoinHandle<Source>) -> Self {
        Self(Arc::new(Mutex::new(SourceState::Wanted(Some(thread)))))
    }

    /// The state of the source. The first one who asks waits for it.
    #[must_use]
    pub fn get(&self) -> Source {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let SourceState::Wanted(thread) = &mut *state {
            // A thread that panics has said so, and knows nothing.
            let found = thread.take().and_then(|thread| thread.join().ok());
            *state = SourceState::Known(found.unwrap_or_default());
        }
        match &*state {
            SourceState::Known(source) => source.clone(),
            SourceState::Wanted(_) => Source::default(),
        }
    }
}

impl From<Source> for LazySource {
    fn from(source: Source) -> Self {
        Self(Arc::new(Mutex::new(SourceState::Known(source))))
    }
}

impl Default for LazySource {
    fn default() -> Self {
        Source::default().into()
    }
}
