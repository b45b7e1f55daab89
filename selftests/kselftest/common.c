// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kselftest.h"
#include "common.h"

static void result(bool pass, const char *fmt, va_list ap)
{
	char name[512];

	vsnprintf(name, sizeof(name), fmt, ap);
	if (!ksft_test_num())
		ksft_print_header();
	ksft_test_result(pass, "%s\n", name);
}

void ok(bool pass, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	result(pass, fmt, ap);
	va_end(ap);
}

void is(long have, long want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	result(have == want, fmt, ap);
	va_end(ap);
	if (have != want)
		diag("have %ld%s%s, want %ld%s%s", have, have < 0 ? " " : "",
		     have < 0 ? strerror(-have) : "", want, want < 0 ? " " : "",
		     want < 0 ? strerror(-want) : "");
}

void eq(uint64_t have, uint64_t want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	result(have == want, fmt, ap);
	va_end(ap);
	if (have != want)
		diag("have %#llx, want %#llx", (unsigned long long)have, (unsigned long long)want);
}

void diag(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	ksft_print_msg("%s\n", text);
	fflush(stdout);
}

void bail(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	ksft_exit_fail_msg("%s\n", text);
}

int done(void)
{
	unsigned int passed = ksft_get_pass_cnt();

	ksft_set_plan(ksft_test_num());
	ksft_print_cnts();
	return passed && passed == ksft_test_num() ? KSFT_PASS : KSFT_FAIL;
}

uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

long call(int fd, unsigned long cmd, void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

int open_device(void)
{
	int fd = open("/dev/montecito", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		bail("/dev/montecito: %s", strerror(errno));
	return fd;
}

static long create_timed(int dev, uint32_t cores, uint32_t threads, uint32_t config,
			 uint32_t timing, uint64_t memory)
{
	struct montecito_region r = { .length = memory };
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = cores,
		.threads = threads,
		.config = config,
		.timing = timing,
		.nr_regions = 1,
		.regions = (uintptr_t)&r,
	};

	return call(dev, MONTECITO_CREATE, &c);
}

long create(int dev, uint32_t cores, uint32_t threads, uint32_t config, uint64_t memory)
{
	return create_timed(dev, cores, threads, config, MONTECITO_TIMING_OFF, memory);
}

/* With the test guest in its memory. */
static int loaded(uint32_t cores, uint32_t threads, uint32_t config, uint32_t timing)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = GUEST_BASE,
		.length = guest_image_end - guest_image,
		.data = (uintptr_t)guest_image,
	};
	int dev = open_device();
	long m = create_timed(dev, cores, threads, config, timing, MEMORY), ret;

	close(dev);
	if (m < 0)
		bail("create: %s", strerror(-m));
	ret = call(m, MONTECITO_MEM_WRITE, &mem);
	if (ret)
		bail("load: %s", strerror(-ret));
	return m;
}

int machine(uint32_t cores, uint32_t threads, uint32_t config)
{
	return loaded(cores, threads, config, MONTECITO_TIMING_OFF);
}

int timed_machine(uint32_t config)
{
	return loaded(1, 1, config, MONTECITO_TIMING_ON);
}

int vcpu(int machine, uint32_t index)
{
	struct montecito_vcpu v = { .size = sizeof(v), .index = index };
	long ret = call(machine, MONTECITO_VCPU, &v);

	if (ret < 0)
		bail("vcpu %u: %s", index, strerror(-ret));
	return ret;
}

uint64_t get(int vcpu, uint32_t cls, uint32_t index)
{
	struct montecito_reg reg = { .cls = cls, .index = index };
	struct montecito_regs r = {
		.size = sizeof(r),
		.count = 1,
		.regs = (uintptr_t)&reg,
	};
	long ret = call(vcpu, MONTECITO_GET_REGS, &r);

	if (ret)
		bail("get register %u of class %u: %s", index, cls, strerror(-ret));
	return reg.value[0];
}

