//! Developer commands of this workspace.
fn main() {}
