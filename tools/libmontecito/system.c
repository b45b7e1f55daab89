// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A system runs: MMIO and firmware exits find their servers, and the console's
 * line is looked at each millisecond of the guest's time.
 *
 * Input that is not live enters at times that its bytes alone decide. Bytes of
 * a line follow each other as fast as the guest takes them. A new line begins
 * only when the guest has been idle for a while: then whatever it had to say
 * has been said, and the system waits for its caller's data.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/firmware.h"

/* A tick with fewer instructions than this is an idle one. */
#define IDLE_INSNS (SYSTEM_TICK / 8)
/* Number of idle ticks after which the guest waits for its next line of input. */
#define IDLE_TICKS 100
/* Idle ticks with the input ended after which the guest waits for nothing. */
#define IDLE_FOR_GOOD (600 * 1000ULL)
/* Ticks without an instruction while a processor is awake: nothing goes on. */
#define STUCK_TICKS 16

/* Linux's last words: what they say of its end. It may go on taking timer interrupts. */
static const struct {
	const char text[SYSTEM_LAST_WORDS_SIZE];
	enum montecito_end end;
	const char *why;
} last_words[SYSTEM_LAST_WORDS] = {
	{ "end Kernel panic", MONTECITO_END_PANIC, "the kernel panicked" },
	{ "reboot: System halted", MONTECITO_END_HALT, "the kernel halted for good" },
};

void system_end(struct montecito_system *s, enum montecito_end end, const char *why)
{
	s->end = end;
	snprintf(s->why, sizeof(s->why), "%s", why ? why : "");
}

void system_interrupt(struct montecito_system *s, uint32_t id, uint32_t vector)
{
	unsigned int v;
	uint64_t lid;

	/* An interrupt that cannot be delivered is lost, as on the bus. */
	for (v = 0; v < montecito_nr_vcpus(s->m); v++)
		if (!montecito_get_reg(s->m, v, MONTECITO_REG_CR, 64, &lid) &&
		    (lid >> 16 & 0xffff) == id)
			(void)montecito_irq(s->m, v, vector);
}

bool system_match_valid(unsigned int n, uint32_t match)
{
	return match < strlen(last_words[n].text);
}

void system_output(struct montecito_system *s, uint8_t byte)
{
	unsigned int i;

	for (i = 0; i < SYSTEM_LAST_WORDS; i++) {
		const char *text = last_words[i].text;
		uint32_t *match = &s->s.match[i];

		/* No beginning of a text comes again within it. */
		if (byte == (uint8_t)text[*match])
			++*match;
		else
			*match = byte == (uint8_t)text[0];
		if (!text[*match]) {
			s->s.said = i + 1;
			*match = 0;
		}
	}
	if (s->opt.output)
		s->opt.output(s->opt.arg, byte);
}

static const struct {
	uint64_t base, span;
	uint64_t (*read)(struct montecito_system *s, uint64_t offset, unsigned int length);
	void (*write)(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v);
} devices[] = {
	{ UART_BASE, UART_SPAN, uart_read, uart_write },
	{ IOSAPIC_BASE, IOSAPIC_SPAN, iosapic_read, iosapic_write },
	{ IOPORT_BASE, IOPORT_SPAN, ioport_read, ioport_write },
};

static void system_mmio(struct montecito_system *s, const struct montecito_exit *x)
{
	/* Where no device is, stores are lost and loads find ones. */
	uint64_t data[2] = { ~0ULL, ~0ULL };
	size_t i;

	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if (x->mmio.addr - devices[i].base >= devices[i].span)
			continue;
		s->vcpu = x->vcpu;
		if (x->mmio.write)
			devices[i].write(s, x->mmio.addr - devices[i].base, x->mmio.length,
					 x->mmio.data[0]);
		else
			data[0] =
				devices[i].read(s, x->mmio.addr - devices[i].base, x->mmio.length);
		break;
	}
	if (!x->mmio.write)
		montecito_mmio_complete(s->m, x->vcpu, data);
}

