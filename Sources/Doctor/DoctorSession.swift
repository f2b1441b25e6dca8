// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's checks of the session: its bus, the agent, and what starts the agent at login: a
// unit of systemd's user manager, or a desktop file in an autostart folder (freedesktop.org
// Autostart Specification). If the agent is not running, the doctor starts it, like every command
// that needs the agent. Next: `DoctorNotifications.swift`.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

extension Doctor {
  private static let unit = "belfryd.service"

  /// Checks everything in the session. `bus` is nil if the session bus does not answer.
  func examineSession(_ bus: Result<Bus, BusError>?) {
    let autostart = autostart
    switch bus {
    case .success(let bus): examineAgent(on: bus, autostart)
    case .failure, nil:
      let words = bus?.error.map { "\($0)" } ?? tr("does not answer")
      found(
        .bus, .error, tr("no session bus, and without it no agent: \(words)"),
        fix: tr("log in to a desktop session"))
      found(.agent, .error, tr("cannot run without a session bus"))
    }
    found(waking)
    found(self.autostart(autostart, on: try? bus?.get()))
  }

  // MARK: - The agent

  private func examineAgent(on bus: Bus, _ autostart: Autostart?) {
    let owner = ask(.daemon, "GetNameOwner", [.string(BusInterface.name)], gives: "s", on: bus)
    let isMissing = owner?.error?.name == "org.freedesktop.DBus.Error.NameHasNoOwner"
    if let error = owner?.error, !isMissing {
      found(.bus, .error, "\(error)", fix: tr("log out and in again"))
      return found(.agent, .error, tr("cannot be reached without the session bus"))
    }
    found(.bus, .ok, tr("the session bus answers"))
    if isMissing {
      let arguments: [Variant] = [.string(BusInterface.name), .uint32(0)]
      let start = ask(
        .daemon, "StartServiceByName", arguments, gives: "u", on: bus, within: .seconds(5))
      if let error = start?.error {
        let isUnknown = error.name == BusError.unknownService
        let why = isUnknown ? tr("the session bus does not know how to start it") : "\(error)"
        return found(
          .agent, .error, tr("does not run: \(why)"),
          fix: autostart?.unitFile != nil && Environment.hasUserManager
            ? "systemctl --user start \(Self.unit)" : "\(program) &")
      }
    }
    switch ask(BusInterface.peer, "Status", gives: "a{sv}", on: bus, within: .seconds(4)) {
    case .success(let values):
      agent = values.first
      found(agentLink(autostart, wasStarted: isMissing))
    case .failure(let error):
      found(
        .agent, .error, tr("runs and does not answer: \(error)"), fix: "\(program) --replace &")
    case nil: break
    }
  }

  private func agentLink(_ autostart: Autostart?, wasStarted: Bool) -> Check {
    let told = agent?["agent"]
    let (version, config) = (told?["version"]?.string ?? "", told?["config"]?.string ?? "")
    let process = told?["pid"]?.int64.map { tr("process \($0)") } ?? tr("running", context: "agent")
    let restart =
      autostart?.targets.isEmpty == false && Environment.hasUserManager
      ? "systemctl --user restart \(Self.unit)" : "\(program) --replace &"
    if version != Release.version {
      return Check(
        .agent, .warning, tr("belfryd \(version) runs, and this is \(Release.version)"),
        fix: restart)
    }
    if look({ [locations] disk in locations.isConfig(config, on: disk) }) != true {
      return Check(
        .agent, .warning, tr("it reads \(config), and not \(locations.config)"),
        fix: "\(program) --replace --config \(Wording.shell(locations.config)) &")
    }
    if wasStarted {
      return Check(.agent, .warning, tr("did not run; it has just been started, \(process)"))
    }
    if let bus = agentFile?.bus, bus != (try? Bus.sessionAddress.get()) {
      return Check(.agent, .ok, tr("belfryd \(version), \(process), on the bus \(bus)"))
    }
    return Check(.agent, .ok, tr("belfryd \(version), \(process)"))
  }

  /// The check whether the agent wakes a suspended machine. Waking takes rights that the agent may
  /// have and this program may lack, so the answer comes from the agent.
  private var waking: Check {
    guard let told = (agent?["agent"]).flatMap(Status.Agent.read),
      told.wake || told.wakeProblem != nil
    else {
      return Check(
        .wake, .unknown, tr("only the agent knows whether it may wake a suspended machine"))
    }
    guard let problem = told.wakeProblem else {
      return Check(.wake, .ok, tr("a suspended machine is woken for an alarm"))
    }
    return Check(
      .wake, .warning,
      tr("a suspended machine is not woken: \(Wording.explain(problem, fix: told.wakeFix))"),
      fix: told.wakeFix)
  }

