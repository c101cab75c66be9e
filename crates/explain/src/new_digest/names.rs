//! Functions, files and texts of a digest.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::strings::TextTable;
use crate::digest::{
    Digest, DigestFile, DigestFunction, FileId, FunctionId, ObjectId, SourceOrigin, StringId,
};
use symbols::{names, FrameReader, SourceFileId, SourceFunctionId, SourceOwner};

/// Tables of all functions, files and texts of a digest.
pub(super) struct NameTable {
    texts: TextTable,
    workspace: PathBuf,
    files: Vec<DigestFile>,
    /// The path of each file as it was compiled.
    paths: Vec<Box<str>>,
    by_path: FxHashMap<Box<str>, FileId>,
    by_source_file: FxHashMap<(ObjectId, SourceFileId), FileId>,
    functions: Vec<DigestFunction>,
    by_source: FxHashMap<(ObjectId, SourceFunctionId), FunctionId>,
}

impl NameTable {
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            texts: TextTable::default(),
            workspace: workspace.to_owned(),
            files: Vec::new(),
            paths: Vec::new(),
            by_path: FxHashMap::default(),
            by_source_file: FxHashMap::default(),
            functions: Vec::new(),
            by_source: FxHashMap::default(),
        }
    }

    /// The number of a text.
    pub(super) fn text(&mut self, text: &str) -> StringId {
        self.texts.id(text)
    }

    /// The number of a file with this path. Code of an own object has no `library`.
    pub(super) fn file(&mut self, path: &str, library: Option<&str>) -> FileId {
        if let Some(id) = self.by_path.get(path) {
            return *id;
        }
        let owner = SourceOwner::of(path, &self.workspace, library);
        let id = FileId(self.files.len() as u32);
        let package = Some(owner.package.as_str()).filter(|package| !package.is_empty());
        self.files.push(DigestFile {
            path: self.texts.id(&owner.path),
            origin: owner.origin,
            package: package.map(|package| self.texts.id(package)),
        });
        self.paths.push(path.into());
        self.by_path.insert(path.into(), id);
        id
    }

    /// The user's files, with the paths that they were compiled from.
    pub(super) fn files_of_user(&self) -> impl Iterator<Item = (FileId, &Path)> {
        let files = self.files.iter().zip(&self.paths).zip(0..);
        files.filter_map(|((file, path), id)| {
            let is_users = file.origin == SourceOrigin::User;
            is_users.then(|| (FileId(id), Path::new(&**path)))
        })
    }

    /// The file of a function.
    pub(super) fn file_of(&self, function: FunctionId) -> Option<FileId> {
        self.functions[function.index()].file
    }

    /// Sets the crate of a file by the path of a function of the user in it.
    fn tell_crate(&mut self, file: Option<FileId>, function: &str) {
        let Some(file) = file.map(|file| &mut self.files[file.index()]) else {
            return;
        };
        // The path of a file does not tell its crate; the names of its functions do.
        let name = function.split_once("::").map(|(name, _)| name);
        let name = name.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        if let (SourceOrigin::User, None, Some(name)) = (file.origin, file.package, name) {
            file.package = Some(self.texts.id(name));
        }
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
        let id = self.file(reader.file(file), None);
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
        let name = own_name(&found.name);
        let file = found.file;
        let file = file.map(|file| self.source_file(object, reader, file));
        self.tell_crate(file, &name);
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(DigestFunction {
            name: self.texts.id(&name),
            instance: found
                .instance
                .as_deref()
                .map(|instance| self.texts.id(&own_instance(&name, instance))),
            file,
            line: found.line.unwrap_or(0),
        });
        self.by_source.insert((object, function), id);
        id
    }

    /// Adds a function that has a name only, and its file if Valgrind knows it.
    pub(super) fn named_function(&mut self, name: &[u8], file: Option<FileId>) -> FunctionId {
        let canonical = own_name(&names::canonical(&String::from_utf8_lossy(name))).into_owned();
        self.tell_crate(file, &canonical);
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(DigestFunction {
            name: self.texts.id(&canonical),
            instance: None,
            file,
            line: 0,
        });
        id
    }

    /// The number of the name of a function that code refers to.
    pub(super) fn callee(&mut self, name: &str) -> StringId {
        self.texts.id(&own_name(name))
    }

    /// Owner of the file of a function.
    pub(super) fn origin(&self, function: FunctionId) -> SourceOrigin {
        let file = self.functions[function.index()].file;
        file.map_or(SourceOrigin::Unknown, |file| {
            self.files[file.index()].origin
        })
    }

    /// Gives all texts, files and functions to the digest.
    pub(super) fn finish_into(self, digest: &mut Digest) {
        digest.strings = self.texts.finish();
        digest.files = self.files;
        digest.functions = self.functions;
    }
}

/// The name without the modules that our attributes put around a benchmark function.
pub fn own_name(name: &str) -> Cow<'_, str> {
    const OURS: &str = "__iai_callgrind_";
    if !name.contains(OURS) {
        return name.into();
    }
    let segments = name.split("::");
    let users: Vec<&str> = segments
        .filter(|segment| !segment.starts_with(OURS))
        .collect();
    match users.as_slice() {
        [] => name.into(),
        users => users.join("::").into(),
    }
}

/// The instance of a method that a type has itself, in the form of one that its trait provides:
/// `mark<lab::Plain>`. It is the instance of before if the type got a method of its own.
fn own_instance<'a>(name: &str, instance: &'a str) -> Cow<'a, str> {
    let method = name
        .strip_prefix('<')
        .and_then(|name| name.rsplit_once(">::"));
    let own = method.and_then(|(of, method)| Some((of.rsplit_once(" as ")?.0, method)));
    match own {
        Some((implemented, method)) if method == instance => {
            format!("{instance}<{implemented}>").into()
        }
        _ => instance.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_of_a_type_is_the_instance_that_a_provided_one_was() {
        let own = |instance| own_instance("<lab::Plain as lab::Style>::mark", instance);
        assert_eq!(own("mark"), "mark<lab::Plain>");
        // Instances with arguments get no type appended.
        assert_eq!(own("mark<u32>"), "mark<u32>");
        assert_eq!(
            own_instance("lab::Style::mark", "mark<lab::Plain>"),
            "mark<lab::Plain>"
        );
        assert_eq!(own_instance("lab::mark", "mark"), "mark");
    }

    #[test]
    fn benchmark_functions_have_the_names_of_the_source() {
        let measured = "b::__iai_callgrind_function_f::__iai_callgrind_wrapper_mod::f";
        assert_eq!(own_name(measured), "b::f");
        assert_eq!(
            own_name(&format!("{measured}::{{closure}}")),
            "b::f::{closure}"
        );
        assert_eq!(own_name("lab::f"), "lab::f");
        assert_eq!(own_name("__iai_callgrind_x"), "__iai_callgrind_x");
    }

    #[test]
    fn files_of_the_user_belong_to_the_crate_of_their_functions() {
        let mut names = NameTable::new(Path::new("/home/me/lab"));
        let file = names.file("/home/me/lab/src/lib.rs", None);
        names.named_function(b"<lab::S as lab::T>::f", Some(file));
        assert_eq!(names.files[file.index()].package, None);
        names.named_function(b"lab::g", Some(file));
        let package = names.files[file.index()].package.unwrap();
        let files: Vec<_> = names.files_of_user().collect();
        assert_eq!(files, [(file, Path::new("/home/me/lab/src/lib.rs"))]);
        assert_eq!(&*names.texts.finish()[package.index()], "lab");
    }
}
