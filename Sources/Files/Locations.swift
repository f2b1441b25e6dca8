// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where Belfry's files are, by the XDG Base Directory Specification. It names paths and opens
// nothing.

import System

/// How others are told which icon to show; that of any alarm clock if Belfry's is not installed.
public nonisolated struct Icons: Sendable {
  private static let common = "alarm-symbolic"

  /// A file, which every notification server shows.
  public var file = common
  /// Its name in the icon theme, for those that take no file.
  public var name = common
  /// The same of the icon in one colour, which the desktop chooses.
  public var symbolicName = common

  public init() {}
}

public nonisolated struct Locations: Sendable {
  /// `config.toml`, or what `--config` named; always absolute.
  public var config: String
  /// Holds the state and the history.
  public var stateFolder: String
  /// Each may hold `belfry/sounds` and other data, the user's own first.
  public var dataFolders: [String]
  public var home: String
  /// Remembers what is on the screen for as long as the session; nil where there is no such place.
  public var notifications: String?

  public var state: String { stateFolder + "/state.toml" }
  /// What tells the user's own commands from other programs.
  var key: String { stateFolder + "/key" }
  /// The settings in force: with them the agent starts.
  public var settings: String { stateFolder + "/settings.toml" }
  public var history: String { stateFolder + "/history.jsonl" }
  /// What the mixer was set to, while it is turned up.
  public var mixer: String { stateFolder + "/mixer.ini" }
  public var configFolder: String {
    String(config[..<(config.lastIndex(of: "/") ?? config.endIndex)])
  }

  /// Of a file that the config names: absolute, from the home folder, or from the config's.
  func path(of name: String) -> String {
    if name.hasPrefix("/") { return name }
    return name.hasPrefix("~/") ? home + name.dropFirst() : configFolder + "/" + name
  }

  /// The translations, a folder for each language; nil if there are none in the data folders that
  /// answer.
  @Blocking public var catalogues: String? {
    let patience = Patience(Self.startPatience)
    return dataFolders.map { $0 + "/belfry/locale" }.first { folder in
      (try? patience.wait(for: folder) { Folder.names(in: folder) })?.isEmpty == false
    }
  }

  /// Belfry's icon, as it is found in the data folders that answer.
  @Blocking public var icons: Icons {
    let patience = Patience(Self.startPatience)
    func file(_ icon: String) -> String? {
      patience.firstFile(dataFolders.map { "\($0)/icons/hicolor/\(icon)" })
    }
    var icons = Icons()
    let name = "org.belfry.Belfry"
    if let path = file("scalable/apps/\(name).svg") { (icons.file, icons.name) = (path, name) }
    if file("symbolic/apps/\(name)-symbolic.svg") != nil { icons.symbolicName = name + "-symbolic" }
    return icons
  }

  /// A program that starts waits no longer for data folders that hang.
  private static let startPatience = Duration.milliseconds(200)

  /// As the environment has it; `config` is relative to the folder that the program runs in.
  public init(config: String? = nil) {
    let home = Environment.home
    self.home = home
    func folder(_ variable: String, _ fallback: String) -> String {
      Locations.folder(variable, home + fallback)
    }
    self.config =
      config.map(Locations.fromHere) ?? folder("XDG_CONFIG_HOME", "/.config")
      + "/belfry/config.toml"
    stateFolder = folder("XDG_STATE_HOME", "/.local/state") + "/belfry"
    notifications = Locations.absolute("XDG_RUNTIME_DIR").map { $0 + "/belfry/notifications" }
    let shared = (Environment.value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
      .split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    dataFolders = [folder("XDG_DATA_HOME", "/.local/share")] + shared + Locations.besideProgram()
  }

  /// What `variable` names, or `fallback`.
  public static func folder(_ variable: String, _ fallback: String) -> String {
    absolute(variable) ?? fallback
  }

  /// `belfry` or `belfryd`, beside this program.
  public static func program(_ name: String) -> String {
    guard let program = Environment.programPath, let slash = program.lastIndex(of: "/") else {
      return name
    }
    return program[...slash] + name
  }

  /// The specification says to ignore a path that is not absolute.
  private static func absolute(_ variable: String) -> String? {
    Environment.value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// A sound or a calendar that a user typed, as the config has it. On the command line a path is
  /// meant from the current folder, in the config from the config's. So a path becomes absolute, or
  /// begins with `~/`. A word without a slash is a name and stays as it is.
  public static func typed(_ name: String) -> String {
    guard name.contains("/"), !name.hasPrefix("~/") else { return name }
    let path = fromHere(String(name.hasPrefix("./") ? name.dropFirst(2) : name[...]))
    let home = Environment.home + "/"
    return path.hasPrefix(home) ? "~/" + path.dropFirst(home.count) : path
  }

  private static func fromHere(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    return Environment.workingFolder.map { "\($0)/\(path)" } ?? path
  }

  /// `../share` as seen from the folder of this program.
  private static func besideProgram() -> [String] {
    let parts = Environment.programPath?.split(separator: "/") ?? []
    return parts.count < 2 ? [] : ["/" + (parts.dropLast(2) + ["share"]).joined(separator: "/")]
  }
}
