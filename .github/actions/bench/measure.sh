#!/usr/bin/env bash
# Measures what is checked out, or takes the results of all parts.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ -n "$INPUT_PARTS" ]; then
    "$runner" merge -o "$new" "$INPUT_PARTS"/*/new
    # Each part measured its own part of the base, unless all of it was in the cache.
    if [ ! -s "$base" ] && compgen -G "$INPUT_PARTS/*/base/results.jsonl" >/dev/null; then
        "$runner" merge -o "$base" "$INPUT_PARTS"/*/base ||
            annotate warning 'the results of the base are not complete'
    fi
else
    cd "$INPUT_WORKING_DIRECTORY"
    # What an earlier job, or another label, left there was not measured now.
    home=$state/home
    rm -rf "$home"
    # As GitHub runs commands: the first that fails ends them.
    IAI_CALLGRIND_RUNNER=$runner IAI_CALLGRIND_HOME=$home labelled bash -eo pipefail -c "$INPUT_RUN"
    merge "$new" "$home"
fi

# The next pull requests compare with it. It is kept before anything is judged, so that a regression
# on the main branch becomes the next base.
if [ "$GITHUB_EVENT_NAME" = push ] && [ -z "$INPUT_PART" ]; then
    cp "$new" "$base"
fi
