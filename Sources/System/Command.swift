// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program that runs beside this one: started without a shell, in a process group of its own, read
// line by line, and ended with all that it left in its group. Nobody waits for it: it is started
// beside the main loop, because a program on a dead network disk holds up whoever starts it.

import CGLib
import Glibc
import Scheduling

/// A program and what it started, from its start until nothing of it is left or it has been ended.
public final class Command {
  public nonisolated enum Event: Equatable, Sendable {
    case notStarted(SystemError)
    /// A line of its standard output or standard error, as it came.
    case line(String)
    /// It said more than is worth keeping; what follows is read and dropped.
    case talksTooMuch
    /// The program itself has ended, with a status other than 0.
    case failed(status: Int32)
    /// The program itself was ended by a signal that did not come from here.
    case crashed(signal: Int32)
    case tookTooLong
    /// Nothing of it is left. The last event.
    case gone
  }

  private let onEvent: (Event) -> Void
  private var process: Int32?
  private var output: OpenDescriptor?
  private var reading: Source?
  private var exit: Source?
  private var limit: Source?
  private var isEnding = false
  private var isKilled = false
  private var isGone = false
  private var lines: LineSplitter

  /// How long it has to end by itself once it is told to.
  private static let grace = Duration.seconds(2)
  private static let mostLines = 100

  /// Starts `launch` beside the main loop, and reports there what becomes of it. The command is
  /// ended after `limit`. A line that is longer than `longestLine`, in bytes, is reported as
  /// several.
  public init(
    _ launch: Launch, limit: Duration, longestLine: Int = 1000,
    _ onEvent: @escaping (Event) -> Void
  ) {
    self.onEvent = onEvent
    lines = LineSplitter(longest: longestLine)
    Worker.once("command") { [weak self] in
      let started = Result { () throws(SystemError) in try Command.start(launch) }
      Worker.onMain { Command.handOver(started, to: self, limit: limit) }
    }
  }

  deinit {
    let isReaped = exit == nil
    // A child is waited for once: the second to ask is told, with a warning, that there is none.
    exit = nil
    if let process { Command.abandon(process, isReaped: isReaped) }
  }

  /// Ends it: SIGTERM to the group, and SIGKILL to what is left of that two seconds later.
  public func end() {
    guard !isEnding, !isGone else { return }
    isEnding = true
    guard let process else { return }
    Command.signal(process, SIGTERM)
    limit = MainLoop.after(Command.grace) { [weak self] in self?.kill() }
  }

  /// For the end of this program, when the main loop runs no more: ends all of `commands`, waits
  /// for that, at most `limit`, and then kills what is left.
  public static func end(_ commands: some Sequence<Command>, within limit: Duration) {
    var left = commands.filter { $0.process != nil }
    for command in left { command.end() }
    let deadline = ContinuousClock.now + limit
    while true {
      left.removeAll { $0.hasEnded }
      if left.isEmpty || ContinuousClock.now >= deadline { break }
      g_usleep(5000)
    }
    for command in left { command.process.map { signal($0, SIGKILL) } }
  }