static void system_take_console(struct montecito_system *s)
{
	char buf[4096];
	long n, i;

	while ((n = montecito_console(s->m, buf, sizeof(buf))) > 0)
		for (i = 0; i < n; i++)
			system_output(s, buf[i]);
}

/* The next byte of input, or MONTECITO_INPUT_*. */
static int system_input(struct montecito_system *s, bool wait)
{
	int c;

	if (s->s.input_ended || !s->opt.input)
		return MONTECITO_INPUT_END;
	c = s->opt.input(s->opt.arg, wait);
	if (c == MONTECITO_INPUT_END)
		s->s.input_ended = 1;
	else if (c >= 0)
		s->s.received++;
	return c;
}

/* Let in what the line has for the guest. */
static void system_receive(struct montecito_system *s)
{
	int c;

	while (uart_wants_input(&s->s.uart)) {
		if (!s->opt.live && !s->s.in_line && s->s.idle < IDLE_TICKS)
			return;
		c = system_input(s, !s->opt.live);
		if (c < 0)
			return;
		uart_receive(s, c);
		s->s.in_line = c != '\n' && c != '\r';
		s->s.idle = 0;
	}
}

static bool system_awake(struct montecito_system *s)
{
	unsigned int v;
	uint64_t halted;

	for (v = 0; v < montecito_nr_vcpus(s->m); v++)
		if (!montecito_get_reg(s->m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED,
				       &halted) &&
		    !halted)
			return true;
	return false;
}

/* A millisecond is over. */
static bool system_tick(struct montecito_system *s)
{
	uint64_t n = s->s.insns - s->s.tick_insns;

	s->s.tick += SYSTEM_TICK;
	s->s.tick_insns = s->s.insns;
	s->s.idle = n < IDLE_INSNS ? s->s.idle + 1 : 0;
	if (s->s.said) {
		system_end(s, last_words[s->s.said - 1].end, last_words[s->s.said - 1].why);
		return true;
	}
	if (!n && s->s.idle > STUCK_TICKS && system_awake(s)) {
		system_end(s, MONTECITO_END_STUCK, "no instruction retires any more");
		return true;
	}
	system_receive(s);
	if (s->s.input_ended && s->s.idle > IDLE_FOR_GOOD) {
		system_end(s, MONTECITO_END_INPUT, "the guest waits for input, which has ended");
		return true;
	}
	return !s->opt.tick || s->opt.tick(s->opt.arg, s->s.now * 5 / 8, s->s.idle > 1);
}

/* Every processor halted without a timer: only input can wake one. */
static void system_halted(struct montecito_system *s)
{
	uint64_t idle = s->s.idle;

	if (uart_wants_input(&s->s.uart) && !s->s.input_ended) {
		int c = system_input(s, true);

		if (c >= 0) {
			uart_receive(s, c);
			return;
		}
		if (c == MONTECITO_INPUT_NONE) {
			s->stop = true;
			return;
		}
	}
	s->s.idle = idle;
	system_end(s, MONTECITO_END_HALT, "every processor halted for good");
}

static int system_handle(struct montecito_system *s, const struct montecito_exit *x)
{
	char why[sizeof(s->why)];

	switch (x->reason) {
	case MONTECITO_EXIT_BUDGET:
	case MONTECITO_EXIT_CONSOLE:
	case MONTECITO_EXIT_SIGNAL:
	case MONTECITO_EXIT_UNTIL:
		return 0;
	case MONTECITO_EXIT_MMIO:
		system_mmio(s, x);
		return 0;
	case MONTECITO_EXIT_FIRMWARE:
		return firmware_call(s, x->vcpu, x->iim);
	case MONTECITO_EXIT_HALT:
		system_halted(s);
		return 0;
	case MONTECITO_EXIT_SHUTDOWN:
		system_end(s, MONTECITO_END_POWEROFF, NULL);
		return 0;
	case MONTECITO_EXIT_BROKEN:
		snprintf(why, sizeof(why), "the model contradicts itself: %s",
			 montecito_broken(s->m));
		system_end(s, MONTECITO_END_STOPPED, why);
		return 0;
	default:
		s->vcpu = x->vcpu;
		snprintf(why, sizeof(why),
			 "the machine stopped (reason %u, vector 0x%x, address 0x%" PRIx64 ")",
			 x->reason, x->vector, (uint64_t)x->ifa);
		system_end(s, MONTECITO_END_STOPPED, why);
		return 0;
	}
}

