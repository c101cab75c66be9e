//! What every other room may use, and that knows nothing of benchmarks: files and directories, time, signals, the system,
//! compact tables of groups, circles of a graph, shares of a sum, and words with a number.

pub(crate) mod apportion;
pub(crate) mod cargo_hash;
pub(crate) mod clock;
pub(crate) mod counted;
pub(crate) mod csr;
pub(crate) mod invisible;
pub(crate) mod listed_directory;
pub(crate) mod listed_names;
pub(crate) mod os;
pub(crate) mod regular_file;
pub(crate) mod scc;
pub(crate) mod signal;
