// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults of translations: every condition of a page against every kind of
 * reference, on the data and on the instruction side, with the contents of
 * ISR, IFA, ITIR and IHA; deferral of speculative loads; access rights
 * (SDM volume 2, 4.1, 5.5.5, table 5-6, 8.3).
 */
#include "pipeline/pipeline.h"
#include "pmu/observer.h"
#include "sys_test.h"

#define DATA_KEY 0x88
#define CODE_KEY 0x77

enum cond {
	NO_ENTRY,
	NO_VHPT_PAGE,
	VHPT_ABSENT,
	VHPT_RESERVED,
	NOT_PRESENT,
	NATPAGE,
	KEY_MISS,
	KEY_PERM,
	RIGHTS,
	NOT_WRITABLE,
	NOT_DIRTY,
	NOT_ACCESSED,
	BREAKPOINT,
	NR_CONDS,
};

static const char *const cond_names[NR_CONDS] = {
	"no entry",  "no VHPT page", "VHPT page absent", "VHPT entry reserved", "not present",
	"NaT page",  "key miss",     "key permission",	 "access rights",	"not writable",
	"not dirty", "not accessed", "breakpoint",
};

static const u64 data_vector[NR_CONDS] = {
	0x1000, 0x0000, 0x0800, 0x0800, 0x5000, 0x5600, 0x1c00,
	0x5100, 0x5300, 0x5300, 0x2000, 0x2800, 0x5900,
};

static const u64 insn_vector[NR_CONDS] = {
	0x0c00, 0x0000, 0x0400, 0x0400, 0x5000, 0x5600, 0x1800,
	0x5100, 0x5200, 0,	0,	0x2400, 0x5900,
};

#define PTA_BASE (1ULL << 60)
#define VHPT_SIZE 20
/* Where the short format has the entries of the two pages: 8 bytes a page. */
#define DATA_IHA (0x3000000000000000ULL + (DATA_PA >> PS) * 8)
#define FAR_IHA (0x3000000000000000ULL + (FAR_PA >> PS) * 8)

static void insert(bool insn, u64 va, u64 pte, u32 key)
{
	if (mont_tc_insert(cpu, insn, va, pte, itir(PS, key)))
		exit(1);
}

/* Bring about @c for the page @va at @pa; returns what PSR needs for it. */
static u64 bring_about(enum cond c, bool insn, u64 va, u64 pa)
{
	u64 pte = PTE(pa, 3, 3), iha = insn ? FAR_IHA : DATA_IHA;

	switch (c) {
	case NO_ENTRY:
		return 0;
	case VHPT_ABSENT:
	case VHPT_RESERVED:
		insert(false, iha, PTE(VHPT_PA, 3, 0) - (c == VHPT_ABSENT), CODE_KEY);
		*mem64(VHPT_PA + (iha & ((1 << PS) - 1))) = pte | 2;
		fallthrough;
	case NO_VHPT_PAGE:
		set(MONT_REG_CR, 8, PTA_BASE | VHPT_SIZE << 2 | 1);
		set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
		return 0;
	case NOT_PRESENT:
		pte &= ~1ULL;
		break;
	case NATPAGE:
		pte |= PTE_NATPAGE;
		break;
	case KEY_PERM:
		set(MONT_REG_PKR, 5, (u64)DATA_KEY << 8 | 0xf);
		break;
	case RIGHTS:
		pte = insn ? PTE(pa, 2, 3) : PTE(pa, 3, 0);
		break;
	case NOT_WRITABLE:
		pte = PTE(pa, 0, 3);
		break;
	case NOT_DIRTY:
		pte &= ~0x40ULL;
		break;
	case NOT_ACCESSED:
		pte &= ~0x20ULL;
		break;
	case BREAKPOINT:
		set(insn ? MONT_REG_IBR : MONT_REG_DBR, 4, va);
		set(insn ? MONT_REG_IBR : MONT_REG_DBR, 5,
		    3ULL << 62 | 0xfULL << 56 | (~0ULL >> 8));
		break;
	default:
		break;
	}
	insert(insn, va, pte, DATA_KEY);
	if (c == KEY_MISS || c == KEY_PERM) {
		set(MONT_REG_PKR, 0, (u64)CODE_KEY << 8 | 1);
		return MONT_PSR_PK;
	}
	return c == BREAKPOINT ? MONT_PSR_DB : 0;
}

#define R MONT_ISR_R
#define W MONT_ISR_W
#define NA MONT_ISR_NA
#define SP MONT_ISR_SP

enum kind { PLAIN, PROBE, TRANSLATE };

static const struct {
	const char *name;
	u64 isr;
	enum kind kind;
} refs[] = {
	{ "ld8", R, PLAIN },
	{ "ld1", R, PLAIN },
	{ "ldfd", R, PLAIN },
	{ "ld16", R, PLAIN },
	{ "ld8_a", R, PLAIN },
	{ "ld8_c", R, PLAIN },
	{ "ld8_s", R | SP, PLAIN },
	{ "ld8_sa", R | SP, PLAIN },
	{ "ldfd_s", R | SP, PLAIN },
	{ "st8", W, PLAIN },
	{ "st4", W, PLAIN },
	{ "stfd", W, PLAIN },
	{ "st16", W, PLAIN },
	{ "xchg8", R | W, PLAIN },
	{ "cmpxchg8", R | W, PLAIN },
	{ "fetchadd8", R | W, PLAIN },
	{ "cmp8xchg16", R | W, PLAIN },
	{ "fc", R | NA | 1, PLAIN },
	{ "fc_i", R | NA | 1, PLAIN },
	{ "lfetch_fault", R | NA | 4, PLAIN },
	{ "probe_r_fault", R | NA | 5, PLAIN },
	{ "probe_w_fault", W | NA | 5, PLAIN },
	{ "probe_rw_fault", R | W | NA | 5, PLAIN },
	{ "probe_r", R | NA | 2, PROBE },
	{ "probe_w", W | NA | 2, PROBE },
	{ "probe_r_reg", R | NA | 2, PROBE },
	{ "probe_w_reg", W | NA | 2, PROBE },
	{ "tpa", NA, TRANSLATE },
};

