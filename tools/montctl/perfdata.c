// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report --perf-data: a recording as perf's own file, as
 * tools/perf/Documentation/perf.data-file-format.txt of the kernel describes it, for perf
 * report, perf script and what else reads it. Each event is an attribute of type raw, whose name
 * is told by the feature EVENT_DESC. All samples are of one task, which has mapped the loadable
 * segments of the program; a sample's time is its vcpu's cycle.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "montctl.h"
#include "profile.h"

/* perf's names of the bits of adds_features, and how it pads names. */
enum { HEADER_ARCH = 6, HEADER_EVENT_DESC = 12 };
#define NAME_ALIGN 64
#define TASK 1

#define SAMPLE_TYPE                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/**
 * struct section - a part of the file
 * @offset: of its first byte
 * @size: bytes
 */
struct section {
	uint64_t offset;
	uint64_t size;
};

/**
 * struct file_header - the beginning of the file
 * @magic: "PERFILE2"
 * @size: of this header
 * @attr_size: of struct file_attr
 * @attrs: the events
 * @data: the records
 * @types: none, of old versions
 * @features: a bit for each part behind the records
 */
struct file_header {
	char magic[8];
	uint64_t size;
	uint64_t attr_size;
	struct section attrs;
	struct section data;
	struct section types;
	uint64_t features[4];
};

/**
 * struct file_attr - an event
 * @attr: as for perf_event_open()
 * @ids: where its number in samples is
 */
struct file_attr {
	struct perf_event_attr attr;
	struct section ids;
};

/**
 * struct sample - PERF_RECORD_SAMPLE with SAMPLE_TYPE
 * @header: of the record
 * @id: number of the event, from 1 on
 * @ip: bundle address plus slot
 * @pid: TASK
 * @tid: TASK
 * @time: cycles
 * @cpu: vcpu
 * @res: 0
 * @period: occurrences
 */
struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t res;
	uint64_t period;
};

/**
 * struct task_name - PERF_RECORD_COMM
 * @header: of the record
 * @pid: TASK
 * @tid: TASK
 * @name: ends in zeroes, up to a multiple of 8
 */
struct task_name {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	char name[16];
};

/**
 * struct mapping - PERF_RECORD_MMAP, without its name
 * @header: of the record
 * @pid: TASK
 * @tid: TASK
 * @addr: first address
 * @len: bytes
 * @offset: of these in the file
 */
struct mapping {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t addr;
	uint64_t len;
	uint64_t offset;
};

static void perfdata_put(FILE *f, const void *p, size_t len)
{
	fwrite(p, len, 1, f);
}

static void perfdata_put_zeroes(FILE *f, size_t len)
{
	while (len--)
		putc(0, f);
}

/* A string of a feature: its room, then itself in that. */
static uint64_t perfdata_put_string(FILE *f, const char *s)
{
	uint32_t len = strlen(s) + 1, room = (len + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;

	perfdata_put(f, &room, sizeof(room));
	perfdata_put(f, s, len);
	perfdata_put_zeroes(f, room - len);
	return sizeof(room) + room;
}

static struct perf_event_attr perfdata_attr_of(const struct profile *p, size_t event)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = event,
		.sample_period = p->in.period[event],
		.sample_type = SAMPLE_TYPE,
		.mmap = !event,
		.comm = !event,
	};
}

/* The attributes, then their numbers: bytes. */
static uint64_t perfdata_put_attrs(const struct profile *p, FILE *f, uint64_t at)
{
	uint64_t ids = at + p->in.nr * sizeof(struct file_attr);
	size_t i;

	for (i = 0; i < p->in.nr; i++) {
		struct file_attr a = {
			.attr = perfdata_attr_of(p, i),
			.ids = { ids + i * sizeof(uint64_t), sizeof(uint64_t) },
		};

		perfdata_put(f, &a, sizeof(a));
	}
	for (i = 0; i < p->in.nr; i++) {
		uint64_t id = i + 1;

		perfdata_put(f, &id, sizeof(id));
	}
	return p->in.nr * (sizeof(struct file_attr) + sizeof(uint64_t));
}

static uint64_t perfdata_put_task(const struct profile *p, FILE *f)
{
	const char *name = strrchr(p->in.program, '/');
	struct task_name t = {
		.header = { PERF_RECORD_COMM, PERF_RECORD_MISC_USER, sizeof(t) },
		.pid = TASK,
		.tid = TASK,
	};

	snprintf(t.name, sizeof(t.name), "%s", name ? name + 1 : p->in.program);
	perfdata_put(f, &t, sizeof(t));
	return sizeof(t);
}

