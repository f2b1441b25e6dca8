// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs another program without a shell, in a process group of its own, while this program goes on.
// Reads the output line by line, and can end the program together with all processes in its group.
// The main loop never waits for the program, not even for its start: a program on a dead network
// disk takes forever to start. `Launch`, at the end of this file, starts the program.

import CGLib
import Glibc
import Language
import Scheduling
import Synchronization

/// A program and the processes of its group, which includes all processes that it starts unless
/// they leave the group. The command lasts until the group is empty and its output is closed, or
/// until the group has been killed.
@MainActor public final class Command {
  public enum Event: Equatable, Sendable {
    case notStarted(SystemError)
    /// A line of the program's output, unchanged.
    case line(String)
    /// The program has printed more than is worth keeping. Further output is read and dropped.
    case outputLimitReached
    /// The program itself has ended: with a status other than 0, or by a signal that `Command` did
    /// not send.
    case failed(ProcessEnd)
    case tookTooLong
    /// No process of the command is left. This is always the last event.
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
  private var lines = LineSplitter()

  /// How long the command has to end by itself after SIGTERM.
  private static let grace = Duration.seconds(2)
  private static let mostLines = 100

  /// Starts `launch` on another thread and reports the command's events on the main loop. Ends the
  /// command if it is still running after `limit`. A very long line is reported as several lines.
  /// The program's standard error is reported in the same way, unless `dropsErrors` is true.
  public init(
    _ launch: Launch, limit: Duration, dropsErrors: Bool = false,
    _ onEvent: @escaping (Event) -> Void
  ) {
    self.onEvent = onEvent
    // The closures keep this object alive until the command is gone.
    Worker.once("command") { [self] _ in
      let started = Result { () throws(SystemError) in try Command.start(launch, dropsErrors) }
      Worker.onMain { self.handle(started, limit: limit) }
    }
  }

  /// Ends the command: sends SIGTERM to its process group and, two seconds later, SIGKILL to the
  /// processes that are left.
  public func end() {
    guard !isEnding, !isGone else { return }
    isEnding = true
    guard let process else { return }
    Command.signal(process, SIGTERM)
    limit = MainLoop.after(Command.grace) { self.kill() }
  }

  // MARK: - The life of a command

  private func handle(_ started: Result<Started, SystemError>, limit: Duration) {
    switch started {
    case .success(let started): run(started, limit)
    case .failure(let error):
      onEvent(.notStarted(error))
      vanish()
    }
  }

  private func run(_ started: Started, _ limit: Duration) {
    process = started.process
    output = started.output
    exit = MainLoop.onExit(of: started.process) { self.exited($0) }
    listen()
    if isEnding {
      isEnding = false
      return end()
    }
    self.limit = MainLoop.after(limit) {
      self.onEvent(.tookTooLong)
      self.end()
    }
  }

  private func exited(_ end: ProcessEnd) {
    exit = nil
    if end != .status(0), !isEnding { onEvent(.failed(end)) }
    vanishIfDone()
  }

  private func kill() {
    process.map { Command.signal($0, SIGKILL) }
    isKilled = true
    // A process that left the group may go on and keep the pipe open. Stop reading the pipe.
    (reading, output) = (nil, nil)
    vanishIfDone()
  }

  /// Reports `.gone` if the program has ended, no process holds its output, and its group is empty.
  /// If the group still has processes, the command lasts until `end` is called, because nothing
  /// reports the end of the last one. As long as the group has a process, the kernel does not use
  /// the group's number again, so `end` can signal the group.
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

  /// Sends a signal to all processes of a group. An empty group is no error.
  private nonisolated static func signal(_ group: Int32, _ number: Int32) {
    Glibc.kill(-group, number)
  }

  private nonisolated static func isAlive(_ group: Int32) -> Bool { Glibc.kill(-group, 0) == 0 }
}

// MARK: - The output of a command

extension Command {
  private func listen() {
    guard let output else { return }
    reading = MainLoop.onReadable(output.number) { [weak self] in self?.read() }
  }

  private func read() {
    guard let output else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // The descriptor is readable for two reasons: there is output, or the last writer has gone.
    let count = Glibc.read(output.number, &bytes, bytes.count)
    if count < 0, errno == EINTR { return }
    for line in lines.consume(bytes.prefix(max(0, count)), isLast: count <= 0) { tell(line) }
    guard count > 0 else {
      (reading, self.output) = (nil, nil)
      return vanishIfDone()
    }
    if lines.count > Command.mostLines {
      // A flood of output must not keep this program busy, so read only ten times a second.
      reading = MainLoop.after(.milliseconds(100)) { [weak self] in self?.listen() }
    }
  }

  private func tell(_ line: String) {
    lines.count += 1
    if lines.count <= Command.mostLines { onEvent(.line(line)) }
    if lines.count == Command.mostLines + 1 { onEvent(.outputLimitReached) }
  }
}

/// Splits bytes that arrive in pieces into lines.
struct LineSplitter {
  /// How many lines the command has printed. `Command` counts them here to enforce `mostLines`.
  var count = 0
  private var rest: [UInt8] = []

  /// The maximum length of a line in bytes; a longer line is split into several.
  private static let longest = 65_536

  mutating func consume(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte != UInt8(ascii: "\n") { rest.append(byte) }
      if byte == UInt8(ascii: "\n") || rest.count == Self.longest { end(&lines) }
    }
    if isLast { end(&lines) }
    return lines
  }

  private mutating func end(_ lines: inout [String]) {
    if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
    rest = []
  }
}

// MARK: - The start of a command