/* Expected vector of reference @i under @c at level @cpl, or -1 for none. */
static int outcome(unsigned int i, enum cond c, u32 cpl)
{
	bool at3 = cpl == 3 || !strncmp(refs[i].name, "probe", 5);

	if ((c == NOT_WRITABLE || c == NOT_DIRTY) && !(refs[i].isr & W))
		return -1;
	if (c == RIGHTS && !at3)
		return -1;
	if (c == NATPAGE && (refs[i].isr & SP))
		return -1;
	if (refs[i].kind == PROBE && c >= KEY_PERM)
		return -1;
	if (refs[i].kind == TRANSLATE && c >= KEY_MISS)
		return -1;
	/* fc looks at rights above level 0 and at nothing else (SDM volume 3, fc). */
	if (!strncmp(refs[i].name, "fc", 2) && c >= KEY_MISS && c != RIGHTS)
		return -1;
	return data_vector[c];
}

static void test_data(u32 cpl)
{
	unsigned int i;
	enum cond c;
	char name[64];
	int slot, v;

	for (c = 0; c < NR_CONDS; c++) {
		for (i = 0; i < MONT_ARRAY_SIZE(refs); i++) {
			if (refs[i].kind == TRANSLATE && cpl)
				continue;
			for (slot = 0; slot < 2; slot++) {
				u64 psr;

				machine(1, 0);
				map_code(0);
				psr = VIRT | CPL(cpl) | bring_about(c, false, DATA_VA, DATA_PA);
				set_gr(14, DATA_VA);
				set_gr(15, 3);
				at(refs[i].name, slot, psr, false);
				go();
				v = outcome(i, c, cpl);
				snprintf(name, sizeof(name), "%s, %s", refs[i].name, cond_names[c]);
				if (v < 0) {
					if (!passed(name))
						continue;
					if (refs[i].kind == PROBE)
						check_eq(gr(8),
							 c >= NOT_DIRTY || (c == NOT_WRITABLE &&
									    (refs[i].isr & R)),
							 name);
					if (refs[i].kind == TRANSLATE)
						check_eq(gr(8), DATA_PA, name);
					continue;
				}
				if (!faulted(name, v, refs[i].isr | (c == NATPAGE ? 0x20 : 0)))
					continue;
				check_eq(record(0)->ifa, DATA_VA, "IFA");
				check_eq(record(0)->itir, itir_of(DATA_VA), "ITIR");
				if (v == 0 || v == 0x800)
					check_eq(record(0)->iha, DATA_IHA, "IHA");
			}
		}
	}
	group(cpl ? "data references at level 3: condition x instruction x slot"
		  : "data references at level 0: condition x instruction x slot");
}

/* With PSR.ic = 0: nested, and nothing of the interruption state changes. */
static void test_nested(void)
{
	enum cond c;
	unsigned int i;

	for (c = 0; c <= VHPT_RESERVED; c++) {
		for (i = 0; i < MONT_ARRAY_SIZE(refs); i++) {
			const struct record *r = record(0);
			u32 cr;

			machine(1, 0);
			map_code(0);
			bring_about(c, false, DATA_VA, DATA_PA);
			set_gr(14, DATA_VA);
			set_gr(15, 3);
			set(MONT_REG_CR, 16, 0x8000);
			set(MONT_REG_CR, 17, 0x11000);
			for (cr = 19; cr <= 25; cr++)
				set(MONT_REG_CR, cr, 0x1000 * cr);
			at(refs[i].name, 0, VIRT & ~MONT_PSR_IC, false);
			go();
			if (refs[i].isr & SP) {
				passed(refs[i].name);
				continue;
			}
			check(nr_records() == 1 && r->vector == 0x1400 && r->isr == 0x11000 &&
				      r->ipsr == 0x8000 && r->iip == 0x13000 && r->ifa == 0x14000 &&
				      r->itir == 0x15000 && r->iipa == 0x16000 &&
				      r->ifs == 0x17000 && r->iim == 0x18000 && r->iha == 0x19000,
			      "%s, %s, ic 0: vector %#llx isr %#llx iip %#llx", refs[i].name,
			      cond_names[c], (unsigned long long)r->vector,
			      (unsigned long long)r->isr, (unsigned long long)r->iip);
		}
	}
	/* Any other fault sets ISR, with ni, and nothing else. */
	for (c = NOT_PRESENT; c < NR_CONDS; c++) {
		const struct record *r = record(0);
		u64 psr;
		u32 cr;

		machine(1, 0);
		map_code(0);
		psr = bring_about(c, false, DATA_VA, DATA_PA);
		set_gr(14, DATA_VA);
		for (cr = 19; cr <= 25; cr++)
			set(MONT_REG_CR, cr, 0x1000 * cr);
		at("st8", 1, (VIRT | psr | CPL(3)) & ~MONT_PSR_IC, false);
		go();
		check(nr_records() == 1 && r->vector == data_vector[c] &&
			      r->isr == (W | MONT_ISR_NI | EI(1) | (c == NATPAGE ? 0x20 : 0)) &&
			      r->iip == 0x13000 && r->ifa == 0x14000 && r->itir == 0x15000 &&
			      r->iipa == 0x16000 && r->ifs == 0x17000,
		      "st8, %s, ic 0: vector %#llx isr %#llx", cond_names[c],
		      (unsigned long long)r->vector, (unsigned long long)r->isr);
	}
	group("PSR.ic = 0: data nested TLB, state kept, ISR.ni");
}

