// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Unaligned references of a user-mode program, done in its place as Linux/ia64
 * does: plain, advanced and check loads and stores, integer and floating-point.
 * Semaphores, spills and fills and 16-byte references are not: SIGBUS.
 */
#include <errno.h>
#include <string.h>

#include "../../kmod/model/isa/decode.h"
#include "../../kmod/model/isa/fpcvt.h"
#include "../../kmod/model/isa/fpformat.h"
#include "../../kmod/model/isa/uop.h"
#include "process.h"

enum kind {
	KIND_NONE,
	KIND_LOAD,
	KIND_STORE,
	KIND_FLOAD,
	KIND_FSTORE,
	KIND_PAIR,
};

enum format {
	FMT_SINGLE,
	FMT_DOUBLE,
	FMT_EXTENDED,
	FMT_INTEGER,
};

enum update {
	UPDATE_NONE,
	UPDATE_REG,
	UPDATE_IMM,
};

struct reference {
	uint8_t kind;
	uint8_t size; /* of one datum */
	uint8_t update;
	uint8_t fmt;
};

#define ROW(op, kind, size, update, fmt) [MONT_OP_##op] = { kind, size, update, fmt },
#define LOAD_ROWS(n, op)                         \
	ROW(op, KIND_LOAD, n, UPDATE_NONE, 0)    \
	ROW(op##_R, KIND_LOAD, n, UPDATE_REG, 0) \
	ROW(op##_I, KIND_LOAD, n, UPDATE_IMM, 0)
#define LOADS(n)            \
	LOAD_ROWS(n, LD##n) \
	LOAD_ROWS(n, LD##n##_A) LOAD_ROWS(n, LD##n##_C_CLR) LOAD_ROWS(n, LD##n##_C_NC)
#define STORES(n)                                 \
	ROW(ST##n, KIND_STORE, n, UPDATE_NONE, 0) \
	ROW(ST##n##_I, KIND_STORE, n, UPDATE_IMM, 0)
#define FLOAD_ROWS(op, n, fmt)                      \
	ROW(op, KIND_FLOAD, n, UPDATE_NONE, fmt)    \
	ROW(op##_R, KIND_FLOAD, n, UPDATE_REG, fmt) \
	ROW(op##_I, KIND_FLOAD, n, UPDATE_IMM, fmt)
#define FLOADS(op, n, fmt)     \
	FLOAD_ROWS(op, n, fmt) \
	FLOAD_ROWS(op##_A, n, fmt) FLOAD_ROWS(op##_C_CLR, n, fmt) FLOAD_ROWS(op##_C_NC, n, fmt)
#define FSTORES(op, n, fmt)                       \
	ROW(op, KIND_FSTORE, n, UPDATE_NONE, fmt) \
	ROW(op##_I, KIND_FSTORE, n, UPDATE_IMM, fmt)
#define PAIR_ROWS(op, n, fmt)                   \
	ROW(op, KIND_PAIR, n, UPDATE_NONE, fmt) \
	ROW(op##_I, KIND_PAIR, n, UPDATE_IMM, fmt)
#define PAIRS(op, n, fmt)     \
	PAIR_ROWS(op, n, fmt) \
	PAIR_ROWS(op##_A, n, fmt) PAIR_ROWS(op##_C_CLR, n, fmt) PAIR_ROWS(op##_C_NC, n, fmt)

static const struct reference table[MONT_NR_OPS] = {
	LOADS(2) LOADS(4) LOADS(8) STORES(2) STORES(4) STORES(8) FLOADS(LDFS, 4, FMT_SINGLE)
		FLOADS(LDFD, 8, FMT_DOUBLE) FLOADS(LDFE, 10, FMT_EXTENDED)
			FLOADS(LDF8, 8, FMT_INTEGER) FSTORES(STFS, 4, FMT_SINGLE)
				FSTORES(STFD, 8, FMT_DOUBLE) FSTORES(STFE, 10, FMT_EXTENDED)
					FSTORES(STF8, 8, FMT_INTEGER) PAIRS(LDFPS, 4, FMT_SINGLE)
						PAIRS(LDFPD, 8, FMT_DOUBLE)
							PAIRS(LDFP8, 8, FMT_INTEGER)
};

/* Put data in the program's byte order. */
static void unaligned_order(uint8_t *data, size_t len, bool big)
{
	size_t i;

	for (i = 0; big && i < len / 2; i++) {
		uint8_t b = data[i];

		data[i] = data[len - 1 - i];
		data[len - 1 - i] = b;
	}
}

static void unaligned_fr_load(struct montecito_reg *r, const uint8_t *data, enum format fmt)
{
	struct mont_fr f;
	uint64_t v = 0;
	uint16_t hi;

	switch (fmt) {
	case FMT_SINGLE:
		memcpy(&v, data, 4);
		f = mont_fr_from_single(v);
		break;
	case FMT_DOUBLE:
		memcpy(&v, data, 8);
		f = mont_fr_from_double(v);
		break;
	case FMT_EXTENDED:
		memcpy(&v, data, 8);
		memcpy(&hi, data + 8, 2);
		f = mont_fr_from_ext(v, hi);
		break;
	default:
		memcpy(&v, data, 8);
		f = mont_fr_from_int(v);
	}
	r->value[0] = f.sig;
	r->value[1] = f.se;
}

static void unaligned_fr_store(const struct montecito_reg *r, uint8_t *data, enum format fmt)
{
	const struct mont_fr f = { r->value[0], r->value[1] };
	uint64_t v;
	uint32_t s;
	uint16_t hi;

	switch (fmt) {
	case FMT_SINGLE:
		s = mont_fr_to_single(f);
		memcpy(data, &s, 4);
		break;
	case FMT_DOUBLE:
		v = mont_fr_to_double(f);
		memcpy(data, &v, 8);
		break;
	case FMT_EXTENDED:
		hi = mont_fr_to_ext(f, (u64 *)&v);
		memcpy(data, &v, 8);
		memcpy(data + 8, &hi, 2);
		break;
	default:
		memcpy(data, &f.sig, 8);
	}
}

/* Advanced loads of what was stored must not be taken for current. */
static int unaligned_forget(struct guest_process *p, uint64_t va, size_t len)
{
	while (len) {
		size_t n;
		const uint8_t *ptr = uvm_ptr(p->vm, va, UVM_WRITE, &n);
		int err;

		if (!ptr)
			return -EFAULT;
		if (n > len)
			n = len;
		err = montecito_invalidate(p->m, ptr - p->vm->ram, n);
		if (err)
			return err;
		va += n;
		len -= n;
	}
	return 0;
}

/* The move itself; what is to be written goes to @set, how many it returns. */
static int unaligned_move(struct guest_process *p, const struct reference *ref,
			  const struct mont_uop *u, uint64_t va, bool big,
			  struct montecito_reg *set)
{
	struct montecito_reg src = { .index = u->r2 };
	uint8_t data[16] = { 0 };
	size_t len = ref->kind == KIND_PAIR ? 2 * ref->size : ref->size;
	int n = 0, err;

	if (ref->kind == KIND_STORE || ref->kind == KIND_FSTORE) {
		src.cls = ref->kind == KIND_STORE ? MONTECITO_REG_GR : MONTECITO_REG_FR;
		err = montecito_get_regs(p->m, p->run->cpu->vcpu, &src, 1);
		if (err)
			return err;
		if (ref->kind == KIND_STORE)
			memcpy(data, &src.value[0], len);
		else
			unaligned_fr_store(&src, data, ref->fmt);
		unaligned_order(data, len, big);
		err = uvm_write(p->vm, va, data, len);
		return err ? err : unaligned_forget(p, va, len);
	}
	err = uvm_read(p->vm, data, va, len);
	if (err)
		return err;
	unaligned_order(data, ref->size, big);
	set[n].index = u->r1;
	if (ref->kind == KIND_LOAD) {
		set[n].cls = MONTECITO_REG_GR;
		memcpy(&set[n].value[0], data, len);
		return 1;
	}
	set[n].cls = MONTECITO_REG_FR;
	unaligned_fr_load(&set[n++], data, ref->fmt);
	if (ref->kind == KIND_PAIR) {
		unaligned_order(data + ref->size, ref->size, big);
		set[n].cls = MONTECITO_REG_FR;
		set[n].index = u->r2;
		unaligned_fr_load(&set[n++], data + ref->size, ref->fmt);
	}
	return n;
}

int process_unaligned(struct guest_process *p, const struct montecito_exit *e)
{
	struct montecito_reg base = { .cls = MONTECITO_REG_GR };
	struct montecito_reg set[8] = { 0 };
	const struct reference *ref;
	struct mont_bundle b = { 0 };
	const struct mont_uop *u;
	struct montecito_reg inc = { .cls = MONTECITO_REG_GR };
	uint64_t raw[2], psr;
	int n, err;

	err = uvm_read(p->vm, raw, e->ip, sizeof(raw));
	if (err)
		return err;
	mont_decode(&b, raw[0], raw[1]);
	u = &b.uop[e->slot];
	ref = &table[mont_op(u)];
	if (ref->kind == KIND_NONE)
		return -EOPNOTSUPP;
	base.index = u->r3;
	err = montecito_get_regs(p->m, p->run->cpu->vcpu, &base, 1);
	if (!err)
		err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
					MONTECITO_SPECIAL_PSR, &psr);
	if (err)
		return err;
	if (ref->update == UPDATE_IMM)
		inc.value[0] = u->imm;
	inc.index = u->r2;
	if (ref->update == UPDATE_REG)
		err = montecito_get_regs(p->m, p->run->cpu->vcpu, &inc, 1);
	if (err)
		return err;
	n = unaligned_move(p, ref, u, base.value[0], psr & MONT_PSR_BE, set);
	if (n < 0)
		return n;
	if (ref->update != UPDATE_NONE) {
		set[n] = base;
		set[n].value[1] |= inc.value[1];
		set[n++].value[0] += inc.value[0];
	}
	/* On to the next instruction: PSR.ri, or the next bundle. */
	psr &= ~MONT_PSR_RI;
	if (e->slot < 2)
		psr |= (uint64_t)(e->slot + 1) << MONT_PSR_RI_SHIFT;
	set[n].cls = MONTECITO_REG_SPECIAL;
	set[n].index = MONTECITO_SPECIAL_IP;
	set[n++].value[0] = e->slot < 2 ? e->ip : e->ip + 16;
	set[n].cls = MONTECITO_REG_SPECIAL;
	set[n].index = MONTECITO_SPECIAL_PSR;
	set[n++].value[0] = psr;
	return montecito_set_regs(p->m, p->run->cpu->vcpu, set, n);
}
