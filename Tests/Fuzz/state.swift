// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fuzzes the reader of the state file: any bytes must give a state and diagnostics, and the state
// must not change if it is written and read again. `run` builds and runs this fuzzer.

import Persistence

@_cdecl("LLVMFuzzerTestOneInput")
func take(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let (state, _) = StateText.parse(Array(UnsafeBufferPointer(start: start, count: count)))
  let text = StateText.render(state)
  let (again, problems) = StateText.parse(Array(text.utf8))
  precondition(problems.isEmpty, "\(problems) in \(text)")
  precondition(StateText.render(again) == text, text)
  return 0
}
