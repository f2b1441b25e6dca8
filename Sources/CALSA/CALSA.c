// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of libasound, which is loaded by it: see CLibrary.h. Without it each call fails
// with ELIBACC, "cannot access a needed shared library", which libasound itself never gives.
#include "CLibrary.h"
#include "shim.h"

#include <errno.h>

#define PASS(otherwise, type, function, parameters, arguments) \
  FORWARD("libasound.so.2", otherwise, type, function, parameters, arguments)
// Most return an error's negative number.
#define CALL(function, parameters, arguments) \
  PASS(-ELIBACC, int, function, parameters, arguments)
#define COUNT(function, parameters, arguments) \
  PASS(-ELIBACC, snd_pcm_sframes_t, function, parameters, arguments)
#define FREE(function, type) PASS((void)0, void, function, (type * it), (it))

PASS(code == -ELIBACC ? library_trouble() : strerror(-code), const char *, snd_strerror, (int code),
     (code))
CALL(snd_lib_error_set_handler, (snd_lib_error_handler_t handler), (handler))
CALL(snd_config_update_free_global, (void), ())
CALL(snd_card_next, (int *card), (card))

// MARK: - PCM.swift

CALL(snd_pcm_open, (snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode),
     (pcm, name, stream, mode))
CALL(snd_pcm_close, (snd_pcm_t *pcm), (pcm))
CALL(snd_pcm_prepare, (snd_pcm_t *pcm), (pcm))
CALL(snd_pcm_start, (snd_pcm_t *pcm), (pcm))
CALL(snd_pcm_drop, (snd_pcm_t *pcm), (pcm))
COUNT(snd_pcm_avail, (snd_pcm_t *pcm), (pcm))
COUNT(snd_pcm_writei, (snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t frames),
      (pcm, samples, frames))
CALL(snd_pcm_get_params, (snd_pcm_t *pcm, snd_pcm_uframes_t *buffer, snd_pcm_uframes_t *period),
     (pcm, buffer, period))

CALL(snd_pcm_info_malloc, (snd_pcm_info_t **info), (info))
FREE(snd_pcm_info_free, snd_pcm_info_t)
CALL(snd_pcm_info, (snd_pcm_t *pcm, snd_pcm_info_t *info), (pcm, info))
CALL(snd_pcm_info_get_card, (const snd_pcm_info_t *info), (info))

CALL(snd_pcm_hw_params_malloc, (snd_pcm_hw_params_t **params), (params))
FREE(snd_pcm_hw_params_free, snd_pcm_hw_params_t)
CALL(snd_pcm_hw_params_any, (snd_pcm_t *pcm, snd_pcm_hw_params_t *params), (pcm, params))
CALL(snd_pcm_hw_params, (snd_pcm_t *pcm, snd_pcm_hw_params_t *params), (pcm, params))
CALL(snd_pcm_hw_params_set_access,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, snd_pcm_access_t value), (pcm, params, value))
CALL(snd_pcm_hw_params_test_format,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, snd_pcm_format_t value), (pcm, params, value))
CALL(snd_pcm_hw_params_set_format,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, snd_pcm_format_t value), (pcm, params, value))
CALL(snd_pcm_hw_params_set_channels,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned value), (pcm, params, value))
CALL(snd_pcm_hw_params_set_rate,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned value, int direction),
     (pcm, params, value, direction))
CALL(snd_pcm_hw_params_set_buffer_time_near,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned *value, int *direction),
     (pcm, params, value, direction))
CALL(snd_pcm_hw_params_set_period_time_near,
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *params, unsigned *value, int *direction),
     (pcm, params, value, direction))

CALL(snd_pcm_sw_params_malloc, (snd_pcm_sw_params_t **params), (params))
FREE(snd_pcm_sw_params_free, snd_pcm_sw_params_t)
CALL(snd_pcm_sw_params_current, (snd_pcm_t *pcm, snd_pcm_sw_params_t *params), (pcm, params))
CALL(snd_pcm_sw_params, (snd_pcm_t *pcm, snd_pcm_sw_params_t *params), (pcm, params))
CALL(snd_pcm_sw_params_set_start_threshold,
     (snd_pcm_t *pcm, snd_pcm_sw_params_t *params, snd_pcm_uframes_t value), (pcm, params, value))

// MARK: - Mixer.swift

CALL(snd_mixer_open, (snd_mixer_t **mixer, int mode), (mixer, mode))
CALL(snd_mixer_close, (snd_mixer_t *mixer), (mixer))
CALL(snd_mixer_attach, (snd_mixer_t *mixer, const char *control), (mixer, control))
CALL(snd_mixer_selem_register,
     (snd_mixer_t *mixer, struct snd_mixer_selem_regopt *options, snd_mixer_class_t **class),
     (mixer, options, class))
CALL(snd_mixer_load, (snd_mixer_t *mixer), (mixer))
CALL(snd_mixer_handle_events, (snd_mixer_t *mixer), (mixer))
PASS(NULL, snd_mixer_elem_t *, snd_mixer_first_elem, (snd_mixer_t *mixer), (mixer))
PASS(NULL, snd_mixer_elem_t *, snd_mixer_elem_next, (snd_mixer_elem_t *element), (element))

PASS(NULL, const char *, snd_mixer_selem_get_name, (snd_mixer_elem_t *element), (element))
PASS(0, unsigned, snd_mixer_selem_get_index, (snd_mixer_elem_t *element), (element))
PASS(0, int, snd_mixer_selem_is_active, (snd_mixer_elem_t *element), (element))
PASS(0, int, snd_mixer_selem_has_playback_volume, (snd_mixer_elem_t *element), (element))
PASS(0, int, snd_mixer_selem_has_playback_switch, (snd_mixer_elem_t *element), (element))
PASS(0, int, snd_mixer_selem_has_playback_channel,
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel), (element, channel))
CALL(snd_mixer_selem_get_playback_volume,
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, long *value),
     (element, channel, value))
CALL(snd_mixer_selem_set_playback_volume,
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, long value),
     (element, channel, value))
CALL(snd_mixer_selem_get_playback_switch,
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, int *value),
     (element, channel, value))
CALL(snd_mixer_selem_set_playback_switch,
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, int value),
     (element, channel, value))
CALL(snd_mixer_selem_get_playback_volume_range,
     (snd_mixer_elem_t *element, long *low, long *high), (element, low, high))
CALL(snd_mixer_selem_get_playback_dB_range,
     (snd_mixer_elem_t *element, long *low, long *high), (element, low, high))
CALL(snd_mixer_selem_ask_playback_dB_vol,
     (snd_mixer_elem_t *element, long gain, int direction, long *value),
     (element, gain, direction, value))
