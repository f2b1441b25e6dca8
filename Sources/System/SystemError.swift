// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a failed call to the operating system travels: its name, its code, and the C library's words;
// and what kept a file from being read or written.

import CGLib
import Glibc
import Language

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

/// What kept a file from being read, written or watched.
public nonisolated enum FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A call to the operating system failed.
  case system(SystemError, path: String)
  /// Something other than a regular file; `kind` is "folder", "pipe", "device" or "socket".
  case notAFile(path: String, kind: String)
  /// More than `limit` bytes.
  case tooLarge(path: String, limit: Int)
  /// The disk did not answer in the time that there was.
  case noAnswer(path: String)

  /// Whether nothing is there.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether there is no room for it.
  public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// Whether the disk that it is on is only for reading.
  public var isReadOnlyDisk: Bool { code == EROFS }

  /// Whether it is there, but not for this user.
  public var isDenied: Bool { code == EACCES || code == EPERM }

  public var description: String { message.description }

  public var message: Message {
    switch self {
    case .system(let error, let path): Message(verbatim: "\(error.call) \(path): \(error.text)")
    case .notAFile(let path, kind: "folder"): Message("\(path) is a folder, not a file")
    case .notAFile(let path, kind: "pipe"): Message("\(path) is a pipe, not a file")
    case .notAFile(let path, kind: "socket"): Message("\(path) is a socket, not a file")
    case .notAFile(let path, _): Message("\(path) is a device, not a file")
    case .tooLarge(let path, let limit): Message("\(path) is larger than \(limit) bytes")
    case .noAnswer(let path): Message("\(path): the disk does not answer")
    }
  }

  /// What the system says, without the call and the path.
  public var reason: String {
    switch self {
    case .system(let error, _): error.text
    case .noAnswer: tr("the disk does not answer")
    case .notAFile, .tooLarge: description
    }
  }

  /// The same error of the system, of another path.
  func at(_ path: String) -> FileError {
    if case .system(let error, _) = self { .system(error, path: path) } else { self }
  }

  private var code: Int32? {
    if case .system(let error, _) = self { error.code } else { nil }
  }
}

nonisolated extension Message.Template.StringInterpolation {
  /// In the language of the sentence that it is put into.
  public mutating func appendInterpolation(_ error: FileError) {
    appendInterpolation(error.message)
  }
}

/// Takes over `error`, which C handed out; what GDBus put around a remote message is left out.
package nonisolated func words(consuming error: UnsafeMutablePointer<GError>?) -> String {
  guard let error else { return "no reason given" }
  defer { g_error_free(error) }
  g_dbus_error_strip_remote_error(error)
  return String(cString: error.pointee.message)
}
