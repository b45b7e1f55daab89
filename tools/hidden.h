/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The names of the model are the library's own. Included by tools/Makefile, in front of every file
 * of the model.
 */
#pragma GCC visibility push(hidden)
