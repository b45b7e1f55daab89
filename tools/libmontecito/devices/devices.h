/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The platform's devices as libmontecito plays them: few, and by their books.
 * A device is a plain state, which a saved machine carries, and functions that
 * serve its registers. Included by platform.h.
 */
#ifndef LIBMONTECITO_DEVICES_H
#define LIBMONTECITO_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct montecito_system;

/* Where they are (assumption: no such board was built). */
#define CHIPSET_BASE 0xfe000000ULL /* up to the processors' interrupt block */
#define CHIPSET_SPAN 0xe00000ULL
#define UART_BASE 0xfea00000ULL
#define UART_SPAN 0x1000ULL
#define IOSAPIC_BASE 0xfec00000ULL
#define IOSAPIC_SPAN 0x1000ULL

/* I/O ports: 64 MB of memory, a port in each fourth byte group (SDM 2, 10.7). */
#define IOPORT_BASE 0x3fffc000000ULL
#define IOPORT_SPAN 0x4000000ULL

/* ACPI registers among the I/O ports. */
#define PM1A_EVENT_PORT 0x400
#define PM1A_EVENT_LENGTH 4
#define PM1A_CONTROL_PORT 0x404
#define PM1A_CONTROL_LENGTH 2
#define RESET_PORT 0x408
#define RESET_VALUE 6

/* Sleep type of the soft-off state, as \_S5 tells it. */
#define SLP_TYP_S5 5

/* Global system interrupts. */
#define SCI_GSI 9
#define UART_GSI 16

/* ---- iosapic.c ---- */

#define IOSAPIC_ENTRIES 24

/**
 * struct iosapic - the I/O SAPIC
 * @select: register that the window shows
 * @line: level of each input, bit n for input n
 * @remote: inputs whose level-triggered interrupt waits for its end
 * @rte: redirection table
 */
struct iosapic {
	uint32_t select;
	uint32_t line;
	uint32_t remote;
	uint32_t pad;
	uint64_t rte[IOSAPIC_ENTRIES];
};

void iosapic_reset(struct iosapic *io);
/* True if @io can be the state of an I/O SAPIC. */
bool iosapic_valid(const struct iosapic *io);
uint64_t iosapic_read(struct montecito_system *s, uint64_t offset, unsigned int length);
void iosapic_write(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v);
/* Input @gsi is high (@level true) or low from now on. */
void iosapic_line(struct montecito_system *s, unsigned int gsi, bool level);

/* ---- uart.c ---- */

#define UART_FIFO 16

/**
 * struct uart - a 16550A
 * @ier: interrupt enable
 * @fcr: FIFO control
 * @lcr: line control
 * @mcr: modem control
 * @scr: scratch
 * @msr: modem status, delta bits included
 * @lsr: line status, error bits only
 * @thre: the transmitter became empty and the guest has not been told
 * @divisor: baud rate
 * @count: bytes in the receive FIFO
 * @head: its first byte
 * @fifo: its bytes
 */
struct uart {
	uint8_t ier;
	uint8_t fcr;
	uint8_t lcr;
	uint8_t mcr;
	uint8_t scr;
	uint8_t msr;
	uint8_t lsr;
	uint8_t thre;
	uint16_t divisor;
	uint8_t count;
	uint8_t head;
	uint32_t pad;
	uint8_t fifo[UART_FIFO];
};

void uart_reset(struct uart *u);
/* True if @u can be the state of a 16550. */
bool uart_valid(const struct uart *u);
uint64_t uart_read(struct montecito_system *s, uint64_t offset, unsigned int length);
void uart_write(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v);
/* True if the guest has enabled the receiver and there is room for a byte. */
bool uart_wants_input(const struct uart *u);
/* A byte came in over the line. */
void uart_receive(struct montecito_system *s, uint8_t byte);

/* ---- acpi_pm.c ---- */

/**
 * struct acpi_pm - the fixed ACPI registers
 * @status: PM1a status
 * @enable: PM1a enable
 * @control: PM1a control
 */
struct acpi_pm {
	uint16_t status;
	uint16_t enable;
	uint16_t control;
	uint16_t pad;
};

void acpi_pm_reset(struct acpi_pm *pm);
/* True if @pm can be the state of the ACPI timer and its registers. */
bool acpi_pm_valid(const struct acpi_pm *pm);
/* Any I/O port; @offset is into the memory of IOPORT_BASE. */
uint64_t ioport_read(struct montecito_system *s, uint64_t offset, unsigned int length);
void ioport_write(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v);

#endif
