// SPDX-License-Identifier: GPL-3.0-or-later
//
// One end of a socket between two processes, in packets: what is sent as one comes as one, or not
// at all (`SOCK_SEQPACKET`, unix(7)). It never waits. Next: `SoundMessage.swift`, what goes over
// it.

import Glibc
import Scheduling
import System

package final class PacketSocket {
  private let descriptor: OpenDescriptor
  private var reading: Source?

  /// Takes over an end that a process was started with, or `pair` made.
  package init(adopting descriptor: OpenDescriptor) { self.descriptor = descriptor }

  /// The two ends (`socketpair`). Neither waits, and no program inherits them.
  nonisolated static func pair() throws(SystemError) -> (OpenDescriptor, OpenDescriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw SystemError("socketpair") }
    return (OpenDescriptor(adopting: ends[0]), OpenDescriptor(adopting: ends[1]))
  }

  /// Calls `onPacket` with each packet, and with nil once nobody is at the other end any more.
  package func listen(_ onPacket: @escaping ([UInt8]?) -> Void) {
    reading = MainLoop.onReadable(descriptor.number) { [weak self] in
      guard let self else { return }
      switch Self.receive(from: descriptor) {
      case .packet(let bytes): onPacket(bytes)
      case .nothing: break
      case .end:
        reading = nil
        onPacket(nil)
      }
    }
  }

  /// Whether it went out: not so if nobody is at the other end, or reads.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool { Self.send(bytes, to: descriptor) }

  nonisolated static func send(_ bytes: [UInt8], to descriptor: OpenDescriptor) -> Bool {
    Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// For the end of the program: says that no more will be sent, and waits, at most `limit`, until
  /// the other end is closed.
  func finish(within limit: Duration) {
    reading = nil
    shutdown(descriptor.number, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + limit
    while case .packet = Self.receive(
      from: descriptor, within: ContinuousClock.now.duration(to: deadline))
    {}
  }

  nonisolated enum Received {
    case packet([UInt8])
    /// Not yet.
    case nothing
    /// Nobody is at the other end any more.
    case end
  }

  /// Waits for a packet, at most `limit`.
  nonisolated static func receive(
    from descriptor: OpenDescriptor, within limit: Duration
  ) -> Received {
    let deadline = ContinuousClock.now + limit
    while true {
      let received = receive(from: descriptor)
      guard case .nothing = received else { return received }
      var poll = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      let left = ContinuousClock.now.duration(to: deadline).wholeMicroseconds / 1000
      if left <= 0 || Glibc.poll(&poll, 1, Int32(clamping: left)) == 0 { return .nothing }
    }
  }

  private nonisolated static func receive(from descriptor: OpenDescriptor) -> Received {
    // What it holds is bounded by what the sender's end takes, some 200 KB (net.core.wmem_default).
    let length = recv(descriptor.number, nil, 0, Int32(MSG_PEEK | MSG_TRUNC))
    if length < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    guard length > 0 else { return .end }
    var bytes = [UInt8](repeating: 0, count: length)
    return recv(descriptor.number, &bytes, length, 0) == length ? .packet(bytes) : .end
  }
}
