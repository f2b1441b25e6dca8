// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's look at the session: its bus, the agent on it, and what starts the agent. The agent is
// started where it does not run, as every command does that needs it. Next:
// `DoctorNotifications.swift`.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

extension Doctor {
  private static let unit = "belfryd.service"

  /// Goes on when it is known whether there is an agent.
  func examineSession(then next: @escaping () -> Void) {
    var isDecided = false
    func decide(_ error: String?, _ bus: Bus?) {
      guard !isDecided else { return }
      isDecided = true
      if let bus { return examine(bus, then: next) }
      let words = error ?? tr("does not answer")
      found(
        .bus, .error, tr("no session bus, and without it no agent: \(words)"),
        mend: tr("log in to a desktop session, or run dbus-run-session"))
      found(.agent, .error, tr("cannot run without a session bus"))
      examineAutostart(on: nil)
      found(.notifications, .unknown, tr("cannot be asked without a session bus"))
      found(.doNotDisturb, .unknown, tr("cannot be asked without a session bus"))
      examineWaking()
      next()
    }
    let patience = MainLoop.after(.seconds(3)) { decide(nil, nil) }
    Bus.connectToSession { answer in
      withExtendedLifetime(patience) {}
      switch answer {
      case .success(let bus): decide(nil, bus)
      case .failure(let error): decide("\(error)", nil)
      }
    }
  }

  private func examine(_ bus: Bus, then next: @escaping () -> Void) {
    examineServer(on: bus)
    bus.ask(.daemon, "GetNameOwner", [.string(BusInterface.name)], timeout: .seconds(3)) {
      [self] answer in
      switch answer {
      case .success:
        found(.bus, .ok, tr("the session bus answers"))
        examineAgent(on: bus, wasStarted: false, then: next)
      case .failure(let error) where error.name == "org.freedesktop.DBus.Error.NameHasNoOwner":
        found(.bus, .ok, tr("the session bus answers"))
        startAgent(on: bus, then: next)
      case .failure(let error):
        found(.bus, .error, "\(error)", mend: tr("log out and in again"))
        found(.agent, .error, tr("cannot be reached without the session bus"))
        examineWaking()
        next()
      }
      examineAutostart(on: bus)
    }
  }

  // MARK: - The agent

  private func startAgent(on bus: Bus, then next: @escaping () -> Void) {
    let arguments: [Variant] = [.string(BusInterface.name), .uint32(0)]
    bus.ask(.daemon, "StartServiceByName", arguments, timeout: .seconds(5)) { [self] answer in
      switch answer {
      case .success: examineAgent(on: bus, wasStarted: true, then: next)
      case .failure(let error):
        let isUnknown = error.name == "org.freedesktop.DBus.Error.ServiceUnknown"
        let why = isUnknown ? tr("the session bus does not know how to start it") : "\(error)"
        let start =
          autostart?.unitFile == nil ? "\(program) &" : "systemctl --user start \(Self.unit)"
        found(.agent, .error, tr("does not run: \(why)"), mend: start)
        examineWaking()
        next()
      }
    }
  }

  private func examineAgent(on bus: Bus, wasStarted: Bool, then next: @escaping () -> Void) {
    bus.ask(BusInterface.peer, "Status", timeout: .seconds(4)) { [self] answer in
      switch answer {
      case .success(let reply):
        agent = reply.values.first
        found(agentLink(wasStarted: wasStarted))
      case .failure(let error):
        found(
          .agent, .error, tr("runs and does not answer: \(error)"),
          mend: "\(program) --replace &")
      }
      examineWaking()
      next()
    }
  }

  private func agentLink(wasStarted: Bool) -> Check {
    let told = agent?["agent"]
    let (version, config) = (told?["version"]?.string ?? "", told?["config"]?.string ?? "")
    let process = told?["pid"]?.int64.map { tr("process \($0)") } ?? tr("running", context: "agent")
    let restart =
      autostart?.targets.isEmpty != false
      ? "\(program) --replace &" : "systemctl --user restart \(Self.unit)"
    if version != Release.version {
      return Check(
        .agent, .warning, tr("belfryd \(version) runs, and this is \(Release.version)"),
        mend: restart)
    }
    if config != locations.config {
      return Check(
        .agent, .warning, tr("it reads \(config), and not \(locations.config)"),
        mend: "\(program) --replace --config \(Self.shell(locations.config)) &")
    }
    if wasStarted {
      return Check(.agent, .warning, tr("did not run; it has just been started, \(process)"))
    }
    if let zone = told?["timezone"]?.string, isElsewhere(zone) {
      return Check(
        .agent, .warning,
        tr("it goes by the time of \(zone), and here it is \(Zones.machineZone)"),
        mend: restart)
    }
    return Check(.agent, .ok, tr("belfryd \(version), \(process)"))
  }