static void test_insn(void)
{
	enum cond c;
	int slot;
	u32 cpl;

	for (c = 0; c < NR_CONDS; c++) {
		if (c == NOT_WRITABLE || c == NOT_DIRTY)
			continue;
		for (cpl = 0; cpl < 4; cpl += 3) {
			for (slot = 0; slot < 3; slot++) {
				const struct record *r = record(0);
				u64 psr, isr = MONT_ISR_X | (c == NATPAGE ? 0x20 : 0);

				machine(1, 0);
				map_code(0);
				psr = VIRT | CPL(cpl) | bring_about(c, true, FAR_VA, FAR_PA);
				set(MONT_REG_BR, 7, FAR_VA);
				at("br_ind", slot, psr, false);
				go();
				if (!check(nr_records() && r->vector == insn_vector[c] &&
						   r->isr == isr && r->iip == FAR_VA &&
						   r->ipsr == psr && r->iipa == start_ip &&
						   r->ifa == FAR_VA && r->itir == itir_of(FAR_VA),
					   "fetch, %s: vector %#llx isr %#llx iip %#llx iipa %#llx",
					   cond_names[c], (unsigned long long)r->vector,
					   (unsigned long long)r->isr, (unsigned long long)r->iip,
					   (unsigned long long)r->iipa))
					continue;
				if (insn_vector[c] == 0 || insn_vector[c] == 0x400)
					check_eq(r->iha, FAR_IHA, "IHA of a fetch");
			}
		}
	}
	/* The walker needs PSR.ic for fetches: alternate, with ni. */
	for (c = 0; c <= VHPT_RESERVED; c++) {
		machine(1, 0);
		map_code(0);
		bring_about(c, true, FAR_VA, FAR_PA);
		set(MONT_REG_CR, 19, 0x13000);
		set(MONT_REG_BR, 7, FAR_VA);
		at("br_ind", 0, VIRT & ~MONT_PSR_IC, false);
		go();
		check(record(0)->vector == 0x0c00 && record(0)->isr == (MONT_ISR_X | MONT_ISR_NI) &&
			      record(0)->iip == 0x13000,
		      "fetch, %s, ic 0", cond_names[c]);
	}
	group("instruction fetch: condition x level x slot");
}

static void test_deferral(void)
{
	static const struct {
		enum cond c;
		u64 dcr;
	} t[] = {
		{ NO_ENTRY, 0x100 },	{ NO_VHPT_PAGE, 0x100 },  { VHPT_ABSENT, 0x100 },
		{ NOT_PRESENT, 0x200 }, { KEY_MISS, 0x400 },	  { KEY_PERM, 0x800 },
		{ RIGHTS, 0x1000 },	{ NOT_ACCESSED, 0x2000 }, { BREAKPOINT, 0x4000 },
	};
	static const char *const load[] = { "ld8_s", "ld8_sa", "ldfd_s" };
	unsigned int i, k, how;

	for (i = 0; i < MONT_ARRAY_SIZE(t); i++) {
		for (k = 0; k < 3; k++) {
			for (how = 0; how < 7; how++) {
				/*
				 * 0 ed and DCR, 1 ed alone, 2 DCR alone, 3 ed and the other DCR
				 * bits, 4 PSR.ed, 5 PSR.ic = 0, 6 DCR and physical fetch
				 */
				bool defer = how == 0 || how == 4 || how == 5;
				u64 psr;

				machine(1, 0);
				map_code(how == 0 || how == 1 || how == 3 ? PTE_ED : 0);
				psr = VIRT | CPL(3) | bring_about(t[i].c, false, DATA_VA, DATA_PA);
				if (how == 4)
					psr |= MONT_PSR_ED;
				if (how == 5)
					psr &= ~MONT_PSR_IC;
				if (how == 6)
					psr &= ~MONT_PSR_IT;
				if (how == 0 || how == 2 || how == 6)
					set(MONT_REG_CR, 0, t[i].dcr);
				if (how == 3)
					set(MONT_REG_CR, 0, 0x7f00 & ~t[i].dcr);
				set_gr(14, DATA_VA);
				at(load[k], 0, psr, how == 4);
				go();
				if (!defer) {
					faulted(cond_names[t[i].c], data_vector[t[i].c],
						R | SP | (how == 1 || how == 3 ? MONT_ISR_ED : 0));
				} else if (passed(cond_names[t[i].c])) {
					if (k < 2)
						check_eq(mont_nat(cpu, 8), 1, "NaT of a load");
					else
						check_eq(get(MONT_REG_FR, 40), 0, "NaTVal");
					check_eq(cpu->s.psr & MONT_PSR_ED, 0, "PSR.ed afterwards");
				}
			}
		}
	}
	/* Unaligned: no bit of DCR, the code page's alone. */
	for (how = 0; how < 2; how++) {
		machine(1, 0);
		map_code(how ? PTE_ED : 0);
		map(false, DATA_VA, PTE(DATA_PA, 3, 3));
		set_gr(14, DATA_VA + 1);
		at("ld8_s", 0, VIRT, false);
		go();
		if (how)
			passed("unaligned ld8.s");
		else
			faulted("unaligned ld8.s", 0x5a00, R | SP);
	}
	group("deferral: DCR, ITLB.ed, PSR.ed, PSR.ic, PSR.it");
}

