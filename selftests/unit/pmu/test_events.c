// SPDX-License-Identifier: GPL-2.0-only
/* The event table: every row is whole, reachable, and says what it may. */
#include "pmu_test.h"
#include "../../../kmod/model/pmu/event_text.h"

/* Events that are counted without time, by (code, umask); no other is. */
static bool should_count(const struct mont_event *e)
{
	switch (e->code) {
	case CODE_INST:
		return e->umask < 4;
	case CODE_NOPS:
	case CODE_SQUASHED:
	case CODE_LOADS:
	case CODE_STORES:
	case CODE_INTG:
		return !e->umask;
	case CODE_BR:
		return !(e->umask & 3);
	case CODE_CPL:
		return true;
	case 0x20: /* RSE_REFERENCES_RETIRED */
	case 0x55: /* INST_FAILED_CHKS_RETIRED */
	case 0x56: /* INST_CHKA_LDC_ALAT */
	case 0x57: /* INST_FAILED_CHKA_LDC_ALAT */
	case 0x58: /* ALAT_CAPACITY_MISS */
		return e->umask >= 1 && e->umask <= 3;
	case 0xc8: /* DATA_EAR_EVENTS: with what the L1 DTLB has not is time */
		return e->ear != MONT_EAR_DEAR_CACHE &&
		       (e->ear != MONT_EAR_DEAR_TLB || !(e->ear_umask & 2));
	case 0xd9: /* SPEC_LOADS_NATTED */
		return e->umask <= 5;
	case 0x06: /* FP_FAILED_FCHKF */
	case 0x09: /* FP_OPS_RETIRED */
	case 0x0b: /* FP_FLUSH_TO_ZERO, but for FTZ_POSS */
	case 0x2d: /* HPW_DATA_REFERENCES */
	case 0x48: /* L1ITLB_INSERTS_HPW */
	case 0x52: /* DATA_DEBUG_REGISTER_FAULT */
	case 0x53: /* SERIALIZATION_EVENTS */
	case 0x11: /* BRANCH_EVENT, ETB_EVENT */
	case 0xc1: /* L2DTLB_MISSES */
	case 0xc2: /* L1D_READS_SET0 */
	case 0xc3: /* DATA_REFERENCES_SET0 */
	case 0xc4: /* L1D_READS_SET1 */
	case 0xc5: /* DATA_REFERENCES_SET1 */
	case 0xc6: /* DATA_DEBUG_REGISTER_MATCHES */
	case 0xc9: /* DTLB_INSERTS_HPW */
	case 0xce: /* MISALIGNED_LOADS_RETIRED */
	case 0xcf: /* UC_LOADS_RETIRED */
	case 0xd0: /* UC_STORES_RETIRED */
	case 0xd2: /* MISALIGNED_STORES_RETIRED */
		return !e->umask;
	default:
		return false;
	}
}

