//! One number for all that a digest is made of.
//!
//! A digest of the same profile, executables and settings is the same, so that of the last run can be kept. The hash
//! is that of the standard library: another version of Rust may have another one, and then a digest is made
//! once more.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::objects::{is_own, object_path};
use super::DigestSources;
use crate::explain::format;
use crate::parse::callgrind::ProfileName;

impl DigestSources<'_> {
    /// The number. 0: it cannot be known whether an executable is the same.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_PKG_VERSION"), format::VERSION).hash(&mut hasher);
        (self.entry, self.regions).hash(&mut hasher);
        (self.workspace, self.executable).hash(&mut hasher);
        for object in self.objects() {
            let path = object_path(self.profile, object);
            path.hash(&mut hasher);
            let Ok(code) = self.symbolizer.object(&path) else {
                continue;
            };
            // Programs that strip leave the build id as it is, so it is not all.
            match (code.build_id(), is_own(&path, self)) {
                (None, true) => return 0,
                (id, _) => (id, code.length()).hash(&mut hasher),
            }
        }
        self.profile.hash(&mut hasher);
        hasher.finish().max(1)
    }

    /// Names of all objects of the profile.
    fn objects(&self) -> BTreeSet<ProfileName> {
        self.places().map(|place| place.object).collect()
    }
}
