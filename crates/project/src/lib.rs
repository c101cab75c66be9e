//! The places, the configuration and the builds of a project, as cargo knows them.
//!
//! **In**: directories of a project, and environment variables, which somebody else has read.
//! **Out**: plain values. Only [`MetadataQuestion`] starts a process, `cargo metadata`.
//!
//! | question | answered by |
//! | --- | --- |
//! | Where are the workspace, its targets and what is made on the way to them? | [`MetadataQuestion`], [`ProjectPlaces`] |
//! | Which keys of a profile and which flags are set outside of manifests, and where? | [`CargoConfig`] |
//! | Which settings was this executable built with? | [`built`] |
//! | Which words for `cargo bench` select packages and targets? | [`cargo_words`] |
//! | Where is a file of which a project has one? | [`place_of_file`] |
//! | Where do results belong if executables lie in a directory of their own? | [`beside_build_directory`] |
//!
//! ```
//! use std::path::Path;
//!
//! use base::variables::EnvironmentVariables;
//! use iai_callgrind_project::CargoConfig;
//!
//! let variables = [("CARGO_PROFILE_BENCH_LTO", "true"), ("RUSTFLAGS", "-C target-cpu=native")];
//! let environment: EnvironmentVariables = variables.into_iter().collect();
//! let config = CargoConfig::read(Path::new("/projects/app"), &environment);
//!
//! let (place, value) = config.profile("bench", "lto").ok_or("it is set")?;
//! assert_eq!((place.as_str(), value.as_bool()), ("CARGO_PROFILE_BENCH_LTO", Some(true)));
//!
//! let (place, flags) = &config.rustflags()[0];
//! assert_eq!(place, "RUSTFLAGS");
//! assert_eq!(flags.join(" "), "-C target-cpu=native");
//! # Ok::<(), &str>(())
//! ```

#![cfg(unix)]

pub mod built;
mod cargo_config;
mod cargo_metadata;
pub mod cargo_words;
mod file_place;

pub use self::cargo_config::{read_toml, CargoConfig};
pub use self::cargo_metadata::{
    beside_build_directory, MetadataQuestion, NoMetadata, ProjectPlaces,
};
pub use self::file_place::place_of_file;
