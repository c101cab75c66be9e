//! Files of digests.

use std::cell::OnceCell;
use std::fmt::Display;
use std::io::Read;
use std::path::Path;

use crate::digest::Digest;
use crate::format::{self, DigestError, DigestPreface};
use base::regular_file;

/// Longest digest that is read, in bytes. That of a profile of 200 MB has a tenth of it.
const LONGEST: u64 = 256 << 20;

/// A digest with the bytes of its file. The part behind the preface of a kept one is read on
/// demand.
#[derive(Debug)]
pub struct ReadDigest {
    preface: DigestPreface,
    bytes: Vec<u8>,
    digest: OnceCell<Result<Digest, DigestError>>,
}

impl ReadDigest {
    /// A digest that was made now.
    pub fn made(digest: Digest) -> Self {
        let preface = DigestPreface::of(&digest);
        Self {
            bytes: format::write_with(&preface, &digest),
            preface,
            digest: OnceCell::from(Ok(digest)),
        }
    }

    fn kept(bytes: Vec<u8>) -> Result<Self, DigestError> {
        Ok(Self {
            preface: format::read_preface(&bytes)?,
            bytes,
            digest: OnceCell::new(),
        })
    }

    /// Does the digest have this fingerprint?
    pub fn is_of(&self, fingerprint: u64) -> bool {
        fingerprint != 0 && self.preface.fingerprint == fingerprint
    }

    /// Facts that are read without the rest of the digest.
    pub fn preface(&self) -> &DigestPreface {
        &self.preface
    }

    /// The content of its file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The digest. The error is the reason why it cannot be read although its checksum is right.
    pub fn digest(&self) -> Result<&Digest, DigestError> {
        let digest = self.digest.get_or_init(|| format::read(&self.bytes));
        digest.as_ref().map_err(|error| *error)
    }
}

/// Reads the preface of a digest. `Ok(None)`: there is no such file. The error names the file and
/// the reason.
pub fn read(path: &Path) -> Result<Option<ReadDigest>, String> {
    read_with(path, ReadDigest::kept)
}

/// Number of the executable that the digest in a file was made of. It was not looked whether the
/// file is whole.
pub fn executable(path: &Path) -> Option<u64> {
    let mut begin = [0; format::BEGIN];
    let mut file = regular_file::open(path).ok()?;
    file.read_exact(&mut begin).ok()?;
    format::executable(&begin)
}

/// Reads a whole digest, as [`read`] does.
pub fn read_whole(path: &Path) -> Result<Option<Digest>, String> {
    read_with(path, |bytes| format::read(&bytes))
}

/// Reads the digest of a tool. `Ok(None)`: there is no such file. The error names the file and the
/// reason.
pub fn read_with<T, E: Display>(
    path: &Path,
    read: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<Option<T>, String> {
    let unreadable =
        |reason: &dyn Display| format!("`{}` cannot be read: {reason}", path.display());
    match regular_file::read(path, LONGEST) {
        Ok(bytes) => read(bytes).map(Some).map_err(|error| unreadable(&error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_the_same_are_known_by_their_fingerprint() {
        let mut digest = Digest::default();
        assert!(!ReadDigest::made(digest.clone()).is_of(0));
        digest.head.fingerprint = 7;
        let made = ReadDigest::made(digest.clone());
        let kept = ReadDigest::kept(made.bytes().to_vec()).unwrap();
        for one in [made, kept] {
            assert!(one.is_of(7) && !one.is_of(8));
            assert_eq!(one.digest(), Ok(&digest));
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_no_error_and_another_one_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("callgrind.f.digest");
        assert!(read(&path).unwrap().is_none());
        std::fs::write(&path, "iaid").unwrap();
        let error = read(&path).unwrap_err();
        assert!(
            error.starts_with(&format!("`{}` cannot be read: ", path.display())),
            "{error}"
        );
    }
}