/* Of two faults of one page the first in SDM volume 2, table 5-6, is taken. */
static void test_priority(void)
{
	const u64 good = PTE(DATA_PA, 3, 3), dirty = 0x40, accessed = 0x20;
	const struct {
		const char *what;
		u64 pte;
		u64 vector;
	} rows[] = {
		{ "rights before the dirty bit", PTE(DATA_PA, 0, 3) & ~dirty, 0x5300 },
		{ "rights before the access bit", PTE(DATA_PA, 0, 3) & ~accessed, 0x5300 },
		{ "the dirty bit before the access bit", good & ~dirty & ~accessed, 0x2000 },
		{ "absence before rights", (PTE(DATA_PA, 0, 3) & ~dirty) - 1, 0x5000 },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		machine(1, 0);
		map_code(0);
		map(false, DATA_VA, rows[i].pte);
		set_gr(14, DATA_VA);
		at("st8", 0, VIRT | CPL(3), false);
		go();
		faulted(rows[i].what, rows[i].vector, W);
	}
	group("two faults of one page: which is taken");
}

static void test_once(void)
{
	u64 psr;

	/* PSR.da: one store past the dirty bit, and no more. */
	machine(1, 0);
	map_code(0);
	bring_about(NOT_DIRTY, false, DATA_VA, DATA_PA);
	set_gr(14, DATA_VA);
	at("st8", 0, VIRT | MONT_PSR_DA, true);
	go();
	passed("st8 under PSR.da");
	at("st8", 0, VIRT, false);
	go();
	faulted("st8 after PSR.da", 0x2000, W);
	/* PSR.da: likewise for the access bit. */
	machine(1, 0);
	map_code(0);
	bring_about(NOT_ACCESSED, false, DATA_VA, DATA_PA);
	set_gr(14, DATA_VA);
	at("ld8", 0, VIRT | MONT_PSR_DA, true);
	go();
	passed("ld8 under PSR.da");
	at("ld8", 0, VIRT, false);
	go();
	faulted("ld8 after PSR.da", 0x2800, R);
	/* PSR.dd */
	machine(1, 0);
	map_code(0);
	psr = VIRT | bring_about(BREAKPOINT, false, DATA_VA, DATA_PA);
	set_gr(14, DATA_VA);
	at("ld8", 0, psr | MONT_PSR_DD, true);
	go();
	passed("ld8 under PSR.dd");
	at("ld8", 0, psr, false);
	go();
	faulted("ld8 after PSR.dd", 0x5900, R);
	/* PSR.ia: one instruction of a page without the access bit. */
	machine(1, 0);
	map_code(0);
	bring_about(NOT_ACCESSED, true, FAR_VA, FAR_PA);
	memcpy(ram + FAR_PA, ram + label("nop_all_0"), 32);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, FAR_VA);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, VIRT | MONT_PSR_IA);
	go();
	check(record(0)->vector == 0x2400 && record(0)->iip == FAR_VA &&
		      record(0)->ipsr == (VIRT | RI(1)) && record(0)->iipa == FAR_VA,
	      "PSR.ia holds for one instruction: vector %#llx ipsr %#llx",
	      (unsigned long long)record(0)->vector, (unsigned long long)record(0)->ipsr);
	/* PSR.id: one instruction past a breakpoint. */
	machine(1, 0);
	set(MONT_REG_IBR, 0, label("nop_all_0"));
	set(MONT_REG_IBR, 1, 1ULL << 63 | 1ULL << 56 | (~0ULL >> 8));
	at("nop_all", 0, PHYS | MONT_PSR_DB | MONT_PSR_ID, true);
	go();
	check(record(0)->vector == 0x5900 && record(0)->ipsr == (PHYS | MONT_PSR_DB | RI(1)) &&
		      record(0)->isr == (MONT_ISR_X | EI(1)),
	      "PSR.id holds for one instruction");
	group("PSR.da, dd, ia, id: for one instruction");
}

