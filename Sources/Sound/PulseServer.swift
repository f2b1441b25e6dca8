// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the variable `PULSE_SERVER` names a sound server that is not there. Programs
// that play through PulseAudio's library, or through PipeWire's replacement for the server, then
// find no server, even if the session has one. `DoctorSound.swift` reports that.

import Glibc
import System

public enum PulseServer {
  /// The value of `PULSE_SERVER`; nil if it is not set.
  public static var variable: String? { Environment.value("PULSE_SERVER") }

  /// Whether no server accepts connections at any socket that `variable` names: a list of
  /// addresses such as `unix:/run/pulse` or `{MACHINE-ID}unix:/run/pulse`. Nil if the list has an
  /// address of another kind, such as a host, which is not tried here.
  public static func isGone(_ variable: String, on disk: Disk) -> Bool? {
    let paths = variable.split(separator: " ").map { address -> String? in
      let address = address.hasPrefix("{") ? address.drop { $0 != "}" }.dropFirst() : address
      let path = address.hasPrefix("unix:") ? address.dropFirst("unix:".count) : address
      return path.utf8.first == UInt8(ascii: "/") ? String(path) : nil
    }
    if paths.contains(nil) { return nil }
    return !paths.compactMap(\.self).contains { isAccepting($0, on: disk) }
  }

  /// The path of the socket that programs use without the variable; nil if it is not known.
  static var usualSocket: String? {
    let folder =
      Environment.value("PULSE_RUNTIME_PATH")
      ?? Environment.value("XDG_RUNTIME_DIR").map { "\($0)/pulse" }
    return folder.map { "\($0)/native" }
  }

  /// Whether a server accepts connections at `usualSocket`.
  public static func isAtUsualSocket(on disk: Disk) -> Bool {
    usualSocket.map { isAccepting($0, on: disk) } ?? false
  }

  /// A server that hangs still accepts connections, until its queue is full (`EAGAIN`).
  private static func isAccepting(_ path: String, on disk: Disk) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let socket = socket(AF_UNIX, Int32(kind), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 || errno == EAGAIN
  }
}
