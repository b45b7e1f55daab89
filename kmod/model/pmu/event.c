// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * The event table in code, and how an event is found in it (manual chapter 4).
 */
#include "event.h"
#include "event_row.h"

#define MONT_ROW_CTR_C4_15 0xfff0
#define MONT_ROW_CTR_C4_9 0x03f0
#define MONT_ROW_CTR_C10 0x0400

#define MONT_ROW_SET_ANY MONT_SET_ANY
#define MONT_ROW_SET_L1D(n) (MONT_SET_L1D | (n))
#define MONT_ROW_SET_L2D(n) (MONT_SET_L2D | (n))

#define MONT_ROW_THREAD_A 'A'
#define MONT_ROW_THREAD_F 'F'
#define MONT_ROW_THREAD_C 'C'
#define MONT_ROW_THREAD_S 'S'

static const struct mont_event mont_events[] = {
#define MONT_EVENT(nm, cd, um, er, eu, ctr, mx, nt, st, flt, al, th, bs, status, text) \
	{                                                                              \
		.name = nm,                                                            \
		.counters = MONT_ROW_CTR_##ctr,                                        \
		.code = cd,                                                            \
		.umask = um,                                                           \
		.ear = MONT_EAR_##er,                                                  \
		.ear_umask = eu,                                                       \
		.max_inc = mx,                                                         \
		.needs_time = nt,                                                      \
		.set = MONT_ROW_SET_##st,                                              \
		.filters = MONT_ROW_FILT_##flt,                                        \
		.all = MONT_ALL_##al,                                                  \
		.thread = MONT_ROW_THREAD_##th,                                        \
		.basis = MONT_BASIS_##bs,                                              \
		MONT_ROW_STATUS_##status,                                              \
	},
#include "events.def"
#undef MONT_EVENT
};

_Static_assert(MONT_ARRAY_SIZE(mont_events) == MONT_NR_EVENTS, "events.def lost a row");

static const struct mont_event mont_cause_events[] = {
#define MONT_CAUSE(nm, bar, meaning)                                                     \
	{                                                                                \
		.name = "CAUSE." #nm,                                                    \
		.code = MONT_CODE_CAUSE + MONT_SIG_BUBBLE_##nm - MONT_SIG_BUBBLES_FIRST, \
		.max_inc = 1,                                                            \
		.needs_time = true,                                                      \
		.filters = MONT_EVF_IAR | MONT_EVF_OPC,                                  \
		.all = MONT_ALL_N,                                                       \
		.thread = 'A',                                                           \
		.basis = MONT_BASIS_EXPANDED,                                            \
		MONT_ROW_STATUS_COUNTED(BUBBLE_##nm, ANY),                               \
	},
#include "../pipeline/causes.def"
#undef MONT_CAUSE
};

/* Captures of an IP-EAR (manual 3.3.10.2), which an observer has as its own */
static const struct mont_event mont_ip_ear_event = {
	.name = "IP_EAR_EVENTS",
	.code = MONT_CODE_IP_EAR,
	.max_inc = 1,
	.needs_time = true,
	.all = MONT_ALL_N,
	.thread = 'A',
	.basis = MONT_BASIS_EXPANDED,
	MONT_ROW_STATUS_COUNTED(INST_RETIRED, IP_EAR),
};

static const char *const mont_refusals[] = {
	[MONT_REFUSE_NONE] = NULL,
#define MONT_REFUSAL(id, text) [MONT_REFUSE_##id] = text,
#include "refusals.def"
#undef MONT_REFUSAL
};

static const char *const mont_zeros[] = {
	[MONT_ZERO_NOT] = NULL,
#define MONT_ZERO(id, text) [MONT_ZERO_##id] = text,
#include "zeros.def"
#undef MONT_ZERO
};

/* The alias that has no row of its own: L2D_OZQ_FULL answers to both. */
#define MONT_ES_L2D_OZQ_FULL 0xe1
#define MONT_ES_L2D_OZQ_FULL_ALIAS 0xe3

const struct mont_event *mont_event_at(unsigned int index)
{
	return index < MONT_NR_EVENTS ? &mont_events[index] : NULL;
}

const struct mont_event *mont_event_of_cause(unsigned int index)
{
	return index < MONT_ARRAY_SIZE(mont_cause_events) ? &mont_cause_events[index] : NULL;
}

const struct mont_event *mont_event_beside(unsigned int index)
{
	return index == MONT_ARRAY_SIZE(mont_cause_events) ? &mont_ip_ear_event
							   : mont_event_of_cause(index);
}

const struct mont_event *mont_event_lookup(unsigned int code, unsigned int umask)
{
	const struct mont_event *ear = NULL;
	unsigned int i;

	if (code == MONT_CODE_IP_EAR)
		return umask ? NULL : &mont_ip_ear_event;
	if (code >= MONT_CODE_CAUSE)
		return umask ? NULL : mont_event_of_cause(code - MONT_CODE_CAUSE);
	if (code == MONT_ES_L2D_OZQ_FULL_ALIAS)
		code = MONT_ES_L2D_OZQ_FULL;
	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = &mont_events[i];

		if (e->code != code || e->umask != umask)
			continue;
		if (e->ear == MONT_EAR_NONE || e->ear == MONT_EAR_ETB)
			return e;
		ear = e;
	}
	return ear;
}

