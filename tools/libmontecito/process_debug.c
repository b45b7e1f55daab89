// SPDX-License-Identifier: LGPL-2.1-or-later
/* A user-mode program's memory as a debugger sees it: looking brings no page into being. */
#include <errno.h>
#include <string.h>

#include "threads.h"

/* The bytes of @va's page from there on: @len of them; NULL where there is no page yet. */
static uint8_t *process_debug_page_bytes(struct guest_process *p, const struct uvm_area *a,
					 uint64_t va, size_t *len)
{
	uint64_t off = va & (p->vm->page_size - 1);
	uint64_t pa = a->page[(va - a->start) >> p->vm->shift];

	if (*len > p->vm->page_size - off)
		*len = p->vm->page_size - off;
	return pa ? p->vm->ram + pa + off : NULL;
}

int process_peek(struct guest_process *p, uint64_t va, void *buf, size_t len)
{
	uint8_t *to = buf;

	while (len) {
		const struct uvm_area *a = uvm_find(p->vm, va);
		const uint8_t *from;
		size_t n = len;

		if (!a)
			return -EFAULT;
		from = process_debug_page_bytes(p, a, va, &n);
		if (from)
			memcpy(to, from, n);
		else
			memset(to, 0, n);
		to += n;
		va += n;
		len -= n;
	}
	return 0;
}

int process_poke(struct guest_process *p, uint64_t va, const void *buf, size_t len)
{
	const uint8_t *from = buf;
	uint64_t at;
	size_t n;

	/* All of it or nothing. */
	for (at = va; at - va < len; at = uvm_find(p->vm, at)->end)
		if (!uvm_find(p->vm, at))
			return -EFAULT;
	for (; len; from += n, va += n, len -= n) {
		const struct uvm_area *a = uvm_find(p->vm, va);
		uint8_t *to;
		int err;

		n = len;
		err = uvm_own(p->vm, va);
		if (err)
			return err;
		to = process_debug_page_bytes(p, a, va, &n);
		memcpy(to, from, n);
		montecito_invalidate(p->m, to - p->vm->ram, n);
	}
	return 0;
}

/* The process that a caller looks at: whose system call it is told of, or that which runs */
static struct guest_process *process_debug_looked_at(const struct montecito_process *run)
{
	const struct guest_thread *t = run->cpu->current;

	if (run->looked_at)
		return run->looked_at;
	return t ? t->p : NULL;
}

int montecito_process_peek(struct montecito_process *run, uint64_t va, void *buf, size_t len)
{
	struct guest_process *p = process_debug_looked_at(run);

	return p && p->vm ? process_peek(p, va, buf, len) : -EFAULT;
}

int montecito_process_poke(struct montecito_process *run, uint64_t va, const void *buf, size_t len)
{
	struct guest_process *p = process_debug_looked_at(run);

	return p && p->vm ? process_poke(p, va, buf, len) : -EFAULT;
}
