//! A file of accepted counts that is edited: the rest of it keeps its comments, its order and its
//! shape.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Document, DocumentMut, Item, Key, RawString, Table, TableLike};

use super::line::{benchmark_line, fact_lines, header};
use super::model::{AcceptedBenchmark, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace};
use super::read::{self, entries, AcceptedError};
use super::VERSION;

const TITLE: &str =
    "# Accepted counts of iai-callgrind: a change here is an accepted change of performance.";

/// A file of accepted counts, with its comments and its order.
#[derive(Debug, Clone)]
pub struct AcceptedDocument {
    counts: AcceptedCounts,
    sections: Vec<Section>,
    line_end: &'static str,
}

/// The lines from a header, or from the beginning, up to the next header, as a file of their own.
/// Comments right above a header are about it; all others stay with the lines before them.
#[derive(Debug, Clone)]
struct Section {
    header: Option<(AcceptedPlace, Option<String>)>,
    toml: DocumentMut,
}

/// A file in which nothing is accepted.
impl Default for AcceptedDocument {
    fn default() -> Self {
        Self {
            counts: AcceptedCounts::default(),
            sections: vec![Section {
                header: None,
                toml: toml(&format!("{TITLE}\nversion = {VERSION}\n")),
            }],
            line_end: "\n",
        }
    }
}

impl AcceptedDocument {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The text is no file of accepted counts.
    pub fn parse(text: &str) -> Result<Self, AcceptedError> {
        let (counts, whole) = read::parse_file(text)?;
        Ok(Self {
            counts,
            sections: sections(&whole),
            line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        })
    }

    /// The counts.
    #[must_use]
    pub fn counts(&self) -> &AcceptedCounts {
        &self.counts
    }

    /// Replaces the lines of benchmarks, or adds them at their places.
    pub fn set(&mut self, benchmarks: BTreeMap<AcceptedName, AcceptedBenchmark>) {
        let mut new: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (name, benchmark) in &benchmarks {
            let line = toml(&benchmark_line(&name.path, benchmark));
            let place = name.place.to_string();
            let path = [place.as_str(), &name.package, &name.path];
            let mut sections = self.sections.iter_mut();
            match sections.find_map(|section| find(&mut section.toml, &path)) {
                Some(old) => update(old, &line[&name.path]),
                None => {
                    let lines = new.entry((&name.place, &name.package)).or_default();
                    lines.extend(cloned(line.as_table()));
                }
            }
        }
        for ((place, package), lines) in new {
            add(self.table(place, Some(package)), lines);
        }
        self.counts.benchmarks.extend(benchmarks);
    }

    /// Removes the lines of benchmarks, and sections that have nothing else.
    pub fn remove(&mut self, names: &BTreeSet<AcceptedName>) {
        let mut by_table: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
        for name in names {
            self.counts.benchmarks.remove(name);
            let table = (name.place.to_string(), &name.package);
            by_table.entry(table).or_default().insert(&name.path);
        }
        self.sections.retain_mut(|section| {
            let mut is_changed = false;
            // A section may hold a table by a header, or by dotted keys below another one.
            for ((place, package), paths) in &by_table {
                let table = find(&mut section.toml, &[place, package]);
                if let Some(table) = table.and_then(Item::as_table_like_mut) {
                    let above = take_out(table, paths);
                    let trailing = above + text_of(Some(section.toml.trailing()));
                    section.toml.set_trailing(trailing);
                    is_changed = true;
                }
            }
            // The first section has the version. Sections that were empty before are not ours to
            // remove.
            if !is_changed || section.header.is_none() {
                return true;
            }
            let text = section.toml.to_string();
            // The header and something else, be it a comment.
            text.lines().filter(|line| !line.trim().is_empty()).count() > 1
        });
    }

    /// Replaces the facts of a place.
    pub fn set_facts(&mut self, place: &AcceptedPlace, facts: AcceptedFacts) {
        let new = toml(&fact_lines(&facts).join("\n"));
        let table = self.table(place, None);
        for name in ["rustc", "libc", "cpu"] {
            match (table.get_mut(name), new.get(name)) {
                // A package may have the name of a fact.
                (Some(old), _) if !old.is_str() => {}
                (Some(old), Some(new)) => update(old, new),
                (Some(_), None) => drop(table.remove(name)),
                (None, Some(new)) => drop(table.insert(name, new.clone())),
                (None, None) => {}
            }
        }
        self.counts.facts.insert(place.clone(), facts);
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            // A header stands below an empty line.
            if section.header.is_some() && !text.is_empty() && !text.ends_with("\n\n") {
                text.push('\n');
            }
            text += &section.toml.to_string();
        }
        text.truncate(text.trim_end().len());
        (text + "\n").replace('\n', self.line_end)
    }

    /// The table of a place or of one of its packages. A new one is added where the order wants it.
    fn table(&mut self, place: &AcceptedPlace, package: Option<&str>) -> &mut dyn TableLike {
        let name = place.to_string();
        let path: Vec<&str> = [Some(name.as_str()), package]
            .into_iter()
            .flatten()
            .collect();
        let has_it = |section: &mut Section| match find(&mut section.toml, &path) {
            // `["TARGET".PACKAGE]` is the only mention of its place.
            Some(Item::Table(table)) => !table.is_implicit() || table.is_dotted(),
            found => found.is_some(),
        };
        let index = self.sections.iter_mut().position(has_it);
        let index = index.unwrap_or_else(|| {
            let new = Some((place.clone(), package.map(str::to_owned)));
            let mut sections = self.sections.iter();
            // `None`, the begin of the file, is below every header.
            let next = sections.position(|section| section.header > new);
            let index = next.unwrap_or(self.sections.len());
            let toml = toml(&header(place, package));
            self.sections.insert(index, Section { header: new, toml });
            index
        });
        let table = find(&mut self.sections[index].toml, &path);
        table
            .and_then(Item::as_table_like_mut)
            .expect("places and packages are tables")
    }
}