/* Of the front end and the data side, with time: by code the unit masks. */
static const struct {
	u8 code;
	u16 umasks;
} in_time[] = {
	{ 0x0c, 0x009f }, /* THREAD_SWITCH_EVENTS */
	{ 0x0d, 0x00b2 }, /* THREAD_SWITCH_GATED */
	{ 0x0e, 0x00ce }, /* THREAD_SWITCH_CYCLE */
	{ 0x0f, 0x07ff }, /* THREAD_SWITCH_STALL */
	{ 0x40, 0x0001 }, /* L1I_READS */
	{ 0x41, 0x0001 }, /* L1I_FILLS */
	{ 0x42, 0x0001 }, /* L2I_DEMAND_READS */
	{ 0x44, 0x0001 }, /* L1I_PREFETCHES */
	{ 0x45, 0x0001 }, /* L2I_PREFETCHES */
	{ 0x46, 0x0001 }, /* ISB_BUNPAIRS_IN */
	{ 0x47, 0x000e }, /* ITLB_MISSES_FETCH */
	{ 0x4a, 0x0001 }, /* L1I_SNOOP */
	{ 0x4b, 0x0001 }, /* L1I_PURGE */
	{ 0x5f, 0x0001 }, /* L1I_STRM_PREFETCHES */
	{ 0x60, 0x0001 }, /* L1I_RAB_FULL */
	{ 0x64, 0x0001 }, /* L1I_RAB_ALMOST_FULL */
	{ 0x65, 0x0001 }, /* L1I_FETCH_RAB_HIT */
	{ 0x66, 0x0001 }, /* L1I_FETCH_ISB_HIT */
	{ 0x67, 0x000c }, /* L1I_PREFETCH_STALL */
	{ 0x69, 0x0001 }, /* L1I_PVAB_OVERFLOW */
	{ 0x70, 0x3df3 }, /* FE_LOST_BW */
	{ 0x71, 0x3ffb }, /* FE_BUBBLE */
	{ 0x72, 0x3df3 }, /* BE_LOST_BW_DUE_TO_FE */
	{ 0x73, 0x3df3 }, /* IDEAL_BE_LOST_BW_DUE_TO_FE */
	{ 0x78, 0xeee0 }, /* L2I_READS */
	{ 0x79, 0xeee0 }, /* L2I_UC_READS */
	{ 0x7a, 0x0001 }, /* L2I_VICTIMIZATIONS */
	{ 0x7f, 0x0001 }, /* L2I_SNOOP_HITS */
	{ 0x80, 0x000d }, /* BUS_RD_HIT */
	{ 0x81, 0x000d }, /* BUS_RD_HITM */
	{ 0x82, 0x000d }, /* BUS_RD_INVAL_HITM */
	{ 0x83, 0x000d }, /* BUS_RD_INVAL_BST_HITM */
	{ 0x84, 0x000d }, /* BUS_HITM */
	{ 0x87, 0x000d }, /* BUS_ALL */
	{ 0x88, 0x000d }, /* BUS_DATA_CYCLE */
	{ 0x8a, 0xddd0 }, /* BUS_MEMORY */
	{ 0x8b, 0xdddd }, /* BUS_MEM_READ */
	{ 0x8e, 0x0001 }, /* SI_CYCLES */
	{ 0x8c, 0x000d }, /* BUS_RD_DATA */
	{ 0x8d, 0x000d }, /* BUS_RD_PRTL */
	{ 0x8f, 0x000d }, /* BUS_SNOOP_STALL_CYCLES */
	{ 0x90, 0x000d }, /* BUS_IO */
	{ 0x91, 0x000d }, /* BUS_RD_IO */
	{ 0x92, 0xccc0 }, /* BUS_WR_WB */
	{ 0x93, 0x000d }, /* BUS_B2B_DATA_CYCLES */
	{ 0x97, 0x0001 }, /* SI_IOQ_LIVE_REQ_LO */
	{ 0x98, 0x0001 }, /* SI_IOQ_LIVE_REQ_HI */
	{ 0x9e, 0x0003 }, /* SI_RQ_INSERTS */
	{ 0x9f, 0x0003 }, /* SI_RQ_LIVE_REQ_LO */
	{ 0xa0, 0x0003 }, /* SI_RQ_LIVE_REQ_HI */
	{ 0xa1, 0xcfff }, /* SI_WRITEQ_INSERTS */
	{ 0xa2, 0x0003 }, /* SI_WRITEQ_LIVE_REQ_LO */
	{ 0xa3, 0x0003 }, /* SI_WRITEQ_LIVE_REQ_HI */
	{ 0xa4, 0x0003 }, /* SI_WAQ_COLLISIONS */
	{ 0xa5, 0x0003 }, /* SI_CCQ_INSERTS */
	{ 0xa6, 0x0003 }, /* SI_CCQ_LIVE_REQ_LO */
	{ 0xa7, 0x0003 }, /* SI_CCQ_LIVE_REQ_HI */
	{ 0xa8, 0x0003 }, /* SI_CCQ_COLLISIONS */
	{ 0xaa, 0x0001 }, /* SI_IOQ_COLLISIONS */
	{ 0xab, 0x3333 }, /* SI_SCB_INSERTS */
	{ 0xac, 0x0003 }, /* SI_SCB_LIVE_REQ_LO */
	{ 0xad, 0x0003 }, /* SI_SCB_LIVE_REQ_HI */
	{ 0xae, 0x1111 }, /* SI_SCB_SIGNOFFS */
	{ 0xaf, 0x0333 }, /* SI_WDQ_ECC_ERRORS */
	{ 0xb0, 0x0001 }, /* L2D_INSERT_MISSES */
	{ 0xb1, 0x0001 }, /* L2D_INSERT_HITS */
	{ 0xb4, 0x0001 }, /* ER_MEM_READ_OUT_HI */
	{ 0xb5, 0x0001 }, /* ER_MEM_READ_OUT_LO */
	{ 0xb6, 0x0001 }, /* ER_SNOOPQ_REQ_HI */
	{ 0xb7, 0x0001 }, /* ER_SNOOPQ_REQ_LO */
	{ 0xb8, 0x0001 }, /* ER_BRQ_LIVE_REQ_HI */
	{ 0xb9, 0x0001 }, /* ER_BRQ_LIVE_REQ_LO */
	{ 0xba, 0x0001 }, /* ER_BRQ_REQ_INSERTED */
	{ 0xc0, 0x0001 }, /* L1DTLB_TRANSFER */
	{ 0xc7, 0x0003 }, /* L1D_READ_MISSES */
	{ 0xca, 0xcebd }, /* BE_L1D_FPU_BUBBLE */
	{ 0xcb, 0x0001 }, /* L2D_MISSES */
	{ 0xda, 0x0001 }, /* L3_INSERTS */
	{ 0xdb, 0x0001 }, /* L3_REFERENCES */
	{ 0xdc, 0x0001 }, /* L3_MISSES */
	{ 0xdd, 0xeeee }, /* L3_READS */
	{ 0xde, 0xeee0 }, /* L3_WRITES */
	{ 0xdf, 0x0001 }, /* L3_LINES_REPLACED */
	{ 0xe0, 0xffff }, /* L2D_OZQ_CANCELS0 */
	{ 0xe1, 0x0001 }, /* L2D_OZQ_FULL */
	{ 0xe2, 0x000d }, /* L2D_OZQ_CANCELS1 */
	{ 0xe4, 0x0007 }, /* L2D_BYPASS */
	{ 0xe5, 0x0001 }, /* L2D_OZQ_RELEASE */
	{ 0xe6, 0x000e }, /* L2D_REFERENCES */
	{ 0xe8, 0x007f }, /* L2D_L3ACCESS_CANCEL */
	{ 0xe9, 0x0001 }, /* L2D_OZDB_FULL */
	{ 0xea, 0xffd3 }, /* L2D_FORCE_RECIRC */
	{ 0xeb, 0x0001 }, /* L2D_ISSUED_RECIRC_OZQ_ACC */
	{ 0xec, 0x0001 }, /* L2D_BAD_LINES_SELECTED */
	{ 0xed, 0x0001 }, /* L2D_STORE_HIT_SHARED */
	{ 0xef, 0x0001 }, /* L2D_OZQ_ACQUIRE */
	{ 0xf0, 0x003f }, /* L2D_OPS_ISSUED */
	{ 0xf1, 0x0001 }, /* L2D_FILLB_FULL */
	{ 0xf2, 0x000f }, /* L2D_FILL_MESI_STATE */
	{ 0xf3, 0x0001 }, /* L2D_VICTIMB_FULL */
};