extension Command {
  /// A started program, which a thread passes to the main loop.
  private struct Started: Sendable {
    /// The process id, which is also the number of its group.
    var process: Int32
    var output: OpenDescriptor
  }

  private nonisolated static func start(
    _ launch: Launch, _ dropsErrors: Bool
  ) throws(SystemError) -> Started {
    var ends: [Int32] = [-1, -1]
    guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { throw SystemError("pipe") }
    let (output, input) = (OpenDescriptor(adopting: ends[0]), OpenDescriptor(adopting: ends[1]))
    defer { withExtendedLifetime(input) {} }
    var launch = launch
    (launch.output, launch.errors) = (input.number, dropsErrors ? nil : input.number)
    return Started(process: try launch.start(), output: output)
  }
}

// MARK: - A command that is waited for

extension Command {
  /// How a program ended that was run by `run`.
  public enum Outcome: Equatable, Sendable {
    case notStarted(SystemError)
    case ended(ProcessEnd, lastLine: String?)
    case tookTooLong
  }

  /// Runs `launch`, and waits until it has ended and no process holds its output. If it takes
  /// longer than `limit`, kills its process group. For a program that has nothing else to do
  /// meanwhile, with no main loop that reaps children.
  public nonisolated static func run(_ launch: Launch, within limit: Duration) -> Outcome {
    let process = SharedProcess()
    let outcome = BackgroundResult("command") { _ -> Outcome in
      let started: Started
      do throws(SystemError) { started = try start(launch, false) } catch {
        return .notStarted(error)
      }
      process.number.withLock { $0 = started.process }
      let last = lastLine(of: started.output)
      return .ended(process.reap(started.process), lastLine: last)
    }
    if let outcome = outcome.wait(within: limit) { return outcome }
    process.number.withLock { $0.map { signal($0, SIGKILL) } }
    return .tookTooLong
  }

  /// The process of `run`, until it is reaped. After that, its number may belong to another
  /// process.
  private final class SharedProcess: Sendable {
    let number = Mutex<Int32?>(nil)

    func reap(_ process: Int32) -> ProcessEnd {
      var info = siginfo_t()
      while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      var status: Int32 = 0
      number.withLock { number in
        waitpid(process, &status, 0)
        number = nil
      }
      return ProcessEnd(waitStatus: status)
    }
  }

  private nonisolated static func lastLine(of output: OpenDescriptor) -> String? {
    var (lines, last) = (LineSplitter(), String?.none)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(output.number, &bytes, bytes.count), count != 0 {
      if count < 0, errno == EINTR { continue }
      last = lines.consume(bytes.prefix(max(0, count)), isLast: false).last ?? last
      if count < 0 { break }
    }
    return lines.consume([], isLast: true).last ?? last
  }
}

/// A program to be started, with its arguments and streams.
public struct Launch: Sendable {
  /// The program's name, then its arguments.
  public var words: [String]
  /// The file to run; with nil, the first of `words` is looked up in `PATH`.
  var program: String?
  /// Variables to add to the environment that the started program inherits. They replace variables
  /// with the same name.
  public var variables: [String: String] = [:]
  var folder = "/"
  /// The program's standard streams; nil stands for `/dev/null`.
  var input: Int32?
  var output: Int32?
  var errors: Int32?
  /// The limits for processor time, memory and file size; nil if there are none.
  public var limits: Limits?

  public struct Limits: Sendable {
    var processorTime: Duration
    /// The size of the address space in bytes.
    var memory: Int
    /// The size in bytes of each file that the program writes.
    var fileSize: Int

    public init(processorTime: Duration, memory: Int, fileSize: Int) {
      (self.processorTime, self.memory, self.fileSize) = (processorTime, memory, fileSize)
    }
  }

  public init(
    _ words: [String], program: String? = nil, variables: [String: String] = [:],
    folder: String = "/", input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) {
    precondition(!words.isEmpty, "a program has a name")
    (self.words, self.program, self.variables, self.folder) = (words, program, variables, folder)
    (self.input, self.output, self.errors) = (input, output, errors)
  }

  /// The path of the file that `start` would run; nil if there is no program with this name.
  public func file(on disk: Disk) -> String? {
    let name = program ?? words[0]
    let isRelative = OutsideText.hasSlash(name) && !OutsideText.isAbsolute(name)
    guard let path = g_find_program_in_path(isRelative ? "\(folder)/\(name)" : name) else {
      return nil
    }
    defer { g_free(path) }
    return String(cString: path)
  }

  /// Starts the program (`posix_spawnp`) with no signal blocked or ignored. Returns its process id,
  /// which is also the number of its process group.
  public func start() throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [input, output, errors].enumerated() {
      let number = Int32(number)
      if let stream {
        let code = posix_spawn_file_actions_adddup2(&actions, stream, number)
        guard code == 0 else { throw SystemError("posix_spawn_file_actions_adddup2", code: code) }
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    posix_spawn_file_actions_addchdir_np(&actions, folder)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var argv = words.map { strdup($0) } + [nil]
    var envp = g_get_environ()
    for (name, value) in variables { envp = g_environ_setenv(envp, name, value, 1) }
    defer {
      for text in argv { free(text) }
      g_strfreev(envp)
    }
    var process: Int32 = 0
    let code = posix_spawnp(&process, program ?? words[0], &actions, &attributes, &argv, envp!)
    guard code == 0 else { throw SystemError(program ?? words[0], code: code) }
    if let limits {
      // This does not fail for a process of the same user that has no lower limits.
      belfry_limit(
        process, Int(limits.processorTime.wholeSeconds), limits.memory, limits.fileSize)
    }
    return process
  }
}
