// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out what starts a program together with the session: a unit of systemd's user manager, or a
// desktop file in an autostart folder (freedesktop.org Autostart Specification). Nothing is changed
// here.

import System

public nonisolated struct Autostart: Equatable, Sendable {
  public var targets: [String]
  /// The unit's file, even if no target starts the unit; nil if there is no file.
  public var unitFile: String?
  public var isMasked: Bool
  public var desktopFile: String?
  /// The user's desktop file that overrides the desktop file for all users, so that the program is
  /// not started; nil if there is no such file.
  public var veto: String?

  /// Looks for `unit`, such as `clockd.service`, and for a desktop file that starts `program`.
  /// `config` and `data` are the user's folders of settings and of data. `desktop` has the names of
  /// the running desktop.
  @Blocking public init(
    unit: String, program: String, config: String, data: String,
    system: [String] = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"],
    shared: [String] = ["/etc/xdg"], desktop: [String] = []
  ) {
    let folders =
      ["\(config)/systemd/user", "\(data)/systemd/user"]
      + system.map { "\($0)/systemd/user" }
    unitFile = folders.map { "\($0)/\(unit)" }.first(where: Folder.hasFile)
    isMasked = Path.link(at: "\(config)/systemd/user/\(unit)") == "/dev/null"
    let wanting = folders.flatMap { folder in
      Folder.names(in: folder).filter { name in
        (name.hasSuffix(".wants") || name.hasSuffix(".requires"))
          && Path.link(at: "\(folder)/\(name)/\(unit)") != nil
      }
    }
    let names = Set(
      wanting.compactMap { $0.split(separator: ".").dropLast().joined(separator: ".") })
    targets = isMasked ? [] : names.sorted()
    let shared = shared.map { "\($0)/autostart" }
    desktopFile = Self.desktopFile(
      starting: program, in: ["\(config)/autostart"] + shared, desktop)
    let vetoed = desktopFile == nil ? Self.desktopFile(starting: program, in: shared, desktop) : nil
    veto = vetoed?.split(separator: "/").last.map { "\(config)/autostart/\($0)" }
  }

  /// Returns the first desktop file that starts `program`. A file hides files with the same name in
  /// later folders.
  @Blocking private static func desktopFile(
    starting program: String, in folders: [String], _ desktop: [String]
  ) -> String? {
    var seen: Set<String> = []
    for folder in folders {
      for name in Folder.names(in: folder) where name.hasSuffix(".desktop") {
        guard seen.insert(name).inserted else { continue }
        let path = "\(folder)/\(name)"
        // A file that cannot be read starts nothing.
        let bytes = try? DurableFile.read(path, limit: 1 << 16)
        if bytes.flatMap(KeyFile.init)?.starts(program, on: desktop) == true { return path }
      }
    }
    return nil
  }
}

nonisolated extension KeyFile {
  fileprivate func starts(_ program: String, on desktop: [String]) -> Bool {
    guard let line = entry("Exec") else { return false }
    // In quotes, the path of a program may have spaces.
    let isQuoted = line.hasPrefix("\"")
    let command = line.dropFirst(isQuoted ? 1 : 0).prefix { $0 != (isQuoted ? "\"" : " ") }
    let name = command.split(separator: "/").last.map(String.init)
    guard name == program, entry("Hidden") != "true", entry("X-GNOME-Autostart-enabled") != "false"
    else { return false }
    if let only = list("OnlyShowIn"), only.isDisjoint(with: desktop) { return false }
    return list("NotShowIn")?.isDisjoint(with: desktop) ?? true
  }

  private func entry(_ key: String) -> String? { value(key, in: "Desktop Entry") }

  private func list(_ key: String) -> Set<String>? {
    entry(key).map { Set($0.split(separator: ";").map(String.init)) }
  }
}
