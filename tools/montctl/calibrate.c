// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl estimate --calibrate: the loops of the published table are run on machines like the
 * program's, software-pipelined and one element at a time. What an element of a division and of
 * a square root waits, one at a time, is the penalty of their frcpa and frsqrta.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calibrate.h"
#include "calibration.h"
#include "montctl.h"

_Static_assert(sizeof(loops) / sizeof(loops[0]) == NR_LOOPS, "rows of struct calibration");

#define PAGE 0x1000
#define SEGMENT (LOOPS_AT - PAGE)

/* Elements of the two runs, whose difference is free of how a run begins and ends. */
#define FEW 500
#define MORE 1500

/* Rows that penalties are taken from */
enum { ROW_DIVISION = 2, ROW_SQUARE_ROOT = 5 };

/**
 * struct taken - what a run took
 * @cycles: all of it
 * @waits: of CAUSE.FR
 */
struct taken {
	uint64_t cycles;
	uint64_t waits;
};

/* A program of the loops that begins at offset @entry. Return: its file descriptor, or -1. */
static int calibrate_write_program(uint32_t entry, uint64_t elements)
{
	static unsigned char image[PAGE + sizeof(loops_code)];
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_IA_64,
		.e_version = EV_CURRENT,
		.e_entry = LOOPS_AT + entry,
		.e_phoff = sizeof(head),
		.e_flags = 0x10, /* EF_IA_64_ABI64 */
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
	};
	Elf64_Phdr load = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W | PF_X,
		.p_vaddr = SEGMENT,
		.p_paddr = SEGMENT,
		.p_filesz = sizeof(image),
		.p_memsz = sizeof(image),
		.p_align = PAGE,
	};
	uint64_t count = elements - 1;
	int fd = memfd_create("loops", 0);

	memcpy(image, &head, sizeof(head));
	memcpy(image + sizeof(head), &load, sizeof(load));
	memcpy(image + PAGE, loops_code, sizeof(loops_code));
	memcpy(image + PAGE, &count, sizeof(count));
	if (fd < 0 || write(fd, image, sizeof(image)) == sizeof(image))
		return fd;
	close(fd);
	return -1;
}

static int calibrate_read_taken(struct montecito *m, uint32_t id, struct taken *t)
{
	int err = montecito_observer_read(m, 0, &id, &t->waits, 1);

	return err ? err
		   : montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES,
				       &t->cycles);
}

static int calibrate_observe(struct montecito *m)
{
	struct montecito_observer_add add = { 0 };
	struct montecito_event_spec *spec = NULL;
	char msg[512];
	size_t nr = 0;
	int id;

	if (montecito_events_parse("CAUSE.FR", &spec, &nr, msg)) {
		fail("%s", msg);
		return -1;
	}
	montecito_spec_observe(spec, &add);
	id = montecito_observer_add_raw(m, 0, &add);
	if (id < 0)
		event_refused(spec, add.why, id, true);
	montecito_events_free(spec, nr);
	return id;
}

/* Run the program of @fd on @m. */
static int calibrate_run_on(const struct machine_args *args, struct montecito *m, int fd,
			    struct taken *t)
{
	char path[32], *argv[] = { path, NULL }, *envp[] = { NULL };
	struct montecito_process_options opt = {
		.size = sizeof(opt),
		.page_shift = args->page_shift,
		.argv = argv,
		.envp = envp,
	};
	struct montecito_process *p;
	const char *why = NULL;
	int id, err;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (montecito_process_load(m, path, &opt, &p, &why))
		return fail("--calibrate: cannot load the loops: %s", why ? why : "no memory");
	id = calibrate_observe(m);
	err = id < 0 ? EXIT_MONTCTL : 0;
	if (!err && (montecito_process_run(p) || calibrate_read_taken(m, id, t)))
		err = fail("--calibrate: a loop does not end");
	montecito_process_free(p);
	return err;
}

static int calibrate_run(struct machine_args *args, uint32_t entry, uint64_t elements,
			 struct taken *t)
{
	struct montecito *m = NULL;
	int fd, err;

