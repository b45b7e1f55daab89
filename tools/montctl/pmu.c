// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl pmu: registers of another processor's PMU while its machine runs. Such a PMU belongs
 * to a vcpu's file descriptor, so it is the process with that descriptor which is asked to lend
 * it (pidfd_getfd(2)): the fdinfo of the descriptor lists its PMUs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "montctl.h"
#include "pmu_kinds.h"
#include "pmu_registers.h"

static const char help[] =
	"Usage: montctl pmu get [-j] -p PID [--vcpu N] [--id N] [--fd N] KIND [REGISTER...]\n"
	"       montctl pmu set -p PID [--vcpu N] [--id N] [--fd N] KIND REGISTER VALUE\n\n"
	"Read or write a register of another processor's PMU (merced, pebs, ev68a) that a\n"
	"process has added to a vcpu of a machine in the module: montctl stat --pmu and record\n"
	"--pmu do, and other programs by MONTECITO_PMU_ADD. Registers go by the names of their\n"
	"manual (PMC4, IA32_PERFEVTSEL0, PCTR_CTL); get without one reads all, at one instant.\n"
	"It takes the right to trace the process.\n\n"
	"  -p PID     the process that has added the PMU\n"
	"  -j         one JSON object\n"
	"  --vcpu N   on that vcpu\n"
	"  --id N     its number, of several on one descriptor\n"
	"  --fd N     of that descriptor of the process\n";

enum { OPT_VCPU = 0x100, OPT_ID, OPT_FD };

static const struct option options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "vcpu", required_argument, NULL, OPT_VCPU },
	{ "id", required_argument, NULL, OPT_ID },
	{ "fd", required_argument, NULL, OPT_FD },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

#define ANY UINT64_MAX
#define MAX_FOUND 64
#define MAX_REGISTERS 128

/**
 * struct owned - a PMU of a process
 * @fd: the descriptor there
 * @machine: its machine
 * @vcpu: its vcpu
 * @id: its number on that descriptor
 */
struct owned {
	uint32_t fd;
	uint32_t machine;
	uint32_t vcpu;
	uint32_t id;
};

/**
 * struct asked - what is looked for
 * @pid: in that process
 * @kind: MONTECITO_PMU_*
 * @vcpu: of that vcpu, or ANY
 * @id: of that number, or ANY
 * @fd: of that descriptor, or ANY
 * @found: these
 * @nr: how many
 */
struct asked {
	uint64_t pid;
	uint32_t kind;
	uint64_t vcpu;
	uint64_t id;
	uint64_t fd;
	struct owned found[MAX_FOUND];
	size_t nr;
};

static bool pmu_is_asked(const struct asked *a, const struct owned *o)
{
	return (a->vcpu == ANY || a->vcpu == o->vcpu) && (a->id == ANY || a->id == o->id) &&
	       (a->fd == ANY || a->fd == o->fd);
}

/* The PMUs of descriptor @fd of process @pid, "self" for our own. */
static void pmu_look(struct asked *a, const char *pid, uint32_t fd)
{
	struct owned o = { .fd = fd };
	char path[64], line[128], kind[32];
	bool vcpu = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/fdinfo/%" PRIu32, pid, fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		vcpu |= sscanf(line, "montecito-vcpu:%" SCNu32 "%" SCNu32, &o.machine, &o.vcpu) ==
			2;
		if (vcpu && sscanf(line, "montecito-pmu:%" SCNu32 " %31s", &o.id, kind) == 2 &&
		    pmu_kind_named(kind) == a->kind && pmu_is_asked(a, &o) && a->nr < MAX_FOUND)
			a->found[a->nr++] = o;
	}
	if (f)
		fclose(f);
}

/* All that is asked for: 0, or EXIT_MONTCTL after a message. */
static int pmu_find(struct asked *a)
{
	char pid[24], path[64];
	struct dirent *e;
	DIR *dir;

	snprintf(pid, sizeof(pid), "%" PRIu64, a->pid);
	snprintf(path, sizeof(path), "/proc/%s/fdinfo", pid);
	dir = opendir(path);
	if (!dir)
		return fail("pmu -p %s: %s", pid,
			    errno == ENOENT ? "there is no such process" : strerror(errno));
	while ((e = readdir(dir)))
		if (*e->d_name != '.')
			pmu_look(a, pid, atoi(e->d_name));
	closedir(dir);
	return a->nr ? 0
		     : fail("pmu -p %s: it has no such %s PMU on a machine in the module", pid,
			    pmu_kind_name(a->kind));
}

