// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Linux/ia64 system calls (asm/unistd.h and the kernel's break handler):
 * number in r15, arguments in the first output registers, result in r8; r10 is
 * 0, or -1 with the errno in r8.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "process.h"
#include "threads.h"

#define NR_FIRST 1024
#define NR_COUNT 512

#define AR_ITC 44

static int64_t syscall_sys_exit(struct guest_process *p, const uint64_t *arg)
{
	p->ended = true;
	p->status = arg[0] & 0xff;
	return 0;
}

static int64_t syscall_sys_pid(struct guest_process *p, const uint64_t *arg)
{
	(void)arg;
	return p->pid;
}

static int64_t syscall_sys_ppid(struct guest_process *p, const uint64_t *arg)
{
	(void)arg;
	return p->parent;
}

/* ---- process groups and sessions, of which the first process leads one ---- */

static int64_t syscall_sys_getpgid(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_process *of = (uint32_t)arg[0] ? process_find(p->run, (uint32_t)arg[0])
							  : p;

	return of ? (int64_t)of->group : -ESRCH;
}

/* True if a process of @session has @group. */
static bool syscall_group_there(const struct montecito_process *run, uint32_t group,
				uint32_t session)
{
	size_t i;

	for (i = 0; i < run->nr_processes; i++)
		if (run->process[i]->group == group && run->process[i]->session == session)
			return true;
	return false;
}

/* Of itself or of a child that has not called execve, in the order of Linux's checks */
static int64_t syscall_sys_setpgid(struct guest_process *p, const uint64_t *arg)
{
	uint32_t pid = (uint32_t)arg[0] ? (uint32_t)arg[0] : p->pid;
	uint32_t group = (uint32_t)arg[1] ? (uint32_t)arg[1] : pid;
	struct guest_process *of = process_find(p->run, pid);

	if ((int32_t)group < 0)
		return -EINVAL;
	if (!of)
		return thread_find(p->run, pid) ? -EINVAL : -ESRCH;
	if (of->parent == p->pid) {
		if (of->session != p->session)
			return -EPERM;
		if (of->execed)
			return -EACCES;
	} else if (of != p) {
		return -ESRCH;
	}
	if (of->session == of->pid)
		return -EPERM;
	if (group != pid && !syscall_group_there(p->run, group, p->session))
		return -EPERM;
	of->group = group;
	return 0;
}

static int64_t syscall_sys_getsid(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_process *of = (uint32_t)arg[0] ? process_find(p->run, (uint32_t)arg[0])
							  : p;

	return of ? (int64_t)of->session : -ESRCH;
}

static int64_t syscall_sys_setsid(struct guest_process *p, const uint64_t *arg)
{
	size_t i;

	(void)arg;
	for (i = 0; i < p->run->nr_processes; i++)
		if (p->run->process[i]->group == p->pid)
			return -EPERM;
	p->group = p->pid;
	p->session = p->pid;
	return p->pid;
}

static int64_t syscall_sys_uid(struct guest_process *p, const uint64_t *arg)
{
	(void)p;
	(void)arg;
	return GUEST_UID;
}

/* ---- clocks ---- */

int cpu_cycles(struct montecito_process *run, const struct guest_cpu *c, uint64_t *cycles)
{
	return montecito_get_reg(run->m, c->vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES,
				 cycles);
}

/* Of several processors the clock is that of the core which is ahead: RUN's limits go by it. */
int process_cycles(struct montecito_process *run, uint64_t *cycles)
{
	unsigned int i, nr = montecito_nr_vcpus(run->m);
	uint64_t itc;
	int err = 0;

	*cycles = 0;
	if (nr == 1)
		err = cpu_cycles(run, run->cpu, cycles);
	for (i = 0; nr > 1 && !err && i < nr; i++) {
		err = montecito_get_reg(run->m, i, MONTECITO_REG_AR, AR_ITC, &itc);
		if (itc > *cycles)
			*cycles = itc;
	}
	*cycles += run->idle;
	return err;
}

