# Completions of iai-callgrind-runner, and of what follows `cargo bench --`, for bash 3.2 and later.
#
# The runner is asked at each completion. Names in results may have been chosen by strangers, so
# nothing here expands them, and they are quoted before they get on the command line.

# The words up to the cursor, in `words`. Bash divides words at `=` and `:` as well.
_iai_callgrind_words() {
    local i last word rest=${COMP_LINE:0:COMP_POINT}
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if ((i == 0)) || [[ $rest == [[:blank:]]* ]]; then
            rest=${rest#"${rest%%[![:blank:]]*}"}
            words+=("")
        fi
        word=${COMP_WORDS[i]}
        [[ $rest == "$word"* ]] || word=$rest
        last=$((${#words[@]} - 1))
        words[last]+=$word
        rest=${rest#"$word"}
    done
}

_iai_callgrind_propose() {
    local breaks line typed before="" words
    _iai_callgrind_words
    typed=${words[${#words[@]} - 1]}
    # Bash replaces what follows the last of these in a word.
    breaks=${COMP_WORDBREAKS//[!=:@]/}
    if [[ $breaks && $typed == *["$breaks"]* ]]; then
        before=${typed%"${typed##*["$breaks"]}"}
    fi
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == *[=:] ]]; then
            compopt -o nospace 2>/dev/null
        fi
        if [[ $line == *[!a-zA-Z0-9_./:=,@%+-]* ]]; then
            printf -v line %q "$line"
        fi
        COMPREPLY+=("${line#"$before"}")
    done < <(command iai-callgrind-runner completions bash -- "${words[@]//\\/}" 2>/dev/null)
}
complete -o bashdefault -o default -F _iai_callgrind_propose iai-callgrind-runner

# What does not follow `cargo bench --` is left to the completions of cargo.
if ! complete -p cargo >/dev/null 2>&1; then
    if declare -F _comp_load >/dev/null; then
        _comp_load cargo
    elif declare -F _completion_loader >/dev/null; then
        _completion_loader cargo
    fi
fi
__iai_callgrind_cargo=$(complete -p cargo 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')

_iai_callgrind_cargo_bench() {
    local i bench=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == bench ]]; then
            bench=yes
        elif [[ ${COMP_WORDS[i]} == -- && $bench ]]; then
            _iai_callgrind_propose
            return 0
        fi
    done
    if [[ $__iai_callgrind_cargo && $__iai_callgrind_cargo != "${FUNCNAME[0]}" ]]; then
        "$__iai_callgrind_cargo" "$@"
    fi
}
complete -o bashdefault -o default -F _iai_callgrind_cargo_bench cargo
