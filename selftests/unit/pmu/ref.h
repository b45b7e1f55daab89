/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second PMU, to compare with: no tables, no countdowns, every counter
 * looked at for every signal, written from the manual's register fields and
 * the equations of sections 3.3.1, 3.3.5, 3.3.6 and 3.3.7.
 */
#ifndef PMU_REF_H
#define PMU_REF_H

#include "pmu_test.h"

struct ref {
	u64 pmc[64], pmd[64], ibr[8], dbr[8];
	u64 psr;
	u32 group[16];
	u32 irq;
	bool timed;
	/* of the issue group that has not ended */
	u64 over;
	bool freeze;
	bool marked;
	u64 mark[16]; /* PMC0, PMD4-15 when it began */
};

/* A signal that was raised. */
struct ref_signal {
	enum mont_signal sig;
	u64 n, attr, ip;
	u32 data, slot;
	const u64 *raw;
};

static inline u64 ref_field(u64 v, unsigned int hi, unsigned int lo)
{
	return v >> lo & ((2ULL << (hi - lo)) - 1);
}

static inline void ref_reset(struct ref *r)
{
	unsigned int i;

	memset(r, 0, sizeof(*r));
	for (i = 4; i < 16; i++)
		r->pmc[i] = 0x2000000;
	r->pmc[32] = 0x30f01ffffffffff;
	r->pmc[34] = 0xf01ffffffffff;
	r->pmc[33] = 0x1ffffffffff;
	r->pmc[35] = 0x1ffffffffff;
	r->pmc[36] = 0xfffffff0;
	r->pmc[38] = 0xdb6;
	r->pmc[40] = 0x2000000;
	r->pmc[41] = 0x2078fefefefe;
}

static inline void ref_pmc_write(struct ref *r, u64 idx, u64 v)
{
	idx &= 0xff;
	if (idx == 0)
		r->mark[0] = r->pmc[0] = v & 0xfff1;
	else if (idx >= 4 && idx <= 15)
		r->pmc[idx] = (v & 0x7c7fff7f) | 0x2000000;
	else if (idx == 32)
		r->pmc[32] = v & 0x30f01ffffffffff;
	else if (idx == 34)
		r->pmc[34] = v & 0xf01ffffffffff;
	else if (idx == 33 || idx == 35)
		r->pmc[idx] = v & 0x1ffffffffff;
	else if (idx == 36)
		r->pmc[36] = 0xfffffff0 | (v & 0xf);
	else if (idx == 37)
		r->pmc[37] = v & 0x3fff;
	else if (idx == 38)
		r->pmc[38] = (0xdb6 & ~0x2492) | (v & 0x2492);
	else if (idx == 39)
		r->pmc[39] = v & 0xffcf;
	else if (idx == 40)
		r->pmc[40] = 0x2000000 | (v & 0xf01cf);
	else if (idx == 41)
		r->pmc[41] = (0x2078fefefefe & ~0x1e00018181818ULL) | (v & 0x1e00018181818);
	else if (idx == 42)
		r->pmc[42] = v & 0x7ff4f;
}

static inline void ref_pmd_write(struct ref *r, u64 idx, u64 v)
{
	idx &= 0xff;
	if (idx >= 4 && idx <= 15)
		r->mark[idx] = r->pmd[idx] = ref_field(v, 46, 0);
	else if (idx == 32 || idx == 36 || idx == 39 || (idx >= 48 && idx <= 63))
		r->pmd[idx] = v;
	else if (idx == 33)
		r->pmd[33] = v & 0xffff;
	else if (idx == 34)
		r->pmd[34] = v & ~0x1cULL;
	else if (idx == 35)
		r->pmd[35] = v & 0x1fff;
	else if (idx == 38)
		r->pmd[38] = v & 0x2f;
}

static inline u64 ref_pmd_read(const struct ref *r, u64 idx, u32 cpl)
{
	unsigned int pmc;
	bool pm;

	idx &= 0xff;
	if (idx > 63)
		return 0;
	pmc = idx;
	if (idx == 34 || idx == 35)
		pmc = 37;
	else if (idx >= 32 && idx <= 36)
		pmc = 40;
	else if (idx >= 38)
		pmc = r->pmc[42] & 0x700 ? 42 : 39;
	pm = r->pmc[pmc] >> (pmc == 37 ? 4 : 6) & 1;
	if (cpl && (pm || (r->psr >> 20 & 1)))
		return 0;
	if (idx < 16) {
		u64 v = r->marked ? r->mark[idx] : r->pmd[idx];

		return v >> 46 & 1 ? v | ~0ULL << 47 : v;
	}
	/* Table 3-29: bruflush and b1 of each entry; table 3-33: all bits. */
	if (idx == 39 && !(r->pmc[42] & 0x700))
		return r->pmd[39] & 0x3333333333333333ULL;
	return r->pmd[idx];
}

static inline u64 ref_pmc0_read(const struct ref *r)
{
	return r->marked ? r->mark[0] : r->pmc[0];
}

