// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface from a 32-bit program: every structure is the same there, and every
 * pointer in one. It is built without a C library, so that none for 32 bits is needed.
 */
#include <linux/montecito.h>

#define NR_exit 1
#define NR_write 4
#define NR_open 5
#define NR_close 6
#define NR_ioctl 54
#define NR_poll 168
#define NR_mmap2 192
#define O_RDWR 2
#define PROT_READ_WRITE 3
#define MAP_SHARED 1
#define MAP_PRIVATE_ANONYMOUS 0x22
#define ENOTTY 25

#define MEMORY (1U << 20)
#define CODE 0x10000ULL
#define EVENT_INST_RETIRED 8

typedef __u32 word; /* an address */

static long sys(long nr, word a, word b, word c, word d, word e)
{
	long ret;

	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
		     : "memory");
	return ret;
}

/* At an offset in pages. It goes in ebp, which the compiler may use for all the rest. */
static void *map(int fd, word length, word flags, word page)
{
	const word last[2] = { fd, page }, *at = last;
	long ret;

	asm volatile("push %%ebp\n\tmov 4(%%edi), %%ebp\n\tmov (%%edi), %%edi\n\t"
		     "int $0x80\n\tpop %%ebp"
		     : "=a"(ret), "+D"(at)
		     : "0"(NR_mmap2), "b"(0), "c"(length), "d"(PROT_READ_WRITE), "S"(flags)
		     : "memory");
	return (void *)ret;
}

static void put(const char *text)
{
	word n = 0;

	while (text[n])
		n++;
	sys(NR_write, 1, (word)text, n, 0, 0);
}

static void put_number(int n)
{
	char text[12];
	int i = sizeof(text) - 1;
	unsigned int u = n < 0 ? -n : n;

	text[i] = 0;
	do
		text[--i] = '0' + u % 10;
	while (u /= 10);
	if (n < 0)
		text[--i] = '-';
	put(text + i);
}

static int tests, failed;

static void ok(int good, const char *what)
{
	put(good ? "ok " : "not ok ");
	put_number(++tests);
	put(" ");
	put(what);
	put("\n");
	failed += !good;
}

static void is(long have, long want, const char *what)
{
	ok(have == want, what);
	if (have != want) {
		put("# have ");
		put_number(have);
		put("\n");
	}
}

static long call(int fd, word cmd, void *arg)
{
	return sys(NR_ioctl, fd, cmd, (word)arg, 0, 0);
}

/* { .mib adds r8 = 1, r8 / nop.i 0 / br.sptk.few to itself ;; }, as guest.S has it. */
extern const unsigned char guest_image[];

static void machine(int dev)
{
	struct montecito_region r = { .length = MEMORY };
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = 1,
		.threads = 1,
		.nr_regions = 1,
		.regions = (word)&r,
		.name = "compat",
	};
	struct montecito_vcpu vc = { .size = sizeof(vc) };
	struct montecito_mem mem = { .size = sizeof(mem), .addr = CODE, .length = 16 };
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct montecito_reg reg[2] = {
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_IP, .value = { CODE } },
		{ .cls = MONTECITO_REG_GR, .index = 9, .value = { 0x123456789abcdef0ULL } }
	};
	struct montecito_regs regs = { .size = sizeof(regs), .count = 2, .regs = (word)reg };
	struct montecito_ring ring = { .size = sizeof(ring) };
	struct montecito_observer_add add = {
		.size = sizeof(add),
		.flags = MONTECITO_OBSERVER_SAMPLE,
		.period = 100,
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	struct montecito_run run = { .size = sizeof(run), .insns = 3000 };
	__u64 count = 0;
	struct montecito_observer_read read = { .size = sizeof(read), .count = 1 };
	struct montecito_hash h1 = { .size = sizeof(h1) }, h2 = { .size = sizeof(h2) };
	struct montecito_state state = { .size = sizeof(state) };
	struct montecito_ring_page *page;
	unsigned char *memory;
	long m, v;

	m = call(dev, MONTECITO_CREATE, &c);
	ok(m >= 0, "CREATE");
	v = call(m, MONTECITO_VCPU, &vc);
	ok(v >= 0, "VCPU");
	is(call(m, MONTECITO_MACHINE_INFO, &info), 0, "MACHINE_INFO");
	ok(info.memory == MEMORY && info.state_length > MEMORY && info.name[5] == 't',
	   "tells what was made");
	mem.data = (word)guest_image;
	is(call(m, MONTECITO_MEM_WRITE, &mem), 0, "MEM_WRITE");
	is(call(v, MONTECITO_SET_REGS, &regs), 0, "SET_REGS");
	reg[1].value[0] = 0;
	is(call(v, MONTECITO_GET_REGS, &regs), 0, "GET_REGS");
	ok(reg[1].value[0] == 0x123456789abcdef0ULL, "all 64 bits");
	is(call(v, MONTECITO_RING, &ring), 0, "RING");
	is(call(v, MONTECITO_OBSERVER_ADD, &add), 0, "OBSERVER_ADD");
	is(call(m, MONTECITO_RUN, &run), 0, "RUN");
	ok(run.exit.reason == MONTECITO_EXIT_BUDGET && run.exit.insns == 3000, "to its budget");
	read.ids = (word)&add.id;
	read.counts = (word)&count;
	is(call(v, MONTECITO_OBSERVER_READ, &read), 0, "OBSERVER_READ");
	ok(count == 3000, "counts each");
	page = map(v, 8192, MAP_SHARED, 0);
	ok(page->data_head > 0 && page->data_size == 4096, "the ring is mapped, with samples");
	memory = map(m, 4096, MAP_SHARED, CODE >> 12);
	ok(memory[0] == guest_image[0], "guest memory is mapped");
	is(call(m, MONTECITO_SAVE, &state), 0, "SAVE tells the length");
	state.data = (word)map(-1, (state.length + 4095) & ~4095U, MAP_PRIVATE_ANONYMOUS, 0);
	is(call(m, MONTECITO_HASH, &h1), 0, "HASH");
	is(call(m, MONTECITO_SAVE, &state), 0, "SAVE");
	run.flags = 0;
	call(m, MONTECITO_RUN, &run);
	is(call(m, MONTECITO_RESTORE, &state), 0, "RESTORE");
	is(call(m, MONTECITO_HASH, &h2), 0, "HASH");
	ok(h1.hash == h2.hash, "the state of before");
	/* A pointer has 32 bits: what lies above is no address. */
	state.data |= 1ULL << 32;
	ok(call(m, MONTECITO_RESTORE, &state) < 0, "an address of more than 32 bits is none");
	is(sys(NR_close, m, 0, 0, 0, 0), 0, "close");
	sys(NR_close, v, 0, 0, 0, 0);
}

void _start(void)
{
	struct montecito_info info = { .size = sizeof(info) };
	long dev = sys(NR_open, (word) "/dev/montecito", O_RDWR, 0, 0, 0);

	put("TAP version 13\n");
	ok(dev >= 0, "open");
	is(call(dev, MONTECITO_INFO, &info), 0, "INFO");
	ok(info.page_size == 4096 && info.model[0] == 'M', "tells what it is");
	is(call(dev, MONTECITO_HASH, &info), -ENOTTY, "a command of another file");
	machine(dev);
	put("1..");
	put_number(tests);
	put("\n");
	sys(NR_exit, failed != 0, 0, 0, 0, 0);
}
