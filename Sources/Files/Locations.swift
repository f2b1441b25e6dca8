// SPDX-License-Identifier: GPL-3.0-or-later
//
// Determines the paths of Belfry's files, according to the XDG Base Directory Specification.

import Configuration
import Language
import System

/// The icons for notifications and panels. If Belfry's icons are not installed, all of them are the
/// alarm icon of the icon theme.
public struct Icons: Sendable {
  private static let common = "alarm-symbolic"

  /// A path, or a name in the icon theme. A path is better, because every notification server can
  /// show an icon from a path.
  public var file = common
  public var name = common
  /// The name of the monochrome icon, whose colour the desktop chooses.
  public var symbolicName = common

  public init() {}
}

public struct Locations: Sendable {
  /// The absolute path of the config.
  public var config: String
  public var stateFolder: String
  /// Folders that may contain `belfry/sounds` and other data. The user's own folder comes first.
  public var dataFolders: [String]
  public var home: String
  /// A file that exists as long as the session and records which notifications are on the screen.
  /// Nil if the session has no folder for such files.
  public var notifications: String?
  /// A file that exists as long as the session and has the variables that name the display, as
  /// `belfryd --start` has handed them over. Nil if the session has no folder for such files.
  public var display: String?

  public var state: String { stateFolder + "/state.toml" }
  /// The key by which the agent recognises the user's own commands; see `UserKey.swift`.
  var key: String { stateFolder + "/key" }
  /// The file with the settings in force. The agent starts with these settings.
  public var settings: String { stateFolder + "/settings.toml" }
  public var history: String { stateFolder + "/history.jsonl" }
  /// The file that the running agent has locked; see `AgentFile.swift`.
  public var agent: String { stateFolder + "/agent" }
  /// The file with the mixer's volume before Belfry raised it. It exists while the volume is
  /// raised.
  public var mixer: String { stateFolder + "/mixer.json" }
  public var configFolder: String {
    String(config[..<(OutsideText.lastSlash(in: config) ?? config.endIndex)])
  }

  /// Whether `path` leads to the config. The same file can have several paths, for example because
  /// of a symbolic link.
  public func isConfig(_ path: String, on disk: Disk) -> Bool {
    path == config || Path.isOneFile(path, config, on: disk)
  }

  /// Returns the path of a file that the config names. The name may be an absolute path, or
  /// relative to the home folder or to the folder of the config, or a `file:` URI.
  func path(of name: String) -> String {
    if OutsideText.isAbsolute(name) { return name }
    if let path = Self.path(ofURI: name) { return path }
    return name.utf8.starts(with: "~/".utf8)
      ? home + Substring(name.utf8.dropFirst()) : configFolder + "/" + name
  }

  /// The folder with the translations; nil if there is none. Data folders whose disk hangs, or that
  /// have a damaged translation, are skipped.
  public func catalogues(on disk: Disk) -> String? {
    let patience = Patience(Self.startPatience)
    return dataFolders.map { $0 + "/belfry/locale" }.first { folder in
      let languages = try? patience.wait(for: folder, on: disk) { Folder.names(in: folder, on: $0) }
      guard let languages, !languages.isEmpty else { return false }
      return languages.map { "\(folder)/\($0)/LC_MESSAGES/belfry.mo" }.allSatisfy { file in
        do throws(FileError) {
          let bytes = try patience.read(file, limit: CatalogueFile.longest, on: disk)
          if CatalogueFile.isIntact(bytes) { return true }
          Log.warning("\(file) is damaged, so its texts are not used")
          return false
        } catch { return error.isMissing }
      }
    }
  }

  /// Belfry's icons, or the icon theme's alarm icon if Belfry's icons are not installed. Data
  /// folders whose disk hangs are skipped.
  public func icons(on disk: Disk) -> Icons {
    let patience = Patience(Self.startPatience)
    func file(_ icon: String) -> String? {
      patience.firstFile(dataFolders.map { "\($0)/icons/hicolor/\(icon)" }, on: disk)
    }
    var icons = Icons()
    let name = "org.belfry.Belfry"
    if let path = file("scalable/apps/\(name).svg") { (icons.file, icons.name) = (path, name) }
    if file("symbolic/apps/\(name)-symbolic.svg") != nil { icons.symbolicName = name + "-symbolic" }
    return icons
  }

