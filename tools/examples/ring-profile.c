// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring-profile IMAGE [INSTRUCTIONS [PERIOD]]
 *
 * Loads a flat binary of IA-64 code into a machine of its own, lets it run in
 * physical mode from its first bundle for so many instructions, takes a sample of
 * every PERIODth, and prints where they were. Nothing here but
 * <linux/montecito.h> and <linux/montecito_events.h>.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/montecito.h>
#include <linux/montecito_events.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMORY (4UL << 20)
#define LOAD (1UL << 20) /* where the image goes */
#define RING_ORDER 4
#define ALL_LEVELS (1 << 0 | 1 << 1 | 1 << 2 | 1 << 3)
#define MAX_PLACES 4096

static struct {
	uint64_t ip, samples;
} place[MAX_PLACES];
static unsigned int places;
static uint64_t lost;

static void die(const char *what)
{
	fprintf(stderr, "ring-profile: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Every command but the file descriptors' own returns 0 or more. */
static int command(int fd, unsigned long cmd, void *arg, const char *what)
{
	int ret = ioctl(fd, cmd, arg);

	if (ret < 0)
		die(what);
	return ret;
}

static void load(int machine, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct montecito_mem mem = { .size = sizeof(mem), .addr = LOAD };
	struct stat st;
	void *image;

	if (fd < 0 || fstat(fd, &st))
		die(path);
	image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		die(path);
	mem.length = st.st_size;
	mem.data = (uintptr_t)image;
	command(machine, MONTECITO_MEM_WRITE, &mem, "MEM_WRITE");
	munmap(image, st.st_size);
	close(fd);
}

static void count(uint64_t ip)
{
	unsigned int i;

	for (i = 0; i < places && place[i].ip != ip; i++)
		;
	if (i == MAX_PLACES)
		return;
	if (i == places)
		place[places++].ip = ip;
	place[i].samples++;
}

/* Copy out of the ring, which a record may wrap around. */
static void peek(const struct montecito_ring_page *ring, uint64_t at, void *to, uint64_t length)
{
	const uint8_t *data = (const uint8_t *)ring + ring->data_offset;
	uint64_t from = at & (ring->data_size - 1), first = ring->data_size - from;

	if (first > length)
		first = length;
	memcpy(to, data + from, first);
	memcpy((uint8_t *)to + first, data, length - first);
}

static void drain(struct montecito_ring_page *ring)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->data_tail;
	union {
		struct montecito_record_header header;
		struct montecito_record_lost lost;
		uint8_t bytes[MONTECITO_RECORD_MAX];
	} r;

	for (; tail != head; tail += r.header.size) {
		peek(ring, tail, &r, sizeof(r.header));
		/* A kernel newer than we are may have longer ones. */
		peek(ring, tail, &r, r.header.size < sizeof(r) ? r.header.size : sizeof(r));
		if (r.header.type == MONTECITO_RECORD_SAMPLE)
			count(((const struct montecito_record_sample *)&r)->ip);
		else if (r.header.type == MONTECITO_RECORD_LOST)
			lost += r.lost.count;
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}

int main(int argc, char **argv)
{
	uint64_t insns = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000000, done = 0;
	uint64_t period = argc > 3 ? strtoull(argv[3], NULL, 0) : 1000;
	struct montecito_region memory = { .length = MEMORY };
	struct montecito_create create = {
		.size = sizeof(create),
		.cores = 1,
		.threads = 1,
		.nr_regions = 1,
		.regions = (uintptr_t)&memory,
		.name = "ring-profile",
	};
	struct montecito_vcpu which = { .size = sizeof(which) };
	struct montecito_ring make_ring = { .size = sizeof(make_ring), .order = RING_ORDER };
	struct montecito_reg ip = {
		.cls = MONTECITO_REG_SPECIAL,
		.index = MONTECITO_SPECIAL_IP,
		.value = { LOAD },
	};
	struct montecito_regs regs = { .size = sizeof(regs), .count = 1, .regs = (uintptr_t)&ip };
	struct montecito_observer_add add = {
		.size = sizeof(add),
		.flags = MONTECITO_OBSERVER_SAMPLE,
		.period = period,
		.filter = {
			.code = MONTECITO_EVENT_CODE(MONTECITO_EVENT_IA64_INST_RETIRED),
			.umask = MONTECITO_EVENT_UMASK(MONTECITO_EVENT_IA64_INST_RETIRED),
			.plm = ALL_LEVELS,
		},
	};
	struct montecito_ring_page *ring;
	int device, machine, vcpu;
	unsigned int i;

	if (argc < 2 || !insns || !period) {
		fprintf(stderr, "usage: ring-profile IMAGE [INSTRUCTIONS [PERIOD]]\n");
		return 2;
	}
	device = open("/dev/montecito", O_RDWR | O_CLOEXEC);
	if (device < 0)
		die("/dev/montecito");
	machine = command(device, MONTECITO_CREATE, &create, "CREATE");
	load(machine, argv[1]);
	vcpu = command(machine, MONTECITO_VCPU, &which, "VCPU");
	command(vcpu, MONTECITO_SET_REGS, &regs, "SET_REGS");
	command(vcpu, MONTECITO_RING, &make_ring, "RING");
	ring = mmap(NULL, (1 + (1UL << RING_ORDER)) * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		    MAP_SHARED, vcpu, 0);
	if (ring == MAP_FAILED)
		die("mmap");
	if (ioctl(vcpu, MONTECITO_OBSERVER_ADD, &add) < 0) {
		fprintf(stderr, "ring-profile: %s\n", *add.why ? add.why : strerror(errno));
		return 1;
	}

	/* A little at a time, so that the ring never fills. */
	while (done < insns) {
		struct montecito_run run = { .size = sizeof(run) };
		uint64_t step = period * (ring->data_size / MONTECITO_RECORD_MAX);

		run.insns = insns - done < step ? insns - done : step;
		command(machine, MONTECITO_RUN, &run, "RUN");
		done += run.exit.insns;
		drain(ring);
		if (run.exit.reason != MONTECITO_EXIT_BUDGET) {
			printf("ended by exit %" PRIu32 " at 0x%" PRIx64 "\n", run.exit.reason,
			       (uint64_t)run.exit.ip);
			break;
		}
	}
	printf("%" PRIu64 " instructions, %" PRIu64 " samples lost\n", done, lost);
	for (i = 0; i < places; i++)
		printf("%#10" PRIx64 " %8" PRIu64 "\n", place[i].ip, place[i].samples);
	return 0;
}
