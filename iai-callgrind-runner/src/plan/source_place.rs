//! The place of a benchmark in the source, for reports that point at it.

use std::path::{Path, PathBuf};

use iai_callgrind::protocol::Function;

/// The place of a benchmark's attribute in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, relative to the workspace if it lies there.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

impl SourcePlace {
    /// The place of a function. `workspaces` are the roots of the workspace: where it is, and where
    /// it was built.
    pub(super) fn new(function: &Function, workspaces: &[PathBuf]) -> Self {
        // `file!()` is relative to where cargo calls the compiler, which is the workspace, or
        // absolute.
        let file = Path::new(&function.file);
        let mut inside = workspaces
            .iter()
            .filter_map(|root| file.strip_prefix(root).ok());
        let file = inside.next().unwrap_or(file).to_string_lossy();
        Self {
            file: (!file.is_empty()).then(|| file.into_owned()),
            line: (function.line > 0).then_some(function.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_workspace() {
        #[track_caller]
        fn check(file: &str, expected: Option<&str>) {
            let function = Function {
                name: "f".to_owned(),
                index: 0,
                file: file.to_owned(),
                line: 31,
                config: None,
                equal_counts: false,
                cases: Vec::new(),
            };
            let place = SourcePlace::new(&function, &["/copy".into(), "/built".into()]);
            assert_eq!(place.file.as_deref(), expected);
            assert_eq!(place.line, Some(31));
        }
        check("benches/app.rs", Some("benches/app.rs"));
        check("crates/a/benches/app.rs", Some("crates/a/benches/app.rs"));
        check("/built/a/benches/app.rs", Some("a/benches/app.rs"));
        check("/copy/benches/app.rs", Some("benches/app.rs"));
        check("/elsewhere/app.rs", Some("/elsewhere/app.rs"));
        check("", None);
    }
}
