// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware as a whole: the state in which it leaves a machine to an operating
 * system (System Abstraction Layer Specification, 3.2; Linux/ia64's boot
 * protocol for the registers), and the way of a call from its stub to its server.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "firmware.h"

/* stubs.S, assembled ("make -C tools stubs"). */
static const uint8_t stubs[] = {
#include "stubs.inc"
};

#define AR_RSC 16
#define AR_BSPSTORE 18
#define GR_BOOT_PARAM 28

static int firmware_place(struct montecito *m, unsigned int vcpu, uint64_t ip)
{
	uint64_t stack = FW_STACKS + vcpu * FW_STACK_SIZE;
	int err = montecito_set_reg(m, vcpu, MONTECITO_REG_AR, AR_RSC, 0);

	if (!err)
		err = montecito_set_reg(m, vcpu, MONTECITO_REG_AR, AR_BSPSTORE, stack);
	if (!err)
		err = montecito_set_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, ip);
	return err;
}

int firmware_install(struct montecito_system *s, const struct boot_image *image, uint64_t entry)
{
	unsigned int nr = montecito_nr_vcpus(s->m), i;
	uint64_t memory;
	uint8_t *ram = montecito_memory(s->m, &memory);
	size_t map;
	int err;

	memset(ram + FW_BASE, 0, FW_END - FW_BASE);
	memcpy(ram + FW_CODE, stubs, sizeof(stubs));
	fw_efi_runtime_table(ram);
	fw_efi_system_table(ram);
	fw_sal_system_table(ram);
	fw_acpi_root(ram);
	fw_acpi_fadt(ram);
	fw_acpi_madt(ram, nr);
	fw_acpi_dsdt(ram);
	fw_acpi_spcr(ram);
	fw_hcdp(ram);
	map = fw_efi_memory_map(ram, memory, image);
	fw_boot_parameters(ram, map, image);
	err = montecito_invalidate(s->m, FW_BASE, FW_END - FW_BASE);
	for (i = 0; !err && i < nr; i++)
		err = firmware_place(s->m, i, i ? fw_stub(FIRMWARE_AP_WAIT) : entry);
	if (!err)
		err = montecito_set_reg(s->m, 0, MONTECITO_REG_GR, GR_BOOT_PARAM, FW_BOOT_PARAM);
	return err;
}

static bool firmware_serve(struct montecito_system *s, struct firmware_call *c)
{
	switch (c->service) {
	case FIRMWARE_SAL_PROC:
		return fw_sal_proc(s, c);
	case FIRMWARE_AP_WAIT:
		c->ret[0] = s->s.firmware.ap_entry;
		c->ret[1] = s->s.firmware.ap_gp;
		return true;
	default:
		return fw_efi_runtime(s, c);
	}
}

int firmware_call(struct montecito_system *s, unsigned int vcpu, uint64_t immediate)
{
	struct firmware_call c = { .vcpu = vcpu, .service = immediate - FIRMWARE_BREAK };
	unsigned int i;
	int err = 0;

	/* A caller with fewer arguments has a smaller frame. */
	for (i = 0; i < 8; i++)
		if (montecito_get_reg(s->m, vcpu, MONTECITO_REG_GR, 32 + i, &c.arg[i]))
			c.arg[i] = 0;
	if (!firmware_serve(s, &c)) {
		char why[sizeof(s->why)];

		if (c.service == FIRMWARE_BOOT_SERVICE)
			snprintf(why, sizeof(why), "the guest called an EFI boot service");
		else
			snprintf(why, sizeof(why), "firmware call %u (arguments 0x%llx 0x%llx)",
				 c.service, (unsigned long long)c.arg[0],
				 (unsigned long long)c.arg[1]);
		s->vcpu = vcpu;
		system_end(s, MONTECITO_END_UNSERVED, why);
		return 0;
	}
	for (i = 0; !err && i < 4; i++)
		err = montecito_set_reg(s->m, vcpu, MONTECITO_REG_GR, 8 + i, c.ret[i]);
	return err;
}
