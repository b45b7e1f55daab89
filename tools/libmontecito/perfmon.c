// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perfmonctl(2): commands, registers and overflows. Counters have 64 bits for the program and
 * 47 in the processor: an overflow there adds 2^47, and one of all 64 bits is the program's.
 * A program starts and stops by itself, with sum and rum of PSR.up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "perfmon.h"
#include "threads.h"

#define PSR_UP (1ULL << 2)
#define PSR_SP (1ULL << 20)
#define PSR_PP (1ULL << 21)

#define PMC_OI (1ULL << 5)
#define PMC_PLM 0xfULL
#define PMC0_FR 1

#define VERSION (2 << 16)
/* Bytes of arguments that one call takes at most */
#define MAX_ARGS 4096

/* enum of perfmon.h: what a PMC is. */
enum kind { NONE, CONTROL, COUNTING, MONITOR, CONFIG };

#define EAR_DATA (1ULL << 32 | 1ULL << 33 | 1ULL << 36)
#define EAR_INSN (1ULL << 34 | 1ULL << 35)
#define TRACE (1ULL << 38 | 1ULL << 39 | 0xffffULL << 48)
#define IMPLEMENTED (PERFMON_COUNTERS | EAR_DATA | EAR_INSN | 1ULL << 37 | TRACE)

/* perfmon_montecito.h, as pmu-clients.rst has it: bits that can be written, the others' values */
static const struct pmc_desc {
	enum kind kind;
	unsigned int pm; /* position of the bit */
	uint64_t writable;
	uint64_t value;
	uint64_t pmds; /* that belong to it */
} pmcs[PERFMON_NR] = {
	[0 ... 3] = { CONTROL },
	[4 ... 15] = { COUNTING, 6, 0x7c7fff7f, 0x2000000 },
	[32] = { CONFIG, 0, 0x30f01ffffffffff, 0x30f01ffffffffff },
	[33] = { CONFIG, 0, 0x1ffffffffff, 0 },
	[34] = { CONFIG, 0, 0xf01ffffffffff, 0xf01ffffffffff },
	[35] = { CONFIG, 0, 0x1ffffffffff, 0 },
	[36] = { CONFIG, 0, 0xf, 0xfffffff0 },
	[37] = { MONITOR, 4, 0x3fff, 0, EAR_INSN },
	[38] = { CONFIG, 0, 0x2492, 0xdb6 },
	[39] = { MONITOR, 6, 0xffcf, 0, TRACE },
	[40] = { MONITOR, 6, 0xf01cf, 0x2000000, EAR_DATA },
	[41] = { CONFIG, 0, 0x1e00018181818, 0x2078fefefefe },
	[42] = { MONITOR, 6, 0x7ff4f, 0, TRACE },
};

/* pfarg_reg_t */
struct arg_reg {
	uint32_t num;
	uint16_t set;
	uint16_t pad;
	uint64_t value;
	uint32_t flags;
	uint32_t pad2;
	uint64_t long_reset;
	uint64_t short_reset;
	uint64_t reset_pmds[4];
	uint64_t random_seed;
	uint64_t random_mask;
	uint64_t last_reset;
	uint64_t sample_pmds[4];
	uint64_t event;
	uint64_t reserved[3];
};

/* pfarg_context_t */
struct arg_context {
	uint8_t uuid[16];
	uint64_t flags;
	uint16_t set;
	uint16_t pad;
	int32_t fd;
	uint64_t vaddr;
	uint64_t reserved[11];
};

/* pfarg_dbreg_t, pfarg_load_t and pfarg_features_t begin alike: a number. */
struct arg_dbreg {
	uint32_t num;
	uint16_t set;
	uint16_t pad;
	uint64_t value;
	uint32_t flags;
	uint32_t pad2;
	uint64_t reserved;
};

struct arg_load {
	uint32_t number;
	uint32_t pad;
	uint64_t reserved[3];
};

struct arg_features {
	uint32_t version;
	uint32_t pad;
	uint64_t reserved[4];
};

_Static_assert(sizeof(struct arg_reg) == 160, "pfarg_reg_t");
_Static_assert(sizeof(struct arg_context) == 128, "pfarg_context_t");
_Static_assert(sizeof(struct arg_dbreg) == 32 && sizeof(struct arg_load) == 32, "pfarg_dbreg_t");
_Static_assert(sizeof(struct arg_features) == 40, "pfarg_features_t");
_Static_assert(sizeof(struct perfmon_msg) == 56, "pfm_msg_t");