int process_ran(struct guest_process *p, uint64_t *cycles)
{
	const struct guest_cpu *c;
	uint64_t now;
	unsigned int i;
	int err = 0;

	*cycles = p->ran;
	for (i = 0; !err && i < p->run->nr_cpus; i++) {
		c = &p->run->cpus[i];
		if (!c->current || c->current->p != p)
			continue;
		err = cpu_cycles(p->run, c, &now);
		*cycles += now - c->since;
	}
	return err;
}

/* Time since the start: cycles at 1.6 GHz, 5/8 ns each. */
static int syscall_now(struct guest_process *p, uint64_t *sec, uint64_t *nsec)
{
	uint64_t cycles = 0;
	int err = process_cycles(p->run, &cycles);

	*sec = cycles / MONTECITO_CORE_HZ;
	*nsec = cycles % MONTECITO_CORE_HZ * 5 / 8;
	return err;
}

static int64_t syscall_put_time(struct guest_process *p, uint64_t at, uint64_t sec,
				uint64_t fraction)
{
	const uint64_t t[2] = { sec, fraction };

	return uvm_write(p->vm, at, t, sizeof(t));
}

static int64_t syscall_sys_gettimeofday(struct guest_process *p, const uint64_t *arg)
{
	uint64_t sec, nsec;
	int err = syscall_now(p, &sec, &nsec);

	if (!err && arg[0])
		err = syscall_put_time(p, arg[0], MONTECITO_CLOCK_EPOCH + sec, nsec / 1000);
	/* struct timezone: two ints, UTC */
	if (!err && arg[1])
		err = uvm_write(p->vm, arg[1], "\0\0\0\0\0\0\0", 8);
	return err;
}

static bool syscall_clock_known(uint64_t clock)
{
	/* realtime, monotonic, process, thread, and their raw and coarse forms */
	return clock <= 7;
}

static int64_t syscall_sys_clock_gettime(struct guest_process *p, const uint64_t *arg)
{
	bool wall = arg[0] == 0 || arg[0] == 5;
	uint64_t sec, nsec;
	int err;

	if (!syscall_clock_known(arg[0]))
		return -EINVAL;
	err = syscall_now(p, &sec, &nsec);
	if (err)
		return err;
	return syscall_put_time(p, arg[1], (wall ? MONTECITO_CLOCK_EPOCH : 0) + sec, nsec);
}

static int64_t syscall_sys_clock_getres(struct guest_process *p, const uint64_t *arg)
{
	if (!syscall_clock_known(arg[0]))
		return -EINVAL;
	return arg[1] ? syscall_put_time(p, arg[1], 0, 1) : 0;
}

static int64_t syscall_sys_uname(struct guest_process *p, const uint64_t *arg)
{
	static const char fields[6][65] = {
		"Linux", "montecito", "6.1.0", "#1", "ia64", "(none)",
	};

	return uvm_write(p->vm, arg[0], fields, sizeof(fields));
}

/* Advice that is not taken; programs cope. Not worth a message. */
static int64_t syscall_sys_madvise(struct guest_process *p, const uint64_t *arg)
{
	(void)p;
	(void)arg;
	return -ENOSYS;
}

