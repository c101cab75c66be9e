#!/usr/bin/env bash
# Publishes all packages, each one after those that it needs; cargo waits until the registry has it.
# What is there already is left out, so that a release that broke off goes on.
# `publish.sh --dry-run` only writes what would be published.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

is_published() {
    # Outside of the workspace, whose own packages cargo would name.
    (cd / && cargo info --quiet "$1@$2" >/dev/null 2>&1)
}

cd "$repository"
version=$(version)
packages=$(cargo xtask packages --order)
for package in $packages; do
    if [ "${1:-}" = --dry-run ]; then
        printf 'cargo publish --locked --package %s # %s\n' "$package" "$version"
    elif is_published "$package" "$version"; then
        printf '%s %s is there\n' "$package" "$version"
    else
        cargo publish --locked --package "$package"
    fi
done