	fd = calibrate_write_program(entry, elements);
	if (fd < 0)
		return fail("--calibrate: no memory for the loops");
	err = machine_open(args, PROGRAM_CONFIG, &m);
	if (!err)
		err = calibrate_run_on(args, m, fd, t);
	montecito_close(m);
	close(fd);
	return err;
}

/* Cycles and waits of an element of the loop at @entry. */
static int calibrate_measure(struct machine_args *args, uint32_t entry, double *cycles,
			     double *waits)
{
	struct taken few = { 0 }, more = { 0 };
	int err = calibrate_run(args, entry, FEW, &few);

	if (!err)
		err = calibrate_run(args, entry, MORE, &more);
	*cycles = (double)(more.cycles - few.cycles) / (MORE - FEW);
	*waits = (double)(more.waits - few.waits) / (MORE - FEW);
	return err;
}

int calibrate(struct machine_args *args, struct calibration *c)
{
	double none;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < NR_LOOPS; i++) {
		err = calibrate_measure(args, loops[i].pipelined, &c->pipelined[i], &none);
		if (!err)
			err = calibrate_measure(args, loops[i].single, &c->single[i], &c->waits[i]);
	}
	c->frcpa = (uint64_t)(c->waits[ROW_DIVISION] + 0.5);
	c->frsqrta = (uint64_t)(c->waits[ROW_SQUARE_ROOT] + 0.5);
	return err;
}

static double calibrate_estimated(const struct loop *l, uint64_t frcpa, uint64_t frsqrta)
{
	return (double)(frcpa * l->frcpa + frsqrta * l->frsqrta);
}

/* @estimate in parts of @truth, or - where there is none. */
static void calibrate_print_ratio(FILE *f, double estimate, double truth)
{
	if (truth < 0.5)
		fprintf(f, " %8s", "-");
	else
		fprintf(f, " %8.2f", estimate / truth);
}

void calibrate_text(const struct calibration *c, uint64_t frcpa, uint64_t frsqrta, FILE *f)
{
	size_t i;

	fprintf(f, "cycles of an element: software-pipelined, and one element at a time\n\n");
	fprintf(f, "%-22s %9s %7s %6s %9s %9s %9s %6s %8s %10s\n", "loop", "published", "F slots",
		"F here", "pipelined", "less copy", "one", "FR", "6 and 14", "calibrated");
	for (i = 0; i < NR_LOOPS; i++) {
		const struct loop *l = &loops[i];

		fprintf(f, "%-22s %7u.%u %7s %6u %9.1f %9.1f %9.1f %6.1f", l->name,
			l->published / 10, l->published % 10, l->slots, l->insns, c->pipelined[i],
			c->pipelined[i] - c->pipelined[0], c->single[i], c->waits[i]);
		calibrate_print_ratio(f, calibrate_estimated(l, frcpa, frsqrta), c->waits[i]);
		fputs("  ", f);
		calibrate_print_ratio(f, calibrate_estimated(l, c->frcpa, c->frsqrta), c->waits[i]);
		fputc('\n', f);
	}
	fputc('\n', f);
}

struct json_object *calibrate_json(const struct calibration *c)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < NR_LOOPS; i++) {
		const struct loop *l = &loops[i];
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "name", json_object_new_string(l->name));
		json_object_object_add(o, "published", json_object_new_double(l->published / 10.0));
		json_object_object_add(o, "slots", json_object_new_string(l->slots));
		json_object_object_add(o, "insns", json_object_new_int((int)l->insns));
		json_object_object_add(o, "pipelined", json_object_new_double(c->pipelined[i]));
		json_object_object_add(o, "single", json_object_new_double(c->single[i]));
		json_object_object_add(o, "waits", json_object_new_double(c->waits[i]));
		json_object_object_add(
			o, "estimate",
			json_object_new_double(calibrate_estimated(l, c->frcpa, c->frsqrta)));
		json_object_array_add(list, o);
	}
	return list;
}
