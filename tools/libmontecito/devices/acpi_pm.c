// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * I/O ports (SDM volume 2, 10.7) and what is there: the fixed ACPI registers
 * for power-off, and the reset register (ACPI 3.0, 4.7.3).
 */
#include <string.h>

#include "../platform.h"

#define CNT_SCI_EN 0x0001
#define CNT_SLP_TYP_SHIFT 10
#define CNT_SLP_TYP (7 << CNT_SLP_TYP_SHIFT)
#define CNT_SLP_EN 0x2000

void acpi_pm_reset(struct acpi_pm *pm)
{
	memset(pm, 0, sizeof(*pm));
	/* There is no other mode to be in. */
	pm->control = CNT_SCI_EN;
}

bool acpi_pm_valid(const struct acpi_pm *pm)
{
	return !pm->status && (pm->control & ~CNT_SLP_TYP) == CNT_SCI_EN && !pm->pad;
}

/* The port whose bytes are at @offset of the ports' memory. */
static unsigned int acpi_pm_port_of(uint64_t offset)
{
	return (offset >> 12) << 2 | (offset & 3);
}

static uint16_t *acpi_pm_port_register(struct acpi_pm *pm, unsigned int port)
{
	switch (port) {
	case PM1A_EVENT_PORT:
		return &pm->status;
	case PM1A_EVENT_PORT + 2:
		return &pm->enable;
	case PM1A_CONTROL_PORT:
		return &pm->control;
	default:
		return NULL;
	}
}

uint64_t ioport_read(struct montecito_system *s, uint64_t offset, unsigned int length)
{
	const uint16_t *reg = acpi_pm_port_register(&s->s.pm, acpi_pm_port_of(offset));

	/* The other ports have no device. */
	return reg && length == 2 ? *reg : ~0ULL;
}

void ioport_write(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v)
{
	unsigned int port = acpi_pm_port_of(offset);
	uint16_t *reg = acpi_pm_port_register(&s->s.pm, port);

	if (port == RESET_PORT && length == 1 && v == RESET_VALUE) {
		system_end(s, MONTECITO_END_RESET, "the guest wrote the reset register");
		return;
	}
	if (!reg || length != 2)
		return;
	if (reg == &s->s.pm.status) {
		*reg &= ~v;
	} else if (reg == &s->s.pm.enable) {
		*reg = v;
	} else {
		*reg = (v & CNT_SLP_TYP) | CNT_SCI_EN;
		/* Other states than soft-off are not offered. */
		if ((v & CNT_SLP_EN) && (v & CNT_SLP_TYP) >> CNT_SLP_TYP_SHIFT == SLP_TYP_S5)
			system_end(s, MONTECITO_END_POWEROFF, NULL);
	}
}