/// TOML of ours.
fn toml(text: &str) -> DocumentMut {
    text.parse().expect("the lines that are written are TOML")
}

/// Cuts a file at its headers.
fn sections(whole: &Document<&str>) -> Vec<Section> {
    // One document for the whole file would take comments at the end of a table for those of the
    // next one, and move them behind a table that is inserted between both.
    let text = whole.raw();
    let mut headers = vec![(0, Vec::new())];
    add_headers(&mut headers, text, &[], whole.as_table());
    // Tables of one parent may lie apart in the file, so they are not found in its order.
    headers.sort();
    let ends = headers.iter().skip(1).map(|(begin, _)| *begin);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let sections = headers.into_iter().zip(ends).map(|((begin, path), end)| {
        let mut path = path.into_iter();
        let place = path.next();
        Section {
            header: place
                .map(|place| (AcceptedPlace::of_key(place), path.next().map(str::to_owned))),
            toml: toml(&text[begin..end]),
        }
    });
    sections.collect()
}

/// Finds the offsets of tables with a header, and their names.
fn add_headers<'t>(
    headers: &mut Vec<(usize, Vec<&'t str>)>,
    text: &str,
    parents: &[&'t str],
    table: &'t Table,
) {
    for (name, item) in table {
        let Item::Table(table) = item else { continue };
        let path = [parents, &[name]].concat();
        // `x` of `[x.y]` is a table without a header.
        if let (Some(_), Some(header)) = (table.position(), table.span()) {
            let above = table.decor().prefix().and_then(RawString::span);
            let above = above.unwrap_or(header.start..header.start);
            headers.push((above.start + comments_at_end(&text[above]), path.clone()));
        }
        add_headers(headers, text, &path, table);
    }
}

/// Offset of the comment lines at the end of a text.
fn comments_at_end(text: &str) -> usize {
    let lines = text.split_inclusive('\n').rev();
    let comments = lines.take_while(|line| line.trim_start().starts_with('#'));
    text.len() - comments.map(str::len).sum::<usize>()
}

fn find<'t>(toml: &'t mut DocumentMut, path: &[&str]) -> Option<&'t mut Item> {
    path.iter().try_fold(toml.as_item_mut(), |item, name| {
        item.as_table_like_mut()?.get_mut(name)
    })
}

fn cloned(table: &dyn TableLike) -> Vec<(Key, Item)> {
    entries(table)
        .map(|(key, item)| (key.clone(), item.clone()))
        .collect()
}

/// Replaces a value, and keeps the comment after it. What does not stand in braces gets the new
/// entries in its own shape.
fn update(old: &mut Item, new: &Item) {
    if let (Item::Value(old), Item::Value(new)) = (&mut *old, new) {
        let decor = old.decor().clone();
        *old = new.clone();
        *old.decor_mut() = decor;
    } else if let (Some(old), Some(new)) = (old.as_table_like_mut(), new.as_table_like()) {
        // A copy, since entries go while the list is walked.
        for (key, _) in cloned(old) {
            if !new.contains_key(&key) {
                old.remove(&key);
            }
        }
        for (name, new) in new.iter() {
            match old.get_mut(name) {
                Some(old) => update(old, new),
                None => drop(old.insert(name, new.clone())),
            }
        }
    }
}

/// Adds lines, each before the first one that comes after it, above the comments of that one.
fn add(table: &mut dyn TableLike, new: Vec<(Key, Item)>) {
    let mut new = new.into_iter().peekable();
    let mut all = Vec::new();
    for (mut next, item) in cloned(table) {
        let begin = all.len();
        // Both are in order: the new ones come from a sorted map.
        while let Some(line) = new.next_if(|(key, _)| key.get() < next.get()) {
            all.push(line);
        }
        if let Some((first, _)) = all.get_mut(begin) {
            let above = text_of(next.leaf_decor().prefix()).to_owned();
            let (before, comments) = above.split_at(comments_at_end(&above));
            first.leaf_decor_mut().set_prefix(before);
            next.leaf_decor_mut().set_prefix(comments);
        }
        all.push((next, item));
    }
    // An insertion goes to the end, so all entries are put back in their order.
    table.clear();
    for (key, item) in all.into_iter().chain(new) {
        table.entry_format(&key).or_insert(item);
    }
}

/// Removes lines. The comments above them stay above the next line; those of the last lines are
/// returned.
fn take_out(table: &mut dyn TableLike, paths: &BTreeSet<&str>) -> String {
    let all = cloned(table);
    table.clear();
    let mut above = String::new();
    for (mut key, item) in all {
        // A table with a header has the comments above it itself, a line has them at its key.
        let text = match &item {
            Item::Table(table) if !table.is_dotted() => table.decor().prefix(),
            _ => key.leaf_decor().prefix(),
        };
        let text = text_of(text);
        if paths.contains(key.get()) {
            above += text;
            continue;
        }
        if item.is_value() && !above.is_empty() {
            let text = std::mem::take(&mut above) + text;
            key.leaf_decor_mut().set_prefix(text);
        }
        table.entry_format(&key).or_insert(item);
    }
    above
}

fn text_of(raw: Option<&RawString>) -> &str {
    raw.and_then(RawString::as_str).unwrap_or_default()
}
