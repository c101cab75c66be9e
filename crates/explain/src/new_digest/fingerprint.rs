//! The fingerprint of a digest: a hash of all its input.
//!
//! The same profiles, executables and settings give the same digest, so that of the last run can be
//! kept. Executables are not opened for it: their metadata tell whether they were written (linkers
//! leave no build id unless they are asked). The standard library decides which bytes of a value
//! are hashed. Another version of Rust may hash others, and then a digest is made once more.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use iai_callgrind::shared::hash::Fnv;
use twox_hash::XxHash3_64;

use super::DigestSources;
use crate::format;
use formats::callgrind::ProfileText;

impl DigestSources<'_> {
    /// The number, for profiles with these texts. Never 0.
    pub(super) fn fingerprint_of(&self, profiles: &[&ProfileText]) -> u64 {
        let mut hasher = Fnv::default();
        // Another version of the runner may make another digest of the same input.
        (env!("CARGO_PKG_VERSION"), format::VERSION).hash(&mut hasher);
        (self.entry, self.regions, self.is_malloc).hash(&mut hasher);
        (self.workspace, self.target, self.executable).hash(&mut hasher);
        for object in profiles
            .iter()
            .flat_map(|profile| profile.objects())
            .collect::<BTreeSet<_>>()
        {
            let path = Path::new(OsStr::from_bytes(object));
            (path, self.identity_of(path)).hash(&mut hasher);
        }
        for profile in profiles {
            let (head, body) = profile.without_run();
            head.for_each(|line| line.hash(&mut hasher));
            // A body may have megabytes, and FNV takes one byte at a time.
            XxHash3_64::oneshot(body).hash(&mut hasher);
        }
        hasher.finish().max(1)
    }

    fn identity_of(&self, path: &Path) -> Option<u64> {
        match path {
            _ if path == self.executable => Some(self.identity),
            // Like the executable, libraries of the user may be rebuilt at any time.
            _ if self.own_places().have(path) => self.symbolizer.identity(path).ok(),
            // Libraries of the system stay while benchmarks run, so one look is enough.
            _ => self.symbolizer.first_identity(path),
        }
    }
}
