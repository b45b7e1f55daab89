// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strict counters with ranges and opcodes (libmontecito.h): on each of two processors they
 * take the registers that hold these from the guest, see a guest that writes one of them, and
 * give back what it had, whatever the counters have done meanwhile.
 */
#include "tap.h"

#define CORES 2

/* Registers that hold ranges and opcodes */
static const struct {
	uint32_t cls, first, number;
} held[] = {
	{ MONTECITO_REG_PMC, 32, 5 }, { MONTECITO_REG_PMC, 38, 1 }, { MONTECITO_REG_PMC, 41, 1 },
	{ MONTECITO_REG_IBR, 0, 8 },  { MONTECITO_REG_DBR, 0, 8 },
};

struct image {
	uint64_t value[32];
	unsigned int nr;
};

static uint64_t get(struct montecito *m, uint32_t vcpu, uint32_t cls, uint32_t index)
{
	uint64_t value;
	int ret = montecito_get_reg(m, vcpu, cls, index, &value);

	if (ret < 0)
		die(ret, "register %u of class %u", index, cls);
	return value;
}

static void set(struct montecito *m, uint32_t vcpu, uint32_t cls, uint32_t index, uint64_t value)
{
	int ret = montecito_set_reg(m, vcpu, cls, index, value);

	if (ret < 0)
		die(ret, "register %u of class %u", index, cls);
}

static struct image take(struct montecito *m, uint32_t vcpu)
{
	struct image image = { .nr = 0 };
	size_t i;
	uint32_t n;

	for (i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		for (n = 0; n < held[i].number; n++)
			image.value[image.nr++] = get(m, vcpu, held[i].cls, held[i].first + n);
	return image;
}

/* How many registers differ. */
static unsigned int differ(const struct image *a, const struct image *b)
{
	unsigned int i, n = 0;

	for (i = 0; i < a->nr; i++)
		n += a->value[i] != b->value[i];
	return n;
}

static struct montecito_event_spec *parse(const char *list, size_t *nr)
{
	struct montecito_event_spec *specs = NULL;
	char msg[512];

	*nr = 0;
	if (montecito_events_parse(list, &specs, nr, msg) < 0)
		die(EINVAL, "%s: %s", list, msg);
	return specs;
}

static void start(struct montecito *m, uint32_t vcpu, const char *list, unsigned int *counter)
{
	char msg[512];
	size_t nr;
	struct montecito_event_spec *specs = parse(list, &nr);
	int ret = montecito_strict_start(m, vcpu, specs, nr, counter, msg);

	if (ret < 0)
		die(ret, "%s: %s", list, msg);
	montecito_events_free(specs, nr);
}

/* The guest's own values: each register has another one, the second processor's others yet. */
static void fill(struct montecito *m, uint32_t vcpu)
{
	uint32_t n;

	for (n = 0; n < 8; n += 2) {
		set(m, vcpu, MONTECITO_REG_IBR, n, 0x1000 * (n + 1) + 0x100000 * vcpu);
		set(m, vcpu, MONTECITO_REG_IBR, n + 1, 0x00ffffffffff0000 | 0x10 * vcpu);
		set(m, vcpu, MONTECITO_REG_DBR, n, 0x2000 * (n + 1) + 0x100000 * vcpu);
		set(m, vcpu, MONTECITO_REG_DBR, n + 1, 0x00ffffffffff0000 | 0x10 * vcpu);
	}
}

int main(int argc, char **argv)
{
	static const char *const lists[CORES] = {
		"NOPS_RETIRED:opc=0x0/0x1ffffffffff/m,LOADS_RETIRED:opc=0x0/0x1ffffffffff/m",
		"NOPS_RETIRED:iar=0x100000-0x100040,LOADS_RETIRED:iar=0x100000-0x100040",
	};
	struct montecito_options opt = {
		.size = sizeof(opt),
		.cores = CORES,
		.threads = 1,
		.memory = MONTECITO_DEFAULT_MEMORY,
	};
	struct image before[CORES], now;
	unsigned int counter[2];
	struct montecito *m;
	char msg[512];
	uint32_t v;
	int ret;

	tap_args(argc, argv);
	opt.device = tap_device;
	ret = montecito_open(&opt, &m);
	if (ret < 0)
		die(ret, "cannot open a machine");
	ok(!montecito_strict_check(m, 0, msg) && !montecito_strict_stop(m, 0),
	   "without counters there is nothing to see and nothing to give back");
	for (v = 0; v < CORES; v++) {
		fill(m, v);
		before[v] = take(m, v);
	}
	for (v = 0; v < CORES; v++) {
		start(m, v, lists[v], counter);
		now = take(m, v);
		ok(differ(&before[v], &now) > 0, "processor %u: the counters take registers", v);
		ok(!montecito_strict_check(m, v, msg), "processor %u: the guest has written none",
		   v);
	}
	set(m, 1, MONTECITO_REG_IBR, 1, 0);
	ok(!montecito_strict_check(m, 0, msg),
	   "one that the second has written is not the first's");
	ok(montecito_strict_check(m, 1, msg) == -EBUSY && strstr(msg, "IBR1,"), "and is named: %s",
	   msg);
	ok(!montecito_strict_stop(m, 0), "the first stops");
	now = take(m, 0);
	ok_eq(differ(&before[0], &now), 0, "and has all of its own again");
	now = take(m, 1);
	ok(differ(&before[1], &now) > 0, "the second has not");
	ok(!montecito_strict_stop(m, 1), "it stops");
	now = take(m, 1);
	ok_eq(differ(&before[1], &now), 0, "and has its own, that which was written among them");
	set(m, 1, MONTECITO_REG_IBR, 1, 0);
	ok(!montecito_strict_check(m, 1, msg) && !montecito_strict_stop(m, 1) &&
		   !get(m, 1, MONTECITO_REG_IBR, 1),
	   "stopped once, it is not given back again");
	montecito_close(m);
	return tap_done();
}
