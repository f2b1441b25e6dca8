// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides which settings other programs may change over the bus. They may not set commands, devices
// or paths, because a sandboxed program could use such a setting to run a program or open a file
// outside its sandbox. Next: `SettingText.swift`.

import Language
import Scheduling
import TOML

public enum CallerPolicy {
  /// The keys of settings that can run a program. An ALSA device can run a program, too, such as
  /// `tee:null,'|touch FILE',raw`.
  private static let reserved: Set = ["device", "on_before", "on_ring", "on_stop"]

  /// Returns the reason why another program may not set or remove this setting; nil if it may.
  public static func refusal(of setting: TOMLEdit.Setting) -> Message? {
    if reserved.contains(setting.key) {
      return Message(
        "the bus cannot set \(setting.key): use belfry edit, or write it into the config")
    }
    let texts = texts(setting)
    let most = setting.key == "except" ? mostDays : mostElements
    guard texts.count <= most else {
      return Message("the bus cannot set \(setting.key) to more than \(most) elements")
    }
    if ["id", "label", "group"].contains(setting.key), !texts.allSatisfy(OutsideText.isPrintable) {
      return refusal(ofName: setting.key)
    }
    let path: String? =
      switch setting.key {
      case "sound": texts.first { !isSoundName($0) }
      case "except": texts.first { ExceptedDays.range($0) == nil }
      default: nil
      }
    return path.map { refusal(ofPath: $0, setting.key) }
  }

  /// The most elements that another program may put into a list. Each sound is looked up on the
  /// disk, so thousands would hold up the config for seconds.
  private static let mostElements = 100
  private static let mostDays = 1000

  public static func isSoundName(_ sound: String) -> Bool { OutsideText.isFileName(sound) }

  /// Returns the message for another program that gave a text with control characters as an id, a
  /// label or a group.
  public static func refusal(ofName key: String) -> Message {
    Message("the bus cannot set \(key) to a text with control characters or line breaks")
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
