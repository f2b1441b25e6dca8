// SPDX-License-Identifier: GPL-3.0-or-later
//
// One end of a socket between two processes, in packets: what is sent as one comes as one, or not at
// all (`SOCK_SEQPACKET`, unix(7)). It never waits. Next: `SoundMessage.swift`, what goes over it.

import Glibc
import Scheduling
import System

final class PacketSocket {
  private let descriptor: OpenDescriptor
  private var reading: Source?

  /// Takes over an end that a process was started with, or `pair` made.
  init(adopting descriptor: OpenDescriptor) { self.descriptor = descriptor }

  /// The two ends (`socketpair`). Neither waits, and no program inherits them.
  nonisolated static func pair() throws(SystemError) -> (OpenDescriptor, OpenDescriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw SystemError("socketpair") }
    return (OpenDescriptor(adopting: ends[0]), OpenDescriptor(adopting: ends[1]))
  }

  /// Calls `onPacket` with each packet, and with nil once nobody is at the other end any more.
  func listen(_ onPacket: @escaping ([UInt8]?) -> Void) {
    reading = MainLoop.onReadable(descriptor.number) { [weak self] in
      guard let self else { return }
      let packet = receive()
      if packet?.isEmpty == true { return }  // Nothing there after all.
      if packet == nil { reading = nil }
      onPacket(packet)
    }
  }

  /// Whether it went out: not so where nobody is at the other end, or reads.
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// For the end of the program: says that no more will be sent, and waits, at most `limit`, until the
  /// other end is closed.
  func finish(within limit: Duration) {
    reading = nil
    shutdown(descriptor.number, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + limit
    while let packet = receive() {
      var poll = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      let left = ContinuousClock.now.duration(to: deadline).wholeMicroseconds / 1000
      guard packet.isEmpty else { continue }
      if left <= 0 || Glibc.poll(&poll, 1, Int32(clamping: left)) == 0 { return }
    }
  }

  /// A packet, none at all where there is none yet, or nil at the end.
  private func receive() -> [UInt8]? {
    // What it holds is bounded by what the sender's end takes, some 200 KB (net.core.wmem_default).
    let length = recv(descriptor.number, nil, 0, Int32(MSG_PEEK | MSG_TRUNC))
    if length < 0, errno == EAGAIN || errno == EINTR { return [] }
    guard length > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: length)
    return recv(descriptor.number, &bytes, length, 0) == length ? bytes : nil
  }
}
