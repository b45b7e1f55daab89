# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Jobs: suites of tests, and what is built for them, side by side on as many processors
# as there are. A job is a session of its own: whatever it started ends with it. Its output
# is kept, and printed whole when it ends.
#
# Below $jobs, for each job: output, results (as lib.sh writes them) and time, the
# seconds WALL USER SYSTEM. A job passes when its command came to its end, status 0, and
# has results of which none failed. One whose need did not pass does not run, and fails.

: "${jobs:?}"
declare -A job_suite job_needs job_command
declare -a job_names=()

# job NAME SUITE NEEDS COMMAND...: SUITE is what SUITES may name, - for what is only
# needed; NEEDS are names of jobs. Those declared first begin first.
job()
{
	job_names+=("$1")
	job_suite[$1]=$2 job_needs[$1]=$3
	job_command[$1]=$(printf '%q ' "${@:4}")
}

# The process that is one job: "selftests/run --job NAME", RESULTS given.
job_run()
{
	local TIMEFORMAT='%R %U %S'

	{ time eval "${job_command[$1]}" 2>&1; } 2>"$jobs/$1/time"
}

# Processes of a session
job_processes()
{
	cat /proc/[0-9]*/stat 2>/dev/null |
		awk -v session="$1" '{ pid = $1; sub(/^.*\) /, "") } $4 == session { print pid }'
}

# job_end SESSION SIGNAL: what is left of it goes.
job_end()
{
	local left

	left=$(job_processes "$1")
	# shellcheck disable=SC2086 # one word per process
	[ -z "$left" ] || kill "-$2" $left 2>/dev/null
}

# job_failed NAME WHY: a failure that no suite has told of
job_failed()
{
	echo "not ok - job $1: $2"
	printf '0 1 0 0 0 the job itself\n!   not ok - %s\n' "$2" >> "$jobs/$1/results"
}

# The jobs of these suites and all that they need, in the order of their declaration;
# behind them needs that no job meets
jobs_wanted()
{
	local name need more=1
	local -A wanted

	for name in "${job_names[@]}"; do
		case " $* " in *" ${job_suite[$name]} "*) wanted[$name]=1;; esac
	done
	while [ "$more" = 1 ]; do
		more=0
		for name in "${!wanted[@]}"; do
			for need in ${job_needs[$name]:-}; do
				[ -z "${wanted[$need]:-}" ] || continue
				wanted[$need]=1 more=1
			done
		done
	done
	for name in "${job_names[@]}"; do
		[ -z "${wanted[$name]:-}" ] || echo "$name"
		unset "wanted[$name]"
	done
	for name in "${!wanted[@]}"; do
		echo "$name"
	done
}

