# shellcheck shell=bash
# What the scripts of a release share; each of them sources it. They run in any directory and need
# cargo, git and jq.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runner=iai-callgrind-runner

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# A value of the manifest of the runner: `of_manifest '.version'`.
of_manifest() {
    cargo metadata --manifest-path "$repository/Cargo.toml" --format-version 1 --no-deps |
        jq -er --arg name "$runner" ".packages[] | select(.name == \$name) | $1"
}

# The version of all packages.
version() {
    of_manifest .version
}

# A template of `cargo binstall` in the manifest of the runner, filled in for a target: what is
# built has the names by which `cargo binstall` looks for it.
binstall() {
    local template=$1 target=$2
    of_manifest ".metadata.binstall.\"$template\"" | sed \
        -e "s|{ repo }|$(of_manifest .repository)|g" \
        -e "s|{ name }|$runner|g" \
        -e "s|{ bin }|$runner|g" \
        -e "s|{ version }|$(version)|g" \
        -e "s|{ target }|$target|g" \
        -e "s|{ binary-ext }||g"
}
