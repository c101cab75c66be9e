#!/usr/bin/env bash
# Finds out what is needed: the version of the runner, the commit to compare with, and the names of caches and artifacts.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The commit that the change would be merged onto: the first parent of the merge commit that GitHub checks out. If
# something else is checked out, the commit that both have in common.
base_commit() {
    local -a commits
    if [ "$(git rev-parse HEAD)" = "$GITHUB_SHA" ]; then
        if ! git rev-parse --quiet --verify HEAD^1 >/dev/null; then
            git fetch --quiet --no-tags --depth=2 origin "$GITHUB_REF" || true
        fi
        read -r -a commits <<<"$(git rev-list --parents --max-count=1 HEAD)"
        if [ ${#commits[@]} -gt 2 ]; then
            echo "${commits[1]}"
            return
        fi
    fi
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
        git fetch --quiet --no-tags --unshallow origin || return
    fi
    git fetch --quiet --no-tags origin "$GITHUB_BASE_REF" || return
    git merge-base HEAD FETCH_HEAD
}

cd "$INPUT_WORKING_DIRECTORY"

version=$(version_here)
if [ -z "$version" ]; then
    annotate error "no package in $INPUT_WORKING_DIRECTORY depends on iai-callgrind; set working-directory"
    exit 2
fi
# A program that was built on one image may not start on another.
image=${ImageOS:-$(getconf GNU_LIBC_VERSION | tr ' ' -)}
label=${INPUT_LABEL:-default}
artifact=iai-callgrind-$label
if [ -n "$INPUT_PART" ]; then
    artifact+=-${INPUT_PART/\//-of-}
fi

commit=
if [ "$INPUT_BASE" = auto ] && [ "$GITHUB_EVENT_NAME" = pull_request ]; then
    commit=$(base_commit) ||
        annotate warning 'the commit to compare with is not known; check out with fetch-depth: 2'
fi

output version "$version"
output tools "$state/tools"
output tools-key "iai-callgrind-runner-$version-$image-$(uname -m)"
output base-commit "$commit"
output base-key "iai-callgrind-$label-$commit"
output own-key "iai-callgrind-$label-$(git rev-parse HEAD)"
output artifact "$artifact"
output results "$new"
output base-results "$base"
output report "$report"
