//! Executables and libraries: their symbols, their allocator, and where an address is in the source.

pub mod allocator;
pub mod debug_file;
pub mod source_origin;
pub mod symbol_table;
pub mod symbolize;
