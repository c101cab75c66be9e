//! The scripts that shells load.

use clap::Command;
use clap_complete::Shell;

/// The script of a shell. `program` is the command line of the runner.
///
/// Elvish and PowerShell have no script of ours: what clap generates completes options and commands
/// of the program alone.
#[must_use]
pub fn script(shell: Shell, program: &mut Command) -> String {
    match shell {
        Shell::Bash => include_str!("shells/completions.bash").to_owned(),
        Shell::Zsh => include_str!("shells/completions.zsh").to_owned(),
        Shell::Fish => include_str!("shells/completions.fish").to_owned(),
        shell => {
            let name = program.get_name().to_owned();
            let mut text = Vec::new();
            clap_complete::generate(shell, program, name, &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
    }
}
