#!/usr/bin/env bash
# Writes what the changelog says about the version in the manifests.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=$(version)
notes=$(awk -v heading="## [$version]" '
    /^## / { inside = index($0, heading) == 1; next }
    inside { print }
' "${CHANGELOG:-$repository/CHANGELOG.md}")
[ -n "${notes//[[:space:]]/}" ] ||
    fail "the changelog has nothing below \`## [$version]\`; what is unreleased has to get this heading"
printf '%s\n' "$notes"