/* Levels of debug registers: plm, and PSR.db. */
static void test_debug_levels(void)
{
	u32 plm, cpl;

	for (plm = 0; plm < 16; plm++) {
		for (cpl = 0; cpl < 4; cpl++) {
			bool hit = plm >> cpl & 1;

			machine(1, 0);
			set(MONT_REG_DBR, 0, DATA_PA);
			set(MONT_REG_DBR, 1,
			    1ULL << 63 | (u64)plm << 56 | (~0xfffULL & (~0ULL >> 8)));
			set_gr(14, DATA_PA + 0x10);
			at("ld8", 0, PHYS | MONT_PSR_DB | CPL(cpl), false);
			go();
			hit ? faulted("DBR level", 0x5900, R) : passed("DBR level");
			machine(1, 0);
			set(MONT_REG_IBR, 6, label("nop_m_0") + 5);
			set(MONT_REG_IBR, 7, 1ULL << 63 | (u64)plm << 56 | (~0ULL >> 8));
			at("nop_m", 0, PHYS | MONT_PSR_DB | CPL(cpl), false);
			go();
			if (hit && faulted("IBR level", 0x5900, MONT_ISR_X))
				check_eq(record(0)->ifa, label("nop_m_0"), "IFA of an IBR match");
			else if (!hit)
				passed("IBR level");
		}
	}
	/* Reads alone, writes alone; without PSR.db; outside the mask. */
	machine(1, 0);
	set(MONT_REG_DBR, 2, DATA_PA);
	set(MONT_REG_DBR, 3, 1ULL << 62 | 1ULL << 56 | (~0ULL >> 8));
	set_gr(14, DATA_PA);
	at("ld8", 0, PHYS | MONT_PSR_DB, false);
	go();
	passed("a load, DBR for writes");
	at("st8", 0, PHYS, false);
	go();
	passed("a store without PSR.db");
	at("st8", 1, PHYS | MONT_PSR_DB, false);
	go();
	faulted("a store, DBR for writes", 0x5900, W);
	group("debug registers: levels, reads and writes");

	/* One byte, by references that begin at it, before it and behind it. */
	for (plm = 0; plm < 24; plm++) {
		static const struct {
			const char *name;
			u32 size;
			u64 isr;
		} refs[] = {
			{ "ld8", 8, R },
			{ "st8", 8, W },
		};

		for (cpl = 0; cpl < MONT_ARRAY_SIZE(refs); cpl++) {
			u64 va = DATA_PA + 8 * (plm % 3), byte = DATA_PA + plm;
			bool hit = byte >= va && byte < va + refs[cpl].size;

			machine(1, 0);
			set(MONT_REG_DBR, 6, byte);
			set(MONT_REG_DBR, 7, 3ULL << 62 | 1ULL << 56 | (~0ULL >> 8));
			set_gr(14, va);
			at(refs[cpl].name, 0, PHYS | MONT_PSR_DB, false);
			go();
			if (!hit)
				passed("a byte beside the reference");
			else if (faulted("a byte of the reference", 0x5900, refs[cpl].isr))
				check_eq(record(0)->ifa, va, "IFA of a DBR match");
		}
	}
	group("data breakpoints compare every byte of a reference");
}

/* Table 4-2: columns are levels 3 to 0; P: promotes. */
static const char *const rights[8][4] = {
	{ "R R R R", "- R R R", "- - R R", "- - - R" },
	{ "RX RX RX RX", "- RX RX RX", "- - RX RX", "- - - RX" },
	{ "RW RW RW RW", "- RW RW RW", "- - RW RW", "- - - RW" },
	{ "RWX RWX RWX RWX", "- RWX RWX RWX", "- - RWX RWX", "- - - RWX" },
	{ "R RW RW RW", "- R RW RW", "- - R RW", "- - - RW" },
	{ "RX RX RX RWX", "- RX RX RWX", "- - RX RWX", "- - - RWX" },
	{ "RWX RW RW RW", "- RWX RW RW", "- - RWX RW", "- - - RW" },
	{ "X X X RX", "XP X X RX", "XP XP X RX", "XP XP XP RX" },
};

static void test_rights(void)
{
	u32 ar, pl, cpl, i;

	for (ar = 0; ar < 8; ar++) {
		for (pl = 0; pl < 4; pl++) {
			for (cpl = 0; cpl < 4; cpl++) {
				const char *p = rights[ar][3 - pl];
				char f[8] = "";

				for (i = 3; i > cpl; i--)
					p = strchr(p, ' ') + 1;
				if (sscanf(p, "%7s", f) != 1)
					exit(1);
				machine(1, 0);
				map_code(0);
				map(false, DATA_VA, PTE(DATA_PA, ar, pl));
				set_gr(14, DATA_VA);
				at("ld8", 0, VIRT | CPL(cpl), false);
				go();
				strchr(f, 'R') ? passed("read") : faulted("read", 0x5300, R);
				at("st8", 0, VIRT | CPL(cpl), false);
				*mem64(REC) = 0;
				go();
				strchr(f, 'W') ? passed("write") : faulted("write", 0x5300, W);
				machine(1, 0);
				map_code(0);
				map(true, FAR_VA, PTE(FAR_PA, ar, pl));
				memcpy(ram + FAR_PA, ram + label("break_m_0"), 16);
				set(MONT_REG_BR, 7, FAR_VA);
				at("br_ind", 0, VIRT | CPL(cpl), false);
				go();
				check_eq(record(0)->vector, strchr(f, 'X') ? 0x2c00 : 0x5200,
					 "fetch");
				/* epc: the page promotes to its own level. */
				machine(1, 0);
				map_code(0);
				map(true, FAR_VA, PTE(FAR_PA, ar, pl));
				memcpy(ram + FAR_PA, ram + label("epc_2"), 16);
				memcpy(ram + FAR_PA + 16, ram + label("break_m_0"), 16);
				set(MONT_REG_BR, 7, FAR_VA);
				set(MONT_REG_AR, 64, (u64)cpl << 62);
				at("br_ind", 0, VIRT | CPL(cpl), false);
				go();
				if (strchr(f, 'X'))
					check_eq(record(0)->ipsr >> 32 & 3,
						 strchr(f, 'P') ? pl : cpl, "level after epc");
			}
		}
	}
	group("access rights: read, write, execute, promotion");
}

