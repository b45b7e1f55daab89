// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * SAL procedures (Itanium Processor Family System Abstraction Layer
 * Specification, chapter 9). There are no errors to tell of and nothing to
 * flush: caches are coherent with everything.
 */
#include "firmware.h"

#define SAL_SET_VECTORS 0x01000000
#define SAL_GET_STATE_INFO 0x01000001
#define SAL_GET_STATE_INFO_SIZE 0x01000002
#define SAL_CLEAR_STATE_INFO 0x01000003
#define SAL_MC_RENDEZ 0x01000004
#define SAL_MC_SET_PARAMS 0x01000005
#define SAL_REGISTER_PHYSICAL_ADDR 0x01000006
#define SAL_CACHE_FLUSH 0x01000008
#define SAL_CACHE_INIT 0x01000009
#define SAL_PCI_CONFIG_READ 0x01000010
#define SAL_PCI_CONFIG_WRITE 0x01000011
#define SAL_FREQ_BASE 0x01000012
#define SAL_PHYSICAL_ID_INFO 0x01000013
#define SAL_UPDATE_PAL 0x01000020

#define OK 0
#define NOT_IMPLEMENTED (-1LL)
#define INVALID_ARGUMENT (-2LL)
#define NO_INFORMATION (-5LL)

#define VECTOR_MCA 0
#define VECTOR_INIT 1
#define VECTOR_AP 2

#define FREQ_PLATFORM 0
#define FREQ_TIMER 1
#define FREQ_CLOCK 2

/* The bus clock, which the ratios of PAL_FREQ_RATIOS multiply. */
#define BUS_HZ 200000000ULL

#define NR_STATE_TYPES 4

static int64_t sal_proc_set_vectors(struct montecito_system *s, const uint64_t *arg)
{
	switch (arg[1]) {
	case VECTOR_MCA:
	case VECTOR_INIT:
		/* Neither happens here. */
		return OK;
	case VECTOR_AP:
		s->s.firmware.ap_entry = arg[2] & ~15ULL;
		s->s.firmware.ap_gp = arg[3];
		return OK;
	default:
		return INVALID_ARGUMENT;
	}
}

static int64_t sal_proc_freq_base(const uint64_t *arg, uint64_t *ret)
{
	switch (arg[1]) {
	case FREQ_PLATFORM:
		ret[1] = BUS_HZ;
		ret[2] = ~0ULL; /* drift is not known */
		return OK;
	case FREQ_TIMER:
	case FREQ_CLOCK:
		return NOT_IMPLEMENTED;
	default:
		return INVALID_ARGUMENT;
	}
}

static int64_t sal_proc_serve(struct montecito_system *s, const uint64_t *arg, uint64_t *ret)
{
	switch (arg[0]) {
	case SAL_SET_VECTORS:
		return sal_proc_set_vectors(s, arg);
	case SAL_GET_STATE_INFO:
		return arg[1] < NR_STATE_TYPES ? NO_INFORMATION : INVALID_ARGUMENT;
	case SAL_GET_STATE_INFO_SIZE:
	case SAL_CLEAR_STATE_INFO:
		return arg[1] < NR_STATE_TYPES ? OK : INVALID_ARGUMENT;
	case SAL_MC_RENDEZ:
	case SAL_MC_SET_PARAMS:
	case SAL_REGISTER_PHYSICAL_ADDR:
	case SAL_CACHE_FLUSH:
	case SAL_CACHE_INIT:
		return OK;
	case SAL_FREQ_BASE:
		return sal_proc_freq_base(arg, ret);
	case SAL_PHYSICAL_ID_INFO:
		ret[1] = 0; /* one package */
		return OK;
	case SAL_PCI_CONFIG_READ:
	case SAL_PCI_CONFIG_WRITE:
	case SAL_UPDATE_PAL:
	default:
		return NOT_IMPLEMENTED;
	}
}

bool fw_sal_proc(struct montecito_system *s, struct firmware_call *c)
{
	c->ret[0] = sal_proc_serve(s, c->arg, c->ret);
	return true;
}
