// SPDX-License-Identifier: GPL-2.0-only
/* Guest memory: the mapping, the copies, invalidation, and the state blob. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

static long mem(int m, unsigned long cmd, uint64_t addr, uint64_t length, void *data)
{
	struct montecito_mem a = {
		.size = sizeof(a),
		.addr = addr,
		.length = length,
		.data = (uintptr_t)data,
	};

	return call(m, cmd, &a);
}

static void copies(int m, unsigned char *map)
{
	static unsigned char out[3000], in[3000];
	unsigned int i;

	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + 1;
	is(mem(m, MONTECITO_MEM_WRITE, 0x20fff, sizeof(out), out), 0, "write across pages");
	ok(!memcmp(map + 0x20fff, out, sizeof(out)), "the mapping shows it");
	map[0x20fff] ^= 0xff;
	is(mem(m, MONTECITO_MEM_READ, 0x20fff, sizeof(in), in), 0, "read");
	out[0] ^= 0xff;
	ok(!memcmp(in, out, sizeof(in)), "with what was stored through the mapping");
	is(mem(m, MONTECITO_MEM_READ, MEMORY - 1, 1, in), 0, "the last byte");
	is(mem(m, MONTECITO_MEM_READ, MEMORY, 0, in), 0, "nothing at the end");
	is(mem(m, MONTECITO_MEM_READ, MEMORY - 1, 2, in), -EINVAL, "read beyond the end");
	is(mem(m, MONTECITO_MEM_WRITE, MEMORY, 1, in), -EINVAL, "write beyond the end");
	is(mem(m, MONTECITO_MEM_READ, -1ULL, 2, in), -EINVAL, "read around 2^64");
	is(mem(m, MONTECITO_MEM_READ, 1, -1ULL, in), -EINVAL, "read of 2^64 - 1 bytes");
	is(mem(m, MONTECITO_MEM_INVALIDATE, MEMORY - 1, 2, NULL), -EINVAL,
	   "invalidate beyond the end");
	is(mem(m, MONTECITO_MEM_INVALIDATE, 0, 4096, in), -EINVAL, "invalidate with data");
	is(mem(m, MONTECITO_MEM_INVALIDATE, 0, MEMORY, NULL), 0, "invalidate everything");
	is(mem(m, MONTECITO_MEM_READ, 0, 16, NULL), -EFAULT, "read to nowhere");
	is(mem(m, MONTECITO_MEM_WRITE, 0x30000, 16, NULL), -EFAULT, "write from nowhere");
}

static void mappings(int m, int v)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	p = mmap(NULL, MEMORY + page, PROT_READ, MAP_SHARED, m, 0);
	ok(p == MAP_FAILED && errno == EINVAL, "mapping more than there is");
	p = mmap(NULL, page, PROT_READ, MAP_SHARED, m, MEMORY);
	ok(p == MAP_FAILED && errno == EINVAL, "mapping behind the end");
	p = mmap(NULL, page, PROT_READ, MAP_PRIVATE, m, 0);
	ok(p == MAP_FAILED && errno == EINVAL, "private mapping");
	p = mmap(NULL, page, PROT_READ, MAP_SHARED, m, MEMORY - page);
	ok(p != MAP_FAILED, "mapping the last page");
	munmap(p, page);
	p = mmap(NULL, page, PROT_READ, MAP_SHARED, v, 0);
	ok(p == MAP_FAILED && errno == ENXIO, "a vcpu without a ring has nothing to map");
}

/* The guest and the mapping see the same memory at once. */
static void coherence(int m, int v, unsigned char *map)
{
	uint64_t *word = (uint64_t *)(map + 0x40000);
	struct montecito_run r;

	word[1] = 0x1122334455667788ULL;
	set(v, MONTECITO_REG_GR, 8, 0xfeedface12345678ULL);
	set(v, MONTECITO_REG_GR, 9, 0x40000);
	set(v, MONTECITO_REG_GR, 11, 0x40008);
	start(v, GUEST_STORE);
	is(run(m, 0, 0, &r), 0, "run store and load");
	ok(r.exit.reason == MONTECITO_EXIT_BREAK && r.exit.iim == 0x124, "to the break");
	eq(word[0], 0xfeedface12345678ULL, "the mapping shows the guest's store");
	eq(get(v, MONTECITO_REG_GR, 12), 0x1122334455667788ULL, "the guest loads what was mapped");
}

/* New code through MEM_WRITE, and through the mapping with MEM_INVALIDATE. */
static void code(int m, int v, unsigned char *map)
{
	uint64_t spin[2], count[2];
	struct montecito_run r;

	memcpy(spin, guest_image, 16);
	memcpy(count, guest_image + 0x110, 16);
	memcpy(map + 0x50000, spin, 16);
	start(v, 0x50000);
	is(run(m, 300, 0, &r), 0, "run a copy of the loop");
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "to the budget");
	memcpy(map + 0x50000, count, 16);
	is(mem(m, MONTECITO_MEM_INVALIDATE, 0x50000, 16, NULL), 0, "replace it, invalidate");
	start(v, 0x50000);
	is(run(m, 300, 0, &r), 0, "run again");
	ok(r.exit.reason == MONTECITO_EXIT_BREAK && r.exit.iim == 0x123 && r.exit.ip == 0x50000,
	   "the new code breaks");
	is(mem(m, MONTECITO_MEM_WRITE, 0x50000, 16, spin), 0, "put the loop back by MEM_WRITE");
	start(v, 0x50000);
	is(run(m, 300, 0, &r), 0, "run again");
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "the loop runs without another word");
}

