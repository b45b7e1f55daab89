// SPDX-License-Identifier: GPL-2.0-only
/*
 * A system, firmware and devices included, does not depend on how its run is cut
 * into slices, and goes on where it was saved. With programs: a Linux kernel and
 * its initial file system, instead of the platform's own guest.
 */
#include "tap.h"

/* What a system is given and what it has said. */
struct surroundings {
	const char *input;
	uint64_t seed;
	uint64_t hash; /* of the output */
	size_t len;
};

static void output(void *arg, uint8_t byte)
{
	struct surroundings *c = arg;

	c->hash = (c->hash ^ byte) * 0x100000001b3ULL;
	c->len++;
}

static int input(void *arg, bool wait)
{
	struct surroundings *c = arg;

	(void)wait;
	return *c->input ? *c->input++ : MONTECITO_INPUT_END;
}

/* Mostly short slices, some long, some of a few cycles. */
static uint64_t slice(void *arg)
{
	struct surroundings *c = arg;

	c->seed = c->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return 1 + (c->seed >> 33) % (1ULL << (c->seed >> 60) * 2);
}

struct run {
	struct montecito *m;
	struct montecito_system *s;
	struct surroundings c;
};

static const char *kernel, *initrd, *append, *keys;
static uint64_t memory;

static void start(struct run *r, uint32_t threads, uint64_t seed, uint64_t budget)
{
	const struct montecito_system_options so = {
		.output = output,
		.input = input,
		.arg = &r->c,
		.slice = seed ? slice : NULL,
		.budget = budget,
	};
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const struct montecito_options mo = {
		.device = tap_device,
		.cores = threads > 2 ? 2 : 1,
		.threads = threads > 1 ? 2 : 1,
		.config = MONTECITO_SYSTEM_CONFIG,
		.regions = region,
		.nr_regions = montecito_system_regions(memory, region),
	};
	struct montecito_boot boot = {
		.initrd = initrd,
		.append = append,
		.system = true,
	};
	struct montecito_image *img;
	const char *what, *why;
	int ret;

	memset(&r->c, 0, sizeof(r->c));
	r->c.input = keys;
	r->c.seed = seed;
	ret = montecito_open(&mo, &r->m);
	if (ret < 0)
		die(ret, "cannot open a machine");
	ret = montecito_system_open(r->m, &so, &r->s);
	if (ret < 0)
		die(ret, "cannot make a system");
	ret = montecito_image_open(kernel, &img, &why);
	if (ret < 0)
		die(ret, "%s: %s", kernel, why ? why : "");
	boot.image = img;
	ret = montecito_system_load(r->s, &boot, &what, &why);
	if (ret < 0)
		die(ret, "%s: %s", what ? what : kernel, why ? why : "");
	montecito_image_close(img);
}

static enum montecito_end go(struct run *r)
{
	enum montecito_end end;
	int ret = montecito_system_run(r->s, &end);

	if (ret < 0)
		die(ret, "the machine stopped");
	return end;
}

static uint64_t hash(struct run *r)
{
	uint64_t h;
	int ret = montecito_system_hash(r->s, &h);

	if (ret < 0)
		die(ret, "no hash");
	return h;
}

static void finish(struct run *r)
{
	montecito_system_close(r->s);
	montecito_close(r->m);
}

static void slices(uint32_t threads, uint64_t want, const struct surroundings *said)
{
	uint64_t seed;
	struct run r;

	for (seed = 1; seed <= 3; seed++) {
		start(&r, threads, seed * 0x9e3779b97f4a7c15ULL, 0);
		ok(go(&r) == MONTECITO_END_POWEROFF, "%u processors, slices %" PRIu64 ": power-off",
		   threads, seed);
		ok(r.c.len == said->len && r.c.hash == said->hash, "the same output");
		ok_eq(hash(&r), want, "the same state of machine and devices");
		finish(&r);
	}
}

/* Save in the middle; the system goes on in another one. */
static void moved(uint32_t threads, uint64_t insns, uint64_t want, const struct surroundings *said)
{
	struct run r, other;
	uint64_t middle;
	void *blob;
	size_t len;
	int ret;

	start(&r, threads, 0, insns / 2);
	ok(go(&r) == MONTECITO_END_BUDGET, "%u processors: stopped in the middle", threads);
	ret = montecito_system_save(r.s, &blob, &len);
	if (ret < 0)
		die(ret, "cannot save");
	middle = hash(&r);
	start(&other, threads, 0, 0);
	other.c = r.c;
	finish(&r);
	ok(montecito_system_restore(other.s, blob, len - 8) == -EINVAL, "a short blob is refused");
	ret = montecito_system_restore(other.s, blob, len);
	ok(!ret, "restored");
	ok_eq(hash(&other), middle, "the state that was saved");
	ok(go(&other) == MONTECITO_END_POWEROFF, "it goes on to its end");
	ok(other.c.len == said->len && other.c.hash == said->hash, "with the same output");
	ok_eq(hash(&other), want, "and the same state");
	finish(&other);
	free(blob);
}

int main(int argc, char **argv)
{
	static const uint32_t counts[] = { 1, 2, 4 };
	char path[4096], line[8];
	unsigned int i;

	tap_args(argc, argv);
	for (i = 0; i < 3; i++) {
		struct run r;
		uint64_t want, cycles, insns;

		if (tap_nr_programs == 2) {
			kernel = tap_program[0];
			initrd = tap_program[1];
			append = "quiet";
			keys = "\004ls /\npoweroff -f\n";
			memory = 256ULL << 20;
		} else {
			snprintf(path, sizeof(path), "%s/platform.elf", tap_guests);
			kernel = path;
			snprintf(line, sizeof(line), "%up", counts[i]);
			append = line;
			keys = "x";
			memory = 80ULL << 20;
		}
		start(&r, counts[i], 0, 0);
		ok(go(&r) == MONTECITO_END_POWEROFF, "%u processors: power-off", counts[i]);
		want = hash(&r);
		slices(counts[i], want, &r.c);
		montecito_system_time(r.s, &cycles, &insns);
		moved(counts[i], insns, want, &r.c);
		finish(&r);
	}
	return tap_done();
}
