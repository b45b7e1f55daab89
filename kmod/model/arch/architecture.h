/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Names of the architecture that every layer uses: what an instruction can come
 * to, fields of PSR and ISR, the format of a floating-point register (SDM volume
 * 1, chapter 3 and 5.1; volume 2, 3.3 and chapter 8). Included by thread_state.h.
 */
#ifndef MONT_ARCH_ARCHITECTURE_H
#define MONT_ARCH_ARCHITECTURE_H

#include "../base/types.h"

/*
 * Result of executing one instruction. Every value from MONT_FAULT_FIRST on is
 * an interruption; nothing the instruction would have written has been.
 */
enum mont_result {
	MONT_NEXT,
	/* t->s.ip and t->s.slot name the next instruction. */
	MONT_TAKEN,
	/* Instruction done; state the run loop caches has changed. */
	MONT_RELOAD,
	/* Nothing done: the host comes first, then the instruction executes. */
	MONT_STOP,
	/* The register stack engine has done a part: the instruction begins again. */
	MONT_AGAIN,
	MONT_FAULT_FIRST,
	MONT_FAULT_BASE = MONT_FAULT_FIRST - 1,
#define MONT_FAULT(name, vector, code, text) MONT_FAULT_##name,
#include "../base/fault.def"
#undef MONT_FAULT
	MONT_NR_RESULTS,
};

/* PSR bits (SDM volume 2, table 3-2). PSR.ri lives in mont_state.slot. */
#define MONT_PSR_BE MONT_BIT(1)
#define MONT_PSR_UP MONT_BIT(2)
#define MONT_PSR_AC MONT_BIT(3)
#define MONT_PSR_MFL MONT_BIT(4)
#define MONT_PSR_MFH MONT_BIT(5)
#define MONT_PSR_IC MONT_BIT(13)
#define MONT_PSR_I MONT_BIT(14)
#define MONT_PSR_PK MONT_BIT(15)
#define MONT_PSR_DT MONT_BIT(17)
#define MONT_PSR_DFL MONT_BIT(18)
#define MONT_PSR_DFH MONT_BIT(19)
#define MONT_PSR_SP MONT_BIT(20)
#define MONT_PSR_PP MONT_BIT(21)
#define MONT_PSR_DI MONT_BIT(22)
#define MONT_PSR_SI MONT_BIT(23)
#define MONT_PSR_DB MONT_BIT(24)
#define MONT_PSR_LP MONT_BIT(25)
#define MONT_PSR_TB MONT_BIT(26)
#define MONT_PSR_RT MONT_BIT(27)
#define MONT_PSR_CPL_SHIFT 32
#define MONT_PSR_CPL (3ULL << 32)
#define MONT_PSR_IS MONT_BIT(34)
#define MONT_PSR_MC MONT_BIT(35)
#define MONT_PSR_IT MONT_BIT(36)
#define MONT_PSR_ID MONT_BIT(37)
#define MONT_PSR_DA MONT_BIT(38)
#define MONT_PSR_DD MONT_BIT(39)
#define MONT_PSR_SS MONT_BIT(40)
#define MONT_PSR_RI_SHIFT 41
#define MONT_PSR_RI (3ULL << 41)
#define MONT_PSR_ED MONT_BIT(43)
#define MONT_PSR_BN MONT_BIT(44)
#define MONT_PSR_IA MONT_BIT(45)
#define MONT_PSR_VM MONT_BIT(46)

/* The bits that exist, ri apart; PSR.is cannot be set (manual 2.8). */
#define MONT_PSR_IMPLEMENTED \
	((0x0ffee03eULL | (MONT_BIT(46) - MONT_BIT(32))) & ~(MONT_PSR_RI | MONT_PSR_IS))
/* Bits in force for one instruction only. */
#define MONT_PSR_ONCE (MONT_PSR_ID | MONT_PSR_DA | MONT_PSR_DD | MONT_PSR_ED | MONT_PSR_IA)

/* DCR: PSR.pp and PSR.be of handlers, and which faults of ld.s are deferred (SDM 3.3.4.1). */
#define MONT_DCR_PP MONT_BIT(0)
#define MONT_DCR_BE MONT_BIT(1)
#define MONT_DCR_DM MONT_BIT(8)
#define MONT_DCR_DP MONT_BIT(9)
#define MONT_DCR_DK MONT_BIT(10)
#define MONT_DCR_DX MONT_BIT(11)
#define MONT_DCR_DR MONT_BIT(12)
#define MONT_DCR_DA MONT_BIT(13)
#define MONT_DCR_DD MONT_BIT(14)

/**
 * struct mont_fr - a floating-point register (SDM volume 1, 5.1)
 * @sig: significand, explicit integer bit 63
 * @se: sign in bit 17, biased exponent in bits 16:0
 */
struct mont_fr {
	u64 sig;
	u64 se;
};

/* NaTVal: sign 0, exponent 0x1fffe, significand 0. */
#define MONT_NATVAL_SE 0x1fffeULL
/* Exponent of integers in setf.sig, ldf8 and xma results. */
#define MONT_FR_INT_SE 0x1003eULL

/* ISR bits (SDM volume 2, 8.2) that instructions set themselves. */
#define MONT_ISR_X MONT_BIT(32)
#define MONT_ISR_W MONT_BIT(33)
#define MONT_ISR_R MONT_BIT(34)
#define MONT_ISR_NA MONT_BIT(35)
#define MONT_ISR_SP MONT_BIT(36)
#define MONT_ISR_RS MONT_BIT(37)
#define MONT_ISR_IR MONT_BIT(38)
#define MONT_ISR_NI MONT_BIT(39)
#define MONT_ISR_SO MONT_BIT(40)
#define MONT_ISR_EI_SHIFT 41
#define MONT_ISR_ED MONT_BIT(43)

/* Implemented address bits (manual 2.4.3). */
#define MONT_VA_BITS 61
#define MONT_PA_BITS 50
#define MONT_RID_BITS 24

#endif
