// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Interruptions of a user-mode program, served as Linux/ia64 serves them
 * (Itanium SDM volume 2, chapter 8): TLB misses are filled from the program's
 * tables, the rest becomes what the kernel makes of it, in the end a signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "signals.h"
#include "threads.h"

#define VEC_VHPT 0x0000
#define VEC_ITLB 0x0400
#define VEC_DTLB 0x0800
#define VEC_ALT_ITLB 0x0c00
#define VEC_ALT_DTLB 0x1000
#define VEC_PAGE_NOT_PRESENT 0x5000
#define VEC_KEY_PERMISSION 0x5100
#define VEC_IACCESS 0x5200
#define VEC_DACCESS 0x5300
#define VEC_GENERAL 0x5400
#define VEC_DISABLED_FP 0x5500
#define VEC_NAT 0x5600
#define VEC_SPECULATION 0x5700
#define VEC_DEBUG 0x5900
#define VEC_UNALIGNED 0x5a00
#define VEC_UNSUPPORTED 0x5b00
#define VEC_FP_FAULT 0x5c00
#define VEC_FP_TRAP 0x5d00
#define VEC_LOWER_PRIV 0x5e00
#define VEC_TAKEN_BRANCH 0x5f00
#define VEC_SINGLE_STEP 0x6000

#define ISR_CODE 0xffff
#define ISR_X (1ULL << 32)
#define ISR_W (1ULL << 33)
#define ISR_R (1ULL << 34)
#define ISR_NA (1ULL << 35)
#define ISR_SP (1ULL << 36)
#define ISR_CODE_LFETCH 4

#define PSR_ED (1ULL << 43)
#define PSR_AC (1ULL << 3)
#define PSR_RI (3ULL << 41)

static const struct {
	uint32_t vector;
	uint32_t code;
	const char *text;
} faults[] = {
#define MONT_FAULT(name, vector, code, text) { vector, code, text },
#include "../../kmod/model/base/fault.def"
#undef MONT_FAULT
};

static bool interrupt_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* True if @text is of the other one of a pair: instruction side, data side. */
static bool interrupt_other_side(const char *text, bool insn)
{
	if (interrupt_starts(text, "VHPT ") || interrupt_starts(text, "alternate "))
		text = strchr(text, ' ') + 1;
	return interrupt_starts(text, insn ? "data " : "instruction ");
}

static const char *interrupt_fault_text(const struct montecito_exit *e)
{
	const char *res = NULL;
	size_t i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (faults[i].vector != e->vector || (e->isr & faults[i].code) != faults[i].code ||
		    interrupt_other_side(faults[i].text, e->isr & ISR_X))
			continue;
		/* Two faults share this code; only one of them is of a reference. */
		if (faults[i].code == 0x30 && interrupt_starts(faults[i].text, "unimplemented") !=
						      !!(e->isr & (ISR_R | ISR_W | ISR_NA)))
			continue;
		/* The more particular row of two with one vector comes later. */
		res = faults[i].text;
	}
	return res ? res : "interruption";
}

static const char *interrupt_signal_name(int sig)
{
	const char *name = sigabbrev_np(sig);

	return name ? name : "?";
}

/* si_code of a floating-point fault or trap, by the bits of its ISR */
static int interrupt_fp_code(uint64_t isr)
{
	static const struct {
		uint32_t bits;
		int code;
	} codes[] = {
		{ 0x0011, FPE_FLTINV }, { 0x0022, FPE_FLTUND }, { 0x0044, FPE_FLTDIV },
		{ 0x0880, FPE_FLTOVF }, { 0x1100, FPE_FLTUND }, { 0x2200, FPE_FLTRES },
	};
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (isr & codes[i].bits)
			return codes[i].code;
	return 0;
}

static int interrupt_trap_code(uint32_t vector)
{
	if (vector == VEC_SINGLE_STEP)
		return TRAP_TRACE;
	return vector == VEC_TAKEN_BRANCH ? TRAP_BRANCH : TRAP_HWBKPT;
}

/* Siginfo of the signal that an interruption becomes */
static struct guest_siginfo interrupt_fault_info(struct guest_process *p, int sig,
						 const struct montecito_exit *e)
{
	struct guest_siginfo info = {
		.signo = sig,
		.fault = {
			.addr = e->ip | e->slot,
			.flags = GUEST_ISR_VALID,
			.isr = e->isr,
		},
	};

	switch (sig) {
	case SIGSEGV:
		info.fault.addr = e->isr & ISR_X ? e->ip : e->ifa;
		info.code = uvm_find(p->vm, info.fault.addr) ? SEGV_ACCERR : SEGV_MAPERR;
		break;
	case SIGBUS:
		info.fault.addr = e->ifa;
		info.code = BUS_ADRALN;
		break;
	case SIGFPE:
		info.code = interrupt_fp_code(e->isr);
		break;
	case SIGTRAP:
		info.code = interrupt_trap_code(e->vector);
		break;
	default:
		info.code = e->vector == VEC_NAT ? ILL_ILLOPN : ILL_ILLOPC;
	}
	return info;
}

