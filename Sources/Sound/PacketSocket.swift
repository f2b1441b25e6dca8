// SPDX-License-Identifier: GPL-3.0-or-later
//
// One end of a socket between two processes, which transfers packets: each arrives whole or not at
// all (`SOCK_SEQPACKET`, unix(7)). Sending never waits. Next: `SoundMessage.swift`, the content of
// the packets.

import Glibc
import Scheduling
import System

package final class PacketSocket {
  private let descriptor: OpenDescriptor
  private var reading: Source?

  /// Takes over an end from `pair`, or a descriptor that the process was started with.
  package init(adopting descriptor: OpenDescriptor) { self.descriptor = descriptor }

  /// Creates both ends (`socketpair`). Neither blocks, and no started program inherits them.
  nonisolated static func pair() throws(SystemError) -> (OpenDescriptor, OpenDescriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw SystemError("socketpair") }
    return (OpenDescriptor(adopting: ends[0]), OpenDescriptor(adopting: ends[1]))
  }

  /// Calls `onPacket` with each packet, and with nil once the other end is closed.
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

  /// Returns whether the packet was sent. If the other end is closed or does not read, it is not.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool { Self.send(bytes, to: descriptor) }

  nonisolated static func send(_ bytes: [UInt8], to descriptor: OpenDescriptor) -> Bool {
    Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Announces that nothing more will be sent, and waits at most `limit` until the other end is
  /// closed. For the end of the program.
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
    /// No packet has arrived.
    case nothing
    /// The other end is closed.
    case end
  }

  /// Waits at most `limit` for a packet.
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
    // The kernel bounds the size of a packet, to about 200 KB (net.core.wmem_default).
    let length = recv(descriptor.number, nil, 0, Int32(MSG_PEEK | MSG_TRUNC))
    if length < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    guard length > 0 else { return .end }
    var bytes = [UInt8](repeating: 0, count: length)
    return recv(descriptor.number, &bytes, length, 0) == length ? .packet(bytes) : .end
  }
}