const struct mont_event *mont_event_of_ear(unsigned int code, unsigned int umask, unsigned int ear,
					   unsigned int ear_umask)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = &mont_events[i];

		if (e->code == code && e->umask == umask && e->ear == ear &&
		    e->ear_umask == ear_umask)
			return e;
	}
	return NULL;
}

unsigned int mont_event_code_set(unsigned int code)
{
	unsigned int i;

	if (code == MONT_ES_L2D_OZQ_FULL_ALIAS)
		code = MONT_ES_L2D_OZQ_FULL;
	for (i = 0; i < MONT_NR_EVENTS; i++) {
		if (mont_events[i].code == code)
			return mont_events[i].set;
	}
	return MONT_SET_ANY;
}

static char event_upper(char c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Return: the rest of the name of @e behind the @len characters of @name, or NULL. */
static const char *event_name_rest(const struct mont_event *e, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (!e->name[i] || e->name[i] != event_upper(name[i]))
			return NULL;
	}
	return e->name + len;
}

static bool event_streq(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* How good a bare name is for a row whose name goes on with @rest; 0: not. */
static unsigned int event_name_rank(const char *rest)
{
	if (!*rest)
		return 5;
	if (*rest != '.')
		return 0;
	if (event_streq(rest, ".ALL"))
		return 4;
	if (event_streq(rest, ".ALL.ALL"))
		return 3;
	if (event_streq(rest, ".ALL.ALL_PRED"))
		return 2;
	return 1;
}

const struct mont_event *mont_event_resolve(const char *name, size_t len, bool *many)
{
	const struct mont_event *best = NULL;
	unsigned int best_rank = 0, ties = 0, i;

	for (i = 0; len; i++) {
		const struct mont_event *e = i < MONT_NR_EVENTS
						     ? &mont_events[i]
						     : mont_event_beside(i - MONT_NR_EVENTS);
		const char *rest = e ? event_name_rest(e, name, len) : NULL;
		unsigned int rank = rest ? event_name_rank(rest) : 0;

		if (!e)
			break;
		if (!rank || rank < best_rank)
			continue;
		ties = rank > best_rank ? 1 : ties + 1;
		best = e;
		best_rank = rank;
	}
	if (many)
		*many = ties > 1;
	return ties == 1 ? best : NULL;
}

/* The signals from @first on that the bits of @umask name. */
static unsigned int event_leaf_causes(unsigned int umask, enum mont_signal first, u16 *sig)
{
	unsigned int n = 0;

	for (; umask; umask &= umask - 1)
		sig[n++] = first + __builtin_ctz(umask);
	return n;
}

/* @n signals: the first, and every one @step further. */
static unsigned int event_row_index(enum mont_signal first, unsigned int n, unsigned int step,
				    u16 *sig)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		sig[i] = first + i * step;
	return n;
}

/* @sig, of a transaction, as it goes with the signal of @e: by its core, or by either. */
static u16 event_sent(const struct mont_event *e, enum mont_signal sig)
{
	return MONT_SIGNAL_IN(e->signal, SENT)
		       ? sig
		       : sig - MONT_SIG_SENT_FIRST + MONT_SIG_EITHER_SENT_FIRST;
}

