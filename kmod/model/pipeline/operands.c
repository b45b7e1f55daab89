// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operands, stages REN and REG (manual 2.3.2, table 2-8): the scoreboard.
 */
#include "operands.h"

#define NA 0

const u8 mont_latencies[MONT_NR_PRODUCERS][MONT_NR_CONSUMERS] = {
#define LATENCY(producer, ...) [MONT_PRODUCER_##producer] = { __VA_ARGS__ },
#include "latency.def"
#undef LATENCY
};

/* The longest latency of a row but in the multimedia column. */
#define LONGEST(a, b) ((a) > (b) ? (a) : (b))
#define LONGEST_OF(a, b, c, d, e) LONGEST(LONGEST(a, b), LONGEST(LONGEST(c, d), e))
#define LONGEST_BUT_MULTIMEDIA(qp, br, alu, addr, mm, ...) \
	LONGEST(LONGEST(qp, br), LONGEST(LONGEST(alu, addr), LONGEST_OF(__VA_ARGS__)))

/* A result's word has a field for each of these (operands.h). */
#define LATENCY(producer, qp, br, alu, addr, mm, ...)                               \
	_Static_assert((mm) <= MONT_LONGEST_MULTIMEDIA, "latency.def");             \
	_Static_assert(LONGEST_BUT_MULTIMEDIA(qp, br, alu, addr, mm, __VA_ARGS__) < \
			       1 << (MONT_RESULT_CYCLE - MONT_RESULT_LATENCY),      \
		       "latency.def");
#include "latency.def"
#undef LATENCY
_Static_assert(MONT_NR_PRODUCERS <= 1 << MONT_RESULT_LATENCY, "roles.h");

