//! Tests of the developer commands that measure: one executable, so that an edit links it once.

mod page;
