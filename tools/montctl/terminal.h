/* SPDX-License-Identifier: GPL-2.0-only */
/* What a terminal gets and a file does not. */
#ifndef MONTCTL_TERMINAL_H
#define MONTCTL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum paint {
	PAINT_NONE, /* back to the terminal's own */
	PAINT_HEAD,
	PAINT_HOT,
	PAINT_WARM,
	PAINT_GOOD,
	PAINT_FAINT,
};

/* Does @f end at a terminal, perhaps by the pager? */
bool terminal_is(FILE *f);
/* Its columns (COLUMNS, else as it says); 0 if it is none: as wide as it takes. */
unsigned int terminal_width(FILE *f);
/* What turns the colour on; "" where there is none: no terminal, NO_COLOR, TERM=dumb. */
const char *terminal_paint(FILE *f, enum paint paint);
/* Of a share of samples or cycles: from 5 % on hot, from 0.5 % on warm. */
enum paint terminal_heat(double percent);
/*
 * From now on what goes to stdout, if that is a terminal, is read in MONTCTL_PAGER, else
 * PAGER, else less; with an empty one or "cat" as it comes.
 */
void terminal_page(void);
/* Wait for the reader; false if there is no pager. */
bool terminal_page_end(void);

#endif
