// SPDX-License-Identifier: GPL-2.0-only
/*
 * work_cost [GUEST]: what a unit of work costs, guest by guest of hostile.c. No test:
 * it prints the numbers in Documentation/locking.rst. Measure in plain user-mode Linux:
 *
 *	tools/vm/run -k uml -s $PWD -- sh -c "insmod $PWD/build/check/uml/montecito.ko &&
 *		$PWD/build/kselftest/work_cost"
 */
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "hostile.h"

#define ROUNDS 300
/* Nanoseconds of a unit. */
static double measure(const char *name)
{
	struct montecito_machine_info i = { .size = sizeof(i) };
	int m = hostile_machine(name);
	uint32_t count;
	double t;

	t = hostile_slice(m, ROUNDS, &count);
	if (call(m, MONTECITO_MACHINE_INFO, &i))
		bail("machine info");
	hostile_close(m);
	printf("%-20s %5u slices, %6llu units at most, %5.0f us each: %5.1f ns a unit\n", name,
	       count, (unsigned long long)i.work, t * 1e6, t / i.work * 1e9);
	return t / i.work * 1e9;
}

int main(int argc, char **argv)
{
	struct montecito_info info = { .size = sizeof(info) };
	double unit, worst = 0;
	unsigned int n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (call(open_device(), MONTECITO_INFO, &info))
		bail("info");
	for (n = 0; hostile_name(n); n++) {
		if (argc > 1 && strcmp(argv[1], hostile_name(n)))
			continue;
		unit = measure(hostile_name(n));
		worst = unit > worst ? unit : worst;
	}
	printf("a unit costs %.1f ns at most; W, %llu units, %.2f ms\n", worst,
	       (unsigned long long)info.work, worst * info.work / 1e6);
	return 0;
}
