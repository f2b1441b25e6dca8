// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a text stands in another. Swift leaves that to its library of regular expressions, which no
// target here imports (`Package.swift`): linked in, it was a tenth of the program, and each command
// waited for it.

extension String {
  /// Where `part` begins in it, first to last.
  public func places(of part: String) -> [Index] { self[...].places(of: part) }
}

extension Substring {
  public func places(of part: String) -> [Index] {
    indices.filter { self[$0...].hasPrefix(part) }
  }
}
