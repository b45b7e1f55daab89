#compdef montctl
# SPDX-License-Identifier: GPL-2.0-only
# zsh completion for montctl, which knows itself what a word may become

local -a reply
reply=("${(@f)$($words[1] --complete $((CURRENT - 2)) "${(@Q)words[2,-1]}" 2>/dev/null)}")
reply=(${reply:#})
if (( $#reply )); then
	# No space behind what goes on: "--param NAME=", "EVENT:t=", a list of events
	if [[ $words[CURRENT-1] == -e ]]; then
		compadd -S '' -a reply
	else
		compadd -S '' -- ${(M)reply:#*[=@:]}
		compadd -- ${reply:#*[=@:]}
	fi
else
	_files
fi
