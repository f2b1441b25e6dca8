// SPDX-License-Identifier: GPL-3.0-or-later
//
// The libraries that are loaded when one of their functions is first called, instead of being
// linked. A command that does not need a library does not wait for it, and if a library is missing,
// Belfry rings without it. `CPulse` and `CIcal` declare the functions that are called.

import Glibc

/// The optional libraries, by the names of their files.
public nonisolated enum Library: String, Sendable {
  case pulse = "libpulse.so.0"
  case ical = "libical.so.3"

  /// Why the library cannot be loaded, in words that name it (`dlopen`, `dlerror`); nil if it can.
  /// Call this on a worker, because the disk may be slow.
  public var trouble: String? {
    dlopen(rawValue, RTLD_NOW) == nil ? String(cString: dlerror()) : nil
  }

  /// `functions`, a struct of pointers to functions, with those that are called `names`, in their
  /// order; nil if one of them cannot be had. The library is never closed: threads may run in it.
  public func load<Functions>(
    _ functions: Functions, _ names: UnsafePointer<UnsafePointer<CChar>?>?
  ) -> Functions? {
    // RTLD_LOCAL: no other library must find these functions by chance.
    guard let names, let library = dlopen(rawValue, RTLD_NOW | RTLD_LOCAL) else { return nil }
    var functions = functions
    let isWhole = withUnsafeMutableBytes(of: &functions) { bytes in
      let pointers = bytes.bindMemory(to: UnsafeMutableRawPointer?.self)
      for index in pointers.indices {
        pointers[index] = names[index].flatMap { dlsym(library, $0) }
      }
      return pointers.allSatisfy { $0 != nil }
    }
    return isWhole ? functions : nil
  }
}
