// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides which settings other programs may change over the bus. They may not set commands, devices
// or paths, because a sandboxed program could use such a setting to run a program or open a file
// outside its sandbox. Next: `SettingText.swift`.

import Language
import Scheduling
import TOML

public enum OtherPrograms {
  /// The keys of settings that can run a program. An ALSA device can run a program, too, such as
  /// `tee:null,'|touch FILE',raw`.
  private static let reserved: Set = ["device", "on_before", "on_ring", "on_stop"]

  /// Returns the reason why another program may not set or remove this setting; nil if it may.
  public static func refusal(of setting: TOMLEdit.Setting) -> Message? {
    if reserved.contains(setting.key) {
      return Message(
        "the bus cannot set \(setting.key): use belfry edit, or write it into the config")
    }
    let path: String? =
      switch setting.key {
      case "sound": texts(setting).first { !isSoundName($0) }
      case "except": texts(setting).first { ExceptedDays.range($0) == nil }
      default: nil
      }
    return path.map { refusal(ofPath: $0, setting.key) }
  }

  public static func isSoundName(_ sound: String) -> Bool {
    !sound.contains("/") && !sound.hasPrefix("~") && !sound.hasPrefix(".")
  }

  /// Returns the message for another program that gave a path as the value of `key`.
  public static func refusal(ofPath path: String, _ key: String) -> Message {
    Message(
      """
      the bus cannot set \(key) to \(TerminalText.quoted(path)), a path: \
      use the command belfry, or write it into the config
      """)
  }

  private static func texts(_ setting: TOMLEdit.Setting) -> [String] {
    setting.text.map { [$0] } ?? (setting.value?.array ?? []).compactMap(\.kind.string)
  }
}
