// SPDX-License-Identifier: GPL-2.0-only
/*
 * A system, firmware and devices included, does not depend on how its run is cut
 * into slices, and goes on where it was saved; what is no state of one is refused. With
 * programs: a Linux kernel and its initial file system, instead of the platform's own
 * guest. MONTECITO_SYSTEM_RUNS: how many runs in random slices (3).
 */
#include "platform.h"
#include "tap.h"

/* Input and output of a system. */
struct surroundings {
	const char *input; /* NULL: there will be some later */
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
	if (!c->input)
		return MONTECITO_INPUT_NONE;
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
static uint64_t nr_runs = 3;

static void start(struct run *r, uint32_t threads, uint64_t seed, uint64_t budget)
{
	const struct montecito_system_options so = {
		.size = sizeof(so),
		.output = output,
		.input = input,
		.arg = &r->c,
		.slice = seed ? slice : NULL,
		.budget = budget,
	};
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const struct montecito_options mo = {
		.size = sizeof(mo),
		.device = tap_device,
		.cores = threads > 2 ? 2 : 1,
		.threads = threads > 1 ? 2 : 1,
		.config = MONTECITO_SYSTEM_CONFIG,
		.regions = region,
		.nr_regions = montecito_system_regions(memory, region),
	};
	struct montecito_boot boot = {
		.size = sizeof(boot),
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

	for (seed = 1; seed <= nr_runs; seed++) {
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

/* As system_state.c lays it out: a header, the machine's blob, the devices. */
#define HEADER 24
#define DEVICES sizeof(struct system_state)

/* States that no device reaches. */
static const struct {
	size_t at;
	uint64_t value;
	size_t size;
} impossible[] = {
#define FIELD(f, v)                                                                        \
	{                                                                                  \
		offsetof(struct system_state, f), v, sizeof(((struct system_state *)0)->f) \
	}
	FIELD(tick, 1),
	FIELD(tick, 1ULL << 63),
	FIELD(tick_insns, ~0ULL),
	FIELD(idle, 1ULL << 40),
	FIELD(in_line, 2),
	FIELD(input_ended, 2),
	FIELD(match[0], 16),
	FIELD(match[1], 21),
	FIELD(said, 3),
	FIELD(pad, 1),
	FIELD(answer.waits, 2),
	FIELD(answer.vcpu, 1),
	FIELD(answer.data[1], 1),
	FIELD(firmware.ap_entry, 0x100008),
	FIELD(firmware.virtual_mode, 2),
	FIELD(iosapic.select, 0x100),
	FIELD(iosapic.line, 1U << 24),
	FIELD(iosapic.remote, 1U << 24),
	FIELD(iosapic.remote, 1U << 3), /* an edge */
	FIELD(iosapic.pad, 1),
	FIELD(iosapic.rte[23], 1U << 11),
	FIELD(uart.ier, 0x10),
	FIELD(uart.fcr, 0x02),
	FIELD(uart.fcr, 0x40),
	FIELD(uart.mcr, 0x20),
	FIELD(uart.lsr, 0x01),
	FIELD(uart.thre, 2),
	FIELD(uart.count, 17),
	FIELD(uart.head, 16),
	FIELD(uart.pad, 1),
	FIELD(pm.status, 1),
	FIELD(pm.control, 0),
	FIELD(pm.control, 0x2001),
	FIELD(pm.pad, 1),
#undef FIELD
};

#define NR_IMPOSSIBLE (sizeof(impossible) / sizeof(impossible[0]))

static int try_changed(struct run *r, uint8_t *blob, size_t len, size_t at, uint8_t xor)
{
	int ret;

	blob[at] ^= xor;
	ret = montecito_system_restore(r->s, blob, len);
	blob[at] ^= xor;
	return ret;
}

/*
 * Blobs that no system wrote. Whatever is taken must run; the sanitizers look on. What
 * fits the machine's own blob is test_invariance's and the fuzzer's.
 */
static void hostile(void)
{
	uint64_t seed = 1, cuts = 0, taken = 0, refused = 0, other = 0, headers = 0, states = 0;
	struct run r, plain;
	uint8_t *blob;
	void *p;
	size_t len, i;
	int ret;

	/* The guest waits for its input, the FIFO is on: what comes next uses the devices. */
	start(&plain, 1, 0, 0);
	plain.c.input = NULL;
	ok(go(&plain) == MONTECITO_END_NONE, "a system that waits for input");
	ret = montecito_system_save(plain.s, &p, &len);
	if (ret < 0)
		die(ret, "cannot save");
	blob = p;
	finish(&plain);
	start(&r, 1, 0, 20000);
	for (i = 0; i < HEADER + DEVICES; i++)
		cuts += montecito_system_restore(r.s, blob, i) == -EINVAL &&
			montecito_system_restore(r.s, blob, len - 1 - i) == -EINVAL;
	ok_eq(cuts, HEADER + DEVICES, "a blob that is cut is refused");
	for (i = 0; i < HEADER; i++)
		headers += try_changed(&r, blob, len, i, 1 + i) == -EINVAL;
	ok_eq(headers, HEADER, "so is one whose magic, version or lengths are others");
	for (i = 0; i < NR_IMPOSSIBLE; i++) {
		uint8_t *at = blob + len - DEVICES + impossible[i].at;
		uint64_t was = 0;

		memcpy(&was, at, impossible[i].size);
		memcpy(at, &impossible[i].value, impossible[i].size);
		ret = montecito_system_restore(r.s, blob, len);
		if (ret != -EINVAL)
			printf("# taken: %#" PRIx64 " at %zu\n", impossible[i].value,
			       impossible[i].at);
		states += ret == -EINVAL;
		memcpy(at, &was, impossible[i].size);
	}
	ok_eq(states, NR_IMPOSSIBLE, "so are states that the devices never come to");
	for (i = len - DEVICES; i < len; i++) {
		enum montecito_end end;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		ret = try_changed(&r, blob, len, i, 1 + (seed >> 33) % 255);
		refused += ret == -EINVAL;
		taken += !ret;
		other += ret && ret != -EINVAL;
		/* An answer to a load that does not wait is the machine's to refuse. */
		if (!ret) {
			r.c.input = keys;
			ret = montecito_system_run(r.s, &end);
			other += ret && ret != -ENOENT;
		}
	}
	ok(!other, "devices that were changed are refused or run (%" PRIu64 " of them)", other);
	ok(refused > DEVICES / 16 && taken > DEVICES / 16, "both come: %" PRIu64 ", %" PRIu64,
	   refused, taken);
	ok(!montecito_system_restore(r.s, blob, len), "the one that was saved is taken");
	r.c.input = keys;
	ok(go(&r) == MONTECITO_END_POWEROFF, "and goes on to its end");
	finish(&r);
	free(blob);
}

int main(int argc, char **argv)
{
	const char *runs = getenv("MONTECITO_SYSTEM_RUNS");
	static const uint32_t counts[] = { 1, 2, 4 };
	char path[4096], line[8];
	unsigned int i;

	tap_args(argc, argv);
	if (runs)
		nr_runs = strtoull(runs, NULL, 0);
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
		/* The library's matter, not the device's. */
		if (!i && tap_nr_programs != 2 && !tap_device)
			hostile();
	}
	return tap_done();
}
