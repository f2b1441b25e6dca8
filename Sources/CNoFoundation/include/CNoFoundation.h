// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing to call: see NoFoundation.c, which is for the linker.
