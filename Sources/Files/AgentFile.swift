// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file in the state folder that says where the agent of this folder runs. The agent has the
// file's lock, so there is only one agent for each state folder, and a killed agent leaves no lock.
// Commands read the file to find the agent from any session. `StateClaim.swift` in Agent decides
// what a second agent does.

import Language
import System

public struct AgentFile: Equatable, Sendable {
  public var process: Int32
  /// The address of the agent's session bus.
  public var bus: String
  /// How many agents in a row have crashed soon after their start, up to the agent that wrote the
  /// file.
  var crashes = 0

  public init(process: Int32, bus: String) { (self.process, self.bus) = (process, bus) }

  /// The content of the file: a line for each fact, such as `pid 1234`. `FileLock` adds a line if
  /// the agent crashes.
  var text: String { "pid \(process)\nbus \(bus)\ncrashes \(crashes)\n" }

  /// Parses the content of the file; nil if it is incomplete, as while an agent is starting.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    func value(_ key: String) -> String? {
      lines.first { $0.hasPrefix("\(key) ") }.map { String($0.dropFirst(key.count + 1)) }
    }
    guard let process = value("pid").flatMap({ Int32($0) }), process > 0, let bus = value("bus")
    else { return nil }
    self.init(process: process, bus: bus)
    // Only an agent that crashed itself adds to the crashes before it.
    guard value("signal") != nil else { return }
    crashes = 1 + max(0, min(value("crashes").flatMap { Int($0) } ?? 0, 1000))
  }
}

extension AgentFile {
  /// How long to wait for the disk of the state folder.
  private static let patience = Duration.seconds(1)

  /// Returns the file of the agent that is running; nil if no agent of this user has the lock, if
  /// the file is not complete yet, or if the disk does not answer.
  public static func running(_ locations: Locations, on disk: Disk) -> AgentFile? {
    let path = locations.agent
    // If the file cannot be read, commands look for the agent on the session bus.
    let bytes = try? Patience(patience).wait(for: path, on: disk) { disk throws(FileError) in
      try FileLock.heldBytes(path, on: disk)
    }
    return bytes.flatMap { AgentFile($0) }
  }

  public enum Claim: Equatable, Sendable {
    /// Another agent has the lock.
    case held
    /// This process has the lock now. `setAside` has the new paths of a state that was set aside.
    case granted(setAside: [String])
  }

  /// After so many crashes in a row, the state is set aside, because it may be what causes them.
  private static let mostCrashes = 2

  /// Takes the lock for this process until it ends, and writes the file. With `waits`, waits for
  /// the end of another agent that has the lock.
  public func claim(_ locations: Locations, waits: Bool, on disk: Disk) throws(FileError) -> Claim {
    guard let lock = try FileLock.acquire(locations.agent, waits: waits, on: disk) else {
      return .held
    }
    var file = self
    file.crashes = AgentFile(lock.formerBytes)?.crashes ?? 0
    var setAside: [String] = []
    if file.crashes >= Self.mostCrashes {
      setAside = try StateFile.setAside(locations, on: disk)
      file.crashes = 0
    }
    try lock.write(file.text, on: disk)
    lock.keep()
    return .granted(setAside: setAside)
  }

  /// Call this once this agent has been running for so long that it does not count as a crash at
  /// the start if it crashes.
  public static func hasStarted() { FileLock.stopNotingCrashes() }
}
