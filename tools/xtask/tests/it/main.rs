//! Tests of what the repository promises beside its code: one executable, so that an edit links it
//! once. `cargo suite` runs each module in a process of its own.

mod container;
mod contributing;
mod dependencies;
mod readme;
mod release;
mod seeds;
