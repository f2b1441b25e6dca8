// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the notification server is set to "do not disturb". No standard says how to ask
// for that, so each server is asked in its own way. For a server that this file does not know, the
// answer may be unknown.

import Bus
import Language
import Scheduling
import System

public enum DoNotDisturb {
  public nonisolated struct Finding: Equatable, Sendable {
    public var isOn: Bool
    /// The command that switches "do not disturb" off; nil if there is none.
    public var remedy: String?
    /// Whether critical notifications, such as those of rings, are still shown.
    public var sparesCritical = false
  }

  /// Asks the server whose name is `name`; `done` gets nil if the server gives no answer within
  /// some seconds.
  public static func ask(_ name: String, on bus: Bus, _ done: @escaping (Finding?) -> Void) {
    func found(_ isOn: Bool?, _ remedy: String?) {
      done(isOn.map { Finding(isOn: $0, remedy: remedy) })
    }
    switch name {
    case "dunst":
      let dunst = Bus.Peer(Bus.Peer.notifications.name, interface: "org.dunstproject.cmd0")
      bus.property("paused", of: dunst) { found($0?.boolean, "dunstctl set-paused false") }
    case "mako":
      let mako = Bus.Peer(
        Bus.Peer.notifications.name, path: "/fr/emersion/Mako", interface: "fr.emersion.Mako")
      bus.property("Modes", of: mako) { modes in
        // Users choose the names of modes. These two occur in mako's manual and in many configs.
        let mode = modes?.strings?.first { ["do-not-disturb", "dnd"].contains($0) }
        found(modes?.strings.map { _ in mode != nil }, mode.map { "makoctl mode -r \($0)" })
      }
    case "SwayNotificationCenter":
      let center = Bus.Peer("org.erikreider.swaync.cc")
      bus.ask(center, "GetDnd", gives: "b", timeout: .seconds(2)) {
        // Seen with 0.12.6: it shows critical notifications at once.
        done(
          $0.value?.boolean.map {
            Finding(isOn: $0, remedy: "swaync-client --dnd-off", sparesCritical: true)
          })
      }
    case "Xfce Notify Daemon":
      let setting = ["xfce4-notifyd", "/do-not-disturb"].map(Variant.string)
      bus.ask(
        Bus.Peer("org.xfce.Xfconf"), "GetProperty", setting, gives: "v", timeout: .seconds(2)
      ) {
        found($0.value?.boolean, "xfconf-query -c xfce4-notifyd -p /do-not-disturb -s false")
      }
    case "gnome-shell":
      var finding = finding("org.gnome.desktop.notifications", "show-banners")
      finding?.sparesCritical = true
      done(finding)
    case "cinnamon": done(finding("org.cinnamon.desktop.notifications", "display-notifications"))
    // `Inhibited` is Plasma's property, which other servers have adopted.
    default:
      bus.property("Inhibited", of: .notifications) { inhibited in
        let spares =
          name == "Plasma" && plasmaSetting("CriticalInDndMode", "Notifications") != "false"
        done(inhibited?.boolean.map { Finding(isOn: $0, sparesCritical: spares) })
      }
    }
  }

  /// Reads a desktop setting that is true if notifications are shown.
  private static func finding(_ schema: String, _ key: String) -> Finding? {
    DesktopSetting(schema, key)?.value?.boolean.map {
      Finding(isOn: !$0, remedy: "gsettings set \(schema) \(key) true")
    }
  }
}

// MARK: - Switched off for one program

extension DoNotDisturb {
  /// Whether the user has switched off all notifications of the program with the desktop entry
  /// `entry`, in `server`. `remedy` is the command that switches them on again. For servers other
  /// than GNOME Shell and Plasma, returns false and an empty `remedy`.
  public static func isSwitchedOff(
    _ entry: String, by server: Notifier.Server
  ) -> (Bool, remedy: String) {
    switch server.name {
    case "gnome-shell":
      let schema = "org.gnome.desktop.notifications.application"
      // This is how GNOME Shell itself derives the id from the desktop entry.
      let id = entry.lowercased().unicodeScalars
        .map { OutsideText.isLetterOrDigit($0) ? String($0) : "-" }.joined()
      let path = "/org/gnome/desktop/notifications/application/\(id)/"
      return (
        DesktopSetting(schema, "enable", at: path)?.value?.boolean == false,
        remedy: "gsettings set \(schema):\(path) enable true"
      )
    case "Plasma":
      let program = server.version.hasPrefix("5.") ? "kwriteconfig5" : "kwriteconfig6"
      let remedy =
        "\(program) --file plasmanotifyrc --group Applications --group \(entry) "
        + "--key ShowPopups --delete"
      return (
        plasmaSetting("ShowPopups", "Applications][\(entry)") == "false", remedy: remedy
      )
    default: return (false, remedy: "")
    }
  }

  /// Returns the value of `key` in the section `section` of plasmanotifyrc; nil if the user has not
  /// changed it.
  private static func plasmaSetting(_ key: String, _ section: String) -> String? {
    let home = Environment.value("HOME") ?? "/"
    let folder = Environment.value("XDG_CONFIG_HOME") ?? home + "/.config"
    let path = folder + "/plasmanotifyrc"
    // Plasma makes this file when the user first changes a setting. If the disk does not answer,
    // the setting is not known.
    let read = Blocking.here { try? Patience().read(path, limit: 1 << 20) }
    return read.flatMap(KeyFile.init)?.value(key, in: section)
  }
}