static void interrupt_die_of(struct guest_process *p, const struct guest_siginfo *info,
			     const struct montecito_exit *e, const char *what)
{
	char insn[128] = "(instruction not readable)";
	uint64_t bundle[2];

	if (signal_fault(p, info))
		return;
	if (!uvm_read(p->vm, bundle, e->ip, sizeof(bundle)))
		montecito_disasm(insn, sizeof(insn), bundle[0], bundle[1], e->slot, e->ip);
	process_message(p,
			"killed by SIG%s: %s (vector 0x%04x, isr 0x%" PRIx64 ", address 0x%" PRIx64
			") at ip 0x%" PRIx64 " slot %u: %s",
			interrupt_signal_name(info->signo), what, e->vector, (uint64_t)e->isr,
			(uint64_t)e->ifa, (uint64_t)e->ip, e->slot, insn);
	process_end(p, info->signo);
}

void process_die(struct guest_process *p, int sig, const struct montecito_exit *e, const char *what)
{
	struct guest_siginfo info = interrupt_fault_info(p, sig, e);

	interrupt_die_of(p, &info, e, what);
}

void process_end(struct guest_process *p, int sig)
{
	p->ended = true;
	p->status = 128 + sig;
	p->signal = sig;
}

void process_kill(struct guest_process *p, int sig, const char *how)
{
	process_message(p, "killed by SIG%s, %s", interrupt_signal_name(sig), how);
	process_end(p, sig);
}

/* Change bits of PSR and, with it, go on. */
static int interrupt_resume(struct guest_process *p, uint64_t set, uint64_t clear)
{
	uint64_t psr;
	int err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				    MONTECITO_SPECIAL_PSR, &psr);

	if (err)
		return err;
	return montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				 MONTECITO_SPECIAL_PSR, (psr & ~clear) | set);
}

/*
 * Speculative loads are deferred, faulting prefetches ignored: both by PSR.ed,
 * as the kernel does.
 */
static bool interrupt_deferrable(const struct montecito_exit *e)
{
	return e->isr & ISR_SP || (e->isr & ISR_NA && (e->isr & 0xf) == ISR_CODE_LFETCH);
}

static unsigned int interrupt_access_of(const struct montecito_exit *e)
{
	if (e->isr & ISR_X)
		return UVM_EXEC;
	return (e->isr & ISR_W ? UVM_WRITE : 0) | (e->isr & ISR_R ? UVM_READ : 0);
}

/* A reference that the TLB or the page tables could not serve. */
static int interrupt_page_fault(struct guest_process *p, const struct montecito_exit *e)
{
	uint64_t ifa = e->isr & ISR_X ? e->ip : e->ifa;
	uint64_t itir = (uint64_t)p->vm->shift << 2;
	uint64_t page = ifa & ~(p->vm->page_size - 1);
	uint64_t pte;
	int err;

	err = uvm_fault(p->vm, ifa, interrupt_access_of(e));
	if (err == -ENOMEM) {
		process_die(p, SIGKILL, e, "guest memory used up (see --memory)");
		return 0;
	}
	if (err) {
		if (interrupt_deferrable(e))
			return interrupt_resume(p, PSR_ED, 0);
		process_die(p, SIGSEGV, e, interrupt_fault_text(e));
		return 0;
	}
	if (e->vector == VEC_PAGE_NOT_PRESENT) {
		/* Drop the translation that the walker inserted while the page was not there. */
		err = montecito_tc_purge(p->m, p->run->cpu->vcpu, page, p->vm->shift);
		if (err)
			return err;
	}
	if (e->vector == VEC_VHPT) {
		uint64_t entry = uvm_vhpt_addr(p->vm, ifa);

		err = montecito_tc_insert(p->m, p->run->cpu->vcpu, false,
					  entry & ~(p->vm->page_size - 1),
					  uvm_vhpt_pte(p->vm, entry), itir);
		if (err)
			return err;
	}
	pte = uvm_pte(p->vm, ifa);
	return montecito_tc_insert(p->m, p->run->cpu->vcpu, e->isr & ISR_X, page, pte, itir);
}

/* chk.s, chk.a and fchkf: go to the recovery code (Linux: speculation_vector). */
static int interrupt_speculation(struct guest_process *p, const struct montecito_exit *e)
{
	uint64_t target = e->ip + ((int64_t)((uint64_t)e->iim << 43) >> 39);
	int err = montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				    MONTECITO_SPECIAL_IP, target);

	return err ? err : interrupt_resume(p, 0, PSR_RI);
}

