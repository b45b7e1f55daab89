/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * From the words of a table of events (events.def) to members of struct mont_event (event.h).
 * Included by event.c, ev68a_events.c, merced_events.c and pebs_events.c.
 */
#ifndef MONT_PMU_EVENT_ROW_H
#define MONT_PMU_EVENT_ROW_H

#define MONT_ROW_FILT_NONE 0
#define MONT_ROW_FILT_I MONT_EVF_IAR
#define MONT_ROW_FILT_IO (MONT_EVF_IAR | MONT_EVF_OPC)
#define MONT_ROW_FILT_IOD (MONT_EVF_IAR | MONT_EVF_OPC | MONT_EVF_DAR)
#define MONT_ROW_FILT_IODM (MONT_ROW_FILT_IOD | MONT_EVF_MESI)
#define MONT_ROW_FILT_M MONT_EVF_MESI

#define MONT_ROW_STATUS_COUNTED(sig, condition) \
	.refusal = MONT_REFUSE_NONE, .signal = MONT_SIG_##sig, .cond = MONT_COND_##condition
#define MONT_ROW_STATUS_CASTOUTS(sig, condition) \
	.castouts = true, MONT_ROW_STATUS_COUNTED(sig, condition)
#define MONT_ROW_STATUS_CORES(sig, condition) .cores = true, MONT_ROW_STATUS_COUNTED(sig, condition)
#define MONT_ROW_STATUS_CORES_CASTOUTS(sig, condition) \
	.cores = true, MONT_ROW_STATUS_CASTOUTS(sig, condition)
#define MONT_ROW_STATUS_ZERO(reason) \
	.zero = MONT_ZERO_##reason, MONT_ROW_STATUS_COUNTED(NOTHING, ANY)
#define MONT_ROW_STATUS_REFUSED(reason) .refusal = MONT_REFUSE_##reason

#endif
