// SPDX-License-Identifier: GPL-3.0-or-later
// The package manager wants a source file in a C target; this one proves that the headers compile.
#include "shim.h"
