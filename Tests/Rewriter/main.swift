// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program that replaces a file over and over, for tests that kill it in the middle: `rewriter
// PATH` until it is killed; `rewriter PATH replace LIMIT` once, on a disk that is full after LIMIT
// bytes of a file, with the error on standard output; `rewriter PATH extend COUNT` puts one letter
// behind the other.

import Glibc
import System

let path = CommandLine.arguments[1]

/// Large enough for a write to take a while, of one letter, so that a mixture shows.
func content(_ round: Int) -> [UInt8] {
  Array(repeating: UInt8(ascii: "a") + UInt8(round % 26), count: 100_000)
}

guard CommandLine.arguments.count == 4, let limit = rlim_t(CommandLine.arguments[3]) else {
  var round = 0
  while true {
    let new = content(round)
    try Blocking.here { try DurableFile.replace(path, with: new) }
    round += 1
  }
}

if CommandLine.arguments[2] == "extend" {
  for _ in 0..<limit {
    try Blocking.here {
      try SharedFile.revise(path, limit: 1000) { ($0 ?? []) + [UInt8(ascii: "x")] }
    }
  }
  exit(0)
}

Environment.prepare()
var size = rlimit(rlim_cur: limit, rlim_max: limit)
setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
do {
  try Blocking.here { try DurableFile.replace(path, with: content(0)) }
} catch {
  print(error)
}