static void test_tlb_instructions(void)
{
	unsigned int i;

	/* itc.d by the guest, then a load through it. */
	machine(1, 0);
	map_code(0);
	set(MONT_REG_CR, 20, DATA_VA);
	set(MONT_REG_CR, 21, itir(PS, 0x123));
	set_gr(15, PTE(DATA_PA, 3, 3));
	at("itc_d", 0, VIRT & ~MONT_PSR_IC, false);
	go();
	passed("itc.d");
	set_gr(14, DATA_VA + 8);
	*mem64(DATA_PA + 8) = 0xfeed;
	at("ld8", 0, VIRT | CPL(3), false);
	go();
	if (passed("ld8 after itc.d"))
		check_eq(gr(8), 0xfeed, "what it read");
	at("tak", 0, VIRT, false);
	go();
	if (passed("tak"))
		check_eq(gr(8), 0x12300, "the key");
	set_gr(14, DATA_VA + 0x100000);
	at("tak", 0, VIRT, false);
	go();
	if (passed("tak of nothing"))
		check_eq(gr(8), 1, "the key of nothing");
	/* A page size of the purge that covers it. */
	set_gr(14, DATA_VA + (1 << PS) * 2);
	set_gr(15, (PS + 2) << 2);
	at("ptc_l", 0, VIRT, false);
	go();
	passed("ptc.l");
	set_gr(14, DATA_VA + 8);
	at("ld8", 0, VIRT, false);
	go();
	faulted("ld8 after ptc.l", 0x1000, R);

	/* TRs survive ptc, and not ptr; TR before TC. */
	for (i = 0; i < 2; i++) {
		machine(1, 0);
		map_code(0);
		set(MONT_REG_CR, 20, DATA_VA);
		set(MONT_REG_CR, 21, itir(PS, 0));
		set_gr(14, 31);
		set_gr(15, PTE(DATA_PA, 3, 3));
		at("itr_d", 0, VIRT & ~MONT_PSR_IC, false);
		go();
		passed("itr.d");
		set_gr(14, DATA_VA);
		set_gr(15, PS << 2);
		at(i ? "ptr_d" : "ptc_l", 0, VIRT, false);
		go();
		passed("purge");
		at("ld8", 0, VIRT, false);
		go();
		i ? faulted("ld8 after ptr.d", 0x1000, R) : passed("ld8 after ptc.l");
	}
	/* Probes look at the TLB where PSR.dt is 0; faulting ones do not. */
	machine(1, 0);
	set_gr(14, DATA_VA);
	at("probe_r", 0, PHYS, false);
	go();
	faulted("probe with PSR.dt 0, no entry", 0x1000, R | NA | 2);
	machine(1, 0);
	map(false, DATA_VA, PTE(DATA_PA, 0, 3));
	set_gr(14, DATA_VA);
	at("probe_w", 0, PHYS, false);
	go();
	if (passed("probe.w with PSR.dt 0"))
		check_eq(gr(8), 0, "probe.w of a read-only page");
	at("probe_r", 0, PHYS, false);
	go();
	if (passed("probe.r with PSR.dt 0"))
		check_eq(gr(8), 1, "probe.r of a read-only page");
	set_gr(14, DATA_PA);
	at("probe_rw_fault", 0, PHYS, false);
	go();
	passed("probe.rw.fault with PSR.dt 0");
	/* The walker inserts; not-present entries as well. */
	for (i = 0; i < 4; i++) {
		u64 pte = PTE(DATA_PA, 3, 3) - (i & 1);

		machine(1, 0);
		map_code(0);
		map(false, DATA_IHA, PTE(VHPT_PA, 3, 0));
		set(MONT_REG_CR, 8, PTA_BASE | VHPT_SIZE << 2 | 1);
		set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
		if (i & 2)
			set(MONT_REG_CR, 0, 2);
		*mem64(VHPT_PA + (DATA_IHA & ((1 << PS) - 1))) = i & 2 ? __builtin_bswap64(pte)
								       : pte;
		set_gr(14, DATA_VA);
		at("ld8", 0, VIRT, false);
		go();
		i & 1 ? faulted("walk", 0x5000, R) : passed("walk");
		at("thash", 0, VIRT, false);
		*mem64(REC) = 0;
		go();
		if (passed("thash"))
			check_eq(gr(8), DATA_IHA, "thash");
	}
	/* The long format, with tag, key and page size of its own. */
	machine(1, 0);
	map_code(0);
	set(MONT_REG_CR, 8, 0x6000000000000000ULL | 15 << 2 | 0x100 | 1);
	set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
	/* A7: page number exclusive-or region identifier, of 32 bytes each, in a table of 32 KB. */
	for (i = 0; i < 4; i++) {
		u64 va = DATA_VA + ((u64)i * 0x83 << PS), page = (va & (MONT_BIT(61) - 1)) >> PS;

		set_gr(14, va);
		at("thash", 0, VIRT, false);
		*mem64(REC) = 0;
		go();
		if (passed("thash, long format"))
			check_eq(gr(8), 0x6000000000000000ULL | ((page ^ 0x101) << 5 & 0x7fff),
				 "thash, long format");
	}
	set_gr(14, DATA_VA);
	at("ttag", 0, VIRT, false);
	go();
	if (passed("ttag")) {
		u64 tag = gr(8), at_pa;

		at("thash", 0, VIRT, false);
		go();
		check_eq(gr(8) >> 15, 0x6000000000000000ULL >> 15, "thash stays in the table");
		check_eq(gr(8) & 31, 0, "thash is of 32 bytes");
		map(false, gr(8), PTE(VHPT_PA, 3, 0));
		at_pa = VHPT_PA + (gr(8) & ((1 << PS) - 1));
		*mem64(at_pa) = PTE(DATA_PA, 3, 3);
		*mem64(at_pa + 8) = itir(12, 0x55);
		*mem64(at_pa + 16) = tag ^ 1;
		at("ld8", 0, VIRT, false);
		go();
		faulted("long VHPT, another tag", 0x0800, R);
		*mem64(REC) = 0;
		*mem64(at_pa + 16) = tag;
		at("ld8", 0, VIRT, false);
		go();
		passed("long VHPT");
		at("tak", 0, VIRT, false);
		go();
		check_eq(gr(8), 0x5500, "key from the long VHPT");
		set_gr(14, DATA_VA + 0x1000);
		at("tak", 0, VIRT, false);
		go();
		check_eq(gr(8), 1, "page size from the long VHPT");
	}
	group("insert, purge, probe, tak, thash, walker");
}

