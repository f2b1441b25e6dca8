// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where Belfry's files are, by the XDG Base Directory Specification. It names paths and opens
// nothing.

import Glibc

public nonisolated struct Locations: Sendable {
  /// `config.toml`, or what `--config` named; always absolute.
  public var config: String
  /// Holds the state and the history.
  public var stateFolder: String
  /// Each may hold `belfry/sounds` and other data, the user's own first.
  public var dataFolders: [String]
  public var home: String

  public var state: String { stateFolder + "/state.toml" }
  public var configFolder: String { String(config[..<(config.lastIndex(of: "/") ?? config.endIndex)]) }

  /// As the environment has it; `config` is relative to the folder that the program runs in.
  public init(config: String? = nil) {
    let home = Locations.home()
    self.home = home
    func folder(_ variable: String, _ fallback: String) -> String {
      Locations.absolute(variable) ?? home + fallback
    }
    self.config =
      config.map(Locations.fromHere) ?? folder("XDG_CONFIG_HOME", "/.config") + "/belfry/config.toml"
    stateFolder = folder("XDG_STATE_HOME", "/.local/state") + "/belfry"
    let shared = (Locations.environment("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
      .split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    dataFolders = [folder("XDG_DATA_HOME", "/.local/share")] + shared + Locations.besideProgram()
  }

  /// The specification says to ignore a path that is not absolute.
  private static func absolute(_ variable: String) -> String? {
    environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func home() -> String {
    absolute("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
  }

  private static func fromHere(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// `../share` as seen from the folder of this program.
  private static func besideProgram() -> [String] {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress, $0.count)
    }
    guard length > 0 else { return [] }
    let path = String(decoding: buffer.prefix(length), as: UTF8.self)
    let folders = path.split(separator: "/").dropLast(2)
    return ["/" + (folders + ["share"]).joined(separator: "/")]
  }
}
