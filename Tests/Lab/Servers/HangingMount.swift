// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder whose disk does not answer until it is released. The mount covers what is there: a
// program that already watches it sees no change, and a program that uses its path hangs.

import Foundation

/// A mount by `hanging-mount.py`; only root may make one, and only if FUSE is available.
public final class HangingMount: Sendable {
  private let program: Program

  /// Why there can be no such mount here; nil if there can.
  public static var obstacle: String? {
    if geteuid() != 0 { return "a disk that hangs: only root may mount" }
    return access("/dev/fuse", R_OK | W_OK) == 0 ? nil : "a disk that hangs: there is no /dev/fuse"
  }

  /// Covers `folder`, which is made if it is missing.
  public init(over folder: URL, in lab: Lab) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = Lab.repository.appendingPathComponent("Tests/Lab/hanging-mount.py").path
    program = try lab.start("/usr/bin/python3", arguments: [script, folder.path])
    try program.waitForOutput("ready")
  }

  deinit { release() }

  /// Uncovers the folder; programs that hung go on.
  public func release() {
    program.terminate()
    _ = try? program.waitForExit()
  }
}