/* Our own copy of the descriptor of @o; negative after a message. */
static int pmu_borrow(const struct asked *a, const struct owned *o)
{
	struct asked again = { .kind = a->kind, .vcpu = o->vcpu, .id = o->id, .fd = ANY };
	int pidfd = syscall(SYS_pidfd_open, (pid_t)a->pid, 0), fd = -1;

	if (pidfd >= 0)
		fd = syscall(SYS_pidfd_getfd, pidfd, o->fd, 0);
	if (fd < 0) {
		fail("pmu -p %" PRIu64 ": %s", a->pid,
		     errno == EPERM ? "not permitted: it takes what ptrace(2) takes"
				    : strerror(errno));
	} else {
		/* The process may have closed it and opened something else meanwhile. */
		pmu_look(&again, "self", fd);
		if (!again.nr || again.found[0].machine != o->machine) {
			fail("pmu -p %" PRIu64 ": the PMU is gone", a->pid);
			close(fd);
			fd = -1;
		}
	}
	if (pidfd >= 0)
		close(pidfd);
	return fd;
}

static int pmu_describe_one(void *arg, struct montecito_pmu_describe *d)
{
	return ioctl(*(int *)arg, MONTECITO_PMU_DESCRIBE, d) < 0 ? -errno : 0;
}

/* The registers of @names, or all of @kind: how many; 0 after a message. */
static size_t pmu_choose(int fd, uint32_t kind, char **names, struct pmu_named *r)
{
	size_t nr = 0, i;

	if (!*names) {
		while (nr < MAX_REGISTERS && pmu_register(pmu_describe_one, &fd, kind, nr, &r[nr]))
			nr++;
		return nr;
	}
	for (; *names && nr < MAX_REGISTERS; names++, nr++) {
		for (i = 0; pmu_register(pmu_describe_one, &fd, kind, i, &r[nr]); i++)
			if (!strcasecmp(r[nr].name, *names))
				break;
		if (strcasecmp(r[nr].name, *names)) {
			fail("pmu: %s has no register %s", pmu_kind_name(kind), *names);
			return 0;
		}
	}
	return nr;
}

static int pmu_access_failed(const char *name, const struct montecito_pmu_regs *regs)
{
	return fail("pmu: %s: %s", name, regs->why[0] ? regs->why : strerror(errno));
}

static void pmu_print_register(int fd, uint32_t kind, const struct pmu_named *r, uint64_t value,
			       bool name)
{
	char bits[16], events[256];
	struct pmu_field f;
	unsigned int i;

	if (name)
		printf("%s ", r->name);
	printf("0x%016" PRIx64 "\n", value);
	for (i = 0; pmu_field(r, i, &f); i++) {
		snprintf(bits, sizeof(bits), f.high == f.low ? "%u" : "%u:%u", f.high, f.low);
		printf("  %-24s %-6s 0x%" PRIx64 "\n", f.name, bits, pmu_field_value(&f, value));
	}
	pmu_selected(pmu_describe_one, &fd, kind, r, value, events, sizeof(events));
	if (*events)
		printf("  %-24s %-6s %s\n", "event", "", events);
}

static struct json_object *pmu_register_json(int fd, uint32_t kind, const struct pmu_named *r,
					     uint64_t value)
{
	struct json_object *o = json_object_new_object(), *fields = json_object_new_array();
	char events[256];
	struct pmu_field f;
	unsigned int i;

	json_object_object_add(o, "name", json_object_new_string(r->name));
	json_object_object_add(o, "value", json_object_new_uint64(value));
	for (i = 0; pmu_field(r, i, &f); i++) {
		struct json_object *x = json_object_new_object();

		json_object_object_add(x, "name", json_object_new_string(f.name));
		json_object_object_add(x, "high", json_object_new_int(f.high));
		json_object_object_add(x, "low", json_object_new_int(f.low));
		json_object_object_add(x, "value",
				       json_object_new_uint64(pmu_field_value(&f, value)));
		json_object_array_add(fields, x);
	}
	json_object_object_add(o, "fields", fields);
	pmu_selected(pmu_describe_one, &fd, kind, r, value, events, sizeof(events));
	if (*events)
		json_object_object_add(o, "event", json_object_new_string(events));
	return o;
}

/* Read registers of one PMU; into the array @to if that is not NULL. */
static int pmu_get_one(const struct asked *a, const struct owned *o, char **names,
		       struct json_object *to)
{
	struct montecito_pmu_reg reg[MAX_REGISTERS];
	struct montecito_pmu_regs regs = { .size = sizeof(regs),
					   .id = o->id,
					   .regs = (uintptr_t)reg };
	struct json_object *one, *list;
	struct pmu_named r[MAX_REGISTERS];
	int fd = pmu_borrow(a, o), err;
	size_t nr = fd >= 0 ? pmu_choose(fd, a->kind, names, r) : 0, i;