const u16 mont_result_word[MONT_NR_PRODUCERS] = {
#define LATENCY(producer, ...)                                                                    \
	[MONT_PRODUCER_##producer] = LONGEST_BUT_MULTIMEDIA(__VA_ARGS__) << MONT_RESULT_CYCLE |   \
				     LONGEST_BUT_MULTIMEDIA(__VA_ARGS__) << MONT_RESULT_LATENCY | \
				     MONT_PRODUCER_##producer,
#include "latency.def"
#undef LATENCY
};

const u16 mont_result_place[MONT_NR_FILES] = {
	[MONT_FILE_GR] = 0,
	[MONT_FILE_FR] = 128,
	[MONT_FILE_PR] = MONT_RESULT_PR,
	[MONT_FILE_BR] = MONT_USE_FIXED,
	[MONT_FILE_AR] = MONT_USE_FIXED + MONT_NR_BR_RESULTS,
	[MONT_FILE_CR] = MONT_USE_FIXED + MONT_NR_BR_RESULTS + MONT_AR_RESULT_CR,
};

static const u8 branch_registers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/* By number; the others share the first, and control registers the last. */
static const u8 application_registers[128] = {
	[16] = MONT_AR_RESULT_RSE,
	[17] = MONT_AR_RESULT_RSE,
	[18] = MONT_AR_RESULT_RSE,
	[19] = MONT_AR_RESULT_RSE,
	[MONT_AR_ENGINE] = MONT_AR_RESULT_RSE,
	[25] = MONT_AR_RESULT_CSD,
	[32] = MONT_AR_RESULT_CCV,
	[36] = MONT_AR_RESULT_UNAT,
	[40] = MONT_AR_RESULT_FPSR,
	[64] = MONT_AR_RESULT_PFS,
	[65] = MONT_AR_RESULT_LC,
	[66] = MONT_AR_RESULT_EC,
};

static const u8 control_registers[128];

void mont_rename_init(struct mont_rename *map, const u8 *gr, const u8 *fr, const u8 *pr)
{
	map->of[MONT_FILE_GR] = gr;
	map->of[MONT_FILE_FR] = fr;
	map->of[MONT_FILE_PR] = pr;
	map->of[MONT_FILE_BR] = branch_registers;
	map->of[MONT_FILE_AR] = application_registers;
	map->of[MONT_FILE_CR] = control_registers;
}

#define ALL_PRODUCERS 0 ... MONT_NR_PRODUCERS - 1

const u8 mont_use_cause[MONT_NR_USE_KINDS][MONT_NR_PRODUCERS] = {
	[MONT_USE_GR] = {
		[MONT_PRODUCER_NONE ... MONT_PRODUCER_FRCPA] = MONT_CAUSE_GRGR,
		[MONT_PRODUCER_LOAD] = MONT_CAUSE_LOAD,
		[MONT_PRODUCER_FP_LOAD ... MONT_PRODUCER_TO_AR] = MONT_CAUSE_GRGR,
		/* From an application, a control or an indirect register. */
		[MONT_PRODUCER_FROM_AR] = MONT_CAUSE_ARCR,
		[MONT_PRODUCER_TO_CR] = MONT_CAUSE_GRGR,
		[MONT_PRODUCER_FROM_CR] = MONT_CAUSE_ARCR,
		[MONT_PRODUCER_TO_PR ... MONT_PRODUCER_CALL] = MONT_CAUSE_GRGR,
		[MONT_PRODUCER_INDIRECT] = MONT_CAUSE_ARCR,
	},
	[MONT_USE_FR] = {
		[MONT_PRODUCER_NONE ... MONT_PRODUCER_LOAD] = MONT_CAUSE_FR,
		[MONT_PRODUCER_FP_LOAD] = MONT_CAUSE_FP_LOAD,
		[MONT_PRODUCER_IEU2 ... MONT_PRODUCER_INDIRECT] = MONT_CAUSE_FR,
	},
	[MONT_USE_PR] = { [ALL_PRODUCERS] = MONT_CAUSE_PR },
	[MONT_USE_OTHER] = { [ALL_PRODUCERS] = MONT_CAUSE_ARCR },
	[MONT_USE_ENGINE] = { [ALL_PRODUCERS] = MONT_CAUSE_RSE_AR_DEP },
};

static enum mont_use_kind operands_use_kind(const struct mont_operand *o)
{
	if (o->file <= MONT_FILE_PR)
		return (enum mont_use_kind)o->file;
	return o->file == MONT_FILE_AR && o->nr == MONT_AR_ENGINE ? MONT_USE_ENGINE
								  : MONT_USE_OTHER;
}

void mont_result_wait(u64 result, const struct mont_operand *o, enum mont_consumer as, u64 now,
		      struct mont_stall *w, u64 *multimedia)
{
	enum mont_producer producer = mont_produced_by(result);
	u64 at = mont_issued(result), ready = mont_result_ready(result, as);

	if (producer == MONT_PRODUCER_MULTIMEDIA && as == MONT_CONSUMER_ADDRESS) {
		if (*multimedia < at + 1)
			*multimedia = at + 1;
		return;
	}
	if (ready > now)
		mont_stall_until(w, mont_use_cause[operands_use_kind(o)][producer], ready);
}

void mont_predicates_wait(const struct mont_results *s, const struct mont_operand *o,
			  enum mont_consumer as, u64 now, struct mont_stall *w, u64 *multimedia)
{
	const u64 *at = &s->at[mont_result_place[MONT_FILE_PR]];
	unsigned int i;

	for (i = 1; i < MONT_NR_PR_RESULTS; i++)
		mont_result_wait(at[i], o, as, now, w, multimedia);
}

void mont_predicates_done(struct mont_results *s, u64 result)
{
	u64 *at = &s->at[mont_result_place[MONT_FILE_PR]];
	unsigned int i;

	for (i = 1; i < MONT_NR_PR_RESULTS; i++)
		at[i] = result;
}

void mont_operands_flush(struct mont_stall *w, u64 now, u64 multimedia, u32 cycles)
{
	if (multimedia &&
	    mont_stall_end(w, now) <
		    multimedia - 1 + mont_latency(MONT_PRODUCER_MULTIMEDIA, MONT_CONSUMER_ADDRESS))
		mont_stall_until(w, MONT_CAUSE_XPN, multimedia - 1 + cycles);
}

unsigned int mont_writes_of(struct mont_write write[MONT_MAX_WRITES], const struct mont_roles *r)
{
	unsigned int i;

	for (i = 0; i < r->nr_writes; i++) {
		const struct mont_operand *o = &r->write[i];

		write[i] = (struct mont_write){
			.word = mont_result_word[o->role],
			.file = o->file,
			.late = o->role != MONT_PRODUCER_ADDER,
			.nr = o->nr,
		};
	}
	return i;
}

/* One more, of part @part of the list. */
static void operands_use(struct mont_uses *uses, unsigned int part, struct mont_use new)
{
	unsigned int i;

	for (i = part ? uses->end[part - 1] : 0; i < uses->end[part]; i++) {
		const struct mont_use *u = &uses->use[i];

		if (u->nr != new.nr || (u->slot != new.slot && u->guarded))
			continue;
		/* A read of the register waits at least as long as a write of it. */
		if (u->as == new.as || new.as == MONT_CONSUMER_WRITE)
			return;
	}
	if (uses->end[3] == MONT_MAX_USES) {
		uses->many = true;
		return;
	}
	for (i = uses->end[3]; i > uses->end[part]; i--)
		uses->use[i] = uses->use[i - 1];
	uses->use[i] = new;
	for (; part < 4; part++)
		uses->end[part]++;
}

static void operands_use_operand(struct mont_uses *uses, const struct mont_operand *o,
				 struct mont_use new)
{
	new.nr = o->nr;
	new.kind = operands_use_kind(o);
	if (o->file == MONT_FILE_PR && o->nr == MONT_PR_ALL) {
		uses->many = true;
	} else if (o->file <= MONT_FILE_PR) {
		operands_use(uses, o->file, new);
	} else {
		new.nr = mont_result_place[o->file] - MONT_USE_FIXED;
		if (o->file == MONT_FILE_BR)
			new.nr += branch_registers[o->nr];
		else if (o->file == MONT_FILE_AR)
			new.nr += application_registers[o->nr];
		operands_use(uses, 3, new);
	}
}

u64 mont_predicates_written(const struct mont_roles *r)
{
	u64 written = 0;
	u32 i;

	for (i = 0; i < r->nr_writes; i++) {
		const struct mont_operand *o = &r->write[i];

		if (o->file == MONT_FILE_PR)
			written |= o->nr == MONT_PR_ALL ? ~0ULL : MONT_BIT(o->nr);
	}
	return written;
}

void mont_uses_add(struct mont_uses *uses, const struct mont_roles *r, u8 slot, u64 written)
{
	/* The instruction may be off, by a predicate that it reads first. */
	bool guarded = r->nr_reads && r->read[0].file == MONT_FILE_PR;
	struct mont_use new = { .slot = slot };
	u8 qp = 0;
	unsigned int i;

	if (guarded && r->read[0].nr != MONT_PR_ALL && !(written >> r->read[0].nr & 1))
		qp = r->read[0].nr;

	uses->many |= r->multimedia;
	for (i = 0; i < r->nr_reads; i++) {
		new.as = r->read[i].role;
		new.guarded = guarded &&i;
		new.qp = i ? qp : 0;
		operands_use_operand(uses, &r->read[i], new);
	}
	for (i = 0; i < r->nr_writes; i++) {
		const struct mont_operand *o = &r->write[i];

		new.as = MONT_CONSUMER_WRITE;
		new.guarded = guarded;
		new.qp = qp;
		if (o->file == MONT_FILE_GR || o->file == MONT_FILE_FR)
			operands_use_operand(uses, o, new);
	}
}
