# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Bookkeeping of the tests with the host's own tools: TAP, a folder, and what they all name.
top=$(realpath "$(dirname "$(realpath "$0")")/../..")
montctl=$top/tools/montctl/montctl
program=$top/build/guest/workload.elf
pmu=/sys/bus/event_source/devices/montecito
insts=montecito/ia64_inst_retired.this/
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# perf would look for the kernel's own symbols through all of its files.
record=(perf record -q -B -N -o "$work/data")
n=0 failed=0

ok()
{
	local what=$1

	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		failed=1
	fi
}

# shellcheck disable=SC2317 # called by way of ok()
same()
{
	[ "$1" = "$2" ] && return
	echo "# $1"
	echo "# not $2"
	return 1
}

# says TEXT FILE: TEXT, a regular expression, has to be in what a command has printed.
# shellcheck disable=SC2317 # called by way of ok()
says()
{
	tr -s ' \n' ' ' < "$2" | grep -qE -- "$1" && return
	sed 's/^/# /' "$2" | head -n 20
	return 1
}

# repeat N EVENT: as options of perf's, in $events
repeat()
{
	local i

	events=()
	for ((i = 0; i < $1; i++)); do
		events+=(-e "$2")
	done
}

# EVENT,... of a machine's run, one "event count" a line: with montctl
by_montctl()
{
	local list=$1

	shift
	"$montctl" stat -j -e "$list" "$@" 2>&1 >/dev/null |
		python3 -c 'import json, sys
for e in json.load(sys.stdin)["events"]: print(e["event"], e["count"])'
}

# All that perf stat -x ' ' has counted, of events, CPUs and intervals
sum() { awk '{ for (i = 1; i < NF; i++) if ($(i + 1) ~ /^montecito/) n += $i } END { print n + 0 }' "$1"; }

done_testing()
{
	echo "1..$n"
	exit $failed
}
