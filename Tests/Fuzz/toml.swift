// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fuzzes the TOML reader: any bytes must give a document, or an error whose position is in the
// text. `run` builds and runs this fuzzer.

import TOML

@_cdecl("LLVMFuzzerTestOneInput")
func take(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(TOMLError) {
    let document = try TOMLDocument.parse(bytes)
    // The same text must give the same document. Compare the documents as text, since a NaN is not
    // equal to itself.
    let again = try TOMLDocument.parse(bytes)
    precondition("\(again)" == "\(document)")
  } catch {
    let at =
      switch error {
      case .notUTF8(let at), .syntax(let at): at
      }
    precondition(at.line >= 1 && at.column >= 1, "\(error)")
    precondition(at.line <= bytes.count { $0 == UInt8(ascii: "\n") } + 1, "\(error)")
  }
  return 0
}
