// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sound, in a process of its own that is there only while there is something to hear: a plug-in
// of the sound system that crashes or hangs costs a moment of sound and not the agent, and what it
// has loaded is gone with it. The output's volume is one more, so that what crashes there is not even
// a moment of sound. It knows no alarm. Next: `SoundSupervisor.swift`, which decides what is done about
// the process, and `SoundBackend.swift`, what runs in it.

import Glibc
import Scheduling
import System

public final class SoundProcess {
  /// What a process is for; so is its option called, too.
  public nonisolated enum Part: String, Sendable {
    case sound, volume
  }

  /// Called on the main loop. What was asked for before the last `stop` reports nothing after it.
  public var onReport: ((Player.Report) -> Void)?

  private let part: Part
  private let record: String
  private var supervisor = SoundSupervisor()
  // Both made ahead: where descriptors or threads have run out, there are no more to be had.
  private let worker = Worker(name: "sound process")
  private let backend: SoundBackend
  private var child: Child?
  private var timer: (deadline: Duration, source: Source)?
  private lazy var bell = Bell()

  /// `record` is the file that remembers what the output was set to.
  public init(_ part: Part, record: String) {
    (self.part, self.record) = (part, record)
    backend = SoundBackend(part, record: record)
    backend.onReport = { [weak self] report in
      if let self { apply(.reported(report, of: supervisor.number)) }
    }
  }

  /// Opens the device for `request` and decodes its beginning, so that `play` only starts it. Ignored
  /// while another request plays.
  public func prime(_ request: Player.Request) { ask(.prime(request)) }

  /// Plays `request` in place of whatever plays; see `Player.play`.
  public func play(_ request: Player.Request, fadedFor elapsed: Duration = .zero) {
    ask(.play(request, asked: Clock.now().boot, fadedFor: elapsed))
  }

  /// Silent within 100 ms.
  public func stop() { ask(.stop) }

  /// Turns the output up, until `restore`; see `VolumeLift`.
  public func raise(_ target: VolumeLift.Target) { ask(.raise(target, asked: Clock.now().boot)) }

  /// Lets go of the mixer; see `VolumeLift`.
  public func letGo() { ask(.letGo) }

  /// Puts back what was raised, by this program or by one that crashed.
  public func restore() { ask(.restore) }

  /// Waits until that is done, at most `limit`, for the end of the program.
  public func finish(within limit: Duration) {
    child?.finish(within: limit)
    if supervisor.state == .inAgent { backend.finish(within: limit) }
  }

  private func ask(_ command: SoundCommand) { apply(.asked(command)) }

  private func apply(_ event: SoundSupervisor.Event) {
    let now = Clock.now().boot
    for act in supervisor.apply(event, at: now) { carryOut(act) }
    guard timer?.deadline != supervisor.deadline else { return }
    timer = supervisor.deadline.map { deadline in
      let source = MainLoop.after(max(.zero, deadline - now)) { [weak self] in
        // What the process has said meanwhile is heard first, as after a sleep.
        let source = MainLoop.after(.zero) {
          self?.timer = nil
          self?.apply(.tick)
        }
        self?.timer = (deadline, source)
      }
      return (deadline, source)
    }
  }

  private func carryOut(_ act: SoundSupervisor.Act) {
    switch act {
    case .start(let onlyToRestore): start(onlyToRestore: onlyToRestore)
    case .send(let command):
      // One that does not take it is lost, which its end will say.
      if child?.send(SoundMessage(number: supervisor.number, body: command)) == false {
        child?.kill()
      }
    case .perform(let command): backend.perform(command)
    case .kill: child?.kill()
    case .letGo:
      child?.letGo()
      child = nil
    case .ringBell: bell.ring()
    case .stopBell: bell.stop()
    case .report(let report): onReport?(report)
    case .logError(let text): Log.error(text)
    }
  }

  private func start(onlyToRestore: Bool) {
    let (part, record) = (part.rawValue, record)
    worker.perform { [weak self] in
      guard !onlyToRestore || Folder.hasFile(record) else {
        return Worker.onMain { self?.apply(.nothingToRestore) }
      }
      let started = Result { () throws(SystemError) in try Child.start(part, record: record) }
      Worker.onMain { SoundProcess.handOver(started, to: self) }
    }
  }

  /// A process that nobody wants any more leaves by itself.
  private static func handOver(
    _ started: Result<Child.Started, SystemError>, to process: SoundProcess?
  ) {
    switch started {
    case .success(let started):
      let child = Child(started)
      if let process { process.adopt(child) } else { child.letGo() }
    case .failure(let error): process?.apply(.notStarted("\(error)"))
    }
  }

  private func adopt(_ child: Child) {
    // The agent has helped itself meanwhile, since its start was held up.
    guard supervisor.state == .starting else { return child.letGo() }
    child.onReport = { [weak self] in self?.apply(.reported($0.body, of: $0.number)) }
    child.onEnd = { [weak self] reason in
      self?.child = nil
      self?.apply(.ended(reason))
    }
    self.child = child
    apply(.started)
  }
}

/// A process, from its start to its end.
private final class Child {
  var onReport: ((SoundMessage<Player.Report?>) -> Void)?
  /// It has ended and was not to, for the reason given.
  var onEnd: ((String) -> Void)?

  private let process: Int32
  private var socket: PacketSocket?
  private var exit: Source?

  /// What was started, on its way to the main loop.
  nonisolated struct Started: Sendable {
    var process: Int32
    var socket: OpenDescriptor
  }

  /// Starts the file that this process runs, even where a newer one has taken its place: both must
  /// be of one version.
  nonisolated static func start(_ part: String, record: String) throws(SystemError) -> Started {
    let (ours, theirs) = try PacketSocket.pair()
    defer { withExtendedLifetime(theirs) {} }
    let launch = Launch(
      ["belfryd", "--\(part)", record], program: Environment.program, input: theirs.number,
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
  func send(_ message: SoundMessage<SoundCommand>) -> Bool { socket?.send(message.bytes) ?? false }

  /// Ends it at once.
  func kill() { Glibc.kill(process, SIGKILL) }

  /// Says nothing more to it, nor listens: it leaves by itself.
  func letGo() { (onReport, onEnd, socket) = (nil, nil, nil) }

  /// The same for the end of this program, waiting at most `limit` for it.
  func finish(within limit: Duration) {
    socket?.finish(within: limit)
    letGo()
  }

  private func receive(_ bytes: [UInt8]) {
    guard let message = try? SoundMessage<Player.Report?>(bytes) else { return kill() }
    onReport?(message)
  }

  private func ended(_ status: Int32) {
    exit = nil
    let signal = status & 0x7f
    onEnd?(signal == 0 ? "it left with status \(status >> 8 & 0xff)" : "signal \(signal)")
  }
}
