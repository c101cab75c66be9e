//! Files of Callgrind to the digest of a result, unless a kept one was made of the same.

use std::path::Path;
use std::rc::Rc;

use super::DigestSources;
use crate::digest::Digest;
use crate::kept_digest::ReadDigest;
use base::measured_function::is_region;
use formats::callgrind::{InstructionProfile, InstructionReader, ProfileText};
use formats::{read_path, FileError};
use metrics::CounterSet;

impl DigestSources<'_> {
    /// The digest of the profiles in files, in which these counters were found. `same` finds a kept
    /// digest with this fingerprint.
    ///
    /// # Errors
    ///
    /// Why there is none: a file cannot be read, or the digest does not add up to the counters.
    pub fn of_files(
        &self,
        paths: &[&Path],
        counted: &[CounterSet],
        same: impl FnOnce(u64) -> Option<Rc<ReadDigest>>,
    ) -> Result<Rc<ReadDigest>, String> {
        let mut fingerprint = 0;
        // Texts that are too long to be held have no fingerprint.
        let texts = paths.iter().map(|path| ProfileText::read(path));
        let texts: Option<Vec<ProfileText>> =
            texts.collect::<Result<_, _>>().map_err(unreadable)?;
        // A digest with this fingerprint was made of the same input, so it is reused.
        if let Some(texts) = texts {
            let texts: Vec<&ProfileText> = texts.iter().collect();
            fingerprint = self.fingerprint_of(&texts);
            if let Some(same) = same(fingerprint) {
                return Ok(same);
            }
        }
        let mut profile = instructions(paths).map_err(unreadable)?;
        if self.regions {
            profile = profile.below(is_region);
        }
        let digest = self.digest(&profile, fingerprint);
        // It may have tens of megabytes.
        drop(profile);
        match adds_up(&digest, counted) {
            true => Ok(Rc::new(ReadDigest::made(digest))),
            false => Err("threads or parts of the profile do not count".to_owned()),
        }
    }
}

fn unreadable(error: FileError) -> String {
    format!("{error}: {}", error.source)
}

/// Costs by instruction of all processes, threads and parts; by function only if there are too
/// many.
fn instructions(paths: &[&Path]) -> Result<InstructionProfile, FileError> {
    let mut reader = InstructionReader::default();
    for path in paths {
        read_path(path, |input| reader.add(input))?;
    }
    // All files again: a full reader has stopped within one, so its costs do not add up.
    if reader.is_full() {
        reader = InstructionReader::only_functions();
        for path in paths {
            read_path(path, |input| reader.add(input))?;
        }
    }
    Ok(reader.finish())
}

/// Are the totals those of the result?
fn adds_up(digest: &Digest, sets: &[CounterSet]) -> bool {
    // A digest without a thread that counts would show what that one did as a change.
    let Ok(counted) = metrics::totals(sets) else {
        return false;
    };
    let mut events = digest.head.events.iter().zip(&digest.head.totals);
    events.all(|(event, total)| {
        let event = digest.text(*event);
        let mut counted = counted.iter();
        counted.any(|(name, count)| *name == event && count == total)
    })
}
