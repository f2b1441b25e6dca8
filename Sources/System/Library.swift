// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads libraries when one of their functions is first called, instead of linking them. A command
// that does not need a library does not wait for it, and if a library is missing, Belfry rings
// without it. `CPulse` declares the functions that are called.

import Glibc

/// The optional libraries, by the names of their files.
public enum Library: String, Sendable {
  case pulse = "libpulse.so.0"

  /// Why the library cannot be loaded, as a text that names the library (`dlopen`, `dlerror`); nil
  /// if it can be loaded. Call this on a thread of a `Worker`, because the disk may be slow.
  public var trouble: String? {
    dlopen(rawValue, RTLD_NOW) == nil ? String(cString: dlerror()) : nil
  }

  /// Finds the addresses of the library's functions. `functions` is a struct of function pointers,
  /// and `names` has the name of each function in the order of the struct. Returns the struct with
  /// all pointers set, or nil if a function is missing. The library is never closed, because
  /// threads may be running in it.
  public func load<Functions>(
    _ functions: Functions, _ names: UnsafePointer<UnsafePointer<CChar>?>?
  ) -> Functions? {
    // With RTLD_LOCAL, no other library finds these functions by chance.
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
