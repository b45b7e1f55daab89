// SPDX-License-Identifier: GPL-2.0-only
/*
 * --jitdump: the guest's functions for the host's perf, in the file that perf takes from
 * compilers at run time (the kernel's tools/perf/Documentation/jitdump-specification.txt):
 * perf inject -j makes mappings of them, at the addresses that samples of machines have.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "montctl.h"

#define JIT_MAGIC 0x4a695444
#define JIT_VERSION 1
#define JIT_CODE_LOAD 0

struct jit_header {
	uint32_t magic;
	uint32_t version;
	uint32_t size;
	uint32_t elf_mach;
	uint32_t pad;
	uint32_t pid;
	uint64_t timestamp;
	uint64_t flags;
};

/* The name, with its NUL, and the code follow. */
struct jit_load {
	uint32_t id;
	uint32_t size;
	uint64_t timestamp;
	uint32_t pid;
	uint32_t tid;
	uint64_t vma;
	uint64_t addr;
	uint64_t length;
	uint64_t index;
};

/* perf's clock with -k mono */
static uint64_t jitdump_timestamp(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Write a record of the function; one without code in the file has a record without code. */
static int jitdump_put_function(FILE *f, const struct montecito_symbols *sym, const char *name,
				uint64_t addr, uint64_t length, uint64_t index)
{
	struct jit_load load = {
		.id = JIT_CODE_LOAD,
		.size = sizeof(load) + strlen(name) + 1 + length,
		.timestamp = jitdump_timestamp(),
		.pid = getpid(),
		.tid = getpid(),
		.vma = addr,
		.addr = addr,
		.length = length,
		.index = index,
	};
	void *code = calloc(1, length);
	bool ok;

	if (!code)
		return -ENOMEM;
	if (montecito_symbols_code(sym, addr, code, length))
		memset(code, 0, length);
	ok = fwrite(&load, sizeof(load), 1, f) == 1 && fwrite(name, strlen(name) + 1, 1, f) == 1 &&
	     fwrite(code, length, 1, f) == 1;
	free(code);
	return ok ? 0 : -EIO;
}

/* A function of more bytes than this is a gap in a table of symbols. */
#define JIT_LONGEST (1 << 24)

static int jitdump_put_all(FILE *f, const struct montecito_symbols *sym)
{
	struct jit_header h = {
		.magic = JIT_MAGIC,
		.version = JIT_VERSION,
		.size = sizeof(h),
		.elf_mach = EM_IA_64,
		.pid = getpid(),
		.timestamp = jitdump_timestamp(),
	};
	uint64_t addr, length, n = 0;
	const char *name;
	size_t i;
	int err = fwrite(&h, sizeof(h), 1, f) == 1 ? 0 : -EIO;

	for (i = 0; !err && (name = montecito_symbols_at(sym, i, &addr, &length)); i++) {
		if (length && length <= JIT_LONGEST)
			err = jitdump_put_function(f, sym, name, addr, length, ++n);
	}
	return fflush(f) && !err ? -errno : err;
}

int jitdump_write(const char *dir, const struct montecito_symbols *sym)
{
	char path[4096];
	void *mark;
	FILE *f;
	int err;

	if (!dir)
		return 0;
	if (snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid()) >= (int)sizeof(path))
		return fail("--jitdump: %s", strerror(ENAMETOOLONG));
	f = fopen(path, "w+e");
	if (!f)
		return fail("%s: %s", path, strerror(errno));
	err = jitdump_put_all(f, sym);
	/* perf finds the file by this mapping, for which it has to be executable. */
	mark = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0);
	if (!err && mark == MAP_FAILED)
		err = -errno;
	fclose(f);
	return err ? fail("%s: %s", path, strerror(-err)) : 0;
}
