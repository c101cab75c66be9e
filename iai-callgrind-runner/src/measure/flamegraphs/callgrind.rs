//! Flamegraphs of Callgrind: from digests, or the files of profiles, to files of pictures.

use std::path::{Path, PathBuf};

use iai_callgrind::protocol::EventKind;

use super::place::{DrawnFlamegraphs, PicturePlace};
use crate::error::Result as RunResult;
use base::entry_functions::EntryFunctions;
use explain::digest::Digest;
use flamegraph::{
    draw, draw_digests, DrawError, FlamegraphInput, FlamegraphSettings, PictureTexts, Pictures,
};
use formats::callgrind::{self, CallGraph, CallGraphReader};
use formats::{read_path, FileError};

/// Input of the pictures of a benchmark.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    pub(crate) place: PicturePlace<'a>,
    /// The benchmark measured regions: the pictures show only these.
    pub(crate) regions: bool,
    /// Callgrind's files of the new result.
    pub(crate) new: Vec<&'a Path>,
    /// Callgrind's files of the old result, if the two can be compared.
    pub(crate) old: &'a [PathBuf],
    /// Digest of the new result, with the functions that were inlined.
    pub(crate) digest: Option<&'a Digest>,
    /// Digest of the old result, if the two can be compared.
    pub(crate) old_digest: Option<&'a Digest>,
}

/// Profiles that pictures are drawn from, where digests are not enough.
#[derive(Default)]
struct ReadProfiles {
    new: Vec<CallGraph>,
    old: Vec<CallGraph>,
}

impl Drawing<'_> {
    /// Draws the pictures that the job asks for, into files.
    pub(crate) fn draw(&self) -> RunResult<DrawnFlamegraphs> {
        let mut drawn = DrawnFlamegraphs::default();
        let place = &self.place;
        let Some(settings) = &place.job.flamegraph else {
            return Ok(drawn);
        };
        let mut profiles = ReadProfiles::default();
        if !self.has_digests() {
            match graphs(&self.new) {
                Ok(graphs) => profiles.new = graphs,
                Err(error) => {
                    drawn.notes.push(no_flamegraph(&error));
                    return Ok(drawn);
                }
            }
            // Without the old side there is still a picture of the new one.
            profiles.old = graphs(self.old).unwrap_or_else(|error| {
                drawn.notes.push(no_flamegraph(&error));
                Vec::new()
            });
        }
        for kind in &settings.kinds {
            let pictures = place.with_texts(settings, |texts| {
                self.pictures(*kind, &profiles, texts, settings)
            });
            match pictures {
                Ok(pictures) => place.keep(pictures, &kind.to_name(), &mut drawn)?,
                Err(error @ DrawError::NotCollected(_)) => {
                    drawn.uncollected.push(format!("no flamegraph: {error}"));
                }
                Err(error) => drawn.notes.push(format!("no flamegraph: {error}")),
            }
        }
        Ok(drawn)
    }

    /// Is everything that is drawn in digests? A difference needs both sides in the same form.
    fn has_digests(&self) -> bool {
        self.digest.is_some() && (self.old_digest.is_some() || self.old.is_empty())
    }

    fn pictures(
        &self,
        kind: EventKind,
        profiles: &ReadProfiles,
        texts: PictureTexts<'_>,
        settings: &FlamegraphSettings,
    ) -> Result<Pictures, DrawError> {
        let of_digests = |digest, old| draw_digests(kind, digest, old, texts, settings);
        match self.digest {
            Some(digest) if self.has_digests() => of_digests(digest, self.old_digest),
            // The new side alone has inlined functions. In a difference from a side that has none,
            // each of them would be a new frame.
            Some(digest) => Ok(Pictures {
                regular: of_digests(digest, None)?.regular,
                ..self.of_profiles(kind, profiles, texts, settings)?
            }),
            None => self.of_profiles(kind, profiles, texts, settings),
        }
    }

    fn of_profiles(
        &self,
        kind: EventKind,
        profiles: &ReadProfiles,
        texts: PictureTexts<'_>,
        settings: &FlamegraphSettings,
    ) -> Result<Pictures, DrawError> {
        let args = &self.place.job.args;
        // From the arguments, since users may give such ones beside the entry points.
        let toggles = args.words.iter();
        let patterns = toggles.filter_map(|word| word.strip_prefix("--toggle-collect="));
        let entry = EntryFunctions {
            measured: args.entry.measured,
            patterns: patterns.map(str::to_owned).collect(),
        };
        let subject = FlamegraphInput {
            new: &profiles.new,
            old: &profiles.old,
            entry: &entry,
            regions: self.regions,
            title: texts.title,
            old_name: texts.old_name,
        };
        draw(kind, subject, settings)
    }
}

fn no_flamegraph(error: &FileError) -> String {
    format!("no flamegraph: {error}: {}", error.source)
}

/// Id of a process, and number of one of its threads.
type Thread = (Option<u32>, Option<u64>);

/// Reads profiles, those of the same process and thread into one graph.
fn graphs(paths: &[impl AsRef<Path>]) -> Result<Vec<CallGraph>, FileError> {
    let mut readers: Vec<(Thread, CallGraphReader)> = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let Some(head) = callgrind::read_totals_of_file(path)? else {
            continue;
        };
        // Callgrind writes a file for each thread, so the first part tells whose file it is.
        let of = head.parts.first().map(|part| (part.pid, part.thread));
        let of = of.unwrap_or_default();
        let index = readers.iter().position(|(known, _)| *known == of);
        let index = index.unwrap_or_else(|| {
            readers.push((of, CallGraphReader::default()));
            readers.len() - 1
        });
        read_path(path, |input| readers[index].1.add(input))?;
    }
    Ok(readers
        .into_iter()
        .map(|(_, reader)| reader.finish())
        .collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn dumps_of_a_thread_are_one_graph() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, head: &str, body: &str| {
            let path = directory.path().join(name);
            fs::write(&path, format!("{head}\nevents: Ir\nfn=f\n1 {body}\n")).unwrap();
            path
        };
        let one = file("1", "pid: 1\nthread: 1", "10\ntotals: 10");
        let two = file("2", "pid: 1\npart: 2\nthread: 1", "20\ntotals: 20");
        let other = file("3", "pid: 1\nthread: 2", "30\ntotals: 30");
        let empty = directory.path().join("4");
        fs::write(&empty, "").unwrap();
        let read = graphs(&[&one, &two, &other, &empty]).unwrap();
        let own: Vec<&[u64]> = read.iter().map(|graph| graph.own(0)).collect();
        assert_eq!(own, [&[30], &[30]]);

        // The note names the file and the error.
        let damaged = file("5", "pid: 1", "ten\ntotals: 10");
        let note = no_flamegraph(&graphs(&[&one, &damaged]).unwrap_err());
        let path = damaged.display();
        assert_eq!(
            note,
            format!("no flamegraph: cannot read `{path}`: line 4: not a number: `1 ten`")
        );
    }
}
