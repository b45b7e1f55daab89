#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# run.sh KO_PATH
# Loads the module and runs every test of this folder on it, where that may be
# done: a virtual machine's root. Prints TAP, one line per program and theirs
# indented; exits with 0 if all passed and the kernel log stayed clean.
# KSELFTEST_DIR: where the built programs are (default: beside this script).
ko=${1:?usage: run.sh KO_PATH}
dir=${KSELFTEST_DIR:-$(dirname "$0")}
tests="abi_test memory_test run_test regs_test pmu_test ring_test lifetime_test netlink_test"
n=0 failed=0

result()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		failed=$((failed + 1))
	fi
}

# What no test may leave in the kernel log.
log_clean()
{
	! dmesg | grep -E 'BUG|WARNING|Oops|KASAN|KCSAN|UBSAN|KFENCE|kmemleak|lockdep|possible (recursive|circular)|INFO: |general protection|unable to handle|refcount_t|soft lockup|hung task|Call Trace' |
		sed 's/^/# dmesg: /' | grep .
}

echo "TAP version 13"
set -- $tests
echo "1..$(($# + 4))"
dmesg -C 2>/dev/null || dmesg -c >/dev/null

insmod "$ko"
result $? "insmod"
if [ ! -c /dev/montecito ]; then
	echo "Bail out! no /dev/montecito"
	exit 1
fi
for t in $tests; do
	echo "# $t"
	if [ -x "$dir/$t" ]; then
		timeout 300 "$dir/$t" > /tmp/kselftest.$$ 2>&1
		rc=$?
		sed 's/^/    /' /tmp/kselftest.$$
		# A test that ran nothing has not passed.
		grep -q '^ok ' /tmp/kselftest.$$ || rc=1
		grep -q '^1\.\.' /tmp/kselftest.$$ || rc=1
		grep -q '^not ok ' /tmp/kselftest.$$ && rc=1
		rm -f /tmp/kselftest.$$
	else
		echo "# $dir/$t is not built"
		rc=1
	fi
	result $rc "$t"
done
rmmod montecito
result $? "rmmod"
# Again, to see that the first time left nothing behind.
insmod "$ko" && [ -c /dev/montecito ] && rmmod montecito && [ ! -e /dev/montecito ]
result $? "insmod and rmmod again"
log_clean
result $? "the kernel log is clean"
[ "$failed" -eq 0 ] || echo "# $failed of $n failed"
[ "$failed" -eq 0 ]
