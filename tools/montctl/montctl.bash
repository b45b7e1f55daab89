# SPDX-License-Identifier: GPL-2.0-only
# bash completion for montctl, which knows itself what a word may become

_montctl()
{
	local line=${COMP_LINE:0:COMP_POINT} words behind lead i

	# bash breaks words at ":" and "="; montctl takes those that are typed.
	read -ra words <<< "$line"
	[[ $line != *[[:space:]] ]] || words+=('')
	# Words behind the cursor: the program, perhaps
	read -ra behind <<< "${COMP_LINE:COMP_POINT}"
	mapfile -t COMPREPLY < <("${words[0]}" --complete $((${#words[@]} - 2)) "${words[@]:1}" \
		"${behind[@]}" 2>/dev/null)
	if [ ${#COMPREPLY[@]} = 0 ]; then
		compopt -o default
		return
	fi
	# What precedes the last break is on the line and stays there.
	lead=${words[-1]%"${words[-1]##*[:=@]}"}
	for i in "${!COMPREPLY[@]}"; do
		case ${COMPREPLY[i]} in *[=@:]) compopt -o nospace ;; esac
		COMPREPLY[i]=${COMPREPLY[i]#"$lead"}
	done
	# A modifier or another event may follow.
	[[ ${words[-2]} != -e ]] || compopt -o nospace
}

complete -F _montctl montctl