  /// Whether nothing of it is left. The program itself, when it has ended, is in its group until it
  /// has been waited for.
  private var hasEnded: Bool {
    guard let process else { return true }
    var ended = siginfo_t()
    if exit != nil, waitid(P_PID, id_t(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0,
      ended.si_signo == SIGCHLD
    {
      exit = nil
      waitpid(process, nil, 0)
    }
    return !Command.isAlive(process)
  }

  // MARK: - Its life

  /// Of a command that nobody wants any more by the time it has started, nothing may be left.
  private static func handOver(
    _ started: Result<Started, SystemError>, to command: Command?, limit: Duration
  ) {
    switch (started, command) {
    case (.success(let started), let command?): command.run(started, limit)
    case (.failure(let error), let command?):
      command.onEvent(.notStarted(error))
      command.vanish()
    case (.success(let started), nil): abandon(started.process, isReaped: false)
    case (.failure, nil): break
    }
  }

  private func run(_ started: Started, _ limit: Duration) {
    process = started.process
    output = started.output
    exit = MainLoop.onExit(of: started.process) { [weak self] in self?.exited($0) }
    listen()
    if isEnding {
      isEnding = false
      return end()
    }
    self.limit = MainLoop.after(limit) { [weak self] in
      self?.onEvent(.tookTooLong)
      self?.end()
    }
  }

  private func exited(_ status: Int32) {
    exit = nil
    let (signal, code) = (status & 0x7f, status >> 8 & 0xff)
    if signal != 0, !isEnding { onEvent(.crashed(signal: signal)) }
    if signal == 0, code != 0, !isEnding { onEvent(.failed(status: code)) }
    vanishIfDone()
  }

  private func kill() {
    process.map { Command.signal($0, SIGKILL) }
    isKilled = true
    // What has left the group may go on, and hold the pipe; nobody listens to it any more.
    (reading, output) = (nil, nil)
    vanishIfDone()
  }

  /// It is done when the program has ended, nobody holds its output, and its group is empty. A
  /// group that is not stays as it is until `end`: the number of one that lives is given to no
  /// other.
  private func vanishIfDone() {
    guard let process, exit == nil, output == nil else { return }
    if isKilled || !Command.isAlive(process) { vanish() }
  }

  private func vanish() {
    guard !isGone else { return }
    isGone = true
    (process, reading, output, limit) = (nil, nil, nil, nil)
    onEvent(.gone)
  }

  /// Kills it, and leaves no zombie, though nobody wants to know. One that has ended is reaped, and
  /// its number may be another's child by now; of what it left, the group is there still.
  private nonisolated static func abandon(_ process: Int32, isReaped: Bool) {
    signal(process, SIGKILL)
    if !isReaped { g_child_watch_add(process, { _, _, _ in }, nil) }
  }

  /// All of a group; no error where there is none.
  private nonisolated static func signal(_ group: Int32, _ number: Int32) {
    Glibc.kill(-group, number)
  }

  private nonisolated static func isAlive(_ group: Int32) -> Bool { Glibc.kill(-group, 0) == 0 }
}

// MARK: - Its output

extension Command {
  private func listen() {
    guard let output else { return }
    reading = MainLoop.onReadable(output.number) { [weak self] in self?.read() }
  }

  private func read() {
    guard let output else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // There is something to read, or nobody who could write it any more.
    let count = Glibc.read(output.number, &bytes, bytes.count)
    if count < 0, errno == EINTR { return }
    for line in lines.take(bytes.prefix(max(0, count)), isLast: count <= 0) { tell(line) }
    guard count > 0 else {
      (reading, self.output) = (nil, nil)
      return vanishIfDone()
    }
    if lines.count > Command.mostLines {
      // A flood must not keep this program busy: slowed down, it costs ten wake-ups a second.
      reading = MainLoop.after(.milliseconds(100)) { [weak self] in self?.listen() }
    }
  }

  private func tell(_ line: String) {
    lines.count += 1
    if lines.count <= Command.mostLines { onEvent(.line(line)) }
    if lines.count == Command.mostLines + 1 { onEvent(.talksTooMuch) }
  }
}

/// Makes lines of what comes in pieces.
private nonisolated struct LineSplitter {
  /// How many lines there were.
  var count = 0
  private var rest: [UInt8] = []

  private let longest: Int

  /// In bytes; what is longer is more than one line.
  init(longest: Int) { self.longest = longest }

  mutating func take(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte != UInt8(ascii: "\n") { rest.append(byte) }
      if byte == UInt8(ascii: "\n") || rest.count == longest { end(&lines) }
    }
    if isLast { end(&lines) }
    return lines
  }

  private mutating func end(_ lines: inout [String]) {
    if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
    rest = []
  }
}

// MARK: - Its start

extension Command {
  /// What was started, on its way to the main loop.
  private nonisolated struct Started: Sendable {
    /// Its group has the same number.
    var process: Int32
    var output: OpenDescriptor
  }

  private nonisolated static func start(_ launch: Launch) throws(SystemError) -> Started {
    var ends: [Int32] = [-1, -1]
    guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { throw SystemError("pipe") }
    let (output, input) = (OpenDescriptor(adopting: ends[0]), OpenDescriptor(adopting: ends[1]))
    defer { withExtendedLifetime(input) {} }
    var launch = launch
    (launch.output, launch.errors) = (input.number, input.number)
    return Started(process: try launch.start(), output: output)
  }
}
