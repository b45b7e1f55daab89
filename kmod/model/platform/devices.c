// SPDX-License-Identifier: GPL-2.0-only
/*
 * What answers at physical addresses outside memory: the processor interrupt
 * block (SDM volume 2, 5.8.4) and a console.
 */
#include "platform.h"
#include "../package.h"

/* Inter-processor interrupts are 8-byte stores (SDM volume 2, 5.8.4.1). */
static enum mont_result send_ipi(struct mont_thread *t, u64 off, u32 size, u64 v)
{
	u32 target = off >> 12 & 0xff;

	if (size != 8 || off >= MONT_PIB_SIZE / 2 || (off & 7))
		return MONT_FAULT_MACHINE_CHECK;
	/* Delivery mode INT only; a vector that cannot be is not delivered. */
	if (target < t->pkg->nr_vcpus && !(v >> 8 & 7))
		(void)mont_irq_inject(&t->pkg->thread[target], v & 0xff);
	return MONT_NEXT;
}

static enum mont_result put_console(struct mont_thread *t, u64 off, u32 size, u64 v)
{
	struct mont_package *pkg = t->pkg;

	if (size != 1 || off || pkg->console_len == MONT_CONSOLE_SIZE)
		return MONT_FAULT_MACHINE_CHECK;
	pkg->console[pkg->console_len++] = v;
	/* Full: the host takes it before the next bundle, nothing is lost. */
	if (pkg->console_len >= MONT_CONSOLE_SIZE - 2) {
		pkg->exit->reason = MONT_EXIT_CONSOLE;
		pkg->exit->vcpu = t->index;
		t->attn |= MONT_ATTN_EXIT;
	}
	return MONT_NEXT;
}

enum mont_result mont_device_store(struct mont_thread *t, u64 pa, u32 size, u64 v)
{
	if (pa - MONT_CONSOLE_BASE < MONT_CONSOLE_SPAN)
		return put_console(t, pa - MONT_CONSOLE_BASE, size, v);
	return send_ipi(t, pa - MONT_PIB_BASE, size, v);
}

size_t mont_console_take(struct mont_package *pkg, char *buf, size_t len)
{
	u32 n = pkg->console_len < len ? pkg->console_len : len;

	__builtin_memcpy(buf, pkg->console, n);
	__builtin_memmove(pkg->console, pkg->console + n, pkg->console_len - n);
	pkg->console_len -= n;
	return n;
}
