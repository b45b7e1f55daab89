// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices at physical addresses outside memory: the processor interrupt block (SDM
 * volume 2, 5.8.4) and a console.
 */
#include "devices.h"
#include "interrupts.h"
#include "../package/broadcast.h"
#include "../package/package.h"

/* Delivery modes of an inter-processor interrupt (SDM volume 2, 5.8.4.1). */
#define IPI_INT 0
#define IPI_NMI 4
#define IPI_EXTINT 7

#define VECTOR_EXTINT 0
#define VECTOR_NMI 2

/* The byte that sets the external task priority, for redirection by others. */
#define PIB_XTP 0x1e0008

/* A vector that cannot be, or a target that is not there, is lost. */
void mont_device_interrupt(struct mont_thread *t, u64 off, u32 vector)
{
	if (mont_bits(t->s.cr.lid, 16, 16) == mont_bits(off, 4, 16))
		(void)mont_irq_inject(t, vector);
}

/*
 * Inter-processor interrupts are 8-byte stores (SDM volume 2, 5.8.4.1): the
 * address gives id and eid as in CR.LID, the datum mode and vector.
 */
static enum mont_result devices_send_ipi(struct mont_thread *t, u64 off, u32 size, u64 v)
{
	static const s16 fixed[8] = {
		[IPI_INT] = -1,		-2, -2, -2,
		[IPI_NMI] = VECTOR_NMI, -2, -2, [IPI_EXTINT] = VECTOR_EXTINT,
	};
	s32 vector = fixed[v >> 8 & 7];
	unsigned int i;

	if (size == 1 && off == PIB_XTP)
		return MONT_NEXT;
	if (size != 8 || off >= MONT_PIB_SIZE / 2 || (off & 7))
		return MONT_FAULT_MACHINE_CHECK;
	/* PMI and INIT enter firmware, and there is none. */
	if (vector == -2)
		return MONT_FAULT_MACHINE_CHECK;
	if (vector == -1)
		vector = v & 0xff;
	if (mont_broadcast_interrupt(t, off, vector))
		return MONT_NEXT;
	for (i = 0; i < t->pkg->nr_vcpus; i++)
		mont_device_interrupt(&t->pkg->thread[i], off, vector);
	return MONT_NEXT;
}

/* Room that is always there: a bundle has two memory instructions. */
#define CONSOLE_SPARE 2

bool mont_console_full(struct mont_package *pkg)
{
	if (pkg->console.length < MONT_CONSOLE_SIZE - CONSOLE_SPARE)
		return false;
	pkg->exit->reason = MONT_EXIT_CONSOLE;
	return true;
}

static enum mont_result devices_put_console(struct mont_thread *t, u64 off, u32 size, u64 v)
{
	struct mont_package *pkg = t->pkg;

	if (size != 1 || off || pkg->console.length == MONT_CONSOLE_SIZE)
		return MONT_FAULT_MACHINE_CHECK;
	mont_work(t, 1);
	pkg->console.data[pkg->console.length++] = v;
	/* The host takes it before the next bundle, nothing is lost. */
	if (mont_console_full(pkg)) {
		pkg->exit->vcpu = t->index;
		t->attn |= MONT_ATTN_EXIT;
	}
	return MONT_NEXT;
}

enum mont_result mont_device_store(struct mont_thread *t, u64 pa, u32 size, u64 v)
{
	if (pa - MONT_CONSOLE_BASE < MONT_CONSOLE_SPAN)
		return devices_put_console(t, pa - MONT_CONSOLE_BASE, size, v);
	return devices_send_ipi(t, pa - MONT_PIB_BASE, size, v);
}

size_t mont_console_peek(const struct mont_package *pkg, char *buf, size_t len)
{
	size_t n = pkg->console.length < len ? pkg->console.length : len;

	__builtin_memcpy(buf, pkg->console.data, n);
	return n;
}

void mont_console_drop(struct mont_package *pkg, size_t len)
{
	struct mont_console *c = &pkg->console;
	u32 n = c->length < len ? c->length : len;

	__builtin_memmove(c->data, c->data + n, c->length - n);
	__builtin_memset(c->data + c->length - n, 0, n);
	c->length -= n;
}
