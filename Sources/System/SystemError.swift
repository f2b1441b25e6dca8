// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a failed call to the operating system travels: its name, its code, and the C library's words.

import CGLib
import Glibc

/// A call to the operating system that failed.
public nonisolated struct SystemError: Error, Equatable, CustomStringConvertible {
  public var call: String
  public var code: Int32

  /// Takes `errno` as it stands: to be made right after the call.
  public init(_ call: String, code: Int32 = errno) { (self.call, self.code) = (call, code) }

  /// What the C library says, such as `Permission denied`.
  public var text: String { String(cString: strerror(code)) }
  /// Whether a path leads nowhere.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether no file at all can be opened, whatever its path.
  public var isForWantOfDescriptors: Bool { code == EMFILE || code == ENFILE }
  /// Whether nobody reads any more what is written.
  public var isForWantOfReader: Bool { code == EPIPE }
  public var description: String { "\(call): \(text)" }
}

/// Takes over `error`, which C handed out; what GDBus put around a remote message is left out.
package nonisolated func words(consuming error: UnsafeMutablePointer<GError>?) -> String {
  guard let error else { return "no reason given" }
  defer { g_error_free(error) }
  g_dbus_error_strip_remote_error(error)
  return String(cString: error.pointee.message)
}
