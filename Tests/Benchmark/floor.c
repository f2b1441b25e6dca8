// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program with which Belfry is compared: a single alarm in C and nothing else. It owns a name
// on the session bus and waits on a timerfd. When the alarm is due, it posts a notification and
// plays a sine through ALSA. The benchmark reports Belfry's figures as ratios to this program's.
//
//   floor SECOND            rings at SECOND, which counts from 1970; SIGTERM ends the program
//   floor SECOND INTERVAL   rings for a second, and again every INTERVAL seconds
#include <alsa/asoundlib.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <libnotify/notify.h>
#include <math.h>
#include <sys/timerfd.h>

enum { RATE = 48000, PERIOD = 480 };

static gboolean repeats;

static gpointer play(gpointer unused) {
  static short period[PERIOD * 2];
  snd_pcm_t *pcm;
  if (snd_pcm_open(&pcm, "default", SND_PCM_STREAM_PLAYBACK, 0) < 0) return NULL;
  snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 2, RATE, 1, 50000);
  for (int i = 0; i < PERIOD; i++)
    period[2 * i] = period[2 * i + 1] = (short)(8000 * sin(2 * M_PI * 500 * i / RATE));
  for (int count = 0; !repeats || count < RATE / PERIOD; count++) {
    snd_pcm_sframes_t written = snd_pcm_writei(pcm, period, PERIOD);
    if (written < 0 && snd_pcm_recover(pcm, (int)written, 1) < 0) return NULL;
  }
  snd_pcm_drop(pcm);
  snd_pcm_close(pcm);
  return NULL;
}

static gboolean withdraw(gpointer notice) {
  notify_notification_close(notice, NULL);
  g_object_unref(notice);
  return G_SOURCE_REMOVE;
}

static gboolean ring(gint timer, GIOCondition condition, gpointer unused) {
  guint64 expirations;
  if (read(timer, &expirations, sizeof expirations) < 0) return G_SOURCE_CONTINUE;
  g_thread_unref(g_thread_new("sound", play, NULL));
  NotifyNotification *notice = notify_notification_new("Floor", "Alarm", "alarm-symbolic");
  notify_notification_set_urgency(notice, NOTIFY_URGENCY_CRITICAL);
  notify_notification_set_timeout(notice, NOTIFY_EXPIRES_NEVER);
  notify_notification_show(notice, NULL);
  if (!repeats) return G_SOURCE_REMOVE;
  g_timeout_add(1000, withdraw, notice);
  return G_SOURCE_CONTINUE;
}

static gboolean end(gpointer loop) {
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

int main(int count, char **arguments) {
  struct itimerspec due = {.it_value.tv_sec = count > 1 ? atoll(arguments[1]) : 1LL << 40};
  repeats = count > 2;
  if (repeats) due.it_interval.tv_sec = atoll(arguments[2]);
  int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  notify_init("Floor");
  g_unix_fd_add(timer, G_IO_IN, ring, NULL);
  g_unix_signal_add(SIGTERM, end, loop);
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
  g_bus_own_name(
    G_BUS_TYPE_SESSION, "org.belfry.Floor", G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL,
    NULL);
  g_main_loop_run(loop);
  return 0;
}
