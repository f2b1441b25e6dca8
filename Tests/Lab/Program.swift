// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts a child process of a Lab. The process gets exactly the given environment, its output is
// kept, and it is ended by its process id. Foundation's `Process` is not used, for two reasons.
// First, it learns of a child's end through a socket that grandchildren inherit, so an agent that
// was killed while its hook was running would look alive. Second, it passes on the signal mask of
// Dispatch's threads, which blocks SIGTERM. Next: `Lab.swift`.

import CGLib
import Foundation

/// A program that is running or has ended, and its output. Safe to use from any thread.
public final class Program: Sendable {
  public enum Exit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  private struct State {
    var output = Data()
    var errors = Data()
    /// The reading ends of the pipes that some process can still write to.
    var pipes: Set<Int32> = []
    var exit: Exit?

    /// Whether everything that was written to the pipes so far has been read.
    var isAllRead: Bool {
      pipes.allSatisfy { pipe in
        var count: Int32 = 0
        return ioctl(pipe, UInt(FIONREAD), &count) == 0 && count == 0
      }
    }
  }

  public let name: String
  public let pid: Int32
  private let isGroup: Bool
  private let state = Guarded(State())

  /// Starts the program `name` in `folder`. It is looked up in the `PATH` of `environment`. If it
  /// is not found, the exit status is 127, as in a shell.
  ///
  /// - Parameters:
  ///   - entrance: a command that enters another root file system and runs the program there:
  ///     nsenter(1) with its options. Empty for a program of this machine.
  ///   - isGroup: whether signals go to all processes of the program's group.
  ///   - input: the descriptor of the program's standard input. The caller closes its own copy.
  ///   - onOutput: receives each piece of standard output and the time at which the piece was read,
  ///     on a separate thread. If it is given, `output` stays empty.
  init(
    _ name: String, arguments: [String], environment: [String: String], folder: URL,
    entrance: [String] = [], isGroup: Bool = false, input: Int32? = nil,
    onOutput: (@Sendable (Data, Epoch) -> Void)? = nil
  ) throws(LabError) {
    (self.name, self.isGroup) = (name, isGroup)
    let output = try Pipe(for: name)
    let errors = try Pipe(for: name)
    pid = try Self.spawn(
      // env(1) changes the folder, finds the program in PATH, and replaces itself with the program,
      // which keeps the process id.
      entrance + ["/usr/bin/env", "--chdir=\(folder.path)", "--", name] + arguments,
      environment: environment, input: input, output: output.writing, errors: errors.writing)
    for end in [output.writing, errors.writing] { close(end) }
    state.update { $0.pipes = [output.reading, errors.reading] }
    read(output.reading) { if let onOutput { onOutput($1, Lab.now) } else { $0.output += $1 } }
    read(errors.reading) { $0.errors += $1 }
    reap()
  }

  /// The program's standard output so far.
  public var output: String { String(decoding: state.read { $0.output }, as: UTF8.self) }
  /// The program's standard error so far.
  public var errors: String { String(decoding: state.read { $0.errors }, as: UTF8.self) }
  public var isRunning: Bool { state.read { $0.exit == nil } }

  /// Sends a signal to the program; does nothing if the program has ended.
  public func signal(_ number: Int32) {
    // As long as this thread has the lock, no other thread reaps the process, so the process id
    // cannot belong to another process.
    state.read { if $0.exit == nil { _ = Foundation.kill(isGroup ? -pid : pid, number) } }
  }
  public func terminate() { signal(SIGTERM) }
  public func kill() { signal(SIGKILL) }
  /// Suspends the program, so that it seems to hang: its sockets stay open and do not answer.
  public func suspend() { signal(SIGSTOP) }
  public func resume() { signal(SIGCONT) }

  /// Waits for the end of the program, and until all of its output has been read.
  @discardableResult
  public func waitForExit(within seconds: Double = patience) throws(LabError) -> Exit {
    guard let exit = state.wait(within: seconds, for: { $0.exit }) else {
      throw .deadline("\(name) to end", seconds: seconds, seen: errors)
    }
    // Do not wait for the end of the pipes: a child that the program left behind keeps them open.
    _ = state.wait(within: patience) { $0.isAllRead ? true : nil }
    return exit
  }

  /// Waits until the program's standard output contains `text`, and returns the whole output so
  /// far.
  @discardableResult
  public func waitForOutput(_ text: String, within seconds: Double = patience) throws(LabError)
    -> String
  {
    try wait(for: text, in: \.output, within: seconds)
  }

  /// Waits until the program's standard error contains `text`, and returns the whole text so far.
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
      return state.exit != nil && state.pipes.isEmpty ? "" : nil
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
      // No other child may hold an end of the pipe, not even a child that another thread is
      // starting right now. Otherwise the reader would never see the end of the output.
      guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else {
        throw .failed(name, reason: String(cString: strerror(errno)))
      }
      (reading, writing) = (ends[0], ends[1])
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
    // Close all other descriptors in the child, even one that another thread is opening right now.
    // If a child held a script open for writing, the kernel would refuse to run that script. If a
    // child held a config open for writing, the agent would wait until the child closes it.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child gets its own process group, so that Ctrl-C does not reach it: the Lab ends its
    // programs.
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
    let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp)
    guard code == 0 else {
      throw .failed(arguments[0], reason: String(cString: strerror(code)))
    }
    return pid
  }

  /// Reads a pipe to its end on a thread of its own. Calls `onPiece` with each piece that is read.
  private func read(_ pipe: Int32, onPiece: @escaping @Sendable (inout State, Data) -> Void) {
    Thread.detachNewThread { [state] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var isOpen = true
      while isOpen {
        var ready = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, -1) == 1 else { continue }
        // Read while holding the lock. So whenever `isAllRead` looks, each byte is either still in
        // the pipe or already in the output.
        state.update { state in
          let count = Foundation.read(pipe, &buffer, buffer.count)
          isOpen = count > 0
          if isOpen { return onPiece(&state, Data(buffer[..<count])) }
          state.pipes.remove(pipe)
          close(pipe)
        }
      }
    }
  }

  private func reap() {
    let (pid, state) = (pid, state)
    Thread.detachNewThread {
      // First wait for the end of the process without reaping it, then reap it under the lock: see
      // `signal`.
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
