#!/usr/bin/env bash
# Compares with the base, measuring it here if there are no results that can be compared with. The
# exit code is the verdict.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$INPUT_WORKING_DIRECTORY"
options=(--require-comparable)
if [ -n "$INPUT_LIMITS" ]; then
    options+=("--callgrind-limits=$INPUT_LIMITS")
fi
if [ "$INPUT_STRICT" = true ]; then
    options+=(--strict)
fi
# Whether both sides can be compared does not depend on what is gone.
trial=("${options[@]}" --allow-missing)
if [ "$INPUT_ALLOW_MISSING" = true ]; then
    options=("${trial[@]}")
fi

exports=("--export=markdown=$report" "--export=html=$page")

# Measures the base with the same command; the results of the change are there already. Everything
# about the base is below the state of the label: later steps of the job, and other labels, see
# nothing of it.
measure_base() {
    if [ -z "$BASE_COMMIT" ] || [ -n "$INPUT_PARTS" ]; then
        return 1
    fi
    echo "::group::Benchmarks of the base $BASE_COMMIT"
    rm -rf "$base"
    (
        export CACHES=${XDG_CACHE_HOME:-$HOME/.cache}
        export XDG_CACHE_HOME=$state/cache IAI_CALLGRIND_AUTO_INSTALL=yes
        # Its verdict is of no interest here: `compare` has one for results from the cache as well.
        # The shell that runs the command replaces the variables.
        # shellcheck disable=SC2016
        labelled "$runner" bench "--base=$BASE_COMMIT" "--branch=$new" \
            '--with=XDG_CACHE_HOME=$CACHES bash -eo pipefail -c "$INPUT_RUN"' >/dev/null || true
        # Results that are whole; there are none if the base does not build.
        if compgen -G "$XDG_CACHE_HOME/iai-callgrind/*/results/*" >/dev/null; then
            merge "$base" "$XDG_CACHE_HOME"/iai-callgrind/*/results/* || rm -f "$base"
        fi
        "$runner" bench --prune
    ) || true
    echo '::endgroup::'
    [ -s "$base" ]
}

# Whether there are results of the base from the cache that can be read, and are of its commit: an
# empty base, or another one, would be a green comparison.
have_base() {
    [ -s "$base" ] || return
    local readable=$state/readable.jsonl
    "$runner" merge --allow-missing --without-digests -o "$readable" "$base" &&
        jq -en --arg base "$BASE_COMMIT" '
            [inputs | select(.type == "benchmark") | .source.commit // $base] as $commits
            | $commits != [] and all($commits[]; . as $commit | $base | startswith($commit))' "$readable" >/dev/null &&
        return
    annotate warning 'the kept results of the base cannot be read, or are of another commit; the base is measured again'
    rm -rf "$base"
    return 1
}

# Reports on the new side alone.
without_base() {
    local code=0
    annotate warning 'there are no results of the base: nothing is compared'
    "$runner" report "${options[@]:1}" --format=github "${exports[@]}" "$new" || code=$?
    if [ "$code" -eq 0 ] && [ "$INPUT_STRICT" = true ]; then
        code=1
    fi
    output verdict no-baseline
    exit "$code"
}

old=
case $INPUT_BASE in
    none) ;;
    auto)
        # A push is the base of others.
        if [ "$GITHUB_EVENT_NAME" != push ]; then
            old=$base
            have_base || measure_base || old=
        fi
        ;;
    *) old=$INPUT_BASE ;;
esac

if [ -n "$INPUT_PART" ]; then
    output verdict part
    exit
fi
if [ -z "$old" ] && [ "$GITHUB_EVENT_NAME" != push ] && [ "$INPUT_BASE" = auto ]; then
    without_base
fi

code=0
if [ -z "$old" ]; then
    "$runner" report "${options[@]:1}" --format=github "${exports[@]}" "$new" || code=$?
else
    # Whether both sides can be compared is known before anything is reported.
    "$runner" compare "${trial[@]}" --format=json "$old" "$new" >/dev/null 2>&1 || code=$?
    if [ "$code" -eq 4 ] && [ "$old" = "$base" ] && [ -n "$BASE_COMMIT" ]; then
        measure_base || without_base
    fi
    code=0
    "$runner" compare "${options[@]}" --format=github "${exports[@]}" \
        "--export=json=$state/comparison.json" "$old" "$new" || code=$?
fi

case $code in
    0) output verdict ok ;;
    3) output verdict regressed ;;
    # `incomplete` or `not_comparable`.
    4) output verdict "$(jq -r .outcome "$state/comparison.json" | tr _ -)" ;;
    *) output verdict failed ;;
esac
exit "$code"
