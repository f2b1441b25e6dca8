// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a process of Belfry ends: notes about crashes, and commands that return to the shell even if
// the kernel keeps their process.
#pragma once

// From now on, a signal of a crash (SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS)
// writes the line "signal NUMBER" to `descriptor`, at its current offset, before it ends the
// process.
void belfry_note_crashes(int descriptor);

// Undoes `belfry_note_crashes`.
void belfry_stop_noting_crashes(void);

// Makes a child process, and returns in the child. This process waits until the child ends by
// `exit`, `belfry_leave` or a signal, and ends in the same way. So this process ends even if the
// kernel keeps the child, because one of its threads waits for a disk that does not answer. Call
// this at the start of a command, before there are threads. If there can be no child, returns in
// this process.
void belfry_work_in_child(void);

// Ends the process at once with `status`, like `_exit`.
_Noreturn void belfry_leave(int status);

// Ends the process at once by the signal `number`.
_Noreturn void belfry_leave_by(int number);
