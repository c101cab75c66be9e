//! Owners of source files: whose code it is.

/// Owner of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SourceOrigin {
    /// The workspace of the user.
    User,
    /// A package of a registry or a repository.
    Package,
    /// The standard library of Rust.
    Std,
    /// A library of the system.
    System,
    /// Nobody knows.
    Unknown,
}