static uint64_t perfdata_put_mapping(const struct profile *p, FILE *f, const GElf_Phdr *ph)
{
	size_t len = strlen(p->in.program) + 1, room = (len + 7) & ~(size_t)7;
	struct mapping m = {
		.header = { PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, sizeof(m) + room },
		.pid = TASK,
		.tid = TASK,
		.addr = ph->p_vaddr,
		.len = ph->p_memsz,
		.offset = ph->p_offset,
	};

	perfdata_put(f, &m, sizeof(m));
	perfdata_put(f, p->in.program, len);
	perfdata_put_zeroes(f, room - len);
	return sizeof(m) + room;
}

/* A program that is no longer there, or is packed, has no mappings, and perf no names of it. */
static uint64_t perfdata_put_mappings(const struct profile *p, FILE *f)
{
	int fd = p->symbols ? open(p->in.program, O_RDONLY | O_CLOEXEC) : -1;
	uint64_t bytes = 0;
	GElf_Phdr ph;
	size_t n, i;
	Elf *elf;

	if (fd < 0)
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && !elf_getphdrnum(elf, &n))
		for (i = 0; i < n; i++)
			if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_LOAD &&
			    (ph.p_flags & PF_X))
				bytes += perfdata_put_mapping(p, f, &ph);
	elf_end(elf);
	close(fd);
	return bytes;
}

/* The samples, in the order of the recording: 0, or EXIT_MONTCTL after a message. */
static int perfdata_put_samples(const struct profile *p, FILE *f, uint64_t *bytes)
{
	struct montecito_record_sample from;
	struct samples in;
	int err = samples_open(&in, p->in.path);

	if (err)
		return err;
	while ((err = samples_next(&in, &from)) == 1) {
		struct sample s = {
			.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) },
			.id = from.source + 1,
			.ip = from.ip | from.slot,
			.pid = TASK,
			.tid = TASK,
			.time = from.cycles,
			.cpu = from.vcpu,
			.period = in.weight * in.period[from.source],
		};

		perfdata_put(f, &s, sizeof(s));
		*bytes += sizeof(s);
	}
	samples_close(&in);
	return err;
}

static uint64_t perfdata_put_events(const struct profile *p, FILE *f)
{
	uint32_t head[2] = { p->in.nr, sizeof(struct perf_event_attr) }, one = 1;
	uint64_t bytes = sizeof(head);
	size_t i;

	perfdata_put(f, head, sizeof(head));
	for (i = 0; i < p->in.nr; i++) {
		struct perf_event_attr attr = perfdata_attr_of(p, i);
		uint64_t id = i + 1;

		perfdata_put(f, &attr, sizeof(attr));
		perfdata_put(f, &one, sizeof(one));
		bytes += sizeof(attr) + sizeof(one) + perfdata_put_string(f, p->in.event[i]) +
			 sizeof(id);
		perfdata_put(f, &id, sizeof(id));
	}
	return bytes;
}

/* Where the features lie, in front of them, in the order of their bits. */
static void perfdata_put_features(const struct profile *p, FILE *f, uint64_t at)
{
	struct section s[2];

	fseek(f, at + sizeof(s), SEEK_SET);
	s[0].offset = at + sizeof(s);
	s[0].size = perfdata_put_string(f, "ia64");
	s[1].offset = s[0].offset + s[0].size;
	s[1].size = perfdata_put_events(p, f);
	fseek(f, at, SEEK_SET);
	perfdata_put(f, s, sizeof(s));
}

int perfdata_write(const struct profile *p, FILE *f)
{
	struct file_header h = {
		.magic = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' },
		.size = sizeof(h),
		.attr_size = sizeof(struct file_attr),
		.features = { 1ULL << HEADER_ARCH | 1ULL << HEADER_EVENT_DESC },
	};
	int err;

	if (fseek(f, sizeof(h), SEEK_SET))
		return -errno;
	h.attrs = (struct section){ sizeof(h), p->in.nr * sizeof(struct file_attr) };
	h.data.offset = sizeof(h) + perfdata_put_attrs(p, f, sizeof(h));
	h.data.size = perfdata_put_task(p, f);
	h.data.size += perfdata_put_mappings(p, f);
	err = perfdata_put_samples(p, f, &h.data.size);
	if (err)
		return err;
	perfdata_put_features(p, f, h.data.offset + h.data.size);
	rewind(f);
	perfdata_put(f, &h, sizeof(h));
	return 0;
}
