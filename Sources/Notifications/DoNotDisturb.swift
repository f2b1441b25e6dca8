// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the notification server is set to "do not disturb". No standard says how to ask
// for that, so each server is asked in its own way. For a server that this file does not know, the
// answer may be unknown.

import Bus
import Language
import Scheduling
import System

@MainActor public enum DoNotDisturb {
  public struct Finding: Equatable, Sendable {
    public var isOn: Bool
    /// The command that switches "do not disturb" off; nil if there is none.
    public var remedy: String?
  }

  /// How to find out whether a server is set to "do not disturb".
  public struct Question {
    public typealias Call = (
      peer: Bus.Peer, member: String, arguments: [Variant], types: String
    )

    /// The call to make; nil if no call is needed.
    public var call: Call?
    /// Reads the answer; nil stands for a call that failed or was not needed. Returns nil if the
    /// server does not say.
    public var finding: (Variant?) -> Finding?
  }

  /// Returns what to ask the server whose name is `name`.
  public static func question(to name: String) -> Question {
    func call(
      _ peer: Bus.Peer, _ member: String, _ arguments: [String] = [], gives types: String,
      remedy: String?
    ) -> Question {
      Question(call: (peer, member, arguments.map(Variant.string), types)) {
        $0?.boolean.map { Finding(isOn: $0, remedy: remedy) }
      }
    }
    func property(_ name: String, of peer: Bus.Peer, remedy: String? = nil) -> Question {
      call(peer.properties, "Get", [peer.interface, name], gives: "v", remedy: remedy)
    }
    switch name {
    case "dunst":
      return property(
        "paused", of: Bus.Peer(Bus.Peer.notifications.name, interface: "org.dunstproject.cmd0"),
        remedy: "dunstctl set-paused false")
    case "mako":
      let mako = Bus.Peer(
        Bus.Peer.notifications.name, path: "/fr/emersion/Mako", interface: "fr.emersion.Mako")
      var question = property("Modes", of: mako)
      question.finding = { modes in
        // Users choose the names of modes. These two occur in mako's manual and in many configs.
        let mode = modes?.strings?.first { ["do-not-disturb", "dnd"].contains($0) }
        return modes?.strings.map { _ in
          Finding(isOn: mode != nil, remedy: mode.map { "makoctl mode -r \($0)" })
        }
      }
      return question
    case "SwayNotificationCenter":
      return call(
        Bus.Peer("org.erikreider.swaync.cc"), "GetDnd", gives: "b",
        remedy: "swaync-client --dnd-off")
    case "Xfce Notify Daemon":
      return call(
        Bus.Peer("org.xfce.Xfconf"), "GetProperty", ["xfce4-notifyd", "/do-not-disturb"],
        gives: "v", remedy: "xfconf-query -c xfce4-notifyd -p /do-not-disturb -s false")
    case "gnome-shell":
      return Question { _ in finding("org.gnome.desktop.notifications", "show-banners") }
    case "cinnamon":
      return Question { _ in
        finding("org.cinnamon.desktop.notifications", "display-notifications")
      }
    // `Inhibited` is Plasma's property, which other servers have adopted.
    default: return property("Inhibited", of: .notifications)
    }
  }

  /// Asks the server whose name is `name`; `done` gets nil if the server gives no answer within
  /// some seconds.
  public static func ask(_ name: String, on bus: Bus, _ done: @escaping (Finding?) -> Void) {
    let question = question(to: name)
    guard let (peer, member, arguments, types) = question.call else {
      return done(question.finding(nil))
    }
    bus.ask(peer, member, arguments, gives: types, timeout: .seconds(2)) {
      done(question.finding($0.value))
    }
  }

  /// Whether the server whose name is `name` shows critical notifications, such as those of rings,
  /// in "do not disturb". In Plasma, the user can choose this, so for Plasma this waits for a disk.
  public static func sparesCritical(_ name: String, on disk: Disk) -> Bool {
    switch name {
    // Seen with SwayNotificationCenter 0.12.6: it shows critical notifications at once.
    case "gnome-shell", "SwayNotificationCenter": true
    case "Plasma": plasmaSetting("CriticalInDndMode", "Notifications", on: disk) != "false"
    default: false
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
    _ entry: String, by server: Notifier.Server, on disk: Disk
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
        plasmaSetting("ShowPopups", "Applications][\(entry)", on: disk) == "false", remedy: remedy
      )
    default: return (false, remedy: "")
    }
  }

  /// Returns the value of `key` in the section `section` of plasmanotifyrc; nil if the user has not
  /// changed it.
  private static func plasmaSetting(
    _ key: String, _ section: String, on disk: Disk
  ) -> String? {
    let home = Environment.value("HOME") ?? "/"
    let folder = Environment.value("XDG_CONFIG_HOME") ?? home + "/.config"
    let path = folder + "/plasmanotifyrc"
    // Plasma makes this file when the user first changes a setting. If the disk does not answer,
    // the setting is not known.
    let read = try? Patience().read(path, limit: 1 << 20, on: disk)
    return read.flatMap(KeyFile.init)?.value(key, in: section)
  }
}
