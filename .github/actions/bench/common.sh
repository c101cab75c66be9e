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

# The version of iai-callgrind that the workspace here depends on; nothing if it does not.
version_here() {
    cargo metadata --format-version 1 |
        jq -r '[.packages[] | select(.name == "iai-callgrind") | .version] | last // empty'
}

# The directory of the runner of a version.
tools_of() {
    printf '%s/%s' "$tools" "$1"
}

# The runner of a version: that of the user, or an installed one.
runner_of() {
    printf '%s' "${IAI_CALLGRIND_RUNNER:-$(tools_of "$1")/bin/iai-callgrind-runner}"
}

# Installs the runner of a version unless it is there. Its directory is its own: with restored metadata of cargo,
# `cargo binstall` would believe that the program exists.
install_runner() {
    local version=$1
    local runner root
    runner=$(runner_of "$version")
    root=$(tools_of "$version")
    if [ -x "$runner" ]; then
        return
    fi
    if [ -n "${IAI_CALLGRIND_RUNNER:-}" ]; then
        annotate error "IAI_CALLGRIND_RUNNER names $runner, which cannot be executed"
        return 1
    fi
    if cargo binstall -V >/dev/null 2>&1; then
        cargo binstall --no-confirm --root "$root" "iai-callgrind-runner@$version" && return
    fi
    cargo install --locked --root "$root" --version "$version" iai-callgrind-runner
}

# Measures in this directory with the runner of a version and merges the results: `measure VERSION FILE HOME`. The home
# begins empty: what an earlier job, or another label, left there was not measured now.
measure() {
    local version=$1 file=$2 home=$3
    local runner
    rm -rf "$home"
    runner=$(runner_of "$version")
    local -a options=(-o "$file")
    (
        export IAI_CALLGRIND_RUNNER=$runner IAI_CALLGRIND_HOME=$home
        if [ -n "${INPUT_LABEL:-}" ]; then
            export IAI_CALLGRIND_LABEL=$INPUT_LABEL
        fi
        if [ -n "${INPUT_PART:-}" ]; then
            export IAI_CALLGRIND_PARTITION=hash:$INPUT_PART
        fi
        # As GitHub runs commands: the first that fails ends them.
        bash -eo pipefail -c "$INPUT_RUN"
    ) || return
    if [ -n "${INPUT_PART:-}" ]; then
        options+=(--allow-missing)
    fi
    "$runner" merge "${options[@]}" "$home"
}
