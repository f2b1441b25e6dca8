// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays sounds with the program `belfry-sound`, which runs only while there is a sound to play or a
// volume to restore. Sound has a process of its own because a plug-in of the sound system may crash
// or hang, and because its libraries are unloaded with the process. Knows nothing about alarms.
// Next: `SoundSupervisor.swift`, which decides what to do about the process, and
// `SoundBackend.swift` in Player, which works inside the process.

import CGLib
import Glibc
import Scheduling
import Synchronization
import System

@MainActor public final class SoundProcess {
  /// Called on the main loop. After `stop`, nothing is reported about earlier sounds.
  public var onReport: ((SoundReport) -> Void)?

  private let record: String
  /// The standard error of the process; nil drops what is written there. Libraries that decode
  /// sounds, such as libmpg123, write texts for their developers there.
  private let errors: Int32?
  private var supervisor = SoundSupervisor()
  private let program = SoundProgram()
  private var child: Child?
  private var checkTimer: Source?
  private let bell: Bell

  /// `record` is the file with the volumes to restore. `logs` is whether the process writes to the
  /// standard error of this program, as a part of its log. It never writes to a terminal.
  public convenience init(record: String, logs: Bool = true) {
    self.init(record: record, logs: logs, bell: Bell())
  }

  init(record: String, logs: Bool = true, bell: Bell) {
    (self.record, self.bell) = (record, bell)
    errors = logs && !StandardError.isTerminal ? STDERR_FILENO : nil
    // Open the program now, so that an upgrade does not change it. If opening fails, it is tried
    // again when the program is needed.
    Worker.once("sound process") { [program] disk in _ = try? program.open(on: disk) }
  }

  isolated deinit { child?.letGo() }

  /// Opens a device for `request` and decodes the beginning of the sound, so that `play` only has
  /// to start it. Ignored while another sound is playing.
  public func prime(_ request: SoundRequest) { apply(.prime(request)) }

  /// Plays `request` instead of any other sound. Ordering the same request again changes nothing.
  /// `elapsed` is how long the alarm has been ringing; the fade-in continues from there.
  public func play(_ request: SoundRequest, fadedFor elapsed: Duration = .zero) {
    apply(.play(request, fadedFor: elapsed, at: Clock.now().boot))
  }

  /// Ends the sound within 200 ms.
  public func stop() { apply(.stop) }

  /// Raises the volume of the output in `target`. Does nothing if no sound process is running, or
  /// if during this ring a process has already crashed while raising the volume.
  public func raise(_ target: VolumeTarget) { apply(.raise(target, at: Clock.now().boot)) }

  /// Restores the volume after `raise`, even if the process that raised it has crashed.
  public func restore() { apply(.restore) }

  /// Waits at most `limit` until the sound has ended and the volume is restored. Use this at the
  /// end of the program.
  public func finish(within limit: Duration) { child?.finish(within: limit) }

  private func apply(_ event: SoundSupervisor.Event) {
    for act in supervisor.apply(event) { carryOut(act) }
    if !supervisor.needsLooks {
      checkTimer = nil
    } else if checkTimer == nil {
      checkTimer = MainLoop.after(.milliseconds(500)) { [weak self] in
        self?.checkTimer = nil
        self?.apply(.check)
      }
    }
  }

  private func carryOut(_ act: SoundSupervisor.Act) {
    switch act {
    case .start: start()
    case .send(let command):
      // A process that does not accept a command is killed. The event `.ended` follows.
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

  // MARK: - Starting the process

  private func start() {
    let (record, errors, program) = (record, errors, program)
    Worker.once("sound process") { [self] disk in
      let started = Result { () throws(SystemError) in
        try program.start(record: record, errors: errors, on: disk)
      }
      Worker.onMain { self.handle(started) }
    }
  }

  private func handle(_ started: Result<SoundProgram.Process, SystemError>) {
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

@MainActor private final class Child {
  var onReport: ((SoundMessage<SoundReport>) -> Void)?
  /// Called if the process ends before `letGo`.
  var onEnd: ((ProcessEnd) -> Void)?

  private let number: Int32
  private var socket: PacketSocket?
  private var reading: Source?
  private var exit: Source?

  init(_ process: SoundProgram.Process) {
    (number, socket) = (process.number, process.socket)
    // The closure keeps this object until the process has ended, so that the process is reaped even
    // after `letGo`.
    exit = MainLoop.onExit(of: number) { self.ended($0) }
    reading = process.socket.listen { [weak self] in self?.receive($0) }
  }

  /// Returns whether the process accepted the message.
  func send(_ message: SoundMessage<SoundCommand>) -> Bool { socket?.send(message.bytes) ?? false }

  func kill() { Glibc.kill(number, SIGKILL) }

  func letGo() { (onReport, onEnd, socket, reading) = (nil, nil, nil, nil) }

  /// Closes the socket and waits at most `limit` for the process, at the end of this program.
  func finish(within limit: Duration) {
    reading = nil
    socket?.finish(within: limit)
    letGo()
  }

  /// - Parameter bytes: A packet, or nil if the process has closed its end and is about to exit.
  private func receive(_ bytes: [UInt8]?) {
    guard let bytes else {
      reading = nil
      return
    }
    guard let message = try? SoundMessage<SoundReport>(bytes) else { return kill() }
    onReport?(message)
  }

  private func ended(_ end: ProcessEnd) {
    exit = nil
    onEnd?(end)
  }
}

/// The file of the program `belfry-sound`. It is kept open: an upgrade puts a newer file in its
/// place, but the program must have the same version as the process that uses it.
final class SoundProgram: Sendable {
  static let name = "belfry-sound"
  private let file = Mutex<OpenDescriptor?>(nil)

  struct Process: Sendable {
    var number: Int32
    /// This program's end of the socket that is the process's standard input.
    var socket: PacketSocket
  }

  /// Opens the file, unless it is open already.
  @discardableResult
  func open(on disk: Disk) throws(SystemError) -> OpenDescriptor {
    if let open = file.withLock({ $0 }) { return open }
    let opened = try SystemFile.open(Environment.ownProgram(Self.name, on: disk), O_RDONLY)
    file.withLock { $0 = opened }
    return opened
  }

  /// - Parameters:
  ///   - record: The file with the volumes to restore.
  ///   - errors: The process's standard error; nil stands for `/dev/null`.
  func start(
    record: String, errors: Int32?, on disk: Disk
  ) throws(SystemError) -> Process {
    let file = try open(on: disk)
    let (ours, theirs) = try PacketSocket.pair()
    defer { withExtendedLifetime((file, theirs)) {} }
    // The new process gets the file as its standard output, on which it prints nothing, and runs
    // the file from there.
    let launch = Launch(
      [Self.name, record], program: "/proc/self/fd/\(STDOUT_FILENO)", input: theirs.number,
      output: file.number, errors: errors)
    return Process(number: try launch.start(), socket: ours)
  }
}
