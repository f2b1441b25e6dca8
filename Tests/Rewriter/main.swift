// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replaces or edits a file, for tests that interrupt or disturb this work. `rewriter PATH` replaces
// the file again and again until it is killed. `rewriter PATH replace LIMIT` replaces the file
// once, as on a disk that is full after LIMIT bytes, and prints the error. `rewriter PATH extend
// COUNT` appends a letter to the file COUNT times. `rewriter PATH release COUNT` replaces the file
// COUNT times on another thread, and ends when that thread's references to the main loop's objects
// have ended, too.

import Glibc
import System

let path = CommandLine.arguments[1]

/// Returns text that is so long that writing it takes a while. The text repeats one letter, so a
/// test notices if a file has parts of two texts.
func content(_ round: Int) -> [UInt8] {
  Array(repeating: UInt8(ascii: "a") + UInt8(round % 26), count: 100_000)
}

guard CommandLine.arguments.count == 4, let limit = rlim_t(CommandLine.arguments[3]) else {
  var round = 0
  while true {
    let new = content(round)
    try Disk.here { try DurableFile.replace(path, with: new, on: $0) }
    round += 1
  }
}

if CommandLine.arguments[2] == "extend" {
  var count = 0
  while count < limit {
    do {
      try Disk.here { disk in
        try SharedFile.revise(path, limit: 1000, on: disk) { ($0 ?? []) + [UInt8(ascii: "x")] }
      }
      count += 1
    } catch SharedFile.Failure<Never>.busy {
      // On a busy machine, the turn of this process may not have come.
    }
  }
  exit(0)
}

Environment.prepare()
if CommandLine.arguments[2] == "release" {
  let writer = DurableWriter()
  for _ in 0..<limit {
    let object = MainLoopObject()
    writer.write([0x78], to: path) { _ in object.isWritten = true }
  }
  MainLoop.run()
  exit(0)
}
var size = rlimit(rlim_cur: limit, rlim_max: limit)
setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
do {
  try Disk.here { try DurableFile.replace(path, with: content(0), on: $0) }
} catch {
  print(error)
}

/// An object of the main loop. Quits the loop when the last of them has ended.
@MainActor private final class MainLoopObject {
  static var count = 0
  var isWritten = false

  init() { Self.count += 1 }

  isolated deinit {
    Self.count -= 1
    if Self.count == 0 { MainLoop.quit() }
  }
}