/* A walker with a table whose entry for DATA_VA is @pte; IC is that of @psr. */
static void walk(const char *name, u64 pte, u64 psr)
{
	machine(1, 0);
	map_code(0);
	map(false, DATA_IHA, PTE(VHPT_PA, 3, 0));
	set(MONT_REG_CR, 8, PTA_BASE | VHPT_SIZE << 2 | 1);
	set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
	*mem64(VHPT_PA + (DATA_IHA & ((1 << PS) - 1))) = pte;
	set_gr(14, DATA_VA);
	at(name, 0, psr, false);
}

/*
 * The walker's own reference is one to data at level 0: what would be a fault of it
 * ends the search in a TLB miss, and a miss in a VHPT fault (SDM volume 2, 4.1.8,
 * figure 4-16).
 */
static void test_walker_reference(void)
{
	const u64 table = PTE(VHPT_PA, 3, 0), key = 0x88;
	/* Of PKR 1: key of the table, and what it forbids. */
	const u64 wd_xd = key << 8 | 1 | 2 | 8, rd = key << 8 | 1 | 4;
	const struct {
		const char *what;
		u64 pte, pkr;
		int vector;
	} rows[] = {
		{ "no key of the table's", table, 0, 0x0800 },
		{ "a key that forbids reads", table, rd, 0x0800 },
		{ "a key that forbids writes and execution", table, wd_xd, -1 },
		{ "table without the access bit", table & ~0x20ULL, wd_xd, 0x0800 },
		{ "table for level 0", PTE(VHPT_PA, 0, 0), wd_xd, -1 },
		{ "table not cacheable", table | PTE_UC, wd_xd, 0x0800 },
		{ "table in a NaT page", table | PTE_NATPAGE, wd_xd, 0x0800 },
		{ "table not present", table - 1, wd_xd, 0x0800 },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		machine(1, 0);
		map_code(0);
		if (mont_tc_insert(cpu, false, DATA_IHA, rows[i].pte, itir(PS, key)))
			exit(1);
		set(MONT_REG_CR, 8, PTA_BASE | VHPT_SIZE << 2 | 1);
		set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
		*mem64(VHPT_PA + (DATA_IHA & ((1 << PS) - 1))) = PTE(DATA_PA, 3, 3);
		/* Keys of the code and, from the region register, of the data. */
		set(MONT_REG_PKR, 0, (u64)CODE_KEY << 8 | 1);
		set(MONT_REG_PKR, 1, rows[i].pkr);
		set(MONT_REG_PKR, 2, 0x101 << 8 | 1);
		set_gr(14, DATA_VA);
		at("ld8", 0, VIRT | MONT_PSR_PK | CPL(3), false);
		go();
		if (rows[i].vector < 0)
			passed(rows[i].what);
		else if (faulted(rows[i].what, rows[i].vector, R))
			check_eq(record(0)->iha, DATA_IHA, "IHA");
	}
	/* A translation that the walker found once is not found any more when the key has gone. */
	machine(1, 0);
	map_code(0);
	if (mont_tc_insert(cpu, false, DATA_IHA, table, itir(PS, key)))
		exit(1);
	set(MONT_REG_CR, 8, PTA_BASE | VHPT_SIZE << 2 | 1);
	set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
	for (i = 0; i < 2; i++)
		*mem64(VHPT_PA + (DATA_IHA & ((1 << PS) - 1)) + 8 * i) =
			PTE(DATA_PA + (i << PS), 3, 3);
	set(MONT_REG_PKR, 0, (u64)CODE_KEY << 8 | 1);
	set(MONT_REG_PKR, 1, wd_xd);
	set(MONT_REG_PKR, 2, 0x101 << 8 | 1);
	set_gr(14, DATA_VA);
	at("ld8", 0, VIRT | MONT_PSR_PK, false);
	go();
	passed("a walk with the key");
	set(MONT_REG_PKR, 1, 0);
	set_gr(14, DATA_VA + (1 << PS));
	at("ld8", 0, VIRT | MONT_PSR_PK, false);
	go();
	faulted("a walk when the key has gone", 0x0800, R);
	/* tak searches the table where PSR.dt is 1, and inserts what it finds. */
	walk("tak", PTE(DATA_PA, 3, 3), VIRT);
	go();
	if (passed("tak by the walker"))
		check_eq(gr(8), 0x101 << 8, "the key, of the region register");
	walk("tak", PTE(DATA_PA, 3, 3) - 1, VIRT);
	go();
	if (passed("tak of what is not present"))
		check_eq(gr(8), 1, "the key");
	walk("tak", PTE(DATA_PA, 3, 3), VIRT & ~MONT_PSR_DT);
	go();
	if (passed("tak with PSR.dt 0"))
		check_eq(gr(8), 1, "the key");
	group("the walker's reference: keys, rights, attributes; tak");
}

