/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output to a terminal, against that to a file. Called by output.c, table.c and each command that
 * writes a table or colours.
 */
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

/* True if @f ends at a terminal, perhaps by the pager. */
bool terminal_is(FILE *f);
/* Columns of @f (COLUMNS, else the terminal's); 0 if it is no terminal: no limit. */
unsigned int terminal_width(FILE *f);
/* Escape sequence for a colour; "" without colours: no terminal, NO_COLOR, TERM=dumb. */
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
