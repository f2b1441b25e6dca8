// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notes in a file that a crash ended this process, so that the next process can be more careful.
#pragma once

// From now on, a signal of a crash (SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS) writes
// the line "signal NUMBER" to `descriptor`, at its current offset, before it ends the process.
void belfry_note_crashes(int descriptor);

// Undoes `belfry_note_crashes`.
void belfry_stop_noting_crashes(void);
