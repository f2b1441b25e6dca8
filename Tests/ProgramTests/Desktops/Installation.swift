// SPDX-License-Identifier: GPL-3.0-or-later
//
// A home folder in which the installer, `desktop/install`, is run, for `InstallTests.swift` and
// `UserManagerTests.swift`.

import Foundation
import Lab
import Testing

/// A home folder in which a test installs Belfry.
struct Installation {
  let lab: Lab

  init(_ parts: Lab.Part...) throws {
    lab = try parts.isEmpty ? Lab() : Lab(.bus)
  }

  var bin: String { lab.home.path + "/.local/bin" }

  @discardableResult
  func install(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
    let program = try lab.start(
      Lab.repository.path + "/desktop/install",
      arguments: ["--built", Lab.programs.path] + arguments, environment: environment)
    let exit = try program.waitForExit()
    guard exit == .status(0) else {
      throw LabError.failed("desktop/install", reason: program.errors)
    }
    return program.output
  }

  /// Returns the relative paths of all files, links and empty folders below `folder`.
  static func files(_ folder: URL) throws -> [String] {
    let manager = FileManager.default
    return try manager.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
      var isFolder: ObjCBool = false
      let full = folder.appendingPathComponent(path).path
      _ = manager.fileExists(atPath: full, isDirectory: &isFolder)
      return try !isFolder.boolValue || manager.contentsOfDirectory(atPath: full).isEmpty
    }
  }

  func files() throws -> [String] { try Self.files(lab.home) }

  func text(_ path: String) throws -> String {
    try String(contentsOf: lab.home.appendingPathComponent(path), encoding: .utf8)
  }

  /// Returns the id of the process that has the agent's bus name; nil if there is none.
  func agent() throws -> Int32? {
    let answer = try lab.run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.belfry.Belfry")
    return answer.status == 0
      ? answer.output.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) } : nil
  }

  func waitForAgent(_ awaited: String, where matches: (Int32?) -> Bool) throws -> Int32? {
    var agent: Int32?
    try Lab.wait(for: awaited, seen: "\(agent, default: "none")") {
      agent = try self.agent()
      return matches(agent)
    }
    return agent
  }

  /// Returns the program and the arguments that a `.desktop`, `.service` or unit file starts, as
  /// the value of `key`.
  func command(_ path: String, _ key: String) throws -> [String] {
    let line = try #require(
      try text(path).split(separator: "\n").first { $0.hasPrefix("\(key)=") })
    // The paths of programs are in quotes.
    let parts = line.dropFirst(key.count + 1).split(
      separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { place, part in
      place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }
}