	for (i = 0; i < nr; i++)
		reg[i] = r[i].reg;
	regs.count = nr;
	err = nr ? 0 : EXIT_MONTCTL;
	if (!err && ioctl(fd, MONTECITO_PMU_GET_REGS, &regs) < 0)
		err = pmu_access_failed(pmu_kind_name(a->kind), &regs);
	if (!err && to) {
		one = json_object_new_object();
		list = json_object_new_array();
		json_object_object_add(one, "machine", json_object_new_int64(o->machine));
		json_object_object_add(one, "vcpu", json_object_new_int64(o->vcpu));
		json_object_object_add(one, "fd", json_object_new_int64(o->fd));
		json_object_object_add(one, "id", json_object_new_int64(o->id));
		for (i = 0; i < nr; i++)
			json_object_array_add(list,
					      pmu_register_json(fd, a->kind, &r[i], reg[i].value));
		json_object_object_add(one, "registers", list);
		json_object_array_add(to, one);
	} else if (!err) {
		if (a->nr > 1)
			printf("# vcpu %" PRIu32 ", descriptor %" PRIu32 ", PMU %" PRIu32 "\n",
			       o->vcpu, o->fd, o->id);
		for (i = 0; i < nr; i++)
			pmu_print_register(fd, a->kind, &r[i], reg[i].value, nr > 1);
	}
	if (fd >= 0)
		close(fd);
	return err;
}

static int pmu_get(const struct asked *a, char **names, bool json)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	int err = 0;
	size_t i;

	json_object_object_add(top, "process", json_object_new_int64(a->pid));
	json_object_object_add(top, "pmu", json_object_new_string(pmu_kind_name(a->kind)));
	json_object_object_add(top, "pmus", list);
	for (i = 0; !err && i < a->nr; i++)
		err = pmu_get_one(a, &a->found[i], names, json ? list : NULL);
	if (json && !err)
		print_object(stdout, top);
	else
		json_object_put(top);
	return err;
}

static int pmu_set(const struct asked *a, char **argv)
{
	char *names[] = { argv[0], NULL };
	struct montecito_pmu_regs regs = { .size = sizeof(regs), .id = a->found[0].id, .count = 1 };
	struct montecito_pmu_reg reg;
	struct pmu_named r[1];
	uint64_t value;
	int fd, err;

	if (parse_number(argv[1], &value))
		return usage_error("pmu", "VALUE %s: not a number", argv[1]);
	if (a->nr > 1)
		return usage_error("pmu",
				   "process %" PRIu64 " has %zu such PMUs: choose by --vcpu, "
				   "--id and --fd (montctl pmu get)",
				   a->pid, a->nr);
	fd = pmu_borrow(a, &a->found[0]);
	err = fd >= 0 && pmu_choose(fd, a->kind, names, r) ? 0 : EXIT_MONTCTL;
	if (!err) {
		reg = r[0].reg;
		reg.value = value;
		regs.regs = (uintptr_t)&reg;
		if (ioctl(fd, MONTECITO_PMU_SET_REGS, &regs) < 0)
			err = pmu_access_failed(r[0].name, &regs);
	}
	if (fd >= 0)
		close(fd);
	return err;
}

/* The argument of an option: 0, or EXIT_MONTCTL after a message. */
static int pmu_number(const char *option, const char *arg, uint64_t *value)
{
	return parse_number(arg, value) || *value > INT32_MAX
		       ? usage_error("pmu", "%s %s: not a number", option, arg)
		       : 0;
}

int cmd_pmu(int argc, char **argv)
{
	struct asked a = { .vcpu = ANY, .id = ANY, .fd = ANY };
	bool json = false, reads;
	const char *verb;
	int opt, err = 0;

	while (!err && (opt = getopt_long(argc, argv, ":jp:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			json = true;
			break;
		case 'p':
			err = pmu_number("-p", optarg, &a.pid);
			break;
		case OPT_VCPU:
			err = pmu_number("--vcpu", optarg, &a.vcpu);
			break;
		case OPT_ID:
			err = pmu_number("--id", optarg, &a.id);
			break;
		case OPT_FD:
			err = pmu_number("--fd", optarg, &a.fd);
			break;
		default:
			return bad_option("pmu", argv, opt, options);
		}
	}
	if (err)
		return err;
	verb = optind < argc ? argv[optind++] : "";
	reads = !strcmp(verb, "get");
	if (!reads && strcmp(verb, "set"))
		return usage_error("pmu", "%s: give get or set", verb);
	if (!a.pid)
		return usage_error("pmu", "-p PID: a PMU belongs to the process that has added it");
	if (reads ? argc == optind : argc - optind != 3)
		return usage_error("pmu", "%s takes KIND %s", verb,
				   reads ? "and registers" : "REGISTER VALUE");
	a.kind = pmu_kind_of("pmu", argv[optind++]);
	if (!a.kind)
		return EXIT_MONTCTL;
	err = pmu_find(&a);
	if (!err)
		err = reads ? pmu_get(&a, argv + optind, json) : pmu_set(&a, argv + optind);
	return err;
}
