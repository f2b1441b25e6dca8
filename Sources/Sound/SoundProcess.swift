// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays through `belfry-sound`, which runs only while something is to be heard or a volume is to be
// restored. It knows no alarm. Next: `SoundSupervisor.swift`, which decides what is done about the
// process, and `SoundBackend.swift` in Player, what runs in it.

import Glibc
import Scheduling
import System

public final class SoundProcess {
  /// Called on the main loop. What was asked for before the last `stop` reports nothing after it.
  public var onReport: ((SoundReport) -> Void)?

  private let record: String
  private var supervisor = SoundSupervisor()
  private let program = SoundProgram()
  private var child: Child?
  private var look: Source?
  private let bell: Bell

  /// `record` is the file that remembers what the output was set to.
  public convenience init(record: String) { self.init(record: record, bell: Bell()) }

  init(record: String, bell: Bell) {
    (self.record, self.bell) = (record, bell)
    // Opened ahead, so that the program is the one that was installed when this one was started.
    // Where that fails, it is tried again when the program is needed.
    Worker.once("sound process") { [program] in _ = try? program.open() }
  }

  isolated deinit { child?.letGo() }

  /// Opens a device for `request` and decodes its beginning, so that `play` only starts it. Ignored
  /// while another request plays.
  public func prime(_ request: SoundRequest) { apply(.prime(request)) }

  /// Plays `request` in place of whatever plays; the same request again changes nothing. `elapsed`
  /// is how long it has been ringing already: the fade goes on from there.
  public func play(_ request: SoundRequest, fadedFor elapsed: Duration = .zero) {
    apply(.play(request, fadedFor: elapsed, at: Clock.now().boot))
  }

  /// Silent within 200 ms.
  public func stop() { apply(.stop) }

  /// Turns the output up, until `restore`.
  public func raise(_ target: VolumeTarget) { apply(.raise(target, at: Clock.now().boot)) }

  /// Restores what was raised, by this program or by one that crashed.
  public func restore() { apply(.restore) }

  /// Waits until all is silent and restored, at most `limit`, for the end of the program.
  public func finish(within limit: Duration) { child?.finish(within: limit) }

  private func apply(_ event: SoundSupervisor.Event) {
    for act in supervisor.apply(event) { carryOut(act) }
    if !supervisor.needsLooks {
      look = nil
    } else if look == nil {
      lookAfterIt()
    }
  }

  private func lookAfterIt() {
    look = MainLoop.after(.milliseconds(500)) { [weak self] in
      self?.look = nil
      self?.apply(.look)
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
    case .kill:
      child?.kill()
      child?.letGo()
      child = nil
    case .letGo:
      child?.letGo()
      child = nil
    case .ringBell: bell.ring()
    case .stopBell: bell.stop()
    case .report(let report): onReport?(report)
    case .logError(let text): Log.error(text)
    }
  }

  // MARK: - Starting

  private func start(onlyToRestore: Bool) {
    let (record, program) = (record, program)
    Worker.once("sound process") { [self] in
      if onlyToRestore, !Self.mayExist(record) {
        return Worker.onMain { self.apply(.nothingToRestore) }
      }
      let started = Result { () throws(SystemError) in try program.start(record: record) }
      Worker.onMain { self.take(started) }
    }
  }

  /// A disk that does not answer holds up no ring: the process finds out.
  @Blocking private static func mayExist(_ record: String) -> Bool {
    let patience = Patience(.milliseconds(500))
    return (try? patience.wait(for: record) { Folder.hasFile(record) }) ?? true
  }

  private func take(_ started: Result<SoundProgram.Process, SystemError>) {
    switch started {
    case .failure(let error): apply(.notStarted("\(error)"))
    case .success(let process):
      child = Child(process)
      child?.onReport = { [weak self] in self?.apply(.reported($0.body, of: $0.number)) }
      child?.onEnd = { [weak self] end in
        self?.child = nil
        self?.apply(.ended(end))
      }
      apply(.started)
    }
  }
}

/// A process, from its start to its end.
private final class Child {
  var onReport: ((SoundMessage<SoundReport>) -> Void)?
  /// It has ended and was not to.
  var onEnd: ((SoundSupervisor.ProcessEnd) -> Void)?

  private let number: Int32
  private var socket: PacketSocket?
  private var exit: Source?

  init(_ process: SoundProgram.Process) {
    number = process.number
    let socket = PacketSocket(adopting: process.socket)
    self.socket = socket
    // It holds this until the process has ended, so that it is waited for whoever lets go of it.
    exit = MainLoop.onExit(of: number) { self.ended($0) }
    socket.listen { [weak self] bytes in
      if let bytes { self?.receive(bytes) }  // Its end is told by its exit.
    }
  }

  /// Whether it was taken.
  func send(_ message: SoundMessage<SoundCommand>) -> Bool { socket?.send(message.bytes) ?? false }

  /// Ends it at once.
  func kill() { Glibc.kill(number, SIGKILL) }

  /// Says nothing more to it, nor listens: it leaves by itself.
  func letGo() { (onReport, onEnd, socket) = (nil, nil, nil) }

  /// The same for the end of this program, waiting at most `limit` for it.
  func finish(within limit: Duration) {
    socket?.finish(within: limit)
    letGo()
  }

  private func receive(_ bytes: [UInt8]) {
    guard let message = try? SoundMessage<SoundReport>(bytes) else { return kill() }
    onReport?(message)
  }

  private func ended(_ status: Int32) {
    exit = nil
    let signal = status & 0x7f
    onEnd?(signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal))
  }
}
