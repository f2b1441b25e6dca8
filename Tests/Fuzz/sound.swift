// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fuzzes the reader of sound files: any file must give sound or an error, and reading must end.
// libsndfile itself is not instrumented, so only its effects on Belfry's memory are checked. `run`
// builds and runs this fuzzer.

import Glibc
import Sound

@testable import Player
@testable import System

/// A temporary file without a name. Each call of the fuzzer overwrites it.
private nonisolated let file = fileno(tmpfile())

@_cdecl("LLVMFuzzerTestOneInput")
nonisolated func take(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ftruncate(file, 0)
  pwrite(file, start, count, 0)
  let content = Disk.here { try? SoundContent("/proc/self/fd/\(file)", on: $0) }
  guard let content else { return 0 }
  do throws(SoundFileError) {
    let source = try FileSource.open(content, loops: true)
    var samples = [Float](repeating: 0, count: 4096 * source.channels)
    for _ in 0..<8 {
      let frames = try source.read(into: &samples, count: 4096)
      precondition(frames > 0 && frames <= 4096)
    }
    try source.rewind()
    _ = try source.read(into: &samples, count: 100)
  } catch {
    return 0
  }
  return 0
}
