// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fuzzes the reader of configs: from any bytes, it must make settings, and diagnostics that are
// safe to show in a terminal. `run` builds and runs this fuzzer.

import Configuration
import Language

@_cdecl("LLVMFuzzerTestOneInput")
func take(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var context = ReadingContext(isKnownZone: { $0.contains("/") })
  context.zoneNames = { ["Asia/Seoul", "Europe/Berlin"] }
  context.isKnownSound = { $0.count > 6 }
  context.soundNames = { ["Carillon", "Kettle"] }
  let reading = Configuration.read(bytes, file: "config.toml", in: context)
  precondition(reading.isTOML || reading.diagnostics.count == 1)
  let source = SourceLines(bytes)
  for diagnostic in reading.diagnostics.prefix(50) {
    precondition(diagnostic.line >= 1 && diagnostic.column >= 1)
    let shown = diagnostic.description(showing: source).unicodeScalars
    precondition(!shown.contains { $0 != "\n" && TerminalText.acts($0) })
  }
  let ids = reading.configuration.alarms.map(\.id)
  precondition(Set(ids).count == ids.count, "two alarms have one id")
  return 0
}
