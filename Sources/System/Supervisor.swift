// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who started this program and would start it again: systemd, by its notification socket. It is told
// by when it will hear of us next; without a sign until then it ends us and starts another. It is no
// heartbeat, and wakes nothing: a sign goes out when something happens anyhow. See sd_notify(3).

import Glibc
import Scheduling

public final class Supervisor {
  private let socket: OpenDescriptor
  private var address = sockaddr_un()
  private let length: socklen_t

  /// nil where nobody supervises (`NOTIFY_SOCKET`). The variable is taken away, so that programs
  /// started by this one do not speak in its name.
  public init?() {
    guard let path = Environment.value("NOTIFY_SOCKET") else { return nil }
    unsetenv("NOTIFY_SOCKET")
    var bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room, bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@") else {
      return nil
    }
    // An abstract socket, whose name begins with a NUL and does not end in one.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return nil }
    socket = OpenDescriptor(adopting: number)
  }

  /// The next sign will be given within `time`, suspend not counted; nil: nobody knows when. Each
  /// promise takes the place of the one before (`WATCHDOG_USEC`).
  public func promiseSign(within time: Duration?) {
    let microseconds = time.map { String(max(1, $0.wholeMicroseconds)) } ?? "\(UInt64.max)"
    tell("WATCHDOG_USEC=\(microseconds)")
  }

  /// Never waits: what cannot be said now is said with the next sign.
  private func tell(_ text: String) {
    let bytes = Array(text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(
          socket.number, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), address,
          length)
      }
    }
  }
}
