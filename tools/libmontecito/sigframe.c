// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The frame of a signal handler (Linux/ia64: struct sigframe and struct sigcontext of
 * asm/sigcontext.h). All that is interrupted goes to the program's two stacks: the frame below
 * the stack pointer, the register stack to its backing store. A handler returns to a
 * page of the library's that calls rt_sigreturn. Linux has a part of this done by
 * instructions on that page; here it takes none.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "signals.h"
#include "threads.h"

/* GATE_ADDR of Linux/ia64 */
#define GATE 0xa000000000000000ULL

/* The scratch area below a frame, by the software conventions */
#define SCRATCH 16

#define SC_FPH_VALID 4
#define FPSR_DEFAULT 0x9804c0270033fULL
/* PSR.be, up, ac, mfl and mfh: the user mask */
#define PSR_UM 0x3eULL
#define PSR_BE (1ULL << 1)
#define PSR_RI (3ULL << 41)
#define PSR_RI_SHIFT 41
/* da, dd, ed, id, ia: of one instruction, which the handler is not */
#define PSR_ONCE (1ULL << 37 | 1ULL << 38 | 1ULL << 39 | 1ULL << 43 | 1ULL << 45)
#define PFS_PPL 62
#define PFS_PEC 52

/* Three output registers, no others */
#define HANDLER_CFM 3

#define AR_RSC 16
#define AR_BSPSTORE 18
#define AR_RNAT 19
#define AR_CSD 25
#define AR_SSD 26
#define AR_CCV 32
#define AR_UNAT 36
#define AR_FPSR 40
#define AR_PFS 64
#define AR_LC 65
#define AR_EC 66

struct guest_sigcontext {
	uint64_t flags;
	uint64_t nat;
	struct guest_stack stack;
	uint64_t ip;
	uint64_t cfm;
	uint64_t um;
	uint64_t rsc;
	uint64_t bsp;
	uint64_t rnat;
	uint64_t ccv;
	uint64_t unat;
	uint64_t fpsr;
	uint64_t pfs;
	uint64_t lc;
	uint64_t pr;
	uint64_t br[8];
	uint64_t gr[32];
	uint64_t pad; /* floating-point registers are at multiples of 16 */
	uint64_t fr[128][2];
	uint64_t rbs_base;
	uint64_t loadrs;
	uint64_t csd;
	uint64_t ssd;
	uint64_t reserved[12];
	uint64_t mask;
	uint64_t end;
};

struct guest_sigframe {
	uint64_t arg[3];
	uint64_t handler;
	struct guest_siginfo info;
	struct guest_sigcontext sc;
};

_Static_assert(offsetof(struct guest_sigcontext, fr) == 464, "sc_fr");
_Static_assert(offsetof(struct guest_sigcontext, mask) == 2640, "sc_mask");
_Static_assert(sizeof(struct guest_sigframe) == 2816, "struct sigframe");

/* Words of the context that the handler's end puts back, by where they are kept. */
static const struct {
	uint32_t cls;
	uint32_t index;
	size_t at;
} words[] = {
#define AR(index, member)                                                          \
	{                                                                          \
		MONTECITO_REG_AR, index, offsetof(struct guest_sigcontext, member) \
	}
	AR(AR_RSC, rsc),
	AR(AR_CCV, ccv),
	AR(AR_UNAT, unat),
	AR(AR_FPSR, fpsr),
	AR(AR_PFS, pfs),
	AR(AR_LC, lc),
	AR(AR_CSD, csd),
	AR(AR_SSD, ssd),
#undef AR
	{ MONTECITO_REG_PR, 0, offsetof(struct guest_sigcontext, pr) },
};

/* Registers that a function keeps: the handler has done so, and they stay as they are. */
static bool sigframe_keeps_gr(unsigned int i)
{
	return i >= 4 && i <= 7;
}

static bool sigframe_keeps_br(unsigned int i)
{
	return i >= 1 && i <= 5;
}

static bool sigframe_keeps_fr(unsigned int i)
{
	return i <= 5 || (i >= 16 && i <= 31);
}

static __u64 *sigframe_word(struct context *c, uint32_t cls, uint32_t index)
{
	return context_value(c, cls, index);
}

