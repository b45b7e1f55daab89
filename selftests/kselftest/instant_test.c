// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAVE and HASH are of one instant and of all there is; RESTORE is one instant to
 * every reader.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

#define CONSOLE_ADDR 0x80000000ff000000ULL /* uncacheable, in physical mode */

/* SAVE and HASH are one instant for a mapping that is written all the time. */
struct writer {
	volatile uint64_t *word;
	volatile int stop;
};

static void *scribble(void *arg)
{
	struct writer *w = arg;
	uint64_t n = 0;

	/* The second word is never ahead of the first. */
	while (!w->stop) {
		n++;
		w->word[0] = n;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		w->word[MEMORY / 8 - 8] = n;
	}
	return NULL;
}

static void instant(void)
{
	int m = machine(1, 1, 0), i, torn = 0, busy = 0;
	unsigned char *p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0), *blob;
	struct writer w = { .word = (uint64_t *)p };
	struct montecito_state s = { .size = sizeof(s) };
	uint64_t first, last;
	pthread_t t;

	call(m, MONTECITO_SAVE, &s);
	blob = malloc(s.length);
	s.data = (uintptr_t)blob;
	pthread_create(&t, NULL, scribble, &w);
	for (i = 0; i < 20; i++) {
		const unsigned char *memory = blob + s.length - MEMORY;

		busy += call(m, MONTECITO_SAVE, &s) != 0;
		memcpy(&first, memory, 8);
		memcpy(&last, memory + MEMORY - 64, 8);
		torn += first != last && first != last + 1;
	}
	w.stop = 1;
	pthread_join(t, NULL);
	eq(busy, 0, "SAVE beside a thread that writes the mapping");
	eq(torn, 0, "each is one instant of it");
	/* Into the machine's own mapping: SAVE would wait for itself. */
	s.data = (uintptr_t)p;
	s.length = s.length > MEMORY ? s.length : MEMORY;
	is(call(m, MONTECITO_SAVE, &s), -EFAULT, "SAVE into the machine's own mapping");
	ok(p[0] || !p[0], "which can be touched again");
	s.data = (uintptr_t)blob;
	is(call(m, MONTECITO_RESTORE, &s), 0, "RESTORE of what was saved");
	memcpy(&first, p, 8);
	memcpy(&last, p + MEMORY - 64, 8);
	ok(first == last || first == last + 1, "the mapping shows it");
	free(blob);
	munmap(p, MEMORY);
	close(m);
}

/* Console output that has not been taken is state. */
static void console(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_state s = { .size = sizeof(s) };
	char got[8] = "";
	struct montecito_console c = {
		.size = sizeof(c),
		.length = sizeof(got),
		.data = (uintptr_t)got,
	};
	uint64_t with, without;

	set(v, MONTECITO_REG_GR, 8, 'x');
	set(v, MONTECITO_REG_GR, 9, CONSOLE_ADDR);
	start(v, GUEST_CONSOLE);
	is(run(m, 1, 0, NULL), 0, "the guest writes to its console");
	with = hash(m);
	call(m, MONTECITO_SAVE, &s);
	s.data = (uintptr_t)malloc(s.length);
	is(call(m, MONTECITO_SAVE, &s), 0, "saved");
	is(call(m, MONTECITO_CONSOLE, &c), 0, "taken");
	ok(c.length == 1 && got[0] == 'x', "what it wrote");
	without = hash(m);
	ok(with != without, "the hash is another without it");
	c.length = sizeof(got);
	is(call(m, MONTECITO_CONSOLE, &c), 0, "nothing is left");
	eq(c.length, 0, "to take");
	is(call(m, MONTECITO_RESTORE, &s), 0, "restored");
	eq(hash(m), with, "the hash is that of before");
	got[0] = 0;
	c.length = sizeof(got);
	is(call(m, MONTECITO_CONSOLE, &c), 0, "taken again");
	ok(c.length == 1 && got[0] == 'x', "what it wrote");
	free((void *)(uintptr_t)s.data);
	close(v);
	close(m);
}

/*
 * A reader of the mapping and the snapshot: as long as nothing new is published,
 * memory and registers are of the same state.
 */
struct reader {
	volatile struct montecito_snapshot *s;
	volatile uint64_t *word;
	volatile int stop;
	int torn, seen[2];
};

static void *watch(void *arg)
{
	struct reader *r = arg;

	while (!r->stop) {
		uint32_t seq = __atomic_load_n(&r->s->seq, __ATOMIC_ACQUIRE);
		uint64_t a = *r->word, pmd = r->s->pmd[4], b = *r->word;

		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (seq & 1 || r->s->seq != seq)
			continue;
		r->torn += a != b || a != pmd;
		r->seen[a & 1]++;
	}
	return NULL;
}

static void restore(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0), i, bad = 0;
	size_t page = sysconf(_SC_PAGESIZE);
	struct montecito_state s[2] = { { .size = sizeof(s[0]) }, { .size = sizeof(s[0]) } };
	uint64_t *p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);
	struct reader r = {
		.s = mmap(NULL, page, PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT),
		/* the last word: it is copied last */
		.word = p + MEMORY / 8 - 1,
	};
	pthread_t t;

	for (i = 0; i < 2; i++) {
		p[MEMORY / 8 - 1] = i;
		set(v, MONTECITO_REG_PMD, 4, i);
		call(m, MONTECITO_SAVE, &s[i]);
		s[i].data = (uintptr_t)malloc(s[i].length);
		is(call(m, MONTECITO_SAVE, &s[i]), 0, "state %d", i);
	}
	pthread_create(&t, NULL, watch, &r);
	/* On one processor the reader needs its turns. */
	for (i = 0; i < 100 || (i < 5000 && (!r.seen[0] || !r.seen[1])); i++) {
		bad += call(m, MONTECITO_RESTORE, &s[i & 1]) != 0;
		if (!(i % 10))
			usleep(1000);
	}
	r.stop = 1;
	pthread_join(t, NULL);
	eq(bad, 0, "restored, one after the other");
	ok(r.seen[0] && r.seen[1], "a reader sees both, %d and %d times", r.seen[0], r.seen[1]);
	eq(r.torn, 0, "and never one's memory with the other's registers");
	free((void *)(uintptr_t)s[0].data);
	free((void *)(uintptr_t)s[1].data);
	munmap(p, MEMORY);
	close(v);
	close(m);
}

int main(void)
{
	instant();
	console();
	restore();
	return done();
}
