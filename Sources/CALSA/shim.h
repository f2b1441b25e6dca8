// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "../CGLib/shim.h"
#include <alsa/asoundlib.h>

// On arm64 a va_list is a structure, and Swift 6.2 crashes when it compiles a function with a
// va_list parameter. So this C function logs ALSA's messages.
static inline void calsa_log(const char *file, int line, const char *function, int error,
                             const char *format, va_list arguments) {
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  g_log("belfry", G_LOG_LEVEL_DEBUG, "ALSA: %s: %s", function, text);
}

/// Makes ALSA log its messages on this thread at the debug level, not write them to standard error.
static inline void calsa_log_messages(void) { snd_lib_error_set_local(calsa_log); }
