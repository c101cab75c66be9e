#!/usr/bin/env bash
# Installs what is missing: Valgrind, as the distribution has it, and the runner. Counts do not depend on the version of
# Valgrind, so there is no need for a build of its own.
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

# Who merges parts measures nothing.
if [ -z "$INPUT_PARTS" ] && ! command -v valgrind >/dev/null; then
    install_valgrind
fi
install_runner "$RUNNER_VERSION"