long set(int vcpu, uint32_t cls, uint32_t index, uint64_t value)
{
	struct montecito_reg reg = { .cls = cls, .index = index, .value = { value } };
	struct montecito_regs r = {
		.size = sizeof(r),
		.count = 1,
		.regs = (uintptr_t)&reg,
	};

	return call(vcpu, MONTECITO_SET_REGS, &r);
}

long run(int machine, uint64_t insns, uint64_t cycles, struct montecito_run *r)
{
	struct montecito_run mine = { .size = sizeof(mine), .insns = insns, .cycles = cycles };
	long ret = call(machine, MONTECITO_RUN, &mine);

	if (r)
		*r = mine;
	return ret;
}

uint64_t hash(int machine)
{
	struct montecito_hash h = { .size = sizeof(h) };
	long ret = call(machine, MONTECITO_HASH, &h);

	if (ret)
		bail("hash: %s", strerror(-ret));
	return h.hash;
}

void start(int vcpu, uint64_t ip)
{
	long ret = set(vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, ip);

	if (ret)
		bail("set ip: %s", strerror(-ret));
}

long observer(int vcpu, uint32_t code, uint64_t period, uint32_t *id)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = period ? MONTECITO_OBSERVER_SAMPLE : 0,
		.period = period,
		.filter = { .code = code, .plm = 0xf },
	};
	long ret = call(vcpu, MONTECITO_OBSERVER_ADD, &a);

	if (id)
		*id = a.id;
	return ret;
}

uint64_t observed(int vcpu, uint32_t id)
{
	uint64_t n = 0;
	struct montecito_observer_read r = {
		.size = sizeof(r),
		.count = 1,
		.ids = (uintptr_t)&id,
		.counts = (uintptr_t)&n,
	};
	long ret = call(vcpu, MONTECITO_OBSERVER_READ, &r);

	if (ret)
		bail("observer %u: %s", id, strerror(-ret));
	return n;
}

uint32_t machine_id(int machine)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	long ret = call(machine, MONTECITO_MACHINE_INFO, &info);

	if (ret)
		bail("machine info: %s", strerror(-ret));
	return info.id;
}

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* The plain loop, and what a slow processor of today needs for it. */
#define LOOP_TURNS 100000000
#define LOOP_SECONDS 0.25

static double plain_loop(void)
{
	volatile uint64_t word = 0;
	double t = now();
	int i;

	for (i = 0; i < LOOP_TURNS; i++)
		word += i;
	return (now() - t) / LOOP_SECONDS;
}

/* A slice of RUN is about 1 ms of a processor's own speed, so these are far below a second. */
#define SLICES 40
#define MEASURED 8

/* As many instructions as a slice may have. */
static uint64_t slice_of_spin(void)
{
	struct montecito_info info = { .size = sizeof(info) };
	int dev = open_device();

	if (call(dev, MONTECITO_INFO, &info))
		bail("info");
	close(dev);
	return info.work;
}

double promptly_at(double insn)
{
	static uint64_t insns;

	if (!insns)
		insns = slice_of_spin();
	return insn * insns * SLICES;
}

static double slices(void)
{
	uint64_t insns = slice_of_spin();
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	double t;

	start(v, GUEST_SPIN);
	run(m, insns, 0, NULL);
	t = now();
	run(m, MEASURED * insns, 0, NULL);
	t = now() - t;
	close(v);
	close(m);
	return promptly_at(t / (MEASURED * insns));
}

double promptly(void)
{
	double user = plain_loop(), kernel = slices(), t = user > kernel ? user : kernel;

	return t > 1 ? t : 1;
}

double patience(void)
{
	return PATIENCE * promptly();
}

void *blocking_page(void *at)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page = mmap(at, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	reg.range.start = (uintptr_t)page;
	reg.range.len = 4096;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &reg))
		bail("userfaultfd: %s", strerror(errno));
	return page;
}
