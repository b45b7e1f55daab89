// SPDX-License-Identifier: LGPL-2.1-or-later
/* Machines: open, memory, run, state (uapi/linux/montecito.h, "Machine"). */
#include <errno.h>
#include <stdlib.h>

#include "../../kmod/model/pmu/event.h"
#include "internal.h"

int montecito_open(const struct montecito_options *opt, struct montecito **res)
{
	const struct montecito_model *model;
	struct montecito_options o;
	int err = SIZED_TAKE(&o, opt, name);

	if (err)
		return err;
	if (o.device)
		return device_open(&o, res);
	err = model_find(&model);
	return err ? err : model->open(&o, res);
}

void montecito_close(struct montecito *m)
{
	if (!m)
		return;
	free(m->strict);
	m->ops->close(m);
}

int montecito_info(const char *device, struct montecito_info *info)
{
	const struct montecito_model *model;
	int err;

	*info = (struct montecito_info){ .size = sizeof(*info) };
	if (device)
		return device_info(device, info);
	err = model_find(&model);
	return err ? err : model->info(info);
}

int montecito_machine_info(struct montecito *m, struct montecito_machine_info *info)
{
	*info = (struct montecito_machine_info){ .size = sizeof(*info) };
	return m->ops->machine(m, MONTECITO_CMD_MACHINE_INFO, info);
}

unsigned int montecito_nr_vcpus(const struct montecito *m)
{
	return m->nr_vcpus;
}

void *montecito_at(struct montecito *m, uint64_t pa, uint64_t len)
{
	return machine_at(m, pa, len);
}

void *montecito_memory(struct montecito *m, uint64_t *size)
{
	*size = m->region[0].r.addr ? 0 : m->region[0].r.length;
	return montecito_at(m, 0, *size);
}

void montecito_mmio_complete(struct montecito *m, unsigned int vcpu, const uint64_t data[2])
{
	m->mmio = true;
	m->mmio_vcpu = vcpu;
	m->mmio_data[0] = data[0];
	m->mmio_data[1] = data[1];
}

int montecito_invalidate(struct montecito *m, uint64_t pa, uint64_t len)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = pa,
		.length = len,
	};

	return m->ops->machine(m, MONTECITO_CMD_MEM_INVALIDATE, &mem);
}

int montecito_run(struct montecito *m, uint64_t insns, uint64_t cycles, struct montecito_run *run)
{
	return montecito_run_until(m, insns, cycles, 0, 0, run);
}

int montecito_run_until(struct montecito *m, uint64_t insns, uint64_t cycles, uint32_t flags,
			uint64_t until, struct montecito_run *run)
{
	*run = (struct montecito_run){
		.size = sizeof(*run),
		.flags = flags,
		.insns = insns,
		.cycles = cycles,
		.until = until,
	};
	if (m->mmio) {
		run->flags |= MONTECITO_RUN_MMIO_DATA;
		run->mmio_vcpu = m->mmio_vcpu;
		run->mmio_data[0] = m->mmio_data[0];
		run->mmio_data[1] = m->mmio_data[1];
		m->mmio = false;
	}
	return m->debug ? m->debug(m, run, m->debug_arg) : montecito_run_raw(m, run);
}

int montecito_run_raw(struct montecito *m, struct montecito_run *run)
{
	return m->ops->machine(m, MONTECITO_CMD_RUN, run);
}

void montecito_debug(struct montecito *m,
		     int (*run)(struct montecito *m, struct montecito_run *run, void *arg),
		     void *arg)
{
	m->debug = run;
	m->debug_arg = arg;
}

long montecito_console(struct montecito *m, void *buf, size_t len)
{
	struct montecito_console con = {
		.size = sizeof(con),
		.length = len,
		.data = (uintptr_t)buf,
	};
	int err = m->ops->machine(m, MONTECITO_CMD_CONSOLE, &con);

	return err ? err : (long)con.length;
}

int montecito_save(struct montecito *m, void **blob, size_t *len)
{
	struct montecito_state st = { .size = sizeof(st) };
	int err = m->ops->machine(m, MONTECITO_CMD_SAVE, &st);
	void *p;

	if (err)
		return err;
	p = malloc(st.length);
	if (!p)
		return -ENOMEM;
	st.data = (uintptr_t)p;
	err = m->ops->machine(m, MONTECITO_CMD_SAVE, &st);
	if (err) {
		free(p);
		return err;
	}
	*blob = p;
	*len = st.length;
	return 0;
}

int montecito_restore(struct montecito *m, const void *blob, size_t len)
{
	struct montecito_state st = {
		.size = sizeof(st),
		.length = len,
		.data = (uintptr_t)blob,
	};

	int err = m->ops->machine(m, MONTECITO_CMD_RESTORE, &st);

	/* An answer was for what was there before. */
	if (!err)
		m->mmio = false;
	return err;
}

int montecito_hash(struct montecito *m, uint64_t *hash)
{
	struct montecito_hash h = { .size = sizeof(h) };
	int err = m->ops->machine(m, MONTECITO_CMD_HASH, &h);

	*hash = h.hash;
	return err;
}

int montecito_param_get(struct montecito *m, struct montecito_param *p)
{
	p->size = sizeof(*p);
	return m->ops->machine(m, MONTECITO_CMD_PARAM_GET, p);
}

int montecito_param_set(struct montecito *m, struct montecito_param *p)
{
	p->size = sizeof(*p);
	return m->ops->machine(m, MONTECITO_CMD_PARAM_SET, p);
}

uint32_t montecito_has(struct montecito *m)
{
	struct montecito_param castouts = { .name = "bus.castouts" };
	uint32_t has = m->timed ? MONT_HAS_TIME : 0;

	if (m->timed && !montecito_param_get(m, &castouts) && castouts.value)
		has |= MONT_HAS_CASTOUTS;
	if (m->cores > 1)
		has |= MONT_HAS_CORES;
	return has;
}

const char *montecito_broken(const struct montecito *m)
{
	const char *what = m->ops->broken ? m->ops->broken(m) : NULL;

	return what ? what : "the kernel's log says where";
}