/* How far the next RUN may go. */
static uint64_t system_slice(struct montecito_system *s)
{
	uint64_t left = s->s.tick - s->s.now, n;

	if (!s->opt.slice)
		return left;
	n = s->opt.slice(s->opt.arg);
	return n && n < left ? n : left;
}

int montecito_system_run(struct montecito_system *s, enum montecito_end *end)
{
	struct montecito_run r;
	int err;

	s->stop = false;
	while (!s->end && !s->stop) {
		if (s->s.now >= s->s.tick && !system_tick(s))
			break;
		if (s->end)
			break;
		if (s->opt.budget && s->s.insns >= s->opt.budget) {
			system_end(s, MONTECITO_END_BUDGET, NULL);
			break;
		}
		err = timed_run_advance(&s->region, s->m, s->s.insns);
		if (!err)
			err = timed_run_do(&s->region, s->m, s->s.insns,
					   s->opt.budget ? s->opt.budget - s->s.insns : 0,
					   system_slice(s), &r);
		if (err)
			return err;
		s->s.now += r.exit.cycles;
		s->s.insns += r.exit.insns;
		system_take_console(s);
		if (r.uncounted && s->opt.uncounted)
			s->opt.uncounted(s->opt.arg, r.uncounted_vcpu, r.uncounted);
		err = system_handle(s, &r.exit);
		if (err)
			return err;
		if (r.exit.reason == MONTECITO_EXIT_SIGNAL)
			break;
	}
	*end = s->end;
	return 0;
}

int montecito_system_region(struct montecito_system *s, const struct montecito_timed_region *r)
{
	return timed_run_set(&s->region, r);
}

const char *montecito_system_why(const struct montecito_system *s, unsigned int *vcpu)
{
	*vcpu = s->vcpu;
	return s->why;
}

void montecito_system_time(const struct montecito_system *s, uint64_t *cycles, uint64_t *insns)
{
	*cycles = s->s.now;
	*insns = s->s.insns;
}

unsigned int montecito_system_regions(uint64_t memory, struct montecito_region *r)
{
	r[0] = (struct montecito_region){ .length = memory };
	r[1] = (struct montecito_region){
		.addr = CHIPSET_BASE,
		.length = CHIPSET_SPAN,
		.flags = MONTECITO_REGION_MMIO,
	};
	r[2] = (struct montecito_region){
		.addr = IOPORT_BASE,
		.length = IOPORT_SPAN,
		.flags = MONTECITO_REGION_MMIO,
	};
	return MONTECITO_SYSTEM_REGIONS;
}

int montecito_system_open(struct montecito *m, const struct montecito_system_options *opt,
			  struct montecito_system **res)
{
	/* As firmware tells the processor: PAL_PLATFORM_ADDR of type 1. */
	static const uint64_t ports[4] = { 16, 1, IOPORT_BASE };
	struct montecito_system_options o;
	struct montecito_system *s;
	uint64_t ret[4];
	int err = SIZED_TAKE(&o, opt, uncounted);

	if (!err)
		err = montecito_pal(m, 0, ports, ret);
	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->m = m;
	s->opt = o;
	s->s.tick = SYSTEM_TICK;
	iosapic_reset(&s->s.iosapic);
	uart_reset(&s->s.uart);
	acpi_pm_reset(&s->s.pm);
	*res = s;
	return 0;
}

void montecito_system_close(struct montecito_system *s)
{
	free(s);
}
