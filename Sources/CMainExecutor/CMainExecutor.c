// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets GLib's main loop run the jobs of Swift's main actor. When a worker drops the last reference
// to an object of the main actor, Swift's runtime sends the object's `deinit` to libdispatch's main
// queue. Under GLib's main loop, nothing runs the jobs of that queue, so the object would stay in
// memory forever. For programs with a loop of their own, the runtime has a hook
// (`swift_task_enqueueMainExecutor_hook`, in its public header swift/Runtime/Concurrency.h).
#include "CMainExecutor.h"

#include <glib.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef struct {
  void *identity;
  gsize implementation;
} executor;

extern SWIFT_CALL void (*swift_task_enqueueMainExecutor_hook)(void *job, void *original);
extern SWIFT_CALL executor swift_task_getMainExecutor(void);
extern SWIFT_CALL void swift_job_run(void *job, executor executor);

static int run(void *job) {
  swift_job_run(job, swift_task_getMainExecutor());
  return G_SOURCE_REMOVE;
}

static SWIFT_CALL void enqueue(void *job, void *original) {
  g_idle_add_full(G_PRIORITY_DEFAULT, run, job, NULL);
}

void belfry_run_main_actor_on_glib(void) { swift_task_enqueueMainExecutor_hook = enqueue; }
