use crate::explain::digest::SourceOrigin;
use std::path::Path;
#[derive(Debug)]
pub(super) struct SourceRoots;
pub(super) struct SourcePlace {
    pub path: String,
    pub origin: SourceOrigin,
    pub package: Option<String>,
}
impl SourceRoots {
    pub fn new(_: &Path) -> Self {
        Self
    }
    pub fn place(&self, path: &str) -> SourcePlace {
        SourcePlace {
            path: path.to_owned(),
            origin: SourceOrigin::User,
            package: None,
        }
    }
}
