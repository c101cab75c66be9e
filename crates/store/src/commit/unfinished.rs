//! Replacements that are decided and could not be carried out, until another run can.

use std::path::Path;

use super::super::rotation::Rotation;
use base::causes::with_causes;
use base::file_operation::FileOperationError;

/// Replacements of which the note goes on to tell, with the reasons why they are not done.
#[derive(Debug, Default)]
pub(crate) struct Unfinished(Vec<(Rotation, String)>);

impl Unfinished {
    pub(super) fn add(&mut self, rotation: Rotation, error: &FileOperationError) {
        self.0.push((rotation, with_causes(error)));
    }

    pub(super) fn rotations(&self) -> impl Iterator<Item = &Rotation> {
        self.0.iter().map(|(rotation, _)| rotation)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Are new files in the private directory of this name?
    pub(crate) fn needs(&self, work: &str) -> bool {
        let take = self.rotations().flat_map(|rotation| &rotation.take);
        let mut works = take.filter_map(|(source, _)| source.split_once('/'));
        works.any(|(other, _)| other == work)
    }

    /// The reason why the results of the benchmark of this directory are not in their places, if
    /// they are not.
    pub(crate) fn reason(&self, base: &Path, directory: &Path) -> Option<String> {
        let mut all = self.0.iter();
        let found = all.find(|(rotation, _)| base.join(&rotation.directory) == directory);
        found.map(|(_, reason)| reason.clone())
    }
}