  /// The path of the agent's program, quoted for a shell.
  private var program: String { Wording.shell(Locations.program("belfryd")) }

  // MARK: - At login

  /// Finds out what starts the agent at login; nil if the disk of the home folder does not answer.
  private var autostart: Autostart? {
    let (home, folder) = (locations.home, Locations.folder)
    let shared = (Environment.value("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(separator: ":")
    let desktop = Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
    let (unit, config, data) = (
      Self.unit, folder("XDG_CONFIG_HOME", home + "/.config"),
      folder("XDG_DATA_HOME", home + "/.local/share")
    )
    return look { disk in
      try? Patience().wait(for: home, on: disk) { disk in
        Autostart(
          unit: unit, program: "belfryd", config: config, data: data,
          shared: shared.map(String.init), desktop: desktop.map(String.init), on: disk)
      }
    } ?? nil
  }

  private func autostart(_ autostart: Autostart?, on bus: Bus?) -> Check {
    guard let autostart else { return Check(.autostart, .unknown, tr("does not answer")) }
    let session = sessionWithoutAutostart(on: bus)
    if session == nil, let file = autostart.desktopFile {
      if readsAutostart(on: bus) {
        return Check(.autostart, .ok, tr("the desktop starts it at login: \(file)"))
      }
      if autostart.targets.isEmpty {
        return Check(
          .autostart, .unknown, tr("it is not known whether this session starts \(file)"),
          fix: tr("if it does not, run this in its startup script: \(program) --start"))
      }
    }
    guard let target = autostart.targets.first else {
      if let session {
        return Check(
          .autostart, .warning, tr("\(session) does not read the autostart folders"),
          fix: tr("run this in the startup script of the session: \(program) --start"))
      }
      return Check(
        .autostart, .warning, tr("nothing starts the agent at login"), fix: autostartFix(autostart))
    }
    switch isReached(target, on: bus) {
    case true?:
      return Check(.autostart, .ok, tr("systemd starts it at login, with \(target)"))
    case false?:
      return Check(
        .autostart, .warning,
        tr("systemd starts it with \(target), but this session does not start that"),
        fix: "systemctl --user add-wants default.target \(Self.unit)")
    case nil:
      return Check(
        .autostart, .unknown,
        tr("systemd would start it with \(target), but does not answer in this session"),
        fix: tr("run this in the startup script of the session: \(program) --start"))
    }
  }

  /// Returns the shortest command that makes the agent start at each login.
  private func autostartFix(_ autostart: Autostart) -> String {
    if let veto = autostart.veto { return "rm \(Wording.shell(veto))" }
    guard autostart.unitFile != nil, Environment.hasUserManager else { return autostartCommand }
    let unmask = autostart.isMasked ? "systemctl --user unmask \(Self.unit) && " : ""
    return unmask + "systemctl --user enable --now \(Self.unit)"
  }

  /// Whether the session is known to start the desktop files in the autostart folders.
  private func readsAutostart(on bus: Bus?) -> Bool {
    let names = Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
    return names.contains { Self.withAutostart.contains(String($0)) }
      || isReached("xdg-desktop-autostart.target", on: bus) == true
  }

  /// The names, in `XDG_CURRENT_DESKTOP`, of desktops that read the autostart folders.
  private static let withAutostart: Set = [
    "Budgie", "COSMIC", "Cinnamon", "DDE", "Deepin", "Enlightenment", "GNOME", "KDE", "LXDE",
    "LXQt", "MATE", "Pantheon", "Unity", "X-Cinnamon", "XFCE",
  ]

  /// Returns the name of the session if it is in `withoutAutostart`, unless systemd is known to
  /// start the desktop files instead; otherwise nil.
  private func sessionWithoutAutostart(on bus: Bus?) -> String? {
    let names = Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":")
    guard let name = names?.first.map(String.init), Self.withoutAutostart.contains(name),
      isReached("xdg-desktop-autostart.target", on: bus) != true
    else { return nil }
    return name
  }

  /// The names, in `XDG_CURRENT_DESKTOP`, of window managers that do not read the autostart
  /// folders. Of any other session, that is not known: the default config of i3, for example,
  /// starts a program that reads them, if it is installed.
  private static let withoutAutostart: Set = [
    "sway", "Hyprland", "river", "labwc", "dwl", "niri", "bspwm", "awesome", "qtile",
  ]

  /// Returns whether the session has reached the systemd target `target`; nil if that cannot be
  /// determined.
  private func isReached(_ target: String, on bus: Bus?) -> Bool? {
    guard let bus,
      let path = ask(.systemd, "LoadUnit", [.string(target)], gives: "o", on: bus)?.value?.string
    else { return nil }
    let unit = Bus.Peer(
      Bus.Peer.systemd.name, path: path, interface: "org.freedesktop.systemd1.Unit")
    return property("ActiveState", of: unit, on: bus)?.string.map { $0 == "active" }
  }

  /// A command that makes a desktop start the agent, for machines without the systemd unit.
  private var autostartCommand: String {
    let folder = Locations.folder("XDG_CONFIG_HOME", locations.home + "/.config") + "/autostart"
    let entry = "[Desktop Entry]\\nType=Application\\nName=Belfry\\nExec=\"%s\"\\n"
    return "mkdir -p \(Wording.shell(folder)) && printf '\(entry)' \(program) >"
      + Wording.shell(folder + "/belfryd.desktop")
  }
}

nonisolated extension Result {
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

public nonisolated struct Autostart: Equatable, Sendable {
  /// The systemd targets that start the unit; empty if there are none, or if the unit is masked.
  public var targets: [String]
  /// The path of the systemd unit of the agent, even if no target starts the unit; nil if there is
  /// no such file.
  public var unitFile: String?
  public var isMasked: Bool
  /// The path of the desktop file that starts the agent at login; nil if there is none.
  public var desktopFile: String?
  /// The path at which the user has a desktop file that overrides the desktop file for all users,
  /// so that the agent is not started; nil if there is no such file.
  public var veto: String?

  /// Looks for the systemd unit `unit`, such as `clockd.service`, and for a desktop file that
  /// starts `program`. `config` and `data` are the user's folders of settings and of data.
  /// `desktop` has the names of the running desktop.
  public init(
    unit: String, program: String, config: String, data: String,
    system: [String] = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"],
    shared: [String] = ["/etc/xdg"], desktop: [String] = [], on disk: Disk
  ) {
    let folders =
      ["\(config)/systemd/user", "\(data)/systemd/user"]
      + system.map { "\($0)/systemd/user" }
    unitFile = folders.map { "\($0)/\(unit)" }.first { Folder.hasFile($0, on: disk) }
    isMasked = Path.link(at: "\(config)/systemd/user/\(unit)", on: disk) == "/dev/null"
    let wanting = folders.flatMap { folder in
      Folder.names(in: folder, on: disk).filter { name in
        (name.hasSuffix(".wants") || name.hasSuffix(".requires"))
          && Path.link(at: "\(folder)/\(name)/\(unit)", on: disk) != nil
      }
    }
    let names = Set(
      wanting.compactMap { $0.split(separator: ".").dropLast().joined(separator: ".") })
    targets = isMasked ? [] : names.sorted()
    let shared = shared.map { "\($0)/autostart" }
    desktopFile = Self.desktopFile(
      starting: program, in: ["\(config)/autostart"] + shared, desktop, on: disk)
    let vetoed =
      desktopFile == nil ? Self.desktopFile(starting: program, in: shared, desktop, on: disk) : nil
    veto = vetoed.flatMap { OutsideText.names(in: $0).last }.map { "\(config)/autostart/\($0)" }
  }

  /// Returns the first desktop file that starts `program`. If a file with the same name is in
  /// several folders, only the file in the first of them counts.
  private static func desktopFile(
    starting program: String, in folders: [String], _ desktop: [String], on disk: Disk
  ) -> String? {
    var seen: Set<String> = []
    for folder in folders {
      for name in Folder.names(in: folder, on: disk) where name.hasSuffix(".desktop") {
        guard seen.insert(name).inserted else { continue }
        let path = "\(folder)/\(name)"
        // A file that cannot be read starts nothing.
        let bytes = try? DurableFile.read(path, limit: 1 << 16, on: disk)
        if bytes.flatMap(KeyFile.init)?.starts(program, on: desktop) == true { return path }
      }
    }
    return nil
  }
}

nonisolated extension KeyFile {
  fileprivate func starts(_ program: String, on desktop: [String]) -> Bool {
    guard let line = entry("Exec"), entry("Hidden") != "true",
      entry("X-GNOME-Autostart-enabled") != "false"
    else { return false }
    let names = Self.words(line).map { OutsideText.names(in: $0).last }
    let isRestarted = names.first == "restart-after-crash"
    guard names.dropFirst(isRestarted ? 1 : 0).first == program else { return false }
    if let only = list("OnlyShowIn"), only.isDisjoint(with: desktop) { return false }
    return list("NotShowIn")?.isDisjoint(with: desktop) ?? true
  }

  /// Returns the words of a command line. A word in quotes may contain spaces.
  private static func words(_ line: String) -> [Substring] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap {
      (place, part) in place % 2 == 1 ? [part] : part.split(separator: " ")
    }
  }

  private func entry(_ key: String) -> String? { value(key, in: "Desktop Entry") }

  private func list(_ key: String) -> Set<String>? {
    entry(key).map { Set($0.split(separator: ";").map(String.init)) }
  }
}
