# SPDX-License-Identifier: GPL-2.0-only
# The model's sources, for the module and for userspace alike, relative to
# kmod/model.
MONT_MODEL_SRCS := \
	package/package.c package/turns.c base/work.c event/trace.c event/assert.c package/param.c arch/registers.c event/signal.c event/raise.c package/hostview.c package/state.c package/arbiter.c package/bus.c package/snoop.c package/arrival.c package/tally.c package/inbox.c package/broadcast.c package/deliver.c \
	pipeline/timed.c pipeline/window.c pipeline/flight.c pipeline/wait.c pipeline/retire.c pipeline/time_state.c pipeline/threads.c pipeline/front_end.c pipeline/prefetch.c pipeline/wrong_path.c pipeline/reference.c pipeline/account.c pipeline/calendar.c pipeline/causes.c pipeline/cycles.c pipeline/group.c pipeline/memo.c pipeline/path.c pipeline/disperse.c pipeline/operands.c pipeline/predict.c pipeline/branch_unit.c \
	exec/functional.c exec/thread.c exec/step.c exec/attention.c exec/fetch.c exec/execute.c \
	arch/rse.c exec/interruption.c arch/psr.c arch/sysregs.c \
	isa/decode.c isa/disasm.c isa/roles.c isa/mmedia.c isa/memops.c isa/branch.c \
	isa/system.c isa/regmove.c isa/translation.c \
	isa/fparith.c isa/fpcvt.c isa/fpmisc.c isa/fpparallel.c isa/fprecip.c \
	isa/fpexec.c isa/fpexec_move.c isa/fpexec_test.c \
	mmu/tlb.c mmu/utlb.c mmu/vhpt.c mmu/translate.c mmu/keys.c mmu/probe.c memory/access.c \
	memory/speculation.c memory/backing_store.c mmu/fetch.c mmu/breakpoint.c memory/phys.c memory/mmio.c arch/alat.c \
	cache/l3.c cache/l2d.c cache/l1d.c cache/stores.c cache/l2i.c cache/l1i.c cache/l1tlb.c cache/memory_pipeline.c cache/coalesce.c cache/sizes.c cache/occupancy.c cache/consistent.c \
	platform/interrupts.c platform/devices.c \
	pmu/registers.c pmu/subscriber.c pmu/arm.c pmu/match.c pmu/countdown.c pmu/counter.c pmu/late.c pmu/filled.c pmu/qualify.c pmu/tags.c pmu/observer.c pmu/observer_watch.c pmu/filter.c pmu/block.c pmu/merced.c pmu/merced_qualify.c pmu/merced_ear.c pmu/merced_btb.c pmu/merced_loads.c pmu/merced_events.c pmu/pebs.c pmu/pebs_assist.c pmu/pebs_latency.c pmu/pebs_uncore.c pmu/pebs_events.c pmu/ev68a.c pmu/ev68a_events.c pmu/profileme.c pmu/event.c \
	pmu/data_ear.c pmu/insn_ear.c pmu/etb.c pmu/ip_ear.c pmu/chain.c pmu/event_text.c pmu/constraints.c \
	pal/pal.c pal/memory.c pal/perfmon.c pal/processor.c
