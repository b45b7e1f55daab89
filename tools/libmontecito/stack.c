// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How a program starts: argument block and registers as Linux/ia64 gives them
 * (software conventions and runtime architecture guide; kernel's
 * start_thread()).
 */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "process.h"

/* PSR at level 3: bn, it, rt, dt, i, ic; sp as Linux sets it. */
#define USER_PSR                                                                                   \
	((1ULL << 44) | (1ULL << 36) | (3ULL << 32) | (1ULL << 27) | (1ULL << 20) | (1ULL << 17) | \
	 (1ULL << 14) | (1ULL << 13))
/* Traps masked, sf0 64-bit significands, wre in sf1: FPSR_DEFAULT of Linux. */
#define FPSR_DEFAULT 0x9804c0270033fULL
/* Eager or lazy is the processor's choice, level 3. */
#define USER_RSC 0xfULL

#define AR_RSC 16
#define AR_BSPSTORE 18
#define AR_RNAT 19
#define AR_FPSR 40
#define CR_DCR 0

/*
 * DCR as Linux sets it: dp, dk, dx, dr, da, dd, lc; and pp, so that privileged
 * monitors count what is left of an interruption that the library serves
 */
#define LINUX_DCR                                                                                 \
	((1ULL << 9) | (1ULL << 10) | (1ULL << 11) | (1ULL << 12) | (1ULL << 13) | (1ULL << 14) | \
	 (1ULL << 2) | (1ULL << 0))

#define GUEST_CLKTCK 1024

static const char fixed_random[16] = "montecito-random";

struct stack {
	struct guest_process *p;
	uint64_t sp;
	int err;
};

static void stack_push(struct stack *s, const void *data, size_t len)
{
	s->sp -= len;
	if (!s->err)
		s->err = uvm_write(s->p->vm, s->sp, data, len);
}

static size_t stack_count(char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static size_t stack_strings_size(char *const *list, size_t n)
{
	size_t len = 0;

	while (n--)
		len += strlen(list[n]) + 1;
	return len;
}

/* Strings first, from the top down; then the vectors that point at them. */
static uint64_t stack_push_strings(struct stack *s, char *const *list, size_t n)
{
	while (n--)
		stack_push(s, list[n], strlen(list[n]) + 1);
	return s->sp;
}

static void stack_store(struct stack *s, uint64_t *at, uint64_t value)
{
	if (!s->err)
		s->err = uvm_write(s->p->vm, *at, &value, sizeof(value));
	*at += sizeof(value);
}

static void stack_store_strings(struct stack *s, uint64_t *at, uint64_t str, char *const *list,
				size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		stack_store(s, at, str);
		str += strlen(list[i]) + 1;
	}
	stack_store(s, at, 0);
}

static int stack_build(struct guest_process *p, uint64_t *sp)
{
	struct stack s = { .p = p, .sp = STACK_TOP };
	size_t argc = stack_count(p->argv), envc = stack_count(p->envp), i;
	uint64_t random, execfn, env, arg, at;

	stack_push(&s, "\0\0\0\0\0\0\0", 8);
	stack_push(&s, p->argv[0], strlen(p->argv[0]) + 1);
	execfn = s.sp;
	env = stack_push_strings(&s, p->envp, envc);
	/*
	 * The arguments begin on a 16-byte boundary: how string functions step
	 * through argv[0] does not depend on what else is there.
	 */
	s.sp -= (s.sp - stack_strings_size(p->argv, argc)) & 15;
	arg = stack_push_strings(&s, p->argv, argc);
	stack_push(&s, fixed_random, sizeof(fixed_random));
	random = s.sp;
	{
		/* AT_BASE and AT_FLAGS are 0 for a static program, as if absent. */
		const uint64_t aux[][2] = {
			{ AT_HWCAP, 0 },
			{ AT_PAGESZ, p->vm->page_size },
			{ AT_CLKTCK, GUEST_CLKTCK },
			{ AT_PHDR, p->phdr },
			{ AT_PHENT, p->phent },
			{ AT_PHNUM, p->phnum },
			{ AT_ENTRY, p->entry },
			{ AT_UID, 1000 },
			{ AT_EUID, 1000 },
			{ AT_GID, 1000 },
			{ AT_EGID, 1000 },
			{ AT_SECURE, 0 },
			{ AT_RANDOM, random },
			{ AT_EXECFN, execfn },
			{ AT_NULL, 0 },
		};
		size_t nr = sizeof(aux) / sizeof(aux[0]);

		s.sp -= 8 * (1 + argc + 1 + envc + 1 + 2 * nr);
		s.sp &= ~15ULL;
		*sp = s.sp;
		at = s.sp;
		stack_store(&s, &at, argc);
		stack_store_strings(&s, &at, arg, p->argv, argc);
		stack_store_strings(&s, &at, env, p->envp, envc);
		for (i = 0; i < nr; i++) {
			stack_store(&s, &at, aux[i][0]);
			stack_store(&s, &at, aux[i][1]);
		}
	}
	return s.err;
}

int process_dcr(struct montecito_process *run, unsigned int vcpu)
{
	return montecito_set_reg(run->m, vcpu, MONTECITO_REG_CR, CR_DCR, LINUX_DCR);
}

int process_start(struct guest_process *p)
{
	uint64_t sp;
	size_t i;
	int err;

	err = uvm_map(p->vm, STACK_TOP - STACK_SIZE, STACK_SIZE, UVM_READ | UVM_WRITE);
	if (!err)
		err = uvm_map(p->vm, RBS_BASE, RBS_SIZE, UVM_READ | UVM_WRITE);
	if (!err)
		err = stack_build(p, &sp);
	if (!err)
		err = process_dcr(p->run, p->run->cpu->vcpu);
	if (!err)
		err = uvm_activate(p->vm, p->run->cpu->vcpu);
	if (err)
		return err;
	{
		const struct montecito_reg regs[] = {
			{ MONTECITO_REG_AR, AR_RSC, { 0 } },
			{ MONTECITO_REG_AR, AR_BSPSTORE, { RBS_BASE } },
			{ MONTECITO_REG_AR, AR_RNAT, { 0 } },
			{ MONTECITO_REG_AR, AR_RSC, { USER_RSC } },
			{ MONTECITO_REG_AR, AR_FPSR, { FPSR_DEFAULT } },
			{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM, { 0 } },
			{ MONTECITO_REG_GR, 12, { sp - 16 } },
			{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, { p->entry & ~15ULL } },
			{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, { USER_PSR } },
		};

		/* One by one: all or none would keep the whole state for as long. */
		for (i = 0; i < sizeof(regs) / sizeof(regs[0]) && !err; i++)
			err = montecito_set_regs(p->m, p->run->cpu->vcpu, &regs[i], 1);
		return err;
	}
}
