// SPDX-License-Identifier: GPL-3.0-or-later
#include "CLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static _Thread_local char trouble[512];

void *library_symbol(const char *name, const char *symbol) {
  // RTLD_LOCAL: what it is needed by, as ALSA's plug-ins are, finds it by its name. It is never
  // closed: threads of its own may run in it, and types of GObject stay.
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  void *found = library ? dlsym(library, symbol) : NULL;
  if (!found) snprintf(trouble, sizeof trouble, "%s", dlerror());
  return found;
}

const char *library_trouble(void) { return trouble; }
