# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Bookkeeping for everything that prints TAP, on the host and in the guest.
# RESULTS, a file, takes one line "PASSED FAILED NOT-YET SECONDS NAME" per suite.

: "${RESULTS:?}"

# suite NAME COMMAND...: run it, show its output, count its lines. A suite
# that dies, breaks its plan, tests nothing or skips something has failed.
suite()
{
	local name=$1 rc log begin=$SECONDS

	shift
	log=$(mktemp)
	echo "# ---- $name"
	"$@" 2>&1 </dev/null | tee "$log"
	rc=${PIPESTATUS[0]}
	awk -v name="$name" -v rc="$rc" -v results="$RESULTS" -v took=$((SECONDS - begin)) '
		/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned += plan }
		/^ok / && /# (SKIP|XFAIL|XPASS)/ { skipped++; next }
		/^ok / { ok++ }
		/^not ok / { bad++ }
		/^# not yet: / { later++ }
		END {
			if (skipped) {
				printf "not ok - %s: %d tests skipped\n", name, skipped
				bad++
			}
			if (planned && planned != ok + bad - (skipped > 0) + skipped) {
				printf "not ok - %s: %d tests planned, %d seen\n", name,
					planned, ok + bad - (skipped > 0) + skipped
				bad++
			}
			if (!bad && !ok) {
				printf "not ok - %s: no tests (status %d)\n", name, rc
				bad++
			} else if (!bad && rc) {
				printf "not ok - %s: exit status %d\n", name, rc
				bad++
			}
			printf "%d %d %d %d %s\n", ok, bad, later, took, name >> results
		}' "$log"
	rm -f "$log"
}

# one NAME COMMAND...: a suite of one test: the command's exit status
one()
{
	suite "$1" one_test "$@"
}

one_test()
{
	local name=$1

	shift
	if "$@"; then
		echo "ok 1 - $name"
	else
		echo "not ok 1 - $name"
	fi
}
