// SPDX-License-Identifier: GPL-3.0-or-later
//
// A child process of a Lab: started with exactly the given environment, its output kept, ended by
// its process id. Foundation's `Process` is not used: it learns of a child's end through a socket
// that grandchildren inherit, so an agent killed while its hook runs would look alive; and it
// passes on the signal mask of Dispatch's threads, which blocks SIGTERM. Next: `Lab.swift`.

import CGLib
import Foundation

/// A program that is running or has ended, and its output. Safe to use from any thread.
public final class Program: Sendable {
  /// How a program ended.
  public enum Exit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  private struct State {
    var output = Data()
    var errors = Data()
    var openStreams = 2
    var exit: Exit?
  }

  /// How many of this process's descriptors and threads belong to the Lab, for tests that look for
  /// leaks.
  public static var footprint: (descriptors: Int, threads: Int) { held.read { $0 } }
  private static let held = Guarded((descriptors: 0, threads: 0))

  public let name: String
  public let pid: Int32
  private let state = Guarded(State())

  /// Starts `name`, looked up in `PATH` of `environment`, in `folder`. A name that is not found
  /// shows as exit status 127, as in a shell.
  ///
  /// - Parameters:
  ///   - entrance: a command that runs the one after it somewhere else, and becomes it.
  ///   - input: what the program reads; this process's copy is the caller's to close.
  ///   - onOutput: takes standard output, piece by piece and on a thread of its own, instead of
  ///     `output`, with the time at which the piece was read.
  init(
    _ name: String, arguments: [String], environment: [String: String], folder: URL,
    entrance: [String] = [], input: Int32? = nil, onOutput: (@Sendable (Data, Epoch) -> Void)? = nil
  ) throws(LabError) {
    self.name = name
    let output = try Pipe(for: name)
    let errors = try Pipe(for: name)
    pid = try Self.spawn(
      // env(1) changes the folder, searches PATH, and becomes the program: the process id stays.
      entrance + ["/usr/bin/env", "--chdir=\(folder.path)", "--", name] + arguments,
      environment: environment, input: input, output: output.writing, errors: errors.writing)
    for end in [output.writing, errors.writing] { Self.close(end) }
    Self.read(output.reading) { [state] piece, time in
      guard let piece else { return state.update { $0.openStreams -= 1 } }
      if let onOutput { onOutput(piece, time) } else { state.update { $0.output += piece } }
    }
    Self.read(errors.reading) { [state] piece, _ in
      state.update { if let piece { $0.errors += piece } else { $0.openStreams -= 1 } }
    }
    reap()
  }

  /// Standard output so far.
  public var output: String { String(decoding: state.read { $0.output }, as: UTF8.self) }
  /// Standard error so far.
  public var errors: String { String(decoding: state.read { $0.errors }, as: UTF8.self) }
  public var isRunning: Bool { state.read { $0.exit == nil } }

  /// Sends a signal; does nothing if the program has ended.
  public func signal(_ number: Int32) {
    // Under the lock the process cannot be reaped, so the id still belongs to it.
    state.read { if $0.exit == nil { _ = Foundation.kill(pid, number) } }
  }
  public func terminate() { signal(SIGTERM) }
  public func kill() { signal(SIGKILL) }
  /// Stops the program like a hung one: its sockets stay open and do not answer.
  public func suspend() { signal(SIGSTOP) }
  public func resume() { signal(SIGCONT) }

  /// Waits for the end of the program.
  @discardableResult
  public func waitForExit(within seconds: Double = patience) throws(LabError) -> Exit {
    guard let exit = state.wait(within: seconds, for: { $0.exit }) else {
      throw .deadline("\(name) to end", seconds: seconds, seen: errors)
    }
    // Its last output may still be in the pipes. A child that it left behind keeps them open, which
    // is no reason to wait for long.
    _ = state.wait(within: 0.2) { $0.openStreams == 0 ? true : nil }
    return exit
  }

  /// Waits until standard output contains `text`, and returns all of it so far.
  @discardableResult
  public func waitForOutput(_ text: String, within seconds: Double = patience) throws(LabError)
    -> String
  {
    try wait(for: text, in: \.output, within: seconds)
  }

  /// Waits until standard error contains `text`, and returns all of it so far.
  @discardableResult
  public func waitForErrors(_ text: String, within seconds: Double = patience) throws(LabError)
    -> String
  {
    try wait(for: text, in: \.errors, within: seconds)
  }

  private func wait(
    for text: String, in stream: KeyPath<State, Data>, within seconds: Double
  ) throws(LabError) -> String {
    let found = state.wait(within: seconds) { state -> String? in
      let all = String(decoding: state[keyPath: stream], as: UTF8.self)
      if all.contains(text) { return all }
      return state.exit != nil && state.openStreams == 0 ? "" : nil
    }
    guard let found, !found.isEmpty else {
      throw .deadline("“\(text)” from \(name)", seconds: seconds, seen: output + errors)
    }
    return found
  }

  // MARK: - The system calls

  struct Pipe {
    let reading: Int32
    let writing: Int32

    init(for name: String) throws(LabError) {
      var ends: [Int32] = [-1, -1]
      // No other child may hold an end of the pipe, or its end would never be seen; not even a
      // child that another thread starts right now.
      let code = held.update {
        guard pipe(&ends) == 0 else { return errno }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        $0.descriptors += 2
        return 0
      }
      guard code == 0 else { throw .failed(name, reason: String(cString: strerror(code))) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  static func close(_ descriptor: Int32) {
    Foundation.close(descriptor)
    held.update { $0.descriptors -= 1 }
  }

  private static func thread(_ work: @escaping @Sendable () -> Void) {
    held.update { $0.threads += 1 }
    Thread.detachNewThread {
      work()
      held.update { $0.threads -= 1 }
    }
  }

  private static func spawn(
    _ arguments: [String], environment: [String: String],
    input: Int32?, output: Int32, errors: Int32
  ) throws(LabError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // The child gets no other descriptor, not even one that another thread opens right now: a
    // script that a child holds open for writing cannot be run, and a config that it holds is not
    // read.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A process group of its own, so that Ctrl-C on the tests lets the Lab end its programs.
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in argv + envp { free(string) } }
    var pid: Int32 = 0
    let code = held.read { _ in
      posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp)
    }
    guard code == 0 else {
      throw .failed(arguments[0], reason: String(cString: strerror(code)))
    }
    return pid
  }

  /// Passes on the contents of a pipe, piece by piece, and nil at its end.
  private static func read(
    _ descriptor: Int32, onPiece: @escaping @Sendable (Data?, Epoch) -> Void
  ) {
    thread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        onPiece(Data(buffer[..<count]), Lab.now)
      }
      Self.close(descriptor)
      onPiece(nil, Lab.now)
    }
  }

  private func reap() {
    let (pid, state) = (pid, state)
    Self.thread {
      // First wait without reaping, then reap under the lock: see `signal`.
      var info = siginfo_t()
      while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
      state.update {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let signal = status & 0x7f
        $0.exit = signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
      }
    }
  }
}