unsigned int mont_event_signals(const struct mont_event *e, u16 sig[MONT_EVENT_SIGNALS])
{
	unsigned int n = 0;

	if (e->cond >= MONT_COND_SUM_THIRD2)
		return event_row_index(e->signal, e->cond - MONT_COND_SUM_THIRD2 + 2, 3, sig);
	if (e->cond >= MONT_COND_SUM_OTHER2)
		return event_row_index(e->signal, e->cond - MONT_COND_SUM_OTHER2 + 2, 2, sig);
	if (e->cond >= MONT_COND_SUM_NEXT2)
		return event_row_index(e->signal, e->cond - MONT_COND_SUM_NEXT2 + 2, 1, sig);
	sig[n++] = e->signal;
	switch (e->cond) {
	case MONT_COND_REFERENCE:
	case MONT_COND_DBR_MATCH:
		sig[n++] = MONT_SIG_STORE_RETIRED;
		sig[n++] = MONT_SIG_ALAT_CHECK;
		sig[n++] = MONT_SIG_REFERENCE_FAULTED;
		break;
	case MONT_COND_L1D_READ:
		sig[n++] = MONT_SIG_ALAT_CHECK;
		break;
	case MONT_COND_REPLAYS:
		sig[n++] = MONT_SIG_ALAT_CHECK;
		break;
	case MONT_COND_PROFILED:
		sig[n++] = MONT_SIG_KILLED;
		sig[n++] = MONT_SIG_L1I_READ;
		sig[n++] = MONT_SIG_FETCH_SERVED;
		sig[n++] = MONT_SIG_BRANCH_RETIRED;
		sig[n++] = MONT_SIG_REPLAYED;
		sig[n++] = MONT_SIG_ALAT_CHECK;
		sig[n++] = MONT_SIG_DTLB_SERVED;
		return n + event_row_index(MONT_SIG_L3_PFTCH_MISS, 5, 2, sig + n);
	case MONT_COND_UNDER_WAY_LOW:
	case MONT_COND_UNDER_WAY_HIGH:
		sig[n++] = MONT_SIG_LOAD_SERVED;
		break;
	case MONT_COND_SUM_FETCHED:
		sig[n++] = MONT_SIG_KILLED;
		break;
	case MONT_COND_TRACED:
		sig[n++] = MONT_SIG_FLUSHED;
		break;
	case MONT_COND_IP_EAR:
		sig[n++] = MONT_SIG_FLUSH_XPN;
		sig[n++] = MONT_SIG_FLUSH_BRU;
		break;
	case MONT_COND_SUM_FLUSH:
		return event_row_index(MONT_SIG_BUBBLE_XPN, 3, 1, sig);
	case MONT_COND_SUM_EXE:
		sig[n++] = MONT_SIG_BUBBLE_FR;
		sig[n++] = MONT_SIG_BUBBLE_LOAD;
		sig[n++] = MONT_SIG_BUBBLE_GRGR;
		sig[n++] = MONT_SIG_BUBBLE_ARCR;
		sig[n++] = MONT_SIG_BUBBLE_PR;
		break;
	case MONT_COND_SUM_GRALL:
		sig[n++] = MONT_SIG_BUBBLE_GRGR;
		break;
	case MONT_COND_SUM_FRALL:
		sig[n++] = MONT_SIG_BUBBLE_FR;
		break;
	case MONT_COND_SUM_ARCR_PR:
		sig[n++] = MONT_SIG_BUBBLE_PR;
		break;
	case MONT_COND_SUM_L1D_FPU_RSE:
		n = event_row_index(MONT_SIG_BUBBLE_L1D_TLB,
				    MONT_SIG_BUBBLE_FP_LOAD - MONT_SIG_BUBBLE_L1D_TLB, 1, sig);
		return n + event_row_index(MONT_SIG_BUBBLE_RSE_BANK_SWITCH, 5, 1, sig + n);
	case MONT_COND_SUM_CLOCK:
		sig[n++] = MONT_SIG_HALTED;
		break;
	case MONT_COND_SUM_RQ:
		sig[n++] = event_sent(e, MONT_SIG_BUS_READ_IO);
		n += event_row_index(event_sent(e, MONT_SIG_BUS_IPI), 3, 1, sig + n);
		return n + event_row_index(event_sent(e, MONT_SIG_BUS_INVALIDATE), 4, 1, sig + n);
	case MONT_COND_SUM_CANCELLED:
		return event_row_index(e->signal, MONT_SIG_CANCELLED_END - e->signal, 1, sig);
	case MONT_COND_SUM_BUS:
		n = event_sent(e, MONT_SIG_BUS_PURGE) - e->signal + 1;
		return event_row_index(e->signal, n, 1, sig);
	case MONT_COND_SUM_WRITEQ:
		n += event_row_index(event_sent(e, MONT_SIG_BUS_WRITE_8B), 3, 1, sig + n);
		sig[n++] = event_sent(e, MONT_SIG_BUS_WRITE_IO);
		sig[n++] = MONT_SIGNAL_IN(e->signal, SENT) ? MONT_SIG_SNOOPED_WRITTEN_BACK
							   : MONT_SIG_EITHER_SNOOPED_WRITTEN_BACK;
		return n + event_row_index(event_sent(e, MONT_SIG_BUS_WRITE_LINE), 3, 1, sig + n);
	case MONT_COND_SUM_SNOOPS:
		sig[n++] = e->signal == MONT_SIG_L1I_SNOOPED ? MONT_SIG_SNOOPED_L1I
							     : MONT_SIG_SNOOPED_L2I_HIT;
		break;
	case MONT_COND_SUM_LOST:
		return event_leaf_causes(e->umask, MONT_SIG_LOST_EXPL, sig);
	case MONT_COND_SUM_RECIRC:
		sig[n++] = MONT_SIG_FE_BUBBLE_BR_ILOCK;
		sig[n++] = MONT_SIG_FE_BUBBLE_BRQ;
		sig[n++] = MONT_SIG_FE_BUBBLE_FILL_RECIRC;
		break;
	case MONT_COND_SUM_STALLED:
		sig[n++] = e->signal + MONT_SIG_STALL_LOSSES_FIRST - MONT_SIG_EXIT_LOSSES_FIRST;
		break;
	case MONT_COND_SUM_SCOREBOARD:
		sig[n++] = MONT_SIG_BUBBLE_GRGR;
		sig[n++] = MONT_SIG_BUBBLE_ARCR;
		sig[n++] = MONT_SIG_BUBBLE_PR;
		break;
	case MONT_COND_SUM_FLUSHED:
		n = event_row_index(MONT_SIG_BUBBLE_XPN, 3, 1, sig);
		sig[n++] = MONT_SIG_FE_OWED_FLUSH;
		break;
	case MONT_COND_SUM_UNSTALLED:
		sig[n++] = MONT_SIG_FE_OWED_ACCESS;
		break;
	case MONT_COND_SUM_DEPENDENCY:
		sig[n++] = MONT_SIG_BUBBLE_GRGR;
		sig[n++] = MONT_SIG_BUBBLE_ARCR;
		sig[n++] = MONT_SIG_BUBBLE_PR;
		sig[n++] = MONT_SIG_RETIRES_REST;
		break;
	case MONT_COND_SUM_DATA_ACCESS:
	case MONT_COND_SUM_MEMORY:
		n = event_row_index(MONT_SIG_BUBBLE_L1D_TLB,
				    MONT_SIG_BUBBLE_FR - MONT_SIG_BUBBLE_L1D_TLB, 1, sig);
		sig[n++] = MONT_SIG_BUBBLE_LOAD;
		if (e->cond == MONT_COND_SUM_MEMORY)
			n += event_row_index(MONT_SIG_BUBBLE_RSE_BANK_SWITCH, 5, 1, sig + n);
		break;
	case MONT_COND_SUM_L2:
		sig[n++] = MONT_SIG_L2D_WRITTEN;
		return n + event_row_index(MONT_SIG_L2I_DMND_HIT, 4, 1, sig + n);
	case MONT_COND_SUM_L2_MISSES:
		return n + event_row_index(MONT_SIG_L2I_DMND_MISS, 2, 2, sig + n);
	case MONT_COND_SUM_OVER:
		return event_leaf_causes(e->umask, MONT_SIG_OVER_EXPL, sig);
	default:
		break;
	}
	return n;
}

