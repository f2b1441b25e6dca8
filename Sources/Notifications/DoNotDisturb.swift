// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the notification server has been told not to disturb. No standard has a word for that, so
// each server is asked in its own way; of one that is not known here, it is not known.

import Bus
import Scheduling
import System

public enum DoNotDisturb {
  public nonisolated struct Answer: Equatable, Sendable {
    public var isOn: Bool
    /// What ends it, to be typed; nil where there is no command for that.
    public var remedy: String?
    /// Whether what is critical is shown all the same, as what rings is.
    public var sparesCritical = false
  }

  /// Asks the server that calls itself `name`; nil where it does not tell within some seconds.
  public static func ask(_ name: String, on bus: Bus, _ done: @escaping (Answer?) -> Void) {
    func asProperty(_ property: String, _ peer: Bus.Peer, _ remedy: String?) {
      bus.property(property, of: peer) { value in
        done(value?.boolean.map { Answer(isOn: $0, remedy: remedy) })
      }
    }
    func asAnswer(
      _ peer: Bus.Peer, _ member: String, _ arguments: [Variant], _ remedy: String
    ) {
      bus.ask(peer, member, arguments, timeout: .seconds(2)) { answer in
        // Without an answer it is not known.
        done(answer.value?.boolean.map { Answer(isOn: $0, remedy: remedy) })
      }
    }
    switch name {
    case "dunst":
      let dunst = Bus.Peer(Bus.Peer.notifications.name, interface: "org.dunstproject.cmd0")
      asProperty("paused", dunst, "dunstctl set-paused false")
    case "mako":
      let mako = Bus.Peer(
        Bus.Peer.notifications.name, path: "/fr/emersion/Mako", interface: "fr.emersion.Mako")
      bus.property("Modes", of: mako) { modes in
        // The names are the user's; these are those of mako's manual and its readers.
        let mode = modes?.strings?.first { ["do-not-disturb", "dnd"].contains($0) }
        done(
          modes?.strings.map { _ in
            Answer(isOn: mode != nil, remedy: mode.map { "makoctl mode -r \($0)" })
          })
      }
    case "SwayNotificationCenter":
      asAnswer(Bus.Peer("org.erikreider.swaync.cc"), "GetDnd", [], "swaync-client --dnd-off")
    case "Xfce Notify Daemon":
      asAnswer(
        Bus.Peer("org.xfce.Xfconf"), "GetProperty",
        [.string("xfce4-notifyd"), .string("/do-not-disturb")],
        "xfconf-query -c xfce4-notifyd -p /do-not-disturb -s false")
    case "gnome-shell":
      asSetting("org.gnome.desktop.notifications", "show-banners") { answer in
        done(answer.map { Answer(isOn: $0.isOn, remedy: $0.remedy, sparesCritical: true) })
      }
    case "cinnamon":
      asSetting("org.cinnamon.desktop.notifications", "display-notifications", done)
    // Plasma's property, which others have taken over.
    default: asProperty("Inhibited", .notifications, nil)
    }
  }

  /// A switch of the desktop's settings that is off where nothing is to disturb.
  private static func asSetting(
    _ schema: String, _ key: String, _ done: @escaping (Answer?) -> Void
  ) {
    let isShown = DesktopSetting(schema, key)?.value?.boolean
    done(isShown.map { Answer(isOn: !$0, remedy: "gsettings set \(schema) \(key) true") })
  }
}

// MARK: - Switched off for one program

extension DoNotDisturb {
  /// Whether the user has switched off all notifications of the program with that desktop entry,
  /// with the server that calls itself `name`; and what switches them on, to be typed.
  public static func isSwitchedOff(_ entry: String, by name: String) -> (Bool, remedy: String) {
    switch name {
    case "gnome-shell":
      let schema = "org.gnome.desktop.notifications.application"
      // As GNOME Shell makes it of the entry.
      let id = entry.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
      let path = "/org/gnome/desktop/notifications/application/\(String(id))/"
      return (
        DesktopSetting(schema, "enable", at: path)?.value?.boolean == false,
        remedy: "gsettings set \(schema):\(path) enable true"
      )
    case "Plasma":
      let remedy =
        "kwriteconfig5 --file plasmanotifyrc --group Applications --group \(entry) "
        + "--key ShowPopups --delete"
      return (plasmaHides(entry), remedy: remedy)
    default: return (false, remedy: "")
    }
  }

  /// `[Applications][NAME]`, and in it `ShowPopups=false` (plasmanotifyrc).
  private static func plasmaHides(_ entry: String) -> Bool {
    let home = Environment.value("HOME") ?? "/"
    let folder = Environment.value("XDG_CONFIG_HOME") ?? home + "/.config"
    // There is none before the first change of a setting.
    let read = Blocking.here { try? DurableFile.read(folder + "/plasmanotifyrc", limit: 1 << 20) }
    guard let bytes = read else { return false }
    var isInside = false
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { isInside = line == "[Applications][\(entry)]" }
      if isInside, line == "ShowPopups=false" { return true }
    }
    return false
  }
}
