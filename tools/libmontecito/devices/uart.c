// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The console's UART (National Semiconductor PC16550D data sheet). Sending
 * takes no time; a receive time-out comes at once (assumptions).
 */
#include <string.h>

#include "../platform.h"

/* Registers; the first two are the divisor while LCR.DLAB is set. */
#define RBR_THR 0
#define IER 1
#define IIR_FCR 2
#define LCR 3
#define MCR 4
#define LSR 5
#define MSR 6
#define SCR 7

#define IER_RDA 0x01
#define IER_THRE 0x02
#define IER_RLS 0x04
#define IER_MS 0x08

#define IIR_NONE 0x01
#define IIR_THRE 0x02
#define IIR_RDA 0x04
#define IIR_RLS 0x06
#define IIR_TIMEOUT 0x0c
#define IIR_FIFOS 0xc0

#define FCR_ENABLE 0x01
#define FCR_CLEAR_RX 0x02

#define LCR_DLAB 0x80

#define MCR_DTR 0x01
#define MCR_RTS 0x02
#define MCR_OUT1 0x04
#define MCR_OUT2 0x08
#define MCR_LOOP 0x10

#define LSR_DR 0x01
#define LSR_OE 0x02
#define LSR_ERRORS 0x1e
#define LSR_THRE 0x20
#define LSR_TEMT 0x40

#define MSR_CTS 0x10
#define MSR_DSR 0x20
#define MSR_RI 0x40
#define MSR_DCD 0x80
#define MSR_DELTA 0x0f

void uart_reset(struct uart *u)
{
	memset(u, 0, sizeof(*u));
	/* The other end is there and listens. */
	u->msr = MSR_CTS | MSR_DSR | MSR_DCD;
	u->thre = 1;
}

/* Cause of the interrupt, by priority; IIR_NONE for none. */
static uint8_t uart_cause(const struct uart *u)
{
	static const uint8_t trigger[4] = { 1, 4, 8, 14 };
	bool fifos = u->fcr & FCR_ENABLE;

	if ((u->ier & IER_RLS) && u->lsr)
		return IIR_RLS;
	if ((u->ier & IER_RDA) && u->count)
		return !fifos || u->count >= trigger[u->fcr >> 6] ? IIR_RDA : IIR_TIMEOUT;
	if ((u->ier & IER_THRE) && u->thre)
		return IIR_THRE;
	if ((u->ier & IER_MS) && (u->msr & MSR_DELTA))
		return 0;
	return IIR_NONE;
}

static void uart_update(struct montecito_system *s)
{
	iosapic_line(s, UART_GSI, uart_cause(&s->s.uart) != IIR_NONE);
}

static unsigned int uart_room(const struct uart *u)
{
	return (u->fcr & FCR_ENABLE ? UART_FIFO : 1) - u->count;
}

bool uart_wants_input(const struct uart *u)
{
	return (u->ier & IER_RDA) && !(u->mcr & MCR_LOOP) && uart_room(u);
}

bool uart_valid(const struct uart *u)
{
	bool fifos = u->fcr & FCR_ENABLE;

	return !(u->ier & 0xf0) && !(u->fcr & ~0xc9) && (fifos || !u->fcr) && !(u->mcr & 0xe0) &&
	       !(u->lsr & ~LSR_OE) && u->thre <= 1 && u->count <= (fifos ? UART_FIFO : 1) &&
	       u->head < UART_FIFO && !u->pad;
}

static void uart_push(struct uart *u, uint8_t byte)
{
	if (!uart_room(u)) {
		u->lsr |= LSR_OE;
		return;
	}
	u->fifo[(u->head + u->count) % UART_FIFO] = byte;
	u->count++;
}

void uart_receive(struct montecito_system *s, uint8_t byte)
{
	uart_push(&s->s.uart, byte);
	uart_update(s);
}

static uint8_t uart_pop(struct uart *u)
{
	uint8_t byte = u->fifo[u->head];

	if (u->count) {
		u->head = (u->head + 1) % UART_FIFO;
		u->count--;
	}
	return byte;
}

