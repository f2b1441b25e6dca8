// SPDX-License-Identifier: GPL-3.0-or-later
//
// Carries a Swift value through a C callback as its `user_data`. C holds one reference to the
// value. The destroy notify releases the reference; a callback that is called only once releases it
// itself.

import CGLib

/// A Swift value, usually a closure, in a form that C can hold.
package final class CContext<Value> {
  private let value: Value

  private init(_ value: Value) { self.value = value }

  /// Wraps `value` for C, which holds it until `releaseContext` or `take` is called.
  package static func retained(_ value: Value) -> gpointer {
    Unmanaged.passRetained(CContext(value)).toOpaque()
  }

  /// Returns the value in `pointer`. C keeps its reference to the value, so the callback may be
  /// called again.
  package static func value(of pointer: gpointer?) -> Value {
    reference(pointer).takeUnretainedValue().value
  }

  /// Returns the value in `pointer` and releases C's reference to it. Use this in a callback that
  /// is called only once.
  package static func take(_ pointer: gpointer?) -> Value {
    reference(pointer).takeRetainedValue().value
  }

  private static func reference(_ pointer: gpointer?) -> Unmanaged<CContext> {
    guard let pointer else { preconditionFailure("C hands back the context that it was given") }
    return Unmanaged.fromOpaque(pointer)
  }
}

/// The destroy notify of every `CContext`. GLib calls it on the thread that drops the last
/// reference to a source, which may be any thread. It is a `nonisolated` constant because a closure
/// in the argument list would be isolated to the main thread, and would trap on any other thread.
package let releaseContext: @convention(c) (gpointer?) -> Void = { pointer in
  guard let pointer else { return }
  Unmanaged<AnyObject>.fromOpaque(pointer).release()
}
