#!/usr/bin/env bash
# Installs what is missing: Valgrind, as the distribution has it, and the runner. Counts do not
# depend on the version of Valgrind, so there is no need for a build of its own.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_valgrind() {
    if command -v apt-get >/dev/null; then
        as_root apt-get update -qq
        as_root apt-get install -y -qq --no-install-recommends valgrind libc6-dbg
    elif command -v dnf >/dev/null; then
        as_root dnf install -y -q valgrind
    else
        annotate error 'there is no Valgrind; install it in a step before this action'
        return 1
    fi
}

# Installs the runner unless it is there. Its directory is its own: with restored metadata of cargo,
# `cargo binstall` would believe that the program exists.
install_runner() {
    if [ -x "$runner" ]; then
        return
    fi
    if [ -n "${IAI_CALLGRIND_RUNNER:-}" ]; then
        annotate error "IAI_CALLGRIND_RUNNER names $runner, which cannot be executed"
        return 1
    fi
    if cargo binstall -V >/dev/null 2>&1; then
        cargo binstall --no-confirm --root "$tool" "iai-callgrind-runner@$RUNNER_VERSION" && return
    fi
    cargo install --locked --root "$tool" --version "$RUNNER_VERSION" iai-callgrind-runner
}

# Who merges parts measures nothing.
if [ -z "$INPUT_PARTS" ] && ! command -v valgrind >/dev/null; then
    install_valgrind
fi
install_runner
