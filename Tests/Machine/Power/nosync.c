/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sabotage of the agent and the commands: fsync(2) does nothing. With ONLY_FOLDERS, it does
 * nothing for folders, as if a program forgot that a rename must be made durable, too. */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int file) {
  struct stat status;
  if (fstat(file, &status) < 0) return -1;
#ifdef ONLY_FOLDERS
  if (!S_ISDIR(status.st_mode)) return (int)syscall(SYS_fsync, file);
#endif
  return 0;
}
