// SPDX-License-Identifier: GPL-3.0-or-later
//
// A random key in a file that only the user can read. A program that sends this key to the agent
// can read the user's files anyway, so the agent lets that program name paths, as in `belfry timer
// --sound ~/a.ogg`. A sandboxed program that only reaches the bus cannot send the key.

import System

public enum UserKey {
  /// Returns the user's key. The key is created if there is none yet.
  public static func made(_ locations: Locations, on disk: Disk) throws(FileError) -> String {
    if let key = stored(locations, on: disk) { return key }
    let key = SystemFile.line("/proc/sys/kernel/random/uuid") ?? ""
    try Patience(.seconds(1)).wait(for: locations.key, on: disk) { disk throws(FileError) in
      try DurableFile.makeFolder(locations.stateFolder, on: disk)
      try DurableFile.replace(locations.key, with: Array(key.utf8), on: disk)
    }
    return key
  }

  public static func matches(_ text: String, _ locations: Locations, on disk: Disk) -> Bool {
    !text.isEmpty && stored(locations, on: disk) == text
  }

  /// Returns the stored key; nil if there is no key, or if the disk does not answer.
  private static func stored(_ locations: Locations, on disk: Disk) -> String? {
    let bytes = try? Patience(.seconds(1)).read(locations.key, limit: 1000, on: disk)
    return bytes.map { String(decoding: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
