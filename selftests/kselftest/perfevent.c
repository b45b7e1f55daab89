// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include "perfevent.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long type = -1; /* the PMU's, for perf_event_open() */

long read_number(const char *path)
{
	long n = -1;
	FILE *f = fopen(path, "r");

	if (f && fscanf(f, "%li", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

void write_number(const char *path, int n)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fprintf(f, "%d\n", n);
		fclose(f);
	}
}

bool has_perf(void)
{
	if (access("/proc/sys/kernel/perf_event_paranoid", F_OK))
		return false;
	type = read_number(PMU "/type");
	if (type < 0)
		bail("this host has perf, and no " PMU);
	return true;
}

struct perf_event_attr attribute(uint64_t config, uint64_t period)
{
	if (type < 0)
		has_perf();
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_IP | PERF_SAMPLE_RAW : 0,
	};
}

/* A descriptor or a negative errno. */
int open_event(struct perf_event_attr *a, pid_t pid, int cpu, int group)
{
	int fd = syscall(__NR_perf_event_open, a, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int event(uint64_t config, uint64_t period)
{
	struct perf_event_attr a = attribute(config, period);

	return open_event(&a, 0, -1, -1);
}

uint64_t value(int fd)
{
	uint64_t n = 0;
	ssize_t got = read(fd, &n, sizeof(n));

	return got == sizeof(n) ? n : NOT_COUNTED;
}

void stay_on(int cpu)
{
	cpu_set_t set;

	memset(&set, cpu < 0 ? 0xff : 0, sizeof(set));
	if (cpu >= 0)
		CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

bool row_config(const char *name, uint64_t *config)
{
	unsigned int code, umask, ear = 0, ear_umask = 0;
	char path[512];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), PMU "/events/%s", name);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fscanf(f, "event=%x,umask=%x,ear=%x,ear_umask=%x", &code, &umask, &ear, &ear_umask);
	fclose(f);
	*config = code | umask << 8 | ear << 20 | ear_umask << 24;
	return n == 2 || n == 4;
}

int rows(uint64_t config[MAX_ROWS])
{
	DIR *d = opendir(PMU "/events");
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && n < MAX_ROWS)
			n += row_config(e->d_name, &config[n]);
	if (d)
		closedir(d);
	return n;
}

long observe(int v, uint64_t config, uint32_t *id)
{
	/* The trace buffer's rows go by their code alone there. */
	bool ear = (config >> 20 & 7) <= MONTECITO_EAR_INSN_TLB;
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.filter = {
			.code = config & 0xff,
			.umask = config >> 8 & 0xf,
			.plm = config >> 16 & 0xf ?: 0xf,
			.ear = ear ? config >> 20 & 7 : 0,
			.ear_umask = ear ? config >> 24 & 0xff : 0,
		},
	};
	long ret = call(v, MONTECITO_OBSERVER_ADD, &a);

	*id = a.id;
	return ret;
}

void samples_map(struct samples *s, int pages)
{
	size_t page = sysconf(_SC_PAGESIZE);

	s->page = mmap(NULL, page * (1 + pages), PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (s->page == MAP_FAILED)
		bail("ring: %s", strerror(errno));
	s->data = (unsigned char *)s->page + page;
	s->size = page * pages;
	s->lost = 0;
}

void samples_close(struct samples *s)
{
	munmap(s->page, s->size + sysconf(_SC_PAGESIZE));
	close(s->fd);
}

bool samples_next(struct samples *s, struct sample *to)
{
	uint64_t head = __atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE);

	while (s->page->data_tail != head) {
		uint64_t tail = s->page->data_tail, i;
		unsigned char record[256] = {};
		struct perf_event_header h;

		for (i = 0; i < sizeof(h); i++)
			record[i] = s->data[(tail + i) % s->size];
		memcpy(&h, record, sizeof(h));
		for (; i < h.size && i < sizeof(record); i++)
			record[i] = s->data[(tail + i) % s->size];
		__atomic_store_n(&s->page->data_tail, tail + h.size, __ATOMIC_RELEASE);
		if (h.type == PERF_RECORD_LOST)
			s->lost += *(uint64_t *)(record + sizeof(h) + 8);
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(to, record + sizeof(h), sizeof(*to));
		return true;
	}
	return false;
}
