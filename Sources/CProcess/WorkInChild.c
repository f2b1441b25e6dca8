// SPDX-License-Identifier: GPL-3.0-or-later
//
// See the header. The child writes its exit status to a pipe, because the kernel does not
// report the end of a process as long as one of its threads waits for a disk. This is in C because
// Swift has no `fork`.
#define _GNU_SOURCE
#include "CProcess.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

// After a signal, the parent looks at the child this often, in milliseconds.
#define INTERVAL 100
// The parent looks at the child so many times before the signal ends the parent.
#define PATIENCE 5

// The child's end of the pipe; -1 in a process that has no parent which waits for it.
static int report = -1;

// The last handler of `exit`: see `belfry_work_in_child`.
static void leave(int status, void *unused) {
  (void)unused;
  if (report < 0) return;
  fflush(NULL);
  belfry_leave(status);
}

// Closes the standard streams and sends `answer` to the parent: a status, or the negative number
// of a signal.
static void tell(int answer) {
  if (report < 0) return;
  // If a thread waits for a disk, the kernel closes no descriptor, and programs that read the
  // output would wait for its end.
  for (int number = 0; number <= 2; number++) close(number);
  if (write(report, &answer, sizeof answer) < 0) {
    // The parent is gone.
  }
}

void belfry_leave(int status) {
  tell(status & 0xff);
  _exit(status);
}

// Ends this process by the signal that ended the child.
_Noreturn static void end_by(int number) {
  // The child has written the core dump already.
  setrlimit(RLIMIT_CORE, &(struct rlimit){0});
  signal(number, SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  raise(number);
  _exit(128 + number);
}

void belfry_leave_by(int number) {
  tell(-number);
  end_by(number);
}

// Ends this process if the child has ended. Stops this process if the child has stopped itself, so
// that the shell sees it.
static void follow(pid_t child) {
  int status;
  while (waitpid(child, &status, WNOHANG | WUNTRACED) == child) {
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    if (WIFSIGNALED(status)) end_by(WTERMSIG(status));
    if (WIFSTOPPED(status)) {
      raise(SIGSTOP);
      kill(child, SIGCONT);
    }
  }
}

// Whether the kernel keeps the child: it has been killed and one of its threads is still waiting,
// or its main thread is waiting.
static int is_kept(pid_t child) {
  char name[32], text[512];
  snprintf(name, sizeof name, "/proc/%d/stat", (int)child);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  // The state comes after the program's name, which is in parentheses.
  const char *end = strrchr(text, ')');
  return end && end[1] && (end[2] == 'Z' || end[2] == 'D');
}

_Noreturn static void wait_for(pid_t child, int answer, const sigset_t *watched) {
  const int signals = signalfd(-1, watched, SFD_CLOEXEC | SFD_NONBLOCK);
  struct pollfd ready[] = {
      {.fd = answer, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  // The last signal that asked this process to end, and how often this process has looked since.
  int asked = 0, looks = 0, forwarded = 1;
  for (;;) {
    int count = poll(ready, 2, asked ? INTERVAL : -1);
    int status;
    if (count > 0 && ready[0].revents) {
      if (read(answer, &status, sizeof status) == sizeof status) {
        if (status < 0) end_by(-status);
        _exit(status);
      }
      // The child has ended without a status, or has become another program.
      ready[0].fd = -1;
    }
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
      if (info.ssi_signo == SIGCHLD) continue;
      // The terminal sends its signals to the child, too. Another program may have sent the signal
      // to both processes, or to this one alone; so wait a moment before passing it on.
      asked = (int)info.ssi_signo;
      looks = 0;
      forwarded = info.ssi_code == SI_KERNEL;
    }
    follow(child);
    if (!asked || count != 0) continue;
    if (!forwarded) {
      forwarded = 1;
      kill(child, asked);
    } else if (++looks > PATIENCE) {
      asked = 0;
    } else if (looks == PATIENCE && is_kept(child)) {
      end_by(asked);
    }
  }
}

// Makes a pipe. Its descriptors are not those of standard streams, even if these were closed.
static int make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  for (int i = 0; i < 2; i++) {
    int low = ends[i];
    if (low > 2) continue;
    ends[i] = fcntl(low, F_DUPFD_CLOEXEC, 3);
    close(low);
  }
  return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

void belfry_work_in_child(void) {
  int ends[2];
  if (make_pipe(ends) < 0) return;
  // If the caller ignores the ends of its children, `waitpid` would report none.
  signal(SIGCHLD, SIG_DFL);
  sigset_t watched, former;
  sigemptyset(&watched);
  const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&watched, numbers[i]);
  sigprocmask(SIG_BLOCK, &watched, &former);
  const pid_t parent = getpid(), child = fork();
  if (child > 0) {
    close(ends[1]);
    wait_for(child, ends[0], &watched);
  }
  sigprocmask(SIG_SETMASK, &former, NULL);
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    return;
  }
  // The child must not outlive a parent that is killed.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(128 + SIGTERM);
  report = ends[1];
  // Registered first, so it runs last.
  on_exit(leave, NULL);
}
