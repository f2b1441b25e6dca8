// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wakes a suspended machine at a given moment, with the program `belfry-wake`. Only that program
// may have the capability for this in its file. A program with a capability ignores the environment
// it was started with, so the agent would not find its session bus. Next: `belfry-wake/main.c`,
// which explains the messages between the two.

import CGLib
import Glibc
import Scheduling

/// Runs `belfry-wake`, which ends with this object. Nothing relies on this timer to be on time:
/// that is the task of `WallTimer`.
@MainActor public final class WakeTimer {
  /// Why the machine cannot be woken.
  public enum Refusal: Error, Equatable {
    /// `program`, the file of `belfry-wake`, lacks the capability `CAP_WAKE_ALARM`, and so does
    /// this process.
    case notPermitted(program: String)
    /// The machine has no real-time clock, or none that can wake it.
    case noClock
    /// `belfry-wake` does not start, for this reason.
    case notStarted(String)
    case failed(SystemError)
  }

  public enum State: Equatable {
    /// `belfry-wake` is being started, and has not answered yet.
    case starting
    case ready
    case refused(Refusal)
  }

  /// If a `belfry-wake` that was ready has ended, it is started again after the shortest pause. The
  /// pause doubles, up to the longest, if the next one lives for less than the longest pause.
  private static let shortestPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(60)
  /// How long `whenAnswered` waits for the first answer of `belfry-wake`.
  private static let patience = Duration.seconds(1)
  fileprivate nonisolated static let name = "belfry-wake"

  public private(set) var state = State.starting
  private let program: String?
  private let clocks: String
  private let onFire: () -> Void
  private let onState: () -> Void
  private var moment: Instant?
  private var child: Child?
  /// The id of the running process; nil if there is none.
  var process: Int32? { child?.number }
  private var isStarting = false
  private var pause = shortestPause
  /// The reading of the boot clock when the running process became ready.
  private var readySince = Duration.zero
  private var retry: Source?
  /// Reports when the file of `belfry-wake` changes after a refusal: it may have been given the
  /// capability, or a newer file may have been installed.
  private var watch: FileWatch?
  /// The closures that wait for the first answer; nil after that answer.
  private var waiting: [() -> Void]? = []
  private var limit: Source?

  /// - Parameters:
  ///   - program: The file of `belfry-wake`; nil for the one that belongs to this program.
  ///   - clocks: The folder where the kernel lists the real-time clocks.
  ///   - onFire: Called on the main loop when the moment has come, whether or not the machine was
  ///     suspended.
  ///   - onState: Called on the main loop whenever `state` has changed.
  public init(
    program: String? = nil, clocks: String = "/sys/class/rtc", onFire: @escaping () -> Void,
    onState: @escaping () -> Void
  ) {
    (self.program, self.clocks) = (program, clocks)
    (self.onFire, self.onState) = (onFire, onState)
    limit = MainLoop.after(Self.patience) { [weak self] in self?.stopWaiting() }
    start()
  }

  isolated deinit { child?.letGo() }

  /// Sets the timer to wake the machine at `moment`, instead of the moment given before. With nil,
  /// the machine is not woken. If waking was refused, this tries it again.
  public func arm(_ moment: Instant?) {
    guard moment != self.moment else { return }
    self.moment = moment
    switch state {
    case .ready: sendMoment()
    case .starting: break
    case .refused: start()
    }
  }

  /// Calls `work` once `belfry-wake` has answered for the first time, or has taken too long.
  public func whenAnswered(_ work: @escaping () -> Void) {
    if waiting == nil { work() } else { waiting?.append(work) }
  }

  private func stopWaiting() {
    let work = waiting ?? []
    (waiting, limit) = (nil, nil)
    for item in work { item() }
  }

  private func sendMoment() {
    let order = moment.map { "\(max(1, min($0.microseconds, 1 << 53)))" } ?? "never"
    // A process that does not read its orders, or has ended, is replaced.
    if child?.send(order) == false { child?.kill() }
  }

  // MARK: - The process

  private func start() {
    guard child == nil, !isStarting else { return }
    (isStarting, retry) = (true, nil)
    let program = program
    Worker.once("wake timer") { [self] disk in
      let path = program ?? Environment.ownProgram(Self.name, on: disk)
      let started = Result { () throws(SystemError) in try Process(path, on: disk) }
      Worker.onMain { self.handle(started, of: path) }
    }
  }

  private func handle(_ started: Result<Process, SystemError>, of path: String) {
    isStarting = false
    switch started {
    case .failure(let error): refuse(.notStarted("\(error)"), path)
    case .success(let process):
      let child = Child(process)
      self.child = child
      child.onLine = { [weak self] in self?.handle(line: $0, of: path) }
      child.onEnd = { [weak self] in self?.ended($0, path) }
    }
  }

