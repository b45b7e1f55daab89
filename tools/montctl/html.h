/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording as one page. Called by report.c, and by table.c for its text. */
#ifndef MONTCTL_HTML_H
#define MONTCTL_HTML_H

#include <stdio.h>

/* Write @s as text of HTML or SVG: markup characters become entities. */
void html_text(FILE *f, const char *s);
/* The recording at @path as a page at @to ("-": stdout): 0, or EXIT_MONTCTL after a message. */
int html_report(const char *path, const char *to);

#endif