/* And with time these. */
static bool should_count_time(const struct mont_event *e)
{
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(in_time); i++)
		if (e->code == in_time[i].code)
			return in_time[i].umasks >> e->umask & 1;
	switch (e->code) {
	case 0x43: /* L1I_EAR_EVENTS */
	case 0xc8: /* DATA_EAR_EVENTS */
		return true;
	case 0x00: /* BACK_END_BUBBLE */
		return e->umask <= 2;
	case 0x01: /* BE_RSE_BUBBLE */
	case 0x24: /* RSE_DIRTY_REGS_6 */
	case 0x26: /* RSE_CURRENT_REGS_6 */
	case 0x28: /* RSE_DIRTY_REGS_5_TO_3 */
	case 0x29: /* RSE_DIRTY_REGS_2_TO_0 */
	case 0x2a: /* RSE_CURRENT_REGS_5_TO_3 */
	case 0x2b: /* RSE_CURRENT_REGS_2_TO_0 */
		return true;
	case 0x02: /* BE_EXE_BUBBLE, but for CANCEL and BANK_SWITCH */
		return e->umask != 6 && e->umask != 7;
	case 0x04: /* BE_FLUSH_BUBBLE */
	case 0x49: /* DISP_STALLED */
	case 0x4d: /* INST_DISPERSED */
	case 0x4e: /* SYLL_NOT_DISPERSED */
	case 0x4f: /* SYLL_OVERCOUNT */
		return true;
	case 0x54: /* BR_PATH_PRED */
	case 0x5b: /* BR_MISPRED_DETAIL */
	case 0x61: /* BE_BR_MISPRED_DETAIL */
	case 0x63: /* ENCBR_MISPRED_DETAIL */
	case 0x68: /* BR_MISPRED_DETAIL2 */
	case 0x6a: /* BR_PATH_PRED2 */
		return true;
	case 0x12: /* CPU_OP_CYCLES */
	case 0x18: /* CYCLES_HALTED */
		return true;
	default:
		return false;
	}
}