/* The page that handlers return to: (p0) mov r15 = 1181; nop.i; break.i 0x100000 */
static int sigframe_map_gate(struct guest_process *p)
{
	static const uint64_t back[2] = { 0x0000240900747801ULL, 0x0800000000000200ULL };
	int err;

	if (uvm_find(p->vm, GATE))
		return 0;
	err = uvm_map(p->vm, GATE, p->vm->page_size, UVM_READ | UVM_WRITE | UVM_FIXED);
	if (!err)
		err = uvm_write(p->vm, GATE, back, sizeof(back));
	if (!err)
		err = uvm_protect(p->vm, GATE, p->vm->page_size, UVM_READ | UVM_EXEC);
	return err;
}

/* ---- into the handler ---- */

static void sigframe_save(struct guest_sigcontext *sc, struct context *c)
{
	uint64_t psr = *sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	unsigned int i;

	sc->flags = SC_FPH_VALID;
	sc->ip = *sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP) |
		 (psr & PSR_RI) >> PSR_RI_SHIFT;
	sc->cfm = *sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM);
	sc->um = psr & PSR_UM;
	sc->bsp = *sigframe_word(c, MONTECITO_REG_AR, AR_BSPSTORE);
	sc->rnat = *sigframe_word(c, MONTECITO_REG_AR, AR_RNAT);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		memcpy((char *)sc + words[i].at, sigframe_word(c, words[i].cls, words[i].index), 8);
	for (i = 0; i < 8; i++)
		sc->br[i] = *sigframe_word(c, MONTECITO_REG_BR, i);
	for (i = 1; i < 32; i++) {
		__u64 *gr = sigframe_word(c, MONTECITO_REG_GR, i);

		sc->gr[i] = gr[0];
		sc->nat |= (gr[1] & 1) << i;
	}
	for (i = 2; i < 128; i++)
		memcpy(sc->fr[i], sigframe_word(c, MONTECITO_REG_FR, i), 16);
}

/* Where the frame goes: *@sp becomes its end. False if it has to be on a stack and is not. */
static bool sigframe_choose_stack(struct guest_process *p, const struct guest_sigaction *a,
				  uint64_t bspstore, uint64_t *sp, uint64_t *rbs)
{
	const struct guest_thread *t = p->run->cpu->current;
	uint32_t flags = signal_stack_flags(t, *sp);

	*rbs = 0;
	if (!(a->flags & GUEST_SA_ONSTACK) || !t->stack.size)
		return true;
	if (flags)
		return *sp - sizeof(struct guest_sigframe) - SCRATCH > t->stack.sp;
	*sp = t->stack.sp + t->stack.size;
	/* The register stack begins at its bottom, unless it is there already. */
	if (bspstore - t->stack.sp >= t->stack.size)
		*rbs = (t->stack.sp + 7) & ~7ULL;
	return true;
}

static void sigframe_enter(struct context *c, uint64_t frame, const struct guest_sigframe *f,
			   const uint64_t plabel[2])
{
	__u64 *psr = sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR), *gr;
	unsigned int i;

	if (f->sc.rbs_base) {
		*sigframe_word(c, MONTECITO_REG_AR, AR_BSPSTORE) = f->sc.rbs_base;
		*sigframe_word(c, MONTECITO_REG_AR, AR_RNAT) = 0;
	}
	*sigframe_word(c, MONTECITO_REG_AR, AR_FPSR) = FPSR_DEFAULT;
	*sigframe_word(c, MONTECITO_REG_AR, AR_PFS) =
		3ULL << PFS_PPL | *sigframe_word(c, MONTECITO_REG_AR, AR_EC) << PFS_PEC |
		HANDLER_CFM;
	*psr &= ~(PSR_RI | PSR_BE | PSR_ONCE);
	*sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP) = plabel[0] & ~15ULL;
	*sigframe_word(c, MONTECITO_REG_BR, 0) = GATE;
	gr = sigframe_word(c, MONTECITO_REG_GR, 1);
	gr[0] = plabel[1];
	gr[1] = 0;
	gr = sigframe_word(c, MONTECITO_REG_GR, 12);
	gr[0] = frame - SCRATCH;
	gr[1] = 0;
	context_frame(c, HANDLER_CFM);
	for (i = 0; i < 3; i++)
		*sigframe_word(c, MONTECITO_REG_GR, 32 + i) = f->arg[i];
}

