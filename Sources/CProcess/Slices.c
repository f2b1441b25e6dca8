// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets GLib take its small pieces of memory from malloc. Before version 2.76, GLib keeps pieces
// that were freed, and those that one thread requests and another frees pile up: after 500 timers,
// they took 360 KB, which no `malloc_trim` gives back. GLib chooses when it first needs memory, in
// the constructor of its library. Only `.preinit_array` runs earlier, which is why this is in C. A
// variable `G_SLICE` still decides otherwise.
// Version 2.34 deprecated the function, but has no other.
#define GLIB_DISABLE_DEPRECATION_WARNINGS
#include <glib.h>

static void use_malloc(void) { g_slice_set_config(G_SLICE_CONFIG_ALWAYS_MALLOC, 1); }

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = use_malloc;
