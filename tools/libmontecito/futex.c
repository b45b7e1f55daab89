// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Futexes (futex(2)): words that threads wait at. The program is alone on its memory, and
 * its threads take turns, so an address is enough to name one, and each call is whole.
 */
#include <errno.h>

#include "threads.h"

#define FUTEX_WAIT 0
#define FUTEX_WAKE 1
#define FUTEX_REQUEUE 3
#define FUTEX_CMP_REQUEUE 4
#define FUTEX_WAKE_OP 5
#define FUTEX_WAIT_BITSET 9
#define FUTEX_WAKE_BITSET 10
#define FUTEX_PRIVATE 128
#define FUTEX_REALTIME 256

#define FUTEX_WAITERS 0x80000000u
#define FUTEX_OWNER_DIED 0x40000000u
#define FUTEX_TID 0x3fffffffu
/* Entries of a robust list that are looked at, as the kernel does */
#define ROBUST_LIMIT 2048
#define ROBUST_HEAD 24

/* The one that has waited at @addr longest, of those with one of @bits; NULL for none. */
static struct guest_thread *futex_first_waiter(const struct guest_process *p, uint64_t addr,
					       uint32_t bits)
{
	struct guest_thread *t, *best = NULL;
	size_t i;

	for (i = 0; i < p->run->nr_threads; i++) {
		t = p->run->thread[i];
		if (t->p && t->p->vm == p->vm && t->state == THREAD_FUTEX && t->futex == addr &&
		    (t->bits & bits) && (!best || t->turn < best->turn))
			best = t;
	}
	return best;
}

unsigned int futex_wake(struct guest_process *p, uint64_t addr, unsigned int n, uint32_t bits)
{
	struct guest_thread *t;
	unsigned int woken;

	for (woken = 0; woken < n && (t = futex_first_waiter(p, addr, bits)); woken++)
		thread_wake(t, 0);
	return woken;
}

static int64_t futex_wait(struct guest_process *p, const uint64_t *arg, uint32_t bits,
			  bool absolute, uint32_t clock)
{
	uint64_t until = 0;
	uint32_t have;
	int err = 0;

	if (!bits)
		return -EINVAL;
	if (arg[3])
		err = thread_deadline(p, arg[3], clock, absolute, &until);
	if (!err && uvm_read(p->vm, &have, arg[0], sizeof(have)))
		err = -EFAULT;
	if (err)
		return err;
	if (have != (uint32_t)arg[2])
		return -EAGAIN;
	p->run->cpu->current->futex = arg[0];
	p->run->cpu->current->bits = bits;
	thread_wait(p->run, THREAD_FUTEX, until);
	return 0;
}

int futex_go_on(struct guest_thread *t)
{
	uint32_t have;

	if (uvm_read(t->p->vm, &have, t->call.arg[0], sizeof(have)))
		return thread_result(t, -EFAULT);
	if (have != (uint32_t)t->call.arg[2])
		return thread_result(t, -EAGAIN);
	t->futex = t->call.arg[0];
	t->state = THREAD_FUTEX;
	t->turn = t->p->run->turns++;
	return 0;
}

/* Wake arg[2], have up to arg[3] others wait at arg[4] from now on. */
static int64_t futex_requeue(struct guest_process *p, const uint64_t *arg, bool compare)
{
	struct guest_thread *t;
	unsigned int woken, moved;
	uint32_t have;

	if ((int32_t)arg[2] < 0 || (int32_t)arg[3] < 0 || arg[4] & 3)
		return -EINVAL;
	if (uvm_read(p->vm, &have, arg[0], sizeof(have)))
		return -EFAULT;
	if (compare && have != (uint32_t)arg[5])
		return -EAGAIN;
	woken = futex_wake(p, arg[0], arg[2], ~0u);
	for (moved = 0; moved < (uint32_t)arg[3]; moved++) {
		t = futex_first_waiter(p, arg[0], ~0u);
		if (!t || arg[4] == arg[0])
			break;
		t->futex = arg[4];
		t->turn = p->run->turns++;
	}
	return woken + (compare ? moved : 0);
}

