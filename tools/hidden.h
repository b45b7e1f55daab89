/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/* Before every file of the model: its names are the library's own. */
#pragma GCC visibility push(hidden)
