#compdef iai-callgrind-runner
# Completions of iai-callgrind-runner, and of what follows `cargo bench --`, for zsh.
#
# The runner is asked at each completion. Names in results may have been chosen by strangers, so
# nothing here expands them; `compadd` quotes what it puts on the command line.

_iai_callgrind_propose() {
    local line found=
    local -a typed described valued end
    typed=("${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")
    for line in "${(@f)$(command iai-callgrind-runner completions zsh -- "${typed[@]}" 2>/dev/null)}"; do
        if [[ $line == *$'\t'* ]]; then
            # A word of ours, with its help.
            line=${line//:/\\:}
            if [[ $line == *=$'\t'* ]]; then
                valued+=("${line/$'\t'/:}")
            else
                described+=("${line/$'\t'/:}")
            fi
        elif [[ -n $line ]]; then
            end=()
            [[ $line == *[=:] ]] && end=(-S '')
            compadd "${end[@]}" -- "$line" && found=yes
        fi
    done
    if (( $#described || $#valued )); then
        # No blank follows an option that needs a value.
        _describe word described -- valued -S '' && found=yes
    fi
    if [[ -z $found ]]; then
        [[ $PREFIX == --*=* ]] && compset -P '--*='
        _files
    fi
}

# What does not follow `cargo bench --` is left to the completions of cargo.
_iai_callgrind_cargo_bench() {
    local bench=${words[(i)bench]} dashes=${words[(i)--]}
    if (( bench < dashes && dashes < CURRENT )); then
        _iai_callgrind_propose
    else
        _cargo "$@"
    fi
}

if (( $+functions[compdef] )); then
    autoload -Uz _cargo
    compdef _iai_callgrind_propose iai-callgrind-runner
    compdef _iai_callgrind_cargo_bench cargo
fi
# Where the file is the function of a directory in `fpath`.
if [[ ${funcstack[1]} == _iai-callgrind-runner ]]; then
    _iai_callgrind_propose "$@"
fi
