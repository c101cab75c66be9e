#!/usr/bin/env bash
# Finds out what is needed: the version of the runner, the commit to compare with, and the names of
# caches and artifacts.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The version of iai-callgrind that the workspace here depends on; nothing if it does not.
version_here() {
    cargo metadata --format-version 1 |
        jq -r '[.packages[] | select(.name == "iai-callgrind") | .version] | last // empty'
}

# The commit that the change would be merged onto, by the event. Nothing if there is none, with an
# annotation on stderr that says why: a comparison of something with itself would be green.
base_commit() {
    local commit
    case $GITHUB_EVENT_NAME in
        pull_request | pull_request_target) commit=$(commit_of_pull_request) || commit= ;;
        merge_group) commit=$(commit_of_merge_group) || commit= ;;
        push)
            annotate notice 'a push is compared with nothing: its results are the base of later pull requests' >&2
            return
            ;;
        *)
            annotate warning "the event $GITHUB_EVENT_NAME names no commit to compare with; the input base takes results" >&2
            return
            ;;
    esac
    if [ -z "$commit" ]; then
        annotate warning 'the commit to compare with is not known; check out with fetch-depth: 2' >&2
    elif [ "$commit" = "$(git rev-parse HEAD)" ]; then
        annotate warning 'what is checked out is the base itself; check out the commit of the change' >&2
    else
        echo "$commit"
    fi
}

# The first parent of the merge commit that GitHub checks out. If something else is checked out, as
# always for `pull_request_target`, the commit that both have in common.
commit_of_pull_request() {
    local -a commits
    if [ "$GITHUB_EVENT_NAME" = pull_request ] && [ "$(git rev-parse HEAD)" = "$GITHUB_SHA" ]; then
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

# The commit that the group of a merge queue is merged onto, which is in no variable. It is fetched
# if it is not here.
commit_of_merge_group() {
    local commit
    commit=$(jq -r '.merge_group.base_sha // empty' "$GITHUB_EVENT_PATH") || return
    [[ $commit =~ ^[0-9a-f]{40,64}$ ]] || return
    git cat-file -e "$commit^{commit}" 2>/dev/null ||
        git fetch --quiet --no-tags --depth=1 origin "$commit" || return
    echo "$commit"
}

cd "$INPUT_WORKING_DIRECTORY"

version=$(version_here)
if [ -z "$version" ]; then
    annotate error "no package in $INPUT_WORKING_DIRECTORY depends on iai-callgrind; set working-directory"
    exit 2
fi
# A program that was built on one image may not start on another.
image=${ImageOS:-$(getconf GNU_LIBC_VERSION | tr ' ' -)}
artifact=iai-callgrind-$label
if [ -n "$INPUT_PART" ]; then
    artifact+=-${INPUT_PART/\//-of-}
fi

commit=
if [ "$INPUT_BASE" = auto ]; then
    commit=$(base_commit)
fi
# What an earlier step with this label measured is not taken for what this one measures.
rm -rf "$state/new" "$state/base" "$state/cache" "$report" "$page"
mkdir -p "$state/new" "$state/base"

output version "$version"
output tools "$tools"
output tools-key "iai-callgrind-runner-$version-$image-$(uname -m)"
output base-commit "$commit"
output base-key "iai-callgrind-$label-$commit"
output own-key "iai-callgrind-$label-$(git rev-parse HEAD)"
output artifact "$artifact"
output results "$new"
output base-results "$base"
output report "$report"
output page "$page"