/* Counts of the walker's events and SPEC_LOADS_NATTED (pmu.rst, P13, P17). */
static void test_walker_events(void)
{
	/* A reserved memory attribute: the walker looks and inserts nothing. */
	const u64 nothing = PTE(DATA_PA, 3, 3) | 1 << 2;
	static const struct {
		u8 code, umask;
	} events[] = { { 0x2d, 0 }, { 0xc9, 0 }, { 0xd9, 1 }, { 0xd9, 2 } };
	const struct {
		const char *name, *what;
		u64 pte, psr;
		bool walker;
		u8 want[MONT_ARRAY_SIZE(events)];
	} rows[] = {
		{ "ld8", "a load", PTE(DATA_PA, 3, 3), VIRT, true, { 1, 1, 0, 0 } },
		{ "lfetch", "lfetch", PTE(DATA_PA, 3, 3), VIRT, true, { 1, 1, 0, 0 } },
		{ "lfetch", "lfetch of nothing", nothing, VIRT, true, { 1, 0, 0, 0 } },
		{ "lfetch", "lfetch, no walker", nothing, VIRT, false, { 0, 0, 0, 0 } },
		{ "ld8_s", "ld8.s, PSR.ic 0", nothing, VIRT & ~MONT_PSR_IC, true, { 1, 0, 1, 0 } },
		{ "ld8_s", "ld8.s, no walker", nothing, VIRT & ~MONT_PSR_IC, false, { 0, 0, 0, 1 } },
	};
	unsigned int i, k;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		struct mont_observer o[MONT_ARRAY_SIZE(events)] = { 0 };
		const char *why;

		walk(rows[i].name, rows[i].pte, rows[i].psr);
		if (!rows[i].walker)
			set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2);
		for (k = 0; k < MONT_ARRAY_SIZE(events); k++) {
			o[k].filter.code = events[k].code;
			o[k].filter.umask = events[k].umask;
			o[k].filter.plm = 15;
			check(!mont_observer_attach(cpu, &o[k], &why), "attach");
		}
		go();
		passed(rows[i].what);
		for (k = 0; k < MONT_ARRAY_SIZE(events); k++) {
			check(mont_observer_read(cpu, &o[k]) == rows[i].want[k],
			      "%s: %02x.%x is %llu", rows[i].what, events[k].code, events[k].umask,
			      (unsigned long long)o[k].count);
			mont_observer_detach(cpu, &o[k]);
		}
	}
	group("events of the walker");
}

/* Bubbles of the walker where a load meets condition @c, the line of the table in no cache. */
static u64 walk_bubbles(enum cond c, u64 *flush)
{
	const struct mont_event *e = mont_event_resolve("BE_L1D_FPU_BUBBLE.L1D_HPW", 25, NULL);
	struct mont_observer o = { 0 };
	const char *why;
	u64 cycles;

	machine(1, 0);
	map_code(0);
	bring_about(VHPT_RESERVED, false, DATA_VA, DATA_PA);
	if (c != VHPT_RESERVED)
		*mem64(VHPT_PA + (DATA_IHA & ((1 << PS) - 1))) = PTE(DATA_PA, 3, 3);
	set_gr(14, DATA_VA);
	at("ld8", 0, VIRT, false);
	o.filter.code = e->code;
	o.filter.umask = e->umask;
	o.filter.plm = 15;
	check(!mont_observer_attach(cpu, &o, &why), "attach");
	go();
	*flush = cpu->time->s.h.timing.flush;
	cycles = mont_observer_read(cpu, &o);
	mont_observer_detach(cpu, &o);
	return cycles;
}

/*
 * M2: the walker holds up the pipe whatever it finds. The flush of the fault is charged for the
 * first cycles of that.
 */
static void test_walk_fails(void)
{
	u64 flush, found = walk_bubbles(NO_ENTRY, &flush);

	if (passed("a load whose entry is in the table"))
		check(found > pkg->core[0].time->s.h.timing.memory, "%llu cycles of a walk",
		      (unsigned long long)found);
	check_eq(walk_bubbles(VHPT_RESERVED, &flush), found - flush, "a walk that finds nothing");
	check_eq(record(0)->vector, 0x0800, "its vector");
	group("a fault waits for the walk that has found nothing");
}

int main(void)
{
	test_data(0);
	test_data(3);
	test_nested();
	test_insn();
	test_deferral();
	test_priority();
	test_once();
	test_debug_levels();
	test_rights();
	test_tlb_instructions();
	test_walker_reference();
	test_walker_events();
	if (TIMED)
		test_walk_fails();
	return tap_end();
}
