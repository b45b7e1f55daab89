/* SPDX-License-Identifier: GPL-2.0-only */
/* Before every file of the model: its names are the library's own. */
#pragma GCC visibility push(hidden)
