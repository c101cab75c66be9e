//! Programs that use the runner as a library, and print numbers.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::candidates::Workshop;
use super::table::median;
use super::usage::peak_memory;
use crate::process::output;

/// A program of its own, built with optimizations.
pub(super) struct Program(PathBuf);

impl Program {
    /// Builds a program with this name from this text.
    pub(super) fn build(workshop: &Workshop, name: &str, text: &str) -> Result<Self> {
        let program = workshop.program(name, text)?;
        program.build(&format!("ours-{name}")).map(Self)
    }

    pub(super) fn command(&self, what: &str, rounds: usize, files: &[&Path]) -> Command {
        let mut command = Command::new(&self.0);
        command.arg(what).arg(rounds.to_string()).args(files);
        command
    }

    /// The numbers of each round, by columns, after one round that does not count.
    pub(super) fn numbers<const N: usize>(
        &self,
        what: &str,
        rounds: usize,
        files: &[&Path],
    ) -> Result<[Vec<f64>; N]> {
        let text = output(&mut self.command(what, rounds + 1, files))?;
        let mut columns = [const { Vec::new() }; N];
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split(' ').collect();
            ensure!(words.len() == N, "not {N} numbers: `{line}`");
            for (column, word) in columns.iter_mut().zip(words) {
                column.push(word.parse().with_context(|| format!("`{line}`"))?);
            }
        }
        Ok(columns)
    }

    /// The most memory that one round takes, in bytes.
    pub(super) fn peak(&self, what: &str, files: &[&Path]) -> Result<f64> {
        Ok(peak_memory(&mut self.command(what, 1, files))? as f64)
    }
}

/// The value in the middle of a column.
pub(super) fn middle(column: &[f64]) -> f64 {
    median(column.iter().copied())
}