/* Change the word at arg[4] and wake by what it was (FUTEX_WAKE_OP). */
static int64_t futex_wake_op(struct guest_process *p, const uint64_t *arg)
{
	uint32_t what = arg[5], old, new;
	int32_t operand = (int32_t)(what << 8) >> 20, with = (int32_t)(what << 20) >> 20;
	int64_t woken;
	bool holds;

	if (arg[4] & 3 || (what >> 28 & 7) > 4 || (what >> 24 & 15) > 5)
		return arg[4] & 3 ? -EINVAL : -ENOSYS;
	if (what >> 31)
		operand = 1u << (operand & 31);
	if (uvm_read(p->vm, &old, arg[4], sizeof(old)))
		return -EFAULT;
	switch (what >> 28 & 7) {
	case 0:
		new = operand;
		break;
	case 1:
		new = old + operand;
		break;
	case 2:
		new = old | operand;
		break;
	case 3:
		new = old & ~operand;
		break;
	default:
		new = old ^ operand;
	}
	if (uvm_write(p->vm, arg[4], &new, sizeof(new)))
		return -EFAULT;
	switch (what >> 24 & 15) {
	case 0:
		holds = (int32_t)old == with;
		break;
	case 1:
		holds = (int32_t)old != with;
		break;
	case 2:
		holds = (int32_t)old < with;
		break;
	case 3:
		holds = (int32_t)old <= with;
		break;
	case 4:
		holds = (int32_t)old > with;
		break;
	default:
		holds = (int32_t)old >= with;
	}
	woken = futex_wake(p, arg[0], arg[2], ~0u);
	return woken + (holds ? futex_wake(p, arg[4], arg[3], ~0u) : 0);
}

/* Word, operation, value, struct timespec or a second value, second word, third value. */
int64_t sys_futex(struct guest_process *p, const uint64_t *arg)
{
	bool real = arg[1] & FUTEX_REALTIME;
	uint32_t op = arg[1] & ~(FUTEX_PRIVATE | FUTEX_REALTIME);

	if (real && op != FUTEX_WAIT_BITSET)
		return -ENOSYS;
	if (arg[0] & 3)
		return -EINVAL;
	switch (op) {
	case FUTEX_WAIT:
		return futex_wait(p, arg, ~0u, false, 1);
	case FUTEX_WAIT_BITSET:
		return futex_wait(p, arg, arg[5], true, real ? 0 : 1);
	case FUTEX_WAKE:
		return futex_wake(p, arg[0], arg[2], ~0u);
	case FUTEX_WAKE_BITSET:
		return (uint32_t)arg[5] ? (int64_t)futex_wake(p, arg[0], arg[2], arg[5]) : -EINVAL;
	case FUTEX_REQUEUE:
		return futex_requeue(p, arg, false);
	case FUTEX_CMP_REQUEUE:
		return futex_requeue(p, arg, true);
	case FUTEX_WAKE_OP:
		return futex_wake_op(p, arg);
	default:
		return -ENOSYS;
	}
}

/* ---- robust futexes ---- */

int64_t sys_set_robust_list(struct guest_process *p, const uint64_t *arg)
{
	if (arg[1] != ROBUST_HEAD)
		return -EINVAL;
	p->run->cpu->current->robust = arg[0];
	return 0;
}

static void futex_owner_died(struct guest_process *p, uint64_t addr, uint32_t tid)
{
	uint32_t have, new;

	if (addr & 3 || uvm_read(p->vm, &have, addr, sizeof(have)) || (have & FUTEX_TID) != tid)
		return;
	new = (have & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
	if (!uvm_write(p->vm, addr, &new, sizeof(new)) && have & FUTEX_WAITERS)
		futex_wake(p, addr, 1, ~0u);
}

void futex_thread_died(struct guest_process *p, const struct guest_thread *t)
{
	uint64_t head[3], at, next;
	unsigned int i;

	/* struct robust_list_head: the list, the futex of an entry from there, one on its way */
	if (!t->robust || uvm_read(p->vm, head, t->robust, sizeof(head)))
		return;
	at = head[0] & ~1ULL;
	for (i = 0; i < ROBUST_LIMIT && at != t->robust; i++) {
		if (uvm_read(p->vm, &next, at, sizeof(next)))
			break;
		if (at != (head[2] & ~1ULL))
			futex_owner_died(p, at + head[1], t->tid);
		at = next & ~1ULL;
	}
	if (head[2])
		futex_owner_died(p, (head[2] & ~1ULL) + head[1], t->tid);
}