int sigframe_push(struct guest_process *p, const struct guest_siginfo *info,
		  const struct guest_sigaction *a, uint64_t mask, bool rewind)
{
	struct guest_sigframe f = { 0 };
	struct context *c = &p->run->cpu->current->regs;
	uint64_t sp, frame, plabel[2];
	int err;

	err = context_get(p->m, p->run->cpu->vcpu, c);
	if (err)
		return err;
	if (rewind)
		context_goto(c, p->run->cpu->current->call_at);
	sp = *sigframe_word(c, MONTECITO_REG_GR, 12);
	f.sc.stack = p->run->cpu->current->stack;
	f.sc.stack.flags = signal_stack_flags(p->run->cpu->current, sp);
	err = context_flush(p, c,
			    *sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM) & 0x7f);
	if (!err)
		err = sigframe_map_gate(p);
	if (err)
		return err;
	if (!sigframe_choose_stack(p, a, *sigframe_word(c, MONTECITO_REG_AR, AR_BSPSTORE), &sp,
				   &f.sc.rbs_base))
		return -EFAULT;
	frame = (sp - sizeof(f)) & ~15ULL;
	sigframe_save(&f.sc, c);
	f.sc.mask = mask;
	f.info = *info;
	f.handler = a->handler;
	f.arg[0] = info->signo;
	f.arg[1] = frame + offsetof(struct guest_sigframe, info);
	f.arg[2] = frame + offsetof(struct guest_sigframe, sc);
	if (uvm_write(p->vm, frame, &f, sizeof(f)) ||
	    uvm_read(p->vm, plabel, a->handler, sizeof(plabel)))
		return -EFAULT;
	sigframe_enter(c, frame, &f, plabel);
	return context_set(p->m, p->run->cpu->vcpu, c);
}

/* ---- and back ---- */

static void sigframe_restore(struct context *c, const struct guest_sigcontext *sc)
{
	__u64 *psr = sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	unsigned int i;

	*psr = (*psr & ~PSR_UM) | (sc->um & PSR_UM);
	context_goto(c, sc->ip);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		memcpy(sigframe_word(c, words[i].cls, words[i].index),
		       (const char *)sc + words[i].at, 8);
	for (i = 0; i < 8; i++)
		if (!sigframe_keeps_br(i))
			*sigframe_word(c, MONTECITO_REG_BR, i) = sc->br[i];
	for (i = 1; i < 32; i++) {
		__u64 *gr = sigframe_word(c, MONTECITO_REG_GR, i);

		if (sigframe_keeps_gr(i))
			continue;
		gr[0] = sc->gr[i];
		gr[1] = sc->nat >> i & 1;
	}
	for (i = 2; i < 128; i++)
		if (!sigframe_keeps_fr(i) && (i < 32 || sc->flags & SC_FPH_VALID))
			memcpy(sigframe_word(c, MONTECITO_REG_FR, i), sc->fr[i], 16);
}

/* No such frame, or one that no processor can have: the program dies of it. */
static int64_t sigframe_bad_frame(struct guest_process *p)
{
	process_message(p, "rt_sigreturn: there is no frame of a signal at the stack pointer");
	process_end(p, SIGSEGV);
	return 0;
}

int64_t sys_rt_sigreturn(struct guest_process *p, const uint64_t *arg)
{
	struct context *c = &p->run->cpu->current->regs;
	struct guest_sigframe f;
	uint64_t cfm;
	int err;

	(void)arg;
	err = context_get(p->m, p->run->cpu->vcpu, c);
	if (err)
		return err == -EAGAIN ? sigframe_bad_frame(p) : err;
	if (uvm_read(p->vm, &f, *sigframe_word(c, MONTECITO_REG_GR, 12) + SCRATCH, sizeof(f)))
		return sigframe_bad_frame(p);
	/* Local registers of the frame belong below it, as at each system call. */
	cfm = *sigframe_word(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM);
	err = context_flush(p, c, cfm >> 7 & 0x7f);
	if (err == -EFAULT)
		return sigframe_bad_frame(p);
	if (err)
		return err;
	if (f.sc.rbs_base) {
		*sigframe_word(c, MONTECITO_REG_AR, AR_BSPSTORE) = f.sc.bsp;
		*sigframe_word(c, MONTECITO_REG_AR, AR_RNAT) = f.sc.rnat;
	}
	sigframe_restore(c, &f.sc);
	err = context_unflush(p, c, f.sc.cfm & ((1ULL << 38) - 1));
	if (!err)
		err = context_set(p->m, p->run->cpu->vcpu, c);
	if (err)
		return err == -EFAULT || err == -EINVAL ? sigframe_bad_frame(p) : err;
	p->run->cpu->current->sigmask = f.sc.mask & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
	if (signal_stack_flags(p->run->cpu->current, *sigframe_word(c, MONTECITO_REG_GR, 12)) != 1)
		p->run->cpu->current->stack = f.sc.stack;
	p->no_result = true;
	return *sigframe_word(c, MONTECITO_REG_GR, 8);
}