  private func handle(line: String, of path: String) {
    let words = line.split(separator: " ")
    switch words.first {
    case "ready":
      // The kernel creates the timer even if no clock can wake the machine. Such a timer fires only
      // while the machine is running.
      guard RealTimeClock.all(in: clocks).contains(where: \.mayWake) else {
        return refuse(.noClock, path)
      }
      readySince = Clock.now().boot
      become(.ready)
      sendMoment()
    case "fired": onFire()
    case "refused":
      let code = words.last.flatMap { Int32($0) } ?? EIO
      switch code {
      case EPERM: refuse(.notPermitted(program: path), path)
      // The kernel has no alarm timers.
      case EINVAL, EOPNOTSUPP: refuse(.noClock, path)
      default: refuse(.failed(SystemError("timerfd_create", code: code)), path)
      }
    default: break
    }
  }

  /// Ends the process, because it cannot wake the machine. Another attempt follows when the file
  /// changes, or when another moment is to be armed.
  private func refuse(_ refusal: Refusal, _ path: String) {
    child?.letGo()
    child = nil
    // If the file cannot be watched, the next moment brings another attempt.
    if watch == nil { watch = try? FileWatch(path: path) { [weak self] in self?.start() } }
    become(.refused(refusal))
  }

  private func ended(_ end: ProcessEnd, _ path: String) {
    child = nil
    guard state == .ready else {
      return refuse(.notStarted("\(Self.name): \(end)"), path)
    }
    Log.warning("\(Self.name) has ended with \(end); it is started again")
    become(.starting)
    if Clock.now().boot - readySince > Self.longestPause { pause = Self.shortestPause }
    retry = MainLoop.after(pause) { [weak self] in self?.start() }
    pause = min(pause * 2, Self.longestPause)
  }

  private func become(_ state: State) {
    if state == .ready { watch = nil }
    guard state != self.state else { return }
    self.state = state
    onState()
    stopWaiting()
  }
}

/// A started `belfry-wake`.
private struct Process: Sendable {
  var number: Int32
  /// This program's end of the socket that is the process's standard input and output.
  var socket: OpenDescriptor

  init(_ path: String, on disk: Disk) throws(SystemError) {
    let (ours, theirs) = try OpenDescriptor.socketPair(SOCK_STREAM)
    socket = ours
    defer { withExtendedLifetime(theirs) {} }
    number = try Launch(
      [WakeTimer.name], program: path, input: theirs.number, output: theirs.number
    ).start()
  }
}

@MainActor private final class Child {
  var onLine: ((String) -> Void)?
  /// Called if the process ends before `letGo`, after its last line.
  var onEnd: ((ProcessEnd) -> Void)?

  let number: Int32
  private var socket: OpenDescriptor?
  private var reading: Source?
  private var exit: Source?
  private var lines = LineSplitter()

  init(_ process: Process) {
    (number, socket) = (process.number, process.socket)
    // The closure keeps this object until the process has ended, so that the process is reaped even
    // after `letGo`.
    exit = MainLoop.onExit(of: number) { self.ended($0) }
    reading = MainLoop.onReadable(process.socket.number) { [weak self] in self?.read() }
  }

  /// Returns whether the process can still receive the line.
  func send(_ line: String) -> Bool {
    guard let socket else { return false }
    let bytes = Array("\(line)\n".utf8)
    return Glibc.send(
      socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == bytes.count
  }

  func kill() { Glibc.kill(number, SIGKILL) }

  /// Closes the socket, so that the process ends.
  func letGo() { (onLine, onEnd, reading, socket) = (nil, nil, nil, nil) }

  private func read() {
    guard let socket else { return }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      // The process has closed its end, and is about to exit.
      if count == 0 { reading = nil }
      return
    }
    for line in lines.consume(bytes.prefix(count), isLast: false) { onLine?(line) }
  }

  private func ended(_ end: ProcessEnd) {
    read()
    exit = nil
    onEnd?(end)
  }
}

/// A real-time clock of the machine. To wake the machine, the kernel uses the first clock that can
/// do so (`alarmtimer_rtc_add_device`).
public struct RealTimeClock: Equatable, Sendable {
  public var name: String
  public var mayWake: Bool
  /// The file in /sys that allows the clock to wake the machine; nil if the clock's device cannot
  /// wake a machine.
  public var setting: String?

  public init(name: String, mayWake: Bool, setting: String?) {
    (self.name, self.mayWake, self.setting) = (name, mayWake, setting)
  }

  /// All real-time clocks of the machine. `folder` is where the kernel lists them.
  public static func all(in folder: String = "/sys/class/rtc") -> [RealTimeClock] {
    SystemFile.names(in: folder).map { name in
      let file = "\(folder)/\(name)/device/power/wakeup"
      let value = SystemFile.line(file).flatMap { $0.isEmpty ? nil : $0 }
      return RealTimeClock(
        name: name, mayWake: value == "enabled", setting: value == nil ? nil : file)
    }
  }
}