int process_break(struct guest_process *p, const struct montecito_exit *e)
{
	/* Codes of Linux/ia64 alone are numbers (asm/siginfo.h). */
	static const struct {
		int sig;
		int code;
		const char *what;
	} breaks[] = {
		{ SIGILL, ILL_ILLOPC, "break 0: abort" },
		{ SIGFPE, FPE_INTDIV, "break 1: integer divide by zero" },
		{ SIGFPE, FPE_INTOVF, "break 2: integer overflow" },
		{ SIGFPE, FPE_FLTSUB, "break 3: range check" },
		{ SIGSEGV, SEGV_MAPERR, "break 4: null pointer" },
		{ SIGSEGV, SEGV_MAPERR, "break 5: misaligned data" },
		{ SIGFPE, 9, "break 6: decimal overflow" },
		{ SIGFPE, 10, "break 7: decimal divide by zero" },
		{ SIGFPE, 11, "break 8: packed decimal error" },
		{ SIGFPE, 12, "break 9: invalid ASCII digit" },
		{ SIGFPE, 13, "break 10: invalid decimal digit" },
		{ SIGSEGV, 4, "break 11: paragraph stack overflow" },
	};
	struct guest_siginfo info = {
		.fault = { .addr = e->ip | e->slot, .imm = e->iim },
	};
	struct montecito_exit at = *e;
	char other[64];
	const char *what = other;
	int err;

	at.vector = 0x2c00;
	if (e->iim < sizeof(breaks) / sizeof(breaks[0])) {
		info.signo = breaks[e->iim].sig;
		info.code = breaks[e->iim].code;
		what = breaks[e->iim].what;
	} else {
		info.signo = e->iim < 0x80000 ? SIGILL : SIGTRAP;
		info.code = e->iim < 0x80000 ? 9 : TRAP_BRKPT;
		snprintf(other, sizeof(other), "break 0x%" PRIx64, (uint64_t)e->iim);
	}
	/* A handler finds it where it is, not behind it. */
	err = montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				MONTECITO_SPECIAL_IP, e->ip);
	if (!err)
		err = interrupt_resume(p, (uint64_t)e->slot << 41, PSR_RI);
	if (!err)
		interrupt_die_of(p, &info, &at, what);
	return err;
}

static int interrupt_unaligned(struct guest_process *p, const struct montecito_exit *e)
{
	uint64_t psr;
	int err;

	/* A deferred speculative reference is retried as such. */
	if (e->isr & ISR_SP)
		return interrupt_resume(p, PSR_ED, 0);
	err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				MONTECITO_SPECIAL_PSR, &psr);
	if (err)
		return err;
	if (psr & PSR_AC) {
		process_die(p, SIGBUS, e, interrupt_fault_text(e));
		return 0;
	}
	err = process_unaligned(p, e);
	/* An access that the kernel cannot finish, for any reason, is a bus error. */
	if (err != -EFAULT && err != -EOPNOTSUPP)
		return err;
	process_die(p, SIGBUS, e, interrupt_fault_text(e));
	return 0;
}

int process_interruption(struct guest_process *p, const struct montecito_exit *e)
{
	int sig;

	switch (e->vector) {
	case VEC_VHPT:
	case VEC_ITLB:
	case VEC_DTLB:
	case VEC_ALT_ITLB:
	case VEC_ALT_DTLB:
	case VEC_PAGE_NOT_PRESENT:
		return interrupt_page_fault(p, e);
	case VEC_SPECULATION:
		return interrupt_speculation(p, e);
	case VEC_UNALIGNED:
		return interrupt_unaligned(p, e);
	case VEC_DACCESS:
		/* A page that is shared becomes the process's own. */
		if (p->vm->pages->refs && e->isr & ISR_W)
			return interrupt_page_fault(p, e);
		/* fallthrough */
	case VEC_IACCESS:
	case VEC_KEY_PERMISSION:
		if (interrupt_deferrable(e))
			return interrupt_resume(p, PSR_ED, 0);
		sig = SIGSEGV;
		break;
	case VEC_NAT:
		/* NaT page consumption is a bad page, a NaT register a bad operand. */
		sig = (e->isr >> 4 & 0xf) == 2 ? SIGSEGV : SIGILL;
		break;
	case VEC_GENERAL:
	case VEC_DISABLED_FP:
	case VEC_UNSUPPORTED:
	case VEC_LOWER_PRIV:
		sig = SIGILL;
		break;
	case VEC_DEBUG:
	case VEC_TAKEN_BRANCH:
	case VEC_SINGLE_STEP:
		sig = SIGTRAP;
		break;
	case VEC_FP_FAULT:
	case VEC_FP_TRAP:
		sig = SIGFPE;
		break;
	default:
		sig = SIGILL;
	}
	process_die(p, sig, e, interrupt_fault_text(e));
	return 0;
}
