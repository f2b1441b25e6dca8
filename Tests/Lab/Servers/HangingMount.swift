// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a folder whose disk does not answer until a test releases it, by a mount over the folder. A
// program that uses the folder's path then hangs; a program that already watches the folder sees no
// change.

import Foundation

/// A mount that `hanging-mount.py` makes. Only root may make it, and only if FUSE is available.
public final class HangingMount: Sendable {
  private let program: Program

  /// Explains why a hanging mount is impossible here; nil if it is possible.
  public static var obstacle: String? {
    if geteuid() != 0 { return "a disk that hangs: only root may mount" }
    return access("/dev/fuse", R_OK | W_OK) == 0 ? nil : "a disk that hangs: there is no /dev/fuse"
  }

  public enum Kind: String, Sendable {
    /// A program that uses the folder hangs, and can be killed.
    case reads
    /// The folder looks empty, and only a program that writes to it hangs.
    case writes
    /// A program that uses the folder hangs, and does not end even if it is killed.
    case kept
  }

  /// Covers `folder` with the mount. The folder is made if it does not exist.
  public init(over folder: URL, in lab: Lab, _ kind: Kind = .reads) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = Lab.repository.appendingPathComponent("Tests/Lab/hanging-mount.py").path
    program = try lab.start(
      "/usr/bin/python3",
      arguments: [script, folder.path] + (kind == .reads ? [] : [kind.rawValue]))
    try program.waitForOutput("ready")
  }

  deinit { release() }

  /// Removes the mount, so that programs that hung can continue.
  public func release() {
    program.terminate()
    _ = try? program.waitForExit()
  }
}
