# SPDX-License-Identifier: GPL-2.0-only
# fish completion for montctl, which knows itself what a word may become

function __montctl_complete
    set -l before (commandline -opc)
    set -l cur (commandline -ct)
    $before[1] --complete (math (count $before) - 1) $before[2..-1] $cur 2>/dev/null
end

# Where it knows no word, a file
complete -c montctl -n 'test -n "$(__montctl_complete)"' -f -a '(__montctl_complete)'
