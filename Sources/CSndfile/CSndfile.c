// SPDX-License-Identifier: GPL-3.0-or-later
// What Belfry calls of libsndfile, which is loaded by it: see CLibrary.h. Without it no file opens.
#include "CLibrary.h"
#include "shim.h"

#define PASS(otherwise, type, function, parameters, arguments) \
  FORWARD("libsndfile.so.1", otherwise, type, function, parameters, arguments)

PASS(NULL, SNDFILE *, sf_open_fd, (int fd, int mode, SF_INFO *info, int closes),
     (fd, mode, info, closes))
PASS(library_trouble(), const char *, sf_strerror, (SNDFILE * file), (file))

// Of a file that is open.
PASS(-1, int, sf_close, (SNDFILE * file), (file))
PASS(-1, int, sf_error, (SNDFILE * file), (file))
PASS(0, sf_count_t, sf_readf_float, (SNDFILE * file, float *samples, sf_count_t frames),
     (file, samples, frames))
PASS(-1, sf_count_t, sf_seek, (SNDFILE * file, sf_count_t frames, int whence),
     (file, frames, whence))
