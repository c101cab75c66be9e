//! `completions`: completions of command lines for shells: of ours, as clap generates them, and of
//! the words after `cargo bench --`, although that is cargo's command line.
//!
//! Everything else after `cargo` is left to the completions that were there before.

use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use super::finish;
use crate::run_report::{Event, Form, Reports};
use base::exit::Exit;
use cli::{Args, CommandLine, CompletionsArgs};
use report::Styles;

pub(super) fn run(options: &CompletionsArgs) -> Exit {
    let report = Reports::text(Styles::default(), Form::TEXT);
    let text = script(options.shell, &mut CommandLine::command(), &Args::command());
    let shown = report.event(Event::Script(&text));
    finish(shown.map(|()| Exit::Ok).map_err(Into::into), &report)
}

/// The script for a shell. `program` is our command line, `options` what follows `cargo bench --`.
fn script(shell: Shell, program: &mut Command, options: &Command) -> String {
    let mut text = of_program(shell, program);
    text += &match shell {
        Shell::Bash => BASH.replace("@OPTIONS@", &words(options)),
        Shell::Zsh => ZSH.replace("@OPTIONS@", &described(options)),
        Shell::Fish => fish(options),
        _ => String::new(),
    };
    text
}

fn of_program(shell: Shell, program: &mut Command) -> String {
    let name = program.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(shell, program, &name, &mut text);
    let text = String::from_utf8_lossy(&text);
    // clap_complete 4.6 writes a `-` in two ways, and bash would find no option of a subcommand.
    let written = |dash| name.replace('-', dash);
    text.replace(&written("__subcmd__"), &written("__"))
}

/// Options that people type, with their help.
fn options(command: &Command) -> impl Iterator<Item = (&str, String)> {
    let visible = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let help = |arg: &Arg| arg.get_help().map(ToString::to_string).unwrap_or_default();
    visible.filter_map(move |arg| Some((arg.get_long()?, help(arg))))
}

/// `--home --skip`
fn words(command: &Command) -> String {
    let names = options(command).map(|(name, _)| format!("--{name}"));
    names.collect::<Vec<_>>().join(" ")
}

/// `'--home:Keep results …'`
fn described(command: &Command) -> String {
    let words = options(command).map(|(name, help)| {
        let help = help.replace('\'', "").replace(':', ",");
        format!("'--{name}:{help}'")
    });
    words.collect::<Vec<_>>().join(" ")
}

const BASH: &str = r#"
# What follows `cargo bench --`; the rest is left to the completions of cargo.
if ! complete -p cargo >/dev/null 2>&1; then
    if declare -F _comp_load >/dev/null; then
        _comp_load cargo
    elif declare -F _completion_loader >/dev/null; then
        _completion_loader cargo
    fi
fi
__iai_callgrind_cargo=$(complete -p cargo 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')

_iai_callgrind_cargo_bench() {
    local i bench=
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == bench ]]; then
            bench=yes
        elif [[ ${COMP_WORDS[i]} == -- && $bench ]]; then
            COMPREPLY=($(compgen -W "@OPTIONS@" -- "${COMP_WORDS[COMP_CWORD]}"))
            return 0
        fi
    done
    if [[ $__iai_callgrind_cargo && $__iai_callgrind_cargo != "${FUNCNAME[0]}" ]]; then
        "$__iai_callgrind_cargo" "$@"
    fi
}
complete -o bashdefault -o default -F _iai_callgrind_cargo_bench cargo
"#;

const ZSH: &str = r#"
# What follows `cargo bench --`; the rest is left to the completions of cargo.
_iai_callgrind_cargo_bench() {
    local bench=${words[(i)bench]} dashes=${words[(i)--]}
    if (( bench < dashes && dashes < CURRENT )); then
        local -a options=(@OPTIONS@)
        _describe option options
    else
        _cargo "$@"
    fi
}
if (( $+functions[compdef] )); then
    autoload -Uz _cargo
    compdef _iai_callgrind_cargo_bench cargo
fi
"#;

fn fish(command: &Command) -> String {
    let mut text = String::from(
        "\n# What follows `cargo bench --`.\n\
         function __iai_callgrind_cargo_bench\n\
         \x20   set -l words (commandline -opc)\n\
         \x20   contains -- bench $words; and contains -- -- $words\n\
         end\n",
    );
    for (name, help) in options(command) {
        let help = help.replace('\\', "\\\\").replace('\'', "\\'");
        text += &format!(
            "complete -c cargo -n __iai_callgrind_cargo_bench -a '--{name}' -d '{help}'\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(shell: Shell) -> String {
        super::script(shell, &mut CommandLine::command(), &Args::command())
    }

    #[test]
    fn every_shell_knows_what_follows_cargo_bench() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            for word in [
                "--save-baseline",
                "--callgrind-limits",
                "completions",
                "doctor",
            ] {
                assert!(script.contains(word), "{word} for {shell}");
            }
            assert!(!script.contains("@OPTIONS@"));
            assert!(!script.contains("shuffle"), "{shell}");
        }
    }

    /// Each word of the lists is in quotes of its own.
    #[test]
    fn texts_break_no_quotes() {
        let script = script(Shell::Fish);
        let lines = script
            .lines()
            .filter(|line| line.starts_with("complete -c cargo"));
        for line in lines {
            assert_eq!(line.replace("\\'", "").matches('\'').count(), 4, "{line}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "bash completes for us")]
    fn bash_completes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("completions");
        std::fs::write(&path, script(Shell::Bash)).unwrap();
        let complete = |before: &str, line: &str| {
            let program = format!(
                "{before}\nsource \"$0\"\nCOMP_WORDS=({line})\n\
                 COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
                 _iai_callgrind_cargo_bench cargo\necho \"${{COMPREPLY[@]}}\""
            );
            let mut bash = std::process::Command::new("bash");
            let output = bash
                .args(["--norc", "-c", &program])
                .arg(&path)
                .output()
                .unwrap();
            assert!(
                output.stderr.is_empty(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(
            complete("", "cargo bench -- --valgrind-b"),
            "--valgrind-bin\n"
        );
        let baselines = "cargo bench --bench mine -- sort --save-b";
        assert_eq!(complete("", baselines), "--save-baseline\n");
        assert_eq!(complete("", "cargo test -- --valgrind-b"), "\n");
        let theirs = "_theirs() { COMPREPLY=(theirs); }; complete -F _theirs cargo";
        assert_eq!(complete(theirs, "cargo bench --be"), "theirs\n");
        assert_eq!(
            complete(theirs, "cargo bench -- --valgrind-b"),
            "--valgrind-bin\n"
        );
    }
}
