// SPDX-License-Identifier: GPL-3.0-or-later
//
// One end of a socket between two processes, which transfers packets: each arrives whole or not at
// all (`SOCK_SEQPACKET`, unix(7)). Sending never waits. Next: `SoundRequest.swift`, the content of
// the packets.

import Glibc
import Scheduling
import System

package struct PacketSocket: Sendable {
  private let descriptor: OpenDescriptor

  /// Takes over a descriptor that the process was started with.
  package init(adopting descriptor: OpenDescriptor) { self.descriptor = descriptor }

  /// Creates both ends. Neither blocks, and no started program inherits them.
  static func pair() throws(SystemError) -> (PacketSocket, PacketSocket) {
    let (one, other) = try OpenDescriptor.socketPair(SOCK_SEQPACKET, SOCK_NONBLOCK)
    return (PacketSocket(adopting: one), PacketSocket(adopting: other))
  }

  /// The descriptor, open as long as this value or a copy of it exists.
  var number: Int32 { descriptor.number }

  /// Calls `onPacket` on the main loop with each packet. Once the other end is closed, calls
  /// `onPacket` with nil, again and again.
  @MainActor package func listen(_ onPacket: @escaping ([UInt8]?) -> Void) -> Source {
    MainLoop.onReadable(number) {
      switch receive() {
      case .packet(let bytes): onPacket(bytes)
      case .nothing: break
      case .end: onPacket(nil)
      }
    }
  }

  /// Sends a packet. Returns false if the packet was not sent, because the other end is closed or
  /// does not read.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Announces that nothing more will be sent, and waits at most `limit` until the other end is
  /// closed. Use this at the end of the program.
  func finish(within limit: Duration) {
    shutdown(number, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + limit
    while case .packet = receive(within: ContinuousClock.now.duration(to: deadline)) {}
  }

  enum Received {
    case packet([UInt8])
    /// No packet has arrived.
    case nothing
    /// The other end is closed.
    case end
  }

  /// Waits at most `limit` for a packet.
  func receive(within limit: Duration) -> Received {
    let deadline = ContinuousClock.now + limit
    while true {
      let received = receive()
      guard case .nothing = received else { return received }
      var poll = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let left = ContinuousClock.now.duration(to: deadline).wholeMicroseconds / 1000
      if left <= 0 || Glibc.poll(&poll, 1, Int32(clamping: left)) == 0 { return .nothing }
    }
  }

  private func receive() -> Received {
    // The kernel limits the size of a packet, to about 200 KB (net.core.wmem_default).
    let length = recv(number, nil, 0, Int32(MSG_PEEK | MSG_TRUNC))
    if length < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    guard length > 0 else { return .end }
    var bytes = [UInt8](repeating: 0, count: length)
    return recv(number, &bytes, length, 0) == length ? .packet(bytes) : .end
  }
}
