# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Bookkeeping for everything that prints TAP, on the host and in the guest.
# RESULTS, a file, takes one line "PASSED FAILED NOT-YET WALL CPU NAME" per suite, times
# in seconds, and behind it, after a "!", what its first failures said.

: "${RESULTS:?}"

# suite NAME COMMAND...: run it, show its output, count its lines. A suite
# that dies, breaks its plan, tests nothing or skips something has failed.
suite()
{
	local name=$1 rc log TIMEFORMAT='%R %U %S'

	shift
	log=$(mktemp)
	echo "# ---- $name"
	{ time "$@" 2>&1 </dev/null; } 2>"$log.time" | tee "$log"
	rc=${PIPESTATUS[0]}
	awk -v name="$name" -v rc="$rc" -v results="$RESULTS" -v times="$(cat "$log.time")" '
		function fail(why)
		{
			print "not ok - " name ": " why
			said = said "!   not ok - " why "\n"
			bad++
		}
		/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned += plan }
		/^ok / && /# (SKIP|XFAIL|XPASS)/ { skipped++; next }
		/^# not yet: / { later++ }
		/^ok / { ok++ }
		/^not ok / { bad++ }
		/^not ok / && bad <= 5 { said = said before "!   " $0 "\n"; behind = 3 }
		/^(not )?ok / { before = "" }
		/^ok / { behind = 0 }
		/^#/ && behind-- > 0 { said = said "!   " $0 "\n"; next }
		/^#/ { before = "!   " $0 "\n" }
		END {
			if (skipped)
				fail(skipped " tests skipped")
			if (planned && planned != ok + bad - (skipped > 0) + skipped)
				fail(planned " tests planned, " \
				     ok + bad - (skipped > 0) + skipped " seen")
			if (!bad && !ok)
				fail("no tests (status " rc ")")
			else if (!bad && rc)
				fail("exit status " rc)
			split(times, t)
			printf "%d %d %d %.1f %.1f %s\n", ok, bad, later, t[1], t[2] + t[3], name >> results
			printf "%s", said >> results
		}' "$log"
	rm -f "$log" "$log.time"
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
