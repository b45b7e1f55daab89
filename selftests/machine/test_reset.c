// SPDX-License-Identifier: GPL-2.0-only
/*
 * State of a processor at reset (Documentation/model.rst, A11): the fields of
 * PSR and the control registers by SDM volume 2, 3.3.2 and 5.8.3, AR.FPSR by the run-time
 * conventions: every exception masked, status field 0 with 64 bits of precision and no
 * flush to zero, the others with the widest range; 1 and 2 and 3 with traps disabled.
 */
#include "tap.h"

#define PSR_DT (1ULL << 17)
#define PSR_RT (1ULL << 27)
#define PSR_IT (1ULL << 36)
#define PSR_I (1ULL << 14)
#define PSR_CPL (3ULL << 32)
#define PSR_BN (1ULL << 44)

#define CR_ITV 72
#define CR_PMV 73
#define CR_CMCV 74
#define CR_LRR0 80
#define CR_LRR1 81
#define VECTOR_MASKED (1ULL << 16)

#define AR_FPSR 40

/* Bits 5:0 of AR.FPSR: a trap is disabled; then 13 bits for each status field. */
static uint64_t status(uint64_t fpsr, unsigned int field)
{
	return fpsr >> (6 + 13 * field) & 0x1fff;
}

int main(int argc, char **argv)
{
	static const uint32_t vectors[] = { CR_ITV, CR_PMV, CR_CMCV, CR_LRR0, CR_LRR1 };
	uint64_t psr, fpsr, masked = 1;
	struct montecito *m;
	unsigned int i, bad = 0;

	tap_args(argc, argv);
	m = machine_open(0, 0);
	psr = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	ok(!(psr & (PSR_DT | PSR_RT | PSR_IT)), "physical addressing");
	ok(!(psr & PSR_CPL), "level 0");
	ok(!!(psr & PSR_BN), "bank 1");
	ok(!(psr & PSR_I), "interrupts off");
	for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		masked &= machine_reg(m, MONTECITO_REG_CR, vectors[i]) / VECTOR_MASKED & 1;
	ok_eq(masked, 1, "all vector registers masked");
	fpsr = machine_reg(m, MONTECITO_REG_AR, AR_FPSR);
	ok_eq(fpsr & 0x3f, 0x3f, "floating-point exceptions masked");
	/* ftz, wre, pc of 64 bits, to nearest, td, no flag */
	ok_eq(status(fpsr, 0), 0xc, "the main status field");
	for (i = 1; i < 4; i++)
		bad += status(fpsr, i) != (i == 1 ? 0x4e : 0x4c);
	ok_eq(bad, 0, "the others, for speculation and for approximations");
	montecito_close(m);
	return tap_done();
}