static const uint8_t default_format[16] = {
	0x4d, 0x72, 0xbe, 0xc0, 0x06, 0x64, 0x41, 0x43,
	0x82, 0xb4, 0xd3, 0xfd, 0x27, 0x24, 0x3c, 0x97,
};

/* ---- registers of the processor ---- */

static int perfmon_set(struct montecito_process *run, uint32_t cls, uint32_t index, uint64_t value)
{
	return montecito_set_reg(run->m, run->cpu->vcpu, cls, index, value);
}

static int perfmon_psr_change(struct montecito_process *run, uint64_t on, uint64_t off)
{
	uint64_t psr;
	int err = montecito_get_reg(run->m, run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				    MONTECITO_SPECIAL_PSR, &psr);

	return err ? err
		   : perfmon_set(run, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
				 (psr & ~off) | on);
}

/* Of thread @tid, which need not have run->cpu */
static int perfmon_thread_psr(struct montecito_process *run, uint32_t tid, uint64_t on,
			      uint64_t off)
{
	struct guest_thread *t = thread_find(run, tid);
	__u64 *psr;

	if (t && t->cpu == run->cpu)
		return perfmon_psr_change(run, on, off);
	if (t) {
		psr = context_value(&t->regs, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
		*psr = (*psr & ~off) | on;
	}
	return 0;
}

static bool perfmon_counting(unsigned int n)
{
	return PERFMON_COUNTERS >> n & 1;
}

/* The processor that has the registers of @c where it is loaded, or NULL. */
static struct guest_cpu *perfmon_cpu_of(const struct montecito_process *run,
					const struct perfmon *c)
{
	const struct guest_thread *t;

	if (c->flags & PERFMON_SYSTEM_WIDE)
		return c->cpu;
	t = thread_find(run, c->thread);
	return t ? t->cpu : NULL;
}

/* True if run->cpu has the registers of @c now. */
static bool perfmon_is_live(const struct montecito_process *run, const struct perfmon *c)
{
	return c->state == PERFMON_LOADED && perfmon_cpu_of(run, c) == run->cpu;
}

/* Serve the processor that has the registers of @c, if one has. Return: the one before. */
static struct guest_cpu *perfmon_serve(struct montecito_process *run, const struct perfmon *c)
{
	struct guest_cpu *before = run->cpu, *of = perfmon_cpu_of(run, c);

	if (of)
		run->cpu = of;
	return before;
}

static int perfmon_pmd_get(struct montecito_process *run, const struct perfmon *c, unsigned int n,
			   uint64_t *value)
{
	if (perfmon_is_live(run, c))
		return montecito_get_reg(run->m, run->cpu->vcpu, MONTECITO_REG_PMD, n, value);
	*value = c->state == PERFMON_LOADED ? c->hardware[n] : 0;
	return 0;
}

static int perfmon_pmd_set(struct montecito_process *run, struct perfmon *c, unsigned int n,
			   uint64_t value)
{
	c->hardware[n] = value;
	return perfmon_is_live(run, c) ? perfmon_set(run, MONTECITO_REG_PMD, n, value) : 0;
}

int perfmon_read(struct montecito_process *run, const struct perfmon *c, unsigned int n,
		 uint64_t *value)
{
	int err = perfmon_pmd_get(run, c, n, value);

	if (perfmon_counting(n))
		*value = (*value & PERFMON_MASK) + c->pmd[n].value;
	else if (c->state != PERFMON_LOADED)
		*value = c->pmd[n].value;
	return err;
}

/* Write a value as the program means it: the processor has the lower bits of a counter. */
static int perfmon_write(struct montecito_process *run, struct perfmon *c, unsigned int n,
			 uint64_t value)
{
	c->pmd[n].value = value;
	if (c->state != PERFMON_LOADED)
		return 0;
	if (perfmon_counting(n)) {
		c->pmd[n].value = value & ~PERFMON_MASK;
		value &= PERFMON_MASK;
	}
	return perfmon_pmd_set(run, c, n, value);
}

/* Monitors count nothing with a plm of 0. */
static int perfmon_pmcs_write(struct montecito_process *run, const struct perfmon *c, bool masked)
{
	unsigned int n;
	int err = 0;

	for (n = PERFMON_FIRST; !err && n < PERFMON_NR; n++)
		if (pmcs[n].kind > CONTROL)
			err = perfmon_set(run, MONTECITO_REG_PMC, n,
					  masked && pmcs[n].kind != CONFIG ? c->pmc[n] & ~PMC_PLM
									   : c->pmc[n]);
	return err;
}

static int perfmon_pmds_write(struct montecito_process *run, struct perfmon *c)
{
	unsigned int n;
	int err = 0;

	for (n = PERFMON_FIRST; !err && n < PERFMON_NR; n++)
		if (IMPLEMENTED >> n & 1 && n != 37)
			err = perfmon_write(run, c, n, c->used >> n & 1 ? c->pmd[n].value : 0);
	return err;
}

static int perfmon_debug_write(struct montecito_process *run, const struct perfmon *c)
{
	unsigned int i;
	int err = 0;

	for (i = 0; c->debug && !err && i < 8; i++) {
		err = perfmon_set(run, MONTECITO_REG_IBR, i, c->ibr[i]);
		if (!err)
			err = perfmon_set(run, MONTECITO_REG_DBR, i, c->dbr[i]);
	}
	return err;
}

/* Take the PMDs out of the processor, where nothing counts any more. */
static int perfmon_pmds_flush(struct montecito_process *run, struct perfmon *c,
			      enum perfmon_state state)
{
	uint64_t value[PERFMON_NR];
	unsigned int n;
	int err = 0;

	for (n = 0; !err && n < PERFMON_NR; n++)
		if (c->used >> n & 1)
			err = perfmon_read(run, c, n, &value[n]);
	for (n = 0; !err && n < PERFMON_NR; n++)
		if (c->used >> n & 1)
			c->pmd[n].value = value[n];
	c->state = state;
	return err;
}

/* ---- resets ---- */

/* Linux's carta_random32(): a minimal standard generator modulo 2^31 - 1 */
static uint64_t perfmon_random32(uint64_t seed)
{
	const uint64_t m = 1ULL << 31;
	uint64_t product = 16807 * seed, sum = (product >> 31 & (m - 1)) + (product & (m - 1));

	return sum < m ? sum : sum - (m - 1);
}

static int perfmon_pmd_reset(struct montecito_process *run, struct perfmon *c, unsigned int n,
			     bool is_long)
{
	struct perfmon_pmd *d = &c->pmd[n];
	uint64_t value = is_long ? d->long_reset : d->short_reset, seed = d->seed;

	if (d->flags & PERFMON_RANDOM) {
		value -= seed & d->mask;
		d->seed = perfmon_random32(seed);
		if (d->mask >> 32)
			d->seed |= perfmon_random32(seed >> 32) << 32;
	}
	d->last = value;
	return perfmon_write(run, c, n, value);
}

int perfmon_reset(struct montecito_process *run, struct perfmon *c, uint64_t which, bool is_long)
{
	uint64_t others = 0, left;
	int err = 0;

	for (left = which; !err && left; left &= left - 1) {
		others |= c->pmd[__builtin_ctzll(left)].reset_pmds;
		err = perfmon_pmd_reset(run, c, __builtin_ctzll(left), is_long);
	}
	for (left = others & ~which; !err && left; left &= left - 1)
		err = perfmon_pmd_reset(run, c, __builtin_ctzll(left), is_long);
	return err;
}

/* The thread that waits for a RESTART of @c goes on. */
static void perfmon_unblock(struct montecito_process *run, const struct perfmon *c)
{
	struct guest_thread *t = thread_find(run, c->thread);

	if (t && t->state == THREAD_BLOCKED)
		t->state = THREAD_READY;
}

/* ---- overflow ---- */

/* The context whose registers run->cpu has, or NULL. */
static struct perfmon *perfmon_live(const struct montecito_process *run)
{
	struct perfmon *c;

	for (c = run->contexts; c; c = c->next)
		if (perfmon_is_live(run, c))
			return c;
	return NULL;
}

/* Count no more until RESTART, for which the thread itself waits with PERFMON_NOTIFY_BLOCK. */
static int perfmon_mask(struct montecito_process *run, struct perfmon *c, uint64_t notify)
{
	int err = perfmon_pmcs_write(run, c, true);

	if (!err && notify && c->flags & PERFMON_NOTIFY_BLOCK)
		thread_wait(run, THREAD_BLOCKED, 0);
	return err ? err : perfmon_pmds_flush(run, c, PERFMON_MASKED);
}

/* Samples of the counters @over; those of which an entry was made are reset. */
static int perfmon_samples(struct montecito_process *run, struct perfmon *c, uint64_t *over,
			   uint64_t notify, const struct montecito_exit *e, uint64_t tstamp)
{
	uint64_t left, reset = 0;
	int err, full = 0;

	for (left = *over; left && !full; left &= left - 1) {
		unsigned int n = __builtin_ctzll(left);

		full = perfmon_sample(run, c, n, e, tstamp);
		if (full < 0)
			return full;
		if (!full)
			reset |= 1ULL << n;
	}
	*over &= ~reset;
	err = perfmon_reset(run, c, reset, false);
	if (err || !full)
		return err;
	c->overflowed = *over;
	err = perfmon_mask(run, c, notify);
	return err || !notify ? err : perfmon_notify(run, c, *over, tstamp);
}

int perfmon_overflow(struct montecito_process *run, const struct montecito_exit *e)
{
	struct perfmon *c = perfmon_live(run);
	uint64_t over = 0, notify = 0, left, tstamp;
	int err = montecito_get_reg(run->m, run->cpu->vcpu, MONTECITO_REG_AR, 44, &tstamp);

	/* Without a context the PMU is another's. */
	if (!c)
		return err;
	for (left = e->pmc0 & PERFMON_COUNTERS; left; left &= left - 1) {
		struct perfmon_pmd *d = &c->pmd[__builtin_ctzll(left)];

		d->value += 1ULL << PERFMON_BITS;
		/* A carry out of bit 63 */
		if (d->value >> PERFMON_BITS)
			continue;
		over |= left & -left;
		if (d->flags & PERFMON_OVFL_NOTIFY)
			notify |= left & -left;
	}
	if (!err && over && c->buffer) {
		err = perfmon_samples(run, c, &over, notify, e, tstamp);
	} else if (!err && over && !notify) {
		err = perfmon_reset(run, c, over, false);
	} else if (!err && over) {
		c->overflowed = over;
		err = perfmon_mask(run, c, notify);
		if (!err)
			err = perfmon_notify(run, c, over, tstamp);
	}
	return err ? err : perfmon_set(run, MONTECITO_REG_PMC, 0, 0);
}

/* The context that is loaded on @t alone, or NULL. */
static struct perfmon *perfmon_loaded_on(const struct montecito_process *run,
					 const struct guest_thread *t)
{
	struct perfmon *c;

	for (c = run->contexts; c; c = c->next)
		if (c->state == PERFMON_LOADED && c->thread == t->tid &&
		    !(c->flags & PERFMON_SYSTEM_WIDE))
			return c;
	return NULL;
}

static bool perfmon_switched(unsigned int n)
{
	return IMPLEMENTED >> n & 1 && n != 37;
}

/* A context that counts whatever its processor runs is started for each thread, or for none. */
static void perfmon_switch_wide(const struct montecito_process *run, struct guest_thread *to)
{
	__u64 *psr = context_value(&to->regs, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	const struct perfmon *c;
	bool on = false;

	for (c = run->contexts; c; c = c->next)
		on = on || (c->state != PERFMON_UNLOADED && c->flags & PERFMON_SYSTEM_WIDE &&
			    c->cpu == run->cpu && c->started);
	*psr = on ? *psr | PSR_PP : *psr & ~PSR_PP;
}

int perfmon_switch(struct montecito_process *run, const struct guest_thread *from,
		   struct guest_thread *to)
{
	struct perfmon *c = from ? perfmon_loaded_on(run, from) : NULL;
	unsigned int n;
	int err = 0;

	if (!run->contexts)
		return 0;
	if (to)
		perfmon_switch_wide(run, to);
	/* The PMDs are saved before those of another context take their place. */
	for (n = PERFMON_FIRST; c && !err && n < PERFMON_NR; n++)
		if (perfmon_switched(n))
			err = montecito_get_reg(run->m, run->cpu->vcpu, MONTECITO_REG_PMD, n,
						&c->hardware[n]);
	if (c && !err)
		err = perfmon_pmcs_write(run, c, true);
	c = to ? perfmon_loaded_on(run, to) : NULL;
	for (n = PERFMON_FIRST; c && !err && n < PERFMON_NR; n++)
		if (perfmon_switched(n))
			err = perfmon_set(run, MONTECITO_REG_PMD, n, c->hardware[n]);
	if (c && !err)
		err = perfmon_pmcs_write(run, c, false);
	if (c && !err)
		err = perfmon_debug_write(run, c);
	return err;
}

/* ---- commands ---- */

struct perfmon *perfmon_of(const struct guest_process *p, uint64_t fd)
{
	return fd < NR_GUEST_FDS && p->file[fd] ? p->file[fd]->perfmon : NULL;
}

static int perfmon_create(struct guest_process *p, struct arg_context *a, uint64_t at)
{
	struct montecito_pmu_sampling s = { .counter = PERFMON_FIRST };
	static const uint8_t none[16];
	struct perfmon *c;
	uint64_t size;
	int fd, n, err;

	if (a->flags & PERFMON_SYSTEM_WIDE && a->flags & PERFMON_NOTIFY_BLOCK)
		return -EINVAL;
	err = montecito_pmu_sampling(p->m, p->run->cpu->vcpu, &s);
	if (err) {
		process_message(p,
				"perfmonctl: the machine's PMU is not the host's (CFG_HOST_PMU)");
		return -ENOSYS;
	}
	fd = process_free_fd(p, 0);
	if (fd < 0)
		return fd;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->fd = fd;
	c->home = p;
	c->flags = a->flags;
	for (n = 0; n < PERFMON_NR; n++)
		c->pmc[n] = pmcs[n].value;
	if (memcmp(a->uuid, none, sizeof(none))) {
		if (memcmp(a->uuid, default_format, sizeof(default_format)))
			err = -EINVAL;
		/* pfm_default_smpl_arg_t lies behind: the size of the buffer */
		else if (uvm_read(p->vm, &size, at + sizeof(*a), sizeof(size)))
			err = -EFAULT;
		else
			err = perfmon_buffer(p, c, size);
	}
	if (!err)
		err = file_perfmon(p, fd, c);
	if (err) {
		free(c);
		return err;
	}
	c->next = p->run->contexts;
	p->run->contexts = c;
	a->fd = fd;
	a->vaddr = c->buffer;
	return 0;
}

/* Combinations that tag what goes into the L1D otherwise than the L2 [pfm_mont_pmc_check()] */
static bool perfmon_pmc_illegal(const struct perfmon *c, unsigned int n, uint64_t value)
{
	uint64_t pmc32 = n == 32 ? value : c->pmc[32], pmc38 = n == 38 ? value : c->pmc[38];
	uint64_t pmc41 = n == 41 ? value : c->pmc[41];

	if (n != 32 && n != 38 && n != 41)
		return false;
	return !(pmc41 >> 45 & 0xf) && !(pmc32 >> 57 & 1) &&
	       (!(pmc38 >> 1 & 1) || !(pmc38 >> 4 & 1));
}

static int perfmon_pmc_write(struct montecito_process *run, struct perfmon *c, struct arg_reg *a)
{
	const struct pmc_desc *d = a->num < PERFMON_NR ? &pmcs[a->num] : &pmcs[0];
	bool monitor = d->kind == COUNTING || d->kind == MONITOR;
	uint64_t value = a->value;
	struct perfmon_pmd *pmd;

	if (d->kind <= CONTROL)
		return -EINVAL;
	if (monitor && value != d->value &&
	    (value >> d->pm & 1) != !!(c->flags & PERFMON_SYSTEM_WIDE))
		return -EINVAL;
	if (d->kind == COUNTING) {
		value |= PMC_OI;
		if ((a->sample_pmds[0] | a->reset_pmds[0]) & ~IMPLEMENTED)
			return -EINVAL;
	} else if (a->flags & (PERFMON_OVFL_NOTIFY | PERFMON_RANDOM)) {
		return -EINVAL;
	}
	value = (value & d->writable) | (d->value & ~d->writable);
	if (perfmon_pmc_illegal(c, a->num, value))
		return -EINVAL;
	if (d->kind == COUNTING) {
		pmd = &c->pmd[a->num];
		pmd->flags = a->flags & (PERFMON_OVFL_NOTIFY | PERFMON_RANDOM);
		pmd->reset_pmds = a->reset_pmds[0];
		pmd->sample_pmds = a->sample_pmds[0];
		pmd->event = a->event;
		c->used |= a->reset_pmds[0] | a->sample_pmds[0] | 1ULL << a->num;
		if (c->state == PERFMON_MASKED)
			c->overflowed &= ~(1ULL << a->num);
	}
	c->used |= d->pmds;
	c->pmc[a->num] = value;
	return perfmon_is_live(run, c) ? perfmon_set(run, MONTECITO_REG_PMC, a->num, value) : 0;
}

static int perfmon_pmd_write(struct montecito_process *run, struct perfmon *c, struct arg_reg *a)
{
	struct perfmon_pmd *d;

	if (a->num >= PERFMON_NR || !(IMPLEMENTED >> a->num & 1))
		return -EINVAL;
	d = &c->pmd[a->num];
	if (perfmon_counting(a->num))
		d->last = a->value;
	d->long_reset = a->long_reset;
	d->short_reset = a->short_reset;
	d->seed = a->random_seed;
	d->mask = a->random_mask;
	c->used |= 1ULL << a->num;
	if (perfmon_counting(a->num) && c->state == PERFMON_MASKED)
		c->overflowed &= ~(1ULL << a->num);
	return perfmon_write(run, c, a->num, a->value);
}

static int perfmon_pmd_read(struct montecito_process *run, struct perfmon *c, struct arg_reg *a)
{
	if (a->num >= PERFMON_NR || !(IMPLEMENTED & c->used) || !(c->used >> a->num & 1))
		return -EINVAL;
	a->last_reset = c->pmd[a->num].last;
	return perfmon_read(run, c, a->num, (uint64_t *)&a->value);
}

static int perfmon_pmc_default(struct montecito_process *run, struct perfmon *c, struct arg_reg *a)
{
	(void)run;
	(void)c;
	if (a->num >= PERFMON_NR || pmcs[a->num].kind == NONE)
		return -EINVAL;
	a->value = pmcs[a->num].value;
	return 0;
}

/* Each of @nr registers; the one that is refused says so in its flags, and ends it. */
static int
perfmon_each(struct montecito_process *run, struct perfmon *c, struct arg_reg *a, uint64_t nr,
	     int (*one)(struct montecito_process *run, struct perfmon *c, struct arg_reg *a))
{
	int err = 0;

	for (; !err && nr; nr--, a++) {
		err = one(run, c, a);
		a->flags &= ~PERFMON_RET;
		if (err)
			a->flags |= PERFMON_EINVAL;
	}
	return err;
}

static int perfmon_debug_regs(struct montecito_process *run, struct perfmon *c, struct arg_dbreg *a,
			      uint64_t nr, bool data)
{
	for (; nr; nr--, a++) {
		a->flags &= ~PERFMON_RET;
		if (a->num >= 8) {
			a->flags |= PERFMON_EINVAL;
			return -EINVAL;
		}
		/* A mask register: no breakpoint is enabled. */
		if (a->num & 1)
			a->value &= data ? ~(3ULL << 62) : ~(1ULL << 63);
		(data ? c->dbr : c->ibr)[a->num] = a->value;
		c->debug = true;
	}
	return perfmon_is_live(run, c) ? perfmon_debug_write(run, c) : 0;
}

/* The thread that @c can be loaded on: the caller, or one that it has stopped by ptrace. */
static int perfmon_target(struct montecito_process *run, const struct perfmon *c, uint64_t number)
{
	struct guest_thread *t = thread_find(run, number);

	if (c->flags & PERFMON_NOTIFY_BLOCK && number == run->cpu->current->tid)
		return -EINVAL;
	if (!t)
		return -ESRCH;
	if (t == run->cpu->current)
		return 0;
	if (c->flags & PERFMON_SYSTEM_WIDE)
		return -EINVAL;
	/* A thread of the same process cannot be stopped so. */
	if (t->p == run->cpu->current->p)
		return -EBUSY;
	return t->p->tracer == run->cpu->current->p->pid && t->p->stopped ? 0 : -ESRCH;
}

/* Only one context at a time can count what @c would. */
static bool perfmon_taken(const struct montecito_process *run, const struct perfmon *c,
			  uint32_t thread)
{
	const struct perfmon *o;

	for (o = run->contexts; o; o = o->next)
		if (o->state != PERFMON_UNLOADED &&
		    ((o->flags | c->flags) & PERFMON_SYSTEM_WIDE || o->thread == thread))
			return true;
	return false;
}

static int perfmon_load(struct montecito_process *run, struct perfmon *c, const struct arg_load *a)
{
	int err;

	if (c->state != PERFMON_UNLOADED)
		return -EBUSY;
	err = perfmon_target(run, c, a->number);
	if (!err && perfmon_taken(run, c, a->number))
		err = -EBUSY;
	if (err)
		return err;
	c->state = PERFMON_LOADED;
	c->cpu = run->cpu;
	c->thread = a->number;
	c->started = false;
	/* The registers go into the processor with the thread. */
	if (!perfmon_is_live(run, c))
		return perfmon_pmds_write(run, c);
	err = perfmon_psr_change(run, 0, PSR_SP);
	if (!err)
		err = perfmon_pmds_write(run, c);
	if (!err)
		err = perfmon_debug_write(run, c);
	if (!err)
		err = perfmon_pmcs_write(run, c, false);
	return err ? err : perfmon_set(run, MONTECITO_REG_PMC, 0, 0);
}

static int perfmon_unload(struct montecito_process *run, struct perfmon *c)
{
	struct guest_cpu *before;
	bool was_live;
	int err;

	if (c->state == PERFMON_UNLOADED)
		return 0;
	before = perfmon_serve(run, c);
	was_live = perfmon_is_live(run, c);
	err = perfmon_thread_psr(run, c->thread, PSR_SP, PSR_UP | PSR_PP);
	if (!err && was_live)
		err = perfmon_pmcs_write(run, c, true);
	if (!err && c->state == PERFMON_LOADED)
		err = perfmon_pmds_flush(run, c, PERFMON_UNLOADED);
	c->state = PERFMON_UNLOADED;
	perfmon_unblock(run, c);
	run->cpu = before;
	return err;
}

static int perfmon_start(struct montecito_process *run, struct perfmon *c, bool on)
{
	bool wide = c->flags & PERFMON_SYSTEM_WIDE;
	uint64_t bit = wide ? PSR_PP : PSR_UP;

	if (on ? c->state != PERFMON_LOADED : c->state == PERFMON_UNLOADED)
		return -EINVAL;
	c->started = on;
	return wide ? perfmon_psr_change(run, on ? bit : 0, on ? 0 : bit)
		    : perfmon_thread_psr(run, c->thread, on ? bit : 0, on ? 0 : bit);
}

static int perfmon_restart(struct montecito_process *run, struct perfmon *c)
{
	bool masked = c->state == PERFMON_MASKED;
	struct guest_cpu *before;
	int err = 0;

	if (!masked && !(c->state == PERFMON_LOADED && c->buffer))
		return -EBUSY;
	if (c->buffer)
		err = perfmon_buffer_reset(c);
	if (!err)
		err = perfmon_reset(run, c, c->overflowed, true);
	c->overflowed = 0;
	if (err || !masked)
		return err;
	c->state = PERFMON_LOADED;
	before = perfmon_serve(run, c);
	err = perfmon_pmds_write(run, c);
	perfmon_unblock(run, c);
	if (!err && perfmon_is_live(run, c))
		err = perfmon_pmcs_write(run, c, false);
	run->cpu = before;
	return err;
}

/*
 * By command: the bytes of an argument, how many there must be (-1: some), whether it is for a
 * descriptor, and whether the thread that is measured has to be stopped
 */
static const struct command {
	uint32_t size;
	int nr;
	bool fd;
	bool stop;
} commands[] = {
	[0x01] = { sizeof(struct arg_reg), -1, true, true }, /* WRITE_PMCS */
	[0x02] = { sizeof(struct arg_reg), -1, true, true }, /* WRITE_PMDS */
	[0x03] = { sizeof(struct arg_reg), -1, true, true }, /* READ_PMDS */
	[0x04] = { 0, 0, true, true }, /* STOP */
	[0x05] = { 0, 0, true, true }, /* START */
	[0x08] = { sizeof(struct arg_context), 1, false, false }, /* CREATE_CONTEXT */
	[0x0a] = { 0, 0, true, false }, /* RESTART */
	[0x0c] = { sizeof(struct arg_features), 1, false, false }, /* GET_FEATURES */
	[0x0d] = { sizeof(uint32_t), 1, false, false }, /* DEBUG */
	[0x0f] = { sizeof(struct arg_reg), -1, false, false }, /* GET_PMC_RESET_VAL */
	[0x10] = { sizeof(struct arg_load), 1, true, true }, /* LOAD_CONTEXT */
	[0x11] = { 0, 0, true, true }, /* UNLOAD_CONTEXT */
	[0x20] = { sizeof(struct arg_dbreg), -1, true, true }, /* WRITE_IBRS */
	[0x21] = { sizeof(struct arg_dbreg), -1, true, true }, /* WRITE_DBRS */
};

static int perfmon_command(struct guest_process *p, struct perfmon *c, uint64_t cmd, void *a,
			   uint64_t at, uint64_t nr)
{
	struct montecito_process *run = p->run;

	switch (cmd) {
	case 0x01:
		return perfmon_each(run, c, a, nr, perfmon_pmc_write);
	case 0x02:
		return perfmon_each(run, c, a, nr, perfmon_pmd_write);
	case 0x03:
		return perfmon_each(run, c, a, nr, perfmon_pmd_read);
	case 0x04:
	case 0x05:
		return perfmon_start(run, c, cmd == 0x05);
	case 0x08:
		return perfmon_create(p, a, at);
	case 0x0a:
		return perfmon_restart(run, c);
	case 0x0c:
		((struct arg_features *)a)->version = VERSION;
		return 0;
	case 0x0d:
		return 0;
	case 0x0f:
		return perfmon_each(run, c, a, nr, perfmon_pmc_default);
	case 0x10:
		return perfmon_load(run, c, a);
	case 0x11:
		return perfmon_unload(run, c);
	default:
		return perfmon_debug_regs(run, c, a, nr, cmd == 0x21);
	}
}

/*
 * True if a command is for a thread that is not stopped: its registers are a processor's, or
 * would be. A masked context has them in memory, and is only not unloaded. One that counts
 * whatever a processor runs is served by that one alone.
 */
static bool perfmon_runs(const struct montecito_process *run, const struct perfmon *c, uint64_t cmd)
{
	const struct guest_thread *t = thread_find(run, c->thread);

	if (c->flags & PERFMON_SYSTEM_WIDE)
		return c->state != PERFMON_UNLOADED && c->cpu != run->cpu && commands[cmd].stop;
	if (!t || t == run->cpu->current || t->p->stopped)
		return false;
	/* RESTART, and what only looks at the context */
	if (!commands[cmd].stop)
		return false;
	return c->state == PERFMON_LOADED || (c->state == PERFMON_MASKED && cmd == 0x11);
}

/* Descriptor, command, arguments, their number */
int64_t sys_perfmonctl(struct guest_process *p, const uint64_t *arg)
{
	const struct command *d;
	uint64_t args[MAX_ARGS / 8];
	struct perfmon *c = NULL;
	uint64_t len;
	int err;

	if (arg[1] >= sizeof(commands) / sizeof(commands[0]))
		return -EINVAL;
	d = &commands[arg[1]];
	if (!d->size && !d->fd)
		return -EINVAL;
	if ((d->nr < 0 && (int32_t)arg[3] <= 0) || (d->nr > 0 && (int32_t)arg[3] != d->nr))
		return -EINVAL;
	len = d->size * (uint64_t)(uint32_t)arg[3];
	if (len > MAX_ARGS)
		return -E2BIG;
	if (uvm_read(p->vm, args, arg[2], len))
		return -EFAULT;
	if (d->fd) {
		c = perfmon_of(p, arg[0]);
		if (!c)
			return -EBADF;
		if (perfmon_runs(p->run, c, arg[1]))
			return -EBUSY;
	}
	err = perfmon_command(p, c, arg[1], args, arg[2], (uint32_t)arg[3]);
	/* Arguments go back with an error too: their flags tell which of them it was. */
	if (len && uvm_write(p->vm, arg[2], args, len))
		return -EFAULT;
	return err;
}

/* ---- ends ---- */

int perfmon_close(struct montecito_process *run, struct perfmon *c)
{
	struct perfmon **at = &run->contexts;
	int err = perfmon_unload(run, c);

	if (c->buffer && c->home && c->home->vm)
		uvm_unmap(c->home->vm, c->buffer, uvm_round(c->home->vm, c->buffer_size));
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	free(c);
	return err;
}

/* The buffers of @p are gone with its memory: what would be written to them is not sampled. */
static void perfmon_homeless(struct guest_process *p)
{
	struct perfmon *c;

	for (c = p->run->contexts; c; c = c->next)
		if (c->home == p)
			c->home = NULL;
}

void perfmon_forget(struct montecito_process *run)
{
	struct perfmon *c;

	for (c = run->contexts; c; c = c->next) {
		c->state = PERFMON_UNLOADED;
		c->home = NULL;
	}
}

int perfmon_exit(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	const struct guest_thread *t;
	struct perfmon *c;
	int err = 0;

	for (c = run->contexts; !err && c; c = c->next) {
		t = thread_find(run, c->thread);
		if (c->state == PERFMON_UNLOADED || !t || t->p != p)
			continue;
		err = perfmon_unload(run, c);
		if (!err && c->home && c->home != p)
			perfmon_end(run, c);
	}
	perfmon_homeless(p);
	return err;
}

void perfmon_exec(struct guest_process *p, uint32_t tid)
{
	struct perfmon *c;

	perfmon_homeless(p);
	for (c = p->run->contexts; c; c = c->next)
		if (c->state != PERFMON_UNLOADED && c->thread == tid)
			c->thread = p->pid;
}
