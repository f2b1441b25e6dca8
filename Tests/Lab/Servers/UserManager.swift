// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's user manager in a Lab: the real one, which believes that systemd started the machine.
// Next: `Servers.swift`.

import Foundation

extension Lab {
  /// Whether it can run here: it needs a mount namespace of its own and access to the control
  /// groups, and so root.
  public static var canRunUserManager: Bool {
    getuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0
      && controlGroups.contains { access($0 + "/cgroup.procs", W_OK) == 0 }
  }

  /// The folders of control groups, of one hierarchy or of several side by side. In each, a manager
  /// gets a group of its own, named like the folder of its Lab: in a group that two managers share,
  /// each ends the other's services.
  static let controlGroups = ["/sys/fs/cgroup"] + hierarchies.map { "/sys/fs/cgroup/\($0)" }

  private static let hierarchies =
    (try? FileManager.default.contentsOfDirectory(atPath: "/sys/fs/cgroup")) ?? []

  private static let units = [
    "basic.target", "default.target", "exit.target", "paths.target", "shutdown.target",
    "sockets.target", "systemd-exit.service", "timers.target",
  ]

  /// The units of the bus, to which the manager connects when they run. They do nothing, since the
  /// Lab's bus runs already.
  private static let bus = [
    "dbus.socket": "[Socket]\nListenStream=%t/no-bus\n",
    "dbus.service": "[Unit]\nRequires=dbus.socket\n[Service]\nExecStart=sleep infinity\n",
  ]

  /// Starts a manager that knows no units but the few that others depend on.
  func startUserManager() throws {
    let folder = folder.appendingPathComponent("units")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for unit in Self.units {
      try FileManager.default.copyItem(
        at: URL(filePath: "/usr/lib/systemd/user/\(unit)").resolvingSymlinksInPath(),
        to: folder.appendingPathComponent(unit))
    }
    for (unit, text) in Self.bus {
      try text.write(
        to: folder.appendingPathComponent(unit), atomically: true, encoding: .utf8)
    }
    let manager = try startManager(
      "dbus.service", environment: ["SYSTEMD_UNIT_PATH": folder.path])
    do {
      try busWatch.waitForMessage("the user manager", since: 0) {
        $0.member == "NameOwnerChanged" && $0.body.first?.string == "org.freedesktop.systemd1"
      }
    } catch {
      throw LabError.failed(manager.name, reason: manager.errors)
    }
  }
  /// Starts the manager as a login does, with the bus that it brings and the units, autostart
  /// entries and services that are installed in this Lab's home; without the machine's autostart
  /// entries. This Lab must have been made without a bus.
  public func startUserSession() throws {
    setVariable("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(folder.path)/run/bus")
    setVariable("XDG_CONFIG_DIRS", folder.path)
    let manager = try startManager("basic.target")
    try Self.wait(for: "systemd", seen: manager.errors) {
      try run("systemctl", "--user", "is-active", "basic.target").status == 0
    }
  }

  private func startManager(
    _ unit: String, environment: [String: String] = [:]
  ) throws(LabError) -> Program {
    // The manager refuses to run without /run/systemd/system: it gets one in its own view of /run.
    // Services of the machine's bus are hidden.
    let script = """
      for folder in \(Self.controlGroups.joined(separator: " ")); do
        [ -w $folder/cgroup.procs ] && mkdir $folder/\(self.folder.lastPathComponent) \
          && echo $$ >$folder/\(self.folder.lastPathComponent)/cgroup.procs
      done 2>/dev/null
      for folder in /usr/share/dbus-1/services /etc/dbus-1/session.d; do
        [ ! -d $folder ] || mount -t tmpfs none $folder
      done
      mkdir -p /run/systemd \
        && mount -t tmpfs none /run/systemd && mkdir /run/systemd/system \
        && exec /lib/systemd/systemd --user --unit=\(unit)
      """
    return try start(
      "unshare", arguments: ["--mount", "sh", "-c", script],
      environment: environment.merging(["SYSTEMD_LOG_TARGET": "console"]) { $1 })
  }
}