  /// How long a starting program waits for data folders whose disk hangs.
  private static let startPatience = Duration.milliseconds(200)

  /// Determines the paths from the environment. `config` may be relative to the current folder.
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
    let session = Locations.absolute("XDG_RUNTIME_DIR").map { $0 + "/belfry" }
    notifications = session.map { $0 + "/notifications" }
    display = session.map { $0 + "/display" }
    let shared = (Environment.value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
      .split(separator: ":").map(String.init).filter(OutsideText.isAbsolute)
    let own = folder("XDG_DATA_HOME", "/.local/share")
    dataFolders = ([own] + shared + Locations.besideProgram()).unique
  }

  /// Returns the folder that the environment variable names, or `fallback`.
  public static func folder(_ variable: String, _ fallback: String) -> String {
    absolute(variable) ?? fallback
  }

  /// Returns the path of `belfry` or `belfryd` in the folder of this program.
  public static func program(_ name: String) -> String {
    guard let program = Environment.programPath, let slash = OutsideText.lastSlash(in: program)
    else { return name }
    return program[...slash] + name
  }

  /// Returns the path in the environment variable; nil if the path is not absolute, because the XDG
  /// specification says to ignore such a path.
  private static func absolute(_ variable: String) -> String? {
    Environment.value(variable).flatMap { OutsideText.isAbsolute($0) ? $0 : nil }
  }

  /// Converts the name of a sound or calendar that a user typed to the name for the config. On the
  /// command line, a path is relative to the current folder. In the config, a path is relative to
  /// the folder of the config. So a path becomes absolute, or begins with `~/`. A word without a
  /// slash is a name and stays as it is.
  public static func typed(_ name: String) -> String {
    guard OutsideText.hasSlash(name), !name.utf8.starts(with: "~/".utf8), !isAddress(name) else {
      return name
    }
    let path = fromHere(name)
    let home = Environment.home + "/"
    return path.hasPrefix(home) ? "~/" + path.dropFirst(home.count) : path
  }

  /// Whether `text` is an address in the web. Belfry loads nothing from there.
  public static func isAddress(_ text: String) -> Bool {
    ["https://", "http://", "webcal://", "webcals://", "ftp://"].contains {
      text.lowercased().hasPrefix($0)
    }
  }

  /// What to say about an address, and what to do about it.
  public static func problem(
    ofAddress text: String
  ) -> (message: Message, hint: Message) {
    (
      Message("\(TerminalText.quoted(text)) is an address, and Belfry reads only files"),
      Message("save the file and name its path")
    )
  }

  /// Returns the path of a `file:` URI, as file managers copy it; nil for any other text.
  public static func path(ofURI text: String) -> String? {
    text.lowercased().hasPrefix("file:") ? Path.of(uri: text) : nil
  }

  /// Returns the absolute path, without folders named `.`, which mean nothing. Folders named `..`
  /// stay, because they depend on symbolic links. `path` may be a `file:` URI.
  public static func fromHere(_ path: String) -> String {
    if let path = Self.path(ofURI: path) { return path }
    let folder = OutsideText.isAbsolute(path) ? "" : Environment.workingFolder
    guard let folder else { return path }
    let names = OutsideText.names(in: "\(folder)/\(path)").filter { $0 != "." }
    return "/" + names.joined(separator: "/")
  }

  /// Returns the folder `../share`, relative to the folder of this program.
  private static func besideProgram() -> [String] {
    let parts = Environment.programPath.map { OutsideText.names(in: $0) } ?? []
    return parts.count < 2 ? [] : ["/" + (parts.dropLast(2) + ["share"]).joined(separator: "/")]
  }
}
