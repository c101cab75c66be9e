//! The temporary directory in which a benchmark runs.

use std::path::PathBuf;

use super::into_protocol;
use crate::protocol;

/// A temporary directory, made right before the benchmark and removed after it, in which the
/// benchmark runs.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{LibraryBenchmarkConfig, Sandbox};
///
/// LibraryBenchmarkConfig::default()
///     .sandbox(Sandbox::new(true).fixtures(["benches/fixtures/input.txt"]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sandbox(protocol::Sandbox);

impl Sandbox {
    /// Switches the sandbox on or off. `Sandbox::default()` leaves this to the outer
    /// configurations; by default there is no sandbox.
    #[must_use]
    pub fn new(enable: bool) -> Self {
        Self(protocol::Sandbox {
            enable: Some(enable),
            ..protocol::Sandbox::default()
        })
    }

    /// Adds files and directories that are copied into the root of the sandbox under their own
    /// names. Relative paths start at the root of the workspace. A path that does not exist is an
    /// error of the benchmark.
    pub fn fixtures<I, T>(&mut self, paths: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<PathBuf>,
    {
        let paths = paths.into_iter().map(|path| path.into().into_os_string());
        self.0.fixtures.extend(paths);
        self
    }

    /// Copies what a symbolic link in a directory among the fixtures refers to instead of the link.
    /// The default is `false`: links are copied as links, and one that leads out of the sandbox is
    /// an error of the benchmark, so that no benchmark changes a file outside through it.
    ///
    /// ```
    /// use iai_callgrind::Sandbox;
    ///
    /// Sandbox::new(true).fixtures(["tests/data"]).follow_symlinks(true);
    /// ```
    pub fn follow_symlinks(&mut self, follow: bool) -> &mut Self {
        self.0.follow_symlinks = Some(follow);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::Sandbox;
    ///
    /// let sandbox: Sandbox = Sandbox::new(true).fixtures(["tests/data"]).build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(Sandbox => protocol::Sandbox);

/// Switches it on or off, as configurations before 0.13 did.
impl From<bool> for Sandbox {
    fn from(enable: bool) -> Self {
        Self::new(enable)
    }
}

impl From<bool> for protocol::Sandbox {
    fn from(enable: bool) -> Self {
        Sandbox::new(enable).into()
    }
}
