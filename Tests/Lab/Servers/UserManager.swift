// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts systemd's real user manager in a Lab. It is made to believe that systemd started the
// machine. Next: `Servers.swift`.

import Foundation

extension Lab {
  /// Whether the user manager can run here. It needs its own mount namespace and access to the
  /// control groups, and therefore root.
  public static var canRunUserManager: Bool {
    getuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0
      && controlGroups.contains { access($0 + "/cgroup.procs", W_OK) == 0 }
  }

  /// The top folders of control groups: the kernel has one hierarchy, or several side by side. In
  /// each of them, a user manager gets its own group, named like the folder of its Lab. If two
  /// managers shared a group, each would end the other's services.
  static let controlGroups = ["/sys/fs/cgroup"] + hierarchies.map { "/sys/fs/cgroup/\($0)" }

  private static let hierarchies =
    (try? FileManager.default.contentsOfDirectory(atPath: "/sys/fs/cgroup")) ?? []

  private static let units = [
    "basic.target", "default.target", "exit.target", "paths.target", "shutdown.target",
    "sockets.target", "systemd-exit.service", "timers.target",
  ]

  /// Empty stand-ins for the units of the session bus. The manager connects to the bus as soon as
  /// these units run. They start no bus, because the Lab's bus is already running.
  private static let bus = [
    "dbus.socket": "[Socket]\nListenStream=%t/no-bus\n",
    "dbus.service": "[Unit]\nRequires=dbus.socket\n[Service]\nExecStart=sleep infinity\n",
  ]

  /// Starts a user manager that knows only the few units on which other units depend.
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
  /// Starts the user manager as a login does. The manager starts the bus, and sees the units,
  /// autostart entries and services that are installed in this Lab's home, but not the machine's
  /// autostart entries and enabled units. This Lab must have been made without a bus.
  public func startUserSession() throws {
    setVariable("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(folder.path)/run/bus")
    setVariable("XDG_CONFIG_DIRS", folder.path)
    if Self.usesBroker {
      let units = home.appendingPathComponent(".config/systemd/user")
      try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: units.appendingPathComponent("dbus.service").path,
        withDestinationPath: "/usr/lib/systemd/user/dbus-broker.service")
    }
    let manager = try startManager("basic.target")
    try Self.wait(for: "systemd", seen: manager.errors) {
      try run("systemctl", "--user", "is-active", "basic.target").status == 0
    }
  }

  private func startManager(
    _ unit: String, environment: [String: String] = [:]
  ) throws(LabError) -> Program {
    // The manager refuses to run without /run/systemd/system, so the script makes that folder in
    // the manager's own view of /run. It also hides the services of the machine's bus, and the
    // units that are enabled on the machine: another bus than dbus-daemon, and notification
    // servers, would start in place of those of the Lab.
    let script = """
      for folder in \(Self.controlGroups.joined(separator: " ")); do
        [ -w $folder/cgroup.procs ] && mkdir $folder/\(self.folder.lastPathComponent) \
          && echo $$ >$folder/\(self.folder.lastPathComponent)/cgroup.procs
      done 2>/dev/null
      for folder in /usr/share/dbus-1/services /etc/dbus-1/session.d /etc/systemd/user; do
        [ ! -d $folder ] || mount -t tmpfs none $folder
      done
      mkdir -p /run/systemd \
        && mount -t tmpfs none /run/systemd && mkdir /run/systemd/system \
        && \(Self.usesBroker ? "/usr/bin/python3 '\(Self.brokerScript)' journal" : "true") \
        && exec /lib/systemd/systemd --user --unit=\(unit)
      """
    return try start(
      "unshare", arguments: ["--mount", "sh", "-c", script],
      environment: environment.merging(["SYSTEMD_LOG_TARGET": "console"]) { $1 })
  }
}
