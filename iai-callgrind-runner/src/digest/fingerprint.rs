//! One number for all that a digest is made of.
//!
//! A digest of the same profiles, executables and settings is the same, so that of the last run can be kept. Executables are not
//! opened for it: what the system knows of a file tells whether somebody wrote it (linkers leave no build id unless they are asked).
//! The hash is that of the standard library, over that of the profiles: another version of Rust may have another one, and then a digest
//! is made once more.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use memchr::memmem;
use twox_hash::XxHash3_64;

use super::objects::is_own;
use super::DigestSources;
use crate::explain::format;
use crate::parse::callgrind::ProfileText;

impl DigestSources<'_> {
    /// The number, for profiles with these texts. Never 0.
    #[must_use]
    pub(crate) fn fingerprint_of(&self, profiles: &[&ProfileText]) -> u64 {
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_PKG_VERSION"), format::VERSION).hash(&mut hasher);
        (self.entry, self.regions).hash(&mut hasher);
        (self.workspace, self.target, self.executable).hash(&mut hasher);
        for object in profiles
            .iter()
            .flat_map(|profile| objects(profile.bytes()))
            .collect::<BTreeSet<_>>()
        {
            let path = Path::new(OsStr::from_bytes(object));
            (path, self.identity_of(path)).hash(&mut hasher);
        }
        for profile in profiles {
            let (head, body) = profile.without_run();
            head.for_each(|line| line.hash(&mut hasher));
            XxHash3_64::oneshot(body).hash(&mut hasher);
        }
        hasher.finish().max(1)
    }

    fn identity_of(&self, path: &Path) -> Option<u64> {
        match path {
            _ if path == self.executable => Some(self.identity),
            // As the executable, it may be built again at any time.
            _ if is_own(path, self) => self.symbolizer.identity(path).ok(),
            _ => self.symbolizer.first_identity(path),
        }
    }
}

/// Names of the objects in a profile.
fn objects(profile: &[u8]) -> impl Iterator<Item = &[u8]> {
    memmem::find_iter(profile, b"ob=").filter_map(|place| {
        let is_line = matches!(&profile[..place], [] | [.., b'\n'] | [.., b'\n', b'c']);
        let rest = profile.get(place + 3..).filter(|_| is_line)?;
        let line = rest.split(|byte| *byte == b'\n').next()?;
        // With compression a name stands behind its number, and only once.
        let name = match line.strip_prefix(b"(") {
            Some(numbered) => numbered
                .splitn(2, |byte| *byte == b')')
                .nth(1)?
                .trim_ascii(),
            None => line,
        };
        (!name.is_empty()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::objects;

    #[test]
    fn objects_are_found_with_and_without_compression() {
        let text =
            b"events: Ir\nob=(1) /a b\nfn=ob=x\ncob=(2) /lib\nob=(1)\ncob=/plain\nob=(3\nob=";
        let found: Vec<&[u8]> = objects(text).collect();
        assert_eq!(found, [&b"/a b"[..], b"/lib", b"/plain"]);
    }
}
