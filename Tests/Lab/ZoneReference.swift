// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs `Tests/Reference/zones.py` for tests. The script calculates zones and rings independently of
// Belfry. The same seed gives the same questions: `BELFRY_SEED=17 swift test --filter Zones`.

import Foundation

public enum ZoneReference {
  /// Returns the lines of the script's output, split into columns.
  public static func ask(_ arguments: String...) throws -> [[String]] {
    let lab = try Lab()
    defer { lab.stop() }
    let script = Lab.repository.appendingPathComponent("Tests/Reference/zones.py").path
    let program = try lab.start("/usr/bin/python3", arguments: [script] + arguments)
    guard try program.waitForExit() == .status(0) else {
      throw LabError.failed("zones.py", reason: program.errors)
    }
    return program.output.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