static void rows(void)
{
	const struct mont_event *e;
	unsigned int i, j, counted = 0;

	for (i = 0; (e = mont_event_at(i)); i++) {
		const struct mont_event *found = mont_event_lookup(e->code, e->umask);
		const char *why = mont_event_refusal(e, ~0U), *text = mont_event_definition(e);
		char lower[128];
		bool many;

		check(found && found->code == e->code && found->umask == e->umask, "%s by code",
		      e->name);
		if (!e->ear)
			check(found && !found->ear, "%s is hidden by %s", e->name, found->name);
		check(mont_event_resolve(e->name, strlen(e->name), &many) == e && !many,
		      "%s by name", e->name);
		for (j = 0; e->name[j]; j++)
			lower[j] = e->name[j] >= 'A' && e->name[j] <= 'Z' ? e->name[j] + 32
									  : e->name[j];
		check(mont_event_resolve(lower, j, NULL) == e, "%s in lower case", e->name);
		check(e->umask <= 15 && e->max_inc >= 1 && e->max_inc <= 7, "%s numbers", e->name);
		check(e->counters == 0xfff0 || e->counters == 0x3f0 || e->counters == 0x400,
		      "%s counters", e->name);
		check(text && strlen(text) > 20 && text[strlen(text) - 1] == '.', "%s definition",
		      e->name);
		check(mont_event_counted(e) == !why, "%s status", e->name);
		why = mont_event_refusal(e, MONT_HAS_TIME | MONT_HAS_CASTOUTS);
		check(e->cores ? why && !!strstr(why, "it has one core")
			       : mont_event_counted(e) == !why,
		      "%s without another core", e->name);
		why = mont_event_refusal(e, MONT_HAS_TIME | MONT_HAS_CORES);
		check(e->castouts ? why && !!strstr(why, "bus.castouts is 0")
				  : mont_event_counted(e) == !why,
		      "%s without castouts", e->name);
		why = mont_event_refusal(e, ~0U);
		check(!why || !strncmp(why, "not counted yet: needs ", 23) ||
			      !strncmp(why, "never happens in this model", 27),
		      "%s reason", e->name);
		check(mont_event_counted(e) ==
			      (e->needs_time ? should_count_time(e) : should_count(e)),
		      "%s counted", e->name);
		why = mont_event_refusal(e, 0);
		check(!mont_event_counted(e) ||
			      (e->needs_time ? why && !strcmp(why, "needs the timing model")
					     : !why),
		      "%s without time", e->name);
		check(!(e->filters & MONT_EVF_DAR) || e->filters & MONT_EVF_OPC, "%s filters",
		      e->name);
		for (j = 0; j < i; j++)
			check(strcmp(mont_event_at(j)->name, e->name), "%s twice", e->name);
		counted += mont_event_counted(e);
	}
	check(i == MONT_NR_EVENTS, "%u rows", i);
	check(counted == 561, "%u counted", counted);
	group("every row");
}

