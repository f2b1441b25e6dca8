// SPDX-License-Identifier: GPL-3.0-or-later
//
// Defines the error of a failed call to the operating system: the name of the call, the error code
// and the C library's text for it. Also defines the errors of reading and writing files.

import CGLib
import Glibc
import Language

/// A call to the operating system that failed.
public struct SystemError: Error, Codable, Equatable, CustomStringConvertible {
  public var call: String
  public var code: Int32

  /// Stores the current `errno`, so create the error right after the call that failed.
  public init(_ call: String, code: Int32 = errno) { (self.call, self.code) = (call, code) }

  /// The C library's text for the error, such as `Permission denied`.
  public var text: String { String(cString: strerror(code)) }
  /// Whether nothing exists at the path.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether a write failed because the reader of the output is gone.
  public var isForWantOfReader: Bool { code == EPIPE }
  public var description: String { "\(call): \(text)" }
}

/// The reason why a file cannot be read, written or watched.
public enum FileError: Error, Equatable, Sendable, CustomStringConvertible {
  case system(SystemError, path: String)
  /// The path leads to something other than a regular file.
  case notAFile(path: String, isFolder: Bool)
  /// The file has more than `limit` bytes.
  case tooLarge(path: String, limit: Int)
  /// The disk did not answer within the time that the task had.
  case noAnswer(path: String)
  /// The path leads to another folder than before.
  case replaced(path: String)

  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether there is no room for the file: a full disk, a quota, or a limit of file size.
  public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  public var isReadOnlyDisk: Bool { code == EROFS }

  public var isDenied: Bool { code == EACCES || code == EPERM }

  public var description: String { message.description }

  public var message: Message {
    switch self {
    case .system(let error, let path): Message(verbatim: "\(error.call) \(path): \(error.text)")
    case .notAFile(let path, isFolder: true): Message("\(path) is a folder, not a file")
    case .notAFile(let path, _): Message("\(path) is a pipe, a socket or a device, not a file")
    case .tooLarge(let path, let limit): Message("\(path) is larger than \(limit) bytes")
    case .noAnswer(let path): Message("\(path): the disk does not answer")
    case .replaced(let path): Message("\(path) is another folder now; its disk may be unmounted")
    }
  }

  /// The reason alone, without the call and the path.
  public var reason: String {
    switch self {
    case .system(let error, _): error.text
    case .noAnswer: tr("the disk does not answer")
    case .notAFile, .tooLarge, .replaced: tr(message)
    }
  }

  func at(_ path: String) -> FileError {
    if case .system(let error, _) = self { .system(error, path: path) } else { self }
  }

  private var code: Int32? {
    if case .system(let error, _) = self { error.code } else { nil }
  }
}

extension Message.Template.StringInterpolation {
  /// Inserts the message of the error, in the language of the sentence around it.
  public mutating func appendInterpolation(_ error: FileError) {
    appendInterpolation(error.message)
  }
}

/// Returns the message of `error` and frees `error`. Leaves out the prefix that GDBus adds to the
/// message of a remote error.
package func words(consuming error: UnsafeMutablePointer<GError>?) -> String {
  guard let error else { return "no reason given" }
  defer { g_error_free(error) }
  g_dbus_error_strip_remote_error(error)
  return String(cString: error.pointee.message)
}
