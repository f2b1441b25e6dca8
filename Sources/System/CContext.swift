// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a C library is given along with a callback, and hands back to it: its `user_data`. C holds
// one reference, and lets go of it by the destroy notify or, where the callback comes once, in it.

import CGLib

/// A Swift value, mostly a closure, on its way through C.
package nonisolated final class CContext<Value> {
  private let value: Value

  private init(_ value: Value) { self.value = value }

  /// For C to hold until `releaseContext` or `take`.
  package static func retained(_ value: Value) -> gpointer {
    Unmanaged.passRetained(CContext(value)).toOpaque()
  }

  /// What `pointer` holds, which keeps it.
  package static func value(of pointer: gpointer?) -> Value {
    reference(pointer).takeUnretainedValue().value
  }

  /// What `pointer` held: for the only call of a callback.
  package static func take(_ pointer: gpointer?) -> Value {
    reference(pointer).takeRetainedValue().value
  }

  private static func reference(_ pointer: gpointer?) -> Unmanaged<CContext> {
    guard let pointer else { preconditionFailure("C hands back the context that it was given") }
    return Unmanaged.fromOpaque(pointer)
  }
}

/// The destroy notify of every `CContext`. Whichever thread drops a source last makes GLib call it
/// there: written inline it would be taken for the main thread's, and trap.
package nonisolated let releaseContext: @convention(c) (gpointer?) -> Void = { pointer in
  guard let pointer else { return }
  Unmanaged<AnyObject>.fromOpaque(pointer).release()
}
