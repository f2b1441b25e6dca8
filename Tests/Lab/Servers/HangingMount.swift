// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder whose disk never answers, until it is released. The mount covers what is there: whoever
// watches that already sees no change, and whoever looks at it by its path hangs.

import Foundation

/// A mount by `hanging-mount.py`; only root may make one, and only where FUSE is.
public final class HangingMount: Sendable {
  private let program: Program

  /// Why there can be none here; nil if there can.
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

  /// The folder is as it was; whoever hung there goes on.
  public func release() {
    program.terminate()
    _ = try? program.waitForExit()
  }
}