static inline void ref_mark(struct ref *r)
{
	memcpy(r->mark, r->pmd, sizeof(r->mark));
	r->mark[0] = r->pmc[0];
	r->marked = true;
}

/* Section 3.3.4: what overflowed in the group shows, and freezes, behind it. */
static inline void ref_group_end(struct ref *r)
{
	r->pmc[0] |= r->over;
	if (r->freeze && !(r->pmc[0] & 1)) {
		r->pmc[0] |= 1;
		r->irq = 1;
	}
	r->over = 0;
	r->freeze = false;
	r->marked = false;
	memset(r->group, 0, sizeof(r->group));
}

static inline u64 ref_masked(u64 control)
{
	return 0xffULL << 56 | ref_field(control, 55, 0);
}

/* Section 3.3.5. */
static inline bool ref_range(const struct ref *r, unsigned int i, u64 ip)
{
	unsigned int cpl = r->psr >> 32 & 3;
	bool fine = r->pmc[38] >> 13 & 1, match;
	unsigned int p = fine ? i % 2 : i;
	u64 lower = r->ibr[2 * p], control = r->ibr[2 * p + 1];

	if (r->pmc[38] >> (1 + 3 * p) & 1)
		return true;
	if (fine && (r->pmc[38] >> (1 + 3 * (p + 2)) & 1))
		return true;
	if (control >> 63)
		return true;
	if (i == 0 && (r->pmc[32] >> 57 & 1))
		return true;
	if (fine) {
		u64 upper = r->ibr[2 * p + 4];
		u64 high = ref_masked(control) & ~0xffffULL;

		match = (ip & high) == (lower & high) && (ip & high) == (upper & high) &&
			(u16)ip >= (u16)lower && (u16)ip <= (u16)upper;
	} else {
		u64 m = ref_masked(control) & ~15ULL;

		match = (ip & m) == (lower & m);
	}
	match = match && (control >> (56 + cpl) & 1);
	if (i == 0 && (r->pmc[32] >> 56 & 1))
		match = !match;
	return match;
}

/* Section 3.3.6; unit letters by template, "?" for none. */
static inline bool ref_opcode(const struct ref *r, unsigned int k, const u64 *raw,
			      unsigned int slot)
{
	static const char *const units[32] = {
		"MII", "MII", "MII", "MII", "M?X", "M?X", "???", "???", "MMI", "MMI", "MMI",
		"MMI", "MFI", "MFI", "MMF", "MMF", "MIB", "MIB", "MBB", "MBB", "???", "???",
		"BBB", "BBB", "MMB", "MMB", "???", "???", "MFB", "MFB", "???", "???",
	};
	unsigned __int128 bundle = (unsigned __int128)raw[1] << 64 | raw[0];
	u64 op = (u64)(bundle >> (5 + 41 * slot)) & 0x1ffffffffffULL;
	u64 mask = r->pmc[32 + 2 * k], match = r->pmc[33 + 2 * k];
	char u = units[raw[0] & 31][slot];
	unsigned int b;

	if (u == 'X')
		u = op >> 37 == 0xc || op >> 37 == 0xd ? 'B' : 'I';
	if (!((u == 'M' && (mask >> 51 & 1)) || (u == 'I' && (mask >> 50 & 1)) ||
	      (u == 'F' && (mask >> 49 & 1)) || (u == 'B' && (mask >> 48 & 1))))
		return false;
	for (b = 0; b < 41; b++)
		if (!(mask >> b & 1) && (op >> b & 1) != (match >> b & 1))
			return false;
	return true;
}

static inline bool ref_tag(const struct ref *r, unsigned int i, const struct ref_signal *s,
			   unsigned int slot)
{
	return ref_range(r, i, s->ip) &&
	       ((r->pmc[36] >> i & 1) || ref_opcode(r, i % 2, s->raw, slot));
}

/* Section 3.3.7. */
static inline bool ref_memory(const struct ref *r, const struct ref_signal *s)
{
	unsigned int j;
	bool any = false;

	for (j = 0; j < 4; j++) {
		unsigned int cfg = r->pmc[41] >> (3 + 8 * j) & 3;
		u64 m = ref_masked(r->dbr[2 * j + 1]);
		bool data = (s->attr & m) == (r->dbr[2 * j] & m);

		if (!(r->pmc[41] >> (45 + j) & 1))
			continue;
		any = true;
		if ((cfg & 2 || ref_tag(r, j, s, s->slot)) && (cfg & 1 || data))
			return true;
	}
	return !any;
}

static inline bool ref_ignored(const struct ref *r, unsigned int pair)
{
	return r->pmc[38] >> (1 + 3 * pair) & 1;
}

