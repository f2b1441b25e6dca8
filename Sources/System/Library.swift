// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the libraries are there that are loaded when something in them is first called. It is not
// what loads them then: that is `CLibrary.h`.

import Glibc

/// By the names of their files.
public nonisolated enum Library: String, Sendable {
  case pulse = "libpulse.so.0"
  case ical = "libical.so.3"

  /// Why it cannot be loaded, in words that name it (`dlopen`, `dlerror`); nil where it can. For a
  /// worker: the disk may be slow.
  public var trouble: String? {
    dlopen(rawValue, RTLD_NOW) == nil ? String(cString: dlerror()) : nil
  }
}
