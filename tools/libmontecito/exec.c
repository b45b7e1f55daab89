// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * execve(2): another program in the place of a process's own. What it is made of is built beside
 * the old one, which stays if anything is wrong with the new.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

/* Bytes of all strings, with a pointer each: 128 KB, as Linux before 2.6.23 */
#define MAX_ARGS (128UL << 10)

#define PSR_UP (1ULL << 2)
#define PSR_SP (1ULL << 20)
#define PSR_PP (1ULL << 21)

static void exec_list_free(char **list)
{
	size_t i;

	for (i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

void args_free(struct guest_process *p)
{
	if (!p->owns_args)
		return;
	exec_list_free((char **)p->argv);
	exec_list_free((char **)p->envp);
	p->owns_args = false;
}

static char **exec_list_copy(char *const *list)
{
	size_t n = 0, i;
	char **to;

	while (list && list[n])
		n++;
	to = calloc(n + 1, sizeof(*to));
	for (i = 0; to && i < n; i++) {
		to[i] = strdup(list[i]);
		if (!to[i]) {
			exec_list_free(to);
			return NULL;
		}
	}
	return to;
}

int args_copy(struct guest_process *to, const struct guest_process *p)
{
	to->argv = exec_list_copy(p->argv);
	to->envp = exec_list_copy(p->envp);
	to->owns_args = true;
	to->name = to->argv ? to->argv[0] : NULL;
	return to->argv && to->envp ? 0 : -ENOMEM;
}

/* Read a list of strings at @at, of which *@left bytes are left. */
static int exec_list_read(struct guest_process *p, uint64_t at, char ***res, size_t *left)
{
	char **list = calloc(2, sizeof(*list)), **more, *text;
	uint64_t from;
	size_t n = 0;
	long len;
	int err = list ? 0 : -ENOMEM;

	for (; !err && at; at += sizeof(from)) {
		if (uvm_read(p->vm, &from, at, sizeof(from))) {
			err = -EFAULT;
			break;
		}
		if (!from)
			break;
		text = malloc(*left);
		more = realloc(list, (n + 2) * sizeof(*list));
		if (more)
			list = more;
		len = text && more ? uvm_read_string(p->vm, text, from, *left) : -ENOMEM;
		if (len == -ENAMETOOLONG || (len >= 0 && len + 1 + sizeof(from) >= *left))
			len = -E2BIG;
		if (len < 0) {
			free(text);
			err = len;
			break;
		}
		*left -= len + 1 + sizeof(from);
		more = (char **)realloc(text, len + 1);
		list[n++] = more ? (char *)more : text;
		list[n] = NULL;
	}
	if (err) {
		exec_list_free(list);
		return err;
	}
	*res = list;
	return 0;
}

/* The program of @path in new memory; nothing of @p is changed on an error. */
static int exec_load(struct guest_process *p, const char *path)
{
	const struct guest_process old = *p;
	const char *why = NULL;
	char *program = NULL;
	struct uvm *vm;
	int err;

	if (access(path, X_OK))
		return -errno;
	p->vm = uvm_new(&p->run->pages);
	if (p->vm)
		program = strdup(path);
	if (!program) {
		uvm_put(p->vm);
		p->vm = old.vm;
		return -ENOMEM;
	}
	err = process_load_elf(p, path, &why);
	if (!err) {
		/* The caller of a trace reads the arguments in the old memory. */
		vm = p->vm;
		p->vm = old.vm;
		process_tell(p->run->cpu->current, 0);
		p->told = true;
		p->vm = vm;
		uvm_put(old.vm);
		free(p->program);
		p->program = program;
		return 0;
	}
	free(program);
	uvm_put(p->vm);
	p->vm = old.vm;
	p->entry = old.entry;
	p->phdr = old.phdr;
	p->phent = old.phent;
	p->phnum = old.phnum;
	if (err == -ENOEXEC)
		process_message(p, "execve of %s: %s", path, why);
	return err;
}

/* All that belongs to the old program: threads, handlers, files that are not for the new one. */
static void exec_reset(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_thread *t = run->cpu->current;
	size_t i;

	for (i = run->nr_threads; i-- > 0;)
		if (run->thread[i]->p == p && run->thread[i] != t)
			thread_end(run->thread[i]);
	perfmon_exec(p, t->tid);
	t->tid = p->pid;
	t->clear_tid = 0;
	t->robust = 0;
	t->mask_saved = false;
	memset(&t->stack, 0, sizeof(t->stack));
	for (i = 1; i <= NR_GUEST_SIGNALS; i++) {
		if (p->action[i].handler != GUEST_SIG_IGN)
			p->action[i].handler = GUEST_SIG_DFL;
		p->action[i].flags = 0;
		p->action[i].mask = 0;
	}
	files_exec(p);
}

/* Set registers to 0, and keep the PSR bits of the PMU. */
static int exec_registers_clear(struct guest_process *p)
{
	const uint64_t keep = PSR_UP | PSR_SP | PSR_PP;
	uint64_t psr, now;
	int err;

	err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				MONTECITO_SPECIAL_PSR, &psr);
	if (!err)
		err = montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
					MONTECITO_SPECIAL_DIRTY, 0);
	if (!err)
		err = context_clear(p->m, p->run->cpu->vcpu);
	if (!err)
		err = process_start(p);
	if (!err)
		err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
					MONTECITO_SPECIAL_PSR, &now);
	return err ? err
		   : montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				       MONTECITO_SPECIAL_PSR, (now & ~keep) | (psr & keep));
}

/* Path, arguments, environment */
int64_t sys_execve(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_siginfo trap = { .signo = SIGTRAP, .from = { .pid = p->pid } };
	char path[PATH_MAX], **argv = NULL, **envp = NULL;
	size_t left = MAX_ARGS;
	long err;

	err = uvm_read_string(p->vm, path, arg[0], sizeof(path));
	if (err >= 0)
		err = exec_list_read(p, arg[1], &argv, &left);
	if (!err)
		err = exec_list_read(p, arg[2], &envp, &left);
	/* A program without arguments has an empty one. */
	if (!err && !argv[0]) {
		argv[0] = strdup("");
		err = argv[0] ? 0 : -ENOMEM;
	}
	if (!err)
		err = exec_load(p, path);
	if (err) {
		exec_list_free(argv);
		exec_list_free(envp);
		return err;
	}
	args_free(p);
	p->execed = true;
	p->argv = argv;
	p->envp = envp;
	p->owns_args = true;
	p->name = argv[0];
	exec_reset(p);
	vfork_over(p);
	p->no_result = true;
	if (exec_registers_clear(p)) {
		process_message(p, "execve: no memory for its stack (see --memory)");
		process_end(p, SIGKILL);
		return 0;
	}
	if (p->tracer)
		signal_send(p, p->run->cpu->current, &trap);
	return 0;
}
