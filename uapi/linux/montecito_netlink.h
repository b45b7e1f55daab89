/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Generic netlink family montecito. Made from
 * Documentation/netlink/specs/montecito.yaml by check_netlink_spec.py --write;
 * a test keeps them equal.
 */
#ifndef _UAPI_LINUX_MONTECITO_NETLINK_H
#define _UAPI_LINUX_MONTECITO_NETLINK_H

#define MONTECITO_NL_FAMILY_NAME "montecito"
#define MONTECITO_NL_FAMILY_VERSION 1

enum montecito_nl_attr {
	MONTECITO_NL_A_UNSPEC = 0,
	/* u32: number of the machine, 1 and up */
	MONTECITO_NL_A_MACHINE,
	/* u32: index of the vcpu, from 0 */
	MONTECITO_NL_A_VCPU,
	/* u32 */
	MONTECITO_NL_A_CORES,
	/* u32: threads of each core */
	MONTECITO_NL_A_THREADS,
	/* u32: MONTECITO_CFG_* bits */
	MONTECITO_NL_A_CONFIG,
	/* u32: the machine's owner, in the reader's user namespace */
	MONTECITO_NL_A_UID,
	/* u32 */
	MONTECITO_NL_A_NR_VCPUS,
	/* u64: bytes of guest memory */
	MONTECITO_NL_A_MEMORY,
	/* u8: 1 while a caller is in MONTECITO_RUN */
	MONTECITO_NL_A_RUNNING,
	/* u64: bundle address of the next instruction */
	MONTECITO_NL_A_IP,
	/* u64 */
	MONTECITO_NL_A_PSR,
	/* u64: instructions retired since reset */
	MONTECITO_NL_A_INSNS,
	/* u64: cycles since reset */
	MONTECITO_NL_A_CYCLES,
	/* u8 */
	MONTECITO_NL_A_HALTED,
	/* nest: a register; several make a batch that is done wholly or not at all */
	MONTECITO_NL_A_REG,
	/* s64 */
	MONTECITO_NL_A_PAL_STATUS,
	/* u64: result word of PAL_PERF_MON_INFO */
	MONTECITO_NL_A_PAL_INFO,
	/*
	 * binary: 16 words of 64 bits in host byte order; implemented PMCs, PMDs, PMDs that
	 * can count cycles and retirement, four words each
	 */
	MONTECITO_NL_A_PAL_MASKS,
	/* u64: overflow bits and freeze */
	MONTECITO_NL_A_PMC0,
	/* u64: bit n means that PMCn selects an event that is not counted */
	MONTECITO_NL_A_UNCOUNTED,
	/* u32: notifications of this machine withheld before this one */
	MONTECITO_NL_A_SUPPRESSED,
	MONTECITO_NL_A_PAD,

	__MONTECITO_NL_A_MAX,
	MONTECITO_NL_A_MAX = (__MONTECITO_NL_A_MAX - 1),
};

enum montecito_nl_reg {
	MONTECITO_NL_REG_UNSPEC = 0,
	/* u32: register number, 0..255 */
	MONTECITO_NL_REG_INDEX,
	/* u64 */
	MONTECITO_NL_REG_VALUE,
	MONTECITO_NL_REG_PAD,

	__MONTECITO_NL_REG_MAX,
	MONTECITO_NL_REG_MAX = (__MONTECITO_NL_REG_MAX - 1),
};

enum montecito_nl_cmd {
	/* List machines, all or one. */
	MONTECITO_NL_CMD_MACHINE_GET = 1,
	/* List vcpus, of all machines or of one, or one vcpu. */
	MONTECITO_NL_CMD_VCPU_GET,
	/* Read PMCs. */
	MONTECITO_NL_CMD_PMC_GET,
	/* Write PMCs, with the write masks of a mov at privilege level 0. */
	MONTECITO_NL_CMD_PMC_SET,
	/* Read PMDs. */
	MONTECITO_NL_CMD_PMD_GET,
	/* Write PMDs. */
	MONTECITO_NL_CMD_PMD_SET,
	/* What PAL_PERF_MON_INFO answers on a vcpu. */
	MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET,
	/*
	 * A PMU overflow was handed to the host (MONTECITO_CFG_HOST_PMU). At most 100
	 * notifications a second for each machine; suppressed counts the rest. On kernels
	 * from 6.6 on only those get it who may see the machine.
	 */
	MONTECITO_NL_CMD_OVERFLOW_NTF,
	/*
	 * A counter was given an event that the model does not count; told once for each
	 * such write. Rate limit and audience as for overflow-ntf.
	 */
	MONTECITO_NL_CMD_UNCOUNTED_NTF,

	__MONTECITO_NL_CMD_MAX,
	MONTECITO_NL_CMD_MAX = (__MONTECITO_NL_CMD_MAX - 1),
};

#define MONTECITO_NL_MCGRP_OVERFLOW "overflow"

#endif