  /// One zone has many names.
  private func isElsewhere(_ zone: String) -> Bool {
    let (zones, now) = (Zones(), Clock.now().wall)
    return zone != Zones.machineZone
      && zones.interval(containing: now, in: zone).offset
        != zones.interval(containing: now, in: nil).offset
  }

  /// Whether a suspended machine is woken, which takes rights that the agent may have and this
  /// program may not.
  private func examineWaking() {
    if let told = agent?["agent"], let wake = told["wake"]?.string {
      if wake == "yes" {
        return found(.wake, .ok, tr("a suspended machine is woken for an alarm"))
      }
      let mend = told["wake_mend"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      return found(.wake, .warning, tr("a suspended machine is not woken: \(wake)"), mend: mend)
    }
    found(.wake, .unknown, tr("only the agent knows whether it may wake a suspended machine"))
  }

  /// The agent, as a word for a shell.
  private var program: String { Self.shell(Locations.program("belfryd")) }

  /// Nil if the disk of the home folder does not answer.
  private var autostart: Autostart? {
    let (home, folder) = (locations.home, Locations.folder)
    let shared = (Environment.value("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(separator: ":")
    let desktop = Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
    let (unit, config, data) = (
      Self.unit, folder("XDG_CONFIG_HOME", home + "/.config"),
      folder("XDG_DATA_HOME", home + "/.local/share")
    )
    return Blocking.here {
      try? Patience().wait(for: home) {
        Autostart(
          unit: unit, program: "belfryd", config: config, data: data,
          shared: shared.map(String.init), desktop: desktop.map(String.init))
      }
    }
  }

  private func examineAutostart(on bus: Bus?) {
    guard let autostart else {
      return found(.autostart, .unknown, tr("does not answer"))
    }
    if let file = autostart.desktopFile {
      return found(.autostart, .ok, tr("the desktop starts it at login: \(file)"))
    }
    guard let target = autostart.targets.first else {
      return hasUserManager(on: bus) { [self] in
        found(
          .autostart, .warning, tr("nothing starts the agent at login"),
          mend: autostartMend(autostart, hasUserManager: $0))
      }
    }
    let started = tr("systemd starts it at login, with \(target)")
    guard let bus else { return found(.autostart, .ok, started) }
    examine(target, on: bus) { [self] isReached in
      if isReached != false { return found(.autostart, .ok, started) }
      found(
        .autostart, .warning,
        tr("systemd would start it with \(target), which this session is without"),
        mend: "systemctl --user add-wants default.target \(Self.unit)")
    }
  }

  private func hasUserManager(on bus: Bus?, _ done: @escaping (Bool) -> Void) {
    guard let bus else { return done(false) }
    bus.ask(
      .daemon, "NameHasOwner", [.string(Bus.Peer.systemd.name)], timeout: .seconds(2)
    ) { done($0.value?.boolean ?? false) }
  }

  /// The shortest command that has the agent started at login.
  private func autostartMend(_ autostart: Autostart, hasUserManager: Bool) -> String {
    if let veto = autostart.veto { return "rm \(Self.shell(veto))" }
    guard autostart.unitFile != nil, hasUserManager else { return autostartCommand }
    let unmask = autostart.isMasked ? "systemctl --user unmask \(Self.unit) && " : ""
    return unmask + "systemctl --user enable --now \(Self.unit)"
  }

  /// Whether the session has reached `target`; nil where nobody knows.
  private func examine(_ target: String, on bus: Bus, _ done: @escaping (Bool?) -> Void) {
    bus.ask(.systemd, "LoadUnit", [.string(target)], timeout: .seconds(2)) { answer in
      guard let path = answer.value?.string else { return done(nil) }
      let unit = Bus.Peer(
        Bus.Peer.systemd.name, path: path, interface: "org.freedesktop.systemd1.Unit")
      bus.property("ActiveState", of: unit) { done($0?.string.map { $0 == "active" }) }
    }
  }

  /// What makes a desktop start the agent where there is no unit.
  private var autostartCommand: String {
    let folder = Locations.folder("XDG_CONFIG_HOME", locations.home + "/.config") + "/autostart"
    let file = Self.shell(folder + "/belfryd.desktop")
    return
      "mkdir -p \(Self.shell(folder)) && printf '[Desktop Entry]\\nType=Application\\nName=Belfry"
      + "\\nExec=%s\\n' \(program) >\(file)"
  }
}
