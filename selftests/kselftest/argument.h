/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments of all ioctls of the device. */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include <stdint.h>
#include <linux/montecito.h>

union argument {
	unsigned char b[8192]; /* more than the kernel looks at */
	uint32_t w32[4096 / 4];
	uint64_t w64[4096 / 8];
	struct {
		uint32_t size;
		uint32_t flags; /* of those that have any */
	};
	struct montecito_info info;
	struct montecito_create create;
	struct montecito_machine_info machine_info;
	struct montecito_mem mem;
	struct montecito_state state;
	struct montecito_hash hash;
	struct montecito_run run;
	struct montecito_vcpu vcpu;
	struct montecito_console console;
	struct montecito_param param;
	struct montecito_regs regs;
	struct montecito_pal pal;
	struct montecito_irq irq;
	struct montecito_tc_insert tc_insert;
	struct montecito_tc_purge tc_purge;
	struct montecito_translate translate;
	struct montecito_observer_add observer_add;
	struct montecito_observer_del observer_del;
	struct montecito_observer_read observer_read;
	struct montecito_ring ring;
	struct montecito_eventfd eventfd;
	struct montecito_pmu_sampling pmu_sampling;
	struct montecito_table_read table_read;
	struct montecito_cycles cycles;
	struct montecito_trace trace;
	struct montecito_pmu_add pmu_add;
	struct montecito_pmu_del pmu_del;
	struct montecito_pmu_regs pmu_regs;
	struct montecito_pmu_describe pmu_describe;
};

#endif
