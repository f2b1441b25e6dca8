// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures how long a command takes as a whole process, from its start to its end. This file does
// not use `Lab.start`, which starts programs by env(1) and reads their output in threads. That adds
// two milliseconds for which no user waits.

import Foundation
import Lab

extension Benchmark {
  /// Returns the milliseconds from the start of `command` to its end. Throws an error if `command`
  /// fails.
  func time(_ lab: Lab, _ command: [String]) throws -> Double {
    let folders = (lab.environment["PATH"] ?? "").split(separator: ":")
    let paths = folders.map { "\($0)/\(command[0])" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
      throw LabError.failed(command[0], reason: "not found")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var argv = command.map { strdup($0) } + [nil]
    var envp = lab.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in argv + envp { free(string) } }

    var (process, status): (Int32, Int32) = (0, 0)
    let begun = Self.monotonic
    let code = posix_spawn(&process, path, &actions, nil, &argv, &envp)
    while code == 0, waitpid(process, &status, 0) < 0, errno == EINTR {}
    let ended = Self.monotonic
    guard code == 0, status == 0 else {
      throw LabError.failed(path, reason: "error \(code), status \(status)")
    }
    return ended - begun
  }

  /// The time of the monotonic clock, in milliseconds.
  private static var monotonic: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