static syscall_fn *const table[NR_COUNT] = {
	[1025 - NR_FIRST] = sys_exit_thread,
	[1026 - NR_FIRST] = sys_read,
	[1027 - NR_FIRST] = sys_write,
	[1028 - NR_FIRST] = sys_open,
	[1029 - NR_FIRST] = sys_close,
	[1033 - NR_FIRST] = sys_execve,
	[1040 - NR_FIRST] = sys_lseek,
	[1041 - NR_FIRST] = syscall_sys_pid,
	[1042 - NR_FIRST] = syscall_sys_ppid,
	[1046 - NR_FIRST] = syscall_sys_uid,
	[1047 - NR_FIRST] = syscall_sys_uid, /* geteuid */
	[1048 - NR_FIRST] = sys_ptrace,
	[1053 - NR_FIRST] = sys_kill,
	[1057 - NR_FIRST] = sys_dup,
	[1058 - NR_FIRST] = sys_pipe,
	[1060 - NR_FIRST] = sys_brk,
	[1062 - NR_FIRST] = syscall_sys_uid, /* getgid */
	[1063 - NR_FIRST] = syscall_sys_uid, /* getegid */
	[1065 - NR_FIRST] = sys_ioctl,
	[1066 - NR_FIRST] = sys_fcntl,
	[1070 - NR_FIRST] = sys_dup2,
	[1079 - NR_FIRST] = syscall_sys_getpgid,
	[1080 - NR_FIRST] = syscall_sys_setpgid,
	[1081 - NR_FIRST] = syscall_sys_setsid,
	[1082 - NR_FIRST] = syscall_sys_getsid,
	[1087 - NR_FIRST] = syscall_sys_gettimeofday,
	[1089 - NR_FIRST] = sys_select,
	[1090 - NR_FIRST] = sys_poll,
	[1105 - NR_FIRST] = sys_gettid,
	[1118 - NR_FIRST] = sys_setitimer,
	[1119 - NR_FIRST] = sys_getitimer,
	[1126 - NR_FIRST] = sys_wait4,
	[1128 - NR_FIRST] = sys_clone,
	[1130 - NR_FIRST] = syscall_sys_uname,
	[1146 - NR_FIRST] = sys_readv,
	[1147 - NR_FIRST] = sys_writev,
	[1151 - NR_FIRST] = sys_mmap,
	[1152 - NR_FIRST] = sys_munmap,
	[1155 - NR_FIRST] = sys_mprotect,
	[1156 - NR_FIRST] = sys_mremap,
	[1164 - NR_FIRST] = sys_sched_yield,
	[1168 - NR_FIRST] = sys_nanosleep,
	[1172 - NR_FIRST] = sys_mmap2,
	[1175 - NR_FIRST] = sys_perfmonctl,
	[1176 - NR_FIRST] = sys_sigaltstack,
	[1177 - NR_FIRST] = sys_rt_sigaction,
	[1178 - NR_FIRST] = sys_rt_sigpending,
	[1179 - NR_FIRST] = sys_rt_sigprocmask,
	[1180 - NR_FIRST] = sys_rt_sigqueueinfo,
	[1181 - NR_FIRST] = sys_rt_sigreturn,
	[1182 - NR_FIRST] = sys_rt_sigsuspend,
	[1183 - NR_FIRST] = sys_rt_sigtimedwait,
	[1209 - NR_FIRST] = syscall_sys_madvise,
	[1210 - NR_FIRST] = sys_stat,
	[1212 - NR_FIRST] = sys_fstat,
	[1213 - NR_FIRST] = sys_clone2,
	[1229 - NR_FIRST] = sys_tkill,
	[1230 - NR_FIRST] = sys_futex,
	[1231 - NR_FIRST] = sys_sched_setaffinity,
	[1232 - NR_FIRST] = sys_sched_getaffinity,
	[1233 - NR_FIRST] = sys_set_tid_address,
	[1235 - NR_FIRST] = sys_tgkill,
	[1236 - NR_FIRST] = syscall_sys_exit, /* exit_group */
	[1254 - NR_FIRST] = syscall_sys_clock_gettime,
	[1255 - NR_FIRST] = syscall_sys_clock_getres,
	[1256 - NR_FIRST] = sys_clock_nanosleep,
	[1270 - NR_FIRST] = sys_waitid,
	[1281 - NR_FIRST] = sys_openat,
	[1294 - NR_FIRST] = sys_pselect6,
	[1295 - NR_FIRST] = sys_ppoll,
	[1298 - NR_FIRST] = sys_set_robust_list,
	[1304 - NR_FIRST] = sys_getcpu,
	[1316 - NR_FIRST] = sys_dup3,
	[1317 - NR_FIRST] = sys_pipe2,
};