/* Modem status of the lines @lines, with what changed. */
static void uart_modem_lines(struct uart *u, uint8_t lines)
{
	uint8_t changed = (u->msr ^ lines) & 0xf0;

	/* Ring indicator tells its trailing edge only. */
	if ((changed & MSR_RI) && (lines & MSR_RI))
		changed &= ~MSR_RI;
	u->msr = lines | (u->msr & MSR_DELTA) | changed >> 4;
}

static void uart_modem_control(struct uart *u, uint8_t v)
{
	u->mcr = v & 0x1f;
	if (v & MCR_LOOP)
		uart_modem_lines(u, (v & MCR_RTS ? MSR_CTS : 0) | (v & MCR_DTR ? MSR_DSR : 0) |
					    (v & MCR_OUT1 ? MSR_RI : 0) |
					    (v & MCR_OUT2 ? MSR_DCD : 0));
	else
		uart_modem_lines(u, MSR_CTS | MSR_DSR | MSR_DCD);
}

static void uart_fifo_control(struct uart *u, uint8_t v)
{
	/* A change of mode clears the FIFOs, too. */
	if (((u->fcr ^ v) & FCR_ENABLE) || (v & FCR_CLEAR_RX)) {
		u->count = 0;
		u->head = 0;
	}
	u->fcr = v & FCR_ENABLE ? v & 0xc9 : 0;
}

static uint8_t uart_read_reg(struct uart *u, unsigned int reg)
{
	uint8_t v;

	switch (reg) {
	case RBR_THR:
		return u->lcr & LCR_DLAB ? u->divisor & 0xff : uart_pop(u);
	case IER:
		return u->lcr & LCR_DLAB ? u->divisor >> 8 : u->ier;
	case IIR_FCR:
		v = uart_cause(u);
		if (v == IIR_THRE)
			u->thre = 0;
		return v | (u->fcr & FCR_ENABLE ? IIR_FIFOS : 0);
	case LCR:
		return u->lcr;
	case MCR:
		return u->mcr;
	case LSR:
		v = u->lsr | LSR_THRE | LSR_TEMT | (u->count ? LSR_DR : 0);
		u->lsr = 0;
		return v;
	case MSR:
		v = u->msr;
		u->msr &= ~MSR_DELTA;
		return v;
	default:
		return u->scr;
	}
}

static void uart_send(struct montecito_system *s, uint8_t byte)
{
	struct uart *u = &s->s.uart;

	if (u->mcr & MCR_LOOP)
		uart_push(u, byte);
	else
		system_output(s, byte);
	u->thre = 1;
}

static void uart_write_reg(struct montecito_system *s, unsigned int reg, uint8_t v)
{
	struct uart *u = &s->s.uart;

	switch (reg) {
	case RBR_THR:
		if (u->lcr & LCR_DLAB)
			u->divisor = (u->divisor & 0xff00) | v;
		else
			uart_send(s, v);
		break;
	case IER:
		if (u->lcr & LCR_DLAB) {
			u->divisor = (u->divisor & 0xff) | v << 8;
			break;
		}
		/* Enabled while empty: that is told again. */
		if (!(u->ier & IER_THRE) && (v & IER_THRE))
			u->thre = 1;
		u->ier = v & 0x0f;
		break;
	case IIR_FCR:
		uart_fifo_control(u, v);
		break;
	case LCR:
		u->lcr = v;
		break;
	case MCR:
		uart_modem_control(u, v);
		break;
	case SCR:
		u->scr = v;
		break;
	}
}

uint64_t uart_read(struct montecito_system *s, uint64_t offset, unsigned int length)
{
	uint64_t v = offset < 8 && length == 1 ? uart_read_reg(&s->s.uart, offset) : 0;

	uart_update(s);
	return v;
}

void uart_write(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v)
{
	if (offset < 8 && length == 1)
		uart_write_reg(s, offset, v);
	uart_update(s);
}