/* Walk the blob's sections: bytes of the last one's memory, or 0 if they do not fit. */
static uint64_t sections(const unsigned char *blob, uint64_t length)
{
	uint64_t at = sizeof(struct montecito_state_header), memory = 0, addr;
	struct montecito_state_section s;

	while (at < length) {
		if (length - at < sizeof(s))
			return 0;
		memcpy(&s, blob + at, sizeof(s));
		at += sizeof(s);
		if (s.length % 8 || s.length > length - at)
			return 0;
		memory = 0;
		if (s.tag == MONTECITO_STATE_MEMORY) {
			memcpy(&addr, blob + at, sizeof(addr));
			memory = addr ? 0 : s.length - sizeof(addr);
		}
		at += s.length;
	}
	return memory;
}

static void state(int m, int v)
{
	struct montecito_state s = { .size = sizeof(s) };
	struct montecito_state_header h;
	uint64_t before, after, length;
	unsigned char *blob;
	int other, big;

	is(call(m, MONTECITO_SAVE, &s), 0, "ask for the length");
	length = s.length;
	ok(length > MEMORY + sizeof(h), "which holds memory and more");
	blob = malloc(length);
	s.length = length - 1;
	s.data = (uintptr_t)blob;
	is(call(m, MONTECITO_SAVE, &s), -ENOSPC, "one byte short");
	eq(s.length, length, "tells the length");
	s.data = 0;
	is(call(m, MONTECITO_SAVE, &s), -EFAULT, "nowhere to save to");
	start(v, GUEST_SPIN);
	run(m, 1000, 0, NULL);
	before = hash(m);
	s.data = (uintptr_t)blob;
	is(call(m, MONTECITO_SAVE, &s), 0, "save");
	eq(hash(m), before, "saving changes nothing");
	memcpy(&h, blob, sizeof(h));
	ok(h.magic == MONTECITO_STATE_MAGIC && h.version == MONTECITO_STATE_VERSION &&
		   h.header_length == sizeof(h) && h.length == length && h.cores == 1 &&
		   h.threads == 1 && h.config == MONTECITO_CFG_HOST_INTERRUPTIONS,
	   "the blob's header");
	eq(sections(blob, length), MEMORY, "its sections end with the memory, and fit");
	run(m, 1000, 0, NULL);
	after = hash(m);
	ok(before != after, "running changes the hash");
	is(call(m, MONTECITO_RESTORE, &s), 0, "restore");
	eq(hash(m), before, "the hash is that of before");
	run(m, 1000, 0, NULL);
	eq(hash(m), after, "and the same run comes to the same end");

	other = machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS);
	is(call(other, MONTECITO_RESTORE, &s), 0, "restore into another machine");
	eq(hash(other), before, "it is the same machine now");
	close(other);

	/* Refusals, each of which must leave the machine as it is. */
	s.length = length - 1;
	is(call(m, MONTECITO_RESTORE, &s), -EINVAL, "restore: short");
	s.length = length;
	s.data = 0;
	is(call(m, MONTECITO_RESTORE, &s), -EFAULT, "restore: from nowhere");
	s.data = (uintptr_t)blob;
	blob[0] ^= 1;
	is(call(m, MONTECITO_RESTORE, &s), -EINVAL, "restore: wrong magic");
	blob[0] ^= 1;
	blob[8] ^= 2;
	is(call(m, MONTECITO_RESTORE, &s), -EINVAL, "restore: wrong version");
	blob[8] ^= 2;
	blob[sizeof(h)] ^= 1;
	is(call(m, MONTECITO_RESTORE, &s), -EINVAL, "restore: damaged processor state");
	blob[sizeof(h)] ^= 1;
	memset(blob + sizeof(h) + 64, 0xff, 4096);
	is(call(m, MONTECITO_RESTORE, &s), -EINVAL, "restore: impossible processor state");
	eq(hash(m), after, "none of this changed anything");
	big = machine(2, 1, MONTECITO_CFG_HOST_INTERRUPTIONS);
	is(call(big, MONTECITO_RESTORE, &s), -EINVAL, "restore: into a machine of another shape");
	close(big);
	free(blob);
}

int main(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS), v = vcpu(m, 0);
	unsigned char *map = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);

	ok(map != MAP_FAILED, "map all of guest memory");
	if (map == MAP_FAILED)
		return done();
	ok(!memcmp(map + GUEST_BASE, guest_image, guest_image_end - guest_image),
	   "what was loaded is there");
	copies(m, map);
	mappings(m, v);
	coherence(m, v, map);
	code(m, v, map);
	state(m, v);
	return done();
}