/* Tell once of each call that is not served. */
static int64_t syscall_not_served(struct guest_process *p, uint64_t nr)
{
	uint64_t n = nr - NR_FIRST;

	if (n >= NR_COUNT || !(p->run->enosys[n / 64] >> (n % 64) & 1))
		process_message(p, "system call %" PRIu64 ": not served (ENOSYS)", nr);
	if (n < NR_COUNT)
		p->run->enosys[n / 64] |= 1ULL << (n % 64);
	return -ENOSYS;
}

void montecito_process_trace(struct montecito_process *run,
			     void (*call)(struct montecito_process *p,
					  const struct montecito_syscall *c, void *arg),
			     void *arg)
{
	for (; run; run = run->next) {
		run->trace = call;
		run->trace_arg = arg;
	}
}

void process_tell(struct guest_thread *t, int64_t result)
{
	struct montecito_process *run = t->p->run;

	t->call.tid = t->tid;
	t->call.result = result;
	if (!run->trace)
		return;
	run->looked_at = t->p;
	run->trace(run, &t->call, run->trace_arg);
	run->looked_at = NULL;
}

int process_syscall(struct guest_process *p, const struct montecito_exit *e)
{
	struct montecito_reg in[2] = {
		{ .cls = MONTECITO_REG_GR, .index = 15 },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_CFM },
	};
	struct montecito_reg out[6] = { 0 };
	struct guest_thread *t = p->run->cpu->current;
	uint64_t arg[6], nr;
	unsigned int sof, sol, n, i;
	syscall_fn *fn = NULL;
	int64_t res;
	int err;

	err = montecito_get_regs(p->m, p->run->cpu->vcpu, in, 2);
	if (err)
		return err;
	nr = in[0].value[0];
	sof = in[1].value[0] & 0x7f;
	sol = in[1].value[0] >> 7 & 0x7f;
	/* Arguments the frame has no output register for read as 0. */
	n = sof - sol < 6 ? sof - sol : 6;
	for (i = 0; i < n; i++) {
		out[i].cls = MONTECITO_REG_GR;
		out[i].index = 32 + sol + i;
	}
	err = montecito_get_regs(p->m, p->run->cpu->vcpu, out, n);
	if (err)
		return err;
	for (i = 0; i < 6; i++)
		arg[i] = out[i].value[0];
	/* A NaT as number or argument is refused, as the kernel does. */
	res = in[0].value[1] ? -EINVAL : 0;
	for (i = 0; i < n; i++)
		if (out[i].value[1])
			res = -EINVAL;
	t->call.nr = nr;
	t->call_at = e->ip | e->slot;
	p->no_result = false;
	p->told = false;
	t->was = THREAD_READY;
	memcpy(t->call.arg, arg, sizeof(arg));
	if (!res) {
		if (nr - NR_FIRST < NR_COUNT)
			fn = table[nr - NR_FIRST];
		res = fn ? fn(p, arg) : syscall_not_served(p, nr);
	}
	/* The result of a wait is known at its end. */
	if ((t->state == THREAD_READY || t->state == THREAD_ENDED) && !p->told)
		process_tell(t, res);
	if (p->ended)
		return 0;
	if (!p->no_result) {
		bool bad = res < 0 && res >= -4095;
		const struct montecito_reg ret[2] = {
			{ MONTECITO_REG_GR, 8, { bad ? -res : res } },
			{ MONTECITO_REG_GR, 10, { bad ? -1LL : 0 } },
		};

		err = montecito_set_regs(p->m, p->run->cpu->vcpu, ret, 2);
	}
	return err;
}
