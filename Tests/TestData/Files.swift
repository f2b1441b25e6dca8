// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the files that tests read: the tables beside their sources, and every other file of the
// source tree. `Chance.swift` makes random input.

import Foundation

/// The top folder of the source tree.
public let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Returns the text of the file `name` in the folder of the calling source file. Tests keep their
/// long tables in such files.
public func table(_ name: String, beside source: String = #filePath) -> String {
  let file = URL(filePath: source).deletingLastPathComponent().appending(path: name)
  guard let text = try? String(contentsOf: file, encoding: .utf8) else {
    preconditionFailure("there is no \(file.path)")
  }
  return text
}
