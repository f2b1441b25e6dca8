// SPDX-License-Identifier: GPL-3.0-or-later
// What Swift cannot call or see by itself, each with its reason.
#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>

// ALSA's error handler is variadic, which Swift can neither write nor name: this one makes the text
// and hands it to `*belfry_alsa_listener()`. To be used from one Swift file only: each would have a
// listener of its own. (A function, since Swift emits no variable of a header.)
typedef void (*belfry_alsa_listener_t)(const char *text);

static inline belfry_alsa_listener_t *belfry_alsa_listener(void) {
  static belfry_alsa_listener_t listener;
  return &listener;
}

static inline void belfry_alsa_message(const char *file, int line, const char *function, int error,
                                       const char *format, ...) {
  char text[512];
  va_list arguments;
  (void)file, (void)line, (void)error;  // The text has what a user can make use of.
  int length = snprintf(text, sizeof text, "%.100s: ", function);
  va_start(arguments, format);
  vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
  va_end(arguments);
  (*belfry_alsa_listener())(text);
}

static inline void belfry_alsa_listen(belfry_alsa_listener_t listener) {
  *belfry_alsa_listener() = listener;
  snd_lib_error_set_handler(belfry_alsa_message);
}