/* A row for each leaf cause of the cycle, of its own signal; no PMC can have its code. */
static void causes(void)
{
	static const struct {
		const char *name, *text;
		u16 signal;
	} want[] = {
#define MONT_CAUSE(name, bar, meaning) { "CAUSE." #name, meaning, MONT_SIG_BUBBLE_##name },
#include "../../../kmod/model/pipeline/causes.def"
#undef MONT_CAUSE
	};
	u16 sig[MONT_EVENT_SIGNALS];
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(want); i++) {
		const struct mont_event *e = mont_event_lookup(0x100 + i, 0);
		bool many = false;

		if (!e) {
			check(false, "%s has no row", want[i].name);
			continue;
		}
		check(e == mont_event_of_cause(i) && !strcmp(e->name, want[i].name), "%s by code",
		      want[i].name);
		check(mont_event_resolve(want[i].name, strlen(want[i].name), &many) == e && !many,
		      "%s by name", want[i].name);
		check(mont_event_signals(e, sig) == 1 && sig[0] == want[i].signal, "%s signal",
		      want[i].name);
		check(!e->counters && e->filters == (MONT_EVF_IAR | MONT_EVF_OPC) &&
			      e->max_inc == 1,
		      "%s limits", want[i].name);
		check(!!strstr(mont_event_definition(e), want[i].text), "%s text", want[i].name);
		check(mont_event_refusal(e, 0) && !mont_event_refusal(e, MONT_HAS_TIME),
		      "%s needs time", want[i].name);
		check(!mont_event_lookup(0x100 + i, 1), "%s has no unit masks", want[i].name);
	}
	check(!mont_event_lookup(0x100 + i, 0) && !mont_event_of_cause(i), "behind the last");
	check(mont_event_beside(0) == mont_event_of_cause(0) &&
		      mont_event_beside(i) == mont_event_lookup(0x1ff, 0) &&
		      !mont_event_lookup(0x1ff, 1) && !mont_event_beside(i + 1),
	      "the IP-EAR's comes behind the causes");
	check(mont_event_resolve("ip_ear_events", 13, NULL) == mont_event_lookup(0x1ff, 0),
	      "the IP-EAR's by name");
	check(mont_event_resolve("cause.fr", 8, NULL) == mont_event_lookup(0x10d, 0), "cause.fr");
	group("causes of cycles");
}

static void names(void)
{
	static const struct {
		const char *given, *want;
		bool many;
	} n[] = {
		{ "IA64_INST_RETIRED", "IA64_INST_RETIRED", false },
		{ "BR_MISPRED_DETAIL", "BR_MISPRED_DETAIL.ALL.ALL_PRED", false },
		{ "cpu_cpl_changes", "CPU_CPL_CHANGES.ALL", false },
		{ "CPU_OP_CYCLES", "CPU_OP_CYCLES.ALL", false },
		{ "L2I_READS", "L2I_READS.ALL.ALL", false },
		{ "L2D_OZQ_FULL", "L2D_OZQ_FULL.THIS", false },
		{ "DATA_EAR_EVENTS", "DATA_EAR_EVENTS", false },
		{ "IA64_TAGGED_INST_RETIRED", NULL, true },
		{ "BR_MISPRED_DETAIL.IPREL", NULL, true },
		{ "IA64_INST", NULL, false },
		{ "", NULL, false },
		{ "NOPS_RETIRED.X", NULL, false },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(n); i++) {
		bool many = false;
		const struct mont_event *e =
			mont_event_resolve(n[i].given, strlen(n[i].given), &many);

		check(n[i].want ? e && !strcmp(e->name, n[i].want) : !e, "%s", n[i].given);
		check(many == n[i].many, "%s: many", n[i].given);
	}
	check(mont_event_resolve("NOPS_RETIREDxyz", 12, NULL) != NULL, "length decides");
	check(mont_event_lookup(0xe3, 0) == mont_event_lookup(0xe1, 0), "0xe3 is L2D_OZQ_FULL");
	check(!mont_event_lookup(0xff, 0) && !mont_event_lookup(CODE_NOPS, 1), "no such encoding");
	check(!mont_event_at(MONT_NR_EVENTS), "behind the end");
	group("names and encodings");
}

int main(void)
{
	rows();
	causes();
	names();
	return tap_end();
}
