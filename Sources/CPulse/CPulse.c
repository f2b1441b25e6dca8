// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of libpulse, which is loaded by it: see CLibrary.h. Without it there is no
// main loop, and nothing else is called.
#include "CLibrary.h"
#include "shim.h"

#define PASS(otherwise, type, function, parameters, arguments) \
  FORWARD("libpulse.so.0", otherwise, type, function, parameters, arguments)
#define CALL(function, parameters, arguments) PASS(-1, int, function, parameters, arguments)
#define ASK(function, parameters, arguments) \
  PASS(NULL, pa_operation *, function, parameters, arguments)

PASS(NULL, pa_mainloop *, pa_mainloop_new, (void), ())
PASS((void)0, void, pa_mainloop_free, (pa_mainloop * loop), (loop))
PASS(NULL, pa_mainloop_api *, pa_mainloop_get_api, (pa_mainloop * loop), (loop))
CALL(pa_mainloop_prepare, (pa_mainloop * loop, int timeout), (loop, timeout))
CALL(pa_mainloop_poll, (pa_mainloop * loop), (loop))
CALL(pa_mainloop_dispatch, (pa_mainloop * loop), (loop))
PASS((void)0, void, pa_mainloop_wakeup, (pa_mainloop * loop), (loop))

PASS(NULL, pa_context *, pa_context_new, (pa_mainloop_api * api, const char *name), (api, name))
PASS((void)0, void, pa_context_unref, (pa_context * context), (context))
CALL(pa_context_connect,
     (pa_context * context, const char *server, pa_context_flags_t flags, const pa_spawn_api *api),
     (context, server, flags, api))
PASS((void)0, void, pa_context_disconnect, (pa_context * context), (context))
PASS(PA_CONTEXT_FAILED, pa_context_state_t, pa_context_get_state, (const pa_context *context),
     (context))
CALL(pa_context_errno, (const pa_context *context), (context))
PASS(library_trouble(), const char *, pa_strerror, (int error), (error))

PASS(PA_OPERATION_CANCELLED, pa_operation_state_t, pa_operation_get_state,
     (const pa_operation *operation), (operation))
PASS((void)0, void, pa_operation_cancel, (pa_operation * operation), (operation))
PASS((void)0, void, pa_operation_unref, (pa_operation * operation), (operation))

PASS(NULL, const char *, pa_proplist_gets, (const pa_proplist *list, const char *key), (list, key))

ASK(pa_context_get_sink_info_list, (pa_context * context, pa_sink_info_cb_t take, void *data),
    (context, take, data))
ASK(pa_context_get_sink_input_info_list,
    (pa_context * context, pa_sink_input_info_cb_t take, void *data), (context, take, data))
ASK(pa_context_get_source_info_list, (pa_context * context, pa_source_info_cb_t take, void *data),
    (context, take, data))
ASK(pa_context_get_source_output_info_list,
    (pa_context * context, pa_source_output_info_cb_t take, void *data), (context, take, data))
ASK(pa_context_set_sink_volume_by_name,
    (pa_context * context, const char *name, const pa_cvolume *volume, pa_context_success_cb_t take,
     void *data),
    (context, name, volume, take, data))
ASK(pa_context_set_sink_mute_by_name,
    (pa_context * context, const char *name, int mute, pa_context_success_cb_t take, void *data),
    (context, name, mute, take, data))
ASK(pa_context_set_sink_input_volume,
    (pa_context * context, uint32_t index, const pa_cvolume *volume, pa_context_success_cb_t take,
     void *data),
    (context, index, volume, take, data))
ASK(pa_context_set_sink_input_mute,
    (pa_context * context, uint32_t index, int mute, pa_context_success_cb_t take, void *data),
    (context, index, mute, take, data))
ASK(pa_context_subscribe,
    (pa_context * context, pa_subscription_mask_t mask, pa_context_success_cb_t take, void *data),
    (context, mask, take, data))
PASS((void)0, void, pa_context_set_subscribe_callback,
     (pa_context * context, pa_context_subscribe_cb_t take, void *data), (context, take, data))
