# SPDX-License-Identifier: GPL-2.0-only
# bash completion for montctl

_montctl_events()
{
	local base=${cur##*,} lead=

	[[ $cur == *,* ]] && lead=${cur%,*},
	# Names only; modifiers begin at a colon.
	mapfile -t COMPREPLY < <(compgen -P "$lead" -W \
		"$("${words[0]}" events 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "${base^^}")
	compopt -o nospace
}

_montctl()
{
	local cur prev words=("${COMP_WORDS[@]}") cmd
	local machine='--in-process --device --timing --param --cores --threads --memory --alat --budget'
	local program='--page-size --env --argv0 --time-from --time-to'
	local options=

	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD - 1]}
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W \
			'run boot stat record report annotate events pmc pmd pal monitor info help --help --version' -- "$cur")
		return
	fi
	cmd=${COMP_WORDS[1]}
	case $prev in
	--timing | --alat)
		mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$cur")
		return
		;;
	--param)
		mapfile -t COMPREPLY < <(compgen -S = -W \
			"$("${words[0]}" info --params --in-process 2>/dev/null |
				awk '!/ fixed /{ print $1 }')" -- "$cur")
		compopt -o nospace
		return
		;;
	--cores | --threads)
		mapfile -t COMPREPLY < <(compgen -W '1 2' -- "$cur")
		return
		;;
	--page-size)
		mapfile -t COMPREPLY < <(compgen -W '4K 8K 16K 64K' -- "$cur")
		return
		;;
	--memory | --budget | --env | --argv0 | --time-from | --time-to | --address | -c | -n)
		return
		;;
	-e)
		_montctl_events
		return
		;;
	esac
	case $cmd in
	run) options="$machine $program --hash" ;;
	boot) options="$machine --time-from --time-to --kernel --initrd --append --realtime --stat --record -e -c -j -o --system-map --save --restore --address --regs --hash" ;;
	stat) options="$machine $program -e -j -o --strict" ;;
	record) options="$machine $program -e -c -o" ;;
	report) options='-i -j --json -a -n' ;;
	annotate) options='-i -j --json -e' ;;
	events) options='-j -l --counted --presets' ;;
	pmc | pmd) options='get set -j -p' ;;
	pal) options="perf-mon-info call $machine --machine -j --as-printed" ;;
	monitor) options='-j -n -p' ;;
	info) options='-j --cycles --params --in-process --device' ;;
	esac
	if [[ $cur == -* ]] || [ "$cmd" = pal ] || [ "$cmd" = pmc ] || [ "$cmd" = pmd ]; then
		mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$cur")
	else
		compopt -o default
	fi
}

complete -F _montctl montctl
