// SPDX-License-Identifier: GPL-3.0-or-later
//
// One sound process, from its start to its end. Why there is one and what it does is
// `SoundProcess.swift`'s.

import Glibc
import System

final class SoundChild {
  var onNews: ((SoundNews) -> Void)?
  /// It has ended and was not to, for the reason given.
  var onEnd: ((String) -> Void)?

  private let process: Int32
  private var socket: PacketSocket?
  private var exit: Source?
  private var course = SoundCourse()

  /// What was started, on its way to the main loop.
  nonisolated struct Started: Sendable {
    var process: Int32
    var socket: OpenDescriptor
  }

  /// Starts the file that this process runs, even where a newer one has taken its place: both must
  /// be of one version.
  nonisolated static func start(
    _ name: String, record: String
  ) throws(SystemError) -> Started {
    let (ours, theirs) = try PacketSocket.pair()
    defer { withExtendedLifetime(theirs) {} }
    let launch = Launch(
      ["belfryd", "--\(name)", record], program: Environment.program, input: theirs.number,
      errors: STDERR_FILENO)
    return Started(process: try launch.start(), socket: ours)
  }

  init(_ started: Started) {
    process = started.process
    let socket = PacketSocket(adopting: started.socket)
    self.socket = socket
    // It holds this until the process has ended, so that it is waited for whoever lets go of it.
    exit = MainLoop.onExit(of: process) { self.ended($0) }
    socket.listen { [weak self] bytes in
      if let bytes { self?.receive(bytes) }  // Its end is told by its exit.
    }
  }

  /// Whether it was taken.
  func send(_ task: SoundTask) -> Bool {
    course.take(task)
    return socket?.send(task.packet.bytes) ?? false
  }

  /// Ends it at once.
  func kill() { Glibc.kill(process, SIGKILL) }

  /// Says nothing more to it, nor listens: it puts back what it was told to, and ends.
  func letGo() {
    (onNews, onEnd, socket) = (nil, nil, nil)
  }

  /// The same for the end of this program, waiting at most `limit` for it.
  func finish(within limit: Duration) {
    socket?.finish(within: limit)
    letGo()
  }

  private func receive(_ bytes: [UInt8]) {
    guard let news = try? SoundNews(Packet(bytes: bytes)) else { return kill() }
    // What it says of something that it was told to leave off is late.
    if case .report(_, let number) = news, number != course.number { return }
    onNews?(news)
  }

  private func ended(_ status: Int32) {
    exit = nil
    let signal = status & 0x7f
    onEnd?(signal == 0 ? "it left with status \(status >> 8 & 0xff)" : "signal \(signal)")
  }
}
