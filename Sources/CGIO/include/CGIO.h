// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing to call by these means: CGLib has the headers, CGIO.c what they declare.
