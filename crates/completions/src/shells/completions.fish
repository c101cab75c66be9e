# Completions of iai-callgrind-runner, and of what follows `cargo bench --`, for fish.
#
# The runner is asked at each completion. Names in results may have been chosen by strangers; fish
# expands none of these lines, and quotes what it puts on the command line.

function __iai_callgrind_propose
    set -l before (commandline -opc)
    set -l typed (commandline -ct | string unescape)
    set -l found (command iai-callgrind-runner completions fish -- $before "$typed" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$typed"
    end
end

function __iai_callgrind_cargo_bench
    set -l words (commandline -opc)
    contains -- bench $words; and contains -- -- $words
end

complete -c iai-callgrind-runner -f -a '(__iai_callgrind_propose)'
complete -c cargo -n __iai_callgrind_cargo_bench -f -a '(__iai_callgrind_propose)'
