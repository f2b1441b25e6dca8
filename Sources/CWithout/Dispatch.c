// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Swift's concurrency takes libdispatch for: queues for tasks, and there are none here, since
// GLib's main loop would never run one. Linked statically, it brings 220 KB, of which the loader
// writes to seventeen pages at each start; they would stay in the agent's memory.
//
// All of it is weak: where the runtime asks for more one day, everything comes from libdispatch, as
// without this file. The tests run with shared libraries; so it is for the release.
#ifdef BELFRY_RELEASE
#include <stdio.h>
#include <stdlib.h>

// Code that belongs on the main loop and runs elsewhere ends here too (`dispatch_assert_queue`).
static _Noreturn void refuse(const char *function) {
  fprintf(stderr, "belfry: on the wrong thread, or a task: %s\n", function);
  abort();
}

#define WITHOUT(function)                                        \
  __attribute__((weak, visibility("hidden"))) _Noreturn void function(void) { \
    refuse(#function);                                           \
  }

WITHOUT(dispatch_activate)
WITHOUT(dispatch_after_f)
WITHOUT(dispatch_assert_queue)
WITHOUT(dispatch_main)
WITHOUT(dispatch_queue_attr_make_with_qos_class)
WITHOUT(dispatch_queue_create)
WITHOUT(dispatch_queue_set_width)
WITHOUT(dispatch_release)
WITHOUT(dispatch_set_context)
WITHOUT(dispatch_source_create)
WITHOUT(dispatch_source_set_event_handler_f)
WITHOUT(dispatch_source_set_timer)
WITHOUT(dispatch_walltime)

// Only their addresses are asked for, to be handed to the above.
#define ADDRESS(object) __attribute__((weak, visibility("hidden"))) char object[1];

ADDRESS(_dispatch_main_q)
ADDRESS(_dispatch_queue_attr_concurrent)
ADDRESS(_dispatch_source_type_timer)

// What belongs to the main loop and is let go of last on another thread, as a worker lets go of its
// finished work, is taken apart on the main loop: Swift asks for that by this function, with the
// main queue. GLib does it; libdispatch would keep it for ever.
typedef void (*dispatch_function)(void *);
unsigned g_idle_add_full(int priority, int (*)(void *), void *, void (*)(void *));

struct later {
  dispatch_function work;
  void *context;
};

static int run_later(void *pointer) {
  struct later *later = pointer;
  later->work(later->context);
  return 0;
}

__attribute__((weak, visibility("hidden"))) void dispatch_async_f(
  void *queue, void *context, dispatch_function work) {
  struct later *later = malloc(sizeof *later);
  if (queue != _dispatch_main_q || !later) refuse("dispatch_async_f");
  *later = (struct later){work, context};
  g_idle_add_full(0, run_later, later, free);
}
#endif
