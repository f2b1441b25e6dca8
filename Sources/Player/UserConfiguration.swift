// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's own configuration of ALSA, which ALSA reads after the system's. An error in it breaks
// every device, also those that it does not name, and an old one leads to a card that is gone. This
// file opens devices without it, and finds out whether it is the reason that a device does not
// open.

import CALSA
import Glibc
import Sound
import System

enum UserConfiguration {
  /// A file that ALSA reads, with the variable that names the folder where ALSA looks for it.
  private struct File {
    var path: String
    var variable: String
  }

  private static var folder: String {
    Environment.value("XDG_CONFIG_HOME") ?? Path.join(Environment.home, ".config")
  }

  private static var files: [File] {
    [
      File(path: Path.join(Environment.home, ".asoundrc"), variable: "HOME"),
      File(path: Path.join(folder, "alsa/asoundrc"), variable: "XDG_CONFIG_HOME"),
    ]
  }

  /// Calls `body` while ALSA has only the configuration of the system.
  static func ignoring<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try ignoring(files, body)
  }

  private static func ignoring<Value, Failure: Error>(
    _ ignored: [File], _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let before = files.map { ($0.variable, Environment.value($0.variable)) }
    // Without this variable, ALSA looks below `HOME`, which may be another one below.
    setenv("XDG_CONFIG_HOME", folder, 1)
    for file in ignored { setenv(file.variable, "/nonexistent", 1) }
    snd_config_update_free_global()
    defer {
      for (name, value) in before {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
      }
      snd_config_update_free_global()
    }
    return try body()
  }

  /// Returns the user's file without which `device` opens, or without which ALSA can read its
  /// configuration; nil if the user's files are not the reason that the device does not open.
  static func culprit(for device: String, on disk: Disk) -> String? {
    let found = files.filter { SystemFile.exists($0.path) }
    guard !found.isEmpty else { return nil }
    let isUnreadable = snd_config_update() < 0
    func works(without files: [File]) -> Bool {
      ignoring(files) {
        isUnreadable
          ? snd_config_update() >= 0
          : (try? PCM(device: device, rate: 48_000, channels: 2)) != nil
      }
    }
    if let file = found.first(where: { works(without: [$0]) }) { return file.path }
    return found.count > 1 && works(without: found) ? found[0].path : nil
  }
}

extension SoundTrouble {
  /// Returns this trouble, with the user's file that is the reason if there is one. A device that
  /// is in use is left out, because it works at other times.
  func explained(on disk: Disk) -> SoundTrouble {
    guard case .device(let name, .unavailable(let failure)) = self, !failure.isBusy,
      let file = UserConfiguration.culprit(for: name, on: disk)
    else { return self }
    return .device(name, .misconfigured(failure, file: file))
  }
}
