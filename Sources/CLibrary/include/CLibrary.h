// SPDX-License-Identifier: GPL-3.0-or-later
// A shared library that is loaded when it is first called, and not with the program: a command that
// does not need it does not wait for it, and where it is missing Belfry rings by what is left. For
// the C targets of such libraries alone, which say what a call gives then: CIcal and CPulse.
#pragma once

/// The function `symbol` of the library whose file is called `name`; NULL where either is missing.
void *library_symbol(const char *name, const char *symbol);

/// Why this thread had to go without what it asked for last, in the loader's words (dlerror), which
/// name the library.
const char *library_trouble(void);

/// Defines `function` of the library's header so that it passes its call on to the library, and
/// gives `otherwise` where there is none. It is looked for again at each call until it is found:
/// what was lacking may have been a descriptor. Hidden, so that the library's own calls, and those
/// of what it loads in its turn, never come here. The compiler refuses one that the header declares
/// otherwise.
#define FORWARD(library, otherwise, type, function, parameters, arguments)  \
  __attribute__((visibility("hidden"))) type function parameters {          \
    static void *_Atomic found;                                             \
    if (!found) found = library_symbol(library, #function);                 \
    return found ? ((__typeof__(&function))found) arguments : otherwise;    \
  }
