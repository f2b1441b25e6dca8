// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of libpulse that Belfry calls. The library is not linked but loaded when it is
// first needed, because a machine that has only ALSA must ring too. `Library.swift` loads it.
#pragma once
#include <pulse/pulseaudio.h>

#define BELFRY_PULSE(USE)                    \
  USE(pa_mainloop_new)                       \
  USE(pa_mainloop_free)                      \
  USE(pa_mainloop_get_api)                   \
  USE(pa_mainloop_prepare)                   \
  USE(pa_mainloop_poll)                      \
  USE(pa_mainloop_dispatch)                  \
  USE(pa_mainloop_wakeup)                    \
  USE(pa_context_new)                        \
  USE(pa_context_unref)                      \
  USE(pa_context_connect)                    \
  USE(pa_context_disconnect)                 \
  USE(pa_context_get_state)                  \
  USE(pa_context_errno)                      \
  USE(pa_strerror)                           \
  USE(pa_operation_get_state)                \
  USE(pa_operation_cancel)                   \
  USE(pa_operation_unref)                    \
  USE(pa_proplist_gets)                      \
  USE(pa_context_get_sink_info_list)         \
  USE(pa_context_get_sink_input_info_list)   \
  USE(pa_context_get_source_info_list)       \
  USE(pa_context_get_source_output_info_list)\
  USE(pa_context_set_sink_volume_by_name)    \
  USE(pa_context_set_sink_mute_by_name)      \
  USE(pa_context_set_sink_input_volume)      \
  USE(pa_context_set_sink_input_mute)        \
  USE(pa_context_subscribe)                  \
  USE(pa_context_set_subscribe_callback)

typedef struct {
#define MEMBER(function) __typeof__(&function) function;
  BELFRY_PULSE(MEMBER)
#undef MEMBER
} belfry_pulse;

// Returns the names of the functions, in the order of the members of `belfry_pulse`. This is a
// function because Swift does not emit the variables of a header.
static inline const char *const *belfry_pulse_names(void) {
#define NAME(function) #function,
  static const char *const names[] = {BELFRY_PULSE(NAME)};
#undef NAME
  return names;
}
