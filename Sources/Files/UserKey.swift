// SPDX-License-Identifier: GPL-3.0-or-later
//
// A random key in a file that only the user can read. A program that sends this key to the agent
// can read the user's files anyway, so the agent lets that program name paths, as in `belfry timer
// --sound ~/a.ogg`. A sandboxed program that only reaches the bus cannot send the key.

import System

public enum UserKey {
  /// Returns the user's key. The key is created if there is none yet.
  @Blocking public static func made(_ locations: Locations) throws(FileError) -> String {
    if let key = stored(locations) { return key }
    let key = SystemFile.line("/proc/sys/kernel/random/uuid") ?? ""
    try Patience(.seconds(1)).wait(for: locations.key) { () throws(FileError) in
      try DurableFile.makeFolder(locations.stateFolder)
      try DurableFile.replace(locations.key, with: Array(key.utf8))
    }
    return key
  }

  @Blocking public static func matches(_ text: String, _ locations: Locations) -> Bool {
    !text.isEmpty && stored(locations) == text
  }

  /// Returns the stored key; nil if there is no key, or if the disk does not answer.
  @Blocking private static func stored(_ locations: Locations) -> String? {
    let bytes = try? Patience(.seconds(1)).read(locations.key, limit: 1000)
    return bytes.map { String(decoding: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