# jobs_run NAME...: all of them, JOBS at a time, none longer than JOB_LIMIT seconds.
# With RESUME=KEY, a job that has passed in a run of that key is not run again.
jobs_run()
{
	local name need pid rc state_of_need begin=$SECONDS
	local -A state=() name_of=()

	mkdir -p "$jobs"
	for name; do
		state[$name]=waiting
		if [ -n "${RESUME:-}" ] && [ "$(cat "$jobs/$name/passed" 2>/dev/null)" = "$RESUME" ]; then
			echo "# ==== $name: has passed before"
			state[$name]=passed
			continue
		fi
		rm -rf "${jobs:?}/$name"
		mkdir -p "$jobs/$name"
		: > "$jobs/$name/results"
		if [ -z "${job_command[$name]:-}" ]; then
			job_failed "$name" "there is no such job"
			state[$name]=failed
		fi
	done
	trap 'jobs_stop "${!name_of[@]}"; jobs_told "$@"; exit 130' INT TERM HUP
	while :; do
		for name; do
			[ "${state[$name]}" = waiting ] || continue
			[ ${#name_of[@]} -lt "$JOBS" ] || break
			for need in ${job_needs[$name]}; do
				state_of_need=${state[$need]:-unknown}
				case $state_of_need in
				passed) ;;
				waiting|running) continue 2;;
				*)
					job_failed "$name" "not run: $need has not passed"
					state[$name]=failed
					continue 2
					;;
				esac
			done
			echo "# begins after $((SECONDS - begin)) s: $name"
			RESULTS=$jobs/$name/results setsid timeout --foreground -k 10 "$JOB_LIMIT" \
				"$0" --job "$name" >"$jobs/$name/output" 2>&1 </dev/null &
			name_of[$!]=$name
			state[$name]=running
		done
		[ ${#name_of[@]} -gt 0 ] || break
		wait -n -p pid "${!name_of[@]}"
		rc=$?
		name=${name_of[$pid]}
		unset "name_of[$pid]"
		job_end "$pid" KILL
		echo
		echo "# ==== $name"
		cat "$jobs/$name/output"
		if [ "$rc" = 124 ] || [ "$rc" = 137 ]; then
			job_failed "$name" "ended after $JOB_LIMIT s, or killed (status $rc)"
		elif [ "$rc" != 0 ] || [ ! -s "$jobs/$name/time" ]; then
			job_failed "$name" "died (status $rc)"
		elif ! grep -q '^[0-9]' "$jobs/$name/results"; then
			job_failed "$name" "has no results"
		fi
		if awk '$1 != "!" && $2 > 0 { bad = 1 } END { exit !bad }' "$jobs/$name/results"; then
			state[$name]=failed
		else
			state[$name]=passed
			echo "${RESUME:-}" > "$jobs/$name/passed"
		fi
	done
	trap - INT TERM HUP
	for name; do
		[ "${state[$name]}" != waiting ] || job_failed "$name" "never ran: its needs wait for it"
	done
}

# jobs_stop SESSION...: the run is broken off
jobs_stop()
{
	local session name

	trap '' INT TERM HUP
	for session; do
		job_end "$session" TERM
	done
	[ $# = 0 ] || sleep 1
	for session; do
		job_end "$session" KILL
	done
	for name in "${!state[@]}"; do
		case ${state[$name]} in
		waiting|running) job_failed "$name" "broken off";;
		esac
	done
}

# jobs_told NAME...: what each took, failures, and the last line: "N passed, N failed"
jobs_told()
{
	local name

	for name; do
		awk -v job="$name" -v file="$jobs/$name/time" '
			BEGIN { if ((getline < file) > 0) { wall = $1; cpu = $2 + $3 } }
			$1 != "!" { ok += $1; bad += $2 }
			END { printf "%.0f %.0f %d %d %s\n", wall, cpu, ok, bad, job }' "$jobs/$name/results"
	done | sort -k 2,2nr | awk -v wall=$SECONDS -v jobs="$JOBS" '
		BEGIN {
			print "\n# what each took, in seconds"
			printf "# %7s %7s %7s %7s\n", "wall", "CPU", "passed", "failed"
		}
		{ printf "# %7d %7d %7d %7d  %s\n", $1, $2, $3, $4, $5; cpu += $2; ok += $3; bad += $4 }
		END { printf "# %7d %7d %7d %7d  in all, %d at a time\n", wall, cpu, ok, bad, jobs }'
	for name; do
		sed "s|^[0-9].*|& ($name)|" "$jobs/$name/results"
	done > "$jobs/results" 2>/dev/null
	echo "# suites of 5 seconds and more"
	awk '$1 != "!" && $4 >= 5 { printf "# %7d %7d ", $4, $5
		for (i = 6; i <= NF; i++) printf " %s", $i
		print "" }' "$jobs/results" | sort -k 2,2nr
	awk '	$1 == "!" { print "# " substr($0, 3); next }
		{ ok += $1; bad += $2; later += $3 }
		$2 { printf "# failed: %d in", $2; for (i = 6; i <= NF; i++) printf " %s", $i; print "" }
		END {
			if (later) printf "# %d not yet expected to pass\n", later
			if (!ok && !bad) bad = 1
			printf "%d passed, %d failed\n", ok, bad
			exit bad > 0
		}' "$jobs/results"
}