bool mont_event_of_package(const struct mont_event *e)
{
	/* Behind the queues of both cores stand those of one alone (signal.def). */
	return MONT_SIGNAL_IN(e->signal, EITHER_SENT) ||
	       MONT_SIGNAL_IN(e->signal, EITHER_SNOOPED) ||
	       (MONT_SIGNAL_IN(e->signal, EITHER_QUEUES) && e->signal < MONT_SIG_LIVE_SNOOPQ);
}

const char *mont_event_refusal(const struct mont_event *e, u32 has)
{
	if (!e->refusal && e->needs_time && !(has & MONT_HAS_TIME))
		return "needs the timing model";
	if (e->castouts && !(has & MONT_HAS_CASTOUTS))
		return "never happens in this machine: bus.castouts is 0";
	if (e->cores && !(has & MONT_HAS_CORES))
		return "never happens in this machine: it has one core";
	return mont_refusals[e->refusal];
}

const char *mont_event_zero(const struct mont_event *e)
{
	return mont_zeros[e->zero];
}

const char *mont_event_basis(const struct mont_event *e)
{
	switch (e->basis) {
	case MONT_BASIS_SOURCED:
		return "sourced";
	case MONT_BASIS_EXPANDED:
		return "expanded";
	default:
		return "inferred";
	}
}

#define DATA_PMDS (MONT_BIT(32) | MONT_BIT(33) | MONT_BIT(36))
#define INSN_PMDS (MONT_BIT(34) | MONT_BIT(35))
#define TRACE_PMDS (MONT_BIT(38) | MONT_BIT(39) | 0xffffULL << 48)

u64 mont_event_pmds(const struct mont_event *e)
{
	switch (e->cond) {
	case MONT_COND_DATA_EAR:
		return DATA_PMDS;
	case MONT_COND_INSN_EAR:
		return INSN_PMDS;
	case MONT_COND_TRACED:
	case MONT_COND_IP_EAR:
		return TRACE_PMDS;
	default:
		return 0;
	}
}
