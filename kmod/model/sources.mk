# SPDX-License-Identifier: GPL-2.0-only
# The model's sources, for the module and for userspace alike, relative to
# kmod/model.
MONT_MODEL_SRCS := \
	package.c work.c trace.c assert.c param.c registers.c raise.c hostview.c state.c \
	core/timed.c core/window.c core/wait.c core/retire.c core/time_state.c core/front_end.c core/prefetch.c core/wrong_path.c core/reference.c core/causes.c core/cycles.c core/group.c core/disperse.c core/operands.c core/predict.c core/branch_unit.c \
	core/functional.c core/thread.c core/step.c core/attention.c core/fetch.c core/execute.c \
	core/rse.c core/interruption.c core/psr.c core/sysregs.c \
	isa/decode.c isa/disasm.c isa/roles.c isa/mmedia.c isa/memops.c isa/branch.c \
	isa/system.c isa/regmove.c isa/translation.c \
	isa/fparith.c isa/fpcvt.c isa/fpmisc.c isa/fpparallel.c isa/fprecip.c \
	isa/fpexec.c isa/fpexec_move.c isa/fpexec_test.c \
	mem/tlb.c mem/utlb.c mem/vhpt.c mem/translate.c mem/probe.c mem/access.c \
	mem/speculation.c mem/backing_store.c mem/fetch.c mem/breakpoint.c mem/phys.c mem/mmio.c mem/alat.c \
	mem/bus.c mem/l3.c mem/l2d.c mem/l1d.c mem/l2i.c mem/l1i.c mem/l1tlb.c mem/memory_pipeline.c mem/coalesce.c mem/sizes.c mem/occupancy.c mem/consistent.c \
	platform/interrupts.c platform/devices.c \
	pmu/registers.c pmu/arm.c pmu/match.c pmu/countdown.c pmu/counter.c pmu/qualify.c pmu/tags.c pmu/observer.c pmu/event.c \
	pmu/data_ear.c pmu/insn_ear.c pmu/etb.c pmu/chain.c pmu/event_text.c pmu/constraints.c \
	pal/pal.c pal/memory.c pal/perfmon.c pal/processor.c
