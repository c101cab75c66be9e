#!/usr/bin/env bash
# Fails unless the tag is that of the version in the manifests, and the changelog has this version:
# `check-tag.sh v1.2.3`.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tag=${1:?the tag is missing}
version=$(version)
[ "$tag" = "v$version" ] || fail "the tag is $tag, and the packages have version $version, whose tag is v$version"
"$repository/.github/release/notes.sh" >/dev/null
