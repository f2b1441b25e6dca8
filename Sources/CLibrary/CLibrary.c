// SPDX-License-Identifier: GPL-3.0-or-later
#include "CLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static _Thread_local char trouble[512];

void *library_symbol(const char *name, const char *symbol) {
  // For nobody else to find by chance (RTLD_LOCAL): ALSA's plug-ins name libasound as what they
  // need. Never closed: threads may run in it.
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  void *found = library ? dlsym(library, symbol) : NULL;
  if (!found) snprintf(trouble, sizeof trouble, "%s", dlerror());
  return found;
}

const char *library_trouble(void) { return trouble; }
