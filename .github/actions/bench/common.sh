# shellcheck shell=bash
# What the scripts of the action share; each of them sources it.
set -euo pipefail

# An annotation of the run: `annotate warning TEXT`.
annotate() {
    local text=${2//'%'/%25}
    text=${text//$'\r'/%0D}
    printf '::%s title=Iai-Callgrind::%s\n' "$1" "${text//$'\n'/%0A}"
}

# The label becomes a directory, the name of an artifact and an output.
label=${INPUT_LABEL:-default}
if ! [[ $label =~ ^[A-Za-z0-9_+-][A-Za-z0-9_.+-]*$ ]]; then
    annotate error "the input label takes letters of ASCII, digits, '_', '-', '.' and '+', and does not begin with '.'"
    exit 2
fi
# Two labels in one job share nothing but the programs.
state=$RUNNER_TEMP/iai-callgrind/labels/$label
tools=$RUNNER_TEMP/iai-callgrind/tools
# shellcheck disable=SC2034 # those that source this use them
{
    # The directory of the installed runner; the user may have another runner. `plan.sh` finds out
    # the version.
    tool=$tools/${RUNNER_VERSION:-}
    runner=${IAI_CALLGRIND_RUNNER:-$tool/bin/iai-callgrind-runner}
    new=$state/new/results.jsonl
    base=$state/base/results.jsonl
    report=$state/report.md
    page=$state/page.html
}
mkdir -p "$state/new" "$state/base"

# Sets an output of the step. A second line would be an output as well.
output() {
    if [[ $2 == *[[:cntrl:]]* ]]; then
        annotate error "the output $1 of the action would have a control character; look for it in the inputs"
        exit 2
    fi
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# Runs a command with the label and the part of this job, which both sides have.
labelled() {
    (
        if [ -n "${INPUT_LABEL:-}" ]; then
            export IAI_CALLGRIND_LABEL=$INPUT_LABEL
        fi
        if [ -n "${INPUT_PART:-}" ]; then
            export IAI_CALLGRIND_PARTITION=hash:$INPUT_PART
        fi
        "$@"
    )
}

# Merges the results of homes: `merge FILE HOME...`. A part lacks those of the others.
merge() {
    "$runner" merge -o "$1" ${INPUT_PART:+--allow-missing} "${@:2}"
}
