//! Files to figures: what a tool wrote, for this run and for the one it is compared with, as metrics of each
//! process, thread and part.

mod dhat;
mod dhat_heap;
mod event_sets;
pub(crate) mod growth;
pub(crate) mod inputs;
mod kept_names;
mod notes;
pub(crate) mod nothing_counted;
pub(crate) mod previous;
mod processes;
mod proof;
pub mod readers;
mod sample_means;
mod selection;
mod tool_files;
mod while_it_ran;

pub use self::selection::Selection;
pub(crate) use self::tool_files::Collected;
