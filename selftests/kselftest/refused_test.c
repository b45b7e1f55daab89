// SPDX-License-Identifier: GPL-2.0-only
/* All or nothing: what is refused has left nothing behind, not even half of it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

static struct montecito_reg uncounted = {
	.cls = MONTECITO_REG_PMC,
	.index = 4,
	.value = { PMC_ES(EVENT_CPU_OP_CYCLES) | PMC_PLM_ALL },
};

/* Reports of the next RUN. */
static uint64_t reported(int m)
{
	struct montecito_run r;

	if (run(m, 3, 0, &r))
		bail("run");
	return r.uncounted;
}

static void batch(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_reg reg[2] = { uncounted, { .cls = MONTECITO_REG_GR, .index = 128 } };
	struct montecito_regs regs = {
		.size = sizeof(regs),
		.count = 2,
		.regs = (uintptr_t)reg,
	};
	uint64_t before;

	start(v, GUEST_SPIN);
	before = hash(m);
	is(call(v, MONTECITO_SET_REGS, &regs), -EINVAL, "a batch with an uncounted event, refused");
	eq(hash(m), before, "has changed nothing");
	eq(reported(m), 0, "and nothing is reported");
	regs.count = 1;
	is(call(v, MONTECITO_SET_REGS, &regs), 0, "the event alone");
	eq(reported(m), 1 << 4, "is");
	close(v);
	close(m);
}

static void restore(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_regs regs = {
		.size = sizeof(regs),
		.count = 1,
		.regs = (uintptr_t)&uncounted,
	};
	struct montecito_state s = { .size = sizeof(s) };
	unsigned char *blob;
	uint64_t before;

	/* A report that waits is saved, and comes back. */
	start(v, GUEST_SPIN);
	is(call(v, MONTECITO_SET_REGS, &regs), 0, "an uncounted event");
	call(m, MONTECITO_SAVE, &s);
	blob = malloc(s.length);
	s.data = (uintptr_t)blob;
	is(call(m, MONTECITO_SAVE, &s), 0, "saved before RUN reports it");
	eq(reported(m), 1 << 4, "reported");
	eq(reported(m), 0, "once");
	is(call(m, MONTECITO_RESTORE, &s), 0, "restored");
	eq(reported(m), 1 << 4, "it waits again");
	before = hash(m);
	blob[sizeof(struct montecito_state_header) + 100] ^= 0xff;
	is(call(m, MONTECITO_RESTORE, &s), -EINVAL, "a damaged blob");
	eq(hash(m), before, "has changed nothing");
	eq(reported(m), 0, "and nothing is reported");
	free(blob);
	close(v);
	close(m);
}

/* An argument that cannot be written is found before the work is done. */
static void unwritable(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_observer_del del = { .size = sizeof(del) };
	struct montecito_observer_add *add;
	struct montecito_run *r;
	uint64_t before;
	uint32_t id;

	start(v, GUEST_SPIN);
	r = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*r = (struct montecito_run){ .size = sizeof(*r), .insns = 300 };
	mprotect(r, 4096, PROT_READ);
	before = hash(m);
	is(call(m, MONTECITO_RUN, r), -EFAULT, "RUN with an argument that is read-only");
	eq(hash(m), before, "has run nothing");
	mprotect(r, 4096, PROT_READ | PROT_WRITE);
	is(call(m, MONTECITO_RUN, r), 0, "and runs when it can be written");
	ok(r->exit.insns == 300 && hash(m) != before, "as far as asked");

	is(observer(v, EVENT_INST_RETIRED, 0, &id), 0, "an observer");
	add = (void *)r;
	*add = (struct montecito_observer_add){
		.size = sizeof(*add),
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	mprotect(add, 4096, PROT_READ);
	is(call(v, MONTECITO_OBSERVER_ADD, add), -EFAULT, "another whose id cannot be told");
	for (del.id = 0; del.id < id + 1024; del.id++)
		if (del.id != id && call(v, MONTECITO_OBSERVER_DEL, &del) != -ENOENT)
			break;
	eq(del.id, id + 1024, "is not there");
	mprotect(add, 4096, PROT_READ | PROT_WRITE);
	is(call(v, MONTECITO_OBSERVER_ADD, add), 0, "and is when it can");
	del.id = add->id;
	is(call(v, MONTECITO_OBSERVER_DEL, &del), 0, "under its id");
	munmap(r, 4096);
	close(v);
	close(m);
}

int main(void)
{
	batch();
	restore();
	unwritable();
	return done();
}
