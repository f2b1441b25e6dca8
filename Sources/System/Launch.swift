// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts programs: without a shell, in a process group of their own, and with only the descriptors
// that they are meant to have. Waiting for the program's end is left to the caller; see
// `Command.swift`. Never start a program on the main loop: if its file is on a dead network disk,
// the start hangs.

import CGLib
import Glibc

/// A program to be started, with its arguments and streams.
public nonisolated struct Launch: Sendable {
  /// The program's name, then its arguments.
  public var words: [String]
  /// The file to run; with nil, the first of `words` is looked up in `PATH`.
  var program: String?
  /// Variables that are added to this program's environment or replace variables in it.
  var variables: [String: String] = [:]
  var folder = "/"
  /// The program's standard streams; nil stands for `/dev/null`.
  var input: Int32?
  var output: Int32?
  var errors: Int32?

  public init(
    _ words: [String], program: String? = nil, variables: [String: String] = [:],
    folder: String = "/", input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) {
    precondition(!words.isEmpty, "a program has a name")
    (self.words, self.program, self.variables, self.folder) = (words, program, variables, folder)
    (self.input, self.output, self.errors) = (input, output, errors)
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
    var envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: Int32 = 0
    let code = posix_spawnp(&process, program ?? words[0], &actions, &attributes, &argv, &envp)
    guard code == 0 else { throw SystemError(program ?? words[0], code: code) }
    return process
  }

  private var environment: [String] {
    var own: [String] = []
    var next = environ
    while let entry = next.pointee {
      own.append(String(cString: entry))
      next += 1
    }
    return own.filter { variables[String($0.prefix { $0 != "=" })] == nil }
      + variables.map { "\($0)=\($1)" }
  }
}
