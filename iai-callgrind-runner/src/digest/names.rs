//! Functions, files and texts of a digest.

use std::collections::HashMap;
use std::path::Path;

use super::strings::TextTable;
use super::stub::SourceRoots;
use crate::explain::digest::{
    Digest, DigestFile, DigestFunction, FileId, FunctionId, ObjectId, StringId,
};
use crate::symbolize::{names, FrameReader, SourceFileId, SourceFunctionId};

/// Everything that has a name.
pub(super) struct NameTable {
    texts: TextTable,
    roots: SourceRoots,
    files: Vec<DigestFile>,
    by_path: HashMap<Box<str>, FileId>,
    by_source_file: HashMap<(ObjectId, SourceFileId), FileId>,
    functions: Vec<DigestFunction>,
    by_source: HashMap<(ObjectId, SourceFunctionId), FunctionId>,
    by_name: HashMap<(ObjectId, Box<[u8]>), FunctionId>,
}

impl NameTable {
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            texts: TextTable::default(),
            roots: SourceRoots::new(workspace),
            files: Vec::new(),
            by_path: HashMap::new(),
            by_source_file: HashMap::new(),
            functions: Vec::new(),
            by_source: HashMap::new(),
            by_name: HashMap::new(),
        }
    }

    /// The number of a text.
    pub(super) fn text(&mut self, text: &str) -> StringId {
        self.texts.id(text)
    }

    /// The number of a file with this path.
    pub(super) fn file(&mut self, path: &str) -> FileId {
        if let Some(id) = self.by_path.get(path) {
            return *id;
        }
        let source = self.roots.place(path);
        let id = FileId(self.files.len() as u32);
        self.files.push(DigestFile {
            path: self.texts.id(&source.path),
            origin: source.origin,
            package: source
                .package
                .as_deref()
                .map(|package| self.texts.id(package)),
        });
        self.by_path.insert(path.into(), id);
        id
    }

    /// The number of a file of the debug information of an object.
    pub(super) fn source_file(
        &mut self,
        object: ObjectId,
        reader: &FrameReader<'_>,
        file: SourceFileId,
    ) -> FileId {
        if let Some(id) = self.by_source_file.get(&(object, file)) {
            return *id;
        }
        let id = self.file(reader.file(file));
        self.by_source_file.insert((object, file), id);
        id
    }

    /// The number of a function of the debug information of an object.
    pub(super) fn source_function(
        &mut self,
        object: ObjectId,
        reader: &FrameReader<'_>,
        function: SourceFunctionId,
    ) -> FunctionId {
        if let Some(id) = self.by_source.get(&(object, function)) {
            return *id;
        }
        let found = reader.function(function);
        let function_of_digest = DigestFunction {
            name: self.texts.id(&found.name),
            instance: found.instance.as_deref().map(|name| self.texts.id(name)),
            file: found
                .file
                .map(|file| self.source_file(object, reader, file)),
            line: found.line.unwrap_or(0),
        };
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(function_of_digest);
        self.by_source.insert((object, function), id);
        id
    }

    /// The number of a function that has a name only, and its file if Valgrind knows it.
    pub(super) fn named_function(
        &mut self,
        object: ObjectId,
        name: &[u8],
        file: Option<&[u8]>,
    ) -> FunctionId {
        if let Some(id) = self.by_name.get(&(object, name.into())) {
            return *id;
        }
        let file = file.map(|file| self.file(&String::from_utf8_lossy(file)));
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(DigestFunction {
            name: self
                .texts
                .id(&names::canonical(&String::from_utf8_lossy(name))),
            instance: None,
            file,
            line: 0,
        });
        self.by_name.insert((object, name.into()), id);
        id
    }

    /// Gives all texts, files and functions to the digest.
    pub(super) fn finish_into(self, digest: &mut Digest) {
        digest.strings = self.texts.finish();
        digest.files = self.files;
        digest.functions = self.functions;
    }
}
