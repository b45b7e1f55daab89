// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sample's way to perf.
 *
 * perf exports no function for the overflow of an event, only one for a list of events
 * that a tracepoint has: perf_tp_event(). Each active event of ours is the only one of a
 * list of its own. Periods, rings, limits and inheritance are perf's from there on.
 * Nothing promises that: what it does is tried when the module is loaded, and where that
 * fails events may count, but have no period.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/trace_events.h>

#include "perf.h"

/* Result of the self-test at module load: sampling works on this kernel. */
bool mhost_perf_sampling;

static bool mhost_perf_sampling_wanted = true;
module_param_named(perf_sampling, mhost_perf_sampling_wanted, bool, 0444);
MODULE_PARM_DESC(perf_sampling,
		 "let perf's events have a period (default: if the self-test passes)");

#ifdef CONFIG_EVENT_TRACING

/* Registers of which perf shows the ip, as that of a user's code: it is no host kernel's. */
static void mhost_perf_regs(struct pt_regs *regs, u64 ip)
{
	memset(regs, 0, sizeof(*regs));
	instruction_pointer_set(regs, ip);
#ifdef CONFIG_X86
	regs->cs = __USER_CS;
	regs->ss = __USER_DS;
	regs->flags = X86_EFLAGS_FIXED;
#endif
}

/*
 * One sample of an event that is active on this CPU; interrupts off. perf counts what it
 * is told of here: let it not, @period is in what the slice will add.
 */
static void mhost_perf_deliver(struct mhost_perf_event *p, struct montecito_perf_sample *s,
			       u64 period)
{
	struct hw_perf_event *hw = &p->event->hw;
	struct pt_regs regs;
	int rctx;

	BUILD_BUG_ON(sizeof(struct trace_entry) > sizeof(s->host));
	lockdep_assert_irqs_disabled();
	rctx = perf_swevent_get_recursion_context();
	if (rctx < 0)
		return;
	mhost_perf_regs(&regs, s->ip | s->slot);
	/* Present the period that has ended to perf, which may have set the next one already. */
	hw->last_period = period;
	local64_set(&hw->period_left, -(s64)period);
	rcu_read_lock();
	perf_tp_event(0, period, s, sizeof(*s), &regs, &p->alone, rctx, NULL);
	rcu_read_unlock();
	local64_sub(period, &p->event->count);
}

/*
 * The event of @p's family that is active here, or NULL. perf may give the contexts of
 * two tasks that were inherited from one to each other instead of switching them: then
 * the slice has counted for what is now the other's.
 */
static struct mhost_perf_event *mhost_perf_relative(const struct mhost_perf_event *p)
{
	const struct mhost_perf_event *head = p->parent ?: p;
	struct mhost_perf_event *q;

	list_for_each_entry(q, &this_cpu_ptr(&mhost_perf_cpus)->active, link)
		if (q == head || q->parent == head)
			return q;
	return NULL;
}

/**
 * mhost_perf_overflow() - an observer's period has ended
 * @p: the event that it counts for
 * @s: the sample
 * @period: that period
 *
 * An event that was stopped since the slice began has no samples any more.
 */
void mhost_perf_overflow(struct mhost_perf_event *p, struct montecito_perf_sample *s, u64 period)
{
	unsigned long flags;

	local_irq_save(flags);
	if (READ_ONCE(p->cpu) != smp_processor_id())
		p = mhost_perf_relative(p);
	if (p)
		mhost_perf_deliver(p, s, period);
	local_irq_restore(flags);
}

/* ---- the self-test ---- */

#define MHOST_PERF_TEST_PERIOD 7
#define MHOST_PERF_TEST_IP 0x4000000000000120ULL

/**
 * struct mhost_perf_trial - samples of the self-test
 * @event: has them
 * @sent: how many were sent
 * @came: how many came, each once and as it was sent
 * @wrong: how many did not
 */
struct mhost_perf_trial {
	struct perf_event *event;
	u32 sent;
	u32 came;
	u32 wrong;
};

static void mhost_perf_trial_came(struct perf_event *event, struct perf_sample_data *data,
				  struct pt_regs *regs)
{
	struct mhost_perf_trial *t = event->overflow_handler_context;
	const struct montecito_perf_sample *s = data->raw->frag.data;

	if (t->came + 1 == t->sent && s->machine == t->sent && user_mode(regs) &&
	    instruction_pointer(regs) == (MHOST_PERF_TEST_IP | 2) &&
	    data->raw->frag.size == sizeof(*s) && data->period == MHOST_PERF_TEST_PERIOD)
		t->came++;
	else
		t->wrong++;
}

/* On the event's CPU, interrupts off. */
static void mhost_perf_trial_send(void *info)
{
	struct mhost_perf_trial *t = info;
	struct mhost_perf_event *p = t->event->pmu_private;

	while (p->cpu == smp_processor_id() && t->sent < 3) {
		struct montecito_perf_sample s = {
			.machine = ++t->sent,
			.ip = MHOST_PERF_TEST_IP,
			.slot = 2,
		};

		mhost_perf_deliver(p, &s, MHOST_PERF_TEST_PERIOD);
	}
}

/**
 * mhost_perf_is_test() - tell the self-test's own event from others
 * @event: event of this PMU
 *
 * Return: true if it is the self-test's.
 */
bool mhost_perf_is_test(const struct perf_event *event)
{
	return event->overflow_handler == mhost_perf_trial_came;
}

/**
 * mhost_perf_test() - find out whether events can have a period
 * @type: the PMU's
 */
void mhost_perf_test(u32 type)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = 0x08, /* IA64_INST_RETIRED.THIS */
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW,
		.sample_period = MHOST_PERF_TEST_PERIOD,
	};
	struct mhost_perf_trial t = {};
	int cpu = raw_smp_processor_id();
	u64 count, enabled, running;

	if (!mhost_perf_sampling_wanted)
		return;
	t.event = perf_event_create_kernel_counter(&attr, cpu, NULL, mhost_perf_trial_came, &t);
	if (!IS_ERR(t.event)) {
		smp_call_function_single(cpu, mhost_perf_trial_send, &t, 1);
		count = perf_event_read_value(t.event, &enabled, &running);
		perf_event_release_kernel(t.event);
		mhost_perf_sampling = t.came == 3 && !t.wrong && !count;
	}
	if (!mhost_perf_sampling)
		pr_warn("montecito: perf's events have no period: this kernel does not take samples\n");
}

#else

void mhost_perf_overflow(struct mhost_perf_event *p, struct montecito_perf_sample *s, u64 period)
{
}

bool mhost_perf_is_test(const struct perf_event *event)
{
	return false;
}

void mhost_perf_test(u32 type)
{
}

#endif