/* Table 3-10 on fine mode, table 3-11 on inv. */
static inline bool ref_channel_undefined(const struct ref *r, unsigned int i)
{
	bool fine = r->pmc[38] >> 13 & 1;
	bool ig_ad = r->pmc[32] >> 57 & 1, inv = r->pmc[32] >> 56 & 1;

	if (fine && (i >= 2 || ref_ignored(r, i) != ref_ignored(r, i + 2)))
		return true;
	return i == 0 && !ig_ad && inv && (ref_ignored(r, 0) || r->ibr[1] >> 63);
}

/* The notes under tables 3-10 and 3-14, and what the channels in use say. */
static inline bool ref_undefined(const struct ref *r, bool memory, unsigned int channel)
{
	unsigned int j;

	if (!(r->pmc[41] >> 45 & 15) && !(r->pmc[32] >> 57 & 1) &&
	    (!ref_ignored(r, 0) || !ref_ignored(r, 1)))
		return true;
	if (!memory)
		return ref_channel_undefined(r, channel);
	for (j = 0; j < 4; j++)
		if ((r->pmc[41] >> (45 + j) & 1) && !(r->pmc[41] >> (4 + 8 * j) & 1) &&
		    ref_channel_undefined(r, j))
			return true;
	return false;
}

static inline bool ref_is_l1d(unsigned int code, unsigned int *set)
{
	*set = code == CODE_LOADS ? 3 : code == CODE_STORES ? 4 : code == CODE_INTG ? 6 : 0;
	return *set;
}

/* How much counter @i makes of signal @s before the threshold; @max its limit. */
static inline u64 ref_value(const struct ref *r, unsigned int i, const struct ref_signal *s,
			    unsigned int *max)
{
	unsigned int code = ref_field(r->pmc[i], 15, 8), umask = ref_field(r->pmc[i], 19, 16);
	unsigned int from = s->attr & 3, to = s->attr >> 2 & 3, slot, set, set5;
	u64 v = 0;

	/* The event code in PMC5 selects the set (4.8.2). */
	if (ref_is_l1d(code, &set) &&
	    (!ref_is_l1d(ref_field(r->pmc[5], 15, 8), &set5) || set != set5))
		return 0;
	if (code != CODE_CPL && ref_undefined(r, set, code == CODE_INST ? umask : 0))
		return 0;
	/* A threshold means nothing without time. */
	if (ref_field(r->pmc[i], 22, 20) && !r->timed)
		return 0;
	switch (code) {
	case CODE_INST:
		*max = 6;
		if (s->sig != MONT_SIG_INST_RETIRED || umask > 3)
			return 0;
		for (slot = 0; slot < 3; slot++)
			if (s->attr >> slot & 1)
				v += ref_tag(r, umask, s, slot);
		return v;
	case CODE_NOPS:
	case CODE_SQUASHED:
		*max = 6;
		if (s->sig != (code == CODE_NOPS ? MONT_SIG_NOP_RETIRED : MONT_SIG_PRED_SQUASHED))
			return 0;
		return !umask && ref_tag(r, 0, s, s->slot);
	case CODE_BR:
		*max = 3;
		if (s->sig != MONT_SIG_BRANCH_RETIRED || umask & 3)
			return 0;
		return (!umask || umask >> 2 == (s->attr & 3)) && ref_tag(r, 0, s, s->slot);
	case CODE_CPL:
		*max = 1;
		if (s->sig != MONT_SIG_CPL_CHANGE)
			return 0;
		if (umask != 1 && umask != 2 && umask != 4 && umask != 8 && umask != 15)
			return 0;
		return umask >> from & 1 || umask >> to & 1;
	case CODE_LOADS:
	case CODE_INTG:
		*max = code == CODE_LOADS ? 4 : 2;
		if (s->sig != MONT_SIG_LOAD_RETIRED || umask)
			return 0;
		if (code == CODE_INTG && s->data & MONT_DATA_FP)
			return 0;
		return ref_memory(r, s);
	case CODE_STORES:
		*max = 2;
		return s->sig == MONT_SIG_STORE_RETIRED && !umask && ref_memory(r, s);
	default:
		return 0;
	}
}

static inline void ref_signal(struct ref *r, const struct ref_signal *s)
{
	unsigned int cpl = r->psr >> 32 & 3, i, max = 0;
	bool frozen = r->pmc[0] & 1;

	for (i = 4; i < 16; i++) {
		u64 pmc = r->pmc[i], v;
		u64 on = pmc >> 6 & 1 ? r->psr >> 21 & 1 : r->psr >> 2 & 1;
		unsigned int thr = pmc >> 20 & 7, before;

		if (frozen || !on || !(pmc >> cpl & 1))
			continue;
		v = ref_value(r, i, s, &max);
		if (thr && v) {
			before = r->group[i];
			r->group[i] += v;
			if (r->group[i] > max)
				r->group[i] = max;
			v = before <= thr && r->group[i] > thr;
		}
		r->pmd[i] += v;
		if (r->pmd[i] >> 47) {
			r->pmd[i] -= 1ULL << 47;
			r->over |= 1ULL << i;
			r->freeze |= pmc >> 5 & 1;
		}
	}
}

#endif
